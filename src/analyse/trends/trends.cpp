#include <bristle/analyse/trends.hpp>

#include "analyse/scales.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), pi = std::numbers::pi;

bool positive(double x) { return x > 0 && std::isfinite(x); }

// Every broken rule of the laws, and the others that the caller has found.
void check(const std::vector<AnyLaw>& laws, const std::vector<double>& values, std::string faults) {
    const auto add = [&](const std::string& fault) { faults += (faults.empty() ? "" : "; ") + fault; };
    if (laws.empty()) add("there is no law");
    for (const AnyLaw& law : laws)
        std::visit(
            [&](const auto& l) {
                problems(l, [&](const Problem& p) { add(std::string(kind_of(law)) + ": " + sentence(p)); });
            },
            law);
    for (const double value : values)
        if (!std::isfinite(value)) add("values on the axis must be finite");
    if (!faults.empty()) throw Error("no trend: " + faults);
}

// Names of laws for columns; laws of one kind are numbered.
std::vector<std::string> names_of(const std::vector<AnyLaw>& laws) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        const auto same = [&](const AnyLaw& law) { return law.index() == laws[i].index(); };
        const auto all = std::count_if(laws.begin(), laws.end(), same);
        const auto place = std::count_if(laws.begin(), laws.begin() + std::ptrdiff_t(i) + 1, same);
        names.push_back(std::string(kind_of(laws[i])) + (all > 1 ? " " + std::to_string(place) : ""));
    }
    return names;
}

// Fills the rows: measure(law, value) gives the values of a law's columns.
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
    if (result.status != Status::done) throw Error("no trend: " + result.message);
    return result;
}

Setup on_a_mass(const AnyLaw& law, double mass, const Input& force, double load, double rtol, double duration) {
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
// The deflection at which the bristle holds a force.
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
// How long a slipping contact remembers [s] at a speed.
double memory_at(const AnyLaw& law, double speed, double load) {
    const Scales scales = scales_of(law, load);
    double time = scales.deflection / speed;
    if (const auto* maxwell = std::get_if<AnyMaxwellSlip>(&law))
        time = std::max(time, maxwell->curve.peak() * loads(*maxwell, load).on_curve / maxwell->C);
    return time;
}

}  // namespace

Trend breakaway_against_rate(const std::vector<AnyLaw>& laws, const std::vector<double>& rates,
                             const BreakawayOptions& o, const TrendProgress& progress) {
    std::string faults = positive(o.mass) && positive(o.load) ? "" : "mass and load must be finite numbers > 0";
    for (const double rate : rates)
        if (!(rate > 0)) faults = "each rate must be > 0";
    for (const AnyLaw& law : laws)
        if (!(stribeck_velocity(law) > 0 || positive(o.runaway)))
            faults = std::string(kind_of(law)) +
                     " has no Stribeck velocity: set run.stick_speed, ten times which counts as broken away";
    check(laws, rates, faults);
    Trend trend{.title = "breakaway force against the rate of the force", .axis = {"rate of the force", "N/s"}};
    for (const std::string& name : names_of(laws)) trend.columns.push_back({name + ": breakaway force", "N"});
    fill(trend, laws, rates, progress, [&](const AnyLaw& law, double rate) -> std::vector<double> {
        const double vs = stribeck_velocity(law), runaway = vs > 0 ? 10 * vs : o.runaway;
        const double peak = scales_of(law, o.load).force;
        // up to the peak, and until what is beyond it has given the mass its speed
        double duration = 1.2 * peak / rate + 3 * std::sqrt(2 * o.mass * runaway / rate);
        for (int i = 0; i < 7; ++i, duration *= 2) {
            auto setup =
                on_a_mass(law, o.mass, Input::ramps({{0, 0}, {duration, rate * duration}}), o.load, o.rtol, duration);
            setup.run.stick_speed = 0.1 * runaway;  // a tenth of what counts as broken away
            if (const auto force = run(setup).measures.breakaway_force) return {*force};
        }
        return {nan};
    });
    return trend;
}

Trend lag_against_frequency(const std::vector<AnyLaw>& laws, const std::vector<double>& omegas, const LagOptions& o,
                            const TrendProgress& progress) {
    std::string faults = o.swing > 0 && o.swing < o.mean && positive(o.mean) ? "" : "needs 0 < swing < mean";
    for (const double omega : omegas)
        if (!(omega > 0)) faults = "each frequency must be > 0";
    if (!positive(o.load)) faults = "the load must be a finite number > 0";
    check(laws, omegas, faults);
    Trend trend{.title = "frictional lag against the frequency of the speed", .axis = {"angular frequency", "rad/s"}};
    for (const std::string& name : names_of(laws)) {
        trend.columns.push_back({name + ": width at the mean speed", "N"});
        trend.columns.push_back({name + ": largest width", "N"});
    }
    fill(trend, laws, omegas, progress, [&](const AnyLaw& law, double omega) -> std::vector<double> {
        // until the start is forgotten
        const double period = 2 * pi / omega, cycles = std::ceil(2 + 40 * memory_at(law, o.mean, o.load) / period);
        constexpr int places = 199;
        Setup setup{.law = law,
                    .rig = Prescribed{},
                    .input = Input::sine(o.mean, o.swing, omega, 0),
                    .load = Input::constant(o.load),
                    .start = {},
                    .run = {.duration = (cycles + 1) * period, .rtol = o.rtol, .atol = o.rtol, .samples = 2}};
        std::vector<double> rising, falling;  // times of equal speed
        for (int i = 1; i <= places; ++i) {
            const double angle = pi * (double(i) / (places + 1) - 0.5);
            rising.push_back((2 * pi * cycles + angle) / omega);
            falling.push_back((2 * pi * cycles + pi - angle) / omega);
        }
        setup.run.sample_times = rising;
        setup.run.sample_times.insert(setup.run.sample_times.end(), falling.begin(), falling.end());
        const auto seen = run(setup).measures.at;
        double largest = 0;
        std::vector<double> widths;
        for (int i = 0; i < places; ++i) {
            const double width = seen.at(rising[std::size_t(i)]).at("F") - seen.at(falling[std::size_t(i)]).at("F");
            widths.push_back(width);
            if (std::abs(width) > std::abs(largest)) largest = width;
        }
        return {widths[places / 2], largest};
    });
    return trend;
}

Trend drift_against(VibrationAxis axis, const std::vector<AnyLaw>& laws, const std::vector<double>& values,
                    const Vibration& base, const TrendProgress& progress) {
    std::string faults;
    if (!positive(base.mass) || !positive(base.load)) faults = "mass and load must be finite numbers > 0";
    if (!std::isfinite(base.bias) || !std::isfinite(base.amplitude)) faults = "bias and amplitude must be finite";
    if (axis != VibrationAxis::frequency && !positive(base.frequency))
        faults = "the frequency must be a finite number > 0";
    if (base.settling < 0 || base.cycles < 1) faults = "needs settling >= 0 and cycles >= 1";
    for (const double value : values)
        if (axis == VibrationAxis::frequency && !(value > 0)) faults = "each frequency must be > 0";
    check(laws, values, faults);
    const Trend::Column axes[] = {{"bias", "N"}, {"amplitude", "N"}, {"frequency", "Hz"}};
    Trend trend{.title = "drift under vibration", .axis = axes[int(axis)]};
    for (const std::string& name : names_of(laws)) trend.columns.push_back({name + ": drift per cycle", "m"});
    fill(trend, laws, values, progress, [&](const AnyLaw& law, double value) -> std::vector<double> {
        Vibration v = base;
        (axis == VibrationAxis::bias ? v.bias : axis == VibrationAxis::amplitude ? v.amplitude : v.frequency) = value;
        const double period = 1 / v.frequency, from = v.settling * period, to = from + v.cycles * period;
        auto setup =
            on_a_mass(law, v.mass, Input::sine(v.bias, v.amplitude, 2 * pi * v.frequency, -pi / 2), v.load, v.rtol, to);
        // it begins where the bristle holds the lowest force, so that nothing rings at first
        if (has_bristle(law)) setup.start["z"] = deflection_at(law, v.bias - v.amplitude, v.load);
        setup.run.sample_times = {from, to};
        const auto seen = run(setup).measures.at;
        return {(seen.at(to).at("x") - seen.at(from).at("x")) / v.cycles};
    });
    return trend;
}

}  // namespace bristle::inline analysis
