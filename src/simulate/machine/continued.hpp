// Continuation of a machine from the end of a run of the same parts, whose numbers may differ.
#pragma once
#include <bristle/simulate/machine.hpp>

namespace bristle::inline simulation {

// Returns the machine with the states of `final` (Measures::final) as its start, and with its own inputs from t = elapsed [s] on. Throws
// Error for a move that has not ended by then.
Machine continued_from(const Machine& machine, const std::map<std::string, double>& final, double elapsed);

}  // namespace bristle::simulation
