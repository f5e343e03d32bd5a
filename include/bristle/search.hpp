// Searches in one variable: bisection, golden section, and a maximum by a logarithmic scan with a golden section around
// the best point. For set-up (peaks of curves, step limits), not for use inside a step. A narrow peak is found only if
// one of the scan points (24 per decade) lies on its flank.
#pragma once
#include <bristle/scalar.hpp>

namespace bristle::detail {

template <class T>
constexpr T midpoint(T a, T b) noexcept {
    return T(0.5) * (a + b);
}

// Bisection: moves `holds` and `fails` towards the place where a condition changes, while more() is true and `middle`
// returns a number between both. `holds` may be the larger one. more and condition may read both.
// condition(holds) must be true and condition(fails) false; neither is evaluated.
template <class T, class More, class Condition, class Middle>
constexpr void narrow(T& holds, T& fails, const More& more, const Condition& condition, const Middle& middle) {
    while (more()) {
        const T at = middle(holds, fails);
        if (!((holds < at && at < fails) || (fails < at && at < holds))) break;
        (condition(at) ? holds : fails) = at;
    }
}
template <class T, class More, class Condition>
constexpr void narrow(T& holds, T& fails, const More& more, const Condition& condition) {
    narrow(holds, fails, more, condition, midpoint<T>);
}

template <class T>
struct Extremum {
    T at, value;
};

// Golden section: narrows a..b around a maximum of f while more() is true, with one evaluation each after the first two.
// Returns the higher of the last two points.
template <class T, class More, class F>
Extremum<T> golden_section(T a, T b, const More& more, const F& f) {
    const T golden = T(0.6180339887498949);
    Extremum<T> low{b - golden * (b - a), T(0)}, high{a + golden * (b - a), T(0)};
    low.value = f(low.at);
    high.value = f(high.at);
    while (low.at < high.at && more()) {
        if (low.value > high.value) {
            b = high.at;
            high = low;
            low.at = b - golden * (b - a);
            low.value = f(low.at);
        } else {
            a = low.at;
            low = high;
            high.at = a + golden * (b - a);
            high.value = f(high.at);
        }
    }
    return low.value > high.value ? low : high;
}
// The same, narrowed at most `steps` times.
template <class T, class F>
Extremum<T> golden_section(T a, T b, int steps, const F& f) {
    return golden_section(
        a, b, [&] { return steps-- > 0; }, f);
}

// Returns the largest value of f found for from <= x < to, and its place. Returns f(from) unless 0 < from < to.
template <class T, class F>
Extremum<T> maximum(const F& f, T from, T to) noexcept {
    const T ratio = exp(log(T(10)) / T(24));
    Extremum<T> best{from, f(from)};
    if (!(from > T(0) && to > from)) return best;
    for (T x = from; x < to; x = x * ratio)
        if (const T y = f(x); y > best.value) best = {x, y};
    const auto keep_best = [&](const T& x) {
        const T y = f(x);
        if (y > best.value) best = {x, y};
        return y;
    };
    golden_section(larger(from, best.at / ratio), smaller(to, best.at * ratio), 60, keep_best);
    return best;
}

}  // namespace bristle::detail
