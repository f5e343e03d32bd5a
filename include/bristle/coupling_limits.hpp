// What a law means for the mass that hangs on it: how stiff it holds, how much it can give back, and up to which step the
// coupled equation has one root.
//
// Uniqueness (w > 0, r = sigma0 z, k = sigma1/(sigma0 dt), Psi = 1 - phi(x) + k (1 - e^-x)): F_mean = r + (g - r) Psi +
// sigma2 w is straight in r, so its smallest slope over the bounded set is met at r = +peak or -peak, and the root is unique
// for every F_ext and every such z iff
//   2 m/dt + K dt/2 > - min over w, r of dF_mean/dw          (K: stiffness of a spring in the drive)
// largest_unique_step finds the dt where the two sides meet. Sufficient in closed form, and cheap enough for every step:
//   2 m/dt + sigma2 > (sigma0 dt/2 + sigma1) softening,   softening = max over w of d/dw [w (peak - g)/g].
#pragma once
#include <bristle/laws/dahl.hpp>
#include <bristle/laws/elastoplastic.hpp>
#include <bristle/laws/hysteretic.hpp>
#include <bristle/laws/lugre.hpp>
#include <bristle/laws/maxwell_slip.hpp>
#include <bristle/laws/static.hpp>
#include <initializer_list>

namespace bristle {

template <class Law>
using scalar_of = typename Law::scalar;

template <class T>
struct basic_mass {
    T mass;  // kg (rotary: kg m^2)  > 0
};
using Mass = basic_mass<double>;

// ---- stiffness and damping of the contact at rest ------------------------------------------------------------------

template <class Law>
scalar_of<Law> stick_stiffness(const Law& law, scalar_of<Law> load = 1) noexcept {
    using T = scalar_of<Law>;
    const T N = loads(law, load).on_force;
    if constexpr (StaticLaw<Law>) {
        return T(0);
    } else if constexpr (requires { law.sigma0; }) {
        return N * law.sigma0;
    } else {
        T sum = T(0);
        for (int i = 0; i < law.size; ++i) sum = sum + law.k[i];
        return N * sum;
    }
}
template <class Law>
scalar_of<Law> stick_damping(const Law& law, scalar_of<Law> load = 1) noexcept {
    using T = scalar_of<Law>;
    if constexpr (SticksExactly<Law>)
        return T(0);
    else if constexpr (StaticLaw<Law>)
        return slope(law, T(0), load);
    else if constexpr (requires { law.sigma1; })
        return loads(law, load).on_force * law.sigma1;
    else
        return T(0);
}

namespace detail {

template <class Law>
constexpr auto& curve_of(const Law& law) noexcept {
    return law.curve;
}
template <class T>
constexpr basic_level<T> curve_of(const basic_dahl<T>& law) noexcept {
    return law.level();
}

// max over w of d/dw [w (peak - g)/g]; 0 for a constant level.
template <class Curve, class T>
T softening_towards(const Curve& curve, T peak, T direction) noexcept {
    const auto zone = curve.zone();
    if (!(zone.high > zone.low)) return T(0);
    using D = Dual<T, 1>;
    const auto climb = [&](T w) {
        const D u = D::variable(direction * w), g = level(curve, u);
        return direction * (abs(u) * (peak / g - T(1))).d[0];
    };
    return larger(T(0), maximum<T>(climb, T(0.01) * zone.low, T(10) * zone.high).value);
}

}  // namespace detail

// The coefficient of (sigma0 dt/2 + sigma1) in the sufficient condition above; for a static law the steepest fall of g.
template <class Law>
scalar_of<Law> softening(const Law& law) noexcept {
    using T = scalar_of<Law>;
    const auto& curve = detail::curve_of(law);
    if constexpr (StaticLaw<Law>) {
        const auto zone = curve.zone();
        if (!(zone.high > zone.low)) return T(0);
        const auto fall = [&](T w) { return -slope(law, w) + law.sigma2; };
        const auto fall_back = [&](T w) { return -slope(law, -w) + law.sigma2_negative; };
        return larger(T(0), larger(detail::maximum<T>(fall, T(0.01) * zone.low, T(10) * zone.high).value,
                                   detail::maximum<T>(fall_back, T(0.01) * zone.low, T(10) * zone.high).value));
    } else {
        const T peak = curve.peak();
        const T up = detail::softening_towards(curve, peak, T(1));
        return std::remove_cvref_t<decltype(curve)>::odd ? up
                                                         : larger(up, detail::softening_towards(curve, peak, T(-1)));
    }
}

// The steepest fall of F_mean that the sufficient condition allows for [N s/m].
template <class Law>
scalar_of<Law> fall_bound(const Law& law, scalar_of<Law> softening, scalar_of<Law> dt,
                          scalar_of<Law> load = 1) noexcept {
    using T = scalar_of<Law>;
    if constexpr (StaticLaw<Law>)
        return loads(law, load).on_curve * loads(law, load).on_force * softening;
    else
        return (stick_stiffness(law, load) * (T(0.5) * dt) + stick_damping(law, load)) * softening;
}

// The dt [s] up to which the sufficient condition holds, with inertia = 2 m (midpoint) or m (end velocity held).
template <class Law>
scalar_of<Law> surely_unique_step(const Law& law, scalar_of<Law> softening, scalar_of<Law> inertia,
                                  scalar_of<Law> load = 1) noexcept {
    using T = scalar_of<Law>;
    if (!(softening > T(0))) return T(std::numeric_limits<plain<T>>::infinity());
    if constexpr (StaticLaw<Law>) {
        return inertia / fall_bound(law, softening, T(0), load);
    } else {
        const T a = T(0.5) * stick_stiffness(law, load) * softening, b = stick_damping(law, load) * softening;
        return T(2) * inertia / (b + sqrt(b * b + T(4) * a * inertia));
    }
}

namespace detail {

// - min dF_mean/dw over all w and both ends of the bristle's range, for a step dt.
template <class Law>
scalar_of<Law> steepest_fall(const Law& law, scalar_of<Law> dt, scalar_of<Law> load) noexcept {
    using T = scalar_of<Law>;
    using D = Dual<T, 1>;
    const auto& curve = curve_of(law);
    const auto zone = curve.zone();
    T worst = T(-std::numeric_limits<plain<T>>::infinity());
    const auto search = [&](const typename Law::State& state, T from, T to) {
        for (const T direction : {T(1), T(-1)})
            worst = larger(
                worst,
                maximum<T>([&](T w) { return -hold(law, state, D::variable(direction * w), dt, load).force.d[0]; },
                           from, to)
                    .value);
    };
    if constexpr (StaticLaw<Law>) {
        search({}, T(0.01) * zone.low, T(10) * zone.high);
    } else {
        const T z = curve.peak() * loads(law, load).on_curve / law.sigma0,
                wound = z / dt;  // the speed that winds a bristle up
        for (const T end : {z, -z})
            search({end}, smaller(T(0.01) * zone.low, T(1e-3) * wound), larger(T(10) * zone.high, T(10) * wound));
    }
    return worst;
}

}  // namespace detail

// The largest dt [s] for which the coupled step has exactly one root, whatever F_ext and the (bounded) bristle; infinity if
// every dt has. Sharp. spring [N/m]: the stiffness of a spring in the drive. Set-up work: about a millisecond.
template <class Law>
    requires(BristleLaw<Law> || StaticLaw<Law>)
scalar_of<Law> largest_unique_step(basic_mass<scalar_of<Law>> mass, const Law& law, scalar_of<Law> spring = 0,
                                   scalar_of<Law> load = 1)
noexcept {
    using T = scalar_of<Law>;
    const auto zone = detail::curve_of(law).zone();
    const T never = T(std::numeric_limits<plain<T>>::infinity());
    if (!(zone.high > zone.low)) return never;
    const auto unique = [&](T dt) {
        return T(2) * mass.mass / dt + T(0.5) * spring * dt > detail::steepest_fall(law, dt, load);
    };
    T low = surely_unique_step(law, softening(law), T(2) * mass.mass, load);
    if (!(low < never)) return never;
    while (!unique(low)) low = T(0.5) * low;
    T high = T(2) * low;
    for (int i = 0; unique(high); ++i, high = T(2) * high)
        if (i == 60) return never;
    for (int i = 0; i < 50 && high - low > T(4) * T(epsilon<T>) * high; ++i) {
        const T middle = T(0.5) * (low + high);
        (unique(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace bristle
