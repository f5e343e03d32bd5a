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
    T miss, slope, tolerance;
    T w, external;
    Hold held;
};

// A step of size dt from (x, v), t seconds into the whole step.
template <class Law, class Drive>
struct StepEquation {
    using T = scalar_of<Law>;
    using D = Dual<T, 1>;
    const Law& law;
    const typename Law::State& state;
    const Drive& drive;
    T x, v, t, load, dt, gain;
    bool stop_at_reversal = false;  // do not look for the root once it is known to reverse v

    template <class S>
    S external(const S& w) const noexcept {
        if constexpr (std::convertible_to<Drive, T>)
            return S(T(drive));
        else
            return drive(Interval<S, T>{t + T(0.5) * dt, x, x + dt * w, w});
    }
    // A miss R leaves the energy balance open by m (v+ - v) R and the velocity wrong by about R: the tolerance keeps the
    // first within 500 roundings of the kinetic energy and the second below 1e-10 (square root of rounding for float).
    template <class Hold>
    Trial<T, Hold> judge(const D& w, const Hold& held) const noexcept {
        const D pull = external(w), miss = w - v - gain * (pull - held.force);
        const T change = abs(w.v - v), size = abs(w.v) + abs(v), eps = T(epsilon<T>);
        const T noise = T(8) * eps * gain * (abs(pull.v) + abs(held.force.v));
        const T loose = T(larger(1e-10, double(64 * epsilon<T>))) * size;
        const T tight = T(500) * eps * size * size;  // over change, without dividing by zero
        return {miss.v, miss.d[0], (tight < loose * change ? tight / change : loose) + noise, w.v, pull.v, held};
    }
    auto operator()(T w) const noexcept {
        const D u = D::variable(w);
        return judge(u, hold(law, state, u, dt, load));
    }
    StepEquation shortened(T shorter) const noexcept {
        StepEquation e = *this;
        e.dt = shorter;
        e.gain = gain * shorter / dt;
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
        if (std::remove_cvref_t<decltype(curve_of(law))>::sticks && n.on_curve > T(0))
            return n.on_force * law.sigma0 * state.z;
        ++evaluations;
        return hold(law, state, T(0), dt, load).force;
    } else {
        return force(law, state, T(0), load);
    }
}

// How far F_mean can point along w at most: F_mean sgn(w) >= -give_back.
template <class Law>
scalar_of<Law> give_back(const Law& law, const typename Law::State& state, scalar_of<Law> dt,
                         scalar_of<Law> load) noexcept {
    using T = scalar_of<Law>;
    const auto n = loads(law, load);
    if constexpr (StaticLaw<Law>) {
        return T(0);
    } else if constexpr (requires { state.z; }) {
        T z = abs(state.z);
        if constexpr (requires { state.v; })
            z = z + T(2) * law.curve.peak() * n.on_curve / law.sigma0;  // the shift drags z against v
        return (stick_stiffness(law, load) + stick_damping(law, load) / dt) * z;
    } else {
        T sum = T(0);
        for (int i = 0; i < law.size; ++i) sum = sum + abs(state.F[i]);
        return n.on_force * sum;
    }
}

// ---- laws whose mean force is continuous in w ----------------------------------------------------------------------

template <class Law, class Drive, class T>
auto solve(const StepEquation<Law, Drive>& e, T guess, int& evaluations) noexcept {
    // the value at w = 0 tells the side of the root; beyond far, inertia outweighs whatever the law can give back
    const T pull = e.external(T(0));
    const T at_rest = -e.v - e.gain * (pull - force_at_rest(e.law, e.state, e.dt, e.load, evaluations));
    const T direction = at_rest > T(0) ? T(-1) : T(1), tiny = T(std::numeric_limits<plain<T>>::min());
    const T reach = direction * (e.v + e.gain * pull) + e.gain * give_back(e.law, e.state, e.dt, e.load);
    const T near = direction * tiny, far = direction * larger(T(1.01) * reach, T(4) * tiny);
    if (!e.stop_at_reversal) return find_root(e, near, far, guess, evaluations);
    // v+ = 2 w - v reverses v where w lies short of v/2, or on the other side
    const bool across = direction * e.v < T(0);
    return find_root(e, near, far, across ? near : guess, evaluations, across ? abs(far) : T(0.5) * abs(e.v));
}

// ---- the hysteretic law: its force jumps where w = v, and the jump is filled in ------------------------------------

template <class T, class Curve, class Drive>
auto solve(const StepEquation<basic_hysteretic<T, Curve>, Drive>& e, T guess, int& evaluations) noexcept {
    using D = Dual<T, 1>;
    const auto on_branch = [&](D w, D b) {
        const auto flow = e.law.flow_on(e.state, w, b, loads(e.law, e.load).on_curve, e.dt);
        return e.judge(w, hold_along(e.law, e.state, w, flow, e.dt, e.load));
    };
    const auto up = on_branch(D(e.v), D(T(1))), down = on_branch(D(e.v), D(T(-1)));
    evaluations += 2;
    if (up.miss < T(0) || down.miss > T(0)) {  // the mass speeds up or slows down: the branch is known
        const T b = up.miss < T(0) ? T(1) : T(-1);
        const T reach =
            e.gain * (b * e.external(T(e.v)) + give_back(e.law, e.state, e.dt, e.load) + abs(e.law.viscous(e.v)));
        const T far = e.v + b * larger(T(1.01) * reach, T(std::numeric_limits<plain<T>>::min()));
        return find_root([&](T w) { return on_branch(D::variable(w), D(b)); }, e.v, far, guess, evaluations);
    }
    // v stays: the b that holds it
    return find_root([&](T b) { return on_branch(D(e.v), D::variable(b)); }, T(-1), T(1), T(0), evaluations);
}

// ---- more than one root --------------------------------------------------------------------------------------------

inline constexpr int most_rungs = 6;

// The root continued from dt -> 0: from a step that surely has one root up to dt, each rung starting at the root below.
template <class Law, class Drive, class T>
auto solve_continued(const StepEquation<Law, Drive>& equation, T sure, T guess, int& evaluations) noexcept {
    const T ratio = equation.dt / sure;
    int rungs = 1;
    while (rungs < most_rungs && ratio > T(1 << rungs)) ++rungs;
    const T factor = exp(log(ratio) / T(rungs));
    auto found = solve(equation.shortened(sure), T(equation.v + (guess - equation.v) / ratio), evaluations);
    T dt = sure;
    for (int i = 1; i < rungs; ++i) found = solve(equation.shortened(dt = dt * factor), found.w, evaluations);
    return solve(equation, found.w, evaluations);
}

}  // namespace detail
}  // namespace bristle
