#include "analyse/passivity/passivity.hpp"

#include "analyse/counterexample/counterexample.hpp"
#include "base/work_budget.hpp"
#include "analyse/passivity/passivity_bristle.hpp"
#include "analyse/passivity/passivity_laws.hpp"
#include "analyse/passivity/passivity_nearest.hpp"
#include "analyse/passivity/passivity_speed.hpp"
#include "analyse/passivity/passivity_static.hpp"
#include "analyse/counterexample/search_inputs.hpp"
#include "base/text.hpp"

namespace bristle::inline analysis {

namespace {

// What the cycles of these laws may cost, in units of effort.
constexpr long for_example = 1'000'000, for_nearest = 300'000, for_search = 800'000;

Finding hysteretic(const AnyLaw& law, const CertifyOptions& options) {
    Finding out;
    out.theorem = "sawtooth inside (-a, 0) (B05 8)";
    const WorkBudget part(for_example);
    out.counterexample = hysteretic_sawtooth(law, options.load_max, options.vmax.value_or(infinity));
    if (out.counterexample && out.counterexample->energy < 0) {
        out.verdict = Verdict::refuted;
        out.speed = 0;
        out.text =
            " While v rises inside (-a, 0) the shifted velocity v + a bends z forward, and F v < 0: at any speed.";
    } else {
        out.counterexample.reset();
        out.text = part.exhausted() ? " The search for a sawtooth that draws energy was ended when it had cost enough,"
                                    : " No sawtooth was found that draws energy,";
        out.text += " and no proof is known for a shifted steady state.";
    }
    return out;
}

// Why a refutation by a theorem comes without an input.
std::string without_example(const WorkBudget& part) {
    return part.exhausted() ? " No input that shows it is given: computing one was ended when it had cost enough."
                            : " No input that shows it was constructed.";
}

Finding maxwell_slip(const AnyLaw& law, const CertifyOptions& options) {
    const LoadRange load = load_range(law, options);
    const double vmax = options.vmax.value_or(infinity);
    Finding out;
    const WorkBudget part(for_example);
    if (load.varies()) {
        out.verdict = Verdict::refuted;
        out.theorem = "load cycle";
        out.text = load.force_varies() ? " Bend the springs at the low load, raise it at rest, let them back."
                                       : " Elements that slip climb to the higher level when the load rises, "
                                         "without motion, and push back.";
        out.speed = 0;
        out.counterexample = load_cycle(law, options.load_min, options.load_max, vmax);
        if (!out.counterexample) out.text += without_example(part);
        return out;
    }
    out.verdict = level_verdict(law, options);
    if (out.verdict == Verdict::proved) {
        out.theorem = "storage sum F_i^2/(2 k_i)";
        out.text =
            "Passive at every speed: the level is the same at all, sticking elements store, slipping ones dissipate. "
            "Any level that is higher at rest breaks it.";
        out.speed = infinity;
        return out;
    }
    out.counterexample = maxwell_slip_cycle(law, options.load_min, vmax);
    out.theorem = "climbing cycle: slip at a low level, creep up to a higher one, push back";
    if (out.verdict == Verdict::refuted) {
        out.text =
            " Slipping elements climb from a lower level to the one at rest without motion, and push back: at any "
            "speed.";
        out.speed = 0;
        if (!out.counterexample) out.text += without_example(part);
    } else if (out.counterexample && out.counterexample->energy < 0) {
        out.verdict = Verdict::refuted;
        out.text = " Slipping elements climb towards a higher level faster than the motion bends them.";
    } else {
        out.counterexample.reset();
        out.theorem = "";
        out.text = " The level is lowest at rest. ";
        out.text += part.exhausted() ? "The search for a cycle that draws energy was ended when it had cost enough,"
                                     : "No cycle was found that draws energy,";
        out.text += " and no proof is known for such a level.";
    }
    if (out.verdict == Verdict::refuted) {
        const WorkBudget search(for_nearest);
        const auto found =
            nearest_change(law, out.verdict, 1e-9, [&](const AnyLaw& l) { return level_verdict(l, options); });
        if (!search.exhausted()) out.nearest = found;
    }
    return out;
}

// A level over the speeds up to vmax against that at rest, by comparisons of parameters: no rounding.
Verdict level_verdict(const Stribeck& curve, double) {
    return curve.Fs > curve.Fc ? Verdict::refuted : curve.Fs < curve.Fc ? Verdict::undecided : Verdict::proved;
}
Verdict level_verdict(const Table& curve, double vmax) {
    const double rest = curve.g[0];
    bool constant = true;
    for (int i = 1; i < curve.size && curve.v[i - 1] < vmax; ++i) {
        constant = constant && curve.g[i] == rest;
        if (!(curve.g[i] < rest)) continue;
        // monotone between two points: beyond the point it is lower, on the way to it perhaps not yet
        if (curve.v[i] <= vmax || curve.g[i - 1] == rest) return Verdict::refuted;
        if (level_range(curve, vmax).hi < rest) return Verdict::refuted;
    }
    return constant ? Verdict::proved : Verdict::undecided;
}
template <class Curve>
Verdict level_verdict(const Curve&, double) {
    return Verdict::undecided;  // no curve of Maxwell-slip
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

namespace {

Finding by_kind(const AnyLaw& law, const CertifyOptions& options) {
    if (std::holds_alternative<AnyMaxwellSlip>(law)) return maxwell_slip(law, options);
    if (const auto* shifted = std::get_if<AnyHysteretic>(&law); shifted && shifts(*shifted))
        return hysteretic(law, options);
    const bool is_static = std::visit([](const auto& l) { return StaticLaw<std::remove_cvref_t<decltype(l)>>; }, law);
    return is_static ? static_passivity(law, options) : bristle_passivity(law, options);
}

}  // namespace

bool within(const Counterexample& example, const CertifyOptions& options) {
    constexpr double rounding = 1 + 1e-12;
    const double vmax = options.vmax.value_or(infinity);
    for (const auto& [t, v] : example.velocity)
        if (std::abs(v) > rounding * vmax) return false;
    for (const auto& [t, load] : example.load)
        if (load * rounding < options.load_min || load > rounding * options.load_max) return false;
    return true;
}

namespace {

void search(Finding& out, const AnyLaw& law, const CertifyOptions& options) {
    const SearchOptions wide{.budget = 4000,
                             .load_min = options.load_min,
                             .load_max = options.load_max,
                             .vmax = options.vmax.value_or(any_speed)};
    const WorkBudget part(for_search);
    Searched found = search_inputs(law, wide);
    const std::string tried = std::to_string(found.tried) + " inputs that were tried";
    if (found.draws && within(found.best, options)) {
        out.verdict = Verdict::refuted;
        out.theorem = "search over inputs";
        out.text = " Of " + tried + " one draws energy.";
        out.counterexample = std::move(found.best);
    } else {
        out.text += " None of " + tried + " draws energy.";
    }
}

// What the verdict is about: "Not passive for |v| <= 10 mm/s while the load varies between 1 N and 3 N."
std::string lead(Verdict verdict, const CertifyOptions& options) {
    std::string under;
    if (options.vmax) under += " for |v| <= " + in_units(*options.vmax, "m/s");
    if (options.load_max > options.load_min)
        under += " while the load varies between " + in_units(options.load_min, "N") + " and " +
                 in_units(options.load_max, "N");
    if (verdict == Verdict::undecided) return "Open" + under + ".";
    if (verdict == Verdict::refuted) return "Not passive" + under + ".";
    return under.empty() ? "" : "Passive" + under + ".";
}

}  // namespace

Finding passivity(const AnyLaw& law, const CertifyOptions& options) {
    Finding out = by_kind(law, options);
    if (out.counterexample && !within(*out.counterexample, options)) out.counterexample.reset();
    if (out.verdict == Verdict::undecided) search(out, law, options);
    const std::string about = lead(out.verdict, options);
    const bool apart = !about.empty() && !out.text.empty() && out.text.front() != ' ';
    out.text = about + (apart ? " " : "") + out.text;
    if (out.text.front() == ' ') out.text.erase(0, 1);
    return out;
}

}  // namespace bristle::inline analysis
