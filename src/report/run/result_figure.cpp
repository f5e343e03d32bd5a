// Panels of a run: signals over time and over each other.
#include "report/run/machine_parts.hpp"
#include "report/run/quantity.hpp"
#include "report/run/result_figure.hpp"
#include "report/run/run_panel.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// Signals over another one, with their titles if there are several.
Panel panel_over(const std::vector<Outcome>& outcomes, const std::string& x, const std::vector<std::string>& up,
                 Mark mark) {
    std::vector<RunLine> lines;
    for (const std::string& y : up) lines.push_back({x, y});
    return panel_of(outcomes, lines, mark, [](const Outcome& outcome, const Signal& y) {
        return in_words_of_axis(outcome.experiment, y.title);
    });
}

struct View {
    std::vector<std::vector<std::string>> over_time;  // for each panel its signals
    std::string across, up;                           // of the panel beside; empty: none
};
View view_of(const Setup& setup) {
    const RigInfo& rig = setup.rig.info();
    const RigEquations equations = setup.rig.equations();
    const std::string position = rig.position.name, velocity = rig.velocity.name;
    if (setup.rig.is_prescribed()) {
        const std::string given = setup.rig.has_displacement_input() ? position : velocity;
        return {{{given}, {"F"}, {"z"}}, given, "F"};
    }
    const std::string over_time = equations.sense < 0 ? "x" : position;
    View view{{{over_time}, {velocity}, {"F"}}, position, velocity};
    if (rig.has_belt) view.over_time[1].push_back("belt");
    if (equations.has_integral) view.across = view.up = "";
    if (rig.takes_input) {
        view.over_time[2].push_back("u");
        view.up = "F";
    }
    return view;
}

Figure limited(Figure figure, std::size_t runs) {
    // gnuplot reads the whole table for every line, so that its time grows with the square of their number
    figure.max_points = std::clamp<std::size_t>(16000 / runs, 1000, figure.max_points);
    // one legend only: a run has the same line style in all panels
    if (runs > 1)
        for (std::size_t i = 1; i < figure.panels.size(); ++i) figure.panels[i].legend = false;
    return figure;
}

}  // namespace

Figure figure_of(const std::vector<Outcome>& outcomes) {
    const Outcome& first = outcomes.front();
    if (first.experiment.machine) return limited(machine_figure(outcomes), outcomes.size());
    const View view = view_of(first.experiment.setup);
    const auto known = [&](const std::string& name) { return first.result.signal(name) != nullptr; };
    Figure figure{figure_title(first.experiment, first.varied), {}};
    for (std::vector<std::string> names : view.over_time) {
        if (outcomes.size() > 1) names.resize(1);  // the input would hide the signals of other runs
        if (std::all_of(names.begin(), names.end(), known))
            figure.panels.push_back(panel_over(outcomes, "t", names, Mark::line));
    }
    if (known(view.across) && known(view.up)) {
        add_beside(figure, panel_over(outcomes, view.across, {view.up}, Mark::path));
    }
    return limited(std::move(figure), outcomes.size());
}

namespace {

// The two signals inside the window of x, with gaps outside. A gap at the start marks that the line does not begin with the run.
Outcome within(const Outcome& outcome, const PanelView& view) {
    Outcome out{outcome.experiment, {}, {}, {}, {}};
    const Signal *time = outcome.result.signal("t"), *across = outcome.result.signal(view.x),
                 *up = outcome.result.signal(view.y);
    if (!time || !across || !up) return out;
    Signal a = *across, b = *up;
    a.values.clear();
    b.values.clear();
    const auto in = [](const Window& window, double x) {
        return !window || (x >= window->first && x <= window->second);
    };
    bool found = false;
    for (std::size_t i = 0; i < across->values.size(); ++i) {
        const bool inside = in(view.window, across->values[i]) && in(view.during, time->values[i]);
        if (!inside && !a.values.empty() && std::isnan(a.values.back())) continue;
        a.values.push_back(inside ? across->values[i] : std::nan(""));
        b.values.push_back(inside ? up->values[i] : std::nan(""));
        found = found || inside;
    }
    if (found) out.result.signals = {a, b};
    return out;
}

bool turns_back(const Series& series) {
    bool rises = false, falls = false;
    for (std::size_t i = 1; i < series.x.size(); ++i) {
        rises = rises || series.x[i] > series.x[i - 1];
        falls = falls || series.x[i] < series.x[i - 1];
    }
    return rises && falls;
}

}  // namespace

Figure on_page(Panel panel) {
    panel.legend = true;
    return small_figure({std::move(panel)});
}

Figure panel_figure(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& labels,
                    const PanelView& view) {
    std::vector<Outcome> shown;
    for (const Outcome* outcome : outcomes) shown.push_back(within(*outcome, view));
    Figure figure = on_page(panel_over(shown, view.x, {view.y}, Mark::line));
    Panel& panel = figure.panels[0];
    std::size_t line = 0;  // runs without these signals have none
    for (std::size_t i = 0; i < shown.size() && line < panel.series.size(); ++i)
        if (!shown[i].result.signals.empty()) panel.series[line++].name = i < labels.size() ? labels[i] : "";
    // a graph needs no direction; a path does
    if (std::any_of(panel.series.begin(), panel.series.end(), turns_back))
        for (Series& series : panel.series) series.mark = Mark::path;
    return figure;
}

}  // namespace bristle::report
