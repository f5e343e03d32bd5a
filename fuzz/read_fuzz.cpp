// Fuzz target of the experiment reader: every input gives a usable experiment or diagnostics.
//
// An input is the text of a file; after each NUL byte follows one --set key=value. An input that begins with "t [" is a csv file.
// fuzz/run builds and runs it.
#include "experiment/document.hpp"
#include "experiment/parts.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace bristle;
using namespace bristle::experiment;

void demand(bool holds) {
    if (!holds) std::abort();
}

void check_sentences(const std::vector<Diagnostic>& diagnostics) {
    demand(!diagnostics.empty());
    for (const Diagnostic& diagnostic : diagnostics) {
        demand(!diagnostic.rule.empty() && diagnostic.line >= 0 && !diagnostic.place.empty());
        for (const char c : sentence(diagnostic)) demand(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    }
}

// Conditions that simulate and analyse rely on.
void check_claims(const Experiment& experiment) {
    for (const Claim& claim : experiment.claims) demand(claim.low <= claim.high && claim.at >= 0);
    for (const Verdict& verdict : judge(experiment, {})) demand(!verdict.holds);  // nothing was measured
}
void check_experiment(const Experiment& experiment) {
    if (experiment.machine) {
        demand(problems(*experiment.machine).empty());
        return check_claims(experiment);
    }
    const Setup& setup = experiment.setup;
    demand(std::visit([](const auto& law) { return usable(law); }, setup.law));
    const double inertia = setup.rig.equations().inertia;
    demand(inertia > 0 && inertia < bound::infinite);
    demand(setup.run.duration > 0 && setup.run.duration <= 1e9);
    demand(setup.run.rtol > 0 && setup.run.rtol < 1 && setup.run.atol > 0);
    demand(setup.run.samples >= 2 && setup.run.samples <= 1000000);
    demand(setup.run.stick_speed >= 0 && setup.run.stick_speed < bound::infinite);
    demand(setup.load.range().low > 0);
    if (setup.run.method == Method::coupled || setup.run.method == Method::explicit_)
        demand(setup.run.step > 0 && setup.run.duration / setup.run.step <= 1e9);
    const auto states = state_names(setup.law, setup.rig);
    for (const auto& [name, value] : setup.start) {
        bool known = false;
        for (const auto& state : states) known = known || state.name == name;
        demand(known && value - value == 0);
    }
    const auto& points = setup.input.points;
    for (std::size_t i = 1; i < points.size(); ++i) demand(points[i].t > points[i - 1].t);
    check_claims(experiment);
}

void read_experiment(std::string_view input) {
    const std::size_t end = std::min(input.find('\0'), input.size());
    const std::string text(input.substr(0, end));
    std::vector<Override> overrides;
    for (std::size_t begin = end; begin < input.size();) {
        const std::size_t next = std::min(input.find('\0', begin + 1), input.size());
        const std::string_view option = input.substr(begin + 1, next - begin - 1);
        const std::size_t equals = std::min(option.find('='), option.size());
        overrides.push_back(
            {std::string(option.substr(0, equals)), std::string(option.substr(std::min(equals + 1, option.size())))});
        begin = next;
    }
    std::optional<Document> document;
    try {
        document.emplace(text, "fuzz.toml");
        document->apply(overrides);
        check_experiment(read(*document));
        // a number set as an analysis sets it
        document->set("law.sigma2", 0.5);
        Experiment experiment;
        experiment.setup = read_setup(*document);
        check_experiment(experiment);
    } catch (const Unreadable& error) {
        check_sentences(error.diagnostics);
    }
    if (!document) return;
    try {
        const Experiment file = read_for_law(*document);
        if (!file.machine) demand(std::visit([](const auto& l) { return usable(l); }, file.setup.law));
    } catch (const Unreadable& error) {
        check_sentences(error.diagnostics);
    }
}

void read_columns(std::string_view input) {
    std::vector<Diagnostic> diagnostics;
    const auto points = read_points(input, "fuzz.csv", force_units, diagnostics);
    demand(points.empty() != diagnostics.empty());
    if (points.empty()) return check_sentences(diagnostics);
    for (std::size_t i = 1; i < points.size(); ++i) demand(points[i].t > points[i - 1].t);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    input.starts_with("t [") ? read_columns(input) : read_experiment(input);
    return 0;
}
