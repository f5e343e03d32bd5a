// Passivity of static laws: sign of F v, by the rules of the curve or by interval arithmetic.
#include "analyse/passivity/static_law.hpp"

#include "analyse/passivity/laws.hpp"
#include "analyse/passivity/level_range.hpp"
#include "base/work_budget.hpp"

namespace bristle::inline analysis::passivity {

namespace {

// Whether the rules of the curve ensure a level >= 0.
bool is_nonnegative(const AnyLevel&) { return true; }
bool is_nonnegative(const AnyCurve&) { return true; }
bool is_nonnegative(const AnyGear&) { return true; }
bool is_nonnegative(const SmoothStribeck&) { return true; }
bool is_nonnegative(const MakkarCurve& c) { return c.g2 >= c.g3; }
template <class Curve>
bool is_nonnegative(const Curve&) {
    return false;
}

constexpr int max_intervals = 100000;

struct Power {
    Verdict verdict = Verdict::undecided;
    double v = 0;  // F v < 0 here [m/s]
};

// Whether N g(v) + sigma2 v >= 0 for 0 <= v <= vmax; as v -> 0 by g/v.
Power nonnegative(const MakkarCurve& curve, double load, double sigma2, double vmax) {
    const auto safe = [&](Interval v) {
        const Interval N(load), viscous(sigma2);
        return (N * chord_range(curve, v) + viscous).lo >= 0 ||
               (N * level_range(curve, v) + viscous * Interval(v.lo)).lo >= 0;
    };
    std::vector<Interval> boxes{{0, vmax}};
    for (int i = 0; i < max_intervals && !boxes.empty() && spend(); ++i) {
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
    out.theorem = Theorem::power_intervals;
    if (found.verdict == Verdict::proved) {
        out.reasons = {reason::PowerNonnegative{}};
        out.speed = vmax;
    } else if (found.verdict == Verdict::refuted) {
        double low = 0, high = std::abs(found.v);
        for (int i = 0; i < 40 && high - low > 1e-6 * high; ++i) {
            const double middle = low + (high - low) / 2;
            (power(law, load, middle).verdict == Verdict::proved ? low : high) = middle;
        }
        out.speed = low;
        out.reasons = {reason::ForceDrivesMotion{found.v}};
        const double F = force(law, found.v, options.load_max);
        Counterexample example;
        example.velocity = {{0, found.v}};
        if (options.load_max != 1) example.load = {{0, options.load_max}};
        example.duration = 1;
        example.energy = example.energy_per_cycle = F * found.v;
        example.gross = std::abs(example.energy);
        example.tolerance = 1e-7 * example.gross;
        example.construction = Counterexample::Constant{found.v, F};
        out.counterexample = example;
    } else {
        out.reasons = {reason::PowerUndecided{max_intervals}};
    }
    return out;
}

}  // namespace

Finding static_finding(const AnyLaw& law, const CertifyOptions& options) {
    Finding out;
    const bool nonnegative =
        std::visit([](const auto& l) { return is_nonnegative(bristle::detail::curve_of(l)); }, law);
    if (nonnegative) {
        out.verdict = Verdict::proved;
        out.theorem = Theorem::power;
        out.reasons = {reason::ForceOpposesMotion{}};
        out.speed = infinity;
    } else if (const auto* makkar = std::get_if<Makkar>(&law)) {
        out = by_intervals(*makkar, options);
    } else {
        out.reasons = {reason::UnknownForm{}};
    }
    return out;
}

}  // namespace bristle::analysis::passivity
