// Dynamic hysteresis of Benitez, Acho and Guerra: LuGre with its steady state shifted by a speed a.
//
//   dz/dt = w - sigma0 |w| z/g(v),   w = v + a while dv/dt > 0,  v - a while dv/dt < 0     B05 (8)
//   z_ss  = sgn(w) g(v)/sigma0                                                              B05 (7)
//   F     = sigma0 z + sigma1 dz/dt + sigma2 v                                              B05 (2)
//   a     constant;  min(a, a_scale |z|);  max(a, a_scale |z|)                              B05 figs 8, 9, 10
// Our g is in N, that of B05 in m (divided by sigma0).
// B05 compares 2e-6 m/s with |z| in m; a_scale, 1 1/s by default, corrects the units (erratum E5).
// Branch: w = v + b a, b = sign(dv/dt). B05 does not define dv/dt = 0. Our choice: b = 0 there for prescribed motion; a
// contact step uses b = sign(v - previous v); a free mass at dv/dt = 0 uses the b in [-1, 1] that balances the forces.
//
// Sign: F has the sign of v in steady sliding. With a and b held the step is exact; for the min and max rules a is taken
// at the middle of the step (second order in dt), and the energy balance still closes to rounding.
// Limits: not passive for any a > 0: a sawtooth v inside (-a, 0) extracts energy in every cycle.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

enum class ShiftRule { constant, min, max };

template <class T, class Curve = basic_stribeck<T>, class Extra = NoExtra>
struct basic_hysteretic {
    using scalar = T;
    using bristle_law = void;
    static_assert(!TakesLoad<Curve>, "only static laws and LuGre take a curve that grows with the load");
    static_assert(Curve::sticks, "a curve that vanishes at v = 0 cannot carry a shifted bristle");
    struct State {
        T z{};  // mean bristle deflection [m]
        T v{};  // velocity of the last step, which selects the branch [m/s]
    };

    T sigma0 = unset<T>();
    T sigma1 = T(0);
    T sigma2 = T(0);
    Curve curve{};
    T a = unset<T>();
    ShiftRule a_rule = ShiftRule::constant;
    T a_scale = T(1);
    T sigma2_negative = sigma2;
    LoadOn load_on = LoadOn::curve;
    [[no_unique_address]] Extra extra{};

    // Not exact: a second step with the same v has b = 0.
    static constexpr Guarantees guarantees{
        .bounded = Curve::bounded, .odd = Curve::odd, .exact = false, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        detail::bristle_parameters(self, visit);
        visit(Parameter{"a", "m/s", "shift of the steady state", bound::nonnegative, 2e-6}, self.a);
        visit(Parameter{"a_scale", "1/s", "converts |z| to a speed in the min and max rules", bound::positive, 1},
              self.a_scale);
    }
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        visit(Choice{"a_rule", "the shift: a, min(a, a_scale |z|) or max(a, a_scale |z|)", {"constant", "min", "max"}},
              self.a_rule);
    }
    // The same law over another curve.
    template <class Other>
    constexpr basic_hysteretic<T, Other, Extra> over(const Other& other) const {
        return {sigma0, sigma1, sigma2, other, a, a_rule, a_scale, sigma2_negative, load_on, extra};
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        detail::bristle_curve_rules(*this, sink);
    }
    // Returns the shift a of the steady state at the deflection z [m/s].
    template <class S>
    S shift(const S& z) const noexcept {
        const S scaled = a_scale * abs(z);
        return a_rule == ShiftRule::constant ? S(a)
               : a_rule == ShiftRule::min    ? smaller(S(a), scaled)
                                             : larger(S(a), scaled);
    }
    // Returns the flow of B05 (8) on branch b in [-1, 1], with the shift at z; its target is B05 (7).
    template <class S>
    Flow<S> flow_at(const S& z, const S& v, const S& b, T load) const noexcept {
        const S w = v + b * shift(z), g = level(curve, v) * load;
        return {w, sigma0 * abs(w) / g, side(w) * g / sigma0};
    }
    // Returns the flow for a step dt; for the min and max rules with the shift at the middle of the step.
    template <class S>
    Flow<S> flow_on(const State& s, const S& v, const S& b, T load, T dt) const noexcept {
        if (is_unloaded(sigma0, load)) return unloaded_flow<S>();
        const Flow<S> start = flow_at(S(s.z), v, b, load);
        if (a_rule == ShiftRule::constant) return start;
        const auto half = relax(S(start.h * (T(0.5) * dt)));
        return flow_at(S(half.decay * s.z + half.gain * start.target), v, b, load);
    }
    template <class S>
    Flow<S> flow(const State& s, const S& v, T load, T dt) const noexcept {
        return flow_on(s, v, sign0(S(v - s.v)), load, dt);
    }
    template <class S>
    constexpr S damping(const S&) const noexcept {
        return S(sigma1);
    }
    template <class S>
    S viscous(const S& v) const noexcept {
        return viscous_force(*this, v);
    }
};

// Returns dz/dt [m/s] at an instant, B05 (8), on branch b = sign(dv/dt); b = 0 while v is held.
template <class T, class Curve, class Extra, class S>
S rate(const basic_hysteretic<T, Curve, Extra>& law, const S& z, const S& v, T load = 1, T b = 0) noexcept {
    const auto [w, h, target] = law.flow_at(z, v, S(b), loads(law, load).on_curve);
    return w - h * z;
}
// Returns F [N] at an instant, B05 (2), on branch b.
template <class T, class Curve, class Extra, class S>
S force(const basic_hysteretic<T, Curve, Extra>& law, const S& z, const S& v, T load = 1, T b = 0) noexcept {
    return loads(law, load).on_force * (law.sigma0 * z + law.sigma1 * rate(law, z, v, load, b) + law.viscous(v));
}
// Returns the derivatives on the branch that a step from the stored velocity to v takes.
template <class T, class Curve, class Extra>
Jacobian<T> jacobian(const basic_hysteretic<T, Curve, Extra>& law,
                     const typename basic_hysteretic<T, Curve, Extra>::State& state, T v, T load = 1) noexcept {
    using D = Dual<T, 2>;
    const D z = D::variable(state.z, 0), u = D::variable(v, 1);
    const T b = sign0(v - state.v);
    const D r = rate(law, z, u, load, b), f = force(law, z, u, load, b);
    return {r.d[0], r.d[1], f.d[0], f.d[1]};
}

using Hysteretic = basic_hysteretic<double>;

}  // namespace bristle
