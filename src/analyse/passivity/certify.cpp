// certify(): checks its arguments, decides bounded and dissipative, and calls the decision on passivity.
#include <bristle/analyse/certificate.hpp>

#include "analyse/passivity/criterion.hpp"
#include "analyse/passivity/laws.hpp"
#include "analyse/passivity/passivity.hpp"
#include "base/work_budget.hpp"
#include "base/text.hpp"

#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>

namespace bristle::inline analysis {

namespace passivity {

namespace {

// g2 < g3 in the static law of Makkar breaks a rule of the law, but not of a certificate: it decides whether F v >= 0 all the same.
template <class Law>
bool is_accepted(const Law&, const Problem& problem) {
    return std::is_same_v<Law, Makkar> && std::string_view(problem.parameter.name) == "g2" && problem.value >= 0;
}

constexpr double max_load_ratio = 1e12;

void check(const AnyLaw& law, const CertifyOptions& options) {
    std::string faults;
    const auto add = [&](const std::string& fault) { append_item(faults, fault, "; "); };
    std::visit(
        [&](const auto& l) {
            problems(l, [&](const Problem& problem) {
                if (!is_accepted(l, problem)) add(sentence(problem));
            });
        },
        law);
    if (options.vmax && !(*options.vmax > 0 && *options.vmax < infinity)) add("vmax must be a finite speed > 0");
    const bool may_vanish = accepts_load(law, 0);
    if (!(accepts_load(law, options.load_min) && options.load_max >= options.load_min && options.load_max < infinity))
        add(std::string("loads must be finite, and 0 ") + (may_vanish ? "<=" : "<") + " load_min <= load_max");
    else if (!may_vanish && options.load_max > max_load_ratio * options.load_min)
        add("load_max must not be above 1e12 load_min");
    if (!faults.empty()) throw Error("no certificate: " + faults);
}

Finding finding(Verdict verdict, Theorem theorem, Reason reason) {
    Finding out;
    out.verdict = verdict;
    out.theorem = theorem;
    out.reasons = {std::move(reason)};
    if (verdict != Verdict::undecided) out.speed = verdict == Verdict::proved ? infinity : 0;
    return out;
}
Finding proved(Theorem theorem, Reason reason) { return finding(Verdict::proved, theorem, std::move(reason)); }
Finding refuted(Theorem theorem, Reason reason) { return finding(Verdict::refuted, theorem, std::move(reason)); }
Finding undecided(Reason reason) { return finding(Verdict::undecided, Theorem::none, std::move(reason)); }

// Upper bound of the level over all speeds up to vmax, at the largest load [N].
double highest_level(const AnyLaw& law, const std::vector<Side>& sides, const CertifyOptions& options) {
    if (const auto* hysteretic = std::get_if<AnyHysteretic>(&law))
        return hysteretic->curve.peak() * load_range(law, options).curve_max;
    double highest = 0;
    for (const Side& side : sides) highest = std::max(highest, highest_level(side, options.vmax.value_or(infinity)));
    return highest;
}

Finding boundedness(const AnyLaw& law, const CertifyOptions& options) {
    if (is_static(law)) return proved(Theorem::no_state, reason::NoState{});
    const std::vector<Side> sides = sides_of(law, options);
    if (sides.empty() && !is_shifted(law)) return undecided(reason::UnknownForm{});
    const double level = highest_level(law, sides, options);
    if (!(level < infinity)) {
        const auto* printed = std::get_if<SmoothStribeckPrinted>(&sides.front().curve);
        if (!printed) return undecided(reason::UnknownForm{});
        return refuted(Theorem::erratum_E1, reason::LevelUnbounded{0.01 / printed->c});  // K08 (44)
    }
    if (std::holds_alternative<AnyMaxwellSlip>(law)) return proved(Theorem::P1, reason::ElementsBounded{level});
    return proved(Theorem::P1, reason::DeflectionBounded{level / stiffness_of(law)});
}

// Maxwell-slip with the storage function F_i^2/(2 k_i) of each element.
Finding element_dissipativity(const AnyLaw& law, const CertifyOptions& options) {
    const LoadRange load = load_range(law, options);
    const Verdict verdict = load.curve_max > load.curve_min ? Verdict::refuted : level_verdict(law, options);
    if (verdict == Verdict::proved) return proved(Theorem::element_storage, reason::ElementsDissipate{});
    if (verdict == Verdict::refuted) return refuted(Theorem::element_storage, reason::ElementClimbs{});
    return finding(verdict, Theorem::element_storage, reason::ElementClimbUndecided{});
}

Finding dissipativity(const AnyLaw& law, const CertifyOptions& options) {
    if (is_static(law)) return proved(Theorem::no_state, reason::NoState{});
    if (is_shifted(law)) return refuted(Theorem::shifted_state, reason::ShiftDrivesDeflection{});  // B05 (8)
    if (std::holds_alternative<AnyMaxwellSlip>(law)) return element_dissipativity(law, options);
    if (sides_of(law, options).empty()) return undecided(reason::UnknownForm{});
    // A08 (5): holds for h(v) >= 0, because z dz/dt = z v - h z^2
    return proved(Theorem::P2, reason::RelaxationDissipates{});
}

}  // namespace

}  // namespace passivity

const char* name_of(Verdict verdict) {
    constexpr const char* names[] = {"proved", "refuted", "undecided"};
    return names[int(verdict)];
}

TheoremInfo info_of(Theorem theorem) {
    switch (theorem) {
        case Theorem::none:
            break;
        case Theorem::no_state:
            return {"no state", ""};
        case Theorem::P1:
            return {"P1", "A08 property 1"};
        case Theorem::erratum_E1:
            return {"erratum E1", "K08 (44)"};
        case Theorem::P2:
            return {"P2", "A08 (5)"};
        case Theorem::shifted_state:
            return {"shifted steady state", "B05 (8)"};
        case Theorem::element_storage:
            return {"storage function F_i^2/(2 k_i)", ""};
        case Theorem::power:
            return {"F v >= 0", ""};
        case Theorem::power_intervals:
            return {"F v >= 0, interval arithmetic", ""};
        case Theorem::quadratic_storage:
            return {"storage function sigma0 z^2/2", ""};
        case Theorem::P3:
            return {"P3", "A08 (6), A08 (7), K08 (21)"};
        case Theorem::P4:
            return {"P4", "A08 property 4"};
        case Theorem::rising_level:
            return {"exact one-state criterion, level that never falls", ""};
        case Theorem::one_state_criterion:
            return {"exact one-state criterion, interval arithmetic", ""};
        case Theorem::load_cycle:
            return {"load cycle", ""};
        case Theorem::sum_storage:
            return {"storage function sum F_i^2/(2 k_i)", ""};
        case Theorem::climbing_cycle:
            return {"climbing cycle: slip at a low level, creep up to a higher one, push back", ""};
        case Theorem::sawtooth:
            return {"sawtooth inside (-a, 0)", "B05 (8)"};
        case Theorem::input_search:
            return {"search over inputs", ""};
    }
    return {"", ""};
}

Certificate certify(const AnyLaw& law, const CertifyOptions& options) {
    passivity::check(law, options);
    const WorkBudget budget(2'500'000, options.should_continue);
    return {passivity::boundedness(law, options), passivity::dissipativity(law, options),
            passivity::finding_of(law, options)};
}

}  // namespace bristle::analysis
