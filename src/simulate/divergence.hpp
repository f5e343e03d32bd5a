// Motions that grow without bound: a controlled mass whose loop is unstable while the contact slides.
//
// The level of friction bounds an oscillation near rest only. While the contact slides fast, the loop of a rig with a controller is
//   M s^3 + (ratio^2 D - kv) s^2 - kq s - kI = 0,   D: viscous friction [N s/m], mean of both directions (RigEquations)
// If Routh's conditions fail, the motion grows without bound above some amplitude; below it friction still bounds it (hunting). A run
// diverges if the loop is unstable and the speed exceeds 100 times that of an oscillation with the largest distance that the set-up itself
// gives: to the target, of the start, or of the controller's deflection at breakaway. No motion that friction bounds gets there.
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

// Returns the speed beyond which a run diverges [m/s]; infinity if the loop is stable or the rig has no controller.
double runaway_speed(const Setup& setup);

// The sentence for a run that diverges, with what to change.
std::string divergence_sentence(const Setup& setup);

}  // namespace bristle::simulation
