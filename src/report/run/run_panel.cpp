// Panels of runs: scaled signals with their labels.
#include "report/run/run_panel.hpp"
#include "report/run/quantity.hpp"

namespace bristle::report {

namespace {

std::vector<double> scaled(const Signal& signal, double factor) {
    std::vector<double> values = signal.values;
    if (factor != 1)
        for (double& x : values) x *= factor;
    return values;
}

}  // namespace

Panel panel_of(const std::vector<Outcome>& outcomes, const std::vector<RunLine>& lines, Mark mark,
               const std::function<std::string(const Outcome&, const Signal&)>& name_of) {
    std::vector<std::string> x, y;
    for (const RunLine& line : lines) {
        x.push_back(line.x);
        y.push_back(line.y);
    }
    const Axis across = axis_of(outcomes, x), up = axis_of(outcomes, y);
    Panel panel{across.label, up.label, {}};
    for (const Outcome& outcome : outcomes)
        for (const RunLine& line : lines) {
            const Signal *a = outcome.result.signal(line.x), *b = outcome.result.signal(line.y);
            if (!a || !b) continue;
            const bool several = outcomes.size() == 1 && lines.size() > 1;
            panel.series.push_back({several ? name_of(outcome, *b) : label_of(outcome), scaled(*a, across.factor),
                                    scaled(*b, up.factor), mark});
        }
    return panel;
}

void add_beside(Figure& figure, Panel panel) {
    figure.panels.push_back(std::move(panel));
    figure.layout = Layout::beside;
    figure.width = 1120;
}

}  // namespace bristle::report
