#include <bristle/analyse/sampled.hpp>

#include <bristle/coupling_limits.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::analyse {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

template <class Law>
double explicit_limit(const Law& law, double load) {
    if constexpr (StaticLaw<Law>)
        return SticksExactly<Law>
                   ? 0
                   : never;  // dry: it jumps to and fro at every dt; smooth: the slope is taken at the end of the step
    else
        return stick_damping(law, load) / stick_stiffness(law, load);
}

// The lowest level over all speeds, in the direction where it is lowest.
template <class Curve>
double lowest_level(const Curve& curve) {
    const double high = 1e6 * std::max(curve.zone().high, 1e-12);
    double low = std::min(level(curve, high), level(curve, -high));
    const auto depth = [&](double w) { return -std::min(level(curve, w), level(curve, -w)); };
    if (curve.zone().high > curve.zone().low) low = std::min(low, -bristle::detail::maximum_over(curve.zone(), depth));
    return low;
}

}  // namespace

StepLimits step_limits(const simulate::AnyLaw& law, const Plant& plant) {
    StepLimits out;
    std::visit(
        [&](const auto& l) {
            using Law = std::remove_cvref_t<decltype(l)>;
            out.explicit_limit = explicit_limit(l, plant.load);
            if (!(plant.mass > 0)) return;
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

std::optional<Design> design(const simulate::AnyLaw& law, const Plant& plant) {
    std::optional<Design> out;
    if (!(plant.mass > 0)) return out;
    std::visit(
        [&](const auto& l) {
            using Law = std::remove_cvref_t<decltype(l)>;
            if constexpr (BristleLaw<Law> && requires { l.sigma1; }) {
                const double stiffness = stick_stiffness(l, plant.load), sigma1 = bristle_damping(l, plant.load);
                const double sigma2 = stick_damping(l, plant.load) - sigma1,
                             scale = 2 * std::sqrt(stiffness * plant.mass);
                const auto n = loads(l, plant.load);
                const double peak = n.on_force * n.on_curve * l.curve.peak(),
                             low = n.on_force * n.on_curve * lowest_level(l.curve);
                Design d;
                d.zeta = (sigma1 + sigma2) / scale;
                if (peak > low) d.zeta_max = sigma2 / scale * (low / (peak - low) + 1);
                d.sigma1_critical = microdamping(stiffness, plant.mass, 1.0, sigma2);
                d.vc_critical = 4 * std::sqrt(2 * std::numbers::e) * low / d.sigma1_critical;
                d.sigma2_passive = sigma1 * (peak - low) / low;
                out = d;
            }
        },
        law);
    return out;
}

}  // namespace bristle::analyse
