// The rig `hybrid` as a run: the phases of its closed form handed to the recorder.
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

// The law must be Coulomb's. The method is not asked: there is nothing to integrate.
Result simulate_hybrid(const Setup& setup, const Progress& progress);

}  // namespace bristle::inline simulation
