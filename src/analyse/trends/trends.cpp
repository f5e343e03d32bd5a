// Trends of breakaway force, lag and drift: one simulation for each law and value.
#include <bristle/analyse/trends.hpp>

#include "analyse/scales.hpp"
#include "base/text.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

namespace trends {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), pi = std::numbers::pi;

bool positive(double x) { return x > 0 && std::isfinite(x); }
bool is_usable(double load, const std::vector<AnyLaw>& laws) {
    return std::isfinite(load) &&
           std::all_of(laws.begin(), laws.end(), [&](const AnyLaw& law) { return accepts_load(law, load); });
}

// Throws Error with every broken rule of the laws, after the faults that the caller has found.
void check(const std::vector<AnyLaw>& laws, const std::vector<double>& values, std::string faults) {
    const auto add = [&](const std::string& fault) { append_item(faults, fault, "; "); };
    if (laws.empty()) add("no law given");
    for (const AnyLaw& law : laws)
        std::visit(
            [&](const auto& l) {
                problems(l, [&](const Problem& p) { add(std::string(kind_of(law)) + ": " + sentence(p)); });
            },
            law);
    for (const double value : values)
        if (!std::isfinite(value)) add("values on the axis must be finite");
    if (!faults.empty()) throw Error("trend: " + faults);
}

// One column for each law and quantity.
void add_columns(Trend& trend, std::size_t laws, std::initializer_list<TrendQuantity> quantities) {
    for (std::size_t law = 0; law < laws; ++law)
        for (const TrendQuantity quantity : quantities) trend.columns.push_back({law, quantity});
}

// Fills the rows: measure(law, value) returns the values of a law's columns.
template <class Measure>
void fill(Trend& trend, const std::vector<AnyLaw>& laws, const std::vector<double>& values,
          const TrendProgress& progress, const Measure& measure) {
    const double all = double(values.size() * laws.size());
    double done = 0;
    for (const double value : values) {
        Trend::Row row{value, {}};
        for (const AnyLaw& law : laws) {
            if (progress && !progress(done / all)) {
                trend.cancelled = true;
                return;
            }
            for (const double x : measure(law, value)) row.values.push_back(x);
            done += 1;
        }
        trend.rows.push_back(std::move(row));
    }
}

Result run(const Setup& setup) {
    Result result = simulate(setup);
    if (result.status != Status::done) throw Error("trend: simulation failed: " + result.message);
    return result;
}

Setup forced_mass(const AnyLaw& law, double mass, const Input& force, double load, double rtol, double duration) {
    return {.law = law,
            .rig = ForcedMass{mass},
            .input = force,
            .load = Input::constant(load),
            .start = {},
            .run = {.duration = duration, .rtol = rtol, .atol = rtol, .samples = 2}};
}

bool has_bristle(const AnyLaw& law) {
    const auto names = state_names(law, Prescribed{});
    return std::any_of(names.begin(), names.end(), [](const auto& state) { return state.name == "z"; });
}
// Deflection at which the bristle carries a force [m]; 0 for a law without one.
double deflection_at(const AnyLaw& law, double force, double load) {
    return std::visit(
        [&](const auto& l) -> double {
            if constexpr (requires { l.sigma0; })
                return force / (loads(l, load).on_force * l.sigma0);
            else
                return 0;
        },
        law);
}
// Relaxation time of a slipping contact at a speed [s].
double relaxation_time(const AnyLaw& law, double speed, double load) {
    const double time = scales_of(law, load).deflection / speed;
    return std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (HasElements<Law>)  // attraction rate of Maxwell-slip elements [N/s]
                return std::max(time, double(l.curve.peak() * loads(l, load).on_curve / l.C));
            return time;
        },
        law);
}

}  // namespace
}  // namespace trends

Trend breakaway_against_rate(const std::vector<AnyLaw>& laws, const std::vector<double>& rates,
                             const BreakawayOptions& o, const TrendProgress& progress) {
    using namespace trends;
    std::string faults =
        positive(o.mass) && is_usable(o.load, laws) ? "" : "mass [kg] and load [N] must be finite and > 0";
    for (const double rate : rates)
        if (!(rate > 0)) faults = "each rate must be > 0 [N/s]";
    for (const AnyLaw& law : laws)
        if (!(stribeck_velocity(law) > 0 || positive(o.breakaway_speed)))
            faults = std::string(kind_of(law)) +
                     " has no Stribeck velocity; set run.stick_speed: breakaway is at ten times that speed";
    check(laws, rates, faults);
    Trend trend{.axis = TrendAxis::force_rate};
    add_columns(trend, laws.size(), {TrendQuantity::breakaway_force});
    fill(trend, laws, rates, progress, [&](const AnyLaw& law, double rate) -> std::vector<double> {
        const double vs = stribeck_velocity(law), breakaway_speed = vs > 0 ? 10 * vs : o.breakaway_speed;
        const double peak = scales_of(law, o.load).force;
        // time of the ramp to the peak, and of the acceleration to the breakaway speed
        double duration = 1.2 * peak / rate + 3 * std::sqrt(2 * o.mass * breakaway_speed / rate);
        for (int i = 0; i < 7; ++i, duration *= 2) {
            auto setup =
                forced_mass(law, o.mass, Input::ramps({{0, 0}, {duration, rate * duration}}), o.load, o.rtol, duration);
            setup.run.stick_speed =
                0.1 * breakaway_speed;  // Measures::breakaway_force ends at ten times the stick speed
            if (const auto force = run(setup).measures.breakaway_force) return {*force};
        }
        return {nan};
    });
    return trend;
}

Trend lag_against_frequency(const std::vector<AnyLaw>& laws, const std::vector<double>& omegas, const LagOptions& o,
                            const TrendProgress& progress) {
    using namespace trends;
    std::string faults =
        o.amplitude > 0 && o.amplitude < o.mean && positive(o.mean) ? "" : "the speed needs 0 < amplitude < mean [m/s]";
    for (const double omega : omegas)
        if (!(omega > 0)) faults = "each frequency must be > 0";
    if (!is_usable(o.load, laws)) faults = "load must be finite and > 0 [N]";
    check(laws, omegas, faults);
    Trend trend{.axis = TrendAxis::angular_frequency};
    add_columns(trend, laws.size(), {TrendQuantity::width_at_mean_speed, TrendQuantity::largest_width});
    fill(trend, laws, omegas, progress, [&](const AnyLaw& law, double omega) -> std::vector<double> {
        // 40 relaxation times: the start has no effect
        const double period = 2 * pi / omega,
                     cycles = std::ceil(2 + 40 * relaxation_time(law, o.mean, o.load) / period);
        constexpr int places = 199;
        Setup setup{.law = law,
                    .rig = Prescribed{},
                    .input = Input::sine(o.mean, o.amplitude, omega, 0),
                    .load = Input::constant(o.load),
                    .start = {},
                    .run = {.duration = (cycles + 1) * period, .rtol = o.rtol, .atol = o.rtol, .samples = 2}};
        std::vector<double> rising, falling;  // times with the same speed
        for (int i = 1; i <= places; ++i) {
            const double angle = pi * (double(i) / (places + 1) - 0.5);
            rising.push_back((2 * pi * cycles + angle) / omega);
            falling.push_back((2 * pi * cycles + pi - angle) / omega);
        }
        setup.run.sample_times = rising;
        setup.run.sample_times.insert(setup.run.sample_times.end(), falling.begin(), falling.end());
        const auto samples = run(setup).measures.at;
        double largest = 0;
        std::vector<double> widths;
        for (int i = 0; i < places; ++i) {
            const double width =
                samples.at(rising[std::size_t(i)]).at("F") - samples.at(falling[std::size_t(i)]).at("F");
            widths.push_back(width);
            if (std::abs(width) > std::abs(largest)) largest = width;
        }
        return {widths[places / 2], largest};
    });
    return trend;
}

Trend drift_against(VibrationAxis axis, const std::vector<AnyLaw>& laws, const std::vector<double>& values,
                    const Vibration& base, const TrendProgress& progress) {
    using namespace trends;
    std::string faults;
    if (!positive(base.mass) || !is_usable(base.load, laws)) faults = "mass [kg] and load [N] must be finite and > 0";
    if (!std::isfinite(base.bias) || !std::isfinite(base.amplitude)) faults = "bias and amplitude must be finite [N]";
    if (axis != VibrationAxis::frequency && !positive(base.frequency)) faults = "frequency must be finite and > 0 [Hz]";
    if (base.settling < 0 || base.cycles < 1) faults = "needs settling >= 0 and cycles >= 1";
    for (const double value : values)
        if (axis == VibrationAxis::frequency && !(value > 0)) faults = "each frequency must be > 0";
    check(laws, values, faults);
    Trend trend{.axis = axis == VibrationAxis::bias        ? TrendAxis::bias
                        : axis == VibrationAxis::amplitude ? TrendAxis::amplitude
                                                           : TrendAxis::frequency};
    add_columns(trend, laws.size(), {TrendQuantity::drift_per_cycle});
    fill(trend, laws, values, progress, [&](const AnyLaw& law, double value) -> std::vector<double> {
        Vibration v = base;
        (axis == VibrationAxis::bias ? v.bias : axis == VibrationAxis::amplitude ? v.amplitude : v.frequency) = value;
        const double period = 1 / v.frequency, from = v.settling * period, to = from + v.cycles * period;
        auto setup = forced_mass(law, v.mass, Input::sine(v.bias, v.amplitude, 2 * pi * v.frequency, -pi / 2), v.load,
                                 v.rtol, to);
        // starts in equilibrium with the lowest force, without oscillation
        if (has_bristle(law)) setup.start["z"] = deflection_at(law, v.bias - v.amplitude, v.load);
        setup.run.sample_times = {from, to};
        const auto samples = run(setup).measures.at;
        return {(samples.at(to).at("x") - samples.at(from).at("x")) / v.cycles};
    });
    return trend;
}

}  // namespace bristle::analysis
