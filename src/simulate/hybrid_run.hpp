// A run with the method hybrid.
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

// Simulates a set-up by the closed form, whatever Run::method is. Throws Error if hybrid_of(setup) does.
Result simulate_hybrid(const Setup& setup, const Progress& progress);

}  // namespace bristle::simulation
