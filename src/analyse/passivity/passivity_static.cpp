#include "analyse/passivity/passivity_static.hpp"

#include "base/work_budget.hpp"
#include "analyse/passivity/level_range.hpp"
#include "analyse/passivity/passivity_laws.hpp"

#include "base/text.hpp"

namespace bristle::inline analysis {

namespace {

struct Power {
    Verdict verdict = Verdict::undecided;
    double v = 0;  // F v < 0 there
};

// Whether N g(v) + sigma2 v >= 0 for 0 <= v <= vmax: by g/v where that helps, towards v = 0.
Power nonnegative(const MakkarCurve& curve, double load, double sigma2, double vmax) {
    const auto safe = [&](Interval v) {
        const Interval N(load), viscous(sigma2);
        return (N * chord_range(curve, v) + viscous).lo >= 0 ||
               (N * level_range(curve, v) + viscous * Interval(v.lo)).lo >= 0;
    };
    std::vector<Interval> boxes{{0, vmax}};
    for (int i = 0; i < 100000 && !boxes.empty() && spend(); ++i) {
        const Interval v = boxes.back();
        boxes.pop_back();
        if (safe(v)) continue;
        const double middle = v.middle();
        if ((Interval(load) * level_range(curve, middle) + Interval(sigma2) * Interval(middle)).hi < 0)
            return {Verdict::refuted, middle};
        if (v.hi < 1e-300 || v.lo > 1e30 || v.hi - v.lo < 1e-12 * v.hi) return {};
        boxes.push_back({middle, v.hi});
        boxes.push_back({v.lo, middle});
    }
    return {boxes.empty() ? Verdict::proved : Verdict::undecided, 0};
}

// Both directions of the law.
Power power(const Makkar& law, double load, double vmax) {
    const Power forward = nonnegative(law.curve, load, law.sigma2, vmax);
    if (forward.verdict != Verdict::proved) return forward;
    const Power backward = nonnegative(law.curve, load, law.sigma2_negative, vmax);
    return {backward.verdict, -backward.v};
}

Finding by_intervals(const Makkar& law, const CertifyOptions& options) {
    const double load = load_range(law, options).curve_max, vmax = options.vmax.value_or(infinity);
    const Power found = power(law, load, vmax);
    Finding out;
    out.verdict = found.verdict;
    out.theorem = "F v >= 0, interval arithmetic";
    if (found.verdict == Verdict::proved) {
        out.text = "Passive: a static law that never drives the motion, F v >= 0 at every speed, although g2 < g3.";
        out.speed = vmax;
    } else if (found.verdict == Verdict::refuted) {
        double low = 0, high = std::abs(found.v);
        for (int i = 0; i < 40 && high - low > 1e-6 * high; ++i) {
            const double middle = low + (high - low) / 2;
            (power(law, load, middle).verdict == Verdict::proved ? low : high) = middle;
        }
        out.speed = low;
        const double F = force(law, found.v, options.load_max);
        out.text = " Friction drives the motion: F v < 0 at " + in_units(found.v, "m/s", 3) + ", because g2 < g3.";
        Counterexample example;
        example.velocity = {{0, found.v}};
        if (options.load_max != 1) example.load = {{0, options.load_max}};
        example.duration = 1;
        example.energy = example.energy_per_cycle = F * found.v;
        example.text =
            "Hold " + in_units(found.v, "m/s", 3) + ": the force is " + in_units(F, "N", 3) + " and pushes, for ever.";
        out.counterexample = example;
    } else {
        out.text = " The sign of F v could not be settled with 100000 intervals of speed.";
    }
    return out;
}

}  // namespace

Finding static_passivity(const AnyLaw& law, const CertifyOptions& options) {
    if (const auto* makkar = std::get_if<Makkar>(&law); makkar && makkar->curve.g2 < makkar->curve.g3)
        return by_intervals(*makkar, options);
    Finding out;
    out.verdict = Verdict::proved;
    out.theorem = "F v >= 0";
    out.text =
        "Passive: a static law whose force never has the sign opposite to v. It stores nothing and gives nothing back.";
    out.speed = infinity;
    return out;
}

}  // namespace bristle::inline analysis
