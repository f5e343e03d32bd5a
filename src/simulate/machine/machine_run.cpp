// simulate() for machines: tolerances, and the run from corner to corner of the inputs.
#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>

#include "base/text.hpp"
#include "simulate/ledger.hpp"
#include "simulate/machine/machine_coupled.hpp"
#include "simulate/machine/machine_recorder.hpp"
#include "simulate/machine/runaway.hpp"
#include "simulate/nominal.hpp"

namespace bristle::inline simulation {

namespace {

// Returns the sizes of a contact, as a mass under its force, or pulled by the springs of the coordinates that it moves.
Nominal size_of_contact(const MachineSystem& system, std::size_t i, double load) {
    const Machine& m = system.machine();
    const Assembly& assembly = system.assembly();
    double stiffness = 0;
    for (std::size_t s = 0; s < m.springs.size(); ++s)
        for (const Node& node : {assembly.springs[s].first, assembly.springs[s].second})
            if (node.coordinate >= 0 && assembly.jacobian(i, std::size_t(node.coordinate)) != 0)
                stiffness = std::max(stiffness, m.springs[s].stiffness * node.ratio * node.ratio);
    const double mass = system.is_free(i) ? assembly.contact_mass(i) : 1;
    Setup setup{.law = m.contacts[i].law, .rig = ForcedMass{mass}, .run = m.run};
    if (stiffness > 0) setup.rig = PulledSpring{.mass = mass, .stiffness = stiffness, .velocity = 0};
    const double floor = accepts_load(setup.law, 0) ? 0 : 1e-300;
    return std::visit([&](const auto& law) { return nominal(law, setup, std::max(load, floor)); },
                      static_cast<const LawVariant&>(m.contacts[i].law));
}

// Returns the scale of positions and velocities of a machine without contacts.
std::pair<double, double> sizes_without_contacts(const Machine& m, const Assembly& assembly) {
    double x = 0, v = 0;
    const double T = std::min(m.run.duration, 1.0);
    for (std::size_t k = 0; k < assembly.coordinates(); ++k) v = std::max(v, std::abs(assembly.v[k]));
    for (const Body& body : m.bodies) v = std::max(v, 1e-3 * std::abs(body.force) / body.mass * T);
    for (const Force& force : m.forces) {
        const Input::Range range = force.value.range();
        const double largest = std::max(std::abs(range.low), std::abs(range.high));
        v = std::max(v, 1e-3 * largest / m.bodies[std::size_t(index_of(m.bodies, force.body))].mass * T);
    }
    for (const Motor& motor : m.motors) {
        const Input::Range range = motor.command.range();
        const double largest = std::abs(motor.gain) * std::max(std::abs(range.low), std::abs(range.high));
        v = std::max(v, 1e-3 * largest / m.bodies[std::size_t(index_of(m.bodies, motor.body))].mass * T);
    }
    for (const Controller& controller : m.controllers) {
        const Input::Range range = controller.reference.range();
        v = std::max(v, 1e-3 * std::max(std::abs(range.low), std::abs(range.high)) / T);
    }
    if (v == 0) v = 1e-3;
    x = v * T;
    return {x, v};
}

// still: contact velocities that count as zero [m/s].
Tolerance<any_size> tolerance_of(MachineSystem& system, const std::vector<double>& y, std::vector<double>& still) {
    const Machine& m = system.machine();
    const Assembly& assembly = system.assembly();
    const std::size_t K = assembly.coordinates(), n = m.contacts.size();
    const double factor = m.run.atol, none = std::numeric_limits<double>::infinity();
    Tolerance<any_size> out{.rtol = m.run.rtol, .longest = 0.125 * system.shortest_period(m.run.duration)};
    out.until = m.run.duration;
    std::vector<double> x(K, none), v(K, none);
    double x_all = none, v_all = none, force = none;
    const std::vector<double> load = system.values(0, y).load;
    out.atol.assign(system.size(), 0);
    for (std::size_t i = 0; i < n; ++i) {
        const Nominal size = size_of_contact(system, i, load[i]);
        still.push_back(1e-6 * factor * size.slip);
        system.set_tolerance(i, still[i], 0.1 * m.run.rtol * size.force);
        for (std::size_t j = 0; j < system.law(i).states(); ++j)
            out.atol[system.first_state(i) + j] = factor * size.contact_state;
        for (std::size_t k = 0; k < K; ++k) {
            const double ratio = std::abs(assembly.jacobian(i, k));
            if (ratio == 0) continue;
            x[k] = std::min(x[k], size.position / ratio);
            v[k] = std::min(v[k], size.velocity / ratio);
        }
        x_all = std::min(x_all, size.position);
        v_all = std::min(v_all, size.velocity);
        if (size.force > 0) force = std::min(force, size.force);
        out.energy = std::max(out.energy, 1e-9 * size.energy);
    }
    if (n == 0) {
        std::tie(x_all, v_all) = sizes_without_contacts(m, assembly);
        for (const double mass : assembly.mass) out.energy += 1e-9 * mass * v_all * v_all;
    }
    if (!std::isfinite(force)) {
        force = 0;
        for (const double mass : assembly.mass) force = std::max(force, mass * v_all * v_all / x_all);
    }
    for (std::size_t k = 0; k < K; ++k) {
        out.atol[k] = factor * (std::isfinite(x[k]) ? x[k] : x_all);
        out.atol[K + k] = factor * (std::isfinite(v[k]) ? v[k] : v_all);
    }
    system.drives().set_tolerances(out.atol, factor * force);
    for (double& atol : out.atol)
        if (atol == 0) atol = factor * x_all;  // positions of motions
    return out;
}

// Returns the largest friction force of a contact [N].
double largest_level(const MachineSystem& system, const std::vector<double>& y) {
    const std::vector<double> load = system.values(0, y).load;
    double level = 0;
    for (std::size_t i = 0; i < load.size(); ++i) level = std::max(level, size_of_contact(system, i, load[i]).force);
    return level;
}

// Passes accepted steps to the recorder, until the motion has run away.
struct MachineObserver {
    MachineRecorder& recorder;
    const Runaway& runaway;
    bool ran_away = false;
    bool step(const MachineStepper& stepper, double t, double end) {
        ran_away = runaway.reached(end, stepper.y1());
        return !ran_away && recorder.step(stepper, t, end);
    }
    void reversal(double t, std::size_t contact) { recorder.reversal(t, contact); }
};

// The coupled method, from corner to corner of the inputs. still: per contact, as in tolerance_of.
void simulate_coupled(MachineSystem& system, const std::vector<double>& start, const std::vector<double>& still,
                      const Runaway& runaway, MachineRecorder& recorder, Result& result) {
    const Run& run = system.machine().run;
    MachineCoupled machine(system, start, still);
    FixedGrid grid(run);
    double t = 0, corner = system.next_corner(grid.slack());
    while (t < run.duration && result.status == Status::done) {
        if (t >= corner) {
            std::vector<double> y = machine.y();
            system.set_pieces(t + grid.slack(), y);  // for the recorder
            corner = system.next_corner(t + grid.slack());
        }
        const double to = grid.next(corner);
        if (!machine.step(t, to - t)) {
            result.status = machine.is_finite() ? Status::step_too_small : Status::not_finite;
            break;
        }
        ++result.statistics.steps;
        for (std::size_t i = 0; i < system.machine().contacts.size(); ++i) {
            const auto at = reversal_between(t, to, machine.start_velocity(i), machine.values().c[i], still[i]);
            if (!at) continue;
            recorder.reversal(*at, i);
            ++result.statistics.reversals;
        }
        if (!recorder.step(t, to, machine.y(), machine.values(), machine.stored())) result.status = Status::cancelled;
        t = to;
        if (runaway.is_fast(t, machine.y())) {
            std::vector<double> y = machine.y();
            system.settle(t, y);
            if (runaway.reached(t, y)) result.status = Status::diverges;
        }
    }
    result.statistics.evaluations = machine.evaluations();
    recorder.close(result, t, machine.y(), {machine.values(), machine.stores(), machine.numerical()});
    if (result.status == Status::diverges) result.message = runaway.sentence(t);
    if (result.status == Status::step_too_small)
        result.message = "the equations of a step have no solution that the method finds at t = " + quantity(t, "s") +
                         ": reduce run.step, or use run.method = \"adaptive\"";
}

}  // namespace

std::vector<Named> signal_names(const Machine& machine) {
    require_valid(machine);
    const MachineSystem system(machine);
    return MachineRecorder(system, {}).signal_names();
}

Result simulate(const Machine& machine, const Progress& progress) {
    require_valid(machine);
    Result result;
    MachineSystem system(machine);
    std::vector<double> start = system.start();
    system.set_pieces(0, start);
    system.settle_springs(0, start);
    std::vector<double> still;
    const Tolerance<any_size> tolerance = tolerance_of(system, start, still);
    MachineRecorder recorder(system, progress);
    Solver<MachineSystem, MachineStepper> solver(system, tolerance, result.statistics);
    solver.y = start;
    system.settle(0, solver.y);
    recorder.start(solver.y);
    const Runaway runaway(system, largest_level(system, start), start);
    if (machine.run.method == Method::coupled) {
        simulate_coupled(system, solver.y, still, runaway, recorder, result);
        return result;
    }
    MachineObserver observer{recorder, runaway};
    while (solver.t < machine.run.duration && result.status == Status::done) {
        if (solver.t > 0) {
            system.set_pieces(solver.t, solver.y);
            system.renew(solver.t, solver.y);
        }
        result.status = solver.run(system.next_corner(solver.t), observer);
    }
    if (observer.ran_away) result.status = Status::diverges;
    recorder.close(result, solver.t, solver.y);
    if (observer.ran_away) result.message = runaway.sentence(solver.t);
    if (result.status == Status::done && !closes(result.energy, machine.run.rtol)) {
        result.status = Status::unbalanced;
        result.message = failure(result.status, solver.t);
        result.measures = {};
    }
    return result;
}

}  // namespace bristle::simulation
