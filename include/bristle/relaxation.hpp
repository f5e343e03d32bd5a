// Exact solution of dz/dt = h (target - z) over a step, as weights between 0 and 1.
//
// With x = h dt >= 0, phi(x) = (1 - e^-x)/x:
//   z(end)  = decay z + gain target            decay = e^-x,  gain = 1 - e^-x
//   mean z  = phi z + (1 - phi) target
//   x * mean z^2 = z^2 gain (1 + decay)/2 + z target gain^2 + target^2 x loss
//                                              loss = 1 - phi - gain phi/2   (x^2/3 for small x)
// Every sum is a convex combination: no digit is lost as x -> 0, and no bound is exceeded for any x. For x < 1/4
// the weights come from the series of phi2 = (1 - phi)/x, for x >= 1/4 from one exp. The largest error, just above
// x = 1/4, is 11 units of rounding in 1 - phi and 100 in loss (tests/relaxation_test.cpp).
#pragma once
#include <bristle/scalar.hpp>

namespace bristle {

template <class S>
struct Relaxation {
    S x;              // h dt                 [1]  >= 0
    S decay;          // e^-x                 weight of the start in the end value
    S gain;           // 1 - e^-x             weight of the target in the end value
    S phi;            // (1 - e^-x)/x         weight of the start in the mean
    S one_minus_phi;  // weight of the target in the mean
};

namespace detail {

// Returns sum_n (-x)^n / (n + 2)! for 0 <= x < 1/4. In pairs, so that additions overlap; 12 terms reach 1e-18.
template <class T>
T phi2_series(T x) noexcept {
    const T q = x * x, q2 = q * q;
    const T a = (T(1. / 2) - x * T(1. / 6)) + q * (T(1. / 24) - x * T(1. / 120));
    const T b = (T(1. / 720) - x * T(1. / 5040)) + q * (T(1. / 40320) - x * T(1. / 362880));
    const T c = (T(1. / 3628800) - x * T(1. / 39916800)) + q * (T(1. / 479001600) - x * T(1. / 6227020800));
    return a + q2 * (b + q2 * c);
}

// Returns loss/x^2 = sum_n (-x)^n (2^(n+2) - 2) / (n + 3)! for 0 <= x < 1/4; 14 terms reach 1e-18.
template <class T>
T loss_series(T x) noexcept {
    const T q = x * x, q2 = q * q;
    const T a = (T(2. / 6) - x * T(6. / 24)) + q * (T(14. / 120) - x * T(30. / 720));
    const T b = (T(62. / 5040) - x * T(126. / 40320)) + q * (T(254. / 362880) - x * T(510. / 3628800));
    const T c =
        (T(1022. / 39916800) - x * T(2046. / 479001600)) + q * (T(4094. / 6227020800) - x * T(8190. / 87178291200));
    const T d = T(16382. / 1307674368000) - x * T(32766. / 20922789888000);
    return a + q2 * (b + q2 * (c + q2 * d));
}

}  // namespace detail

// Returns the weights for x = h dt >= 0 [1].
template <class T>
[[gnu::always_inline]] inline Relaxation<T> relax(const T& x) noexcept {
    Relaxation<T> r;
    r.x = x;
    // Both branches fill the same four weights; a plain scalar computes one branch.
    return choose(
        x < T(0.25),
        [&] {
            r.one_minus_phi = x * detail::phi2_series(x);
            r.phi = T(1) - r.one_minus_phi;
            r.gain = x * r.phi;
            r.decay = T(1) - r.gain;
            return r;
        },
        [&] {
            r.decay = exp(-x);
            r.gain = T(1) - r.decay;
            r.phi = r.gain / x;
            r.one_minus_phi = T(1) - r.phi;
            return r;
        });
}

// With derivatives: d decay = -decay dx,  d phi = ((1 - phi)/x - phi) dx, from the weights themselves.
template <class T, std::size_t N>
[[gnu::always_inline]] inline Relaxation<Dual<T, N>> relax(const Dual<T, N>& x) noexcept {
    using D = Dual<T, N>;
    const Relaxation<T> r = relax(x.v);
    const T slope = (x.v > T(0) ? r.one_minus_phi / x.v : T(0.5)) - r.phi;
    return {x, D::chain(r.decay, -r.decay, x), D::chain(r.gain, r.decay, x), D::chain(r.phi, slope, x),
            D::chain(r.one_minus_phi, -slope, x)};
}

// Returns z(end), computed from the nearer of start and target: rounding cannot move it outside of the two over many
// steps. (decay z + gain target rises by one unit of rounding in some steps, which accumulates while gain is small.)
template <class S, class T>
S relaxed(const Relaxation<S>& r, const T& start, const S& target) noexcept {
    return select(r.gain < S(0.5), start + r.gain * (target - start), target + r.decay * (start - target));
}

// Returns (1 - phi)/x.
template <class T>
T phi2(const Relaxation<T>& r) noexcept {
    return choose(
        r.x < T(0.25), [&] { return detail::phi2_series(r.x); }, [&] { return r.one_minus_phi / r.x; });
}
// Returns loss/x^2.
template <class T>
T phi3(const Relaxation<T>& r) noexcept {
    return choose(
        r.x < T(0.25), [&] { return detail::loss_series(r.x); },
        [&] { return (r.one_minus_phi - T(0.5) * r.gain * r.phi) / (r.x * r.x); });
}

// Returns loss = 1 - phi - gain phi/2, which the dissipation needs.
template <class T>
[[gnu::always_inline]] inline T loss(const Relaxation<T>& r) noexcept {
    return choose(
        r.x < T(0.25), [&] { return r.x * r.x * detail::loss_series(r.x); },
        [&] { return r.one_minus_phi - T(0.5) * r.gain * r.phi; });
}

}  // namespace bristle
