// Scalar functions that a friction law may call, and the dual number for derivatives.
//
// A law is one template over its scalar: double, float or Dual<T, N>. It therefore calls the functions below,
// unqualified, and writes every case distinction as select (computes both sides) or choose (computes one side
// if the mask is a plain bool). A new scalar type overloads these names in its own namespace.
//
// At a kink the derivative is the one from above: d|x|/dx = +1 at 0, as the linearisation in stick A08 (13) takes it.
// Second derivatives: nest Dual.
#pragma once
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace bristle {

// ---- plain floating point ------------------------------------------------------------------------------------------

template <class T>
concept Real = std::floating_point<T>;

template <Real T>
T exp(T x) noexcept {
    return std::exp(x);
}
template <Real T>
T log(T x) noexcept {
    return std::log(x);
}
template <Real T>
T tanh(T x) noexcept {
    return std::tanh(x);
}
template <Real T>
T sin(T x) noexcept {
    return std::sin(x);
}
template <Real T>
T cos(T x) noexcept {
    return std::cos(x);
}
template <Real T>
T sqrt(T x) noexcept {
    return std::sqrt(x);
}
template <Real T>
T pow(T x, T y) noexcept {
    return std::pow(x, y);
}
template <Real T>
constexpr T abs(T x) noexcept {
    return x < 0 ? -x : (x == 0 ? T(0) : x);
}
template <Real T>
constexpr bool isfinite(T x) noexcept {
    return x - x == 0;
}
// True if x equals c and has no derivatives. A shortcut for special values must keep derivatives.
template <Real T>
constexpr bool fixed_at(T x, T c) noexcept {
    return x == c;
}
// Returns x without its derivatives.
template <Real T>
constexpr T value(T x) noexcept {
    return x;
}

// ---- case distinctions ---------------------------------------------------------------------------------------------

template <class T>
constexpr T select(bool mask, const T& yes, const T& no) noexcept {
    return mask ? yes : no;
}
template <class Yes, class No>
constexpr auto choose(bool mask, Yes&& yes, No&& no) noexcept {
    return mask ? yes() : no();
}
template <class T>
constexpr T smaller(const T& a, const T& b) noexcept {
    return select(b < a, b, a);
}
template <class T>
constexpr T larger(const T& a, const T& b) noexcept {
    return select(a < b, b, a);
}
// Returns +1 for x >= 0 and -1 for x < 0: the convention of this library for the side of v.
template <class T>
constexpr T side(const T& x) noexcept {
    return select(x < T(0), T(-1), T(1));
}
// Returns -1, 0 or +1.
template <class T>
constexpr T sign0(const T& x) noexcept {
    return select(x < T(0), T(-1), select(x > T(0), T(1), T(0)));
}

// ---- dual numbers --------------------------------------------------------------------------------------------------

// Dual number: value + sum_i d[i] e_i with e_i e_j = 0, for forward differentiation in N directions.
template <class T, std::size_t N>
struct Dual {
    T v{};     // value
    T d[N]{};  // derivatives

    constexpr Dual() = default;
    constexpr Dual(T value) noexcept : v(value) {}
    template <class A>
        requires(std::is_arithmetic_v<A> && !std::same_as<A, T>)
    constexpr explicit(!std::is_arithmetic_v<T>) Dual(A value) noexcept : v(static_cast<T>(value)) {}

    // Returns the i-th independent variable.
    static constexpr Dual variable(T value, std::size_t i = 0) noexcept {
        Dual x(value);
        x.d[i] = T(1);
        return x;
    }
    // Returns f(x) with f(x.v) = value and f'(x.v) = slope (chain rule).
    static constexpr Dual chain(T value, T slope, const Dual& x) noexcept {
        Dual y(value);
        for (std::size_t i = 0; i < N; ++i) y.d[i] = slope * x.d[i];
        return y;
    }

    friend constexpr Dual operator-(const Dual& a) noexcept { return chain(-a.v, T(-1), a); }
    friend constexpr Dual operator+(const Dual& a, const Dual& b) noexcept {
        Dual y(a.v + b.v);
        for (std::size_t i = 0; i < N; ++i) y.d[i] = a.d[i] + b.d[i];
        return y;
    }
    friend constexpr Dual operator-(const Dual& a, const Dual& b) noexcept {
        Dual y(a.v - b.v);
        for (std::size_t i = 0; i < N; ++i) y.d[i] = a.d[i] - b.d[i];
        return y;
    }
    // Always inline: as a call its operands pass through memory, 2 % of the instructions of a limit cycle.
    [[gnu::always_inline]] friend constexpr Dual operator*(const Dual& a, const Dual& b) noexcept {
        Dual y(a.v * b.v);
        for (std::size_t i = 0; i < N; ++i) y.d[i] = a.d[i] * b.v + a.v * b.d[i];
        return y;
    }
    friend constexpr Dual operator/(const Dual& a, const Dual& b) noexcept {
        const T inverse = T(1) / b.v;
        Dual y(a.v / b.v);
        for (std::size_t i = 0; i < N; ++i) y.d[i] = (a.d[i] - y.v * b.d[i]) * inverse;
        return y;
    }
    friend constexpr Dual operator+(const Dual& a, const T& b) noexcept { return chain(a.v + b, T(1), a); }
    friend constexpr Dual operator+(const T& a, const Dual& b) noexcept { return chain(a + b.v, T(1), b); }
    friend constexpr Dual operator-(const Dual& a, const T& b) noexcept { return chain(a.v - b, T(1), a); }
    friend constexpr Dual operator-(const T& a, const Dual& b) noexcept { return chain(a - b.v, T(-1), b); }
    friend constexpr Dual operator*(const Dual& a, const T& b) noexcept { return chain(a.v * b, b, a); }
    friend constexpr Dual operator*(const T& a, const Dual& b) noexcept { return chain(a * b.v, a, b); }
    friend constexpr Dual operator/(const Dual& a, const T& b) noexcept { return chain(a.v / b, T(1) / b, a); }
    friend constexpr Dual operator/(const T& a, const Dual& b) noexcept {
        const T quotient = a / b.v;
        return chain(quotient, -quotient / b.v, b);
    }
    constexpr Dual& operator+=(const Dual& b) noexcept { return *this = *this + b; }
    constexpr Dual& operator-=(const Dual& b) noexcept { return *this = *this - b; }
    constexpr Dual& operator*=(const Dual& b) noexcept { return *this = *this * b; }

    // Comparisons use the values only.
    friend constexpr auto operator<(const Dual& a, const Dual& b) noexcept { return a.v < b.v; }
    friend constexpr auto operator>(const Dual& a, const Dual& b) noexcept { return a.v > b.v; }
    friend constexpr auto operator<=(const Dual& a, const Dual& b) noexcept { return a.v <= b.v; }
    friend constexpr auto operator>=(const Dual& a, const Dual& b) noexcept { return a.v >= b.v; }
    friend constexpr auto operator==(const Dual& a, const Dual& b) noexcept { return a.v == b.v; }

    friend Dual exp(const Dual& x) noexcept {
        const T e = exp(x.v);
        return chain(e, e, x);
    }
    friend Dual log(const Dual& x) noexcept { return chain(log(x.v), T(1) / x.v, x); }
    friend Dual tanh(const Dual& x) noexcept {
        const T t = tanh(x.v);
        return chain(t, (T(1) - t) * (T(1) + t), x);
    }
    friend Dual sin(const Dual& x) noexcept { return chain(sin(x.v), cos(x.v), x); }
    friend Dual cos(const Dual& x) noexcept { return chain(cos(x.v), -sin(x.v), x); }
    friend Dual sqrt(const Dual& x) noexcept {
        const T s = sqrt(x.v);
        return chain(s, T(0.5) / s, x);
    }
    // Valid for x >= 0. The slope at x = 0 is set to 0: in the laws it is multiplied by a factor that vanishes there.
    friend Dual pow(const Dual& x, const Dual& y) noexcept {
        const T p = pow(x.v, y.v);
        const bool zero = x.v == T(0);
        const T by_x = select(zero, T(0), y.v * p / select(zero, T(1), x.v));
        const T by_y = select(zero, T(0), p * log(select(zero, T(1), x.v)));
        return chain(p, by_x, x) + chain(T(0), by_y, y);
    }
    friend Dual pow(const Dual& x, const T& y) noexcept {
        const T p = pow(x.v, y);
        const bool zero = x.v == T(0);
        return chain(p, select(zero, T(0), y * p / select(zero, T(1), x.v)), x);
    }
    friend constexpr Dual abs(const Dual& x) noexcept { return chain(abs(x.v), side(x.v), x); }
    friend constexpr bool isfinite(const Dual& x) noexcept { return isfinite(x.v); }
    friend constexpr auto value(const Dual& x) noexcept { return value(x.v); }
    friend constexpr bool fixed_at(const Dual& x, const Dual& c) noexcept {
        bool fixed = fixed_at(x.v, c.v);
        for (std::size_t i = 0; i < N; ++i) fixed = fixed && fixed_at(x.d[i], T(0));
        return fixed;
    }
};

// The floating-point type of a scalar without its derivatives.
template <class T>
using plain = decltype(value(T{}));

// Number of nested dual numbers in a scalar: 0 for double, 1 for Dual<double, N>.
template <class T>
inline constexpr int dual_depth = 0;
template <class T, std::size_t N>
inline constexpr int dual_depth<Dual<T, N>> = 1 + dual_depth<T>;

template <class T>
inline constexpr plain<T> epsilon = std::numeric_limits<plain<T>>::epsilon();

// Value of a parameter that was not set: NaN, which violates every bound.
template <class T>
constexpr T unset() noexcept {
    return T(std::numeric_limits<plain<T>>::quiet_NaN());
}

// ---- two quotients that are exact at zero --------------------------------------------------------------------------

// Returns tanh(y)/y for t = tanh(y).
template <class S>
S tanhc(const S& y, const S& t) noexcept {
    const S q = y * y;
    return choose(
        abs(y) < S(0.05),
        [&] {
            return S(1) + q * (S(-1. / 3) +
                               q * (S(2. / 15) + q * (S(-17. / 315) + q * (S(62. / 2835) + q * S(-1382. / 155925)))));
        },
        [&] { return t / y; });
}

// Returns y/tanh(y) for t = tanh(y).
template <class S>
S y_over_tanh(const S& y, const S& t) noexcept {
    const S q = y * y;
    return choose(
        abs(y) < S(0.1),
        [&] {
            return S(1) +
                   q * (S(1. / 3) + q * (S(-1. / 45) + q * (S(2. / 945) + q * (S(-1. / 4725) + q * S(2. / 93555)))));
        },
        [&] { return y / t; });
}

}  // namespace bristle
