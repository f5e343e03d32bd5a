#include "passivity.hpp"

#include <analyse/energy/counterexample.hpp>
#include "passivity_bristle.hpp"
#include "passivity_laws.hpp"
#include "passivity_nearest.hpp"
#include "passivity_speed.hpp"
#include "passivity_static.hpp"
#include <analyse/energy/search_inputs.hpp>

namespace bristle::analyse {

using namespace simulate;

namespace {

Finding hysteretic(const AnyLaw& law, const CertifyOptions& options) {
    Finding out;
    out.theorem = "sawtooth inside (-a, 0) (B05 8)";
    out.counterexample = hysteretic_sawtooth(law, options.load_max, options.vmax.value_or(infinity));
    if (out.counterexample && out.counterexample->energy < 0) {
        out.verdict = Verdict::refuted;
        out.speed = 0;
        out.text =
            "Not passive at any speed: while v rises inside (-a, 0) the shifted velocity v + a bends z forward, and F "
            "v < 0.";
    } else {
        out.text = "No sawtooth was found that draws energy, and no proof is known for a shifted steady state.";
    }
    return out;
}

Finding maxwell_slip(const AnyLaw& law, const CertifyOptions& options) {
    const LoadRange load = load_range(law, options);
    const double vmax = options.vmax.value_or(infinity);
    Finding out;
    if (load.varies()) {
        out.verdict = Verdict::refuted;
        out.theorem = "load cycle";
        out.text = load.force_varies()
                       ? "Not passive: bend the springs at the low load, raise it at rest, let them back."
                       : "Not passive: elements that slip climb to the higher level when the load rises, "
                         "without motion, and push back.";
        out.speed = 0;
        out.counterexample = load_cycle(law, options.load_min, options.load_max, vmax);
        return out;
    }
    out.verdict = level_verdict(law, options);
    if (out.verdict == Verdict::proved) {
        out.theorem = "storage sum F_i^2/(2 k_i)";
        out.text =
            "The level is the same at all speeds: sticking elements store, slipping ones dissipate. Any "
            "level that is higher at rest breaks it.";
        out.speed = infinity;
    } else {
        out.counterexample = maxwell_slip_cycle(law, options.load_min, vmax);
        const bool drawn = out.counterexample && out.counterexample->energy < 0;
        out.theorem = "climbing cycle (s2 > s1)";
        if (out.verdict == Verdict::refuted) {
            out.text =
                "Not passive at any speed: slipping elements climb from a lower level to the one at rest without "
                "motion, and "
                "push back.";
            out.speed = 0;
        } else if (drawn) {
            out.verdict = Verdict::refuted;
            out.text = "Not passive: slipping elements climb towards a higher level faster than the motion bends them.";
        } else {
            out.theorem = "";
            out.text =
                "The level is lowest at rest. No cycle was found that draws energy, and no proof is known for such a "
                "level.";
        }
    }
    if (out.verdict == Verdict::refuted)
        out.nearest =
            nearest_change(law, out.verdict, 1e-9, [&](const AnyLaw& l) { return level_verdict(l, options); });
    return out;
}

}  // namespace

Verdict level_verdict(const AnyLaw& law, const CertifyOptions& options) {
    const double vmax = options.vmax.value_or(infinity);
    bool constant = true;
    for (const Side& side : sides_of(law, options)) {
        const double rest = level_range(side.curve, 0).lo * side.load_min;
        const double low = lowest_level(side, 0, vmax), high = highest_level(side, vmax);
        if (low < rest * (1 - 1e-12)) return Verdict::refuted;
        constant &= high <= low * (1 + 1e-12);
    }
    return constant ? Verdict::proved : Verdict::undecided;
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

Finding passivity(const AnyLaw& law, const CertifyOptions& options) {
    Finding out = by_kind(law, options);
    if (out.verdict != Verdict::undecided) return out;
    const SearchOptions wide{.budget = 4000,
                             .load_min = options.load_min,
                             .load_max = options.load_max,
                             .vmax = options.vmax.value_or(any_speed)};
    const Searched found = search_inputs(law, wide);
    if (found.draws) {
        out.verdict = Verdict::refuted;
        out.theorem = "search over inputs";
        out.text = "Not passive: among " + std::to_string(found.tried) + " inputs that were tried one draws energy.";
        out.counterexample = found.best;
    } else {
        out.text += " None of " + std::to_string(found.tried) + " inputs that were tried draws energy.";
    }
    return out;
}

}  // namespace bristle::analyse
