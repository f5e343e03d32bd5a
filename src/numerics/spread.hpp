// Numbers from one end of a range to the other.
#pragma once
#include <cmath>
#include <vector>

namespace bristle::numerics {

enum class Spacing { equal, by_factors };  // by_factors: even in the logarithm; both ends have the same sign

// The number at a fraction of the way, exact at both ends.
inline double number_between(double from, double to, double fraction, Spacing spacing) {
    if (fraction == 1) return to;
    return spacing == Spacing::by_factors ? from * std::pow(to / from, fraction) : from + (to - from) * fraction;
}

// n numbers from end to end; the middle if n is 1.
inline std::vector<double> spread(double from, double to, int n, Spacing spacing) {
    std::vector<double> out;
    for (int i = 0; i < n; ++i) out.push_back(number_between(from, to, n > 1 ? double(i) / (n - 1) : 0.5, spacing));
    return out;
}

}  // namespace bristle::numerics
