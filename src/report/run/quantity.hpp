// Names and units of quantities for people: "friction torque F [N m]", "σ₂ = 0.2 N s/m".
#pragma once
#include "experiment/keys.hpp"
#include "experiment/rotary.hpp"
#include "report/figure/figure.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

// The text, with inertia for mass, torque for force and angle for position if the axis is rotary.
std::string in_words_of_axis(const experiment::Experiment& experiment, const std::string& text);
// A figure with these words in its labels and names.
Figure with_rotary_words(Figure figure);

// The unit of a number of the experiment, given its unit in a linear rig: "N/m" is "N m/rad" on a rotary one.
std::string unit_of(const experiment::Experiment& experiment, const std::string& unit);
// The same, empty for a pure number ("1").
std::string unit_if_any(const experiment::Experiment& experiment, const std::string& unit);

// The unit of the value at a key of an experiment file, "law.sigma2"; empty if it has none or is unknown.
std::string unit_of_key(const experiment::Experiment& experiment, const std::string& key);

// The unit of a measure ("period", "amplitude"; of a signal for max, min, final and value); empty if it has none.
std::string unit_of_measure(const experiment::Experiment& experiment, const std::string& measure,
                            const std::string& signal = "");

// A measure of a run as a whole, with its value.
struct RunMeasure {
    const experiment::MeasureKind* kind;
    double value;
};
std::vector<RunMeasure> run_measures(const Result& result);
// The measures of a controller.
std::vector<RunMeasure> servo_measures(const Result& result, const std::string& controller);

// Greek letters and subscripts for the names that stand for them: sigma0 -> σ₀.
std::string symbol(const std::string& name);

// The values in which this run differs from the others of the figure: "σ₂ = 0.2 N s/m"; empty for a single run.
std::string label_of(const Outcome& outcome);

// The axis of signals of one unit: the unit has a prefix that keeps the numbers short.
struct Axis {
    AxisLabel label;  // "friction force F [mN]"
    double factor;    // from SI to the unit of the label
};
// For all outcomes; the label names the first signal.
Axis axis_of(const std::vector<Outcome>& outcomes, const std::vector<std::string>& signals);

// "adaptive", "coupled" ...
std::string method_of(const Run& run);

}  // namespace bristle::report
