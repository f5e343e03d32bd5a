// Passivity of Maxwell-slip and hysteretic laws, and the search over inputs for laws that nothing else decides.
#include "analyse/passivity/passivity.hpp"

#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/search_inputs.hpp"
#include "analyse/passivity/laws.hpp"
#include "analyse/passivity/nearest_change.hpp"
#include "analyse/passivity/one_state.hpp"
#include "analyse/passivity/static_law.hpp"
#include "base/work_budget.hpp"

namespace bristle::inline analysis::passivity {

namespace {

using Why = reason::NoCounterexample::Why;

// Work budgets of the parts of a finding.
constexpr long cycle_example_units = 1'000'000, nearest_level_units = 300'000, search_units = 800'000;

Finding hysteretic(const AnyLaw& law, const CertifyOptions& options) {
    Finding out;
    out.theorem = Theorem::sawtooth;
    const WorkBudget budget(cycle_example_units);
    out.counterexample = counterexample::hysteretic_sawtooth(law, options.load_max, options.vmax.value_or(infinity));
    if (out.counterexample && out.counterexample->energy < 0) {
        out.verdict = Verdict::refuted;
        out.speed = 0;
        out.reasons = {reason::ShiftExtracts{}};
    } else {
        out.counterexample.reset();
        out.reasons = {reason::NoSawtoothFound{budget.exhausted()}};
    }
    return out;
}

reason::NoCounterexample no_counterexample(const WorkBudget& budget) {
    return {budget.exhausted() ? Why::work_budget : Why::not_constructed};
}

Finding maxwell_slip_under_loads(const AnyLaw& law, const CertifyOptions& options, bool on_force) {
    Finding out;
    out.verdict = Verdict::refuted;
    out.theorem = Theorem::load_cycle;
    out.speed = 0;
    if (on_force)
        out.reasons = {reason::LoadOnSprings{}};
    else
        out.reasons = {reason::LoadOnLevel{}};
    const WorkBudget budget(cycle_example_units);
    out.counterexample =
        counterexample::load_cycle(law, options.load_min, options.load_max, options.vmax.value_or(infinity));
    if (!out.counterexample) out.reasons.push_back(no_counterexample(budget));
    return out;
}

Finding maxwell_slip(const AnyLaw& law, const CertifyOptions& options) {
    if (const LoadRange load = load_range(law, options); load.varies())
        return maxwell_slip_under_loads(law, options, load.force_varies());
    Finding out;
    out.verdict = level_verdict(law, options);
    if (out.verdict == Verdict::proved) {
        out.theorem = Theorem::sum_storage;
        out.reasons = {reason::ConstantLevel{}};
        out.speed = infinity;
        return out;
    }
    const WorkBudget budget(cycle_example_units);
    out.theorem = Theorem::climbing_cycle;
    out.counterexample = counterexample::maxwell_slip_cycle(law, options.load_min, options.vmax.value_or(infinity));
    if (out.verdict == Verdict::refuted) {
        out.reasons = {reason::LevelHigherAtRest{}};
        out.speed = 0;
        if (!out.counterexample) out.reasons.push_back(no_counterexample(budget));
    } else if (out.counterexample && out.counterexample->energy < 0) {
        out.verdict = Verdict::refuted;
        out.reasons = {reason::ElementsClimbFaster{}};
    } else {
        out.counterexample.reset();
        out.theorem = Theorem::none;
        out.reasons = {reason::LevelLowestAtRest{budget.exhausted()}};
    }
    if (out.verdict == Verdict::refuted) {
        const WorkBudget search(nearest_level_units);
        const auto found =
            nearest_change(law, out.verdict, 1e-9, [&](const AnyLaw& l) { return level_verdict(l, options); });
        if (!search.exhausted()) out.nearest = found;
    }
    return out;
}

// Level at speeds up to vmax compared with the level at rest, by comparisons of parameters: no rounding.
Verdict level_verdict(const Stribeck& curve, double) {
    return curve.Fs > curve.Fc ? Verdict::refuted : curve.Fs < curve.Fc ? Verdict::undecided : Verdict::proved;
}
Verdict level_verdict(const Table& curve, double vmax) {
    const double at_rest = curve.g[0];
    bool constant = true;
    for (int i = 1; i < curve.size && curve.v[i - 1] < vmax; ++i) {
        constant = constant && curve.g[i] == at_rest;
        if (!(curve.g[i] < at_rest)) continue;
        // monotone between two points: beyond the point it is lower, before the point perhaps not yet
        if (curve.v[i] <= vmax || curve.g[i - 1] == at_rest) return Verdict::refuted;
        if (level_range(curve, vmax).hi < at_rest) return Verdict::refuted;
    }
    return constant ? Verdict::proved : Verdict::undecided;
}
template <class Curve>
Verdict level_verdict(const Curve&, double) {
    return Verdict::undecided;  // not a curve of Maxwell-slip
}

Finding by_form(const AnyLaw& law, const CertifyOptions& options) {
    if (std::holds_alternative<AnyMaxwellSlip>(law)) return maxwell_slip(law, options);
    if (is_shifted(law)) return hysteretic(law, options);
    if (is_static(law)) return static_finding(law, options);
    if (sides_of(law, options).empty()) {
        Finding out;
        out.reasons = {reason::UnknownForm{}};
        return out;
    }
    return one_state_finding(law, options);
}

// Whether speeds and loads of an input stay within the options.
bool is_within(const Counterexample& example, const CertifyOptions& options) {
    constexpr double rounding = 1 + 1e-12;
    const double vmax = options.vmax.value_or(infinity);
    for (const auto& [t, v] : example.velocity)
        if (std::abs(v) > rounding * vmax) return false;
    for (const auto& [t, load] : example.load)
        if (load * rounding < options.load_min || load > rounding * options.load_max) return false;
    return true;
}

void search(Finding& out, const AnyLaw& law, const CertifyOptions& options) {
    const counterexample::SearchOptions wide{.budget = 4000,
                                             .load_min = options.load_min,
                                             .load_max = options.load_max,
                                             .vmax = options.vmax.value_or(counterexample::any_speed)};
    const WorkBudget budget(search_units);
    counterexample::Searched found = counterexample::search_inputs(law, wide);
    if (found.extracts && is_within(found.best, options)) {
        out.verdict = Verdict::refuted;
        out.theorem = Theorem::input_search;
        out.reasons = {reason::SearchFound{found.tried}};
        out.counterexample = std::move(found.best);
    } else {
        out.reasons.push_back(reason::SearchFoundNone{found.tried});
    }
}

}  // namespace

Verdict level_verdict(const AnyLaw& law, const CertifyOptions& options) {
    Verdict all = Verdict::proved;
    for (const Side& side : sides_of(law, options)) {
        const Verdict one = std::visit(
            [&](const auto& curve) { return level_verdict(curve, options.vmax.value_or(infinity)); }, side.curve);
        if (one == Verdict::refuted) return one;
        if (one == Verdict::undecided) all = one;
    }
    return all;
}

Finding finding_of(const AnyLaw& law, const CertifyOptions& options) {
    Finding out = by_form(law, options);
    if (out.counterexample && !is_within(*out.counterexample, options)) {
        out.counterexample.reset();
        out.reasons.push_back(reason::NoCounterexample{Why::not_constructed});
    }
    if (out.verdict == Verdict::undecided) search(out, law, options);
    return out;
}

}  // namespace bristle::analysis::passivity
