// The nominal sizes of a rig's states: what an absolute tolerance is a factor on. A bristle's is Fs/sigma0.
#pragma once
#include <bristle/coupling_limits.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::simulate {

struct Nominal {
    double contact_state;                         // z [m], or an element's force [N]
    double position, velocity, integral, energy;  // in the rig's own units
    double slip, force;                           // of the contact [m/s], [N]
};

template <class Law>
Nominal nominal(const Law& law, const Setup& setup, double load) {
    const auto& rig = setup.rig;
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
    // without a bristle: the way and speed that this force gives the mass in a thousandth of a second's square
    const double time = std::min(setup.run.duration, 1.0);
    const double x = stiffness > 0 ? force / stiffness : 1e-3 * force / mass * time * time;
    const double zone = bristle::detail::curve_of(law).zone().high, vs = stribeck_velocity(setup.law);
    const double v = vs > 0          ? vs
                     : zone > 0      ? zone
                     : stiffness > 0 ? force / std::sqrt(stiffness * mass)
                                     : 1e-3 * force / mass * time;
    return {contact_state, x / ratio, v / ratio, x / ratio * time, force * x, v, force};
}

}  // namespace bristle::simulate
