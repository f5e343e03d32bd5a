// Interval arithmetic for proofs by computation: [lo, hi] contains every value of an expression.
//
// Directed rounding by widening: +, -, *, / and sqrt are correctly rounded, so the neighbour (nextafter) bounds the true value.
// exp, pow, sin and tanh are not; they are widened by the error that the manual of glibc 2.36 states for x86-64 ("Errors in Math
// Functions": exp, pow and sin 1 ulp, tanh 2 ulp) plus one unit, because the ulp may double within the error.
// Ends may be infinite: an unlimited speed is [v, infinity]. 0 times infinity is 0, as the bounds of products require.
// Limits: round to nearest must be on; pow and sqrt take arguments >= 0, sin takes [0, pi/2].
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::numerics {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The neighbour n steps away. For an overflow to infinity, down() returns the largest finite number.
inline double down(double x, int n = 1) {
    for (; n > 0; --n) x = std::nextafter(x, -infinity);
    return x;
}
inline double up(double x, int n = 1) {
    for (; n > 0; --n) x = std::nextafter(x, infinity);
    return x;
}

struct Interval {
    double lo = 0, hi = 0;

    constexpr Interval() = default;
    constexpr Interval(double x) : lo(x), hi(x) {}
    constexpr Interval(double low, double high) : lo(low), hi(high) {}

    constexpr bool contains(double x) const { return lo <= x && x <= hi; }
    // Returns a finite number inside: the geometric mean if the ends are positive and differ by more than a factor of 4.
    double middle() const {
        if (lo == hi) return lo;
        if (hi == infinity) return lo > 0 ? 16 * lo : 1;
        if (lo > 0 && hi > 4 * lo) return std::sqrt(lo) * std::sqrt(hi);
        return lo == 0 ? hi / 16 : lo + (hi - lo) / 2;
    }
};

// Sums and products of two ends, rounded outwards; exact with a 0, and times 1, so that signs and equal levels are kept.
namespace rounding {
inline double sum_down(double a, double b) { return a == 0 ? b : b == 0 ? a : down(a + b); }
inline double sum_up(double a, double b) { return a == 0 ? b : b == 0 ? a : up(a + b); }
inline double product_down(double a, double b) { return a == 0 || b == 0 ? 0 : a == 1 ? b : b == 1 ? a : down(a * b); }
inline double product_up(double a, double b) { return a == 0 || b == 0 ? 0 : a == 1 ? b : b == 1 ? a : up(a * b); }
inline double quotient(double a, double b) { return b == 0 ? (a < 0 ? -infinity : infinity) : a / b; }
}  // namespace rounding

inline Interval operator-(Interval a) { return {-a.hi, -a.lo}; }
inline Interval operator+(Interval a, Interval b) {
    return {rounding::sum_down(a.lo, b.lo), rounding::sum_up(a.hi, b.hi)};
}
inline Interval operator-(Interval a, Interval b) { return a + (-b); }
inline Interval operator*(Interval a, Interval b) {
    using namespace rounding;
    if (a.lo >= 0 && b.lo >= 0) return {std::max(0.0, product_down(a.lo, b.lo)), product_up(a.hi, b.hi)};
    return {std::min({product_down(a.lo, b.lo), product_down(a.lo, b.hi), product_down(a.hi, b.lo),
                      product_down(a.hi, b.hi)}),
            std::max({product_up(a.lo, b.lo), product_up(a.lo, b.hi), product_up(a.hi, b.lo), product_up(a.hi, b.hi)})};
}
// Unbounded on one side if the divisor has the end 0; [-infinity, infinity] if it contains 0 inside.
inline Interval operator/(Interval a, Interval b) {
    if (b.lo < 0 && b.hi > 0) return {-infinity, infinity};
    if (b.lo < 0) return (-a) / (-b);
    const double low = rounding::quotient(a.lo, a.lo < 0 ? b.lo : b.hi),
                 high = rounding::quotient(a.hi, a.hi < 0 ? b.hi : b.lo);
    return {a.lo == 0 ? 0 : a.lo > 0 ? std::max(0.0, down(low)) : down(low), a.hi == 0 ? 0 : up(high)};
}
inline Interval sqrt(Interval a) {
    return {a.lo == 0 ? 0 : down(std::sqrt(a.lo)), a.hi == 0 ? 0 : up(std::sqrt(a.hi))};
}
inline Interval exp(Interval a) { return {std::max(0.0, down(std::exp(a.lo), 2)), up(std::exp(a.hi), 2)}; }
inline Interval tanh(Interval a) {
    return {a.lo == 0 ? 0 : std::max(-1.0, down(std::tanh(a.lo), 3)),
            a.hi == 0 ? 0 : std::min(1.0, up(std::tanh(a.hi), 3))};
}
// y > 0
inline Interval pow(Interval a, double y) {
    const auto exact = [y](double x) { return x == 0 || x == 1 || y == 1; };
    return {exact(a.lo) ? a.lo : std::max(0.0, down(std::pow(a.lo, y), 2)),
            exact(a.hi) ? a.hi : up(std::pow(a.hi, y), 2)};
}
inline Interval sin(Interval a) {
    return {std::max(0.0, down(std::sin(a.lo), 2)), std::min(1.0, up(std::sin(a.hi), 2))};
}
inline Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline Interval square(Interval a) { return a * a; }

// tanh(x)/x for x >= 0: decreases from 1 at x = 0 to 0.
inline Interval tanh_over(Interval x) {
    const auto at = [](double y) {
        return y == 0 ? Interval(1) : y == infinity ? Interval(0) : tanh(Interval(y)) / Interval(y);
    };
    return {at(x.hi).lo, std::min(1.0, at(x.lo).hi)};
}

}  // namespace bristle::numerics
