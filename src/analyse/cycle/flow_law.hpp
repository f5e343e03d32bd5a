// flow_of() for one law. Instantiated once per law in the .cpp files of flows/.
#pragma once
#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis {

// setup.law holds a Law, and the inputs are constant.
template <class Law>
std::unique_ptr<Flow> flow_for(const Setup& setup, double tolerance, const std::vector<Beside>& beside);

}  // namespace bristle::inline analysis
