// What quantities are called and measured in, for people: "friction torque F [N m]", "σ₂ = 0.2 N s/m".
#pragma once
#include "report/run/outcome.hpp"

namespace bristle::report {

// The unit of a number of the experiment, given its unit in a linear rig: "N/m" is "N m/rad" on a rotary one.
std::string unit_of(const experiment::Experiment& experiment, const std::string& unit);

// The unit of the value at a key of an experiment file, "law.sigma2"; empty where it has none or is not known.
std::string unit_of_key(const experiment::Experiment& experiment, const std::string& key);

// The unit of a measure ("period", "amplitude"; of a signal for max, min, final and value); empty where it has none.
std::string unit_of_measure(const experiment::Experiment& experiment, const std::string& measure,
                            const std::string& signal = "");

// Greek letters and low digits where a name stands for them: sigma0 -> σ₀.
std::string symbol(const std::string& name);

// What tells this run from the others of the figure: "σ₂ = 0.2 N s/m"; empty for a run by itself.
std::string label_of(const Outcome& outcome);

// How signals of one unit are drawn: with a prefix to the unit that keeps the numbers on the axis short.
struct Axis {
    std::string label;  // "friction force F [mN]"
    double factor;      // from SI to what the label says
};
// For all outcomes; the label names the first signal.
Axis axis_of(const std::vector<Outcome>& outcomes, const std::vector<std::string>& signals);

// "adaptive", "coupled" ... ; a hybrid rig is solved in closed form.
std::string method_of(const Setup& setup);

}  // namespace bristle::report
