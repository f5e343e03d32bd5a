// Viscous friction f(v) of a law by its equations, whatever its parameters are called (sigma2, g6, ...).
//
// Limits: all numbers of the law are set. f(v)/v is taken at 1 m/s; a caller that needs f to be linear checks it.
#pragma once
#include <cmath>

namespace bristle::inline analysis {

// Returns f(v)/v [N s/m] at v = direction * 1 m/s; direction is 1 or -1.
template <class Law>
double viscous_slope(const Law& law, double direction) {
    return law.viscous(direction) / direction;
}

// True if f depends on x, a number of this law. x has its value again on return.
template <class Law>
bool is_viscous(Law& law, double& x) {
    const double own = x, ahead = viscous_slope(law, 1), back = viscous_slope(law, -1);
    x = own + 1 + std::abs(own);
    const bool changes = viscous_slope(law, 1) != ahead || viscous_slope(law, -1) != back;
    x = own;
    return changes;
}

}  // namespace bristle::analysis
