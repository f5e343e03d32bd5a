// Reports of analyses: sentences, JSON and a figure. One file for each analysis.
#pragma once
#include <bristle/analyse/basin.hpp>
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/analyse/limit.hpp>
#include <bristle/analyse/trends.hpp>
#include "report/figure/figure.hpp"
#include "report/run/json.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

struct Analysis {
    std::string heading;  // "name: title", with the changes by --set
    std::string text;     // lines below the heading, for reading
    Json json;
    Figure figure;  // without panels if there is nothing to draw
};

// A number of the experiment that varies: key ("law.sigma2"), window and value of the file.
struct Knob {
    std::string key;
    double from = 0, to = 0, start = 0;
};

Analysis equilibrium_report(const experiment::Experiment& experiment);
Analysis machine_equilibrium_report(const experiment::Experiment& experiment);
Analysis cycle_report(const experiment::Experiment& experiment, const Progress& progress);
// Equilibria and cycles along one number: the branches, their folds and changes of stability.
Analysis branch_report(const experiment::Experiment& experiment, const Family& family, const Knob& knob,
                       const Progress& progress);
// Limit of stick-slip or hunting along one number.
// The search for a limit from a start, of a rig or of a machine. over: value of the second number, if there is one.
using FindLimit = std::function<Limit(double start, double over, const Progress& progress)>;
Analysis limit_report(const experiment::Experiment& experiment, const FindLimit& find, const Knob& knob,
                      const Progress& progress);
// The same for values of a second number.
inline constexpr int limits_over_a_window = 13;
Analysis limits_report(const experiment::Experiment& experiment, const FindLimit& find, const Knob& knob,
                       const Knob& over, const Progress& progress);
// Hopf points, folds, flips and extinctions in the plane of two numbers: the boundary of stick-slip.
Analysis map_report(const experiment::Experiment& experiment, const Family2& family, const Knob& first,
                    const Knob& second, const Progress& progress);
// Basins of attraction with count starts on each axis.
Analysis basin_report(const experiment::Experiment& experiment, int count, const Progress& progress);
// For a prescribed displacement (N13).
Analysis hysteresis_report(const experiment::Experiment& experiment, const Progress& progress);
// Measured properties of the law.
Analysis property_report(const experiment::Experiment& experiment, const Progress& progress);
// All kinds of law, with the numbers of C95.
Analysis property_table(const Progress& progress);
struct TrendKind {
    TrendAxis axis;         // the condition that varies
    const char* name;       // "breakaway"
    const char* condition;  // in words
    const char* unit;       // of the condition, in a linear rig
    const char* quantity;   // on the y axis
};
std::span<const TrendKind> trend_kinds();
// Throws Error with all names if there is none of that name.
const TrendKind& trend_kind(const std::string& name);
// A second experiment is compared by its law.
Analysis trend_report(const std::vector<experiment::Experiment>& experiments, const TrendKind& kind, double from,
                      double to, const Progress& progress);

}  // namespace bristle::report
