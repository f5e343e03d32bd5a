// Measurements behind the table of properties: one function each, for a law with its scales.
#pragma once
#include "analyse/scales.hpp"

namespace bristle::inline analysis::properties {

struct Subject {
    AnyLaw law;
    double load;
    Scales scales;
    double held;             // a force well below breakaway [N]
    double speed;            // at which the level falls most [m/s]
    double relaxation_time;  // of the contact at that speed [s]
};
Subject subject_of(const AnyLaw& law, double load);

// Largest difference of the forces at the same path length, relative to the peak: of three time scales; of a time and a warped one. P5
double rate_dependence(const Subject& subject);
double warp_dependence(const Subject& subject);

// P6. Forces relative to the peak.
struct InnerLoop {
    double
        gap;  // between the start and the end of an inner loop, or of the outer loop with and without it; the largest
    double history;  // difference of the forces at one displacement after two different motions
};
InnerLoop inner_loop(const Subject& subject);
// Its strokes in deflections, with the second of its three inner loops: out, back, part of the way out, in, out, further out.
inline constexpr double inner_loop_strokes[] = {2.5, -5, 2.8, -1, 1, 2.2};

double creep(const Subject& subject);             // displacement under a constant force [deflections]
double drift_per_cycle(const Subject& subject);   // under a vibrating force [deflections]
double lag(const Subject& subject);               // width of the loop of friction over speed [peaks]
double breakaway_change(const Subject& subject);  // between slow and fast ramps [peaks]
double excess(const Subject& subject);            // of the deflection over its bound, relative to it; < 0: within. P1

}  // namespace bristle::analysis::properties
