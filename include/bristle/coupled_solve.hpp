// The scalar equation of a coupled step, and its root for each family of laws. coupled.hpp is the way in.
//
//   miss(w) = w - v - gain (F_ext(w) - F_mean(z, w, dt)) = 0
// gain = dt/(2 m): w is the midpoint velocity; gain = dt/m: w is the velocity at the end, held over the step.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/root.hpp>

namespace bristle {

// What a drive may look at: the step (or sub-step) with the velocity w held.
template <class S, class T>
struct Interval {
    T t;   // time of its middle since the start of the whole step [s]
    T x0;  // position at its start [m]
    S x1;  // position at its end [m]: x0 + dt w
    S w;   // held velocity [m/s]
    S middle() const noexcept { return T(0.5) * (x0 + x1); }
};

namespace detail {

template <class T, class Hold>
struct Trial {
    T miss, slope, tolerance, noise;
    T w, external;
    Hold held;  // without derivatives
};

// The force that stands in the bristles [N].
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

// A step of size dt from (x, v), t seconds into the whole step.
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
    bool stop_at_reversal = false;  // do not look for the root once it is known to reverse v

    template <class S>
    S external(const S& w) const noexcept {
        if constexpr (std::convertible_to<Drive, T>)
            return S(T(drive));
        else
            return drive(Interval<S, T>{t + T(0.5) * dt, x, x + dt * w, w});
    }
    // A miss R leaves the energy balance open by m (v+ - v) R and the velocity wrong by about R: the tolerance keeps the
    // first within some hundred roundings of the energies and the second below 1e-10 of the velocity (float: 64 roundings).
    template <class Hold>
    [[gnu::always_inline]] inline auto judge(const D& w, const Hold& held) const noexcept {
        const D pull = external(w), miss = w - v - gain * (pull - held.force);
        const T change = abs(w.v - v), size = abs(w.v) + abs(v), eps = T(epsilon<T>);
        // terms that may cancel in the forces: the bristle's own, and a spring's k x, with d(pull)/dw = -k dt/2
        const T terms = abs(pull.v) + abs(held.force.v) + tension + abs(pull.d[0] * x) * (T(2) / dt);
        const T noise = eps * gain * terms;
        const T loose = T(larger(1e-10, double(64 * epsilon<T>))) * size;
        const T tight =
            T(12) * eps * (size * size + (T(4) * gain / dt) * stored);  // over change, without dividing by zero
        const T wanted = (tight < loose * change ? tight / change : loose) + noise;
        return Trial<T, decltype(lowered(held))>{miss.v, miss.d[0], wanted,       wanted + T(16) * noise,
                                                 w.v,    pull.v,    lowered(held)};
    }
    auto operator()(T w) const noexcept {
        const D u = D::variable(w);
        return judge(u, hold(law, state, u, dt, load));
    }
    StepEquation shortened(T shorter) const noexcept {
        StepEquation e = *this;
        e.dt = shorter;
        e.gain = gain * shorter / dt;
        e.stop_at_reversal = false;
        return e;
    }
};

// Mean force at w = 0. Free, but for curves that let a bristle creep at rest.
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

// How far F_mean can point along w at most: F_mean sgn(w) >= -give_back.
template <class Law, class Drive>
scalar_of<Law> give_back(const StepEquation<Law, Drive>& e) noexcept {
    using T = scalar_of<Law>;
    if constexpr (requires { e.state.z; }) {
        T z = abs(e.state.z);
        if constexpr (RemembersVelocity<Law>)
            z = z + T(2) * e.law.curve.peak() * loads(e.law, e.load).on_curve /
                        e.law.sigma0;  // the shift drags z against v
        return (stick_stiffness(e.law, e.load) + stick_damping(e.law, e.load) / e.dt) * z;
    } else {
        return e.tension;
    }
}

// ---- laws whose mean force is continuous in w ----------------------------------------------------------------------

template <class Law, class Drive, class T>
auto solve_continuous(const StepEquation<Law, Drive>& e, T guess, int& evaluations) noexcept {
    // the value at w = 0 tells the side of the root; beyond far, inertia outweighs whatever the law can give back
    const T pull = e.external(T(0));
    const T at_rest = -e.v - e.gain * (pull - force_at_rest(e.law, e.state, e.dt, e.load, evaluations));
    if (Real<T> && at_rest == T(0)) {  // nothing moves, and no side is to be preferred
        ++evaluations;
        return e(T(0));
    }
    const T direction = at_rest > T(0) ? T(-1) : T(1), tiny = T(std::numeric_limits<plain<T>>::min());
    const T reach = direction * (e.v + e.gain * pull) + e.gain * give_back(e);
    const T near = direction * tiny, far = direction * larger(T(1.01) * reach, T(4) * tiny);
    if (!e.stop_at_reversal) return find_root(e, near, far, guess, evaluations);
    // v+ = 2 w - v reverses v where w lies short of v/2, or on the other side
    const bool across = direction * e.v < T(0);
    return find_root(e, near, far, across ? near : guess, evaluations, across ? abs(far) : T(0.5) * abs(e.v));
}

template <class Law, class Drive, class T>
auto solve(const StepEquation<Law, Drive>& e, T guess, int& evaluations) noexcept {
    return solve_continuous(e, guess, evaluations);
}

// ---- Maxwell-slip: elements that slip jump where w passes through 0, and the jump is filled in ----------------------

template <class T, class Curve, class Extra, class Drive>
auto solve(const StepEquation<basic_maxwell_slip<T, Curve, Extra>, Drive>& e, T guess, int& evaluations) noexcept {
    using D = Dual<T, 1>;
    T direction = T(0);  // in which elements slip; all those that do slip the same way
    for (int i = 0; i < e.law.count(); ++i) direction = e.state.slipping[i] ? T(e.state.slipping[i]) : direction;
    const T stuck = -e.v - e.gain * (e.external(T(0)) - force(e.law, e.state, T(0), e.load));
    if (stuck * direction < T(0) && !is_unloaded(e.law.C, loads(e.law, e.load).on_curve)) {
        ++evaluations;
        const auto slipping = e(direction * T(std::numeric_limits<plain<T>>::min()));
        // slow to a stop after a share of the step, in which the elements still follow the level
        if (slipping.miss * direction > T(0)) {
            const auto stopping = [&](T share) {
                auto trial =
                    e.judge(D(T(0)), hold_stopping(e.law, e.state, direction, D::variable(share), e.dt, e.load));
                trial.miss = trial.miss * direction;  // rises with the share for either direction
                trial.slope = trial.slope * direction;
                return trial;
            };
            return find_root(stopping, T(0), T(1), T(0.5), evaluations);
        }
    }
    return solve_continuous(e, guess, evaluations);
}

// ---- the hysteretic law: its force jumps where w = v, and the jump is filled in ------------------------------------

template <class T, class Curve, class Extra, class Drive>
auto solve(const StepEquation<basic_hysteretic<T, Curve, Extra>, Drive>& e, T guess, int& evaluations) noexcept {
    using D = Dual<T, 1>;
    const auto on_branch = [&](D w, D b) {
        const auto flow = e.law.flow_on(e.state, w, b, loads(e.law, e.load).on_curve, e.dt);
        return e.judge(w, hold_along(e.law, e.state, w, flow, e.dt, e.load));
    };
    const auto up = on_branch(D(e.v), D(T(1))), down = on_branch(D(e.v), D(T(-1)));
    evaluations += 2;
    const T tiny = T(std::numeric_limits<plain<T>>::min());
    const bool rises = up.miss < T(0);
    const bool falls = down.miss > T(0);
    if (rises || falls) {  // the mass speeds up or slows down; where both are consistent it goes on as before
        const T b = rises && falls ? side(guess - e.v) : rises ? T(1) : T(-1);
        const T reach =
            e.gain * (b * e.external(T(e.v)) + give_back(e) + loads(e.law, e.load).on_force * abs(e.law.viscous(e.v)));
        const T far = e.v + b * larger(T(1.01) * reach, tiny);
        const auto trial = [&](T w) { return on_branch(D::variable(w), D(b)); };
        // the force is steepest where the bristle stands still, w = -b a: distances are counted from there
        const T still = -b * e.law.shift(e.state.z);
        if ((still - e.v) * b <= T(0) || (far - still) * b <= T(0))
            return find_root(trial, e.v, far, guess, evaluations);
        ++evaluations;
        return find_root(trial, still, trial(still).miss * b < T(0) ? far : e.v, guess, evaluations);
    }
    // v stays: the b that holds it, counted from b = 0 for the same reason
    ++evaluations;
    const auto trial = [&](T b) { return on_branch(D(e.v), D::variable(b)); };
    const auto middle = trial(T(0));
    if (middle.miss == T(0)) return middle;
    const T to = middle.miss < T(0) ? T(1) : T(-1);
    return find_root(trial, to * tiny, to, T(0), evaluations);
}

// ---- more than one root --------------------------------------------------------------------------------------------

inline constexpr int max_rungs = 6, max_nearby = 7;

// The root next to a known one: plain Newton, on the same side of w = 0, and the safe search where that fails.
template <class Law, class Drive, class T>
auto solve_nearby(const StepEquation<Law, Drive>& e, T known, int& evaluations) noexcept {
    auto now = e(known);
    ++evaluations;
    for (int i = 1; i < max_nearby && abs(now.miss) > now.tolerance; ++i) {
        const T next = now.w - now.miss / now.slope;
        if (!(next * known > T(0))) break;
        now = e(next);
        ++evaluations;
    }
    return abs(now.miss) > now.noise ? solve(e, known, evaluations) : now;
}

// The root continued from dt -> 0: from a step that surely has one root up to dt, each rung starting at the root below.
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
