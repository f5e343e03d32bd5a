// The figure of one run or of several in one picture: position, velocity and friction force over time. Beside them: the phase plane
// of rigs that oscillate, the force over the displacement (or over the velocity if that is prescribed) of the others.
#pragma once
#include "report/figure/figure.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

Figure figure_of(const std::vector<Outcome>& outcomes);

// A single panel: one signal over another, the whole run or a part.
using Window = std::optional<std::pair<double, double>>;  // SI
struct PanelView {
    std::string x, y;
    Window window = {};  // of x
    Window during = {};  // of time
};
// A single small panel, for a page with many of them.
Figure on_page(Panel panel);
// A line for each outcome, labelled if there are labels, as on_page.
Figure panel_figure(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& labels,
                    const PanelView& view);

}  // namespace bristle::report
