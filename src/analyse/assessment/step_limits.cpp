// Step limits and design values, from the linear equations of a mass at rest.
#include <bristle/analyse/step_limits.hpp>

#include <bristle/coupling_limits.hpp>

#include "analyse/passivity/closed_form.hpp"
#include "analyse/passivity/laws.hpp"

#include <cmath>
#include <limits>

namespace bristle::inline analysis {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

template <class Law>
double explicit_limit(const Law& law, double load) {
    if constexpr (StaticLaw<Law>)
        // discontinuous: v changes its sign in every step; smooth: the slope is implicit
        return SticksExactly<Law> ? 0 : never;
    else
        return stick_damping(law, load) / stick_stiffness(law, load);
}

// The two conditions of the plain scheme, in a form without cancellation.
double plain_limit(double mass, double damping, double stiffness) {
    const double discriminant = damping * damping - 4 * mass * stiffness;
    return discriminant < 0 ? damping / stiffness : 4 * mass / (damping + std::sqrt(discriminant));
}

struct Levels {
    double lowest = never;  // over all speeds and both directions [N]
    double fall = 1;        // highest over lowest level, the larger of both directions; 1 if the level never falls
};
template <class Curve>
Levels levels_of(const Curve& curve) {
    const auto [from, to] = curve.zone();
    Levels out;
    for (const double side : {1.0, -1.0}) {
        const double start = curve.static_level(side);
        double highest = start, lowest = start;
        bool falls = false;
        const auto visit = [&](double v) {
            const double g = level(curve, side * v);
            falls = falls || g < highest * (1 - 1e-9);
            highest = std::max(highest, g);
            lowest = std::min(lowest, g);
        };
        if (const double low = std::max(0.01 * from, 1e-12 * to), high = 10 * to; to > from)
            for (int i = 0; i <= 4000; ++i) visit(low * std::pow(high / low, i / 4000.0));
        visit(1e6 * std::max(to, 1e-12));
        out.lowest = std::min(out.lowest, lowest);
        if (falls) out.fall = std::max(out.fall, highest / lowest);
    }
    return out;
}

// The sides of a law with the equations of LuGre, under a constant load; empty for other laws.
std::vector<passivity::Side> sides_at(const AnyLaw& law, double load) {
    CertifyOptions options;
    options.load_min = options.load_max = load;
    return passivity::sides_of(law, options);
}

}  // namespace

StepLimits step_limits(const AnyLaw& law, const Plant& plant) {
    StepLimits out;
    std::visit(
        [&](const auto& l) {
            using Law = std::remove_cvref_t<decltype(l)>;
            out.explicit_limit = explicit_limit(l, plant.load);
            out.damping = SticksExactly<Law> && StaticLaw<Law> ? never : stick_damping(l, plant.load);
            if (!(plant.mass > 0)) return;
            out.plain_limit =
                std::isinf(out.damping) ? 0 : plain_limit(plant.mass, out.damping, stick_stiffness(l, plant.load));
            if constexpr (BristleLaw<Law> || StaticLaw<Law>)
                out.unique_limit = largest_unique_step(Mass{plant.mass}, l, plant.spring, plant.load);
            if (const double stiffness = stick_stiffness(l, plant.load); stiffness > 0) {
                out.resonance = std::sqrt(stiffness / plant.mass);
                out.resolving_step = 2 / *out.resonance;
            }
        },
        law);
    return out;
}

std::optional<Design> design(const AnyLaw& law, const Plant& plant) {
    std::optional<Design> out;
    if (!(plant.mass > 0)) return out;
    std::visit(
        [&](const auto& l) {
            using Law = std::remove_cvref_t<decltype(l)>;
            if constexpr (BristleLaw<Law> && requires { l.sigma1; }) {
                const auto& curve = curve_under(l, plant.load);
                if (!std::remove_cvref_t<decltype(curve)>::sticks) return;
                const double stiffness = stick_stiffness(l, plant.load), sigma1 = bristle_damping(l, plant.load);
                const double sigma2 = stick_damping(l, plant.load) - sigma1,
                             scale = 2 * std::sqrt(stiffness * plant.mass);
                const auto n = loads(l, plant.load);
                const Levels levels = levels_of(curve);
                const double low = n.on_force * n.on_curve * levels.lowest;
                // the theorems are about the equations of LuGre; for others zeta_max and vc_critical are not known
                const std::vector<passivity::Side> sides = sides_at(law, plant.load);
                const bool is_lugre = !sides.empty() && !sides.front().plastic && !plant.load_varies;
                const bool constant = is_lugre && std::isinf(sides.front().vc);
                Design d;
                d.zeta = (sigma1 + sigma2) / scale;
                if (constant && levels.fall > 1)  // A08 (8)
                    d.zeta_max = sigma2 / scale * (1 / (levels.fall - 1) + 1);
                if (const double critical = microdamping(stiffness, plant.mass, 1.0, sigma2); critical > 0) {
                    d.sigma1_critical = critical;
                    if (is_lugre) d.vc_critical = passivity::fading_bound(low, critical);
                }
                out = d;
            }
        },
        law);
    return out;
}

}  // namespace bristle::analysis
