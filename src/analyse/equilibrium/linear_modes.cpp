#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <cmath>
#include <limits>

#include "analyse/equilibrium/equilibrium_system.hpp"

namespace bristle::inline analysis {

namespace {

Oscillation oscillation(double mass, double stiffness, double damping) {
    const double omega = std::sqrt(stiffness / mass), ratio = damping / (2 * std::sqrt(stiffness * mass));
    return {stiffness, damping, omega, ratio, std::abs(ratio) < 1 ? omega * std::sqrt((1 - ratio) * (1 + ratio)) : 0};
}

// What is left of an amplitude after half a wave.
double left_after_half(const Oscillation& o) { return std::exp(-M_PI * o.ratio * o.omega / o.ringing); }

}  // namespace

LinearModes linear_modes(const Setup& setup) {
    const EquilibriumSystem eq(setup);
    if (eq.has_integral() || eq.rig().ks != 0)
        throw Error(
            "stick and slip modes are those of a mass that slides: take pulled_spring, conveyor or forced_mass");
    const double c = eq.free_position() ? main_equilibrium(setup).velocity
                                        : -eq.rig().drift * eq.rig().ratio / eq.rig().sense + eq.belt();
    const double m = eq.mass(), K = eq.spring();
    LinearModes out{c, oscillation(m, K, eq.steady(c, c < 0 ? -1 : 1).slope), {}, 0, 0};
    if (eq.is_static()) return out;
    const Rest rest = eq.rest(0, c < 0 ? -1 : 1);
    if (rest.rigid) return out;
    out.stick = oscillation(m, rest.stiffness + K, rest.damping);
    out.frequency_ratio = out.stick->omega / out.slip.omega;
    out.stiffness_ratio = out.stick->stiffness / out.slip.stiffness;
    return out;
}

HalfWaves half_waves(const Setup& setup, double share) {
    const EquilibriumSystem eq(setup);
    if (!(std::abs(share) < 1))
        throw Error("half waves need a force that the contact holds: a share of Fs between -1 and 1");
    if (eq.is_static() || !eq.sticks())
        throw Error(
            "half waves need a law with bristles that sticks, such as lugre: a static or smooth one does not ring at "
            "rest");
    const double force = share * eq.holds(1), m = eq.mass();
    const Rest up = eq.rest(force, 1), down = eq.rest(force, -1);
    if (up.rigid) throw Error("the hysteretic law holds a mass at rest exactly, so it does not ring: take lugre");
    if (!(-force < eq.holds(-1)))
        throw Error("the contact does not hold that force towards the negative side: take a smaller share of Fs");
    HalfWaves out{share, oscillation(m, up.stiffness, up.damping), oscillation(m, down.stiffness, down.damping),
                  std::numeric_limits<double>::quiet_NaN()};
    if (out.positive.ringing > 0 && out.negative.ringing > 0) {
        // a half wave that changes z by dz moves the mass by dz over what z follows of the motion: stiffness/sigma0
        const double d1 = left_after_half(out.positive), d2 = left_after_half(out.negative);
        const double whole = eq.rest(0, 1).stiffness;
        out.shift = (1 + d1) * whole / up.stiffness - d1 * (1 + d2) * whole / down.stiffness;
    }
    return out;
}

}  // namespace bristle::inline analysis
