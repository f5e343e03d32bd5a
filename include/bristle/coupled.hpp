// A mass and a contact advanced together: no drift in stick at any dt, energy exact.
//
//   m (v+ - v)/dt = F_ext - F_mean(z, w, dt),   w = (v + v+)/2,   x+ = x + dt w          exponential midpoint
// with z moved exactly under the held w. One scalar equation a step, of second order, and
//   m (v+^2 - v^2)/2 + H(z+) - H(z) + D + numerical = dt w F_ext     to rounding, numerical >= 0.
// Where the midpoint reverses v in a step that does not resolve the stick oscillation (dt sqrt(sigma0/m) > 2, or
// dt sigma1/m > 4) it would ring for ever; the step is taken again with v+ held instead, and m (v+ - v)^2/2 is booked as
// numerical dissipation. Dry static laws stop exactly: v+ = 0 whenever |m v/dt + F_ext| is not more than their level.
//
// Sub-steps: the error is made where the level changes (the curve's zone). A step that starts or is expected to end there
// is divided into Coupling::substeps; 1 turns this off where a hard bound on the time of a step counts.
// Bound: a search for the root takes at most 40 evaluations of the law (3 in practice, tests/coupled_test.cpp has the
// measured worst case), and a step without sub-steps at most two searches; following a root takes at most 7 more.
// Several roots: beyond largest_unique_step the equation may have three. With sub-steps on, the one taken is the root
// continued from dt -> 0, followed over at most 6 step sizes; with them off, and for static laws, it is the one Newton
// reaches from the extrapolated velocity. While v and the root lie on the same side outside the zone there is nothing to choose.
//
// External force: a number held over the step, or a callable  drive(const auto& i)  for forces that depend on position or
// velocity. Take a spring at the middle: k (y(i.t) - i.middle()). A potential V that is not quadratic needs its discrete
// gradient -(V(i.x1) - V(i.x0))/(i.x1 - i.x0), or the balance is not exact. A drive must not push harder the faster the
// mass moves along with it. A force taken at the start of the step makes the method first order.
#pragma once
#include <bristle/coupled_solve.hpp>

namespace bristle {

template <class T>
struct basic_motion {
    T x{};  // position [m]
    T v{};  // velocity [m/s]
    T a{};  // acceleration over the step before [m/s^2]; a and j only give the first guess
    T j{};  // its rate of change [m/s^3]
};

// A motion, and the books of the step that led there.
template <class T>
struct basic_advance : basic_motion<T> {
    T force{};               // mean friction force [N]
    T work{};                // done by the external force: dt w F_ext [J]
    T dissipation{};         // turned into heat by friction [J]
    T numerical{};           // taken out by the cure for ringing, >= 0 [J]
    int evaluations = 0;     // of the law
    bool stuck = false;      // a dry static law holds the mass
    bool ambiguous = false;  // there may be several roots at this dt
};

template <class T>
struct basic_coupling {
    int substeps = 8;  // where the level changes; 1: none
    T load = T(1);     // normal load [N]
};

using Motion = basic_motion<double>;
using Coupling = basic_coupling<double>;

namespace detail {

// v and w on the same side of the zone, both slower or both faster.
template <class T>
bool same_regime(const SpeedZone<T>& zone, T v, T w) noexcept {
    const bool slow = abs(v) <= zone.low && abs(w) <= zone.low;
    const bool fast = abs(v) >= zone.high && abs(w) >= zone.high && (v > T(0)) == (w > T(0));
    return slow || fast;
}

// Whether there may be other roots: the inertia 1/gain does not exceed the steepest fall of the friction force, and the
// step does not stay on one side of the zone.
template <class Law, class Drive, class T>
bool ambiguous(const StepEquation<Law, Drive>& e, const Contact<Law>& contact, T w) noexcept {
    return !(T(1) > e.gain * fall_bound(e.law, contact.softening(), e.dt, e.load)) &&
           !same_regime(curve_of(e.law).zone(), e.v, w);
}

// The velocity at the end of the step.
template <class Trial, class T>
T end_velocity(const Trial& root, T v, T mass, T dt) noexcept {
    return v + dt * (root.external - root.held.force) / mass;
}

template <class Law, class Drive, class T>
auto solve_any(const StepEquation<Law, Drive>& e, const Contact<Law>& contact, T mass, T guess, bool follow,
               basic_advance<T>& out) noexcept {
    const auto found = solve(e, guess, out.evaluations);
    if (e.stop_at_reversal && e.v * end_velocity(found, e.v, mass, e.dt) < T(0)) return found;  // not a root yet
    if (!ambiguous(e, contact, found.w)) return found;
    out.ambiguous = true;
    if (!follow) return found;
    const T sure = surely_unique_step(e.law, contact.softening(), e.dt / e.gain, e.load);
    return solve_continued(e, sure, guess, out.evaluations);
}

// Books a found root: the motion, the contact's new state and the energies.
template <class Law, class Trial, class T>
void take(Contact<Law>& contact, const Trial& root, T mass, T dt, bool end_held, basic_advance<T>& s) noexcept {
    auto state = contact.state();
    const Step<T> friction = finish(contact.law(), state, root.held, dt);
    contact.set(state);
    const T dv = dt * (root.external - friction.force) / mass;
    s.x = s.x + dt * root.w;
    s.v = s.v + dv;
    const T a = dv * (T(1) / dt);
    s.j = (a - s.a) * (T(1) / dt);
    s.a = a;
    s.force = friction.force;
    s.work = s.work + dt * root.w * root.external;
    s.dissipation = s.dissipation + friction.dissipation;
    if (end_held) s.numerical = s.numerical + T(0.5) * mass * dv * dv;
}

// One step without sub-steps, t seconds into the whole.
template <class Law, class Drive, class T>
void advance_once(T mass, Contact<Law>& contact, const Drive& drive, T t, T dt, const basic_coupling<T>& how,
                  basic_advance<T>& s) noexcept {
    const T load = how.load;
    const bool follow = how.substeps > 1;
    if constexpr (requires { contact.state().v; })
        contact.set({contact.state().z, s.v});  // the branch is told by w - v
    StepEquation<Law, Drive> equation{contact.law(), contact.state(), drive, s.x, s.v, t, load, dt, dt / (T(2) * mass)};
    if constexpr (SticksExactly<Law>) {
        // the force that would stop the mass within the step: what slides has its sliding level to do it, what rests, or
        // is about to be turned round, the level of rest
        const T pull = equation.external(T(0)), stop = mass * s.v / dt + pull, direction = side(stop);
        const T hold = s.v * stop > T(0) ? abs(force(contact.law(), direction * T(0), load))
                                         : holding_force(contact.law(), direction, load);
        if (abs(stop) <= hold) {
            s.numerical = s.numerical + T(0.5) * mass * s.v * s.v;
            s.a = -s.v / dt;
            s.v = T(0);
            s.force = stop;
            s.stuck = true;
            return;
        }
        s.stuck = false;
        const auto slide = [&](T gain, T guess) {
            equation.gain = gain;
            const T tiny = T(std::numeric_limits<plain<T>>::min());
            const T far = larger(T(1.01) * direction * (s.v + gain * pull), T(4) * tiny);
            const auto root = find_root(equation, direction * tiny, direction * far, guess, s.evaluations);
            s.ambiguous = s.ambiguous || ambiguous(equation, contact, root.w);
            return root;
        };
        if (s.v * direction >= T(0)) {
            const auto root = slide(dt / (T(2) * mass), s.v + T(0.5) * dt * s.a);
            if (end_velocity(root, s.v, mass, dt) * direction > T(0)) return take(contact, root, mass, dt, false, s);
        }
        return take(contact, slide(dt / mass, s.v + dt * s.a), mass, dt, true, s);
    } else {
        equation.stop_at_reversal = dt * dt * stick_stiffness(contact.law(), load) > T(4) * mass ||
                                    dt * stick_damping(contact.law(), load) > T(4) * mass;
        const T guess = s.v + T(0.5) * dt * (s.a + T(0.75) * dt * s.j);
        const auto root = solve_any(equation, contact, mass, guess, follow, s);
        if (!(equation.stop_at_reversal && s.v * end_velocity(root, s.v, mass, dt) < T(0)))
            return take(contact, root, mass, dt, false, s);
        equation.gain = dt / mass;
        equation.stop_at_reversal = false;
        take(contact, solve_any(equation, contact, mass, T(0.5) * root.w, follow, s), mass, dt, true, s);
    }
}

}  // namespace detail

// Advances the mass and the contact by dt [s]. NaN in the motion, the force, dt <= 0 or a load that is no number >= 0
// returns NaN and leaves the contact as it was.
template <class Law, class Drive>
basic_advance<scalar_of<Law>> advance(basic_mass<scalar_of<Law>> mass, Contact<Law>& contact,
                                      const basic_motion<scalar_of<Law>>& from, const Drive& drive, scalar_of<Law> dt,
                                      const basic_coupling<scalar_of<Law>>& how = {}) noexcept {
    using T = scalar_of<Law>;
    basic_advance<T> s;
    static_cast<basic_motion<T>&>(s) = from;
    const auto before = contact.state();
    const auto zone = detail::curve_of(contact.law()).zone();
    const T expected = from.v + dt * from.a;
    const bool calm = zone.low == zone.high || detail::same_regime(zone, from.v, expected);
    const int parts = calm || how.substeps < 1 ? 1 : how.substeps;
    const bool sound =
        mass.mass > T(0) && isfinite(mass.mass) && dt > T(0) && isfinite(dt) && how.load >= T(0) && isfinite(how.load);
    const T part = dt / T(parts);
    T impulse = T(0);
    for (int i = 0; i < parts && sound; ++i) {
        detail::advance_once(mass.mass, contact, drive, T(i) * part, part, how, s);
        impulse = impulse + part * s.force;
    }
    s.force = impulse / dt;
    if (!sound || !isfinite(s.v) || !isfinite(s.x) || !isfinite(s.work) || !isfinite(s.dissipation)) {
        contact.set(before);
        const T nan = unset<T>();
        s.x = s.v = s.a = s.j = s.force = s.work = s.dissipation = s.numerical = nan;
    }
    return s;
}

}  // namespace bristle
