// Routh's conditions of a sliding servo, and the growth of its speed.
#include "simulate/divergence.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "simulate/nominal.hpp"
#include "simulate/simulate_law.hpp"

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

bool sliding_loop_is_stable(const Setup& setup) {
    if (!setup.rig.equations().has_integral) return true;
    const auto [a3, a2, a1, a0] = sliding_loop(setup);
    return a2 > 0 && a1 > 0 && a0 >= 0 && a2 * a1 > a3 * a0;
}

double runaway_speed(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double stiffness = std::abs(rig.kq);
    if (sliding_loop_is_stable(setup) || stiffness == 0) return std::numeric_limits<double>::infinity();
    const double force = std::visit(
        [&](const auto& law) { return nominal(law, setup, setup.load.piece(0).value(0.0)).force; }, setup.law);
    const RigInfo& info = setup.rig.info();
    const double distance =
        std::max({std::abs(rig.target), std::abs(start_of(setup, info.position.name)), force / stiffness});
    return 1e4 * (distance * std::sqrt(stiffness / rig.inertia) + std::abs(start_of(setup, info.velocity.name)));
}

bool diverges(const Setup& setup, const Result& result) {
    const Signal* speed = result.signal(setup.rig.info().velocity.name);
    return !sliding_loop_is_stable(setup) && speed != nullptr && speed_grows(speed->values);
}

std::string divergence_sentence(const Setup& setup) {
    const auto [a3, a2, a1, a0] = sliding_loop(setup);
    std::string out = "the motion grows without bound: the control loop is unstable while the contact slides";
    if (a2 > 0 && a1 > 0 && a0 > 0)
        out += "; stable below rig.Ki = " + quantity(a2 * a1 / a3, "", 4) +
               " = Kp (Kv + sigma2)/mass (Routh). Reduce rig.Ki or raise rig.Kv";
    return out;
}

}  // namespace bristle::simulation
