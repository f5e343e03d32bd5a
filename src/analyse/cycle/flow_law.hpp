// flow_of() for one law. Instantiated in one generated .cpp for each law of the catalogue.
#pragma once
#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis::cycle {

// setup.law holds a Law; inputs are constant.
template <class Law>
std::unique_ptr<Flow> flow_for(const Setup& setup, double tolerance, const std::vector<SetupDifference>& differences);

}  // namespace bristle::analysis::cycle
