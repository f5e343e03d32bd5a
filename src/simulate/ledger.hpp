// Energy stores of a rig, and the closing of an energy ledger.
#pragma once
#include "simulate/names.hpp"

namespace bristle::inline simulation {

// Returns the energy in each store at an instant [J].
std::vector<std::pair<const char*, double>> stores_at(const Setup& setup, const Snapshot& at);

// Fills in the stores and the scale: the sum of the magnitudes of all terms and max_stored, the largest stored energy [J]
// (energy that oscillates between stores is not in the other terms, but it bounds the rounding of the residual).
void close_ledger(Energy& energy, const Setup& setup, const Snapshot& first, const Snapshot& last, double max_stored);

// True if the residual is at most 100 rtol of the scale: larger ones refute the run.
bool closes(const Energy& energy, double rtol);

}  // namespace bristle::simulation
