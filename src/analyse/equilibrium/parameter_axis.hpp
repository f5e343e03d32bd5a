// Scaled parameter of a continuation: the window as the interval 0 to 1, even in the logarithm if the window is positive
// and spans more than a decade.
#pragma once
#include <algorithm>
#include <cmath>

namespace bristle::inline analysis::equilibrium {

struct ParameterAxis {
    double from, to;
    bool logarithmic() const { return from > 0 && to > 10 * from; }
    // Exactly from at 0 and to at 1, and never outside the window, where the set-up can break a rule.
    double value(double fraction) const {
        if (fraction <= 0) return from;
        if (fraction >= 1) return to;
        const double inside = logarithmic() ? from * std::pow(to / from, fraction) : from + fraction * (to - from);
        return std::clamp(inside, from, to);
    }
    double fraction(double value) const {
        return logarithmic() ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    }
    bool contains(double value) const { return value >= from && value <= to; }
};

}  // namespace bristle::analysis::equilibrium
