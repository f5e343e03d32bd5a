// Panels of runs: lines of one signal over another, the same for rigs and machines.
#pragma once
#include "report/figure/figure.hpp"
#include "report/run/outcome.hpp"

#include <functional>

namespace bristle::report {

// Names of two signals.
struct RunLine {
    std::string x, y;
};
// A line for each outcome and pair of signals that it has. Lines have the label of their outcome; if a single outcome has several
// lines, name_of(outcome, signal of y).
Panel panel_of(const std::vector<Outcome>& outcomes, const std::vector<RunLine>& lines, Mark mark,
               const std::function<std::string(const Outcome&, const Signal&)>& name_of);

// Adds a panel beside those that the figure has.
void add_beside(Figure& figure, Panel panel);

}  // namespace bristle::report
