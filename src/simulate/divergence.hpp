// Motions that grow without bound: a controlled mass whose loop is unstable while the contact slides.
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

// The level of friction bounds an oscillation only near rest. While the contact slides fast, the loop of a rig with a controller is
//   M s^3 + (ratio^2 D - kv) s^2 - kq s - kI,   D: viscous friction [N s/m] (RigEquations)
// and the motion can grow without bound only if Routh's conditions fail. It does if the largest speed of each of the last three quarters
// of the run is at least 1.5 times that of the quarter before, or if it exceeds the runaway speed.

// True if Routh's conditions hold, or if the rig has no controller.
bool sliding_loop_is_stable(const Setup& setup);

// Returns the speed at which a run ends because its motion grows: 1e4 times that of an oscillation with the distance to the target, the start
// or the deflection of the controller at breakaway [m/s]; infinity if the loop is stable.
double runaway_speed(const Setup& setup);

// True if the recorded motion grows without bound.
bool diverges(const Setup& setup, const Result& result);

// The sentence for a run that diverges, with what to change.
std::string divergence_sentence(const Setup& setup);

}  // namespace bristle::simulation
