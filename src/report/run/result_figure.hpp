// The figure of a run, or of several laid over each other: position, velocity and friction force over time, and beside
// them what the rig is best known by: the phase plane of what swings, the force over the displacement (or the velocity, where
// that is given) of what is moved or pushed.
#pragma once
#include "report/figure/figure.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

Figure figure_of(const std::vector<Outcome>& outcomes);

// What a single panel shows: one signal over another, all of it or a part.
using Window = std::optional<std::pair<double, double>>;  // SI
struct PanelView {
    std::string x, y;
    Window window = {};  // of x
    Window during = {};  // of time
};
// A single panel, small: for a page that holds many, and for a phone.
Figure on_page(Panel panel);
// A line for each outcome, with its label where there are labels, as on_page.
Figure panel_figure(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& labels,
                    const PanelView& view);

}  // namespace bristle::report
