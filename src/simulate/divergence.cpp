// Routh's conditions of a sliding servo, and the growth of its speed.
#include "simulate/divergence.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::inline simulation {

namespace {

// Coefficients of s^3, s^2, s and 1 of the sliding loop, in the rig's own units.
std::array<double, 4> sliding_loop(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double viscous = std::visit([](const auto& law) { return double(law.viscous(1.0)); }, setup.law);
    return {rig.inertia, rig.ratio * rig.ratio * viscous - rig.kv, -rig.kq, -rig.kI};
}

bool speed_grows(const std::vector<double>& v) {
    std::array<double, 4> fastest{};
    for (std::size_t i = 0; i < v.size(); ++i) {
        double& quarter = fastest[std::min<std::size_t>(3, 4 * i / v.size())];
        quarter = std::max(quarter, std::abs(v[i]));
    }
    const auto grows = [&](int q) { return fastest[std::size_t(q)] >= 1.5 * fastest[std::size_t(q - 1)]; };
    return fastest[0] > 0 && grows(1) && grows(2) && grows(3);
}

}  // namespace

std::string divergence(const Setup& setup, const Result& result) {
    if (!setup.rig.equations().has_integral) return "";
    const auto [a3, a2, a1, a0] = sliding_loop(setup);
    const bool is_stable = a2 > 0 && a1 > 0 && a0 >= 0 && a2 * a1 > a3 * a0;
    const Signal* speed = result.signal(setup.rig.info().velocity.name);
    if (is_stable || speed == nullptr || !speed_grows(speed->values)) return "";
    std::string out = "the motion grows without bound: the control loop is unstable while the contact slides";
    if (a2 > 0 && a1 > 0 && a0 > 0)
        out += "; stable below rig.Ki = " + quantity(a2 * a1 / a3, "", 4) +
               " = Kp (Kv + sigma2)/mass (Routh). Reduce rig.Ki or raise rig.Kv";
    return out;
}

}  // namespace bristle::simulation
