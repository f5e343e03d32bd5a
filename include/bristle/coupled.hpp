// A mass and a contact advanced together: a stuck mass settles and stays, at any dt, and the energy balance is exact.
//
//   m (v+ - v)/dt = F_ext - F_mean(z, w, dt),   w = (v + v+)/2,   x+ = x + dt w          exponential midpoint
// with z moved exactly under the held w. One scalar equation a step, of second order, and
//   m (v+^2 - v^2)/2 + H(z+) - H(z) + D + numerical = dt w F_ext     to rounding, numerical >= 0.
// Where the midpoint reverses v in a step that does not resolve the stick oscillation (dt sqrt(sigma0/m) > 2, or
// dt (sigma1 + sigma2)/m > 4) it would ring for ever; the step is taken again with v+ held instead, and m (v+ - v)^2/2 is booked as
// numerical dissipation. Dry static laws stop exactly: v+ = 0 whenever |m v/dt + F_ext| is not more than their level.
//
// Sub-steps: the error is made where the level changes (the curve's zone). A step that starts or is expected to end there
// is divided into Coupling::substeps; 1 turns this off where a hard bound on the time of a step counts.
// Bound: max_evaluations(substeps), below; in practice 2 to 4 a step (tests/energy_test.cpp prints the measured worst).
// Several roots: beyond largest_unique_step the equation may have three. With sub-steps on, the one taken is the root
// continued from dt -> 0, followed over at most 6 step sizes; with them off, and for static laws, it is the one Newton
// reaches from the extrapolated velocity. While v and the root lie on the same side outside the zone there is nothing
// to choose. For laws other than LuGre without fading, Dahl and the static ones nothing proves that the root is the only one,
// and basic_advance::ambiguous says so.
//
// External force: a number held over the step, or a callable  drive(const auto& i)  for forces that depend on position or
// velocity. Take a spring at the middle: k (y(i.t) - i.middle()). A potential V that is not quadratic needs its discrete
// gradient -(V(i.x1) - V(i.x0))/(i.x1 - i.x0), or the balance is not exact. A drive must not push harder the faster the
// mass moves along with it. A force taken at the start of the step makes the method first order. Call sin, cos, exp ...
// unqualified there: the argument may be a dual number, which std::sin does not know.
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
    bool ambiguous = false;  // several roots at this dt are not excluded
};

template <class T>
struct basic_coupling {
    int substeps = 8;      // where the level changes; 1: none
    T load = T(1);         // normal load [N]
    bool divided = false;  // the caller has divided the step himself (parts_of): take it whole
};

// The largest number of evaluations of the law in one call of advance: a search takes at most 40 trials after at most 3 that
// tell where the root lies, a step two searches, and following a root (only with sub-steps) a search for each rung.
constexpr int max_evaluations(int substeps) noexcept {
    constexpr int search = detail::max_trials + 3, follow = search + detail::max_rungs * (detail::max_nearby + search);
    return substeps > 1 ? substeps * 2 * (search + follow) : 2 * search;
}

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

// Whether the inertia 1/gain may fail to exceed the steepest fall of the friction force.
template <class Law, class Drive>
bool may_fold(const StepEquation<Law, Drive>& e, const Contact<Law>& contact) noexcept {
    return !(scalar_of<Law>(1) > e.gain * fall_bound(e.law, contact.softening(), e.dt, e.load));
}
// Whether there may be other roots: the step leaves its side of the zone, and nothing proves that there are none.
template <class Law, class Drive, class T>
bool may_have_others(const StepEquation<Law, Drive>& e, const Contact<Law>& contact, T w) noexcept {
    return (!proves_uniqueness<Law> || may_fold(e, contact)) && !same_regime(contact.zone(), e.v, w);
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
    if (!may_have_others(e, contact, found.w)) return found;
    out.ambiguous = true;
    if (!follow || !may_fold(e, contact)) return found;
    const T sure = surely_unique_step(e.law, contact.softening(), e.dt / e.gain, e.load);
    return solve_continued(e, sure, guess, out.evaluations);
}

// Books a found root: the motion, the contact's new state and the energies.
template <class Law, class Trial, class T>
void take(Contact<Law>& contact, const Trial& root, T mass, T dt, bool end_held, basic_advance<T>& s) noexcept {
    auto state = contact.state();
    const Step<T> friction = finish(contact.law(), state, root.held, dt);
    // from the force, which keeps the energy balance, unless the end velocity itself was the unknown
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

// One step of a law that sticks exactly: held, or sliding in one direction from start to end.
template <class Law, class Drive, class T>
void stick_or_slide(T mass, Contact<Law>& contact, StepEquation<Law, Drive> e, basic_advance<T>& s) noexcept {
    const T tiny = T(std::numeric_limits<plain<T>>::min());
    // the force that would stop the mass within the step: what slides has its sliding level to do it; what rests, or is
    // about to be turned round, the level of rest
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
        s.ambiguous = s.ambiguous || may_have_others(e, contact, root.w);
        return root;
    };
    if (s.v * direction >= T(0)) {
        const auto root = slide(e.dt / (T(2) * mass), s.v + T(0.5) * e.dt * s.a);
        if (end_velocity(root, s.v, mass, e.dt) * direction > T(0)) return take(contact, root, mass, e.dt, false, s);
    }
    take(contact, slide(e.dt / mass, s.v + e.dt * s.a), mass, e.dt, true, s);
}

// One step of any other law: the midpoint, or the end velocity where the midpoint would ring.
template <class Law, class Drive, class T>
void creep_or_slide(T mass, Contact<Law>& contact, StepEquation<Law, Drive> e, bool follow,
                    basic_advance<T>& s) noexcept {
    const T dt = e.dt;
    e.stop_at_reversal =
        dt * dt * stick_stiffness(e.law, e.load) > T(4) * mass || dt * stick_damping(e.law, e.load) > T(4) * mass;
    const auto root = solve_any(e, contact, mass, s.v + T(0.5) * dt * (s.a + T(0.75) * dt * s.j), follow, s);
    if (!(e.stop_at_reversal && s.v * end_velocity(root, s.v, mass, dt) < T(0)))
        return take(contact, root, mass, dt, false, s);
    e.gain = dt / mass;
    e.stop_at_reversal = false;
    take(contact, solve_any(e, contact, mass, T(0.5) * root.w, follow, s), mass, dt, true, s);
}

// One step without sub-steps, t seconds into the whole.
template <class Law, class Drive, class T>
void advance_once(T mass, Contact<Law>& contact, const Drive& drive, T t, T dt, const basic_coupling<T>& how,
                  basic_advance<T>& s) noexcept {
    if constexpr (RemembersVelocity<Law>) contact.set({contact.state().z, s.v});  // the branch is told by w - v
    const StepEquation<Law, Drive> e{contact.law(),     contact.state(), drive, s.x, s.v, t, how.load, dt,
                                     dt / (T(2) * mass)};
    if constexpr (SticksExactly<Law>)
        stick_or_slide(mass, contact, e, s);
    else
        creep_or_slide(mass, contact, e, how.substeps > 1, s);
}

}  // namespace detail

// Into how many equal parts advance divides a step: for callers who want to see each of them.
template <class Law>
int parts_of(const Contact<Law>& contact, const basic_motion<scalar_of<Law>>& from, scalar_of<Law> dt,
             const basic_coupling<scalar_of<Law>>& how) noexcept {
    const auto& zone = contact.zone();
    const bool calm = zone.low == zone.high || detail::same_regime(zone, from.v, from.v + dt * from.a);
    return calm || how.divided || how.substeps < 1 ? 1 : how.substeps;
}

// Advances the mass and the contact by dt [s]. NaN in the motion, the force, dt <= 0 or a load that is no number >= 0
// returns NaN and leaves the contact as it was.
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
    const auto before = contact.state();
    const int parts = parts_of(contact, from, dt, how);
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
