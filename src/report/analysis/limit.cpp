// Report of a limit of stick-slip or hunting: the value, its neighbours, and the limit over a second number.
#include <bristle/analyse/limit.hpp>
#include <bristle/base/error.hpp>

#include "base/text.hpp"
#include "numerics/spread.hpp"
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "simulate/names.hpp"

#include <cmath>
#include <iterator>

namespace bristle::report {

namespace {

// The limit of one set-up as JSON: `value`, `without` and `with` in SI units, null if there is none.
Json json_of(const Limit& found) {
    Json out{{"outcome", name_of(found.outcome)},
             {"value", nullptr},
             {"without", nullptr},
             {"with", nullptr},
             {"grows", nullptr},
             {"period", nullptr},
             {"amplitude", nullptr},
             {"evaluated", {found.lowest, found.highest}}};
    if (found.outcome == LimitOutcome::no_valid_start) out["evaluated"] = nullptr;
    const auto window = [](const std::optional<Window>& w) { return w ? Json{w->from, w->to} : Json(); };
    if (found.outcome == LimitOutcome::undecided) {
        out["persists"] = window(found.persists);
        out["settles"] = window(found.settles);
    }
    if (found.outcome != LimitOutcome::found) return out;
    out["value"] = found.value;
    out["without"] = found.without;
    out["with"] = found.with;
    out["grows"] = found.grows;
    if (!found.grows) {
        out["period"] = found.period;
        out["amplitude"] = found.amplitude;
    }
    return out;
}

std::string reason_of(LimitOutcome outcome) {
    return outcome == LimitOutcome::no_valid_start  ? "no limit: the start value breaks a rule"
           : outcome == LimitOutcome::cycle_nowhere ? "no limit: the motions settle at every evaluated value"
           : outcome == LimitOutcome::cycle_everywhere
               ? "no limit: a cycle, or a motion that grows, at every evaluated value"
               : "undecided: motions last too long to decide at some values";
}

constexpr const char* elsewhere_of_a_rig =
    "  at the others a motion reaches its limit of steps before it settles or repeats; give a narrower window, or use "
    "--cycle at single values\n";
constexpr const char* elsewhere_of_a_machine =
    "  at the others a motion neither settles nor repeats in the time for which it is followed; give a narrower "
    "window, or "
    "a longer run.duration\n";

// "three"; numbers above nine in digits.
std::string number_word(int count) {
    constexpr const char* words[] = {"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
    return count >= 0 && count < int(std::size(words)) ? words[count] : std::to_string(count);
}

std::string in_sentences(const experiment::Experiment& experiment, const std::string& key, const Limit& found) {
    const auto at = [&](double value, int digits) {
        const std::string unit = unit_of_key(experiment, key);
        return readable(value, digits) + (unit.empty() ? "" : " " + unit);
    };
    const std::string range = " between " + at(found.lowest, 4) + " and " + at(found.highest, 4);
    if (found.outcome != LimitOutcome::found) {
        std::string out = "  " + reason_of(found.outcome) + range + "\n";
        if (found.outcome != LimitOutcome::undecided) return out;
        const auto add = [&](const char* what, const std::optional<Window>& w) {
            if (!w) return;
            out += std::string("  ") + what + (w->from == w->to ? " at " : " at values from ") + at(w->from, 6) +
                   (w->from == w->to ? "" : " to " + at(w->to, 6)) + "\n";
        };
        add("a motion repeats or grows", found.persists);
        add("the motions settle", found.settles);
        return out + (experiment.machine ? elsewhere_of_a_machine : elsewhere_of_a_rig);
    }
    const bool machine = experiment.machine.has_value();
    const std::string position = machine ? "the controlled body" : experiment.setup.rig.info().position.name;
    const std::string unit = machine ? unit_of_measure(experiment, "", signal_name(found.controller, SignalRole::error))
                                     : unit_of_state(experiment, position);
    std::string out = "  limit: " + key_in_words(experiment, key, found.value) + "\n";
    out += "  at " + at(found.without, 6) + " the motions from " + number_word(found.starts) + " starts settle\n";
    if (machine && std::abs(found.with - found.without) > 3e-3 * std::abs(found.with))
        out += "  (between these values the motions from some starts last too long to decide)\n";
    out += "  at " + at(found.with, 6) + " " +
           (found.grows ? std::string("the speed of a motion grows without bound: the loop is unstable while it slides")
                        : "the motion repeats: period " + readable(found.period, 5) + " s, amplitude of " + position +
                              " " + in_units(found.amplitude, unit, 4)) +
           "\n";
    return out;
}

}  // namespace

Analysis limit_report(const experiment::Experiment& experiment, const FindLimit& find, const Knob& knob,
                      const Progress& progress) {
    const Limit found = find(knob.start, 0, progress);
    Analysis out = report_on(experiment, "Limit in " + knob.key);
    out.text += in_sentences(experiment, knob.key, found);
    Json json = json_of(found);
    json["key"] = knob.key;
    json["unit"] = unit_of_key(experiment, knob.key);
    out.json = {{"limit", std::move(json)}};
    return out;
}

Analysis limits_report(const experiment::Experiment& experiment, const FindLimit& find, const Knob& knob,
                       const Knob& over, const Progress& progress) {
    const auto spacing = by_decades(over.from, over.to) ? numerics::Spacing::by_factors : numerics::Spacing::equal;
    Analysis out = report_on(experiment, "Limit in " + knob.key + " over " + over.key);
    Json limits = Json::array();
    Series line{"limit", {}, {}}, undecided{"undecided", {}, {}, Mark::points, 4},
        none{"no limit", {}, {}, Mark::points, 5};
    double start = knob.start;  // the limit found last is near the next one
    const auto values = numerics::spread(over.from, over.to, limits_over_a_window, spacing);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double q = values[i];
        const Progress part = [&](double fraction) {
            return !progress || progress((double(i) + fraction) / double(values.size()));
        };
        Limit found = find(start, q, part);
        if (found.outcome == LimitOutcome::no_valid_start && start != knob.start)
            found = find(start = knob.start, q, part);
        Json json = json_of(found);
        json["over"] = q;
        limits.push_back(std::move(json));
        const bool exists = found.outcome == LimitOutcome::found;
        line.x.push_back(q);
        line.y.push_back(exists ? found.value : std::nan(""));
        if (!exists && found.outcome != LimitOutcome::no_valid_start) {  // marked at the start of its search
            Series& marks = found.outcome == LimitOutcome::undecided ? undecided : none;
            marks.x.push_back(q);
            marks.y.push_back(start);
        }
        if (exists) start = found.value;
        out.text += "  " + key_in_words(experiment, over.key, q) + ": " +
                    (exists ? "limit " + key_in_words(experiment, knob.key, found.value) : reason_of(found.outcome)) +
                    "\n";
    }
    out.json = {{"limits",
                 {{"key", knob.key},
                  {"unit", unit_of_key(experiment, knob.key)},
                  {"over", over.key},
                  {"over_unit", unit_of_key(experiment, over.key)},
                  {"points", std::move(limits)}}}};
    out.figure = {figure_title(experiment), {}};
    Panel panel{axis_of_key(experiment, over.key), axis_of_key(experiment, knob.key), {std::move(line)}};
    for (Series* marks : {&undecided, &none})
        if (!marks->x.empty()) panel.series.push_back(std::move(*marks));
    panel.x_log = spacing == numerics::Spacing::by_factors;
    out.figure.panels.push_back(std::move(panel));
    return out;
}

}  // namespace bristle::report
