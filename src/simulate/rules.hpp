// Rules that set-ups and machines share: inputs, loads, runs. Each function reports broken rules to a sink
//   sink(Problem)            of a number with a row in a table
//   sink(key, rule, value)   of anything else; value: with unit, empty if there is none
// and returns true if there is none.
#pragma once
#include <bristle/describe.hpp>
#include <bristle/simulate/check.hpp>

#include <cmath>

namespace bristle::inline simulation {

// Numbers and points of an input; unit: of its values. Key "": the input as a whole.
template <class Sink>
bool check_input(const Input& input, const char* unit, Sink&& sink) {
    bool sound = true;
    const auto report = [&](const std::string& key, const char* rule, const std::string& value) {
        sound = false;
        sink(key, rule, value);
    };
    const auto finite = [&](const char* key, double x, const char* of_x) {
        if (!std::isfinite(x)) report(key, rig_table::any.rule, quantity(x, of_x));
    };
    const Piece& w = input.wave;
    finite(input.kind == Input::Kind::constant ? "value" : "offset", w.offset, unit);
    finite("slope", w.slope, "");
    finite("start", w.start, "s");
    finite("amplitude", w.amplitude, unit);
    finite("omega", w.omega, "rad/s");
    finite("bend", w.bend, "rad/s^2");
    finite("phase", w.phase, "rad");
    if (input.kind == Input::Kind::moves)
        if (const char* rule = broken_rule(input.limits)) report("", rule, "");
    for (std::size_t i = 0; i < input.points.size(); ++i)
        if (const char* rule = broken_rule(input, i)) report("points[" + std::to_string(i + 1) + "]", rule, "");
    if (!sound) return false;
    const Input::Range range = input.range();
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) report("", "must be finite", "");
    return sound;
}

// A load whose smallest value is `low`.
template <class Sink>
bool check_load(const AnyLaw& law, double low, Sink&& sink) {
    if (accepts_load(law, low)) return true;
    sink("", accepts_load(law, 0) ? "must stay >= 0 N" : "must stay > 0 N", "");
    return false;
}

template <class Sink>
bool check_run(const Run& run, Sink&& sink) {
    bool sound = true;
    const auto row = [&](const Parameter& p, double x) {
        if (p.bound.holds(x)) return;
        sound = false;
        sink(Problem{p, x, p.bound.rule});
    };
    const auto report = [&](const std::string& key, const char* rule, double x) {
        sound = false;
        sink(key, rule, quantity(x, "s"));
    };
    row(run_table::duration, run.duration);
    row(run_table::rtol, run.rtol);
    row(run_table::atol, run.atol);
    row(run_table::samples, run.samples);
    if (info_of(run.method).fixed_step) {
        row(run_table::step, run.step);
        if (run.step > run.duration) report("step", run_table::step_rule, run.step);
    }
    if (run.stick_speed != 0) row(run_table::stick_speed, run.stick_speed);
    for (std::size_t i = 0; i < run.sample_times.size(); ++i)
        if (const double t = run.sample_times[i]; !(t >= 0) || t > run.duration)
            report("sample_times[" + std::to_string(i + 1) + "]", "must be >= 0 s and <= run.duration", t);
    return sound;
}

}  // namespace bristle::simulation
