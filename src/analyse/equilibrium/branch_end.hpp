// Continuation as public types: its end, and the start value of a keyed parameter.
#pragma once
#include <bristle/analyse/family.hpp>

#include "numerics/arclength.hpp"

namespace bristle::inline analysis::equilibrium {

// end: not ContinuationEnd::not_walked.
BranchEnd branch_end(numerics::ContinuationEnd end);

// Returns the number at a key. Throws Error if the set-up has none there.
double present_value(const Setup& setup, std::string_view key);

}  // namespace bristle::analysis::equilibrium
