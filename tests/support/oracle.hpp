// Tools of the oracles: plain numbers in long double, distances in units of rounding, and a Runge-Kutta solver.
#pragma once
#include "sets.hpp"
#include <algorithm>
#include <cstring>

namespace bristle::test {

using wide = long double;

// Returns the number without derivatives, of any scalar.
template <class T>
wide num(const T& x) {
    return static_cast<wide>(value(x));
}
template <class T>
wide eps() {
    return static_cast<wide>(epsilon<T>);
}

// Returns |a - b| in units of rounding of T at b.
template <class T>
wide rounding(wide a, wide b) {
    return a == b ? 0 : std::fabs(a - b) / (eps<T>() * std::fabs(b));
}

template <class S>
bool same_bytes(const S& a, const S& b) {
    return std::memcmp(&a, &b, sizeof(S)) == 0;
}

inline wide sgn(wide x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

inline bool chance(Random& random, double p) { return random.uniform(0, 1) < p; }

// Classical Runge-Kutta for y' = f(t, y) in n equal steps: the oracle where no closed form exists.
template <class F>
wide runge_kutta(const F& f, wide y, wide from, wide to, int n) {
    const wide h = (to - from) / n;
    for (int i = 0; i < n; ++i) {
        const wide t = from + i * h;
        const wide a = f(t, y), b = f(t + h / 2, y + h / 2 * a), c = f(t + h / 2, y + h / 2 * b),
                   d = f(t + h, y + h * c);
        y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y;
}

}  // namespace bristle::test
