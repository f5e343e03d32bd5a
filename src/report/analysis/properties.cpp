// Report on the measured properties of a law, and the table of all laws.
#include <bristle/analyse/properties.hpp>
#include <bristle/catalogue.hpp>
#include "report/analysis/parts.hpp"
#include "report/certificate/sentences.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "simulate/c95_law.hpp"

namespace bristle::report {

namespace {

struct PropertyWords {
    PropertyKind kind;
    const char* question;     // answered by yes or no
    const char* measurement;  // how the number was measured
};
constexpr PropertyWords property_words[] = {
    {PropertyKind::rate_independent, "is the force along a path the same at every speed?",
     "one displacement with many reversals at three speeds, from a tenth of the law's slowest to ten times its "
     "fastest"},
    {PropertyKind::warp_invariant, "is it the same if the speed changes along the path?",
     "the same displacement as a function of t and of t + 0.8 sin t"},
    {PropertyKind::reversal_memory, "does an inner loop close and leave the outer loop unchanged?",
     "at one constant speed, three inner loops on a branch of an outer one: the largest difference between start and "
     "end of an "
     "inner loop, or between the outer loops with and without it"},
    {PropertyKind::holds_at_rest, "does it stay under a constant force below breakaway?",
     "creep of a slider without mass under a constant force, in deflections"},
    {PropertyKind::no_drift, "does it stay there if a vibration is added?",
     "drift of that slider per cycle of a force between a third of it and all of it, in deflections"},
    {PropertyKind::lag, "does friction differ for rising and falling speed?",
     "width of the loop of the force over a speed that oscillates by nine tenths"},
    {PropertyKind::breakaway_varies, "does breakaway depend on the rate of the force?",
     "largest force held under three ramps that differ by a factor of 100, without viscous friction"},
    {PropertyKind::bounded, "does the bristle stay within the peak of its curve?",
     "excess over 20000 steps of scattered speed and length"},
    {PropertyKind::passive, "is it passive? (the number: sigma2 minus the required sigma2)", ""}};

static_assert(
    [] {
        for (std::size_t i = 0; i < std::size(property_words); ++i)
            if (property_words[i].kind != PropertyKind(i)) return false;
        return true;
    }(),
    "in the order of PropertyKind");

const char* question_of(const Property& p) { return property_words[int(p.kind)].question; }

std::string measurement_of(const Property& p) {
    if (p.finding) return name_with_reference(p.finding->theorem);
    if (p.memoryless) return "the force does not depend on the past: there is no memory";
    return property_words[int(p.kind)].measurement;
}

Json json_of(const LawProperties& law) {
    Json list = Json::array();
    for (const Property& p : law.properties)
        list.push_back({{"name", name_of(p.kind)},
                        {"question", question_of(p)},
                        {"holds", name_of(p.holds)},
                        {"measured", p.measured},
                        {"nothing", p.noise_floor},
                        {"something", p.effect_threshold},
                        {"text", measurement_of(p)}});
    return {{"law", law.kind}, {"properties", list}};
}

}  // namespace

Analysis property_table(const Progress& progress) {
    std::vector<AnyLaw> laws;
    for_each_law([&](const auto& entry) { laws.push_back(c95_law(entry.kind)); });
    const auto all = properties_of(laws, {}, progress);
    Analysis out;
    Json list = Json::array();
    if (!all.empty()) {
        out.heading = "Every law with the parameters of C95\n";
        out.text = padded("", 20);
        for (const Property& p : all.front().properties) out.text += padded(name_of(p.kind), 18);
        out.text += "\n";
    }
    for (const LawProperties& law : all) {
        out.text += padded(law.kind, 20);
        for (const Property& p : law.properties) out.text += padded(name_of(p.holds), 18);
        out.text += "\n";
        list.push_back(json_of(law));
    }
    out.json = Json{{"laws", list}};
    return out;
}

Analysis property_report(const experiment::Experiment& experiment, const Progress& progress) {
    PropertyOptions options;
    options.load = experiment.setup.load.piece(0).value(0.0);
    const auto all = properties_of({experiment.setup.law}, options, progress);
    Analysis out =
        report_on(experiment, "Properties, measured (numbers relative to the law's own force or deflection)");
    for (const LawProperties& law : all) {
        for (const Property& p : law.properties)
            out.text += "  " + padded(question_of(p), 64) + padded(name_of(p.holds), 9) + readable(p.measured, 3) +
                        (p.kind == PropertyKind::passive && p.measured != 0 ? " " + unit_of(experiment, "N s/m") : "") +
                        "\n";
        out.json = json_of(law);
    }
    return out;
}

}  // namespace bristle::report
