#include <bristle/analyse/basin.hpp>
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/cycle_orbit.hpp"
#include "analyse/cycle/cycle_transient.hpp"
#include "base/shared_progress.hpp"

namespace bristle::inline analysis {

namespace {

using Values = std::vector<double>;

// Tells where a motion ends.
struct Judge {
    const Flow* flow;
    double horizon = 0;  // s
    double quiet = 0;    // without a fastest moment for so long: it rests, or slides without swinging [s]
    int max_periods = 0;
    long max_steps = 0;
    std::function<bool()> should_continue = {};
    bool settles = true;          // the steady state is not unstable
    Values peak = {}, size = {};  // the cycle's fastest moment, and the sizes of its states; empty: no cycle
    double steady_slip = 0;       // in the flow's direction [m/s]
    double small = 0;             // a fastest slip that exceeds the steady one by less, twice, has come to it [m/s]
    double close = 1e-6;          // a fastest moment as close to the cycle's has come to it, in sizes of its states
    double slowest = 0;  // fastest moments below it are those of a contact that rings in stick: not looked at [m/s]

    BasinOutcome operator()(const Values& start) const {
        BasinOutcome outcome = BasinOutcome::open;
        int periods = 0, calm = 0;
        long steps = 0;
        double last = -1;  // fastest moment [s]
        PeakWatch watch(*flow);
        Travel end;
        flow->run(start, horizon, false, end, [&](const FlowStep& step) {
            if (last < 0) last = step.from;
            if (++steps > max_steps || (steps % 64 == 0 && should_continue && !should_continue())) return false;
            const auto found = watch.look(step);
            if (!found || found->slip < slowest) {
                if (settles && step.to - last > quiet) outcome = BasinOutcome::steady;
                return outcome == BasinOutcome::open;
            }
            last = found->t;
            // one moment alone may pass the steady slip by chance
            calm = std::abs(found->slip - steady_slip) < small ? calm + 1 : 0;
            if (near_cycle(found->y))
                outcome = BasinOutcome::cycle;
            else if (settles && calm > 1)
                outcome = BasinOutcome::steady;
            return outcome == BasinOutcome::open && ++periods < max_periods;
        });
        return outcome;
    }
    bool near_cycle(const Values& y) const {
        if (peak.empty()) return false;
        return distance(y) < close;
    }
    double distance(const Values& y) const {
        double most = 0;
        for (std::size_t i = 0; i < y.size(); ++i) most = std::max(most, std::abs(y[i] - peak[i]) / size[i]);
        return most;
    }
};

// The unstable cycle between the steady state and a stable cycle, by edge tracking; exists = false where there is none.
Cycle track_edge(const Setup& setup, const Flow& flow, Judge judge, const Values& steady, CycleScale scale,
                 const CycleOptions& options) {
    scale.position.reset();  // it is that of another cycle
    Cycle none;
    none.message = "no unstable cycle found between the steady state and the stable cycle";
    const auto between = [&](double share) {
        Values y(steady);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += share * (judge.peak[i] - steady[i]);
        return y;
    };
    double low = 0, high = 1;
    for (int i = 0; i < 45; ++i) {
        if (!judge.should_continue()) return none;
        const double middle = 0.5 * (low + high);
        (judge(between(middle)) == BasinOutcome::cycle ? high : low) = middle;
    }
    std::vector<Peak> peaks;
    PeakWatch watch(flow);
    Travel end;
    flow.run(between(low), judge.horizon, false, end, [&](const FlowStep& step) {
        if (auto found = watch.look(step)) peaks.push_back(std::move(*found));
        return peaks.size() < 60;
    });
    // the loop that is closest to closing
    Closed best;
    double closest = HUGE_VAL;
    for (std::size_t i = 1; i < peaks.size(); ++i) {
        double distance = 0;
        for (std::size_t k = 0; k < flow.size(); ++k)
            distance = std::max(distance, std::abs(peaks[i].y[k] - peaks[i - 1].y[k]) / scale.state[k]);
        if (!(distance < closest)) continue;
        Values u = peaks[i].y;
        u.push_back(peaks[i].t - peaks[i - 1].t);
        Closed orbit = close_orbit(flow, scale, u, 0.3);
        if (!orbit.found) continue;
        // not the steady state itself, nor a stable cycle
        if (!(std::abs(flow.direction() * flow.slip({orbit.u.begin(), orbit.u.end() - 1}) - judge.steady_slip) >
              1e-3 * scale.speed))
            continue;
        const auto all = multipliers(scale, orbit.shot);
        if (all.empty() || !(std::abs(all.front()) > 1)) continue;
        closest = distance;
        best = std::move(orbit);
    }
    if (!best.found) return none;
    Cycle edge = cycle_of(setup, flow, scale, best, options.max_points);
    edge.message = "by edge tracking between the steady state and the stable cycle";
    return edge;
}

std::size_t place_of(const Setup& setup, const std::string& name) {
    const auto names = state_names(setup.law, setup.rig);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].name == name) return i;
    std::string all;
    for (const auto& state : names) all += (all.empty() ? "" : ", ") + state.name;
    throw Error("the rig has no state \"" + name + "\": it has " + all);
}

void refuse_hybrid(const Setup& setup) {
    if (setup.run.method == Method::hybrid)
        throw Error("no basins of the rig hybrid, which is solved in closed form: take pulled_spring");
}

}  // namespace

Basin basin(const Setup& setup, const BasinAxis& across, const BasinAxis& up, const BasinOptions& options,
            const Progress& progress) {
    refuse_hybrid(setup);
    const std::size_t at_across = place_of(setup, across.state), at_up = place_of(setup, up.state);
    if (across.count < 1 || up.count < 1) throw Error("a basin needs at least one start in each direction");
    Basin basin;
    basin.across = across;
    basin.up = up;
    const auto flow = flow_of(setup, options.cycle.tolerance);
    SharedProgress shared(progress);
    const Settled settled = settle_anywhere(setup, *flow, options.cycle, shared.part(0, 1));
    const auto quick = flow_of(setup, options.tolerance);
    std::atomic<int> done = 0;
    Judge judge{.flow = quick.get(), .horizon = horizon_of(setup), .max_periods = options.max_periods};
    judge.quiet = judge.horizon / 6;
    judge.max_steps = options.cycle.max_steps;
    judge.should_continue = [&] { return shared.tell(0.1 + 0.9 * double(done) / up.count); };
    judge.settles = !steady_state_is_unstable(setup);
    judge.steady_slip = steady_slip(setup.rig.equations());
    if (settled.to == Settled::To::cycle && settled.stable) {
        basin.stable = cycle_of(setup, *flow, settled.scale, settled.orbit, options.cycle.max_points);
        judge.peak = flow->placed(basin.stable.state);
        judge.size = settled.scale.state;
        const double swing = flow->direction() * flow->slip(judge.peak) - judge.steady_slip;
        judge.small = 1e-3 * std::abs(swing);
        if (judge.steady_slip == 0) {  // a servo: it rests, and no moment of rest is faster than another
            judge.small = 0;
            judge.slowest = 0.05 * swing;
            judge.quiet = 30 * basin.stable.period;
            judge.horizon = options.max_periods * basin.stable.period + judge.quiet;
        }
        // between a cycle and a steady state that both attract lies something that does not
        if (const Equilibrium steady = main_equilibrium(setup); steady.stable()) {
            Values y;
            for (const StateValue& state : steady.states) y.push_back(state.value);
            // whatever stays between the two for a hundred periods is on the edge
            Judge precise = judge;
            precise.flow = flow.get();
            precise.max_periods = 100;
            basin.edge = track_edge(setup, *flow, precise, flow->placed(y), settled.scale, options.cycle);
        }
        if (basin.edge.exists) {
            const Values edge = flow->placed(basin.edge.state);
            judge.small = 0.5 * std::abs(flow->direction() * flow->slip(edge) - judge.steady_slip);
            judge.close = std::min(0.05, 0.3 * judge.distance(edge));
        } else {
            judge.close = 1e-3;  // what the quick motions resolve
        }
    } else {
        judge.small = 1e-3 * std::max(judge.steady_slip, flow->nominal()[1] * std::abs(setup.rig.equations().ratio));
    }

    basin.outcomes.assign(std::size_t(across.count) * std::size_t(up.count), BasinOutcome::open);
    const auto value = [](const BasinAxis& axis, int i) {
        return axis.count == 1 ? axis.from : axis.from + (axis.to - axis.from) * i / (axis.count - 1);
    };
    const Values origin = flow->named(flow->start().data());
    tbb::parallel_for(0, up.count, [&](int j) {
        for (int i = 0; i < across.count && judge.should_continue(); ++i) {
            Values start = origin;
            start[at_across] = value(across, i);
            start[at_up] = value(up, j);
            basin.outcomes[std::size_t(j) * std::size_t(across.count) + std::size_t(i)] = judge(quick->placed(start));
        }
        ++done;
    });
    basin.cancelled = shared.cancelled();
    for (const BasinOutcome outcome : basin.outcomes)
        ++(outcome == BasinOutcome::steady ? basin.steady : outcome == BasinOutcome::cycle ? basin.cycle : basin.open);
    return basin;
}

std::pair<BasinAxis, BasinAxis> basin_axes(const Setup& setup, const Cycle& cycle, int count) {
    const auto names = state_names(setup.law, setup.rig);
    const auto axis = [&](std::size_t i, double from, double to) { return BasinAxis{names[i].name, from, to, count}; };
    if (cycle.exists) {
        const auto around = [&](std::size_t i) {
            const auto [low, high] = std::minmax_element(cycle.states[i].begin(), cycle.states[i].end());
            return axis(i, *low - 0.25 * (*high - *low), *high + 0.25 * (*high - *low));
        };
        return {around(0), around(1)};
    }
    // as far as the starts that a cycle is looked for from
    refuse_hybrid(setup);
    const auto flow = flow_of(setup, 1e-6);
    const Equilibrium steady = main_equilibrium(setup);
    double way[2] = {0, 0};
    for (const Values& y : spread_starts(setup, *flow))
        for (std::size_t i = 0; i < 2; ++i) way[i] = std::max(way[i], std::abs(y[i] - steady.states[i].value));
    const auto around = [&](std::size_t i) {
        return axis(i, steady.states[i].value - way[i], steady.states[i].value + way[i]);
    };
    return {around(0), around(1)};
}

}  // namespace bristle::inline analysis
