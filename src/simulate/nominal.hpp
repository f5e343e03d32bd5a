// Nominal sizes of the states of a rig, which scale the absolute tolerances. That of z is Fs/sigma0.
#pragma once
#include <bristle/coupling_limits.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline simulation {

struct Nominal {
    double contact_state;                         // z [m], or an element's force [N]
    double position, velocity, integral, energy;  // in the rig's own units
    double slip, force;                           // of the contact [m/s], [N]
};

// Returns the nominal sizes under a load [N].
template <class Law>
Nominal nominal(const Law& law, const Setup& setup, double load) {
    const RigEquations rig = setup.rig.equations();
    const double ratio = std::abs(rig.ratio), mass = rig.contact_mass();
    const auto n = loads(law, load);
    const auto& curve = curve_under(law, load);
    const double peak = curve.peak() * n.on_curve;
    const double slope = law.viscous(1.0);  // a law without a level (viscous only): its force at 1 m/s
    const double force = n.on_force * (peak > 0 ? peak : slope > 0 ? slope : 1);
    double stiffness = 0, contact_state = 1;
    if constexpr (requires { law.sigma0; }) {
        stiffness = n.on_force * law.sigma0;
        contact_state = peak / law.sigma0;
    } else if constexpr (HasElements<Law>) {
        for (int i = 0; i < law.count(); ++i) stiffness += n.on_force * law.k[i];
        contact_state = peak / law.count();
    }
    // With a bristle: its deflection. Without one: 1/1000 of the distance and speed that the force gives the mass in a
    // second, or those at which spring, controller or weight of the rig balance the force, if smaller.
    const double time = std::min(setup.run.duration, 1.0),
                 rig_stiffness = (std::abs(rig.kq) + std::abs(rig.ks)) / (ratio * ratio);
    const double distance = 1e-3 * force / mass * time * time, speed = 1e-3 * force / mass * time;
    const double x = stiffness > 0       ? force / stiffness
                     : rig_stiffness > 0 ? std::min(distance, force / rig_stiffness)
                                         : distance;
    double v = stiffness > 0       ? force / std::sqrt(stiffness * mass)
               : rig_stiffness > 0 ? std::min(speed, force / std::sqrt(rig_stiffness * mass))
                                   : speed;
    // a level that depends on the speed sets the scale
    if (const double vs = stribeck_velocity(setup.law); vs > 0) v = vs;
    if (const double low = curve.zone().low; !std::remove_cvref_t<decltype(curve)>::sticks && low > 0)
        v = 10 * low;  // the knee of a smooth curve
    return {contact_state, x / ratio, v / ratio, x / ratio * time, force * x, v, force};
}

}  // namespace bristle::simulation
