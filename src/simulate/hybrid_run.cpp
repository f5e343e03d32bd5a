// A run with the method hybrid: the phases of the closed form, passed to the recorder.
#include "simulate/hybrid_run.hpp"

#include <bristle/simulate/hybrid.hpp>

#include "simulate/recorder.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {

Result simulate_hybrid(const Setup& setup, const Progress& progress) {
    constexpr long max_phases = 1'000'000;
    constexpr int parts = 16;  // of every phase, so that its peaks are recorded
    const double duration = setup.run.duration;
    const Hybrid model = hybrid_of(setup);
    const auto phases = hybrid_motion(model, start_of(setup, "elongation"), start_of(setup, "v"), duration, max_phases);
    Result result;
    if (phases.empty() || phases.back().t1 < duration) {
        result.status = Status::too_many_steps;
        result.message = "step limit exceeded: more than a million stick and slip phases; shorten run.duration";
        return result;
    }
    Recorder recorder(setup, progress);
    double heat = 0, supplied = 0;
    const auto snapshot = [&](const HybridPhase& phase, double t) {
        const auto s = phase.at(t);
        Snapshot p;
        p.t = t;
        p.position = s.l;
        p.velocity = p.slip = s.v;
        p.x = model.velocity * t - s.l;
        p.F = s.force;
        p.heat = p.work = heat + s.heat;
        return p;
    };
    Snapshot last;
    double slip_before = 0;
    for (const HybridPhase& phase : phases) {
        if (&phase == &phases.front()) recorder.start(snapshot(phase, 0));
        const bool slips = phase.mode != HybridPhase::Mode::stick;
        const double side = !slips ? 0 : phase.mode == HybridPhase::Mode::slip_positive ? 1 : -1;
        if (slip_before != 0 && side != slip_before) {
            recorder.reversal(phase.t0);
            ++result.statistics.reversals;
        }
        slip_before = side;
        double reached = phase.t1;
        for (int i = 0; i < parts && result.status == Status::done; ++i) {
            const double from = phase.t0 + (phase.t1 - phase.t0) * i / parts;
            const double to = i == parts - 1 ? phase.t1 : phase.t0 + (phase.t1 - phase.t0) * (i + 1) / parts;
            if (!recorder.step(from, to, [&](double t) { return snapshot(phase, t); })) {
                result.status = Status::cancelled;
                reached = to;
            }
        }
        ++result.statistics.steps;
        ++result.statistics.evaluations;
        last = snapshot(phase, reached);
        const auto end = phase.at(reached);
        heat += end.heat;
        supplied += end.supplied;
        if (result.status != Status::done) break;
    }
    result.energy.supplied = supplied;
    result.energy.dissipated = heat;
    recorder.close(result, last);
    return result;
}

}  // namespace bristle::simulation
