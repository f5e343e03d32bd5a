// Report on a trend: breakaway force, lag or drift of laws as a function of one parameter of a test.
#include <bristle/analyse/assessment.hpp>
#include <bristle/analyse/trends.hpp>
#include <bristle/base/error.hpp>
#include "analyse/scales.hpp"
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "numerics/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::report {

namespace {

std::vector<double> spread(double from, double to) {
    return numerics::spread(from, to, 21,
                            by_decades(from, to) ? numerics::Spacing::by_factors : numerics::Spacing::equal);
}

Vibration vibration_of(const Setup& setup) {
    const Piece wave = setup.input.piece(0);
    if (!std::holds_alternative<ForcedMass>(setup.rig) || setup.input.kind != Input::Kind::wave || wave.omega == 0)
        throw Error(
            "drift needs a mass under a sinusoidal force: set rig.kind = \"forced_mass\" and input.kind = \"sine\" "
            "(offset is the constant part)");
    Vibration out;
    out.bias = wave.offset;
    out.amplitude = wave.amplitude;
    out.frequency = wave.omega / (2 * std::numbers::pi);
    out.mass = std::get<ForcedMass>(setup.rig).mass;
    out.load = setup.load.piece(0).value(0.0);
    return out;
}

// A number of the test that does not vary: the same for every law.
struct Condition {
    std::string name;  // "mean speed"
    double value;
    std::string unit;  // in a linear rig
};
struct Test {
    Trend trend;
    std::vector<Condition> conditions;
};

constexpr TrendKind kinds[] = {{TrendAxis::force_rate, "breakaway", "rate of the force", "N/s", "breakaway"},
                               {TrendAxis::angular_frequency, "lag", "angular frequency", "rad/s", "lag"},
                               {TrendAxis::bias, "drift_bias", "bias", "N", "drift"},
                               {TrendAxis::amplitude, "drift_amplitude", "amplitude", "N", "drift"},
                               {TrendAxis::frequency, "drift_frequency", "frequency", "Hz", "drift"}};

VibrationAxis vibration_axis(TrendAxis axis) {
    switch (axis) {
        case TrendAxis::bias:
            return VibrationAxis::bias;
        case TrendAxis::amplitude:
            return VibrationAxis::amplitude;
        default:
            return VibrationAxis::frequency;
    }
}

Test test_of(const std::vector<experiment::Experiment>& experiments, TrendAxis tested,
             const std::vector<double>& values, const Progress& progress) {
    const Setup& setup = experiments.front().setup;
    const double load = setup.load.piece(0).value(0.0);
    std::vector<AnyLaw> laws;
    for (const auto& e : experiments) laws.push_back(e.setup.law);
    if (tested == TrendAxis::force_rate) {
        const double plant = plant_of(setup).mass, mass = plant > 0 ? plant : 1;
        return {
            breakaway_against_rate(
                laws, values, {.mass = mass, .breakaway_speed = 10 * setup.run.stick_speed, .load = load}, progress),
            {{"mass", mass, "kg"}, {"load", load, "N"}}};
    }
    if (tested == TrendAxis::angular_frequency) {
        // about the Stribeck velocity, the stick speed, or the slowest speed of the equations
        double vs = stribeck_velocity(setup.law);
        if (!(vs > 0)) vs = setup.run.stick_speed;
        if (!(vs > 0)) vs = scales_of(setup.law, load).slowest;
        LagOptions options{.mean = 1.1 * vs, .amplitude = vs, .load = load};
        const Piece wave = setup.input.piece(0);
        if (setup.rig.is_prescribed() && setup.input.kind == Input::Kind::wave && !setup.rig.has_displacement_input()) {
            options.mean = wave.offset;
            options.amplitude = wave.amplitude;
        }
        return {lag_against_frequency(laws, values, options, progress),
                {{"mean speed", options.mean, "m/s"}, {"swing", options.amplitude, "m/s"}, {"load", load, "N"}}};
    }
    const VibrationAxis axis = vibration_axis(tested);
    const Vibration v = vibration_of(setup);
    Test out{drift_against(axis, laws, values, v, progress), {}};
    if (axis != VibrationAxis::bias) out.conditions.push_back({"bias", v.bias, "N"});
    if (axis != VibrationAxis::amplitude) out.conditions.push_back({"amplitude", v.amplitude, "N"});
    if (axis != VibrationAxis::frequency) out.conditions.push_back({"frequency", v.frequency, "Hz"});
    out.conditions.push_back({"mass", v.mass, "kg"});
    out.conditions.push_back({"load", v.load, "N"});
    return out;
}

std::string in_words(const std::vector<experiment::Experiment>& experiments, const std::vector<Condition>& conditions) {
    std::string out = "  with";
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        const Condition& c = conditions[i];
        out += (i == 0 ? " " : ", ") + c.name + " " + readable(c.value, 5) + " " + unit_of(experiments.front(), c.unit);
    }
    if (experiments.size() > 1) out += "; the same for all laws, after " + plain_text(experiments.front().name);
    return out + "\n";
}

const char* title_of(TrendAxis axis) {
    switch (axis) {
        case TrendAxis::force_rate:
            return "breakaway force against the rate of the force";
        case TrendAxis::angular_frequency:
            return "frictional lag against the frequency of the speed";
        default:
            return "drift under vibration";
    }
}

// Kind of the law of an experiment; laws of one kind are numbered.
std::string name_of_law(const std::vector<experiment::Experiment>& experiments, std::size_t i) {
    const auto same = [&](const experiment::Experiment& e) {
        return e.setup.law.index() == experiments[i].setup.law.index();
    };
    const auto all = std::count_if(experiments.begin(), experiments.end(), same);
    const auto place = std::count_if(experiments.begin(), experiments.begin() + std::ptrdiff_t(i) + 1, same);
    return std::string(kind_of(experiments[i].setup.law)) + (all > 1 ? " " + std::to_string(place) : "");
}

std::vector<AxisLabel> labelled_columns(const Trend& trend, const std::vector<experiment::Experiment>& experiments) {
    constexpr std::pair<const char*, const char*> words[] = {
        {"breakaway force", "N"}, {"width at the mean speed", "N"}, {"largest width", "N"}, {"drift per cycle", "m"}};
    std::vector<AxisLabel> out;
    for (const Trend::Column& column : trend.columns) {
        const auto& [name, unit] = words[int(column.quantity)];
        out.push_back({name_of_law(experiments, column.law) + ": " + name, unit_of(experiments.front(), unit)});
    }
    return out;
}

// Sets a column to 0 if all of it is below 1e-9 of the law's force or deflection, a tenth of the solver's tolerance.
void clear_rounding(Trend& trend, const std::vector<experiment::Experiment>& experiments) {
    if (trend.rows.empty()) return;
    for (std::size_t i = 0; i < trend.columns.size(); ++i) {
        const Setup& setup = experiments[trend.columns[i].law].setup;
        const auto scales = scales_of(setup.law, experiments.front().setup.load.piece(0).value(0.0));
        const double size =
            1e-9 * (trend.columns[i].quantity == TrendQuantity::drift_per_cycle ? scales.deflection : scales.force);
        const bool is_noise = std::all_of(trend.rows.begin(), trend.rows.end(),
                                          [&](const Trend::Row& row) { return std::abs(row.values[i]) < size; });
        for (Trend::Row& row : trend.rows)
            if (is_noise) row.values[i] = 0;
    }
}

// Range of the y axis that shows a line as level if it is constant to the solver's tolerance.
std::optional<Range> level_range(const Panel& panel) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Series& series : panel.series)
        for (const double y : series.y)
            if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
    const double size = std::max(std::abs(low), std::abs(high));
    if (!(high - low <= 1e-6 * size)) return {};
    const double around = size > 0 ? 0.1 * size : 1;
    return Range{low - around, high + around};
}

}  // namespace

std::span<const TrendKind> trend_kinds() { return kinds; }

const TrendKind& trend_kind(const std::string& name) {
    for (const TrendKind& kind : kinds)
        if (name == kind.name) return kind;
    throw Error("there is no trend '" + plain_text(name) +
                "'; the trends are: " + experiment::listed(experiment::names_of(trend_kinds()), ", "));
}

Analysis trend_report(const std::vector<experiment::Experiment>& experiments, const TrendKind& asked, double from,
                      double to, const Progress& progress) {
    auto [trend, conditions] = test_of(experiments, asked.axis, spread(from, to), progress);
    clear_rounding(trend, experiments);
    const std::string title = title_of(trend.axis);
    const AxisLabel axis{asked.condition, unit_of(experiments.front(), asked.unit)};
    const std::vector<AxisLabel> heads = labelled_columns(trend, experiments);
    Analysis out = report_on(experiments.front(), title);
    out.text += in_words(experiments, conditions);
    Json shared = Json::object();
    for (const Condition& c : conditions)
        shared[c.name] = {{"value", c.value}, {"unit", unit_of(experiments.front(), c.unit)}};
    Panel panel{axis, {}, {}};
    panel.x_log = by_decades(from, to);
    Json columns = Json::array(), rows = Json::array();
    for (const AxisLabel& column : heads) {
        panel.series.push_back({column.name, {}, {}});
        panel.y_label = {asked.quantity, column.unit};
        columns.push_back({{"name", column.name}, {"unit", column.unit}});
    }
    // numbers stand under the head of their column
    const std::string first = labelled(axis);
    const std::size_t width = std::max<std::size_t>(12, letters(first) + 3);
    out.text += "  " + padded(first, width);
    for (std::size_t i = 0; i < heads.size(); ++i) out.text += (i > 0 ? "   " : "") + labelled(heads[i]);
    out.text += "\n";
    for (const Trend::Row& row : trend.rows) {
        out.text += "  " + padded(readable(row.at, 5), width);
        Json values = Json::array();
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            const AxisLabel& column = heads[i];
            const std::string value = readable(row.values[i], 6);
            out.text += i + 1 < row.values.size() ? padded(value, letters(labelled(column)) + 3) : value;
            values.push_back(number_or_null(row.values[i]));
            panel.series[i].x.push_back(row.at);
            panel.series[i].y.push_back(row.values[i]);
        }
        out.text += "\n";
        rows.push_back({{"at", row.at}, {"values", values}});
    }
    out.json = Json{{"trend", asked.name},  {"title", title},     {"axis", {{"name", axis.name}, {"unit", axis.unit}}},
                    {"conditions", shared}, {"columns", columns}, {"rows", rows}};
    panel.y_range = level_range(panel);
    out.figure = {title, {panel}};
    out.figure.panel_height = 360;
    return out;
}

}  // namespace bristle::report
