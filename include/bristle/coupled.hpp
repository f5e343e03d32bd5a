// Coupled step of a mass and a contact: no drift in stick at any dt, and an energy balance exact to rounding.
//
//   m (v+ - v)/dt = F_ext - F_mean(z, w, dt),   w = (v + v+)/2,   x+ = x + dt w          exponential midpoint
// with z advanced exactly for the held w. One scalar equation per step; second order;
//   m (v+^2 - v^2)/2 + H(z+) - H(z) + D + numerical = dt w F_ext     to rounding, numerical >= 0.
// A step does not resolve the stick oscillation if dt sqrt(sigma0/m) > 2 or dt (sigma1 + sigma2)/m > 4. If the midpoint
// reverses v in such a step, v would alternate in sign and decay slowly. The step is then repeated with v+ held, and
// m (v+ - v)^2/2 is recorded as numerical dissipation. Dry static laws stop exactly: v+ = 0 if |m v/dt + F_ext| <= level.
//
// Sub-steps: the error arises in the zone, where the level changes. A step that starts in the zone, or whose predicted
// end lies in it, is divided into Coupling::substeps; substeps = 1 gives the smallest bound on the time per step.
// Bound on evaluations: max_evaluations(substeps); typical 2 to 4 per step (tests/energy_test.cpp prints the largest).
// Several roots: above largest_unique_step the equation can have three. With sub-steps the root continued from dt -> 0
// is used, over at most 6 step sizes; without them, and for static laws, the root that Newton finds from the
// extrapolated velocity. If v and the root lie on the same side outside the zone, no other is considered. Uniqueness is
// proved only for LuGre without fading, Dahl and the static laws; for the other laws basic_advance::ambiguous is true
// if other roots are not excluded.
//
// External force: a number held over the step, or a callable  drive(const auto& i)  for forces that depend on position or
// velocity. Evaluate a spring at the midpoint: k (y(i.t) - i.middle()). A potential V that is not quadratic needs its
// discrete gradient -(V(i.x1) - V(i.x0))/(i.x1 - i.x0), or the balance is not exact. A drive must not increase with the
// velocity w. A force evaluated at the start of the step makes the method first order. Call sin, cos, exp ...
// unqualified in a drive: the argument may be a dual number, which std::sin does not accept.
#pragma once
#include <bristle/coupled_solve.hpp>

#include <optional>

namespace bristle {

template <class T>
struct basic_motion {
    T x{};  // position [m]
    T v{};  // velocity [m/s]
    T a{};  // mean acceleration of the last step [m/s^2]; a and j only give the first guess
    T j{};  // rate of change of a [m/s^3]
};

// The motion at the end of a step, with the energy balance of the step.
template <class T>
struct basic_advance : basic_motion<T> {
    T force{};               // mean friction force [N]
    T work{};                // work of the external force: dt w F_ext [J]
    T dissipation{};         // dissipated by friction [J]
    T numerical{};           // removed by the method in steps that hold the end velocity or stop exactly, >= 0 [J]
    int evaluations = 0;     // evaluations of the law
    bool stuck = false;      // a dry static law holds the mass
    bool ambiguous = false;  // several roots at this dt are not excluded
};

template <class T>
struct basic_coupling {
    int substeps = 8;  // number of sub-steps in the zone; 1: none
    // normal load, or transmitted load of a gear law [N]; not given: the neutral load of the law
    std::optional<T> load = {};
    bool divided = false;  // the caller has divided the step (parts_of): no further sub-steps
    // false: `ambiguous` is not computed unless sub-steps need it. Saves some microseconds per step of a gear law in its
    // zone, whose softening changes with the load.
    bool report_ambiguous = true;
};

// Returns the largest number of evaluations of the law in one call of advance. A search takes at most 40 trials after at
// most 3 that locate the root. A step takes two searches; following a root (with sub-steps) one search per step size.
constexpr int max_evaluations(int substeps) noexcept {
    constexpr int search = detail::max_trials + 3, follow = search + detail::max_rungs * (detail::max_nearby + search);
    return substeps > 1 ? substeps * 2 * (search + follow) : 2 * search;
}

using Motion = basic_motion<double>;
using Coupling = basic_coupling<double>;

namespace detail {

// True if v and w are both slower than the zone, or both faster in the same direction.
template <class T>
bool same_regime(const SpeedZone<T>& zone, T v, T w) noexcept {
    const bool slow = abs(v) <= zone.low && abs(w) <= zone.low;
    const bool fast = abs(v) >= zone.high && abs(w) >= zone.high && (v > T(0)) == (w > T(0));
    return slow || fast;
}

// True unless the inertia 1/gain exceeds the steepest fall of the friction force, by the sufficient condition.
template <class Law, class Drive>
bool may_fold(const StepEquation<Law, Drive>& e, Contact<Law>& contact) noexcept {
    return !(scalar_of<Law>(1) > e.gain * fall_bound(e.law, contact.softening(e.load), e.dt, e.load));
}
// True if other roots are not excluded: the step enters or crosses the zone, and uniqueness is not proved.
template <class Law, class Drive, class T>
bool may_have_other_roots(const StepEquation<Law, Drive>& e, Contact<Law>& contact, T w) noexcept {
    return !same_regime(contact.zone(), e.v, w) && (!proves_uniqueness<Law> || may_fold(e, contact));
}

// Returns the velocity at the end of the step [m/s].
template <class Trial, class T>
T end_velocity(const Trial& root, T v, T mass, T dt) noexcept {
    return v + dt * (root.external - root.held.force) / mass;
}

template <class Law, class Drive, class T>
auto solve_and_flag(const StepEquation<Law, Drive>& e, Contact<Law>& contact, T mass, T guess, bool follow, bool report,
                    basic_advance<T>& out) noexcept {
    const auto found = solve(e, guess, out.evaluations);
    if (e.stop_at_reversal && e.v * end_velocity(found, e.v, mass, e.dt) < T(0)) return found;  // search ended early
    if (!(report || follow) || !may_have_other_roots(e, contact, found.w)) return found;
    out.ambiguous = true;
    if (!follow || !may_fold(e, contact)) return found;
    const T sure = surely_unique_step(e.law, contact.softening(e.load), e.dt / e.gain, e.load);
    return solve_continued(e, sure, guess, out.evaluations);
}

// Records a root: the motion, the new state of the contact and the energies.
template <class Law, class Trial, class T>
void record_root(Contact<Law>& contact, const Trial& root, T mass, T dt, bool end_held, basic_advance<T>& s) noexcept {
    auto state = contact.state();
    const Step<T> friction = finish(contact.law(), state, root.held, dt);
    // from the force, which closes the energy balance, unless the end velocity was the unknown
    const T v = end_held ? root.w : end_velocity(root, s.v, mass, dt), dv = v - s.v, a = dv * (T(1) / dt);
    if constexpr (RemembersVelocity<Law>) state.v = v;
    contact.set(state);
    s.x = s.x + dt * root.w;
    s.v = v;
    s.j = (a - s.a) * (T(1) / dt);
    s.a = a;
    s.force = friction.force;
    s.work = s.work + dt * root.w * root.external;
    s.dissipation = s.dissipation + friction.dissipation;
    if (end_held) s.numerical = s.numerical + T(0.5) * mass * dv * dv;
}

// One step of a law that sticks exactly: held, or sliding in one direction during the whole step.
template <class Law, class Drive, class T>
void advance_static_law(T mass, Contact<Law>& contact, StepEquation<Law, Drive> e, bool report,
                        basic_advance<T>& s) noexcept {
    const T tiny = T(std::numeric_limits<plain<T>>::min());
    // stop: the force that stops the mass within the step [N]. Available for it: the sliding level if the mass slides
    // in the direction of stop, otherwise (at rest, or about to reverse) the static level.
    const T pull = e.external(T(0)), stop = mass * s.v / e.dt + pull, direction = side(stop);
    const T level =
        s.v * stop > T(0) ? abs(force(e.law, direction * tiny, e.load)) : holding_force(e.law, direction, e.load);
    s.stuck = abs(stop) <= level;
    if (s.stuck) {
        s.numerical = s.numerical + T(0.5) * mass * s.v * s.v;
        s.a = -s.v / e.dt;
        s.v = T(0);
        s.force = stop;
        return;
    }
    const auto slide = [&](T gain, T guess) {
        e.gain = gain;
        const T far = larger(T(1.01) * direction * (s.v + gain * pull), T(4) * tiny);
        const auto root = find_root(e, direction * tiny, direction * far, guess, s.evaluations);
        s.ambiguous = s.ambiguous || (report && may_have_other_roots(e, contact, root.w));
        return root;
    };
    if (s.v * direction >= T(0)) {
        const auto root = slide(e.dt / (T(2) * mass), s.v + T(0.5) * e.dt * s.a);
        if (end_velocity(root, s.v, mass, e.dt) * direction > T(0))
            return record_root(contact, root, mass, e.dt, false, s);
    }
    record_root(contact, slide(e.dt / mass, s.v + e.dt * s.a), mass, e.dt, true, s);
}

// One step of any other law: midpoint, or end velocity held if the midpoint would alternate in sign.
template <class Law, class Drive, class T>
void advance_continuous_law(T mass, Contact<Law>& contact, StepEquation<Law, Drive> e, bool follow, bool report,
                            basic_advance<T>& s) noexcept {
    const T dt = e.dt;
    e.stop_at_reversal =
        dt * dt * stick_stiffness(e.law, e.load) > T(4) * mass || dt * stick_damping(e.law, e.load) > T(4) * mass;
    const auto root =
        solve_and_flag(e, contact, mass, s.v + T(0.5) * dt * (s.a + T(0.75) * dt * s.j), follow, report, s);
    if (!(e.stop_at_reversal && s.v * end_velocity(root, s.v, mass, dt) < T(0)))
        return record_root(contact, root, mass, dt, false, s);
    e.gain = dt / mass;
    e.stop_at_reversal = false;
    record_root(contact, solve_and_flag(e, contact, mass, T(0.5) * root.w, follow, report, s), mass, dt, true, s);
}

// One step without sub-steps, t seconds after the start of the whole step.
template <class Law, class Drive, class T>
void advance_once(T mass, Contact<Law>& contact, const Drive& drive, T t, T dt, T load, bool follow, bool report,
                  basic_advance<T>& s) noexcept {
    if constexpr (RemembersVelocity<Law>) contact.set({contact.state().z, s.v});  // the branch is sign(w - v)
    const StepEquation<Law, Drive> e{contact.law(), contact.state(), drive, s.x, s.v, t, load, dt, dt / (T(2) * mass)};
    if constexpr (SticksExactly<Law>)
        advance_static_law(mass, contact, e, report, s);
    else
        advance_continuous_law(mass, contact, e, follow, report, s);
}

}  // namespace detail

// Returns the number of equal sub-steps into which advance divides a step; for callers that need each of them.
template <class Law>
int parts_of(const Contact<Law>& contact, const basic_motion<scalar_of<Law>>& from, scalar_of<Law> dt,
             const basic_coupling<scalar_of<Law>>& how) noexcept {
    const auto zone = contact.zone();
    const bool undivided = zone.low == zone.high || detail::same_regime(zone, from.v, from.v + dt * from.a);
    return undivided || how.divided || how.substeps < 1 ? 1 : how.substeps;
}

// Advances the mass and the contact by dt [s]. Returns NaN and keeps the state of the contact if the motion or the force
// is not finite, mass or dt is not finite and > 0, or load is not finite and >= 0.
template <class Law, class Drive>
basic_advance<scalar_of<Law>> advance(basic_mass<scalar_of<Law>> mass, Contact<Law>& contact,
                                      const basic_motion<scalar_of<Law>>& from, const Drive& drive, scalar_of<Law> dt,
                                      const basic_coupling<scalar_of<Law>>& how = {}) noexcept {
    using T = scalar_of<Law>;
    static_assert(
        std::convertible_to<Drive, T> || std::invocable<const Drive&, const Interval<Dual<T, 1>, T>&>,
        "a drive is a number, or a callable that takes (const auto& i) and uses i.t, i.x0, i.x1, i.w, i.middle()");
    basic_advance<T> s;
    static_cast<basic_motion<T>&>(s) = from;
    contact.prepare();
    const auto before = contact.state();
    const int parts = parts_of(contact, from, dt, how);
    const T load = how.load ? *how.load : neutral_load<Law>;
    const bool valid =
        mass.mass > T(0) && isfinite(mass.mass) && dt > T(0) && isfinite(dt) && load >= T(0) && isfinite(load);
    const T part = dt / T(parts);
    T impulse = T(0);
    for (int i = 0; i < parts && valid; ++i) {
        detail::advance_once(mass.mass, contact, drive, T(i) * part, part, load, how.substeps > 1, how.report_ambiguous,
                             s);
        impulse = impulse + part * s.force;
    }
    s.force = impulse / dt;
    if (!valid || !isfinite(s.v) || !isfinite(s.x) || !isfinite(s.work) || !isfinite(s.dissipation)) {
        contact.set(before);
        const T nan = unset<T>();
        s.x = s.v = s.a = s.j = s.force = s.work = s.dissipation = s.numerical = nan;
    }
    return s;
}

}  // namespace bristle
