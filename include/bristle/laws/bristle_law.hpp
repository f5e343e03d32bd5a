// Common part of all laws with one bristle: dz/dt = w - h(v) z, F = sigma0 z + sigma1 dz/dt + f(v), with an exact step.
//
// A law supplies  flow(state, v, load, dt), sigma0, damping(v), viscous(v), and curve or level(): the curve of its flow.
// tests/conformance compares both. The functions below then give
//   rate(law, z, v, load)          dz/dt at an instant                                        [m/s]
//   force(law, z, v, load)         F at an instant                                            [N]
//   hold(law, state, v, dt, load)  the step with v held: one evaluation of the law; .force is the mean force [N]
//   finish(law, state, hold, dt)   sets the state to the end of that step; returns forces [N] and energies [J]
//   hamiltonian(law, state, load)  stored energy sigma0 z^2/2                                 [J]
// With v held the bristle relaxes exponentially, so the step is exact for every dt:
//   mean F * v dt = H(end) - H(start) + D      to rounding; D has its own closed form.
//
// Normal load N >= 0 [N], two conventions. LoadOn::curve: g = N mu(v), the other terms do not depend on N.
// LoadOn::all: F = N (sigma0 z + sigma1 dz/dt + sigma2 v), K08 (1), with the mu-curve K08 (2) in the rate; N scales F, H
// and D only. With the coefficients of K08 (3) this is K08 (4).
// N = 0 under LoadOn::curve releases the bristle: its energy is dissipated and the viscous term remains. N is held during
// a step. Work done by a change of N between steps does not pass the port v, F and is not recorded here.
// Over a curve that grows with the load (TakesLoad: laws/gear.hpp) N acts inside the curve and is no factor; load_on has no
// meaning there. Shared functions therefore use curve_under(law, N) and the factors loads(law, N).
// A call without a load uses the neutral load, under which the parameters are forces: N = 1, or N = 0 with TakesLoad.
#pragma once
#include <bristle/curve.hpp>
#include <bristle/relaxation.hpp>

namespace bristle {

enum class LoadOn { curve, all };
inline constexpr Choice load_on_choice{"load_on", "the load multiplies the curve or the whole force", {"curve", "all"}};

// Properties that a law guarantees; tests/conformance checks each of them.
struct Guarantees {
    bool bounded = false;  // P1: |z| stays within peak/sigma0
    bool odd = false;      // the mirrored motion gives the mirrored force, bit by bit
    bool exact = false;    // one step with v held equals many steps with the same v
    bool settles = false;  // with v held, F tends to the steady-state force F_ss(v), A08 (3)
};

// Forces and energies of one step. Signs: force opposes the motion of the plant; work is done on the contact.
template <class T>
struct Step {
    T force;             // mean over the step                        [N]
    T force_end;         // at the end of the step                    [N]
    T work;              // done on the contact: force * v * dt       [J]
    T dissipation;       // energy dissipated, by its own closed form  [J]
    bool stuck = false;  // a static law at v = 0: every force in [low, high] is possible
    T low, high;         // admissible forces; both equal force_end unless stuck  [N]
};

// dz/dt = w - h z = h (target - z)
template <class S>
struct Flow {
    S w;       // [m/s]; equals v, except in a law that shifts it
    S h;       // [1/s]
    S target;  // [m]
};

template <class T>
struct BristleState {
    T z{};  // mean bristle deflection [m]
};

// Factors of the normal load.
template <class T>
struct Loads {
    T on_curve, on_force;
};
// Laws over a curve that grows with the load.
template <class Law>
concept LoadInCurve = requires {
    requires TakesLoad<decltype(Law::curve)>;
};
// Load under which the parameters of the law are forces, without a factor [N].
template <class Law>
inline constexpr typename Law::scalar neutral_load = typename Law::scalar(LoadInCurve<Law> ? 0 : 1);

// Returns the factors of the load: {1, N} for LoadOn::all, which is K08 (3); {N, 1} for LoadOn::curve; {1, 1} if the load acts
// inside the curve.
template <class Law, class T>
constexpr Loads<T> loads(const Law& law, T load) noexcept {
    if constexpr (LoadInCurve<Law>)
        return {T(1), T(1)};
    else
        return law.load_on == LoadOn::all ? Loads<T>{T(1), load} : Loads<T>{load, T(1)};
}

namespace detail {

// Returns the curve of a law: its member curve, or level() for a law that has none.
template <class Law>
constexpr decltype(auto) curve_of(const Law& law) noexcept {
    if constexpr (requires { law.curve; })
        return (law.curve);
    else
        return law.level();
}

}  // namespace detail

// Returns the curve of a law under a load [N], without the factors of the load.
template <class Law, class S>
constexpr decltype(auto) curve_under(const Law& law, [[maybe_unused]] const S& load) noexcept {
    if constexpr (LoadInCurve<Law>)
        return law.curve.under(load);
    else
        return detail::curve_of(law);
}
// Returns the law over that curve.
template <class Law>
constexpr decltype(auto) law_under(const Law& law, [[maybe_unused]] const typename Law::scalar& load) noexcept {
    if constexpr (LoadInCurve<Law>)
        return law.over(law.curve.under(load));
    else
        return (law);
}

// Returns x as a T, without derivatives: S is T or Dual<T, N>.
template <class T, class S>
constexpr T value_as(const S& x) noexcept {
    if constexpr (std::same_as<S, T>)
        return x;
    else
        return x.v;
}

// No viscous term beside sigma2 v.
struct NoExtra {
    template <class S>
    constexpr S operator()(const S&) const noexcept {
        return S(0);
    }
};

// Returns f(v) = sigma2 v + extra(v), with sigma2_negative instead of sigma2 if the side s of v is -1; viscous(v) of a law
// without these members.
template <class Law, class S>
S viscous_on(const Law& law, const S& s, const S& v) noexcept {
    if constexpr (requires { law.sigma2_negative; })
        return v * select(s < S(0), S(law.sigma2_negative), S(law.sigma2)) + law.extra(v);
    else
        return law.viscous(v);
}
template <class Law, class S>
S viscous_force(const Law& law, const S& v) noexcept {
    return viscous_on(law, side(v), v);
}

// True if the load is too small to deflect a bristle: zero, or sigma0/load overflows.
template <class T>
bool is_unloaded(const T& sigma0, const T& load) noexcept {
    return !(load > T(0)) || !isfinite(sigma0 / load);
}
// Flow of an unloaded bristle: z relaxes to 0 at once.
template <class S>
Flow<S> unloaded_flow() noexcept {
    return {S(0), S(std::numeric_limits<plain<S>>::infinity()), S(0)};
}
// Flow of a bristle over a curve, A08 (1), K08 (1): h = sigma0 |v|/(N g), target = sgn(v) N g/sigma0.
template <class S, class T>
Flow<S> curve_flow(const T& sigma0, const Grip<S>& grip, const S& v, T load) noexcept {
    if (is_unloaded(sigma0, load)) return unloaded_flow<S>();
    // quotients of parameters first: they can be computed in parallel with the curve
    return {v, grip.conductance * (sigma0 / load), grip.steady * (load / sigma0)};
}

template <class Law>
concept BristleLaw = requires {
    typename Law::bristle_law;
};
// Laws whose rate depends on the sign of dv/dt store the velocity of the last step in their state.
template <class Law>
concept RemembersVelocity = requires(typename Law::State state) {
    state.v;
};

// ---- at an instant -------------------------------------------------------------------------------------------------

// Returns dz/dt = w - h(v) z [m/s]: A08 (1), and the first line of K08 (1).
template <BristleLaw Law, class S>
S rate(const Law& law, const S& z, const S& v, typename Law::scalar load = neutral_load<Law>) noexcept {
    using T = typename Law::scalar;
    const auto [w, h, target] = law_under(law, load).flow(typename Law::State{}, v, loads(law, load).on_curve, T(1));
    return isfinite(h) ? S(w - h * z) : S(0);  // h is infinite without load
}

// Returns F = sigma0 z + sigma1 dz/dt + f(v) [N]: A08 (2), and with LoadOn::all the second line of K08 (1). With dz/dt
// inserted it is K08 (4).
template <BristleLaw Law, class S>
S force(const Law& law, const S& z, const S& v, typename Law::scalar load = neutral_load<Law>) noexcept {
    return loads(law, load).on_force * (law.sigma0 * z + law.damping(v) * rate(law, z, v, load) + law.viscous(v));
}

// ---- over a step ---------------------------------------------------------------------------------------------------

template <class S>
struct BristleHold {
    S force;    // mean over the step [N]
    S v;        // the held velocity
    S z_mean;   // [m]
    S dz;       // z(end) - z(start), without cancellation [m]
    S micro;    // sigma1 at v
    S viscous;  // f(v)
    Flow<S> flow;
    Relaxation<S> weights;
    S on_force;  // factor of the force from the load
};

// Returns the step along a flow that the caller has evaluated.
template <BristleLaw Law, class S>
[[gnu::always_inline]] inline BristleHold<S> hold_along(const Law& law, const typename Law::State& state, const S& v,
                                                        const Flow<S>& flow, typename Law::scalar dt,
                                                        typename Law::scalar load) noexcept {
    using T = typename Law::scalar;
    const auto n = loads(law, load);
    BristleHold<S> k;
    k.v = v;
    k.on_force = S(n.on_force);
    k.flow = flow;
    k.weights = relax(S(k.flow.h * dt));
    k.dz = k.weights.gain * (k.flow.target - state.z);
    k.z_mean = k.weights.phi * state.z + k.weights.one_minus_phi * k.flow.target;
    k.micro = isfinite(flow.h) ? S(law.damping(v)) : S(0);
    k.viscous = law.viscous(v);
    k.force = n.on_force * (law.sigma0 * k.z_mean + k.micro * k.dz * (T(1) / dt) + k.viscous);
    return k;
}
template <BristleLaw Law, class S>
[[gnu::always_inline]] inline BristleHold<S> hold(const Law& law, const typename Law::State& state, const S& v,
                                                  typename Law::scalar dt,
                                                  typename Law::scalar load = neutral_load<Law>) noexcept {
    return hold_along(law, state, v, law_under(law, load).flow(state, v, loads(law, load).on_curve, dt), dt, load);
}

// Returns the hold without derivatives, for finish.
template <class T, std::size_t N>
BristleHold<T> without_derivatives(const BristleHold<Dual<T, N>>& k) noexcept {
    return {k.force.v,
            k.v.v,
            k.z_mean.v,
            k.dz.v,
            k.micro.v,
            k.viscous.v,
            {k.flow.w.v, k.flow.h.v, k.flow.target.v},
            {k.weights.x.v, k.weights.decay.v, k.weights.gain.v, k.weights.phi.v, k.weights.one_minus_phi.v},
            k.on_force.v};
}

// Sets the state to the end of the step and returns its forces and energies.
template <BristleLaw Law, class T = typename Law::scalar>
[[gnu::always_inline]] inline Step<T> finish(const Law& law, typename Law::State& state, const BristleHold<T>& held,
                                             T dt) noexcept {
    const auto& [w, h, target] = held.flow;
    const auto& r = held.weights;
    const T v = held.v, z = state.z;
    state.z = relaxed(r, z, target);
    if constexpr (RemembersVelocity<Law>) state.v = v;
    // h dt * mean z^2; all terms are positive if z has the sign of v
    const T square =
        z * z * (T(0.5) * r.gain * (T(1) + r.decay)) + z * target * r.gain * r.gain + target * w * dt * loss(r);
    const T bristle = law.sigma0 * (square + (v - w) * dt * held.z_mean);
    Step<T> step;
    step.force = held.force;
    step.work = step.force * v * dt;
    step.dissipation = held.on_force * (bristle + held.micro * v * held.dz + v * held.viscous * dt);
    const T rate_end = r.decay > T(0) ? h * r.decay * (target - z) : T(0);  // h may be infinite
    step.force_end = held.on_force * (law.sigma0 * state.z + held.micro * rate_end + held.viscous);
    step.low = step.high = step.force_end;
    return step;
}

template <BristleLaw Law>
typename Law::scalar hamiltonian(const Law& law, const typename Law::State& state,
                                 typename Law::scalar load = neutral_load<Law>) noexcept {
    using T = typename Law::scalar;
    return loads(law, load).on_force * (T(0.5) * law.sigma0 * state.z * state.z);
}

// ---- derivatives ---------------------------------------------------------------------------------------------------

// Partial derivatives of rate and force at (z, v); at v = 0 those for v -> 0+. At v = 0 and sigma0 z = F_d they are the
// coefficients of A08 (13): rate_v = (Fs - F_d)/Fs, force_v = sigma1 (Fs - F_d)/Fs, force_z = sigma0.
template <class T>
struct Jacobian {
    T rate_z;   // [1/s]
    T rate_v;   // [1]
    T force_z;  // [N/m]
    T force_v;  // [N s/m]
};

template <class Law>
Jacobian<typename Law::scalar> jacobian(const Law& law, const typename Law::State& state, typename Law::scalar v,
                                        typename Law::scalar load = neutral_load<Law>) noexcept {
    using D = Dual<typename Law::scalar, 2>;
    const D z = D::variable(state.z, 0), u = D::variable(v, 1);
    const D r = rate(law, z, u, load), f = force(law, z, u, load);
    return {r.d[0], r.d[1], f.d[0], f.d[1]};
}

// Returns the bristle damping [N s/m] that gives a mass in stick the damping ratio zeta: 2 zeta sqrt(sigma0 m) - sigma2,
// A08 property 4, condition ii).
template <class T>
T microdamping(T sigma0, T mass, T zeta, T sigma2) noexcept {
    return T(2) * zeta * sqrt(sigma0 * mass) - sigma2;
}

// Returns the bristle stiffness [N/m] of a contact with a static level Fs [N] that breaks away after a presliding distance zs [m]:
// sigma0 = Fs/zs. If a position sensor shows no presliding, its resolution as zs gives the smallest sigma0 that agrees with that.
template <class T>
constexpr T presliding_stiffness(T Fs, T zs) noexcept {
    return Fs / zs;
}

namespace detail {

template <class Curve>
constexpr const char* viscous_name() {
    if constexpr (requires { Curve::viscous_name; })
        return Curve::viscous_name;
    else
        return "sigma2";
}
template <class Curve, class Self, class Visit>
constexpr void viscous_parameters(Self& self, Visit& visit) {
    Parameter p{viscous_name<Curve>(), "N s/m", "viscous friction", bound::nonnegative, 0.4};
    p.member = "sigma2";
    visit(p, self.sigma2);
    p.doc = "viscous friction for v < 0";
    p.fallback = p.name;
    p.group = "negative";
    p.member = "sigma2_negative";
    visit(p, self.sigma2_negative);
}

// Visits the parameters that every bristle law over a curve has.
template <class Self, class Visit>
constexpr void bristle_parameters(Self& self, Visit& visit) {
    using Curve = std::remove_cvref_t<decltype(self.curve)>;
    visit(Parameter{"sigma0", "N/m", "bristle stiffness", bound::positive, 1e5}, self.sigma0);
    visit(Parameter{"sigma1", "N s/m", "bristle damping (microdamping)", bound::nonnegative, 316.22776601683796},
          self.sigma1);
    viscous_parameters<Curve>(self, visit);
    Curve::parameters(self.curve, inside("curve.", visit));
}
template <class Law, class Sink>
constexpr void load_rules(const Law& law, Sink& sink) {
    if (LoadInCurve<Law> && law.load_on == LoadOn::all)
        sink(Problem{{load_on_choice.name, "1", "", bound::nonnegative},
                     double(law.load_on),
                     "must be curve: the load acts inside the curve of this law"});
}
template <class Law, class Sink>
constexpr void bristle_curve_rules(const Law& law, Sink& sink) {
    law.curve.rules(sink);
    if constexpr (requires { law.curve.bristle_rules(sink); }) law.curve.bristle_rules(sink);
    load_rules(law, sink);
}
}  // namespace detail
}  // namespace bristle
