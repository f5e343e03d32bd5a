// The analyses by name: window and experiment checked, then handed to the report of the analysis.
#include "report/analysis/request.hpp"

#include <bristle/analyse/limit.hpp>
#include <bristle/analyse/machine_limit.hpp>
#include <bristle/simulate/machine_parameters.hpp>
#include <bristle/base/error.hpp>
#include "base/text.hpp"
#include "experiment/keys.hpp"
#include "experiment/varied_setup.hpp"
#include "report/run/json.hpp"
#include "report/run/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

using experiment::Document, experiment::Experiment, experiment::VariedMachine, experiment::VariedSetup;

constexpr AskedName names[] = {
    {Asked::equilibrium, "equilibrium", nullptr, "Steady sliding and rest, and their stability"},
    {Asked::cycle, "cycle", nullptr, "Limit cycle (stick-slip, hunting): period, amplitude, stability"},
    {Asked::branch, "continue", "KEY=FROM:TO", "Equilibria and cycles along one number, and where they begin and end"},
    {Asked::limit, "limit", "KEY[=FROM:TO]", "Limit of hunting or stick-slip along one number, from any start value"},
    {Asked::map, "map", "K1=A:B,K2=C:D", "The boundary of stick-slip in the plane of two numbers"},
    {Asked::basin, "basin", nullptr, "Initial states that end in stick-slip, and those that end in steady sliding"},
    {Asked::hysteresis, "hysteresis", nullptr,
     "Hysteresis loop of a prescribed displacement, down to the quasi-static limit"},
    {Asked::properties, "properties", nullptr, "Rate independence, memory, drift, lag and more, measured for the law"},
    {Asked::trend, "trend", "KIND=FROM:TO",
     "Breakaway force, lag or drift as a function of one condition of the test"}};

struct Window {
    std::string key;
    double from, to;
};
std::optional<double> number(std::string_view text) {
    const experiment::Node value = experiment::parsed_value(std::string(text));
    if (!value.is_number() || !std::isfinite(value.number)) return {};
    return value.number;
}
// Blanks around the window are ignored.
Window window_of(std::string_view window) {
    const std::string text(trimmed(window));
    const auto equals = text.find('='), colon = text.find(':');
    if (equals != text.npos && equals > 0 && colon != text.npos && colon > equals) {
        const std::string_view all = text;
        const auto from = number(all.substr(equals + 1, colon - equals - 1)), to = number(all.substr(colon + 1));
        if (from && to && std::isfinite(*from) && std::isfinite(*to) && *from < *to)
            return {text.substr(0, equals), *from, *to};
    }
    throw Error("the window '" + plain_text(text) +
                "' must be KEY=FROM:TO with two numbers, FROM < TO, as in law.sigma2=0.1:1");
}

Experiment with_one_rig(Experiment experiment) {
    if (experiment.machine)
        throw Error(
            "the file is a machine of several parts, and this analysis takes one law on one rig; `--equilibrium` and "
            "`--limit` take machines, `bristle run` simulates "
            "them, `bristle certify` certifies the laws of their contacts");
    return experiment;
}
// The experiment of the file, for an analysis of one rig. Stays in `file`.
const Experiment& read(const Subject& subject, std::optional<Experiment>& file) {
    return file.emplace(with_one_rig(experiment::read(*subject.document)));
}

// The problems of the experiment with that value, in one line; empty if there are none. is_typed: the user gave the value.
std::string problems_with(const Subject& subject, const std::string& key, double value, bool is_typed = true) {
    Document changed = *subject.document;
    changed.set(key, value);
    try {
        experiment::read(changed);
        return "";
    } catch (const experiment::Unreadable& problem) {
        // the value is not one of --set: the user has not typed it there
        std::string out;
        for (experiment::Diagnostic diagnostic : problem.diagnostics) {
            const bool here = diagnostic.place == experiment::place_of_overrides;
            if (here && !is_typed) diagnostic.value.clear();
            append_item(out, here ? broken_rule(diagnostic) : sentence(diagnostic), "\n");
        }
        return plain_text(out);
    }
}

// Throws for a key of a rig in a machine, and for one of a part in a file with one rig.
void check_sort_of_key(const Experiment& file, const std::string& key) {
    const std::string section(key, 0, key.find('.'));
    const Machine& machine = file.machine ? *file.machine : Machine{};
    bool names_part = false;
    std::string example;
    for_each_list(machine, [&](const PartKind& kind, const auto& parts) {
        names_part = names_part || section == kind.section;
        if (!parts.empty()) example = std::string(kind.section) + "." + parts.front().name;
    });
    if (file.machine && (section == "rig" || section == "law" || section == "load" || section == "input"))
        throw Error(plain_text(key) + ": the file is a machine; its keys begin with the name of a part, as " +
                    plain_text(example));
    if (!file.machine && names_part)
        throw Error(plain_text(key) + ": the file has one law on one rig and no parts; its keys are rig.KEY, law.KEY");
}

// The value of the file at a key that an analysis can vary. typed: a value that the user gave for it. Reads the experiment of the file if that
// is empty.
double start_of_knob(const Subject& subject, const std::string& key, std::optional<double> typed,
                     std::optional<Experiment>& file) {
    if (key.starts_with("run."))
        throw Error(plain_text(key) + " is a number of the solver, not of the motion: an analysis cannot vary it");
    if (!file) read(subject, file);  // a wrong file throws here, with its own problems
    if (const auto start = subject.document->number_at(key)) return *start;
    check_sort_of_key(*file, key);
    if (const std::string refused = problems_with(subject, key, typed.value_or(1), typed.has_value()); !refused.empty())
        throw Error(plain_text(key) + " cannot be a number of this file: " + refused);
    throw Error(plain_text(key) + ": the file has no such number; give its value with --set " + plain_text(key) +
                "=VALUE");
}

// The window with the value of the file as the start. Both ends must be values that the file may have.
Knob knob_of(const Subject& subject, const std::string& text, std::optional<Experiment>& file) {
    const Window window = window_of(text);
    const std::string key = plain_text(window.key);
    const double start = start_of_knob(subject, window.key, window.from, file);
    if (!(start >= window.from && start <= window.to))
        throw Error(key + " = " + readable(start) + " in the file lies outside " + readable(window.from) + ":" +
                    readable(window.to) + "; widen the window, or give another value with --set");
    for (const double end : {window.from, window.to})
        if (const std::string refused = problems_with(subject, window.key, end); !refused.empty())
            throw Error("the window cannot end at " + readable(end) + ": " + refused);
    return {window.key, window.from, window.to, start};
}

Analysis equilibrium(const Subject& subject, std::optional<Experiment>& file) {
    file = experiment::read(*subject.document);
    return file->machine ? machine_equilibrium_report(*file) : equilibrium_report(*file);
}

Analysis branch(const Request& request, const Subject& subject, const Progress& progress,
                std::optional<Experiment>& file) {
    const Knob knob = knob_of(subject, request.window, file);
    const VariedSetup varied(*subject.document, {knob.key});
    const auto family = [&](double p) { return varied({p}); };
    return branch_report(*file, family, knob, progress);
}

// The window of a limit. With a key alone: four decades on both sides of the value of the file.
Knob limit_knob(const Subject& subject, const std::string& text, std::optional<Experiment>& file) {
    if (text.find('=') != text.npos) return knob_of(subject, text, file);
    const std::string key(trimmed(text));
    const double start = start_of_knob(subject, key, {}, file);
    if (start == 0)
        throw Error(plain_text(key) + " = 0 in the file: give a value at which the search can start with --set");
    const bristle::Window window = limit_window(start);
    return {key, window.from, window.to, start};
}

// The search for a limit, of a rig or of a machine. keys: of the limit, and of --over.
FindLimit limit_finder(const Document& document, const Experiment& file, const std::vector<std::string>& keys,
                       const bristle::Window& window) {
    if (file.machine) {
        const auto varied = std::make_shared<VariedMachine>(document, keys);
        return [=](double start, double q, const Progress& progress) {
            const auto machine_at = [&](double p) { return keys.size() > 1 ? (*varied)({p, q}) : (*varied)({p}); };
            return bristle::limit(machine_at, start, window, MachineLimitOptions{}, progress);
        };
    }
    const auto varied = std::make_shared<VariedSetup>(document, keys);
    return [=](double start, double q, const Progress& progress) {
        const auto setup_at = [&](double p) { return keys.size() > 1 ? (*varied)({p, q}) : (*varied)({p}); };
        return bristle::limit(setup_at, start, window, CycleOptions{}, progress);
    };
}

Analysis limit(const Request& request, const Subject& subject, const Progress& progress,
               std::optional<Experiment>& file) {
    file = experiment::read(*subject.document);
    const Knob knob = limit_knob(subject, request.window, file);
    if (!(knob.from * knob.to > 0))
        throw Error("the window of a limit must have two ends of one sign, not " + readable(knob.from) + ":" +
                    readable(knob.to));
    const bristle::Window window{knob.from, knob.to};
    if (request.over.empty()) {
        const FindLimit find = limit_finder(*subject.document, *file, {knob.key}, window);
        return limit_report(*file, find, knob, progress);
    }
    const Knob over = knob_of(subject, request.over, file);
    if (over.key == knob.key) throw Error("--over needs another key than --limit, not " + plain_text(over.key));
    const FindLimit find = limit_finder(*subject.document, *file, {knob.key, over.key}, window);
    return limits_report(*file, find, knob, over, progress);
}

Analysis map(const Request& request, const Subject& subject, const Progress& progress,
             std::optional<Experiment>& file) {
    const auto comma = request.window.find(',');
    if (comma == std::string::npos)
        throw Error("the windows '" + plain_text(trimmed(request.window)) + "' must be KEY1=FROM:TO,KEY2=FROM:TO");
    const Knob first = knob_of(subject, request.window.substr(0, comma), file),
               second = knob_of(subject, request.window.substr(comma + 1), file);
    if (first.key == second.key) throw Error("a map needs two different keys, not " + plain_text(first.key) + " twice");
    const VariedSetup varied(*subject.document, {first.key, second.key});
    const auto family = [&](double p, double q) { return varied({p, q}); };
    return map_report(*file, family, first, second, progress);
}

Analysis trend(const Request& request, const Subject& subject, const Progress& progress,
               const std::optional<Experiment>& other, std::optional<Experiment>& file) {
    const Window window = window_of(request.window);
    const TrendKind& kind = trend_kind(window.key);
    std::vector<Experiment> experiments{read(subject, file)};
    if (other) experiments.push_back(with_one_rig(*other));
    return trend_report(experiments, kind, window.from, window.to, progress);
}

}  // namespace

std::span<const AskedName> analysis_names() { return names; }
const char* name_of(Asked asked) {
    return std::find_if(std::begin(names), std::end(names), [&](const AskedName& n) { return n.asked == asked; })->name;
}

namespace {

// file: takes the experiment that was read; empty without a document.
Analysis carried_out(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<Experiment>& other, std::optional<Experiment>& file) {
    switch (request.asked) {
        case Asked::equilibrium:
            return equilibrium(subject, file);
        case Asked::cycle:
            return cycle_report(read(subject, file), progress);
        case Asked::branch:
            return branch(request, subject, progress, file);
        case Asked::limit:
            return limit(request, subject, progress, file);
        case Asked::map:
            return map(request, subject, progress, file);
        case Asked::basin:
            return basin_report(read(subject, file), request.starts, progress);
        case Asked::hysteresis:
            return hysteresis_report(read(subject, file), progress);
        case Asked::properties:
            if (!subject.document) return property_table(progress);
            file = with_one_rig(experiment::read_for_law(*subject.document));
            return property_report(*file, progress);
        case Asked::trend:
            break;
    }
    return trend(request, subject, progress, other, file);
}

}  // namespace

Analysis analysis_of(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<Experiment>& other) {
    std::optional<Experiment> file;
    Analysis out = carried_out(request, subject, progress, other, file);
    if (file && has_rotary_units(*file)) {
        out.text = experiment::rotary_words(out.text);
        out.figure = with_rotary_words(std::move(out.figure));
    }
    const auto overrides = subject.document ? subject.document->overrides() : std::vector<experiment::Override>{};
    Json json{{"experiment", subject.name}, {"set", json_of(overrides)}};
    json.update(out.json);
    out.json = std::move(json);
    return out;
}

}  // namespace bristle::report
