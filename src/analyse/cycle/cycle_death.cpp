// Where stick-slip dies, by following motions and halving the interval in which it does.
#include <algorithm>
#include <cmath>

#include "cycle_build.hpp"
#include "cycle_transient.hpp"

namespace bristle::analyse {

namespace {

// Whether the motion from y still comes down to stick, or to the swing it began with, after many periods.
struct Survival {
    double tolerance, horizon;
    double steady;  // slip of steady sliding, in the flow's direction [m/s]
    double swing;   // of the cycle's fastest slip above it [m/s]
    int periods = 40;

    bool operator()(const simulate::Setup& setup, const std::vector<double>& y) const {
        const auto flow = flow_of(setup, tolerance);
        const PeakWatch watch(*flow);
        int count = 0;
        bool dead = false;
        Travel end;
        flow->run(y, horizon, false, end, [&](const FlowStep& step) {
            const auto peak = watch.look(step);
            if (!peak || peak->slip < steady + 1e-3 * swing) return true;
            // a motion that swings less than half as much as the cycle has left it for good
            dead = peak->slip < steady + 0.5 * swing;
            return !dead && ++count < periods;
        });
        return !dead && count > 0;
    }
};

// A start that the cycle takes up wherever it lives: the middle of its longest stick, which forgets where it came from.
// Without stick, a point outside of it.
std::vector<double> start_on(const Flow& flow, const Cycle& cycle, double steady) {
    const auto point = [&](std::size_t i) {
        std::vector<double> y;
        for (const auto& series : cycle.states) y.push_back(series[i]);
        return flow.placed(y);
    };
    double longest = 0, middle = 0, since = -1;
    for (std::size_t i = 0; i < cycle.t.size(); ++i) {
        const bool sticks = std::abs(flow.slip(point(i))) <= cycle.stick_speed;
        if (sticks && since < 0) since = cycle.t[i];
        if (sticks && cycle.t[i] - since > longest) {
            longest = cycle.t[i] - since;
            middle = 0.5 * (since + cycle.t[i]);
        }
        if (!sticks) since = -1;
    }
    if (longest > 0)
        return point(std::size_t(std::lower_bound(cycle.t.begin(), cycle.t.end(), middle) - cycle.t.begin()));
    std::vector<double> y = flow.placed(cycle.state);
    const double ratio = flow.direction() * flow.slip(y) / std::max(steady, 1e-300);
    y[1] *= ratio > 0 ? 1.3 : 1;
    return y;
}

}  // namespace

std::optional<double> cycle_death(const Family& family, double start, double toward, const CycleOptions& options) {
    const simulate::Setup setup = family(start);
    if (setup.type == simulate::RigType::hybrid) return {};
    const auto flow = flow_of(setup, options.tolerance);
    const Settled settled = settle_anywhere(setup, *flow, options, {});
    if (settled.to != Settled::To::cycle || !settled.stable) return {};
    // the fastest moment on the cycle tells its size, a moment of stick is where motions start
    const auto steady_slip = [](const simulate::Rig& rig) {
        return std::abs(rig.ratio * (rig.sense < 0 ? rig.drift : 0) + rig.belt_speed);
    };
    Cycle cycle = cycle_of(setup, *flow, settled.scale, settled.orbit, options.most_points);
    std::vector<double> y = start_on(*flow, cycle, steady_slip(setup.rig));
    const auto lives = [&](double p) {
        const simulate::Setup there = family(p);
        const double steady = steady_slip(there.rig);
        const Survival survives{std::max(1e-8, options.tolerance), 100 * cycle.period, steady,
                                std::max(0.2 * cycle.fastest, cycle.fastest - steady)};
        return survives(there, y);
    };
    double inside = start, outside = start;
    constexpr int strides = 20;
    for (int i = 1; i <= strides; ++i) {
        const double p = start + (toward - start) * i / strides;
        if (!lives(p)) {
            outside = p;
            break;
        }
        inside = p;
        // go on from the cycle there, if it closes
        const simulate::Setup there = family(p);
        const auto here = flow_of(there, options.tolerance);
        const Settled next = settle_from(*here, y, 100 * cycle.period, options, {});
        if (next.to != Settled::To::cycle || !next.stable) continue;
        cycle = cycle_of(there, *here, next.scale, next.orbit, options.most_points);
        y = start_on(*here, cycle, steady_slip(there.rig));
    }
    if (outside == start) return {};
    while (std::abs(outside - inside) > 1e-7 * std::abs(inside)) {
        const double middle = 0.5 * (inside + outside);
        (lives(middle) ? inside : outside) = middle;
        if (middle == inside && middle == outside) break;
    }
    return 0.5 * (inside + outside);
}

}  // namespace bristle::analyse
