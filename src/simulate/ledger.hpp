// The stores of a rig, and the closing of an energy ledger.
#pragma once
#include "simulate/names.hpp"

namespace bristle::inline simulation {

// What lies in each store at an instant.
std::vector<std::pair<const char*, double>> stores_at(const Setup& setup, const Snapshot& at);

// Fills in the stores and the scale: the sizes of all terms, and the most that was stored at any time (energy that only swings
// to and fro is not in the sums, but it bounds what the residual can be).
void close_books(Energy& energy, const Setup& setup, const Snapshot& first, const Snapshot& last, double max_stored);

}  // namespace bristle::inline simulation
