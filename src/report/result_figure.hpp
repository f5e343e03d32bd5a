// The figure of a run, or of several laid over each other: position, velocity and friction force over time, and beside
// them what the rig is best known by: the phase plane of what swings, the force over the displacement (or the velocity, where
// that is given) of what is moved or pushed.
#pragma once
#include <report/figure.hpp>
#include <report/outcome.hpp>

namespace bristle::report {

Figure figure_of(const std::vector<Outcome>& outcomes);

// One signal over another, a line for each outcome, with its label; only where x lies between from and to (SI), if given.
// Small: for a page that holds many.
Figure panel_figure(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& labels,
                    const std::string& x, const std::string& y, std::optional<double> from, std::optional<double> to);

}  // namespace bristle::report
