// Limit cycles from the start of a set-up or from a guess.
#include <bristle/analyse/cycle.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/cycle_orbit.hpp"
#include "analyse/cycle/cycle_transient.hpp"

namespace bristle::inline analysis::cycle {

CycleScale scale_of(const Flow& flow, const std::vector<double>& y, double period) {
    OrbitRecorder recorder(flow, 0);
    FlowResult end;
    flow.run(y, period, false, end, std::ref(recorder));
    CycleScale scale;
    for (std::size_t i = 0; i < flow.size(); ++i)
        scale.state.push_back(std::max(recorder.high[i] - recorder.low[i], 1e-6 * flow.nominal()[i]));
    scale.time = period;
    scale.speed = scale.state[1];
    scale.rate = 2 * std::numbers::pi * scale.speed / period;
    return scale;
}

namespace {

// Returns the state at maximum slip of an orbit whose section is elsewhere.
std::vector<double> fastest_on(const Flow& flow, const ClosedOrbit& orbit) {
    PeakDetector detector(flow);
    Peak fastest{0, {orbit.u.begin(), orbit.u.end() - 1}, -HUGE_VAL};
    FlowResult end;
    flow.run(fastest.y, orbit.u.back(), false, end, [&](const FlowStep& step) {
        if (auto peak = detector.detect(step); peak && peak->slip > fastest.slip) fastest = std::move(*peak);
        return true;
    });
    return fastest.y;
}

}  // namespace

Cycle cycle_of(const Setup& setup, const Flow& flow, const CycleScale& scale, const ClosedOrbit& orbit, int max_points,
               CycleSource source) {
    Cycle cycle;
    cycle.source = source;
    cycle.stick_speed = stick_speed(setup);
    OrbitRecorder recorder(flow, cycle.stick_speed);
    const Shot shot = shoot(flow, scale, orbit.u, std::ref(recorder));
    cycle.exists = true;
    cycle.period = orbit.u.back();
    cycle.amplitude = 0.5 * (recorder.high[0] - recorder.low[0]);
    cycle.velocity_amplitude = 0.5 * (recorder.high[1] - recorder.low[1]);
    cycle.fastest = recorder.fastest;
    cycle.stick_fraction = recorder.stuck / (recorder.end - recorder.begin);
    cycle.energy = shot.end.heat;
    cycle.multipliers = multipliers(scale, shot);
    cycle.stable =
        std::all_of(cycle.multipliers.begin(), cycle.multipliers.end(), [](const auto& m) { return std::abs(m) < 1; });
    cycle.state = flow.named(scale.position ? fastest_on(flow, orbit).data() : orbit.u.data());
    const std::size_t stride = 1 + recorder.t.size() / std::size_t(std::max(1, max_points));
    cycle.states.resize(cycle.state.size());
    for (std::size_t i = 0; i < recorder.t.size(); i += stride) {
        const std::size_t at = i + stride < recorder.t.size()
                                   ? i
                                   : recorder.t.size() - 1;  // the last point is kept, so that the orbit is closed
        cycle.t.push_back(recorder.t[at]);
        const auto y = flow.named(recorder.points[at].data());
        for (std::size_t k = 0; k < y.size(); ++k) cycle.states[k].push_back(y[k]);
    }
    return cycle;
}

namespace {

NoCycle reason_of(const Settled& settled, const Setup& setup) {
    if (settled.grows) return NoCycle::grows;
    if (settled.to == Settled::To::unsettled) return NoCycle::limit_reached;
    return steady_state_is_unstable(setup) ? NoCycle::unstable_steady_state : NoCycle::all_settle;
}

MotionEnd motion_of(const Settled& settled) {
    if (settled.stable) return MotionEnd::this_cycle;
    return settled.ends == Settled::To::equilibrium ? MotionEnd::steady_state : MotionEnd::not_periodic;
}

}  // namespace

}  // namespace bristle::analysis::cycle

namespace bristle::inline analysis {

using namespace cycle;

Cycle limit_cycle(const Setup& setup, const CycleOptions& options, const Progress& progress) {
    if (setup.run.method == Method::hybrid) return hybrid_stick_slip(setup, options.max_points);
    const auto flow = flow_of(setup, options.tolerance);
    std::size_t from = 0;
    const Settled settled = settle_anywhere(setup, *flow, options, progress, &from);
    if (settled.to == Settled::To::cancelled) throw Cancelled();
    Cycle found;
    if (settled.to != Settled::To::cycle) {
        found.reason = reason_of(settled, setup);
        return found;
    }
    found = cycle_of(setup, *flow, settled.scale, settled.orbit, options.max_points,
                     from == 0 ? CycleSource::own_start : CycleSource::spread_start);
    found.motion = motion_of(settled);
    return found;
}

Cycle cycle_near(const Setup& setup, const std::vector<double>& state, double period, const CycleOptions& options) {
    if (setup.run.method == Method::hybrid) return hybrid_stick_slip(setup, options.max_points);
    const auto flow = flow_of(setup, options.tolerance);
    std::vector<double> u = flow->placed(state);
    const CycleScale scale = scale_of(*flow, u, period);
    u.push_back(period);
    const ClosedOrbit orbit = close_orbit(*flow, scale, u);
    if (orbit.found) return cycle_of(setup, *flow, scale, orbit, options.max_points, CycleSource::guess);
    Cycle none;
    none.reason = NoCycle::no_convergence;
    return none;
}

}  // namespace bristle::analysis
