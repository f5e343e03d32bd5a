// Names and units of quantities, from the tables of laws, rigs, inputs and measures.
#include "report/run/machine_parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "base/word_table.hpp"
#include "experiment/path.hpp"
#include <bristle/simulate/keyed.hpp>
#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::report {

namespace {

using experiment::Experiment;

// Title and symbol of a signal on a rotary rig; others have the words of rotary_words and their symbol.
struct RotaryName {
    std::string_view signal, title, symbol;
};
constexpr RotaryName rotary_names[] = {{"x", "angle", "θ"}, {"v", "angular velocity", "ω"}};
constexpr std::array symbols{WordPair{"sigma0", "σ₀"}, WordPair{"sigma1", "σ₁"}, WordPair{"sigma2", "σ₂"},
                             WordPair{"alpha", "α"},   WordPair{"kappa", "κ"},   WordPair{"nu", "ν"},
                             WordPair{"zeta", "ζ"},    WordPair{"omega", "ω"},   WordPair{"theta", "θ"},
                             WordPair{"g1", "γ₁"},     WordPair{"g2", "γ₂"},     WordPair{"g3", "γ₃"},
                             WordPair{"g4", "γ₄"},     WordPair{"g5", "γ₅"},     WordPair{"g6", "γ₆"}};

// Units of numbers that files have and set-ups do not: other spellings of a number, and those of inputs that are not a constant or a
// sine.
std::string unit_in_file(const Setup& setup, const experiment::Path& path) {
    const std::string_view section = path.names[0], name = path.last();
    if (path.is("law", "presliding")) return "m";
    if (section == "run") return std::string(experiment::unit_in(experiment::run_keys, name).value_or(""));
    if (section == "input") return experiment::unit_in_input(name, setup.rig.input_unit()).value_or("");
    if (section == "load" || path.is("law", "load")) return experiment::unit_in_input(name, "N").value_or("N");
    return "";
}

}  // namespace

std::string in_words_of_axis(const Experiment& experiment, const std::string& text) {
    return has_rotary_units(experiment) ? experiment::rotary_words(text) : text;
}

Figure with_rotary_words(Figure figure) {
    for (Panel& panel : figure.panels) {
        for (std::string* text : {&panel.title, &panel.x_label.name, &panel.y_label.name})
            *text = experiment::rotary_words(*text);
        for (Series& series : panel.series) series.name = experiment::rotary_words(series.name);
        for (std::string& name : panel.y_names) name = experiment::rotary_words(name);
    }
    return figure;
}

std::string unit_of(const Experiment& experiment, const std::string& unit) {
    std::string out = has_rotary_units(experiment) ? experiment::rotary_unit(unit) : unit;
    for (std::size_t at = 0; (at = out.find("^2", at)) != out.npos;) out.replace(at, 2, "²");
    return out;
}

std::string unit_if_any(const Experiment& experiment, const std::string& unit) {
    return unit == "1" ? "" : unit_of(experiment, unit);
}

std::string symbol(const std::string& name) { return std::string(looked_up(symbols, name)); }

std::string unit_of_key(const Experiment& experiment, const std::string& key) {
    const experiment::Path path(key);
    if (path.size == 0) return "";
    if (experiment.machine && path.names[0] != "run") return unit_of_part_key(experiment, key);
    std::string unit;
    bool found = false;
    for (const KeyedNumber& number : numbers_of(experiment.setup))
        if (number.key == key || number.key == key + "[0]") {  // all elements of a list have one unit
            unit = number.unit;
            found = true;
        }
    if (!found) unit = unit_in_file(experiment.setup, path);
    return unit_if_any(experiment, unit);
}

std::string unit_of_measure(const Experiment& experiment, const std::string& measure, const std::string& signal) {
    const Setup& setup = experiment.setup;
    std::string unit;
    if (!signal.empty()) {
        for (const auto& named : signal_names(experiment))
            if (named.name == signal) unit = named.unit;
    } else if (const auto* kind = experiment::find_measure(measure)) {
        unit = kind->unit ? kind->unit : setup.rig.info().position.unit;
    }
    return unit_if_any(experiment, unit);
}

namespace {

std::vector<RunMeasure> measures_of_kind(const Result& result, experiment::MeasureKind::Of of,
                                         const experiment::Claim& claim) {
    std::vector<RunMeasure> out;
    for (const auto& kind : experiment::measure_kinds()) {
        const auto x = kind.of == of ? kind.value(result, claim) : std::nullopt;
        if (x) out.push_back({&kind, *x});
    }
    return out;
}

}  // namespace

std::vector<RunMeasure> run_measures(const Result& result) {
    return measures_of_kind(result, experiment::MeasureKind::Of::run, {});
}
std::vector<RunMeasure> servo_measures(const Result& result, const std::string& controller) {
    experiment::Claim claim{};
    claim.part = controller;
    return measures_of_kind(result, experiment::MeasureKind::Of::servo, claim);
}

std::string label_of(const Outcome& outcome) {
    std::string label;
    for (const experiment::Override& one : outcome.varied) {
        const std::string unit = one.value.is_number() ? unit_of_key(outcome.experiment, one.key) : "";
        if (!label.empty()) label += ", ";
        label += symbol(plain_text(experiment::Path(one.key).last())) + " = " + plain_text(one.text);
        if (!unit.empty()) label.append(" ").append(unit);
    }
    return shortened(label, 60);
}

Axis axis_of(const std::vector<Outcome>& outcomes, const std::vector<std::string>& signals) {
    double largest = 0;
    for (const Outcome& outcome : outcomes)
        for (const std::string& name : signals)
            if (const Signal* found = outcome.result.signal(name))
                for (const double x : found->values)
                    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    const auto shows = [&](const Outcome& outcome) { return outcome.result.signal(signals.front()) != nullptr; };
    const auto found = std::find_if(outcomes.begin(), outcomes.end(), shows);
    if (found == outcomes.end()) return {{signals.front(), ""}, 1};
    const Signal& first = *found->result.signal(signals.front());
    const Experiment& experiment = found->experiment;
    // time stays in seconds unless it is short
    std::string unit = unit_of(experiment, first.unit);
    const bool plain_unit = unit == "1" || (first.name == "t" && largest >= 1e-2);
    const Prefix prefix = plain_unit ? Prefix{"", 1} : prefix_for(largest);
    unit = std::string(prefix.letter) + unit;
    std::string label = in_words_of_axis(experiment, first.title);
    std::string letter = first.name_is_symbol ? symbol(first.name) : "";
    if (has_rotary_units(experiment))
        for (const RotaryName& rotary : rotary_names)
            if (first.name == rotary.signal) {
                label = rotary.title;
                letter = rotary.symbol;
            }
    if (!letter.empty()) append_item(label, letter, " ");
    return {{label, unit}, prefix.factor};
}

std::string method_of(const Run& run) { return info_of(run.method).name; }

}  // namespace bristle::report
