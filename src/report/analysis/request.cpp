#include "report/analysis/request.hpp"

#include <bristle/base/error.hpp>
#include "report/run/json.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace bristle::report {

namespace {

using experiment::Experiment, experiment::Override;

constexpr AskedName names[] = {
    {Asked::equilibrium, "equilibrium", nullptr, "Where can it slide steadily or rest, and is that stable?"},
    {Asked::cycle, "cycle", nullptr, "Does it stick-slip or hunt, with which period and amplitude?"},
    {Asked::branch, "continue", "KEY=FROM:TO", "Where along this number does that begin and end?"},
    {Asked::map, "map", "K1=A:B,K2=C:D", "And in the plane of two numbers?"},
    {Asked::basin, "basin", nullptr, "Which starts end in stick-slip, which in steady sliding?"},
    {Asked::hysteresis, "hysteresis", nullptr, "Which loop is left when a displacement is slow?"},
    {Asked::properties, "properties", nullptr, "Rate independence, memory, drift, lag: which has the law?"},
    {Asked::trend, "trend", "KIND=FROM:TO", "How does breakaway, lag or drift change with the test?"}};

struct Window {
    std::string key;
    double from, to;
};
std::optional<double> number(std::string_view text) {
    double x = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (problem != std::errc() || stop != text.data() + text.size() || !std::isfinite(x)) return {};
    return x;
}
Window window_of(const std::string& text) {
    const auto equals = text.find('='), colon = text.find(':');
    if (equals != text.npos && equals > 0 && colon != text.npos && colon > equals) {
        const std::string_view all = text;
        const auto from = number(all.substr(equals + 1, colon - equals - 1)), to = number(all.substr(colon + 1));
        if (from && to && *from < *to) return {text.substr(0, equals), *from, *to};
    }
    throw Error("the window '" + plain_text(text) +
                "' must be KEY=FROM:TO with two numbers, FROM < TO, as in law.sigma2=0.1:1");
}

Experiment read(const Subject& subject, const std::vector<Override>& more = {}) {
    std::vector<Override> all = subject.overrides;
    all.insert(all.end(), more.begin(), more.end());
    return experiment::read(subject.text, subject.name, subject.folder, all);
}
// On the way a value may break a rule: one sentence, as every analysis tells it.
Setup setup_with(const Subject& subject, const std::vector<Override>& more) {
    try {
        return read(subject, more).setup;
    } catch (const experiment::Unreadable& problem) {
        throw Error(problem.what());
    }
}

// What the reader has against that value, in one line; nothing: it takes it.
std::string diagnostic(const Subject& subject, const std::string& key, double value) {
    try {
        read(subject, {{key, exact(value)}});
        return "";
    } catch (const experiment::Unreadable& problem) {
        std::string out = problem.what();
        const std::string given = "--set: ";  // where the reader was given it, which the user did not
        for (auto at = out.find(given); at != out.npos; at = out.find(given)) out.erase(at, given.size());
        return plain_text(out);
    }
}

// The window with the file's value as the start. Both ends have to be values that the file could have.
Knob knob_of(const Subject& subject, const std::string& text) {
    const Window window = window_of(text);
    const std::string key = plain_text(window.key);
    if (key.starts_with("run."))
        throw Error(key + " says how a run is computed, not what moves: an analysis cannot vary it");
    read(subject);  // a file that is wrong says so itself
    const auto start = experiment::number_at(subject.text, subject.name, subject.overrides, window.key);
    if (!start)
        if (const std::string refused = diagnostic(subject, window.key, window.from); !refused.empty())
            throw Error(key + " is no number that this file could have: " + refused);
    if (!start) throw Error(key + ": the file has no such number; give its start with --set " + key + "=VALUE");
    if (!(*start >= window.from && *start <= window.to))
        throw Error(key + " = " + readable(*start) + " in the file lies outside " + readable(window.from) + ":" +
                    readable(window.to) + "; widen the window, or give another value with --set");
    for (const double end : {window.from, window.to})
        if (const std::string refused = diagnostic(subject, window.key, end); !refused.empty())
            throw Error("the window cannot end at " + readable(end) + ": " + refused);
    return {window.key, window.from, window.to, *start};
}

Analysis branch(const Request& request, const Subject& subject, const Progress& progress) {
    const Knob knob = knob_of(subject, request.window);
    const auto family = [&](double p) { return setup_with(subject, {{knob.key, exact(p)}}); };
    return branch_report(read(subject), family, knob, progress);
}

Analysis map(const Request& request, const Subject& subject, const Progress& progress) {
    const auto comma = request.window.find(',');
    if (comma == std::string::npos)
        throw Error("the windows '" + plain_text(request.window) + "' must be KEY1=FROM:TO,KEY2=FROM:TO");
    const Knob first = knob_of(subject, request.window.substr(0, comma)),
               second = knob_of(subject, request.window.substr(comma + 1));
    if (first.key == second.key) throw Error("a map needs two different keys, not " + plain_text(first.key) + " twice");
    const auto family = [&](double p, double q) {
        return setup_with(subject, {{first.key, exact(p)}, {second.key, exact(q)}});
    };
    return map_report(read(subject), family, first, second, progress);
}

Analysis trend(const Request& request, const Subject& subject, const Progress& progress,
               const std::optional<Experiment>& other) {
    const Window window = window_of(request.window);
    const auto& kinds = trend_kinds();
    if (std::find(kinds.begin(), kinds.end(), window.key) == kinds.end()) {
        std::string all;
        for (const std::string& kind : kinds) all += (all.empty() ? "" : ", ") + kind;
        throw Error("there is no trend '" + plain_text(window.key) + "'; there are: " + all);
    }
    std::vector<Experiment> experiments{read(subject)};
    if (other) experiments.push_back(*other);
    return trend_report(experiments, window.key, window.from, window.to, progress);
}

}  // namespace

std::span<const AskedName> analysis_names() { return names; }
const char* name_of(Asked asked) {
    return std::find_if(std::begin(names), std::end(names), [&](const AskedName& n) { return n.asked == asked; })->name;
}

namespace {

Analysis carried_out(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<Experiment>& other) {
    switch (request.asked) {
        case Asked::equilibrium:
            return equilibrium_report(read(subject));
        case Asked::cycle:
            return cycle_report(read(subject), progress);
        case Asked::branch:
            return branch(request, subject, progress);
        case Asked::map:
            return map(request, subject, progress);
        case Asked::basin:
            return basin_report(read(subject), request.starts, progress);
        case Asked::hysteresis:
            return hysteresis_report(read(subject), progress);
        case Asked::properties:
            if (subject.text.empty()) return property_table(progress);
            return property_report(
                experiment::read_for_law(subject.text, subject.name, subject.folder, subject.overrides), progress);
        case Asked::trend:
            break;
    }
    return trend(request, subject, progress, other);
}

}  // namespace

Analysis analysis_of(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<Experiment>& other) {
    Analysis out = carried_out(request, subject, progress, other);
    // which experiment it was, and what of it the file does not say
    const Json about{{"experiment", subject.name}, {"set", json_of(subject.overrides)}};
    const std::string head = text_of(about);
    out.json = head.substr(0, head.size() - 1) + "," + out.json.substr(1);
    if (!subject.overrides.empty())
        out.text.insert(std::min(out.text.size(), out.text.find('\n') + 1),
                        "  set " + in_words(subject.overrides) + "\n");
    return out;
}

}  // namespace bristle::report
