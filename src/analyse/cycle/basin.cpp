// Basins of attraction over a grid of starts.
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
#include "numerics/bisect.hpp"
#include "base/text.hpp"

namespace bristle::inline analysis::cycle {

namespace {

using Values = std::vector<double>;

// Decides the attractor of a motion.
struct Classifier {
    const Flow* flow;
    double horizon = 0;     // time limit [s]
    double quiet_time = 0;  // a motion without a peak of slip for this time is at rest or slides steadily [s]
    int max_periods = 0;
    long max_steps = 0;
    std::function<bool()> should_continue = {};
    bool can_settle = true;       // the steady state is not unstable
    Values peak = {}, size = {};  // state of the cycle at maximum slip, and the sizes of its states; empty: no cycle
    double steady_slip = 0;       // in the direction of the flow [m/s]
    double small = 0;             // steady if maximum slip exceeds steady slip by less, twice in a row [m/s]
    double close = 1e-6;          // cycle if the distance at maximum slip is less, in sizes of its states
    double slowest = 0;           // slower peaks are those of a contact that oscillates in stick [m/s]

    BasinOutcome operator()(const Values& start) const {
        BasinOutcome outcome = BasinOutcome::undecided;
        int periods = 0, calm = 0;
        long steps = 0;
        double last = -1;  // time of the last peak [s]
        PeakDetector detector(*flow);
        FlowResult end;
        flow->run(start, horizon, false, end, [&](const FlowStep& step) {
            if (last < 0) last = step.from;
            if (++steps > max_steps || (steps % 64 == 0 && should_continue && !should_continue())) return false;
            const auto found = detector.detect(step);
            if (!found || found->slip < slowest) {
                if (can_settle && step.to - last > quiet_time) outcome = BasinOutcome::steady;
                return outcome == BasinOutcome::undecided;
            }
            last = found->t;
            // one peak alone can equal steady slip by chance
            calm = std::abs(found->slip - steady_slip) < small ? calm + 1 : 0;
            if (near_cycle(found->y))
                outcome = BasinOutcome::cycle;
            else if (can_settle && calm > 1)
                outcome = BasinOutcome::steady;
            return outcome == BasinOutcome::undecided && ++periods < max_periods;
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

// Returns the unstable cycle between the steady state and a stable cycle, by edge tracking.
Cycle track_edge(const Setup& setup, const Flow& flow, Classifier classify, const Values& steady, CycleScale scale,
                 const CycleOptions& options) {
    scale.position.reset();  // the section of the stable cycle
    Cycle none;
    none.reason = NoCycle::no_edge;
    const auto between = [&](double fraction) {
        Values y(steady);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += fraction * (classify.peak[i] - steady[i]);
        return y;
    };
    double low = 0, high = 1;
    int halvings = 0;
    bool cancelled = false;
    numerics::narrow(
        high, low, [&] { return halvings++ < 45 && !(cancelled = !classify.should_continue()); },
        [&](double fraction) { return classify(between(fraction)) == BasinOutcome::cycle; });
    if (cancelled) return none;
    std::vector<Peak> peaks;
    PeakDetector detector(flow);
    FlowResult end;
    flow.run(between(low), classify.horizon, false, end, [&](const FlowStep& step) {
        if (auto found = detector.detect(step)) peaks.push_back(std::move(*found));
        return peaks.size() < 60;
    });
    // the loop between two peaks that repeat best
    ClosedOrbit best;
    double closest = HUGE_VAL;
    for (std::size_t i = 1; i < peaks.size(); ++i) {
        double distance = 0;
        for (std::size_t k = 0; k < flow.size(); ++k)
            distance = std::max(distance, std::abs(peaks[i].y[k] - peaks[i - 1].y[k]) / scale.state[k]);
        if (!(distance < closest)) continue;
        Values u = peaks[i].y;
        u.push_back(peaks[i].t - peaks[i - 1].t);
        ClosedOrbit orbit = close_orbit(flow, scale, u, 0.3);
        if (!orbit.found) continue;
        // not the steady state itself, nor a stable cycle
        if (!(std::abs(flow.direction() * flow.slip({orbit.u.begin(), orbit.u.end() - 1}) - classify.steady_slip) >
              1e-3 * scale.speed))
            continue;
        const auto all = multipliers(scale, orbit.shot);
        if (all.empty() || !(std::abs(all.front()) > 1)) continue;
        closest = distance;
        best = std::move(orbit);
    }
    if (!best.found) return none;
    return cycle_of(setup, flow, scale, best, options.max_points, CycleSource::edge_tracking);
}

std::size_t index_of(const Setup& setup, const std::string& name) {
    const auto names = state_names(setup.law, setup.rig);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].name == name) return i;
    std::string all;
    for (const auto& state : names) append_item(all, state.name);
    throw Error("the rig has no state \"" + name + "\"; its states are " + all);
}

void reject_hybrid(const Setup& setup) {
    if (setup.run.method == Method::hybrid)
        throw Error("basins need a simulated motion, and hybrid is a closed form; choose rig.kind = \"pulled_spring\"");
}

// Sets the bounds of a classifier around the stable cycle, and finds the unstable one.
void use_cycle(Classifier& classify, Basin& basin, const Setup& setup, const Flow& flow, const Settled& settled,
               const BasinOptions& options) {
    basin.stable = cycle_of(setup, flow, settled.scale, settled.orbit, options.cycle.max_points, basin.stable.source);
    basin.stable.motion = MotionEnd::this_cycle;
    classify.peak = flow.placed(basin.stable.state);
    classify.size = settled.scale.state;
    const double swing = flow.direction() * flow.slip(classify.peak) - classify.steady_slip;
    classify.small = 1e-3 * std::abs(swing);
    if (classify.steady_slip == 0) {  // a servo: it rests without a peak of slip
        classify.small = 0;
        classify.slowest = 0.05 * swing;
        classify.quiet_time = 30 * basin.stable.period;
        classify.horizon = options.max_periods * basin.stable.period + classify.quiet_time;
    }
    // between two attractors there is a motion that is not attracted by either
    if (const Equilibrium steady = main_equilibrium(setup); steady.stable()) {
        Values y;
        for (const StateValue& state : steady.states) y.push_back(state.value);
        // a motion that stays between the two for a hundred periods is on the edge
        Classifier precise = classify;
        precise.flow = &flow;
        precise.max_periods = 100;
        basin.edge = track_edge(setup, flow, precise, flow.placed(y), settled.scale, options.cycle);
    }
    if (basin.edge.exists) {
        const Values edge = flow.placed(basin.edge.state);
        classify.small = 0.5 * std::abs(flow.direction() * flow.slip(edge) - classify.steady_slip);
        classify.close = std::min(0.05, 0.3 * classify.distance(edge));
    } else {
        classify.close = 1e-3;  // the accuracy of the motions from the grid
    }
}

}  // namespace

}  // namespace bristle::analysis::cycle

namespace bristle::inline analysis {

using namespace cycle;

Basin basin(const Setup& setup, const BasinAxis& across, const BasinAxis& up, const BasinOptions& options,
            const Progress& progress) {
    reject_hybrid(setup);
    const std::size_t at_across = index_of(setup, across.state), at_up = index_of(setup, up.state);
    if (across.count < 1 || up.count < 1) throw Error("a basin needs at least one start on each axis");
    Basin basin;
    basin.across = across;
    basin.up = up;
    const auto flow = flow_of(setup, options.cycle.tolerance);
    SharedProgress shared(progress);
    std::size_t from = 0;
    const Settled settled = settle_anywhere(setup, *flow, options.cycle, shared.part(0, 1), &from);
    const auto quick = flow_of(setup, options.tolerance);
    std::atomic<int> done = 0;
    Classifier classify{.flow = quick.get(), .horizon = horizon_of(setup), .max_periods = options.max_periods};
    classify.quiet_time = classify.horizon / 6;
    classify.max_steps = options.cycle.max_steps;
    classify.should_continue = [&] { return shared.tell(0.1 + 0.9 * double(done) / up.count); };
    classify.can_settle = !steady_state_is_unstable(setup);
    classify.steady_slip = steady_slip(setup.rig.equations());
    basin.stable.source = from == 0 ? CycleSource::own_start : CycleSource::spread_start;
    if (settled.to == Settled::To::cycle && settled.stable)
        use_cycle(classify, basin, setup, *flow, settled, options);
    else
        classify.small =
            1e-3 * std::max(classify.steady_slip, flow->nominal()[1] * std::abs(setup.rig.equations().ratio));

    basin.outcomes.assign(std::size_t(across.count) * std::size_t(up.count), BasinOutcome::undecided);
    const Values origin = flow->named(flow->start().data());
    tbb::parallel_for(0, up.count, [&](int j) {
        for (int i = 0; i < across.count && classify.should_continue(); ++i) {
            Values start = origin;
            start[at_across] = across.value(i);
            start[at_up] = up.value(j);
            basin.outcomes[std::size_t(j) * std::size_t(across.count) + std::size_t(i)] =
                classify(quick->placed(start));
        }
        ++done;
    });
    basin.cancelled = shared.cancelled();
    for (const BasinOutcome outcome : basin.outcomes)
        ++(outcome == BasinOutcome::steady  ? basin.steady
           : outcome == BasinOutcome::cycle ? basin.cycle
                                            : basin.undecided);
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
    // as far as the starts of limit_cycle
    reject_hybrid(setup);
    const auto flow = flow_of(setup, 1e-6);
    const Equilibrium steady = main_equilibrium(setup);
    double reach[2] = {0, 0};
    for (const Values& y : spread_starts(setup, *flow))
        for (std::size_t i = 0; i < 2; ++i) reach[i] = std::max(reach[i], std::abs(y[i] - steady.states[i].value));
    const auto around = [&](std::size_t i) {
        return axis(i, steady.states[i].value - reach[i], steady.states[i].value + reach[i]);
    };
    return {around(0), around(1)};
}

}  // namespace bristle::analysis
