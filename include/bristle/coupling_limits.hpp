// Stick stiffness [N/m] and damping [N s/m] of a law, and the unique step limit [s] of a mass coupled to it.
//
// Uniqueness (w > 0, r = sigma0 z, k = sigma1/(sigma0 dt), Psi = 1 - phi(x) + k (1 - e^-x)): F_mean = r + (g - r) Psi +
// sigma2 w is linear in r, so its smallest slope over the bounded set occurs at r = +peak or -peak. The root is unique
// for every F_ext and every such z iff
//   2 m/dt + K dt/2 > - min over w, r of dF_mean/dw          (K: stiffness of a spring in the drive [N/m])
// largest_unique_step returns the dt at which both sides are equal. Sufficient in closed form, at little cost per step:
//   2 m/dt + sigma2 > (sigma0 dt/2 + sigma1) softening,   softening = max over w of d/dw [w (peak - g)/g].
// The closed form is proved for LuGre without fading over any curve, for Dahl and for static laws (proves_uniqueness).
// The other laws use it as an estimate.
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

// Returns dF/dx at rest [N/m]: sigma0, or the sum of the element stiffnesses; 0 for a static law.

template <class Law>
scalar_of<Law> stick_stiffness(const Law& law, scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    const T N = loads(law, load).on_force;
    if constexpr (StaticLaw<Law>) {
        return T(0);
    } else if constexpr (requires { law.sigma0; }) {
        return N * law.sigma0;
    } else {
        T sum = T(0);
        for (int i = 0; i < law.count(); ++i) sum = sum + law.k[i];
        return N * sum;
    }
}
// Returns the bristle damping at rest [N s/m]: sigma1, or damping(0) of a law without it; 0 if it has neither.
template <class Law>
scalar_of<Law> bristle_damping(const Law& law, scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    if constexpr (requires { law.sigma1; })
        return loads(law, load).on_force * law.sigma1;
    else if constexpr (requires { law.damping(load); })
        return loads(law, load).on_force * law.damping(T(0));
    else
        return T(0);
}
// Returns dF/dv at rest [N s/m], for v -> 0+: sigma1 plus viscous friction, or the slope of a smooth static law.
template <class Law>
scalar_of<Law> stick_damping(const Law& law, scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    using D = Dual<T, 1>;
    if constexpr (StaticLaw<Law>)
        return slope(law, T(0), load);
    else
        return bristle_damping(law, load) + loads(law, load).on_force * law.viscous(D::variable(T(0))).d[0];
}

namespace detail {

// Returns the largest value of f over speeds from 1/100 of the lower to 10 times the upper end of the zone.
template <class T, class F>
T maximum_over(const SpeedZone<T>& zone, const F& f) noexcept {
    return maximum<T>(f, T(0.01) * zone.low, T(10) * zone.high).value;
}

// Returns max over w of d/dw [w (peak - g)/g] [1]; 0 for a constant level.
template <class Curve, class T>
T softening_towards(const Curve& curve, T peak, T direction) noexcept {
    const auto zone = curve.zone();
    if (!(zone.high > zone.low)) return T(0);
    using D = Dual<T, 1>;
    const auto climb = [&](T w) {
        const D u = D::variable(direction * w), g = level(curve, u);
        return direction * (abs(u) * (peak / g - T(1))).d[0];
    };
    return larger(T(0), maximum_over(zone, climb));
}

}  // namespace detail

// Returns the factor of (sigma0 dt/2 + sigma1) in the sufficient condition [1]; for a static law the steepest fall of g
// [N s/m]. A load [N] changes it only if it acts inside the curve.
template <class Law>
scalar_of<Law> softening(const Law& law, scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    const auto& curve = curve_under(law, load);
    if constexpr (StaticLaw<Law>) {
        const auto zone = curve.zone();
        if (!(zone.high > zone.low)) return T(0);
        const auto& loaded = law_under(law, load);
        const auto fall = [&](T w) { return -slope(loaded, w) + law.sigma2; };
        const auto fall_back = [&](T w) { return -slope(loaded, -w) + law.sigma2_negative; };
        return larger(T(0), larger(detail::maximum_over(zone, fall), detail::maximum_over(zone, fall_back)));
    } else {
        const T peak = curve.peak();
        const T up = detail::softening_towards(curve, peak, T(1));
        return std::remove_cvref_t<decltype(curve)>::odd ? up
                                                         : larger(up, detail::softening_towards(curve, peak, T(-1)));
    }
}

// True if the sufficient condition is proved for this law.
template <class Law>
inline constexpr bool proves_uniqueness = StaticLaw<Law>;
template <class T>
inline constexpr bool proves_uniqueness<basic_dahl<T>> = true;
template <class T, class Curve, class Extra>
inline constexpr bool proves_uniqueness<basic_lugre<T, Curve, NoFade, Extra>> = true;

// Returns the steepest fall of F_mean [N s/m] by the sufficient condition.
template <class Law>
scalar_of<Law> fall_bound(const Law& law, scalar_of<Law> softening, scalar_of<Law> dt,
                          scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    if constexpr (StaticLaw<Law>)
        return loads(law, load).on_curve * loads(law, load).on_force * softening;
    else
        return (stick_stiffness(law, load) * (T(0.5) * dt) + bristle_damping(law, load)) * softening;
}

// Returns the dt [s] up to which the sufficient condition holds, for inertia = 2 m (midpoint) or m (end velocity held).
template <class Law>
scalar_of<Law> surely_unique_step(const Law& law, scalar_of<Law> softening, scalar_of<Law> inertia,
                                  scalar_of<Law> load = neutral_load<Law>) noexcept {
    using T = scalar_of<Law>;
    if (!(softening > T(0))) return T(std::numeric_limits<plain<T>>::infinity());
    if constexpr (StaticLaw<Law>) {
        return inertia / fall_bound(law, softening, T(0), load);
    } else {
        const T a = T(0.5) * stick_stiffness(law, load) * softening, b = bristle_damping(law, load) * softening;
        return T(2) * inertia / (b + sqrt(b * b + T(4) * a * inertia));
    }
}

namespace detail {

// Returns - min dF_mean/dw [N s/m] over all w and both ends of the range of z, for a step dt [s].
template <class Law>
scalar_of<Law> steepest_fall(const Law& law, scalar_of<Law> dt, scalar_of<Law> load) noexcept {
    using T = scalar_of<Law>;
    using D = Dual<T, 1>;
    const auto& curve = curve_under(law, load);
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
        const T from = T(0.01) * zone.low;
        search({}, from, T(10) * zone.high);
        // alpha < 1: the slope of the level is unbounded as v -> 0
        for (const T direction : {T(1), T(-1)})
            if (T(1e-6) * from > T(0) && -slope(law, direction * T(1e-6) * from, load) > T(2) * worst)
                worst = T(std::numeric_limits<plain<T>>::infinity());
    } else {
        const T z = curve.peak() * loads(law, load).on_curve / law.sigma0,
                deflection_speed = z / dt;  // the speed that deflects a bristle by z within the step
        for (const T end : {z, -z})
            search({end}, smaller(T(0.01) * zone.low, T(1e-3) * deflection_speed),
                   larger(T(10) * zone.high, T(10) * deflection_speed));
    }
    return worst;
}

}  // namespace detail

// Returns the unique step limit [s] for every external force and every bounded deflection. Sharp: found by bisection.
// spring [N/m]: stiffness of a spring in the drive.
// Returns infinity if there is no limit and 0 if no dt qualifies. Returns NaN if mass or load is not finite and > 0 (load
// inside the curve: >= 0), or if spring is not finite and >= 0.
// Cost: about 1 ms; call it during set-up.
template <class Law>
    requires(BristleLaw<Law> || StaticLaw<Law>)
scalar_of<Law> largest_unique_step(basic_mass<scalar_of<Law>> mass, const Law& law, scalar_of<Law> spring = 0,
                                   scalar_of<Law> load = neutral_load<Law>)
noexcept {
    using T = scalar_of<Law>;
    if (!(mass.mass > T(0)) || !isfinite(mass.mass) || !(spring >= T(0)) || !isfinite(spring) ||
        !(LoadInCurve<Law> ? load >= T(0) : load > T(0)) || !isfinite(load))
        return unset<T>();
    const auto zone = curve_under(law, load).zone();
    const T never = T(std::numeric_limits<plain<T>>::infinity());
    if (!(zone.high > zone.low)) return never;
    const auto unique = [&](T dt) {
        return T(2) * mass.mass / dt + T(0.5) * spring * dt > detail::steepest_fall(law, dt, load);
    };
    T low = surely_unique_step(law, softening(law, load), T(2) * mass.mass, load);
    if (!(low < never)) return never;
    for (int i = 0; !unique(low); ++i, low = T(0.5) * low)
        if (i == 60) return T(0);
    T high = T(2) * low;
    for (int i = 0; unique(high); ++i, high = T(2) * high)
        if (i == 60) return never;
    int halvings = 0;
    detail::narrow(
        low, high, [&] { return halvings++ < 50 && high - low > T(4) * T(epsilon<T>) * high; }, unique);
    return low;
}

}  // namespace bristle
