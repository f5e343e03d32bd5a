// Scales from the parameter table of a law.
#include "analyse/scales.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle::inline analysis {

namespace {

template <class Law>
Scales scales(const Law& law, double load) {
    const auto n = loads(law, load);
    const auto& curve = curve_under(law, load);
    const double level = curve.peak() * n.on_curve;
    Scales out{1e-6, level * n.on_force, 0, 0};
    std::vector<double> speeds{curve.zone().low, curve.zone().high};
    if constexpr (requires { law.sigma0; }) out.deflection = level / law.sigma0;
    if constexpr (HasElements<Law>) {
        out.deflection = 0;
        for (int i = 0; i < law.count(); ++i) out.deflection = std::max(out.deflection, law.nu[i] * level / law.k[i]);
        speeds.push_back(out.deflection * law.C / level);  // slipping elements change their force as fast as the motion
    }
    // speeds at which damping gives as much force as the level, and those of the equations
    Law::parameters(law, [&](const Parameter& p, const double& x) {
        const Dimension dimension = p.dimension();
        if (dimension == Dimension::damping && x > 0) speeds.push_back(level / x);
        if (dimension == Dimension::speed && p.index < 0) speeds.push_back(x);
        if (dimension == Dimension::rate) speeds.push_back(x * out.deflection);
    });
    std::erase_if(speeds, [](double v) { return !(v > 0 && std::isfinite(v)); });
    if (speeds.empty()) speeds.push_back(1e3 * out.deflection);  // no speed in its equations: deflected within 1 ms
    out.slowest = *std::min_element(speeds.begin(), speeds.end());
    out.fastest = *std::max_element(speeds.begin(), speeds.end());
    return out;
}

}  // namespace

Scales scales_of(const AnyLaw& law, double load) {
    return std::visit([&](const auto& l) { return scales(l, load); }, law);
}

}  // namespace bristle::analysis
