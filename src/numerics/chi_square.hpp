// Tail of the chi-square distribution.
#pragma once

namespace bristle::numerics {

// Regularised upper incomplete gamma function Q(a, x) = Gamma(a, x)/Gamma(a), between 0 and 1. NaN unless a > 0 and x >= 0. Relative error
// below 1e-12 for a <= 100 (ChiSquare.TailEqualsTheValuesOfMpmath).
double upper_gamma(double a, double x);

// Probability that a chi-square variable with that many degrees of freedom exceeds x. NaN unless degrees > 0 and x >= 0.
double chi_square_tail(double x, double degrees);

}  // namespace bristle::numerics
