// Formulas P3 and P4, and the other laws whose passivity needs no search.
#include "analyse/passivity/closed_form.hpp"

#include "analyse/passivity/criterion.hpp"

#include <numbers>

namespace bristle::inline analysis::passivity {
namespace {

using By = ClosedForm::By;

bool falls(const Resistance& resistance) {
    const auto* curve = std::get_if<Stribeck>(&resistance);
    return curve && curve->Fs >= curve->Fc;
}
bool falling_stribeck(const Side& side) { return falls(side.curve) && (!side.top || falls(*side.top)); }

bool never_falls(const Stribeck& c) { return c.Fs <= c.Fc; }
bool never_falls(const SmoothStribeck& c) { return c.Fs <= c.Fc; }
bool never_falls(const SmoothStribeckPrinted&) { return false; }
bool never_falls(const MakkarCurve& c) { return c.g1 == 0 || c.g2 == c.g3; }
bool never_falls(const Table& c) { return std::is_sorted(c.g, c.g + c.size); }
bool rising(const Side& side) {
    return side.load_min == side.load_max && !side.top &&
           std::visit([](const auto& c) { return never_falls(c); }, side.curve);
}

// A08 (7), K08 (21): sides that P3 decides, and sides whose level never falls. long double: parameters with few digits are compared
// exactly, equality included.
ClosedForm by_p3(const std::vector<Side>& sides) {
    ClosedForm out{Verdict::proved, By::rising, infinity, 0};
    for (const Side& side : sides) {
        if (!falling_stribeck(side)) continue;
        out.by = By::P3;
        const auto &curve = std::get<Stribeck>(side.curve), &top = side.top ? std::get<Stribeck>(*side.top) : curve;
        const long double low = static_cast<long double>(side.load_min) * curve.Fc,
                          rise = static_cast<long double>(side.load_max) * top.Fs - low;
        if (side.sigma2 * low < side.sigma1 * rise) out.verdict = Verdict::refuted;
        const double needed = double(side.sigma1 * rise / low), margin = side.sigma2 - needed;
        if (margin < out.margin) {
            out.margin = margin;
            out.bound = needed;
            out.direction = side.direction;
            out.sigma2 = side.sigma2;
        }
    }
    return out;
}

}  // namespace

double fading_bound(double floor, double sigma1) {
    return 4 * std::sqrt(2 * std::numbers::e) * floor / sigma1;  // A08 property 4
}

double fading_bound(const std::vector<Side>& sides) {
    double floor = infinity;
    for (const Side& side : sides) floor = std::min(floor, lowest_level(side, 0, infinity));
    return fading_bound(floor, sides.front().sigma1);
}

std::optional<ClosedForm> closed_form(const AnyLaw& law, const CertifyOptions& options) {
    const std::vector<Side> sides = sides_of(law, options);
    if (sides.empty() || std::holds_alternative<AnyMaxwellSlip>(law)) return {};
    const Side& first = sides.front();  // sigma1, vc and the loads are those of both directions
    if (first.gain > 1) {
        if (first.leaks()) return {};
        return ClosedForm{Verdict::refuted, By::load};
    }
    if (first.sigma1 == 0) return ClosedForm{Verdict::proved, By::undamped};
    if (first.vc < infinity) {
        const double bound = fading_bound(sides);
        if (first.vc < bound * (1 - 1e-12)) return ClosedForm{Verdict::proved, By::P4, bound - first.vc, bound};
        return {};
    }
    if (std::all_of(sides.begin(), sides.end(),
                    [](const Side& side) { return falling_stribeck(side) || rising(side); }))
        return by_p3(sides);
    return {};
}

}  // namespace bristle::analysis::passivity
