#include <bristle/analyse/cycle.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/cycle_orbit.hpp"
#include "analyse/cycle/cycle_transient.hpp"

namespace bristle::inline analysis {

double stick_speed_of(const Setup& setup) {
    return setup.run.stick_speed > 0 ? setup.run.stick_speed : stribeck_velocity(setup.law);
}

CycleScale scale_of(const Flow& flow, const std::vector<double>& y, double period) {
    OrbitWatch watch(flow, 0);
    Travel end;
    flow.run(y, period, false, end, std::ref(watch));
    CycleScale scale;
    for (std::size_t i = 0; i < flow.size(); ++i)
        scale.state.push_back(std::max(watch.high[i] - watch.low[i], 1e-6 * flow.nominal()[i]));
    scale.time = period;
    scale.speed = scale.state[1];
    scale.rate = 2 * std::numbers::pi * scale.speed / period;
    return scale;
}

namespace {

// The fastest moment of an orbit that was closed elsewhere.
std::vector<double> fastest_on(const Flow& flow, const Closed& orbit) {
    PeakWatch watch(flow);
    Peak fastest{0, {orbit.u.begin(), orbit.u.end() - 1}, -HUGE_VAL};
    Travel end;
    flow.run(fastest.y, orbit.u.back(), false, end, [&](const FlowStep& step) {
        if (auto peak = watch.look(step); peak && peak->slip > fastest.slip) fastest = std::move(*peak);
        return true;
    });
    return fastest.y;
}

}  // namespace

Cycle cycle_of(const Setup& setup, const Flow& flow, const CycleScale& scale, const Closed& orbit, int max_points) {
    Cycle cycle;
    cycle.stick_speed = stick_speed_of(setup);
    OrbitWatch watch(flow, cycle.stick_speed);
    const Shot shot = shoot(flow, scale, orbit.u, std::ref(watch));
    cycle.exists = true;
    cycle.period = orbit.u.back();
    cycle.amplitude = 0.5 * (watch.high[0] - watch.low[0]);
    cycle.velocity_amplitude = 0.5 * (watch.high[1] - watch.low[1]);
    cycle.fastest = watch.fastest;
    cycle.stick_fraction = watch.stuck / (watch.end - watch.begin);
    cycle.energy = shot.end.heat;
    cycle.multipliers = multipliers(scale, shot);
    cycle.stable =
        std::all_of(cycle.multipliers.begin(), cycle.multipliers.end(), [](const auto& m) { return std::abs(m) < 1; });
    cycle.state = flow.named(scale.position ? fastest_on(flow, orbit).data() : orbit.u.data());
    const std::size_t stride = 1 + watch.t.size() / std::size_t(std::max(1, max_points));
    cycle.states.resize(cycle.state.size());
    for (std::size_t i = 0; i < watch.t.size(); i += stride) {
        const std::size_t at = i + stride < watch.t.size() ? i : watch.t.size() - 1;  // closed: the last one stays
        cycle.t.push_back(watch.t[at]);
        const auto y = flow.named(watch.points[at].data());
        for (std::size_t k = 0; k < y.size(); ++k) cycle.states[k].push_back(y[k]);
    }
    return cycle;
}

namespace {

// Which cycle, and what the motion itself does where the cycle is unstable.
std::string how_found(const Settled& settled, std::size_t from) {
    const std::string start = from == 0 ? "the start of the file" : "a start beside that of the file";
    if (settled.stable) return "found from " + start;
    return "met on the way from " + start + ", but unstable: the motion itself " +
           (settled.ends == Settled::To::equilibrium ? "comes to the steady state"
                                                     : "goes on and does not repeat itself");
}

}  // namespace

Cycle limit_cycle(const Setup& setup, const CycleOptions& options, const Progress& progress) {
    if (setup.run.method == Method::hybrid) return hybrid_stick_slip(setup, options.max_points);
    const auto flow = flow_of(setup, options.tolerance);
    std::size_t from = 0;
    const Settled settled = settle_anywhere(setup, *flow, options, progress, &from);
    Cycle cycle;
    cycle.message = "no limit cycle: neither the start of the file nor one of eight others ends in one";
    if (steady_state_is_unstable(setup))
        cycle.message = "no limit cycle was found from nine starts, but there may be one: the steady state is unstable";
    if (settled.to == Settled::To::open)
        cycle.message = "no limit cycle found, but a motion from one of nine starts was given up before it settled";
    if (settled.grows)
        cycle.message =
            "no limit cycle found: a motion gets faster and faster, so the loop is unstable while it slides";
    if (settled.to == Settled::To::cancelled) cycle.message = "stopped";
    if (settled.to != Settled::To::cycle) return cycle;
    cycle = cycle_of(setup, *flow, settled.scale, settled.orbit, options.max_points);
    cycle.message = how_found(settled, from);
    return cycle;
}

Cycle cycle_near(const Setup& setup, const std::vector<double>& state, double period, const CycleOptions& options) {
    if (setup.run.method == Method::hybrid) return hybrid_stick_slip(setup, options.max_points);
    const auto flow = flow_of(setup, options.tolerance);
    std::vector<double> u = flow->placed(state);
    const CycleScale scale = scale_of(*flow, u, period);
    u.push_back(period);
    const Closed orbit = close_orbit(*flow, scale, u);
    Cycle none;
    none.message = "Newton's method found no closed motion near the guess";
    if (!orbit.found) return none;
    return cycle_of(setup, *flow, scale, orbit, options.max_points);
}

}  // namespace bristle::inline analysis
