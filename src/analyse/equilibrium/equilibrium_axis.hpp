// A parameter's window as the walk sees it: 0 to 1, even in the logarithm where the window is positive and spans more than a decade.
#pragma once
#include <algorithm>
#include <cmath>

namespace bristle::inline analysis {

struct Axis {
    double from, to;
    bool logarithmic() const { return from > 0 && to > 10 * from; }
    // At the ends of the window exactly, and never outside it: what lies beyond may not be a set-up at all.
    double value(double share) const {
        if (share <= 0) return from;
        if (share >= 1) return to;
        const double inside = logarithmic() ? from * std::pow(to / from, share) : from + share * (to - from);
        return std::clamp(inside, from, to);
    }
    double share(double value) const {
        return logarithmic() ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    }
    bool holds(double value) const { return value >= from && value <= to; }
};

}  // namespace bristle::inline analysis
