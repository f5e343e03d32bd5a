// The numbers behind the table of properties: one function each, for a law with its sizes.
#pragma once
#include "analyse/scales.hpp"

namespace bristle::inline analysis {

struct Subject {
    AnyLaw law;
    double load;
    Scales scales;
    double held;  // a force that lies well below breakaway [N]
    // where the level changes most, and the time in which the contact follows it
    double speed, memory;  // m/s, s
};
Subject subject_of(const AnyLaw& law, double load);

// Largest change of the force, in peaks, at the same way: between three time scales; between a time and a warped one.
double rate_dependence(const Subject& subject);
double warp_dependence(const Subject& subject);

struct InnerLoop {
    double gap;      // by which an inner loop misses its start, or changes what follows [peaks]
    double history;  // how much the force owes to the past [peaks]
};
InnerLoop inner_loop(const Subject& subject);
// Its strokes in deflections, with the second of its three inner loops: out, back, part of the way out, in, out, on.
inline constexpr double inner_loop_strokes[] = {2.5, -5, 2.8, -1, 1, 2.2};

double creep(const Subject& subject);             // under a constant force, in deflections
double drift_per_cycle(const Subject& subject);   // under a force that vibrates, in deflections
double lag(const Subject& subject);               // width of the loop over the speed, in peaks
double breakaway_change(const Subject& subject);  // between a slow and a fast ramp, in peaks
double excess(const Subject& subject);            // of the bristle over its bound, in bounds; negative: within

}  // namespace bristle::inline analysis
