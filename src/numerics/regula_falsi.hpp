// Regula falsi with halving (Illinois): the next place at which to look for a zero between two signs.
//
//   RegulaFalsi zero{low, high, f(low), f(high)};       f(low) and f(high) have opposite signs
//   const double s = zero.next();  zero.take(s, f(s));  repeated until |high - low| or |f(s)| is small enough
//
// The caller owns the loop, because an evaluation may fail (continuation) or be the end of a step (integration).
#pragma once
#include <bristle/search.hpp>

namespace bristle::numerics {

struct RegulaFalsi {
    double low, high;        // low < high
    double at_low, at_high;  // values there; one that stays is halved
    int last = 0;            // the end that the last value replaced: -1 low, 1 high, 0 none yet

    double middle() const { return bristle::detail::midpoint(low, high); }
    // The zero of the line through both values, or the middle if rounding puts the zero outside.
    double next() const {
        const double s = (low * at_high - high * at_low) / (at_high - at_low);
        return s > low && s < high ? s : middle();
    }
    void take(double s, double value) {
        if ((value > 0) == (at_low > 0)) {
            low = s;
            at_low = value;
            if (last < 0) at_high *= 0.5;
            last = -1;
        } else {
            high = s;
            at_high = value;
            if (last > 0) at_low *= 0.5;
            last = 1;
        }
    }
};

}  // namespace bristle::numerics
