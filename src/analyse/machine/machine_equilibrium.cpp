// Equilibria of a machine: final inputs, the velocities at which forces can balance, and their eigenvalues.
#include <bristle/analyse/machine_equilibrium.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/machine/steady_machine.hpp"
#include "base/text.hpp"
#include "numerics/bisect.hpp"

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

void check_machine(const Machine& machine) {
    std::string text;
    for (const std::string& problem : problems(machine)) append_item(text, problem, "\n");
    if (!text.empty()) throw Error(text);
    if (machine.bodies.empty())
        throw EquilibriumError(NoEquilibrium::prescribed_motion,
                               "the machine has no body that moves freely, so it has no equilibrium; add a body");
}

// ---- results -------------------------------------------------------------------------------------------------------------

void put_states(MachineEquilibrium& e, const Machine& machine, const MachineSystem& system,
                const MachineSystem::State& y) {
    const auto names = signal_names(machine);
    const auto add = [&](const std::string& name, double value) {
        const auto found = std::find_if(names.begin(), names.end(), [&](const Named& n) { return n.name == name; });
        e.states.push_back({name, found == names.end() ? "" : found->unit, value});
    };
    for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
        add(machine.bodies[i].name + ".x", system.position(system.assembly().bodies[i], 0, y));
        add(machine.bodies[i].name + ".v", system.velocity(system.assembly().bodies[i], 0, y));
    }
    for (std::size_t i = 0; i < machine.contacts.size(); ++i)
        for (std::size_t j = 0; j < system.law(i).states(); ++j)
            add(machine.contacts[i].name + (system.law(i).states() == 1 ? ".z" : ".F" + std::to_string(j + 1)),
                y[system.first_state(i) + j]);
    const Drives& drives = system.drives();
    const auto& values = system.values(0, y).drives;
    for (std::size_t i = 0; i < machine.motors.size(); ++i)
        if (machine.motors[i].lag > 0) add(machine.motors[i].name + ".F", values.force[i]);
    for (std::size_t i = 0; i < machine.controllers.size(); ++i) {
        if (const int s = drives.integral(i); s >= 0) add(machine.controllers[i].name + ".I", y[std::size_t(s)]);
        if (const int s = drives.filtered(i); s >= 0) add(machine.controllers[i].name + ".D", y[std::size_t(s)]);
    }
}

void put_contacts(MachineEquilibrium& e, const SteadyMachine& machine, const SteadyState& s) {
    bool slides = false;
    for (std::size_t i = 0; i < s.c.size(); ++i) {
        const Ends& ends = machine.system().assembly().contacts[i];
        const bool holds = s.side[i] == 0;
        e.contacts.push_back({.name = machine.system().machine().contacts[i].name,
                              .velocity = holds ? 0 : s.c[i],
                              .force = s.force[i],
                              .holds = holds,
                              .set_low = s.low[i],
                              .set_high = s.high[i],
                              .rotary = ends.first.is_ground() ? ends.second.rotary : ends.first.rotary});
        e.is_one_of_a_set = e.is_one_of_a_set || (holds && machine.system().is_free(i));
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
        at_level =
            at_level || (exact && (s.force[i] >= s.high[i] - 1e-9 * width || s.force[i] <= s.low[i] + 1e-9 * width));
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
                    [](const Controller& c) { return std::visit([](const auto& law) { return law.Ki > 0; }, c.law); });
    e.undecided = directions > 1          ? UndecidedReason::several_directions
                  : at_level              ? UndecidedReason::at_level
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

// ---- one free velocity ---------------------------------------------------------------------------------------------------

// Velocities v = base + free u of a machine with one free velocity u.
class FreeVelocity {
  public:
    explicit FreeVelocity(SteadyMachine& machine) : machine_(machine), n_(machine.free().front()) {
        const auto c = machine.contact_velocities(machine.base());
        const auto always = machine.sides(machine.base());
        for (std::size_t i = 0; i < c.size(); ++i) {
            slope_.push_back(machine.slope(i, n_));
            side_.push_back(always[i]);
            if (slope_[i] != 0) rests_.push_back(-c[i] / slope_[i]);
        }
        offset_ = c;
        if (rests_.empty()) rests_.push_back(0);
        std::sort(rests_.begin(), rests_.end());
        std::vector<double> apart;
        for (const double u : rests_)
            if (apart.empty() || u - apart.back() > 1e-12 * (std::abs(u) + std::abs(apart.back()))) apart.push_back(u);
        rests_ = std::move(apart);
    }

    std::vector<SteadyState> all() {
        std::vector<SteadyState> out;
        const auto add = [&](double u, const std::vector<int>& side) {
            SteadyState s = machine_.balance(velocities(u), side);
            if (s.converged && s.balanced) out.push_back(std::move(s));
        };
        for (const double u : rests_) add(u, machine_.sides(velocities(u)));
        const double reach = reach_of_scan();
        for (std::size_t i = 0; i <= rests_.size(); ++i) {
            const double from = i > 0 ? rests_[i - 1] : rests_[0] - reach,
                         to = i < rests_.size() ? rests_[i] : rests_.back() + reach;
            for (const double u : roots(from, to, i > 0, i < rests_.size())) add(u, sides(0.5 * (from + to)));
        }
        return out;
    }

  private:
    std::vector<double> velocities(double u) const {
        std::vector<double> v = machine_.base();
        for (std::size_t k = 0; k < v.size(); ++k) v[k] += n_[k] * u;
        return v;
    }
    // Sides between two rests, of which `inside` is one point.
    std::vector<int> sides(double inside) const {
        std::vector<int> out = side_;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (slope_[i] != 0) out[i] = offset_[i] + slope_[i] * inside < 0 ? -1 : 1;
        return out;
    }
    // Force along the free velocity that nothing balances [N].
    double excess(double u, double inside) {
        const SteadyState s = machine_.balance(velocities(u), sides(inside), false);
        if (!s.converged)
            throw EquilibriumError(NoEquilibrium::no_convergence,
                                   "the forces at a steady velocity are not found: Newton's method does not converge");
        return numerics::dot(n_, s.net);
    }
    // Distance beyond the outer rests within which all roots lie: there all forces are linear.
    double reach_of_scan() {
        double settled = 0;
        for (std::size_t i = 0; i < slope_.size(); ++i)
            if (slope_[i] != 0) settled = std::max(settled, 100 * machine_.settled_speed(i) / std::abs(slope_[i]));
        if (settled == 0) settled = 1;
        double reach = settled;
        for (const double sign : {-1.0, 1.0}) {
            const double edge = sign < 0 ? rests_.front() : rests_.back();
            const double near = sign * excess(edge + sign * settled, edge + sign * settled),
                         far = sign * excess(edge + sign * 2 * settled, edge + sign * settled);
            if (near > 0 && near > far) reach = std::max(reach, 2 * settled * (1 + near / (near - far)));
        }
        return reach;
    }
    // Zeros of the excess between two rests; to an open end distances grow from the other one.
    std::vector<double> roots(double from, double to, bool from_rest, bool to_rest) {
        const double inside = 0.5 * (from + to), factor = std::pow(10.0, 1.0 / 48);
        std::vector<double> at;
        const auto approach = [&](double rest, double length, double sign) {
            double low = 1e-15 * length;
            for (std::size_t i = 0; i < slope_.size(); ++i)
                if (const double falls = slope_[i] != 0 ? machine_.falling_speed(i) / std::abs(slope_[i]) : 0;
                    falls > 0)
                    low = std::min(low, 1e-9 * falls);
            low = std::max(low, 1e-14 * std::abs(rest));
            for (double d = low; d < length; d *= factor) at.push_back(rest + sign * d);
            at.push_back(rest + sign * length);
        };
        const double length = from_rest && to_rest ? 0.5 * (to - from) : to - from;
        if (from_rest) approach(from, length, 1);
        if (to_rest) approach(to, length, -1);
        std::sort(at.begin(), at.end());
        std::vector<double> out;
        double before = excess(at.front(), inside);
        for (std::size_t i = 1; i < at.size(); ++i) {
            const double now = excess(at[i], inside);
            if ((now < 0) != (before < 0)) out.push_back(root_between(at[i - 1], at[i], from_rest ? from : to, inside));
            before = now;
        }
        return out;
    }
    double root_between(double a, double b, double rest, double inside) {
        const bool below = excess(a, inside) < 0;
        int halvings = 0;
        numerics::narrow(
            a, b, [&] { return halvings++ < 120; }, [&](double u) { return (excess(u, inside) < 0) == below; },
            [&](double low, double high) {
                const double near = std::min(std::abs(low - rest), std::abs(high - rest)),
                             far = std::max(std::abs(low - rest), std::abs(high - rest));
                if (!(far > 4 * near && near > 0)) return 0.5 * (low + high);
                return rest + (low + high > 2 * rest ? 1 : -1) * std::sqrt(near * far);
            });
        return 0.5 * (a + b);
    }

    SteadyMachine& machine_;
    std::vector<double> n_, slope_, offset_, rests_;  // rests_: values of u at which a contact is at rest
    std::vector<int> side_;
};

// Velocities at which as many contacts as possible are at rest, of a machine with several free velocities; empty if the contacts contradict
// each other.
std::vector<double> velocities_at_rest(const SteadyMachine& machine) {
    const auto& free = machine.free();
    const auto c = machine.contact_velocities(machine.base());
    std::vector<double> rows, given;
    double fastest = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        for (const auto& n : free) rows.push_back(machine.slope(i, n));
        given.push_back(-c[i]);
        fastest = std::max(fastest, std::abs(c[i]));
    }
    const std::vector<double> u = numerics::Elimination(rows, given.size(), free.size()).solve(given);
    for (std::size_t i = 0; i < c.size(); ++i)
        if (std::abs(numerics::dot(std::span(rows).subspan(i * free.size(), free.size()), u) - given[i]) >
            1e-12 * fastest)
            return {};
    std::vector<double> v = machine.base();
    for (std::size_t j = 0; j < free.size(); ++j)
        for (std::size_t k = 0; k < v.size(); ++k) v[k] += free[j][k] * u[j];
    return v;
}

}  // namespace

const char* name_of(UndecidedReason reason) {
    switch (reason) {
        case UndecidedReason::integral:
            return "integral";
        case UndecidedReason::several_directions:
            return "several_directions";
        case UndecidedReason::at_level:
            return "at_level";
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
        states = FreeVelocity(machine).all();
    } else {
        out.complete = machine.free().empty();
        const std::vector<double> v = out.complete ? machine.base() : velocities_at_rest(machine);
        if (!v.empty()) {
            SteadyState s = machine.balance(v, machine.sides(v));
            if (!s.converged)
                throw EquilibriumError(
                    NoEquilibrium::no_convergence,
                    "no equilibrium is found: Newton's method does not converge, because a gap or the limit "
                    "of a motor or controller is just reached; change it a little");
            if (s.balanced) states.push_back(std::move(s));
        }
    }
    if (states.empty() && !out.complete)
        throw EquilibriumError(
            NoEquilibrium::several_free_velocities,
            "two or more bodies slide without a spring or controller that ties them; steady sliding is found "
            "for one such velocity only: tie them with springs, or simulate");
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

// ---- sliding loop --------------------------------------------------------------------------------------------------------

namespace {

double& integral_gain_of(Controller& controller) {
    return *std::visit([](auto& law) { return &law.Ki; }, controller.law);
}

std::vector<std::complex<double>> loop_eigenvalues(const Machine& machine) {
    return SteadyMachine(machine).fast_motion().eigenvalues();
}

double largest_gain(Machine machine, std::size_t controller) {
    double& Ki = integral_gain_of(machine.controllers[controller]);
    const double start = Ki;
    const auto stable = [&](double gain) {
        Ki = gain;
        return numerics::growth(loop_eigenvalues(machine)).growing == 0;
    };
    const bool grows = stable(start);
    double known = start, other = start;
    for (int i = 0; i < 40; ++i) {
        other = grows ? 2 * known : 0.5 * known;
        if (stable(other) != grows) break;
        known = other;
        if (i == 39) return grows ? std::numeric_limits<double>::infinity() : 0;
    }
    double low = std::min(known, other), high = std::max(known, other);
    for (int i = 0; i < 60 && high > low; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (stable(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

std::optional<MachineSlidingLoop> sliding_loop(const Machine& given) {
    check_machine(given);
    Machine machine = given;
    for (Spring& spring : machine.springs) spring.gap = 0;
    MachineSlidingLoop out;
    for (std::size_t i = 0; i < machine.controllers.size(); ++i)
        if (integral_gain_of(machine.controllers[i]) > 0)
            out.gains.push_back({machine.controllers[i].name, largest_gain(machine, i)});
    if (out.gains.empty()) return {};
    out.eigenvalues = loop_eigenvalues(machine);
    out.stability = equilibrium::stability_of(numerics::growth(out.eigenvalues));
    return out;
}

}  // namespace bristle::analysis
