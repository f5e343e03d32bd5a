// Derivatives of a signal on an even time grid.
#pragma once
#include <vector>

namespace bristle::inline identification {

// By five points, exact for polynomials up to degree 4; by fewer at the ends.
std::vector<double> differentiated(const std::vector<double>& x, double dt);
std::vector<double> differentiated_twice(const std::vector<double>& x, double dt);

}  // namespace bristle::identification
