// A set-up that depends on one parameter or on two: what continuation and maps walk along. Any number of an experiment file can be the
// parameter; whoever calls makes the set-up for each value (and throws Error for a value that breaks a rule).
#pragma once
#include <bristle/simulate/setup.hpp>

#include <functional>

namespace bristle::inline analysis {

// Of a parameter, in its unit.
struct Window {
    double from, to;
};

using Family = std::function<Setup(double)>;
using Family2 = std::function<Setup(double, double)>;

}  // namespace bristle::inline analysis
