// Dual number of a pass: a value and pass_width derivatives, in pairs that fill vector registers.
//
// The same numbers as Dual<double, pass_width> of the core, which keeps its derivatives in an array: compilers leave arrays in memory, and
// a pass over LuGre takes twice the time. A scalar of its own, and not a specialisation of Dual, because users may have the generic one.
#pragma once
#include <bristle/relaxation.hpp>

namespace bristle::inline identification {

// Derivatives computed in one pass along the motion.
inline constexpr std::size_t pass_width = 10;
// Numbers per sample of a pass: the value, then the derivatives.
inline constexpr std::size_t pass_row_width = 1 + pass_width;

struct PassScalar {
    struct Derivatives {
        using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;  // one register of SSE2, NEON or WebAssembly
        static constexpr std::size_t pairs = pass_width / 2;
        Pair pair[pairs]{};
        template <std::integral I>
        double& operator[](I i) noexcept {
            return reinterpret_cast<double*>(pair)[i];
        }
        double operator[](std::size_t i) const noexcept { return pair[i / 2][i % 2]; }
    };
    double v{};
    Derivatives d{};

    constexpr PassScalar() = default;
    template <class A>
        requires(std::is_arithmetic_v<A>)
    constexpr PassScalar(A value) noexcept : v(static_cast<double>(value)) {}

    // Returns f(x) with f(x.v) = value and f'(x.v) = slope (chain rule).
    static PassScalar chain(double value, double slope, const PassScalar& x) noexcept {
        return make(value, [&](std::size_t i) { return slope * x.d.pair[i]; });
    }

    friend PassScalar operator-(const PassScalar& a) noexcept { return chain(-a.v, -1, a); }
    friend PassScalar operator+(const PassScalar& a, const PassScalar& b) noexcept {
        return make(a.v + b.v, [&](std::size_t i) { return a.d.pair[i] + b.d.pair[i]; });
    }
    friend PassScalar operator-(const PassScalar& a, const PassScalar& b) noexcept {
        return make(a.v - b.v, [&](std::size_t i) { return a.d.pair[i] - b.d.pair[i]; });
    }
    friend PassScalar operator*(const PassScalar& a, const PassScalar& b) noexcept {
        return make(a.v * b.v, [&](std::size_t i) { return a.d.pair[i] * b.v + a.v * b.d.pair[i]; });
    }
    friend PassScalar operator/(const PassScalar& a, const PassScalar& b) noexcept {
        const double inverse = 1 / b.v, quotient = a.v / b.v;
        return make(quotient, [&](std::size_t i) { return (a.d.pair[i] - quotient * b.d.pair[i]) * inverse; });
    }
    friend PassScalar operator+(const PassScalar& a, double b) noexcept { return with_value(a.v + b, a); }
    friend PassScalar operator+(double a, const PassScalar& b) noexcept { return with_value(a + b.v, b); }
    friend PassScalar operator-(const PassScalar& a, double b) noexcept { return with_value(a.v - b, a); }
    friend PassScalar operator-(double a, const PassScalar& b) noexcept { return chain(a - b.v, -1, b); }
    friend PassScalar operator*(const PassScalar& a, double b) noexcept { return chain(a.v * b, b, a); }
    friend PassScalar operator*(double a, const PassScalar& b) noexcept { return chain(a * b.v, a, b); }
    friend PassScalar operator/(const PassScalar& a, double b) noexcept { return chain(a.v / b, 1 / b, a); }
    friend PassScalar operator/(double a, const PassScalar& b) noexcept {
        const double quotient = a / b.v;
        return chain(quotient, -quotient / b.v, b);
    }
    PassScalar& operator+=(const PassScalar& b) noexcept { return *this = *this + b; }
    PassScalar& operator-=(const PassScalar& b) noexcept { return *this = *this - b; }
    PassScalar& operator*=(const PassScalar& b) noexcept { return *this = *this * b; }

    // Comparisons use the values only.
    friend constexpr bool operator<(const PassScalar& a, const PassScalar& b) noexcept { return a.v < b.v; }
    friend constexpr bool operator>(const PassScalar& a, const PassScalar& b) noexcept { return a.v > b.v; }
    friend constexpr bool operator<=(const PassScalar& a, const PassScalar& b) noexcept { return a.v <= b.v; }
    friend constexpr bool operator>=(const PassScalar& a, const PassScalar& b) noexcept { return a.v >= b.v; }
    friend constexpr bool operator==(const PassScalar& a, const PassScalar& b) noexcept { return a.v == b.v; }

    friend PassScalar exp(const PassScalar& x) noexcept {
        const double e = std::exp(x.v);
        return chain(e, e, x);
    }
    friend PassScalar log(const PassScalar& x) noexcept { return chain(std::log(x.v), 1 / x.v, x); }
    friend PassScalar tanh(const PassScalar& x) noexcept {
        const double t = std::tanh(x.v);
        return chain(t, (1 - t) * (1 + t), x);
    }
    friend PassScalar sin(const PassScalar& x) noexcept { return chain(std::sin(x.v), std::cos(x.v), x); }
    friend PassScalar cos(const PassScalar& x) noexcept { return chain(std::cos(x.v), -std::sin(x.v), x); }
    friend PassScalar sqrt(const PassScalar& x) noexcept {
        const double s = std::sqrt(x.v);
        return chain(s, 0.5 / s, x);
    }
    // For x >= 0. The slope at x = 0 is 0, as in Dual.
    friend PassScalar pow(const PassScalar& x, const PassScalar& y) noexcept {
        const PassScalar by_x = pow(x, y.v);
        return x.v == 0 ? by_x : by_x + chain(0, by_x.v * std::log(x.v), y);
    }
    friend PassScalar pow(const PassScalar& x, double y) noexcept {
        const double p = std::pow(x.v, y);
        return chain(p, x.v == 0 ? 0 : y * p / x.v, x);
    }
    friend PassScalar abs(const PassScalar& x) noexcept { return x.v < 0 ? -x : with_value(bristle::abs(x.v), x); }
    friend constexpr bool isfinite(const PassScalar& x) noexcept { return bristle::isfinite(x.v); }
    friend constexpr double value(const PassScalar& x) noexcept { return x.v; }
    friend bool fixed_at(const PassScalar& x, const PassScalar& c) noexcept {
        bool fixed = x.v == c.v;
        for (std::size_t i = 0; i < pass_width; ++i) fixed = fixed && x.d[i] == 0;
        return fixed;
    }

    // With derivatives from the weights themselves, as for Dual.
    friend Relaxation<PassScalar> relax(const PassScalar& x) noexcept {
        const Relaxation<double> r = bristle::relax(x.v);
        const double slope = (x.v > 0 ? r.one_minus_phi / x.v : 0.5) - r.phi;
        return {x, chain(r.decay, -r.decay, x), chain(r.gain, r.decay, x), chain(r.phi, slope, x),
                chain(r.one_minus_phi, -slope, x)};
    }

  private:
    // A number with the derivatives pair_at(0), pair_at(1), ... The loop is unrolled, so that they can stay in registers.
    template <class Pairs>
    [[gnu::always_inline]] static PassScalar make(double value, const Pairs& pair_at) noexcept {
        PassScalar y(value);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < Derivatives::pairs; ++i) y.d.pair[i] = pair_at(i);
        return y;
    }
    static PassScalar with_value(double value, const PassScalar& x) noexcept {
        PassScalar y = x;
        y.v = value;
        return y;
    }
};

}  // namespace bristle::identification

namespace bristle {

template <>
inline constexpr int dual_depth<PassScalar> = 1;

}  // namespace bristle
