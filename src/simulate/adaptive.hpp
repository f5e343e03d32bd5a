// The adaptive method: a rig and a law as a system, solved from corner to corner of its inputs and recorded.
#pragma once
#include <numbers>

#include "simulate/divergence.hpp"
#include "simulate/integrate.hpp"
#include "simulate/ledger.hpp"
#include "simulate/nominal.hpp"
#include "simulate/recorder.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {

// Returns the contact's states and copies them to the snapshot: as many as the law has, at most max_elements.
template <class System, class Y>
auto contact_states_of(const System& system, const Y& y, Snapshot& p) {
    const auto z = parts::part<System::n, double>(y, System::contact);
    if constexpr (requires { system.friction.count(); })
        p.contact_states = int(system.friction.count());
    else
        p.contact_states = int(System::n);
    for (std::size_t i = 0; i < System::n; ++i) p.z[i] = z[i];
    return z;
}

// Sets stored energy, heat and work of a snapshot whose load is set.
template <bool Ledger, class System, class Z, class Y>
void set_energies(Snapshot& p, const System& system, const Z& z, const Y& y) {
    p.stored = system.friction.stored(z, p.load);
    if constexpr (Ledger) {
        p.heat = y[System::N + 1];
        p.work = y[System::N + 2];
    }
}

// Returns the snapshot of a system at an instant. y: states, then supplied energy, dissipated energy, and work.
template <class Law, bool Integral, bool Ledger, class Y>
Snapshot snapshot_of(const RigSystem<Law, Integral, Ledger>& system, double t, const Y& y) {
    using System = RigSystem<Law, Integral, Ledger>;
    const RigEquations& rig = system.rig;
    Snapshot p;
    p.t = t;
    p.position = y[0];
    p.velocity = y[1];
    p.x = rig.sense > 0 ? y[0] : rig.drift * t - y[0];  // x = 0: unstretched spring at t = 0
    const auto z = contact_states_of(system, y, p);
    if constexpr (Integral) p.integral = y[System::N - 1];
    const Moment at = system.moment(t, y);
    p.slip = at.c;
    p.load = at.load;
    p.belt = rig.belt(t);
    p.u = Integral ? rig.pull(y[0], y[1], p.integral) : system.input.value(t);
    if (system.friction.held()) {
        p.F = at.hold;
        if constexpr (requires { system.friction.held_rate(z, at.c, at.hold, at.hold_rate, at.load)[0]; } &&
                      System::n == 1)
            p.dz = system.friction.held_rate(z, at.c, at.hold, at.hold_rate, at.load)[0];
    } else {
        const auto a = system.friction.answer(z, at.c, at.load);
        p.F = a.force;
        if constexpr (System::n == 1) p.dz = a.rate[0];
    }
    set_energies<Ledger>(p, system, z, y);
    return p;
}
template <class Law, bool Ledger, class Y>
Snapshot snapshot_of(const PrescribedSystem<Law, Ledger>& system, double t, const Y& y) {
    using System = PrescribedSystem<Law, Ledger>;
    Snapshot p;
    p.t = t;
    p.position = p.x = system.displacement ? system.input.value(t) : y[0];
    const auto z = contact_states_of(system, y, p);
    const Moment at = system.moment(t, y);
    p.velocity = p.slip = at.c;
    p.load = at.load;
    const auto a = system.friction.answer(z, at.c, at.load);
    p.F = SticksExactly<Law> && at.c == 0 ? 0 : a.force;  // at rest the holding force is not determined
    if constexpr (System::n == 1) p.dz = a.rate[0];
    set_energies<Ledger>(p, system, z, y);
    return p;
}

// Passes accepted steps and reversals to the recorder.
template <class System>
struct RecordingObserver {
    const System& system;
    Recorder& recorder;
    double runaway;         // speed at which the run ends [m/s]
    bool ran_away = false;  // it was exceeded
    template <class S>
    bool step(const S& stepper, double t, double end) {
        ran_away = std::abs(stepper.y1()[1]) > runaway;
        if (ran_away) return false;
        return recorder.step(t, end, [&](double at) {
            typename S::State y;
            const double fraction = at >= end ? 1.0 : (at - t) / (end - t);
            for (std::size_t i = 0; i < S::M; ++i) y[i] = fraction == 1 ? stepper.y1()[i] : stepper.at(i, fraction);
            return snapshot_of(system, at, y);
        });
    }
    void reversal(double t) { recorder.reversal(t); }
};

// Returns the work [J] that a jump of the load does on deflected bristles.
template <class System, class Y>
double load_jump(const System& system, double t, const Y& y, double before) {
    const auto z = parts::part<System::n, double>(y, System::contact);
    return system.friction.stored(z, system.load.value(t)) - system.friction.stored(z, before);
}

// Returns the longest step [s]: 1/8 of the shortest period of the inputs, at most the duration.
inline double longest_step(const Setup& setup) {
    const double d = setup.run.duration;
    return 0.125 * std::min({setup.input.period(d), setup.load.period(d), 8 * d});
}
inline double next_corner(const Setup& setup, double t) {
    return std::min({setup.run.duration, setup.input.next_corner(t), setup.load.next_corner(t)});
}

template <class System>
Result solve(System system, const Setup& setup, const Vector<System::N>& start, const Tolerance<System::N>& tolerance,
             const Progress& progress) {
    Result result;
    Recorder recorder(setup, progress);
    RecordingObserver<System> observer{system, recorder, runaway_speed(setup)};
    Solver<System> solver(system, tolerance, result.statistics);
    for (std::size_t i = 0; i < System::N; ++i) solver.y[i] = start[i];
    while (solver.t < setup.run.duration && result.status == Status::done) {
        const double before = system.load.value(solver.t);
        system.input = setup.input.piece(solver.t);
        system.load = setup.load.piece(solver.t);
        if (solver.t > 0) solver.y[System::N] += load_jump(system, solver.t, solver.y, before);
        if (solver.t == 0) {
            solver.settle();
            recorder.start(snapshot_of(system, 0, solver.y));
        } else {
            solver.renew();
        }
        result.status = solver.run(next_corner(setup, solver.t), observer);
    }
    if (observer.ran_away) result.status = Status::diverges;
    result.energy.supplied = solver.y[System::N];
    result.energy.dissipated = solver.y[System::N + 1];
    recorder.close(result, snapshot_of(system, solver.t, solver.y));
    return result;
}

// Sets Tolerance::per_time. A mass rings on a lightly damped bristle for many periods, and the errors of all these steps add up: to those of
// 20 periods here. Steps of 1e-4 of the tolerance are 11 in a period; the share is larger where they would exceed a million.
template <class Law, std::size_t N>
void limit_error_of_ringing(Tolerance<N>& tolerance, const Law& law, const Setup& setup, const Nominal& size) {
    if (setup.rig.is_prescribed() || Friction<Law>::states == 0) return;
    constexpr double periods = 20, slow = 1e-3;  // slow: a speed at which viscous friction is linear [m/s]
    const RigEquations rig = setup.rig.equations();
    const double ratio = std::abs(rig.ratio), mass = rig.contact_mass();
    const double omega = std::sqrt(size.force / (size.position * ratio) / mass);  // of the ringing [rad/s]
    const double factor = loads(law, setup.load.piece(0).value(0.0)).on_force;
    double damping = factor * std::min(viscous_on(law, 1.0, slow), -viscous_on(law, -1.0, -slow)) / slow;
    if constexpr (requires { law.sigma1; }) damping += factor * law.sigma1;
    damping += std::max(0.0, -rig.kv / (ratio * ratio));
    const double in_run = setup.run.duration * omega / (2 * std::numbers::pi);
    const double lasting = std::min(in_run, mass * omega / (std::numbers::pi * damping));  // periods
    if (lasting < 2 * periods) return;
    tolerance.per_time = periods / lasting * omega / (2 * std::numbers::pi);
    tolerance.least_share = std::max({1e-4 * std::pow(std::max(1.0, 11e-6 * in_run), 4), 1e-13 / tolerance.rtol});
    if (tolerance.least_share >= 1) tolerance.per_time = 0;
}

// Calls use(system, start, tolerance) with the system of this law on the rig.
template <class Law, class Use>
Result with_system(const Law& law, const Setup& setup, const Use& use) {
    const Nominal size = nominal(law, setup, setup.load.piece(0).value(0.0));
    const auto names = state_names(setup.law, setup.rig);
    const bool prescribed = setup.rig.is_prescribed();
    const RigEquations rig = setup.rig.equations();
    const auto run = [&](auto system) {
        using System = decltype(system);
        const double factor = setup.run.atol;
        Tolerance<System::N> tolerance{.rtol = setup.run.rtol,
                                       .energy = 1e-9 * size.energy,
                                       .still = 1e-6 * factor * size.slip,
                                       .force = (RemembersVelocity<Law> ? 1e-11 : 0.1 * setup.run.rtol) * size.force,
                                       .longest = longest_step(setup),
                                       .until = setup.run.duration};
        // the level has its maximum at v = 0 or at the peak of its curve; 1e-3: far above the error of z
        if (Law::guarantees.bounded && setup.load.is_constant()) tolerance.deflection = 1.001 * size.contact_state;
        for (double& atol : tolerance.atol) atol = factor * size.contact_state;
        limit_error_of_ringing(tolerance, law, setup, size);
        tolerance.atol[0] = factor * size.position;
        if (!prescribed) tolerance.atol[1] = factor * size.velocity;
        if (rig.has_integral) tolerance.atol[System::N - 1] = factor * size.integral;
        Vector<System::N> start{};
        if (setup.rig.has_displacement_input()) start[0] = setup.input.piece(0).value(0.0);
        for (std::size_t i = 0; i < names.size(); ++i) {
            // the integral is last, after as many elements as the system can hold
            const std::size_t place = names[i].name == "integral" ? System::N - 1 : i + (prescribed ? 1 : 0);
            start[place] = start_of(setup, names[i].name);
        }
        return use(system, start, tolerance);
    };
    if (prescribed) return run(PrescribedSystem<Law, true>(law, setup.rig.has_displacement_input()));
    if (rig.has_integral) return run(RigSystem<Law, true, true>(law, rig));
    return run(RigSystem<Law, false, true>(law, rig));
}

template <class Law>
Result simulate_adaptive(const Law& law, const Setup& setup, const Progress& progress) {
    return with_system(law, setup, [&](auto system, const auto& start, auto tolerance) {
        Result result = solve(system, setup, start, tolerance, progress);
        // Absolute tolerances are those of a motion of nominal size. If the ledger of a smaller motion does not close, they follow the motion,
        // and rtol is smaller each time.
        long budget = std::max(100'000L, 20 * (result.statistics.steps + result.statistics.rejected));
        for (int again = 0; again < 3 && result.status == Status::done && !closes(result.energy, setup.run.rtol);
             ++again) {
            tolerance.of_motion = setup.run.atol;
            tolerance.rtol = std::max(1e-13, 0.1 * tolerance.rtol);
            tolerance.max_steps = std::min(max_run_steps, budget);
            const Progress still = [&](double) { return !progress || progress(1); };
            Result finer = solve(system, setup, start, tolerance, still);
            if (finer.status == Status::cancelled) return finer;
            if (finer.status != Status::done) break;  // the first result is reported as unbalanced
            budget = std::max(0L, budget - finer.statistics.steps - finer.statistics.rejected);
            finer.statistics += result.statistics;
            result = std::move(finer);
        }
        if (result.status == Status::done && !closes(result.energy, setup.run.rtol)) {
            result.status = Status::unbalanced;
            result.message = failure(result.status, setup.run.duration);
            result.measures = {};
        }
        return result;
    });
}

}  // namespace bristle::simulation
