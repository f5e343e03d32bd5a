// Maximum of a function of one positive variable: logarithmic scan, then golden-section search around the best point.
// For set-up (peaks of curves, step limits), not for use inside a step. A narrow peak is found only if one of the scan
// points (24 per decade) lies on its flank.
#pragma once
#include <bristle/scalar.hpp>

namespace bristle::detail {

template <class T>
struct Extremum {
    T at, value;
};

// Returns the largest value of f found for from <= x < to, and its place. Returns f(from) unless 0 < from < to.
template <class T, class F>
Extremum<T> maximum(const F& f, T from, T to) noexcept {
    const T ratio = exp(log(T(10)) / T(24));
    Extremum<T> best{from, f(from)};
    if (!(from > T(0) && to > from)) return best;
    for (T x = from; x < to; x = x * ratio)
        if (const T y = f(x); y > best.value) best = {x, y};
    T a = larger(from, best.at / ratio), b = smaller(to, best.at * ratio);
    const T golden = T(0.6180339887498949);
    for (int i = 0; i < 60; ++i) {
        const T c = b - golden * (b - a), d = a + golden * (b - a);
        const T at_c = f(c), at_d = f(d);
        if (at_c > best.value) best = {c, at_c};
        if (at_d > best.value) best = {d, at_d};
        if (at_c > at_d)
            b = d;
        else
            a = c;
    }
    return best;
}

}  // namespace bristle::detail
