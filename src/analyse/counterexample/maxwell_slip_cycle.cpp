// Counterexample of Maxwell-slip by construction: elements slip at a low level, climb to a high one, and push the contact back.
// Formulas and return rules: counterexample.hpp. Energies are integrated along the signal (replay.hpp); estimated_gain only
// serves to choose the speeds.
#include "analyse/counterexample/climbing_cycle.hpp"
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/repeated_cycle.hpp"
#include "analyse/counterexample/shuttle.hpp"
#include "analyse/scales.hpp"
#include "base/work_budget.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis::counterexample {

namespace {

// The motion back covers 98 % of the path after which the first element would be at the low level: all are still above it.
constexpr double return_fraction = 0.98;
// Time at the high level, in time constants level_high/C: exp(-6), 0.25 % of the climb, is missing at the end.
constexpr double climb_time_constants = 6;
// Viscous force of the motion back, at most, as a fraction of the high level.
constexpr double viscous_fraction = 1e-2;
// Energy spent at the low level, at most, as a fraction of level_high times return_path. The estimate of the gain counts it twice.
constexpr double low_level_fraction = 1e-3;
// Plans with this fraction of the largest gain count as equally good.
constexpr double near_max_gain = 0.98;

struct ClimbPlan {
    Held low{}, high{};                    // velocities in one direction, and their loads
    double level_low = 0, level_high = 0;  // N
    double return_path = 0;                // path length of the motion back [m]
    double return_speed = 0;               // m/s, > 0
    double time_high = 0, time_low = 0;    // at the high and at the low level [s]
    double estimated_gain = -infinite;     // energy that one cycle extracts [J]
};

ClimbPlan plan_climb(const AnyMaxwellSlip& law, Held low, Held high, double top_speed) {
    const auto level_at = [&](Held h) { return level(law.curve, h.v) * loads(law, h.load).on_curve; };
    ClimbPlan plan{.low = low, .high = high, .level_low = level_at(low), .level_high = level_at(high)};
    plan.return_speed = top_speed;
    if (!(plan.level_high > plan.level_low)) return plan;
    double stiffness = 0, path = infinite;
    for (int i = 0; i < law.count(); ++i) {
        stiffness += law.k[i];
        path = std::min(path, law.nu[i] * (plan.level_high - plan.level_low) / law.k[i]);
    }
    plan.return_path = return_fraction * path;
    plan.time_high = climb_time_constants * plan.level_high / law.C;
    const double sigma2 = std::max(law.sigma2, law.sigma2_negative);
    if (sigma2 > 0) plan.return_speed = std::min(top_speed, viscous_fraction * plan.level_high / sigma2);
    const double v_low = std::abs(low.v), v_high = std::abs(high.v);
    plan.time_low =
        low_level_fraction * plan.return_path / v_low * plan.level_high / (plan.level_high + sigma2 * v_low);
    const double extracted = plan.return_path * (plan.level_high - 0.5 * stiffness * plan.return_path),
                 spent = (plan.level_high + sigma2 * v_high) * v_high * plan.time_high +
                         2 * low_level_fraction * plan.level_high * plan.return_path +
                         sigma2 * plan.return_speed * plan.return_path;
    plan.estimated_gain = loads(law, high.load).on_force * (extracted - spent);
    return plan;
}

// Over both directions and all pairs of speeds up to vmax: of the plans near the largest gain, the slowest at the low level.
ClimbPlan best_climb_plan(const AnyMaxwellSlip& law, double load_low, double load_high, double vmax) {
    const Scales scales = scales_of(law, load_high);
    const double top = std::min(vmax, 10 * scales.fastest), ratio = std::pow(10, 0.125);
    std::vector<double> speeds;
    for (double v = top; v > std::max(1e-7 * std::min(top, scales.slowest), 1e-300) && spend(); v /= ratio)
        speeds.push_back(v);
    std::vector<ClimbPlan> plans;
    double max_gain = 0;
    for (const double side : {1.0, -1.0})
        for (const double v_low : speeds) {
            if ((v_low < 0.1 * scales.slowest && v_low < top) || !spend(long(speeds.size()) / 8 + 1)) break;
            const auto plan_at = [&](double v_high) {
                return plan_climb(law, {side * v_low, load_low}, {side * v_high, load_high}, top);
            };
            ClimbPlan best = plan_at(speeds.back());
            for (const double v_high : speeds)
                if (const ClimbPlan plan = plan_at(v_high); plan.estimated_gain > best.estimated_gain) best = plan;
            max_gain = std::max(max_gain, best.estimated_gain);
            plans.push_back(best);
        }
    const auto slower = [](const ClimbPlan& a, const ClimbPlan& b) { return std::abs(a.low.v) < std::abs(b.low.v); };
    std::erase_if(plans, [&](const ClimbPlan& plan) { return !(plan.estimated_gain > near_max_gain * max_gain); });
    return plans.empty() ? ClimbPlan{} : *std::min_element(plans.begin(), plans.end(), slower);
}

std::optional<Counterexample> climb_signal(const AnyMaxwellSlip& law, const ClimbPlan& plan, int cycles) {
    const double side = plan.low.v < 0 ? -1 : 1, return_time = plan.return_path / plan.return_speed;
    const double slip_level = level(law.curve, side * plan.return_speed) * loads(law, plan.low.load).on_curve;
    double path = 0;  // until every element slips, and 0.1 % more [m]
    for (int i = 0; i < law.count(); ++i) path = std::max(path, 1.001 * law.nu[i] * slip_level / law.k[i]);
    SignalBuilder builder(plan.low.load);
    builder.hold(side * plan.return_speed, path / plan.return_speed);
    const bool load_varies = plan.high.load != plan.low.load;
    std::size_t begins = 0, ends = 0;  // of the last cycle
    for (int i = 0; i < cycles; ++i) {
        begins = builder.legs();
        builder.hold(plan.low.v, plan.time_low);
        // the load increases while the elements slip forward and decreases during the motion back, when none of them slips
        if (load_varies) builder.change_load(plan.high.load, 1e-3 * plan.time_high, plan.high.v);
        builder.hold(plan.high.v, plan.time_high);
        if (load_varies)
            builder.change_load(plan.low.load, return_time, -side * plan.return_speed);
        else
            builder.hold(-side * plan.return_speed, return_time);
        ends = builder.legs();
    }
    return finished(law, builder.take(), begins, ends);
}

}  // namespace

std::optional<Counterexample> climbing_cycle(const AnyMaxwellSlip& law, double load_low, double load_high,
                                             double vmax) {
    const ClimbPlan plan = best_climb_plan(law, load_low, load_high, vmax);
    if (!(plan.estimated_gain > 0)) return {};
    auto out = repeat_until_recovered(3, 2000, [&](int cycles) { return climb_signal(law, plan, cycles); }).input;
    if (out)
        out->construction =
            Counterexample::Climb{plan.low.v, plan.level_low, plan.high.v, plan.level_high, plan.return_path};
    return out;
}

std::optional<Counterexample> maxwell_slip_cycle(const AnyLaw& law, double load, double vmax) {
    const auto* maxwell = std::get_if<AnyMaxwellSlip>(&law);
    if (!maxwell) return {};
    return climbing_cycle(*maxwell, load, load, vmax);
}

}  // namespace bristle::analysis::counterexample
