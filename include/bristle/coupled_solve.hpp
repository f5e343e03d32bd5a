// The scalar equation of a coupled step, and its root for each family of laws. Called by advance() in coupled.hpp.
//
//   residual(w) = w - v - gain (F_ext(w) - F_mean(z, w, dt)) = 0
// gain = dt/(2 m): w is the midpoint velocity; gain = dt/m: w is the end velocity, held over the step.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/root.hpp>

namespace bristle {

// Argument of a drive: the step (or sub-step) with the velocity w held.
template <class S, class T>
struct Interval {
    T t;   // time of its midpoint since the start of the whole step [s]
    T x0;  // position at its start [m]
    S x1;  // position at its end [m]: x0 + dt w
    S w;   // held velocity [m/s]
    S middle() const noexcept { return T(0.5) * (x0 + x1); }
};

namespace detail {

template <class T, class Hold>
struct Trial {
    T residual, slope, tolerance, noise;
    T w, external;
    Hold held;  // without derivatives
};

// Returns the sum of the magnitudes of the bristle forces [N].
template <class Law>
scalar_of<Law> tension_of(const Law& law, const typename Law::State& state, scalar_of<Law> load) noexcept {
    using T = scalar_of<Law>;
    if constexpr (StaticLaw<Law>) {
        return T(0);
    } else if constexpr (requires { state.z; }) {
        return stick_stiffness(law, load) * abs(state.z);
    } else {
        T sum = T(0);
        for (int i = 0; i < law.count(); ++i) sum = sum + abs(state.F[i]);
        return loads(law, load).on_force * sum;
    }
}

// The equation of a step of size dt from (x, v), t seconds after the start of the whole step.
template <class Law, class Drive>
struct StepEquation {
    using T = scalar_of<Law>;
    using D = Dual<T, 1>;
    const Law& law;
    const typename Law::State& state;
    const Drive& drive;
    T x, v, t, load, dt, gain;
    T tension = tension_of(law, state, load);
    T stored = hamiltonian(law, state, load);
    bool stop_at_reversal = false;  // ends the search once the root is known to reverse v

    template <class S>
    S external(const S& w) const noexcept {
        if constexpr (std::convertible_to<Drive, T>)
            return S(T(drive));
        else
            return drive(Interval<S, T>{t + T(0.5) * dt, x, x + dt * w, w});
    }
    // A residual R leaves an error of m (v+ - v) R in the energy balance and of about R in the velocity. The tolerance
    // keeps the first within some hundred roundings of the energies, the second below 1e-10 of v (float: 64 roundings).
    template <class Hold>
    [[gnu::always_inline]] inline auto trial_of(const D& w, const Hold& held) const noexcept {
        const D pull = external(w), residual = w - v - gain * (pull - held.force);
        const T change = abs(w.v - v), size = abs(w.v) + abs(v), eps = T(epsilon<T>);
        // terms that may cancel in the forces: the bristle force, and k x of a spring, with d(pull)/dw = -k dt/2
        const T terms = abs(pull.v) + abs(held.force.v) + tension + abs(pull.d[0] * x) * (T(2) / dt);
        const T noise = eps * gain * terms;
        const T loose = T(larger(1e-10, double(64 * epsilon<T>))) * size;
        const T tight =
            T(12) * eps * (size * size + (T(4) * gain / dt) * stored);  // over change, without dividing by zero
        const T wanted = (tight < loose * change ? tight / change : loose) + noise;
        return Trial<T, decltype(without_derivatives(held))>{
            residual.v, residual.d[0], wanted, wanted + T(16) * noise, w.v, pull.v, without_derivatives(held)};
    }
    auto operator()(T w) const noexcept {
        const D u = D::variable(w);
        return trial_of(u, hold(law, state, u, dt, load));
    }
    StepEquation shortened(T shorter) const noexcept {
        StepEquation e = *this;
        e.dt = shorter;
        e.gain = gain * shorter / dt;
        e.stop_at_reversal = false;
        return e;
    }
};

// Returns the mean force at w = 0 [N]. Needs no evaluation of the law unless its bristle creeps at rest.
template <class Law>
scalar_of<Law> force_at_rest(const Law& law, const typename Law::State& state, scalar_of<Law> dt, scalar_of<Law> load,
                             int& evaluations) noexcept {
    using T = scalar_of<Law>;
    const auto n = loads(law, load);
    if constexpr (StaticLaw<Law>) {
        return T(0);
    } else if constexpr (requires { state.z; }) {
        if (std::remove_cvref_t<decltype(curve_of(law))>::sticks && !is_unloaded(law.sigma0, n.on_curve))
            return n.on_force * law.sigma0 * state.z;
        ++evaluations;
        return hold(law, state, T(0), dt, load).force;
    } else {
        return is_unloaded(law.C, n.on_curve) ? T(0) : force(law, state, T(0), load);
    }
}

// Returns a bound B >= 0 [N] on the force that the bristle exerts along w: F_mean sgn(w) >= -B.
template <class Law, class Drive>
scalar_of<Law> max_assisting_force(const StepEquation<Law, Drive>& e) noexcept {
    using T = scalar_of<Law>;
    if constexpr (requires { e.state.z; }) {
        T z = abs(e.state.z);
        if constexpr (RemembersVelocity<Law>)
            z = z + T(2) * e.law.curve.peak() * loads(e.law, e.load).on_curve /
                        e.law.sigma0;  // the shift a can move z against v
        return (stick_stiffness(e.law, e.load) + stick_damping(e.law, e.load) / e.dt) * z;
    } else {
        return e.tension;
    }
}

// ---- laws whose mean force is continuous in w ----------------------------------------------------------------------

template <class Law, class Drive, class T>
auto solve_continuous(const StepEquation<Law, Drive>& e, T guess, int& evaluations) noexcept {
    // the value at w = 0 gives the side of the root; beyond far, inertia exceeds the largest assisting force
    const T pull = e.external(T(0));
    const T at_rest = -e.v - e.gain * (pull - force_at_rest(e.law, e.state, e.dt, e.load, evaluations));
    if (Real<T> && at_rest == T(0)) {  // w = 0 is the root
        ++evaluations;
        return e(T(0));
    }
    const T direction = at_rest > T(0) ? T(-1) : T(1), tiny = T(std::numeric_limits<plain<T>>::min());
    const T reach = direction * (e.v + e.gain * pull) + e.gain * max_assisting_force(e);
    const T near = direction * tiny, far = direction * larger(T(1.01) * reach, T(4) * tiny);
    if (!e.stop_at_reversal) return find_root(e, near, far, guess, evaluations);
    // v+ = 2 w - v reverses v if w is closer to 0 than v/2, or has the other sign
    const bool across = direction * e.v < T(0);
    return find_root(e, near, far, across ? near : guess, evaluations, across ? abs(far) : T(0.5) * abs(e.v));
}

template <class Law, class Drive, class T>
auto solve(const StepEquation<Law, Drive>& e, T guess, int& evaluations) noexcept {
    return solve_continuous(e, guess, evaluations);
}

// ---- Maxwell-slip: the force of slipping elements jumps at w = 0; the root may lie within the jump ------------------

template <class T, class Curve, class Extra, class Drive>
auto solve(const StepEquation<basic_maxwell_slip<T, Curve, Extra>, Drive>& e, T guess, int& evaluations) noexcept {
    using D = Dual<T, 1>;
    T direction = T(0);  // direction of slip, common to all slipping elements; 0 if none slips
    for (int i = 0; i < e.law.count(); ++i) direction = e.state.slipping[i] ? T(e.state.slipping[i]) : direction;
    const T stuck = -e.v - e.gain * (e.external(T(0)) - force(e.law, e.state, T(0), e.load));
    if (stuck * direction < T(0) && !is_unloaded(e.law.C, loads(e.law, e.load).on_curve)) {
        ++evaluations;
        const auto slipping = e(direction * T(std::numeric_limits<plain<T>>::min()));
        // the motion stops after a fraction of the step, during which the elements still follow the level
        if (slipping.residual * direction > T(0)) {
            const auto stopping = [&](T fraction) {
                auto trial =
                    e.trial_of(D(T(0)), hold_stopping(e.law, e.state, direction, D::variable(fraction), e.dt, e.load));
                trial.residual = trial.residual * direction;  // rises with the fraction for both directions
                trial.slope = trial.slope * direction;
                return trial;
            };
            return find_root(stopping, T(0), T(1), T(0.5), evaluations);
        }
    }
    return solve_continuous(e, guess, evaluations);
}

// ---- the hysteretic law: its force jumps at w = v; the root may lie within the jump ---------------------------------

template <class T, class Curve, class Extra, class Drive>
auto solve(const StepEquation<basic_hysteretic<T, Curve, Extra>, Drive>& e, T guess, int& evaluations) noexcept {
    using D = Dual<T, 1>;
    const auto on_branch = [&](D w, D b) {
        const auto flow = e.law.flow_on(e.state, w, b, loads(e.law, e.load).on_curve, e.dt);
        return e.trial_of(w, hold_along(e.law, e.state, w, flow, e.dt, e.load));
    };
    const auto up = on_branch(D(e.v), D(T(1))), down = on_branch(D(e.v), D(T(-1)));
    evaluations += 2;
    const T tiny = T(std::numeric_limits<plain<T>>::min());
    const bool rises = up.residual < T(0);
    const bool falls = down.residual > T(0);
    if (rises || falls) {  // v changes; if both branches are consistent, the guess selects one
        const T b = rises && falls ? side(guess - e.v) : rises ? T(1) : T(-1);
        const T reach = e.gain * (b * e.external(T(e.v)) + max_assisting_force(e) +
                                  loads(e.law, e.load).on_force * abs(e.law.viscous(e.v)));
        const T far = e.v + b * larger(T(1.01) * reach, tiny);
        const auto trial = [&](T w) { return on_branch(D::variable(w), D(b)); };
        // the force is steepest where the shifted velocity w + b a is 0: distances are measured from there
        const T still = -b * e.law.shift(e.state.z);
        if ((still - e.v) * b <= T(0) || (far - still) * b <= T(0))
            return find_root(trial, e.v, far, guess, evaluations);
        ++evaluations;
        return find_root(trial, still, trial(still).residual * b < T(0) ? far : e.v, guess, evaluations);
    }
    // v is constant: search the b in [-1, 1] that balances the forces, with distances from b = 0
    ++evaluations;
    const auto trial = [&](T b) { return on_branch(D(e.v), D::variable(b)); };
    const auto middle = trial(T(0));
    if (middle.residual == T(0)) return middle;
    const T to = middle.residual < T(0) ? T(1) : T(-1);
    return find_root(trial, to * tiny, to, T(0), evaluations);
}

// ---- more than one root --------------------------------------------------------------------------------------------

inline constexpr int max_rungs = 6, max_nearby = 7;

// Returns the root next to a known one: Newton on the same side of w = 0; the bracketed search if Newton fails.
template <class Law, class Drive, class T>
auto solve_nearby(const StepEquation<Law, Drive>& e, T known, int& evaluations) noexcept {
    auto now = e(known);
    ++evaluations;
    for (int i = 1; i < max_nearby && abs(now.residual) > now.tolerance; ++i) {
        const T next = now.w - now.residual / now.slope;
        if (!(next * known > T(0))) break;
        now = e(next);
        ++evaluations;
    }
    return abs(now.residual) > now.noise ? solve(e, known, evaluations) : now;
}

// Returns the root continued from dt -> 0: from a step with exactly one root up to dt, each step size starting from the
// root of the smaller one. At most max_rungs step sizes after the first.
template <class Law, class Drive, class T>
auto solve_continued(const StepEquation<Law, Drive>& e, T sure, T guess, int& evaluations) noexcept {
    const T ratio = e.dt / sure;
    int rungs = 1;
    while (rungs < max_rungs && ratio > T(1 << rungs)) ++rungs;
    const T factor = exp(log(ratio) / T(rungs));
    auto found = solve(e.shortened(sure), T(e.v + (guess - e.v) / ratio), evaluations);
    T dt = sure;
    for (int i = 1; i < rungs; ++i) found = solve_nearby(e.shortened(dt = dt * factor), found.w, evaluations);
    return solve_nearby(e.shortened(e.dt), found.w, evaluations);
}

}  // namespace detail
}  // namespace bristle
