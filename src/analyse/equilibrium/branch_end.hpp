// The end of a numerical continuation as the public BranchEnd.
#pragma once
#include <bristle/analyse/family.hpp>

#include "numerics/arclength.hpp"

namespace bristle::inline analysis::equilibrium {

// end: not ContinuationEnd::not_walked.
BranchEnd branch_end(numerics::ContinuationEnd end);

}  // namespace bristle::inline analysis::equilibrium
