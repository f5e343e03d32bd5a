// Routh's conditions of a sliding servo, and the speed at which its motion has run away.
#include "simulate/divergence.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "simulate/nominal.hpp"
#include "simulate/simulate_law.hpp"
#include "simulate/sliding_loop.hpp"

namespace bristle::inline simulation {

namespace {

double load_at_start(const Setup& setup) { return setup.load.piece(0).value(0.0); }

// Coefficients of s^3, s^2, s and 1 of the sliding loop, in the rig's own units.
std::array<double, 4> coefficients(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double viscous = std::visit(
        [&](const auto& law) {
            return loads(law, load_at_start(setup)).on_force * 0.5 *
                   (viscous_on(law, 1.0, 1.0) - viscous_on(law, -1.0, -1.0));
        },
        setup.law);
    return {rig.inertia, rig.ratio * rig.ratio * viscous - rig.kv, -rig.kq, -rig.kI};
}

}  // namespace

std::optional<SlidingLoop> sliding_loop(const Setup& setup) {
    if (!setup.rig.equations().has_integral) return {};
    const auto [a3, a2, a1, a0] = coefficients(setup);
    return SlidingLoop{a2 > 0 && a1 > 0 && a0 >= 0 && a2 * a1 > a3 * a0, a2 > 0 && a1 > 0 ? a2 * a1 / a3 : 0};
}

double runaway_speed(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double stiffness = std::abs(rig.kq);
    const auto loop = sliding_loop(setup);
    if (!loop || stiffness == 0 || loop->stable) return std::numeric_limits<double>::infinity();
    const double force =
        std::visit([&](const auto& law) { return nominal(law, setup, load_at_start(setup)).force; }, setup.law);
    const RigInfo& info = setup.rig.info();
    const double distance =
        std::max({std::abs(rig.target), std::abs(start_of(setup, info.position.name)), force / stiffness});
    return 100 * (distance * std::sqrt(stiffness / rig.inertia) + std::abs(start_of(setup, info.velocity.name)));
}

std::string divergence_sentence(const Setup& setup) {
    const auto loop = sliding_loop(setup);
    std::string out = "the motion grows without bound: the control loop is unstable while the contact slides";
    if (loop && loop->largest_gain > 0)
        out += "; it is stable for rig.Ki below " + quantity(loop->largest_gain, "", 4) +
               " (Routh, SI units): reduce rig.Ki or raise rig.Kv";
    return out;
}

}  // namespace bristle::simulation
