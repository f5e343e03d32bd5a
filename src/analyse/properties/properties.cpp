// Table of properties: each measurement with its noise floor and effect threshold, and passivity from the certificate.
#include <bristle/analyse/properties.hpp>

#include "analyse/properties/measures.hpp"
#include "base/text.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis {

const char* name_of(Holds holds) { return holds == Holds::yes ? "yes" : holds == Holds::no ? "no" : "unclear"; }

const char* name_of(PropertyKind kind) {
    constexpr const char* names[] = {"rate_independent", "warp_invariant", "reversal_memory",
                                     "holds_at_rest",    "no_drift",       "lag",
                                     "breakaway_varies", "bounded",        "passive"};
    return names[int(kind)];
}

const Property* LawProperties::find(PropertyKind which) const {
    for (const Property& p : properties)
        if (p.kind == which) return &p;
    return nullptr;
}

namespace properties {
namespace {

// Whether the property holds if there is no effect, or if there is one.
enum class HoldsIf { no_effect, effect };

Property judged(PropertyKind kind, HoldsIf holds_if, double measured, double noise_floor, double effect_threshold) {
    Property p{kind, Holds::unclear, measured, noise_floor, effect_threshold, false, {}};
    if (measured <= noise_floor) p.holds = holds_if == HoldsIf::no_effect ? Holds::yes : Holds::no;
    if (measured >= effect_threshold) p.holds = holds_if == HoldsIf::effect ? Holds::yes : Holds::no;
    return p;
}

// P6
Property reversal_memory(const TestedLaw& tested) {
    const InnerLoops loops = inner_loops(tested);
    const double noise_floor = 1e-9, effect_threshold = 1e-3;
    Property p = judged(PropertyKind::reversal_memory, HoldsIf::no_effect, loops.gap, noise_floor, effect_threshold);
    // a force that does not depend on the past closes every loop without memory
    if (p.holds == Holds::yes && loops.history <= noise_floor) {
        p.holds = Holds::no;
        p.memoryless = true;
    } else if (p.holds == Holds::yes && loops.history < effect_threshold) {
        p.holds = Holds::unclear;
    }
    return p;
}

Property passivity_of(const AnyLaw& law, double load) {
    Property p{.kind = PropertyKind::passive};
    p.finding = certify(law, {.vmax = {}, .load_min = load, .load_max = load}).passive;
    p.holds = p.finding->verdict == Verdict::proved    ? Holds::yes
              : p.finding->verdict == Verdict::refuted ? Holds::no
                                                       : Holds::unclear;
    p.measured = p.finding->margin.value_or(0);
    return p;
}

LawProperties measure(const AnyLaw& law, const PropertyOptions& options) {
    using Kind = PropertyKind;
    using enum HoldsIf;
    const TestedLaw tested = tested_law(law, options.load);
    LawProperties out;
    out.kind = kind_of(law);
    out.properties = {judged(Kind::rate_independent, no_effect, rate_dependence(tested), 1e-9, 1e-3),  // P5
                      judged(Kind::warp_invariant, no_effect, warp_dependence(tested), 1e-9, 1e-3),    // P5
                      reversal_memory(tested),
                      judged(Kind::holds_at_rest, no_effect, creep_displacement(tested), 1e-6, 1e-3),
                      judged(Kind::no_drift, no_effect, drift_per_cycle(tested), 1e-6, 1e-3),
                      judged(Kind::lag, effect, lag_width(tested), 1e-9, 1e-3),
                      judged(Kind::breakaway_varies, effect, breakaway_spread(tested), 1e-6, 1e-3),
                      judged(Kind::bounded, no_effect, bound_excess(tested), 1e-12, 1e-6)};  // P1
    if (options.passivity) out.properties.push_back(passivity_of(law, options.load));
    return out;
}

void check(const std::vector<AnyLaw>& laws, const PropertyOptions& options) {
    std::string faults;
    for (const auto& law : laws)
        std::visit(
            [&](const auto& l) {
                problems(l, [&](const Problem& p) {
                    append_item(faults, std::string(kind_of(law)) + ": " + sentence(p), "; ");
                });
            },
            law);
    const auto accepts = [&](const AnyLaw& law) { return accepts_load(law, options.load); };
    if (!std::all_of(laws.begin(), laws.end(), accepts) || !std::isfinite(options.load))
        append_item(faults, "load must be finite and > 0 [N]", "; ");
    if (!faults.empty()) throw Error("properties: " + faults);
}

}  // namespace
}  // namespace properties

Input nested_loops(const AnyLaw& law, double load) {
    properties::check({law}, {.load = load, .passivity = false});
    const properties::TestedLaw tested = properties::tested_law(law, load);
    std::vector<Point> points{{0, 0}};
    for (const double stroke : properties::nested_strokes) {
        const double step = stroke * tested.scales.deflection;
        points.push_back({points.back().t + std::abs(step) / tested.falling_speed, points.back().value + step});
    }
    return Input::ramps(std::move(points));
}

std::vector<LawProperties> properties_of(const std::vector<AnyLaw>& laws, const PropertyOptions& options,
                                         const std::function<bool(double)>& progress) {
    properties::check(laws, options);
    std::vector<LawProperties> out;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        if (progress && !progress(double(i) / double(laws.size()))) break;
        out.push_back(properties::measure(laws[i], options));
    }
    return out;
}

}  // namespace bristle::analysis
