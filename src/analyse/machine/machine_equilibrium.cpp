// Equilibria of a machine: final inputs, the velocities at which forces can balance, and their eigenvalues.
#include <bristle/analyse/machine_equilibrium.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/machine/free_velocity.hpp"
#include "simulate/machine/part_units.hpp"
#include "simulate/names.hpp"

namespace bristle::inline analysis {

namespace {

// ---- inputs at their end -------------------------------------------------------------------------------------------------

void refuse_input(NoEquilibrium why, const std::string& place) {
    throw EquilibriumError(
        why, place + " varies without end, so there is no equilibrium; choose a constant, steps, ramps or moves");
}

// Replaces an input by its final value. Returns its integral up to then.
double end(Input& input, NoEquilibrium why, const std::string& place) {
    double t = 0, sum = 0;
    for (double next = input.next_corner(t); std::isfinite(next); next = input.next_corner(t)) {
        const Piece piece = input.piece(t);
        const double middle = 0.5 * (t + next),
                     reach = 0.5 * (next - t) / std::sqrt(3.0);  // Gauss: exact up to the third power
        sum += 0.5 * (next - t) * (piece.value(middle - reach) + piece.value(middle + reach));
        t = next;
    }
    const Piece last = input.piece(t);
    const bool oscillates = last.amplitude != 0 && (last.omega != 0 || last.bend != 0);
    if (oscillates || last.slope != 0 || last.is_curved()) refuse_input(why, place);
    input = Input::constant(last.value(t));
    return sum;
}

}  // namespace

Machine at_end(Machine machine) {
    for (PrescribedMotion& motion : machine.motions) {
        const double moved = end(motion.value, NoEquilibrium::varying_input, "the motion " + motion.name);
        if (motion.quantity == Quantity::velocity) motion.x += moved;
    }
    for (Force& force : machine.forces) end(force.value, NoEquilibrium::varying_input, "the force " + force.name);
    for (Motor& motor : machine.motors)
        end(motor.command, NoEquilibrium::varying_input, "the command of " + motor.name);
    for (Controller& controller : machine.controllers)
        end(controller.reference, NoEquilibrium::varying_input, "the reference of " + controller.name);
    for (ContactPart& contact : machine.contacts)
        if (contact.load) end(*contact.load, NoEquilibrium::varying_load, "the load of " + contact.name);
    return machine;
}

namespace {

// ---- results -------------------------------------------------------------------------------------------------------------

void put_states(MachineEquilibrium& e, const Machine& machine, const MachineSystem& system,
                const MachineSystem::State& y) {
    const auto names = signal_names(machine);
    const auto add_named = [&](const std::string& name, double value) {
        const auto found = std::find_if(names.begin(), names.end(), [&](const Named& n) { return n.name == name; });
        e.states.push_back({name, found == names.end() ? "" : found->unit, value});
    };
    const auto add = [&](const auto& part, SignalRole role, double value) {
        add_named(signal_name(part.name, role), value);
    };
    for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
        add(machine.bodies[i], SignalRole::position, system.position(system.assembly().bodies[i], 0, y));
        add(machine.bodies[i], SignalRole::velocity, system.velocity(system.assembly().bodies[i], 0, y));
    }
    for (std::size_t i = 0; i < machine.contacts.size(); ++i) {
        const auto states = contact_states(machine.contacts[i].law);
        for (std::size_t j = 0; j < states.size(); ++j)
            add_named(signal_name(machine.contacts[i].name, states[j].name), y[system.first_state(i) + j]);
    }
    const Drives& drives = system.drives();
    const auto& values = system.values(0, y).drives;
    for (std::size_t i = 0; i < machine.motors.size(); ++i)
        if (machine.motors[i].lag > 0) add(machine.motors[i], SignalRole::motor_force, values.force[i]);
    for (std::size_t i = 0; i < machine.controllers.size(); ++i) {
        if (const int s = drives.integral(i); s >= 0)
            add(machine.controllers[i], SignalRole::integral, y[std::size_t(s)]);
        if (const int s = drives.filtered(i); s >= 0)
            add(machine.controllers[i], SignalRole::derivative, y[std::size_t(s)]);
    }
}

void put_contacts(MachineEquilibrium& e, const SteadyMachine& machine, const SteadyState& s) {
    const MachineSystem& system = machine.system();
    double fastest = 0;
    for (const Node& node : system.assembly().nodes)
        fastest = std::max(fastest, std::abs(system.velocity(node, 0, s.y)));
    const auto moves = [&](const Node& node) { return std::abs(system.velocity(node, 0, s.y)) > 1e-12 * fastest; };
    e.moves = std::any_of(system.assembly().bodies.begin(), system.assembly().bodies.end(), moves);
    bool slides = false;
    for (std::size_t i = 0; i < s.c.size(); ++i) {
        const Ends& ends = machine.system().assembly().contacts[i];
        const ContactPart& contact = machine.system().machine().contacts[i];
        const bool holds = s.side[i] == 0;
        e.contacts.push_back({.name = contact.name,
                              .velocity = holds ? 0 : s.c[i],
                              .force = s.force[i],
                              .holds = holds,
                              .set_low = s.low[i],
                              .set_high = s.high[i],
                              .rotary = units_of(machine.system().machine(), contact) == PartUnits::rotary});
        e.is_one_of_a_set = e.is_one_of_a_set || (holds && machine.system().is_free(i));
        e.is_carried = e.is_carried || (holds && machine.system().is_free(i) && moves(ends.first));
        slides = slides || (!holds && s.c[i] != 0);
    }
    e.kind = slides ? EquilibriumKind::sliding : e.is_one_of_a_set ? EquilibriumKind::stuck : EquilibriumKind::rest;
}

// Sets frequency and damping ratio of the least damped oscillation.
void put_oscillation(MachineEquilibrium& e) {
    double least = HUGE_VAL;
    for (const auto* list : {&e.eigenvalues, &e.eigenvalues_negative})
        for (const auto& s : *list)
            if (const double damping = -s.real() / std::abs(s); s.imag() > 0 && damping < least) {
                least = e.damping = damping;
                e.frequency = s.imag();
            }
}

bool differ(const LinearMotion& a, const LinearMotion& b) {
    double size = 0, difference = 0;
    if (a.n != b.n) return true;
    for (std::size_t i = 0; i < a.A.size(); ++i) {
        size = std::max(size, std::abs(a.A[i]));
        difference = std::max(difference, std::abs(a.A[i] - b.A[i]));
    }
    return difference > 1e-9 * size;
}

void put_stability(MachineEquilibrium& e, SteadyMachine& machine, const SteadyState& s) {
    const std::size_t n = s.side.size();
    bool exactly = false, at_level = false, bristles = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (s.side[i] != 0 || !machine.system().is_free(i)) continue;
        const bool exact = machine.holds_exactly(i);
        exactly = exactly || exact;
        bristles = bristles || !exact;
        const double width = s.high[i] - s.low[i];
        at_level = at_level || s.force[i] >= s.high[i] - 1e-9 * width || s.force[i] <= s.low[i] + 1e-9 * width;
    }
    const LinearMotion forwards = machine.motion(s, std::vector<int>(n, 1));
    e.free_positions = forwards.free_positions;
    e.eigenvalues = forwards.eigenvalues();
    auto all = e.eigenvalues;
    int directions = 0;  // contacts whose direction matters
    if (bristles) {
        e.eigenvalues_negative = machine.motion(s, std::vector<int>(n, -1)).eigenvalues();
        all.insert(all.end(), e.eigenvalues_negative.begin(), e.eigenvalues_negative.end());
        for (std::size_t i = 0; i < n; ++i) {
            if (s.side[i] != 0 || machine.holds_exactly(i)) continue;
            std::vector<int> direction(n, 1);
            direction[i] = -1;
            directions += differ(forwards, machine.motion(s, direction));
        }
    }
    put_oscillation(e);
    const bool integrates =
        std::any_of(machine.system().machine().controllers.begin(), machine.system().machine().controllers.end(),
                    [](const Controller& c) { return integral_gain(c) > 0; });
    e.edges = machine.edges(s);
    e.undecided = directions > 1          ? UndecidedReason::several_directions
                  : at_level              ? UndecidedReason::at_level
                  : !e.edges.empty()      ? UndecidedReason::at_edge
                  : exactly && integrates ? UndecidedReason::integral
                                          : UndecidedReason::none;
    e.stability =
        e.undecided == UndecidedReason::none ? equilibrium::stability_of(numerics::growth(all)) : Stability::undecided;
}

MachineEquilibrium result_of(SteadyMachine& machine, const SteadyState& s) {
    MachineEquilibrium e;
    put_states(e, machine.system().machine(), machine.system(), s.y);
    put_contacts(e, machine, s);
    put_stability(e, machine, s);
    return e;
}

// ---- equilibria ----------------------------------------------------------------------------------------------------------

// Velocities at which all contacts that the free velocities move are at rest, of a machine with several of these; empty if there are none.
// Other contacts slide or rest as base() gives.
std::vector<double> velocities_at_rest(const SteadyMachine& machine) {
    const auto& free = machine.free();
    const auto c = machine.contact_velocities(machine.base());
    std::vector<double> rows, given;
    double fastest = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        std::vector<double> row;
        bool depends = false;
        for (const auto& n : free) {
            row.push_back(machine.slope(i, n));
            double size = 0;
            for (std::size_t k = 0; k < n.size(); ++k)
                size += std::abs(machine.system().assembly().jacobian(i, k) * n[k]);
            depends = depends || std::abs(row.back()) > 1e-12 * size;
        }
        if (!depends) continue;
        rows.insert(rows.end(), row.begin(), row.end());
        given.push_back(-c[i]);
        fastest = std::max(fastest, std::abs(c[i]));
    }
    const std::vector<double> u = numerics::Elimination(rows, given.size(), free.size()).solve(given);
    for (std::size_t i = 0; i < given.size(); ++i)
        if (std::abs(numerics::dot(std::span(rows).subspan(i * free.size(), free.size()), u) - given[i]) >
            1e-12 * fastest)
            return {};
    std::vector<double> v = machine.base();
    for (std::size_t j = 0; j < free.size(); ++j)
        for (std::size_t k = 0; k < v.size(); ++k) v[k] += free[j][k] * u[j];
    return v;
}

constexpr const char* not_converged =
    "no equilibrium is found: Newton's method does not converge; either a gap or the limit of a motor or controller is "
    "just reached, or friction raises its own load until the machine locks: change the forces or the load a little";

}  // namespace

const char* name_of(UndecidedReason reason) {
    switch (reason) {
        case UndecidedReason::integral:
            return "integral";
        case UndecidedReason::several_directions:
            return "several_directions";
        case UndecidedReason::at_level:
            return "at_level";
        case UndecidedReason::at_edge:
            return "at_edge";
        default:
            return "none";
    }
}

double MachineEquilibrium::value(std::string_view state) const {
    for (const StateValue& s : states)
        if (s.name == state) return s.value;
    return std::numeric_limits<double>::quiet_NaN();
}

MachineEquilibria equilibria(const Machine& given) {
    check_machine(given);
    SteadyMachine machine(at_end(given));
    if (machine.base().empty())
        throw EquilibriumError(
            NoEquilibrium::separating_motions,
            "springs connect motions that separate at constant speed, so there is no equilibrium; give "
            "them equal velocities");
    MachineEquilibria out;
    std::vector<SteadyState> states;
    if (machine.free().size() == 1) {
        FoundVelocities balances = balances_of_free_velocity(machine);
        states = std::move(balances.states);
        out.complete = balances.complete;
    } else {
        out.complete = machine.free().empty();
        const std::vector<double> v = out.complete ? machine.base() : velocities_at_rest(machine);
        if (!v.empty()) {
            SteadyState s = machine.balance(v, machine.sides(v));
            if (!s.converged) throw EquilibriumError(NoEquilibrium::no_convergence, not_converged);
            if (s.balanced) states.push_back(std::move(s));
        }
    }
    if (states.empty() && machine.free().size() > 1)
        throw EquilibriumError(
            NoEquilibrium::several_free_velocities,
            "two or more bodies slide without a spring or controller that ties them; steady sliding is found "
            "for one such velocity only: tie them with springs, or simulate");
    if (states.empty() && !out.complete) throw EquilibriumError(NoEquilibrium::no_convergence, not_converged);
    if (states.empty())
        throw EquilibriumError(
            NoEquilibrium::force_exceeds_friction,
            "no equilibrium: the constant forces exceed the friction at all speeds; reduce them or increase the "
            "viscous friction");
    for (const SteadyState& s : states) out.found.push_back(result_of(machine, s));
    const auto held = [](const MachineEquilibrium& e) {
        return std::count_if(e.contacts.begin(), e.contacts.end(), [](const auto& c) { return c.holds; });
    };
    std::stable_sort(out.found.begin(), out.found.end(),
                     [&](const auto& a, const auto& b) { return held(a) > held(b); });
    return out;
}

}  // namespace bristle::analysis
