// Generalized Maxwell-slip of Al-Bender, Lampaert and Swevers (2005): n parallel elements, with reversal-point memory.
//
//   element i sticks:  dF_i/dt = k_i v               until |F_i| = nu_i s(v), also if s(v) falls below |F_i|/nu_i
//             slips:   dF_i/dt = C (nu_i sgn v - F_i/s(v))     until v changes sign or is 0; then it sticks
//   F = sum F_i + sigma2 v,   sum nu_i = 1,   s(v) the curve
// Our choice: an element loaded against the motion (F_i v < 0) unloads elastically for every |F_i|.
//
// Sign: F has the sign of v in steady sliding. Exact for held v: linear, then constant or exponential.
// Limits: up to 16 elements. Not passive if Fs > Fc: load fast to Fc, let F_i rise to Fs at v = 0+, unload.
// For plain scalars and dual numbers only: each element branches. Not modelled: microdamping.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

inline constexpr int max_elements = 16;

template <class T, class Curve = basic_stribeck<T>, class Extra = NoExtra>
struct basic_maxwell_slip {
    static constexpr int capacity = max_elements;
    using scalar = T;
    static_assert(!TakesLoad<Curve>, "only static laws and LuGre take a curve that grows with the load");
    static_assert(Curve::sticks, "a curve that vanishes at v = 0 lets every element slip at rest");
    struct State {
        T F[capacity]{};                   // force of each element [N]
        signed char slipping[capacity]{};  // direction of slip, 0 while the element sticks
    };

    int size = 0;
    T k[capacity]{};   // N/m
    T nu[capacity]{};  // 1
    T C = unset<T>();
    Curve curve{};
    T sigma2 = T(0);
    T sigma2_negative = sigma2;
    LoadOn load_on = LoadOn::curve;
    [[no_unique_address]] Extra extra{};

    static constexpr Guarantees guarantees{
        .bounded = Curve::bounded, .odd = Curve::odd, .exact = true, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        for (int i = 0; i < self.size && i < capacity; ++i) {
            const double part = 1.0 / self.size;
            visit(Parameter{"k", "N/m", "stiffness of an element", bound::positive, 1e5 * part, nullptr, "", i},
                  self.k[i]);
            visit(Parameter{"nu", "1", "fraction of the level carried by an element", bound::positive, part, nullptr,
                            "", i},
                  self.nu[i]);
        }
        visit(Parameter{"C", "N/s", "attraction: rate at which a slipping element follows the curve", bound::positive,
                        10},
              self.C);
        detail::viscous_parameters<Curve>(self, visit);
        Curve::parameters(self.curve, detail::inside("curve.", visit));
    }
    // The same law over another curve.
    template <class Other>
    constexpr basic_maxwell_slip<T, Other, Extra> over(const Other& other) const {
        basic_maxwell_slip<T, Other, Extra> law{size, {}, {}, C, other, sigma2, sigma2_negative, load_on, extra};
        for (int i = 0; i < capacity; ++i) {
            law.k[i] = k[i];
            law.nu[i] = nu[i];
        }
        return law;
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        detail::bristle_curve_rules(*this, sink);
        if (size < 1 || size > capacity)
            sink(Problem{{"size", "1", "", bound::positive}, double(size), "must be 1 to 16: the number of elements"});
        T sum = T(0);
        for (int i = 0; i < size && i < capacity; ++i) sum = sum + nu[i];
        if (!(abs(sum - T(1)) < T(1e-6)))
            sink(Problem{{"nu", "1", "", bound::positive}, double(value(sum)), "must add up to 1"});
    }
    constexpr int count() const noexcept { return size < 0 ? 0 : size < capacity ? size : capacity; }
    template <class S>
    S viscous(const S& v) const noexcept {
        return viscous_force(*this, v);
    }
};

// Laws of several elements in parallel, each with its own state.
template <class Law>
concept HasElements = requires(const Law& law) {
    law.nu[0];
};

namespace detail {

// Motion of an element in a step with v held, or at an instant.
enum class ElementMode { released, sticks, slips };

// True if an element slips on: its slip and the motion have the same direction, 1 or -1.
constexpr bool slips_on(signed char slipping, signed char direction) noexcept { return slipping == direction; }
// The one decision about an element. direction: of the motion, 1 or -1, 0 at rest; limit: size of the force at which it
// slips [N]; loaded: the level is not 0. An element without load has no force; at rest each one sticks.
template <class T>
constexpr ElementMode mode_of(signed char slipping, const T& F, const T& limit, signed char direction,
                              bool loaded) noexcept {
    if (!loaded) return ElementMode::released;
    if (direction == 0) return ElementMode::sticks;
    return slips_on(slipping, direction) || F * T(direction) >= limit ? ElementMode::slips : ElementMode::sticks;
}
template <class S>
constexpr signed char direction_of(const S& v) noexcept {
    return v < S(0) ? -1 : v == S(0) ? 0 : 1;
}

// Forces and energy of one element over a step with v held.
template <class S>
struct ElementHold {
    S F, mean, heat;  // force at the end [N], mean force [N], dissipation [J]
    signed char slipping;
};
// Slips: relaxation towards limit (with the sign of v) at the rate pull [1/s].
template <class S, class T>
ElementHold<S> slip_element(T F0, T k, const S& limit, const S& pull, const S& v, T dt,
                            signed char direction) noexcept {
    const auto r = relax(S(pull * dt));
    const S mean = r.phi * F0 + r.one_minus_phi * limit, above = F0 - limit;
    // the integral of F (v - (dF/dt)/k): work of the sliding end and energy released by the spring
    const S spring = above * r.gain * (limit + above * (T(0.5) * (S(1) + r.decay))) / k;
    return {relaxed(r, F0, limit), mean, v * dt * mean + spring, direction};
}
// Sticks, until its force reaches limit (with the sign of v).
template <class S, class T>
ElementHold<S> stick_element(T F0, T k, const S& limit, const S& v, T dt, signed char direction) noexcept {
    const S stick = direction == 0 ? S(dt) : (limit - F0) / (k * v);  // time until it slips; at rest it does not
    if (!(stick < S(dt))) {
        const S dF = k * v * dt;
        return {F0 + dF, F0 + T(0.5) * dF, S(0), 0};
    }
    const S fraction = stick / dt;  // of the step, in stick
    return {limit, fraction * (T(0.5) * (F0 + limit)) + (S(1) - fraction) * limit, limit * v * (S(dt) - stick),
            direction};
}
template <class S, class T>
ElementHold<S> hold_element(T F0, signed char slipping, T k, const S& limit, const S& pull, const S& v, T dt,
                            signed char direction, bool loaded) noexcept {
    const ElementMode mode = mode_of(slipping, F0, value_as<T>(abs(limit)), direction, loaded);
    if (mode == ElementMode::slips) return slip_element(F0, k, limit, pull, v, dt, direction);
    if (mode == ElementMode::sticks) return stick_element(F0, k, limit, v, dt, direction);
    return {S(0), S(0), S(F0 * F0 / (T(2) * k)), 0};  // the energy of the spring is heat
}

}  // namespace detail

// Returns dF_i/dt at an instant [N/s].
template <class T, class Curve, class Extra, class S>
S rate(const basic_maxwell_slip<T, Curve, Extra>& law, int i, const S& F, signed char slipping, const S& v,
       T load = 1) noexcept {
    const signed char direction = detail::direction_of(v);
    const S limit = law.nu[i] * loads(law, load).on_curve * steady(law.curve, v);
    // loaded: a release takes no time and has no rate
    const bool slips = detail::mode_of(slipping, F, S(abs(limit)), direction, true) == detail::ElementMode::slips;
    return slips ? law.C * (law.nu[i] * S(direction) - F * law.nu[i] / abs(limit)) : law.k[i] * v;
}
// Returns the force at an instant [N].
template <class T, class Curve, class Extra>
T force(const basic_maxwell_slip<T, Curve, Extra>& law,
        const typename basic_maxwell_slip<T, Curve, Extra>::State& state, T v, T load = 1) noexcept {
    T sum = law.viscous(v);
    for (int i = 0; i < law.count(); ++i) sum = sum + state.F[i];
    return loads(law, load).on_force * sum;
}

template <class S>
struct MaxwellHold {
    S force;  // mean over the step [N]
    S v, viscous, on_force;
    S heat;
    S F[max_elements];
    signed char slipping[max_elements];
};

template <class T, class Curve, class Extra, class S>
MaxwellHold<S> hold(const basic_maxwell_slip<T, Curve, Extra>& law,
                    const typename basic_maxwell_slip<T, Curve, Extra>::State& state, const S& v, T dt,
                    T load = 1) noexcept {
    const auto n = loads(law, load);
    MaxwellHold<S> out{};
    out.v = v;
    out.viscous = law.viscous(v);
    out.on_force = S(n.on_force);
    out.heat = S(0);
    const S s = steady(law.curve, v) * n.on_curve;
    const bool loaded = !is_unloaded(law.C, n.on_curve);
    const S pull = loaded ? law.C / abs(s) : S(0);
    S sum = out.viscous;
    const signed char direction = detail::direction_of(v);
    for (int i = 0; i < law.count(); ++i) {
        const auto e = detail::hold_element<S>(state.F[i], state.slipping[i], law.k[i], S(law.nu[i] * s), pull, v, dt,
                                               direction, loaded);
        out.F[i] = e.F;
        out.slipping[i] = e.slipping;
        out.heat = out.heat + e.heat;
        sum = sum + e.mean;
    }
    out.force = n.on_force * sum;
    return out;
}

// Returns a step in which the motion, with |v| next to 0, stops after a fraction of dt: until then the elements that slip
// in this direction follow the level at v = 0, then all stick (load > 0). The others keep their force, also at the limit.
// With the fraction from 0 to 1 the force covers the jump between v = 0 and the limit v -> 0.
template <class T, class Curve, class Extra, class S>
MaxwellHold<S> hold_stopping(const basic_maxwell_slip<T, Curve, Extra>& law,
                             const typename basic_maxwell_slip<T, Curve, Extra>::State& state, T direction,
                             const S& fraction, T dt, T load) noexcept {
    const auto n = loads(law, load);
    const S v = S(direction * T(std::numeric_limits<plain<T>>::min()));
    const S s = S(steady(law.curve, value_as<T>(v)) * n.on_curve);
    const S pull = fraction * (law.C / abs(s));
    const signed char towards = detail::direction_of(direction);
    MaxwellHold<S> out{};
    out.on_force = S(n.on_force);
    S sum = S(0);
    for (int i = 0; i < law.count(); ++i) {
        const T F0 = state.F[i];
        const auto e = detail::slips_on(state.slipping[i], towards)
                           ? detail::slip_element<S>(F0, law.k[i], S(law.nu[i] * s), pull, v, dt, towards)
                           : detail::ElementHold<S>{S(F0), S(F0), S(0), 0};
        out.F[i] = e.F;
        out.heat = out.heat + e.heat;
        sum = sum + fraction * e.mean + (S(1) - fraction) * e.F;
    }
    out.force = n.on_force * sum;
    return out;
}

template <class T, std::size_t N>
MaxwellHold<T> without_derivatives(const MaxwellHold<Dual<T, N>>& k) noexcept {
    MaxwellHold<T> out{};
    out.force = k.force.v;
    out.v = k.v.v;
    out.viscous = k.viscous.v;
    out.on_force = k.on_force.v;
    out.heat = k.heat.v;
    for (int i = 0; i < max_elements; ++i) {
        out.F[i] = k.F[i].v;
        out.slipping[i] = k.slipping[i];
    }
    return out;
}

template <class T, class Curve, class Extra>
Step<T> finish(const basic_maxwell_slip<T, Curve, Extra>& law,
               typename basic_maxwell_slip<T, Curve, Extra>::State& state, const MaxwellHold<T>& held, T dt) noexcept {
    T sum = held.viscous;
    for (int i = 0; i < law.count(); ++i) {
        state.F[i] = held.F[i];
        state.slipping[i] = held.slipping[i];
        sum = sum + state.F[i];
    }
    Step<T> step;
    step.force = held.force;
    step.work = step.force * held.v * dt;
    step.dissipation = held.on_force * (held.heat + held.v * held.viscous * dt);
    step.force_end = step.low = step.high = held.on_force * sum;
    return step;
}

template <class T, class Curve, class Extra>
T hamiltonian(const basic_maxwell_slip<T, Curve, Extra>& law,
              const typename basic_maxwell_slip<T, Curve, Extra>::State& state, T load = 1) noexcept {
    T sum = T(0);
    for (int i = 0; i < law.count(); ++i) sum = sum + state.F[i] * state.F[i] / law.k[i];
    return loads(law, load).on_force * (T(0.5) * sum);
}

// Partial derivatives. The rate of an element does not depend on the other elements.
template <class T>
struct MaxwellJacobian {
    T rate_F[max_elements];  // d(dF_i/dt)/dF_i  [1/s]
    T rate_v[max_elements];  // d(dF_i/dt)/dv    [N/m]
    T force_v;               // dF/dv            [N s/m]; dF/dF_i is the load factor
};
template <class T, class Curve, class Extra>
MaxwellJacobian<T> jacobian(const basic_maxwell_slip<T, Curve, Extra>& law,
                            const typename basic_maxwell_slip<T, Curve, Extra>::State& state, T v,
                            T load = 1) noexcept {
    using D = Dual<T, 2>;
    MaxwellJacobian<T> j{};
    const D u = D::variable(v, 1);
    for (int i = 0; i < law.count(); ++i) {
        const D r = rate(law, i, D::variable(state.F[i], 0), state.slipping[i], u, load);
        j.rate_F[i] = r.d[0];
        j.rate_v[i] = r.d[1];
    }
    j.force_v = loads(law, load).on_force * law.viscous(u).d[1];
    return j;
}

using MaxwellSlip = basic_maxwell_slip<double>;

}  // namespace bristle
