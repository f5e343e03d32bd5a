#include <bristle/analyse/certificate.hpp>

#include "base/work_budget.hpp"
#include "analyse/passivity/passivity.hpp"
#include "analyse/passivity/passivity_criterion.hpp"
#include "analyse/passivity/passivity_laws.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>
#include "base/text.hpp"

namespace bristle::inline analysis {

namespace {

// g2 < g3 in the static law of Makkar breaks a rule, and what it breaks is what a certificate is about.
template <class Law>
bool excused(const Law&, const Problem& problem) {
    return std::is_same_v<Law, Makkar> && std::string_view(problem.parameter.name) == "g2" && problem.value >= 0;
}

constexpr double widest_load = 1e12;

void check(const AnyLaw& law, const CertifyOptions& options) {
    std::string faults;
    const auto add = [&](const std::string& fault) { faults += (faults.empty() ? "" : "; ") + fault; };
    std::visit(
        [&](const auto& l) {
            problems(l, [&](const Problem& problem) {
                if (!excused(l, problem)) add(sentence(problem));
            });
        },
        law);
    if (options.vmax && !(*options.vmax > 0 && *options.vmax < infinity)) add("vmax must be a finite speed > 0");
    if (!(options.load_min > 0 && options.load_max >= options.load_min && options.load_max < infinity))
        add("loads must be finite, and 0 < load_min <= load_max");
    else if (options.load_max > widest_load * options.load_min)
        add("load_max must not be above 1e12 load_min");
    if (!faults.empty()) throw Error("no certificate: " + faults);
}

Finding proved(const char* theorem, std::string text) {
    Finding out;
    out.verdict = Verdict::proved;
    out.theorem = theorem;
    out.text = std::move(text);
    out.speed = infinity;
    return out;
}

bool is_static(const AnyLaw& law) {
    return std::visit([](const auto& l) { return StaticLaw<std::remove_cvref_t<decltype(l)>>; }, law);
}
bool shifted(const AnyLaw& law) {
    const auto* hysteretic = std::get_if<AnyHysteretic>(&law);
    return hysteretic && shifts(*hysteretic);
}

// The largest level the law meets, from above.
double peak(const AnyLaw& law, const CertifyOptions& options) {
    const double vmax = options.vmax.value_or(infinity);
    if (const auto* hysteretic = std::get_if<AnyHysteretic>(&law))
        return hysteretic->curve.peak() * load_range(law, options).curve_max;
    double most = 0;
    for (const Side& side : sides_of(law, options)) most = std::max(most, highest_level(side, vmax));
    return most;
}

Finding boundedness(const AnyLaw& law, const CertifyOptions& options) {
    if (is_static(law)) return proved("no state", "A static law has no internal state.");
    const double top = peak(law, options);
    if (!(top < infinity)) {
        Finding out;
        out.verdict = Verdict::refuted;
        out.theorem = "erratum E1 (K08 44)";
        const auto& curve = std::get<AnySmoothLuGre>(law).curve;
        out.text =
            "With the conductance as printed the steady level is g(v)/tanh(c v), without bound as v -> 0: at v = " +
            in_units(0.01 / curve.c, "m/s") + " already 100 times g.";
        out.speed = 0;
        return out;
    }
    if (std::holds_alternative<AnyMaxwellSlip>(law))
        return proved("P1 (A08 property 1)",
                      "No element carries more than its share of " + in_units(top, "N") + ", the largest level.");
    return proved("P1 (A08 property 1)", "|z| never exceeds " + in_units(top / stiffness_of(law), "m") +
                                             ", the largest level over sigma0, if it starts within.");
}

Finding dissipativity(const AnyLaw& law, const CertifyOptions& options) {
    if (is_static(law)) return proved("no state", "A static law has no internal state.");
    if (shifted(law)) {
        Finding out;
        out.verdict = Verdict::refuted;
        out.theorem = "B05 (8)";
        out.text = "While v rises through 0, z grows at the rate a although z v = 0: z is driven by v + a, not by v.";
        out.speed = 0;
        return out;
    }
    if (!std::holds_alternative<AnyMaxwellSlip>(law))
        return proved("P2 (A08 5)", "z dz/dt <= z v at every instant: what relaxes only takes away from z^2/2.");
    Finding out;
    out.theorem = "storage F_i^2/(2 k_i)";
    out.verdict = load_range(law, options).curve_max > load_range(law, options).curve_min ? Verdict::refuted
                                                                                          : level_verdict(law, options);
    if (out.verdict == Verdict::proved) {
        out.text = "F_i dF_i/dt <= k_i F_i v at every instant, for every element: the level is constant.";
        out.speed = infinity;
    } else if (out.verdict == Verdict::refuted) {
        out.text = "An element that slips climbs to a higher level at v = 0+: F_i dF_i/dt > 0 = k_i F_i v.";
        out.speed = 0;
    } else {
        out.text =
            "The level is lowest at rest: whether an element climbs faster than the motion bends it is left open.";
    }
    return out;
}

}  // namespace

const char* name_of(Verdict verdict) {
    constexpr const char* names[] = {"proved", "refuted", "undecided"};
    return names[int(verdict)];
}

Certificate certify(const AnyLaw& law, const CertifyOptions& options) {
    check(law, options);
    const WorkBudget all(2'500'000, options.should_continue);
    return {boundedness(law, options), dissipativity(law, options), passivity(law, options)};
}

}  // namespace bristle::inline analysis
