// Report of basins: the outcome of each start, drawn row by row, with the stable and the unstable cycle.
#include "report/analysis/parts.hpp"
#include "base/text.hpp"

#include <cmath>

namespace bristle::report {

namespace {

// The states that the axes do not vary, as the file starts them: "z = 0 m".
std::string others_in_words(const experiment::Experiment& experiment, const Basin& basin) {
    std::string out;
    for (const Named& state : state_names(experiment.setup.law, experiment.setup.rig)) {
        if (state.name == basin.across.state || state.name == basin.up.state) continue;
        const auto given = experiment.setup.start.find(state.name);
        const double value = given == experiment.setup.start.end() ? 0 : given->second;
        const std::string unit = unit_of_state(experiment, state.name);
        append_item(out, state.name + " = " + readable(value) + (unit.empty() ? "" : " " + unit));
    }
    return out;
}

// Returns a line along each run of starts with an outcome.
Series rows(const Basin& basin, BasinOutcome wanted, const std::string& name) {
    Series out{name, {}, {}};
    const auto put = [&](double x, double y) {
        out.x.push_back(x);
        out.y.push_back(y);
    };
    const double half = 0.5 * (basin.across.to - basin.across.from) / std::max(1, basin.across.count - 1);
    for (int j = 0; j < basin.up.count; ++j)
        for (int i = 0; i < basin.across.count;) {
            const auto is = [&](int k) {
                return k < basin.across.count &&
                       basin.outcomes[std::size_t(j) * std::size_t(basin.across.count) + std::size_t(k)] == wanted;
            };
            const int begin = i;
            while (is(i)) ++i;
            if (i == begin) {
                ++i;
                continue;
            }
            const double y = basin.up.value(j);
            put(basin.across.value(begin) - half, y);
            put(basin.across.value(i - 1) + half, y);
            put(basin.across.value(i - 1) + half, std::nan(""));
        }
    return out;
}

Json json_of(const BasinAxis& axis) {
    return {{"state", axis.state}, {"from", axis.from}, {"to", axis.to}, {"count", axis.count}};
}

}  // namespace

Analysis basin_report(const experiment::Experiment& experiment, int count, const Progress& progress) {
    const Cycle cycle = limit_cycle(experiment.setup, {}, progress);
    const auto [across, up] = basin_axes(experiment.setup, cycle, count);
    const Basin basin = bristle::basin(experiment.setup, across, up, {}, progress);
    const auto label = [&](const BasinAxis& axis) {
        return AxisLabel{axis.state + " at the start", unit_of_state(experiment, axis.state)};
    };
    Panel panel{label(basin.across), label(basin.up), {}};
    const auto around = [](const BasinAxis& axis) {
        const double half = 0.5 * (axis.to - axis.from) / std::max(1, axis.count - 1);
        return Range{axis.from - half, axis.to + half};
    };
    panel.x_range = around(basin.across);
    panel.y_range = around(basin.up);
    // one of the two outcomes is blank, so that the cycles are visible
    if (basin.steady > 0)
        panel.series.push_back(rows(basin, BasinOutcome::steady, "ends in the steady state (blank: in the cycle)"));
    if (basin.undecided > 0) panel.series.push_back(rows(basin, BasinOutcome::undecided, "undecided"));
    const auto orbit = [&](const Cycle& c, const char* name) {
        if (c.exists && c.states.size() > 1) panel.series.push_back({name, c.states[0], c.states[1]});
    };
    orbit(basin.stable, "stable cycle");
    orbit(basin.edge, "unstable cycle");
    const std::string others = others_in_words(experiment, basin);
    Json rows_json = Json::array();
    constexpr char letters[] = {'s', 'c', '?'};
    for (int j = 0; j < basin.up.count; ++j) {
        std::string row;
        for (int i = 0; i < basin.across.count; ++i)
            row += letters[int(basin.outcomes[std::size_t(j) * std::size_t(basin.across.count) + std::size_t(i)])];
        rows_json.push_back(row);
    }
    Analysis out =
        report_on(experiment, "Basins: " + std::to_string(basin.across.count) + " x " + std::to_string(basin.up.count) +
                                  " starts" + (others.empty() ? "" : " with " + others));
    out.text += "  " + std::to_string(basin.cycle) + " end in the cycle, " + std::to_string(basin.steady) +
                " in the steady state, " + std::to_string(basin.undecided) + " undecided\n" +
                (basin.edge.exists && basin.steady > 0 && basin.cycle > 0
                     ? "  an unstable cycle (period " + readable(basin.edge.period, 5) +
                           " s) separates them; in this plane it lies near the boundary\n"
                     : "");
    out.json =
        Json{{"across", json_of(basin.across)},
             {"up", json_of(basin.up)},
             {"cycle", basin.cycle},
             {"steady", basin.steady},
             {"open", basin.undecided},
             {"unstable_cycle",
              basin.edge.exists ? Json{{"period", basin.edge.period}, {"amplitude", basin.edge.amplitude}} : Json()},
             {"rows", rows_json},
             {"letters", {{"c", "cycle"}, {"s", "steady"}, {"?", "open"}}}};
    out.figure = {figure_title(experiment), {panel}};
    out.figure.panel_height = 520;
    out.figure.max_points = 100'000;
    return out;
}

}  // namespace bristle::report
