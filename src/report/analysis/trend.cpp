// What a contact does against one parameter of the test: breakaway force, lag, drift.
#include <bristle/analyse/assessment.hpp>
#include <bristle/analyse/trends.hpp>
#include <bristle/simulate/error.hpp>
#include <report/analysis/parts.hpp>
#include <report/text.hpp>

#include <cmath>
#include <numbers>

namespace bristle::report {

namespace {

using analyse::Trend;

std::vector<double> spread(double from, double to) {
    constexpr int count = 21;
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
        const double share = double(i) / (count - 1);
        out.push_back(i == count - 1         ? to
                      : by_decades(from, to) ? from * std::pow(to / from, share)
                                             : from + share * (to - from));
    }
    return out;
}

analyse::Vibration vibration_of(const simulate::Setup& setup) {
    const simulate::Piece wave = setup.input.piece(0);
    if (setup.type != simulate::RigType::forced_mass || setup.input.kind != simulate::Input::Kind::wave ||
        wave.omega == 0)
        throw Error(
            "drift needs a mass under a sinusoidal force: rig.kind = \"forced_mass\" and input.kind = \"sine\" (offset "
            "is the "
            "constant part)");
    analyse::Vibration out;
    out.bias = wave.offset;
    out.amplitude = wave.amplitude;
    out.frequency = wave.omega / (2 * std::numbers::pi);
    out.mass = setup.rig.inertia;
    out.load = setup.load.piece(0).value(0.0);
    return out;
}

Trend trend_of(const std::vector<experiment::Experiment>& experiments, const std::string& kind,
               const std::vector<double>& values, const Progress& progress) {
    const simulate::Setup& setup = experiments.front().setup;
    const double load = setup.load.piece(0).value(0.0);
    std::vector<simulate::AnyLaw> laws;
    for (const auto& e : experiments) laws.push_back(e.setup.law);
    if (kind == "breakaway") {
        const double mass = analyse::plant_of(setup).mass;
        return analyse::breakaway_against_rate(
            laws, values, {.mass = mass > 0 ? mass : 1, .runaway = 10 * setup.run.stick_speed, .load = load}, progress);
    }
    if (kind == "lag") {
        analyse::LagOptions options{.load = load};
        const simulate::Piece wave = setup.input.piece(0);
        if (setup.type == simulate::RigType::prescribed && setup.input.kind == simulate::Input::Kind::wave &&
            setup.quantity == simulate::Quantity::velocity) {
            options.mean = wave.offset;
            options.swing = wave.amplitude;
        }
        return analyse::lag_against_frequency(laws, values, options, progress);
    }
    const auto axis = kind == "drift_bias"        ? analyse::VibrationAxis::bias
                      : kind == "drift_amplitude" ? analyse::VibrationAxis::amplitude
                                                  : analyse::VibrationAxis::frequency;
    return analyse::drift_against(axis, laws, values, vibration_of(setup), progress);
}

}  // namespace

const std::vector<std::string>& trend_kinds() {
    static const std::vector<std::string> kinds{"breakaway", "lag", "drift_bias", "drift_amplitude", "drift_frequency"};
    return kinds;
}

Analysis trend_report(const std::vector<experiment::Experiment>& experiments, const std::string& kind, double from,
                      double to, const Progress& progress) {
    const Trend trend = trend_of(experiments, kind, spread(from, to), progress);
    Analysis out;
    out.text = heading(experiments.front(), trend.title);
    Panel panel{labelled(trend.axis.name, trend.axis.unit), "", {}};
    panel.x_log = by_decades(from, to);
    Json columns = Json::array(), rows = Json::array();
    for (const auto& column : trend.columns) {
        panel.series.push_back({column.name, {}, {}});
        panel.y_label = labelled(kind.substr(0, kind.find('_')), column.unit);
        columns.push_back({{"name", column.name}, {"unit", column.unit}});
    }
    out.text += "  " + labelled(trend.axis.name, trend.axis.unit);
    for (const auto& column : trend.columns) out.text += "   " + labelled(column.name, column.unit);
    out.text += "\n";
    for (const Trend::Row& row : trend.rows) {
        out.text += "  " + readable(row.at, 5);
        Json values = Json::array();
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            out.text += "   " + readable(row.values[i], 6);
            values.push_back(std::isfinite(row.values[i]) ? Json(row.values[i]) : Json());
            panel.series[i].x.push_back(row.at);
            panel.series[i].y.push_back(row.values[i]);
        }
        out.text += "\n";
        rows.push_back({{"at", row.at}, {"values", values}});
    }
    out.json = text_of({{"trend", kind},
                        {"title", trend.title},
                        {"axis", {{"name", trend.axis.name}, {"unit", trend.axis.unit}}},
                        {"columns", columns},
                        {"rows", rows}});
    out.figure = {trend.title, {panel}};
    out.figure.panel_height = 360;
    return out;
}

}  // namespace bristle::report
