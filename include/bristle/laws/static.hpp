// Static friction: the force is a function of velocity alone; no state.
//
//   F = sgn(v) g(v) + sigma2 v                                                                  A08 (3)
// Coulomb           g = Fc sliding, Fs at rest; with sigma2 it is Coulomb + viscous
// StribeckFriction  g = Fc + (Fs - Fc) exp(-|v/vs|^alpha)                                     A08 (4)
// SmoothFriction    (Fc + (Fs - Fc) exp(-(v tanh(c v)/vs)^alpha)) tanh(c v) + sigma2 v        K08 (43)
// Makkar            g1 (tanh(g2 v) - tanh(g3 v)) + g4 tanh(g5 v) + g6 v,  g6 = sigma2         M05 (2), K08 (41)
// and the same over Table or Directional curves.
//
// Sign: F has the sign of v.
// Dry curves (Level, Stribeck, Table) stick: at v = 0 every force in [-static_level(-1), static_level(+1)] is possible.
// A contact at v = 0 returns force 0, stuck = true and that interval, because only the plant can compute the holding
// force. The coupled step holds the mass exactly.
// Smooth curves do not stick: under a held force F below the peak they creep at the speed where the curve equals F, which
// is atanh(F/Fs)/c for K08 (43).
// In the conveyor of M05 g1, g4, g6 are coefficients: use the load M g and LoadOn::all.
// For plain scalars and dual numbers only: v = 0 is a branch. Not modelled: presliding and memory.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

struct NoState {};

template <class S>
struct StaticHold {
    S force;  // [N]
    S v;      // the held velocity [m/s]
};

template <class T, class Curve, class Extra = NoExtra>
struct basic_static {
    using scalar = T;
    using State = NoState;
    using static_law = void;

    Curve curve{};
    T sigma2 = T(0);
    T sigma2_negative = sigma2;
    LoadOn load_on = LoadOn::curve;
    [[no_unique_address]] Extra extra{};

    static constexpr bool sticks = Curve::sticks;
    static constexpr Guarantees guarantees{.bounded = false, .odd = Curve::odd, .exact = true, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        Curve::parameters(self.curve, detail::inside("curve.", visit));
        detail::viscous_parameters<Curve>(self, visit);
    }
    // The same law over another curve.
    template <class Other>
    constexpr basic_static<T, Other, Extra> over(const Other& other) const {
        return {other, sigma2, sigma2_negative, load_on, extra};
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        curve.rules(sink);
        detail::load_rules(*this, sink);
    }
    template <class S>
    S viscous(const S& v) const noexcept {
        return viscous_force(*this, v);
    }
};

template <class Law>
concept StaticLaw = requires {
    typename Law::static_law;
};
// True if the force at rest is an interval (dry curves).
template <class Law>
concept SticksExactly = StaticLaw<Law> && Law::sticks;

// Returns the force [N], A08 (3); at v = 0 the limit from above.
template <StaticLaw Law, class S>
S force(const Law& law, const S& v, typename Law::scalar load = neutral_load<Law>) noexcept {
    const auto n = loads(law, load);
    return n.on_force * (n.on_curve * steady(curve_under(law, load), v) + law.viscous(v));
}
template <StaticLaw Law, class S>
StaticHold<S> hold(const Law& law, const NoState&, const S& v, typename Law::scalar,
                   typename Law::scalar load = neutral_load<Law>) noexcept {
    return {force(law, v, load), v};
}
template <class T, std::size_t N>
StaticHold<T> without_derivatives(const StaticHold<Dual<T, N>>& k) noexcept {
    return {k.force.v, k.v.v};
}
template <StaticLaw Law, class T = typename Law::scalar>
Step<T> finish(const Law&, NoState&, const StaticHold<T>& held, T dt) noexcept {
    const T heat = held.force * held.v * dt;
    return {.force = held.force,
            .force_end = held.force,
            .work = heat,
            .dissipation = heat,
            .stuck = false,
            .low = held.force,
            .high = held.force};
}
// Returns 0: a static law stores no energy.
template <StaticLaw Law>
constexpr typename Law::scalar hamiltonian(const Law&, const NoState&,
                                           typename Law::scalar = neutral_load<Law>) noexcept {
    return typename Law::scalar(0);
}
// Returns dF/dv [N s/m].
template <StaticLaw Law>
typename Law::scalar slope(const Law& law, typename Law::scalar v,
                           typename Law::scalar load = neutral_load<Law>) noexcept {
    using D = Dual<typename Law::scalar, 1>;
    return force(law, D::variable(v), load).d[0];
}

// Returns the largest force [N] that a contact at rest can hold towards s = +1 or -1.
template <SticksExactly Law>
typename Law::scalar holding_force(const Law& law, typename Law::scalar s,
                                   typename Law::scalar load = neutral_load<Law>) noexcept {
    const auto n = loads(law, load);
    return n.on_force * (n.on_curve * curve_under(law, load).static_level(s));
}

using Coulomb = basic_static<double, Level>;
using StribeckFriction = basic_static<double, Stribeck>;
using SmoothFriction = basic_static<double, SmoothStribeck>;
using Makkar = basic_static<double, MakkarCurve>;

}  // namespace bristle
