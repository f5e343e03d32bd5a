// Measurements behind the table of properties: one function for each measured row.
//
//   function            motion of the contact                               row of the table
//   rate_dependence     one path, at three peak speeds                      rate_independent   P5: A08 (28), A08 (29)
//   warp_dependence     one path, with and without a change of time         warp_invariant     P5
//   inner_loops         strokes at one speed, with inner loops              reversal_memory    P6: A08 fig 11
//   creep_displacement  constant force below breakaway                      holds_at_rest
//   drift_per_cycle     vibrating force below breakaway                     no_drift
//   lag_width           sliding in one direction, speed rises and falls     lag                B05 2.2
//   breakaway_spread    ramps of force, at three rates                      breakaway_varies   B05 2.3
//   bound_excess        quasi-random speeds and distances                   bounded            P1: A08 property 1
//
// Unit: all results are relative [1]. Forces are divided by scales.force, the largest level, and displacements by
// scales.deflection, the bristle deflection at that level (1e-6 m for a law without bristles).
// Sign: all results are >= 0, except bound_excess: < 0 within the bound.
// Limits: law and load are not checked here. Each result holds for its motions only: it is a measurement, not a proof.
#pragma once
#include "analyse/scales.hpp"

#include <array>

namespace bristle::inline analysis::properties {

// A law with the quantities that scale its test motions.
struct TestedLaw {
    AnyLaw law;
    double load;  // N
    Scales scales;
    // 0.45 of the static level, or of the peak for a curve that is smooth at v = 0 [N].
    // Elasto-plastic law: lower if necessary, so that the bristle stays elastic.
    double force_below_breakaway;
    double falling_speed;    // at which the level falls most: vs if the curve has one [m/s]
    double relaxation_time;  // of the contact at falling_speed [s]
};
TestedLaw tested_law(const AnyLaw& law, double load);

// ---- motion given -------------------------------------------------------------------------------------------------

// Path: u = A (sin tau + 0.4 sin(2.7 tau + 1)), A = 1.5 deflections, tau from 0 to 4 pi.
// Time: t = c (tau + w sin tau); c sets the peak speed, w changes the time along the path monotonically.
// Both functions return the largest difference of two forces at the same point of the path.
// Peak speeds: a tenth of the slowest speed of the law, ten times the fastest, and their geometric mean.
double rate_dependence(const TestedLaw& tested);  // between peak speeds, w = 0
double warp_dependence(const TestedLaw& tested);  // between w = 0 and w = 0.8, at each peak speed

// Strokes of a displacement with an inner loop [deflections].
inline constexpr std::array nested_strokes{2.5,   // out
                                           -5.0,  // back
                                           2.8,   // out, to the point at which the inner loop begins
                                           -1.0,  // inner loop: back
                                           1.0,   // inner loop: out, to the point at which it began
                                           2.2};  // out, to the end of the first stroke
struct InnerLoops {
    // Largest force difference over inner loops of 0.5, 1 and 2 deflections: between start and end of the inner loop,
    // and between the last stroke with and without the inner loop. 0: reversal-point memory, or no memory at all.
    double gap;
    // Force difference at the start of the inner loop: after three strokes, and after one direct stroke from z = 0.
    // 0: the force does not depend on the past.
    double history;
};
InnerLoops inner_loops(const TestedLaw& tested);

// Returns the width of the loop F(v): the largest difference of F between rising and falling speed.
// v = falling_speed (1 - 0.9 cos(omega t)), omega = 0.3/relaxation_time.
double lag_width(const TestedLaw& tested);

// Returns the largest deflection relative to its bound, minus 1; for a law without bristles, that of the force.
// Viscous friction is left out.
double bound_excess(const TestedLaw& tested);

// ---- force given --------------------------------------------------------------------------------------------------

// The force pulls a slider without mass, which cannot oscillate. A law whose rate depends on the sign of dv/dt (B05)
// needs a mass: creep and drift then simulate one with critical damping, and throw Error if that simulation fails.

// Returns the displacement under force_below_breakaway, in the second half of a long time.
double creep_displacement(const TestedLaw& tested);
// Returns the displacement in the last of six cycles of a force between a third of force_below_breakaway and all of it.
double drift_per_cycle(const TestedLaw& tested);
// Returns the largest minus the smallest breakaway force of three ramps. Their rates deflect an elastic bristle at
// 0.01, 0.1 and 1 times falling_speed. Viscous friction is left out: with it, every force is held at some speed.
double breakaway_spread(const TestedLaw& tested);

}  // namespace bristle::analysis::properties
