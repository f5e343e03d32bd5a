// Stick and slip as oscillators, and the half waves of a held mass.
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <cmath>
#include <limits>

#include "analyse/equilibrium/equilibrium_system.hpp"

namespace bristle::inline analysis::equilibrium {

namespace {

Oscillation oscillation(double mass, double stiffness, double damping) {
    const double omega = std::sqrt(stiffness / mass), ratio = damping / (2 * std::sqrt(stiffness * mass));
    return {stiffness, damping, omega, ratio, std::abs(ratio) < 1 ? omega * std::sqrt((1 - ratio) * (1 + ratio)) : 0};
}

// Ratio of the amplitudes after and before half a wave.
double half_wave_decay(const Oscillation& o) { return std::exp(-M_PI * o.ratio * o.omega / o.damped_omega); }

}  // namespace

}  // namespace bristle::analysis::equilibrium

namespace bristle::inline analysis {

using namespace equilibrium;

LinearModes linear_modes(const Setup& setup) {
    const EquilibriumSystem eq(setup);
    if (eq.has_integral() || eq.rig().ks != 0)
        throw Error(
            "stick and slip modes need a mass that slides, on a spring or free; this rig has an integral or gravity");
    const double c = eq.free_position() ? main_equilibrium(setup).velocity
                                        : -eq.rig().drift * eq.rig().ratio / eq.rig().sense + eq.belt();
    const double m = eq.mass(), K = eq.spring();
    // slip: A08 (20); stick: A08 (22)
    LinearModes out{c, oscillation(m, K, eq.steady(c, c < 0 ? -1 : 1).slope), {}, 0, 0};
    if (eq.is_static()) return out;
    const HeldContact rest = eq.rest(0, c < 0 ? -1 : 1);
    if (rest.rigid) return out;
    out.stick = oscillation(m, rest.stiffness + K, rest.damping);
    out.frequency_ratio = out.stick->omega / out.slip.omega;
    out.stiffness_ratio = out.stick->stiffness / out.slip.stiffness;
    return out;
}

HalfWaves half_waves(const Setup& setup, double fraction) {
    const EquilibriumSystem eq(setup);
    if (!(std::abs(fraction) < 1))
        throw Error("half waves need a force that the contact holds; choose a fraction of Fs between -1 and 1");
    if (eq.is_static() || !eq.sticks())
        throw Error(
            "half waves need a law with states that sticks, such as lugre; a static or smooth law does not oscillate "
            "at "
            "rest");
    const double force = fraction * eq.holds(1), m = eq.mass();
    const HeldContact up = eq.rest(force, 1), down = eq.rest(force, -1);
    if (up.rigid)
        throw Error("half waves need a law that oscillates at rest, such as lugre; this one holds a mass exactly");
    if (!(-force < eq.holds(-1)))
        throw Error(
            "half waves need a force that the contact holds towards the negative side; reduce the fraction of Fs");
    HalfWaves out{fraction, oscillation(m, up.stiffness, up.damping), oscillation(m, down.stiffness, down.damping),
                  std::numeric_limits<double>::quiet_NaN()};
    if (out.positive.damped_omega > 0 && out.negative.damped_omega > 0) {
        // A half wave that changes z by dz moves the mass by dz sigma0/stiffness.
        const double d1 = half_wave_decay(out.positive), d2 = half_wave_decay(out.negative);
        const double whole = eq.rest(0, 1).stiffness;
        out.shift = (1 + d1) * whole / up.stiffness - d1 * (1 + d2) * whole / down.stiffness;
    }
    return out;
}

}  // namespace bristle::analysis
