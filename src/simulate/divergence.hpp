// Motions that grow without bound: a controlled mass whose loop is unstable while the contact slides.
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

// Returns the sentence for a run whose motion grows without bound; empty if it does not.
// The level of friction bounds an oscillation only near rest. While the contact slides fast, the loop of a rig with a controller is
//   M s^3 + (ratio^2 D - kv) s^2 - kq s - kI,   D: viscous friction [N s/m] (RigEquations)
// and the motion can grow without bound only if Routh's conditions fail. It does if the largest speed of each of the last three quarters
// of the run is at least 1.5 times that of the quarter before.
std::string divergence(const Setup& setup, const Result& result);

}  // namespace bristle::simulation
