// Equilibria of a set-up in closed form, with their eigenvalues.
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/equilibrium/equilibrium_system.hpp"
#include "numerics/bisect.hpp"

namespace bristle::inline analysis::equilibrium {

namespace {

// Sets stability, and frequency and damping ratio of the least damped oscillation.
void classify(Equilibrium& e) {
    std::vector<std::complex<double>> all = e.eigenvalues;
    all.insert(all.end(), e.eigenvalues_negative.begin(), e.eigenvalues_negative.end());
    double least = HUGE_VAL;
    for (const auto& s : all)
        if (const double damping = -s.real() / std::abs(s); s.imag() > 0 && damping < least) {
            least = e.damping = damping;
            e.frequency = s.imag();
        }
    e.stability = stability_of(numerics::growth(all));
}

// Position and integral at which the rig balances a friction force.
struct Balance {
    double position, integral;
};
Balance balance(const EquilibriumSystem& eq, double force, double v, bool upright = false) {
    const RigEquations& rig = eq.rig();
    const double pull = rig.ratio * force - eq.input() - rig.k0 - rig.kv * v;  // of position and integral together [N]
    if (eq.free_position()) return {0, 0};
    if (rig.kI != 0) return {rig.target, (pull - rig.kq * rig.target) / rig.kI};
    if (rig.ks != 0) {
        const double sine = std::asin(std::clamp(pull / rig.ks, -1.0, 1.0));
        return {upright ? M_PI - sine : sine, 0};
    }
    return {pull / rig.kq, 0};
}

void put_states(Equilibrium& e, const Setup& setup, const std::vector<double>& contact, const Balance& at, double v) {
    std::vector<double> values{at.position, v};
    values.insert(values.end(), contact.begin(), contact.end());
    values.push_back(at.integral);
    const auto names = state_names(setup.law, setup.rig);
    for (std::size_t i = 0; i < names.size(); ++i) e.states.push_back({names[i].name, names[i].unit, values[i]});
}

// Steady sliding, or rest if the law does not stick: A08 (23), A08 (24), A08 (25), A08 (26), A08 (27).
Equilibrium unheld(const Setup& setup, const EquilibriumSystem& eq, double c, bool upright = false) {
    Equilibrium e;
    const double side = c < 0 ? -1 : 1, v = (c - eq.belt()) / eq.rig().ratio;
    const SteadySliding steady = eq.steady(c, side);
    e.kind = c == 0 ? EquilibriumKind::rest : EquilibriumKind::sliding;
    e.velocity = c;
    e.force = steady.force;
    put_states(e, setup, steady.contact, balance(eq, steady.force, v, upright), v);
    std::vector<double> y;
    for (const StateValue& s : e.states) y.push_back(s.value);
    const auto active = eq.active();
    e.eigenvalues = numerics::eigenvalues(active_part(eq.jacobian(y, c, side), y.size(), active), active.size());
    classify(e);
    if (c != 0 && steady.h > 0 && eq.rig().kv == 0 && eq.spring() > 0) {
        const double m = eq.mass(), K = eq.spring(), h = steady.h, damping = steady.damping / m;
        const double approximation = h * h * steady.slope / m, a2 = (K + h * steady.slope) / m;
        // A08 (27); a1 a2 - a3 without the term h K/m that cancels
        e.routh_hurwitz = {h + damping, a2, K * h / m, approximation + damping * a2, approximation};
    }
    return e;
}

// Eigenvalues of the mass on the rig with the contact as one more spring and damper. States: q, v and, if it acts, the
// integral.
std::vector<std::complex<double>> held_eigenvalues(const EquilibriumSystem& eq, const HeldContact& rest,
                                                   double position) {
    const RigEquations& rig = eq.rig();
    const double pull = rig.kq + rig.ks * std::cos(position), square = rig.ratio * rig.ratio;
    const bool integral = rig.kI != 0;
    const std::size_t n = integral ? 3 : 2;
    std::vector<double> A(n * n);
    A[1] = rig.sense;
    A[n] = (pull - square * rig.sense * rest.stiffness) / rig.inertia;
    A[n + 1] = (rig.kv - square * rest.damping) / rig.inertia;
    if (integral) A[n + 2] = rig.kI / rig.inertia, A[2 * n] = 1;
    return numerics::eigenvalues(A, n);
}

// The equilibrium held by friction that carries a force [N].
Equilibrium held(const Setup& setup, const EquilibriumSystem& eq, double force, bool upright = false) {
    Equilibrium e;
    e.kind = EquilibriumKind::stuck;
    e.force = force;
    e.set_low = eq.free_position() ? force : -eq.holds(-1);
    e.set_high = eq.free_position() ? force : eq.holds(1);
    const double v = -eq.belt() / eq.rig().ratio;
    const HeldContact forwards = eq.rest(force, 1), backwards = eq.rest(force, -1);
    const Balance at = balance(eq, force, v, upright);
    put_states(e, setup, forwards.contact, at, v);
    if (!eq.free_position()) {
        const Balance low = balance(eq, e.set_low, v, upright), high = balance(eq, e.set_high, v, upright);
        const bool integral = eq.rig().kI != 0;
        const double a = integral ? low.integral : low.position, b = integral ? high.integral : high.position;
        e.range = {integral ? e.states.size() - 1 : 0, std::min(a, b), std::max(a, b)};
        if (eq.rig().ks != 0 && eq.rig().ratio * std::min(eq.holds(1), eq.holds(-1)) >= eq.rig().weight)
            e.range->low = -HUGE_VAL, e.range->high = HUGE_VAL;
    }
    if (!forwards.rigid) {
        e.eigenvalues = held_eigenvalues(eq, forwards, at.position);
        e.eigenvalues_negative = held_eigenvalues(eq, backwards, at.position);
        classify(e);
    } else if (eq.rig().kI != 0) {
        e.stability = Stability::undecided;
    } else {
        e.stability = Stability::stable;  // a small disturbance ends at rest in the set
    }
    return e;
}

// Returns a zero of a continuous function that changes its sign between a and b, to rounding.
template <class F>
double root_between(const F& f, double a, double b) {
    const bool below = f(a) < 0;
    int halvings = 0;
    numerics::narrow(
        a, b, [&] { return halvings++ < 200; }, [&](double x) { return (f(x) < 0) == below; },
        [](double low, double high) { return high > 4 * low ? std::sqrt(low * high) : 0.5 * (low + high); });
    return 0.5 * (a + b);
}

// Contact velocities at which the steady force is the needed one, by rising speed [m/s].
std::vector<double> steady_speeds(const EquilibriumSystem& eq) {
    const double need = eq.needed(0), side = need < 0 ? -1 : 1;
    std::vector<double> out;
    if (need == 0) return out;
    const auto excess = [&](double speed) {
        return side * (eq.needed(side * speed) - eq.steady(side * speed, side).force);
    };
    const double slope = eq.final_slope(side) - eq.rig().kv / (eq.rig().ratio * eq.rig().ratio);
    const double high = slope > 0 ? 2 * std::abs(need) / slope : 100 * eq.settled_speed();
    // Lower end of the scan: far below the speeds at which the level falls, whatever sigma2 makes of the upper end. A
    // smooth curve is steepest at rest.
    const double falls = eq.falling_speed();
    const double low = !eq.sticks() ? 0.5 * std::abs(need) / eq.steady(0, side).slope
                       : falls > 0  ? std::min(1e-15 * high, 1e-9 * falls)
                                    : 1e-15 * high;
    const double factor = std::pow(10.0, 1.0 / 48);
    double before = low, at_before = excess(low);
    for (double c = low; before < high;) {
        c = std::min(c * factor, high);
        const double now = excess(c);
        if ((now < 0) != (at_before < 0)) out.push_back(side * root_between(excess, before, c));
        before = c;
        at_before = now;
    }
    return out;
}

}  // namespace

Stability stability_of(const numerics::Growth& growth) {
    return growth.growing > 0 ? Stability::unstable : growth.all_decay ? Stability::stable : Stability::neutral;
}

}  // namespace bristle::analysis::equilibrium

namespace bristle::inline analysis {

using namespace equilibrium;

const char* name_of(Stability stability) {
    switch (stability) {
        case Stability::stable:
            return "stable";
        case Stability::unstable:
            return "unstable";
        case Stability::neutral:
            return "neutral";
        default:
            return "undecided";
    }
}

const char* name_of(EquilibriumKind kind) {
    switch (kind) {
        case EquilibriumKind::sliding:
            return "sliding";
        case EquilibriumKind::stuck:
            return "stuck";
        default:
            return "rest";
    }
}

const char* name_of(NoEquilibrium reason) {
    switch (reason) {
        case NoEquilibrium::prescribed_motion:
            return "prescribed_motion";
        case NoEquilibrium::varying_input:
            return "varying_input";
        case NoEquilibrium::varying_load:
            return "varying_load";
        case NoEquilibrium::force_exceeds_friction:
            return "force_exceeds_friction";
        case NoEquilibrium::no_convergence:
            return "no_convergence";
        case NoEquilibrium::separating_motions:
            return "separating_motions";
        case NoEquilibrium::several_free_velocities:
            return "several_free_velocities";
        default:
            return "branches_meet";
    }
}

double Equilibrium::value(std::string_view state) const {
    for (const StateValue& s : states)
        if (s.name == state) return s.value;
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Equilibrium> equilibria(const Setup& setup) {
    const EquilibriumSystem eq(setup);
    const RigEquations& rig = eq.rig();
    std::vector<Equilibrium> out;
    if (eq.free_position()) {
        const double force = eq.needed(0);
        if (eq.sticks() && force <= eq.holds(1) && -force <= eq.holds(-1)) out.push_back(held(setup, eq, force));
        if (!eq.sticks() && force == 0) out.push_back(unheld(setup, eq, 0));
        for (const double c : steady_speeds(eq)) out.push_back(unheld(setup, eq, c));
        return out;
    }
    // dq/dt = 0 determines the contact velocity
    const double c = -rig.ratio * rig.drift / rig.sense + eq.belt();
    const auto add = [&](bool upright) {
        out.push_back(c != 0 || !eq.sticks() ? unheld(setup, eq, c, upright) : held(setup, eq, 0, upright));
    };
    add(false);
    if (rig.ks != 0) add(true);
    return out;
}

Equilibrium main_equilibrium(const Setup& setup) {
    std::vector<Equilibrium> all = equilibria(setup);
    if (all.empty())
        throw EquilibriumError(
            NoEquilibrium::force_exceeds_friction,
            "no equilibrium: the force exceeds the steady friction at all speeds; reduce the force or increase sigma2");
    if (all.front().kind == EquilibriumKind::stuck) return all.front();
    for (Equilibrium& e : all)
        if (e.stable()) return std::move(e);
    return all.front();
}

}  // namespace bristle::analysis
