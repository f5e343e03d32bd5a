// The nominal sizes of a rig's states: what an absolute tolerance is a factor on. A bristle's is Fs/sigma0.
#pragma once
#include <bristle/coupling_limits.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline simulation {

struct Nominal {
    double contact_state;                         // z [m], or an element's force [N]
    double position, velocity, integral, energy;  // in the rig's own units
    double slip, force;                           // of the contact [m/s], [N]
};

template <class Law>
Nominal nominal(const Law& law, const Setup& setup, double load) {
    const RigEquations rig = setup.rig.equations();
    const double ratio = std::abs(rig.ratio), mass = rig.inertia / (ratio * ratio);
    const auto n = loads(law, load);
    const double peak = bristle::detail::curve_of(law).peak() * n.on_curve;
    double slope = 0;  // a law without a level (viscous alone) still needs a force: at 1 m/s
    if constexpr (requires { law.sigma2; }) slope = law.sigma2;
    const double force = n.on_force * (peak > 0 ? peak : slope > 0 ? slope : 1);
    double stiffness = 0, contact_state = 1;
    if constexpr (requires { law.sigma0; }) {
        stiffness = n.on_force * law.sigma0;
        contact_state = peak / law.sigma0;
    } else if constexpr (requires { law.nu; }) {
        for (int i = 0; i < law.count(); ++i) stiffness += n.on_force * law.k[i];
        contact_state = peak / law.count();
    }
    // with a bristle: its deflection; without one: a thousandth of the way and speed that the force gives the mass in a second,
    // or what the rig's own spring, controller or weight makes of it where that is less
    const double time = std::min(setup.run.duration, 1.0),
                 rest = (std::abs(rig.kq) + std::abs(rig.ks)) / (ratio * ratio);
    const double way = 1e-3 * force / mass * time * time, speed = 1e-3 * force / mass * time;
    const double x = stiffness > 0 ? force / stiffness : rest > 0 ? std::min(way, force / rest) : way;
    double v = stiffness > 0 ? force / std::sqrt(stiffness * mass)
               : rest > 0    ? std::min(speed, force / std::sqrt(rest * mass))
                             : speed;
    // a level that changes with the speed sets the scale
    const auto& curve = bristle::detail::curve_of(law);
    if (const double vs = stribeck_velocity(setup.law); vs > 0) v = vs;
    if (const double low = curve.zone().low; !std::remove_cvref_t<decltype(curve)>::sticks && low > 0)
        v = 10 * low;  // where a smooth curve has its knee
    return {contact_state, x / ratio, v / ratio, x / ratio * time, force * x, v, force};
}

}  // namespace bristle::inline simulation
