#include <bristle/analyse/properties.hpp>

#include <bristle/analyse/certificate.hpp>

#include "analyse/properties/properties_measures.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>

#include <cmath>

namespace bristle::inline analysis {

const char* name_of(Holds holds) { return holds == Holds::yes ? "yes" : holds == Holds::no ? "no" : "unclear"; }

const Property* LawProperties::find(std::string_view name) const {
    for (const Property& p : properties)
        if (p.name == name) return &p;
    return nullptr;
}

namespace {

// Whether a number says that the property is there by being nothing, or by being something.
enum class Sign { nothing, something };

Property measured(const char* name, const char* question, Sign sign, double number, double nothing, double something,
                  const char* text) {
    Property p{name, question, Holds::unclear, number, nothing, something, text};
    if (number <= nothing) p.holds = sign == Sign::nothing ? Holds::yes : Holds::no;
    if (number >= something) p.holds = sign == Sign::something ? Holds::yes : Holds::no;
    return p;
}

Property reversal_memory(const Subject& s) {
    const InnerLoop loop = inner_loop(s);
    const double rounding = 1e-9;
    Property p = measured("reversal_memory", "does an inner loop close and leave no trace?", Sign::nothing, loop.gap,
                          rounding, 1e-3,
                          "at one constant speed, three inner loops on a branch of an outer one: by how much they miss "
                          "their start or change what follows");
    // what owes nothing to the past remembers nothing
    if (p.holds == Holds::yes && loop.history <= rounding) {
        p.holds = Holds::no;
        p.text = "the force owes nothing to the past: there is nothing to remember";
    } else if (p.holds == Holds::yes && loop.history < 1e-3) {
        p.holds = Holds::unclear;
    }
    return p;
}

Property passivity_of(const AnyLaw& law, double load) {
    const Finding finding = certify(law, {.vmax = {}, .load_min = load, .load_max = load}).passive;
    Property p;
    p.name = "passive";
    p.question = "is it passive? (the number: sigma2 beyond what is needed)";
    p.holds = finding.verdict == Verdict::proved    ? Holds::yes
              : finding.verdict == Verdict::refuted ? Holds::no
                                                    : Holds::unclear;
    p.measured = finding.margin.value_or(0);
    p.text = info_of(finding.theorem).name;
    return p;
}

LawProperties measure(const AnyLaw& law, const PropertyOptions& options) {
    const Subject s = subject_of(law, options.load);
    LawProperties out;
    out.kind = kind_of(law);
    for_each_law([&](const auto& entry) {
        if (out.kind == entry.kind) out.title = entry.title;
    });
    out.properties = {
        measured("rate_independent", "is the force along a path the same at every speed?", Sign::nothing,
                 rate_dependence(s), 1e-9, 1e-3,
                 "one way with many turns at three speeds, from a tenth of the law's slowest to ten times its fastest"),
        measured("warp_invariant", "and where the speed changes on the way?", Sign::nothing, warp_dependence(s), 1e-9,
                 1e-3, "the same way along t and along t + 0.8 sin t"),
        reversal_memory(s),
        measured("holds_at_rest", "does it stay under a constant force below breakaway?", Sign::nothing, creep(s), 1e-6,
                 1e-3, "creep of a slider without mass under a constant force, in deflections"),
        measured("no_drift", "and with a vibration on top?", Sign::nothing, drift_per_cycle(s), 1e-6, 1e-3,
                 "drift of that slider per cycle of a force between a third of it and all of it, in deflections"),
        measured("lag", "does friction differ for rising and falling speed?", Sign::something, lag(s), 1e-9, 1e-3,
                 "width of the loop of the force over a speed that swings by nine tenths"),
        measured("breakaway_varies", "does breakaway depend on the rate of the force?", Sign::something,
                 breakaway_change(s), 1e-6, 1e-3,
                 "largest force held under three ramps that differ by a factor of 100, without viscous friction"),
        measured("bounded", "does the bristle stay within the peak of its curve?", Sign::nothing, excess(s), 1e-12,
                 1e-6, "excess over 20000 steps of scattered speed and length")};
    if (options.passivity) out.properties.push_back(passivity_of(law, options.load));
    return out;
}

void check(const std::vector<AnyLaw>& laws, const PropertyOptions& options) {
    std::string faults;
    for (const auto& law : laws)
        std::visit(
            [&](const auto& l) {
                problems(l, [&](const Problem& p) {
                    faults += std::string(faults.empty() ? "" : "; ") + std::string(kind_of(law)) + ": " + sentence(p);
                });
            },
            law);
    if (!(options.load > 0 && std::isfinite(options.load)))
        faults += (faults.empty() ? "" : "; ") + std::string("the load must be a finite number > 0");
    if (!faults.empty()) throw Error("no table of properties: " + faults);
}

}  // namespace

Input nested_loops(const AnyLaw& law, double load) {
    check({law}, {.load = load, .passivity = false});
    const Subject s = subject_of(law, load);
    std::vector<Point> points{{0, 0}};
    for (const double way : inner_loop_strokes) {
        const double step = way * s.scales.deflection;
        points.push_back({points.back().t + std::abs(step) / s.speed, points.back().value + step});
    }
    return Input::ramps(std::move(points));
}

std::vector<LawProperties> properties_of(const std::vector<AnyLaw>& laws, const PropertyOptions& options,
                                         const std::function<bool(double)>& progress) {
    check(laws, options);
    std::vector<LawProperties> out;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        if (progress && !progress(double(i) / double(laws.size()))) break;
        out.push_back(measure(laws[i], options));
    }
    return out;
}

}  // namespace bristle::inline analysis
