// Honest step sizes: what a fixed step dt does to a mass that hangs on a contact, for the three ways of stepping.
//
//   exact     the contact alone, with the velocity held over the step (Contact::step): its energy is exact, so it is as passive as the law
//   coupled   mass and contact together (advance): m (v+^2 - v^2)/2 + H+ - H + D = work, with D >= 0 wherever the law is passive
//             (science: exponential midpoint); stable for every dt. Beyond unique_limit its equation can have several roots.
//   explicit  what many simulators do: the force from the start of the step, the bristle moved with the old velocity. Two schemes; at
//             rest, with d = sigma1 + sigma2 (a smooth static law: its slope at rest, sigma0 = 0), both are linear maps:
//             damped (run.method = "explicit"): d is taken implicitly,
//               v+ = (m v - dt sigma0 z)/(m + dt d),  z+ = z + dt v,   determinant (m + dt^2 sigma0)/(m + dt d),
//             which is stable iff dt < d/sigma0, whatever the mass. The price: v changes as if the mass were m + dt d, at all speeds
//             plain: everything from the start of the step,
//               v+ = v - dt (sigma0 z + d v)/m,  z+ = z + dt v,   trace 2 - dt d/m, determinant 1 - dt d/m + dt^2 sigma0/m.
//             Jury: determinant < 1 asks dt < d/sigma0, and 1 + trace + determinant > 0 asks 4 m - 2 d dt + sigma0 dt^2 > 0. So it is
//             stable iff dt < d/sigma0 where d^2 < 4 m sigma0, and iff dt < 4 m/(d + sqrt(d^2 - 4 m sigma0)) otherwise
// And design help for a mass that is known: the damping ratio in stick, what A08 (8) asks of it, and the microdamping that would be passive.
#pragma once
#include <bristle/simulate/law.hpp>

#include <optional>

namespace bristle::inline analysis {

// What hangs on the contact.
struct Plant {
    double mass = 0;    // kg, at the contact; 0: not known
    double spring = 0;  // N/m, in the drive
    double load = 1;    // N; 1 where the law's numbers are forces
    bool load_varies = false;
};

struct StepLimits {
    // The largest dt [s] at which explicit coupling stays at rest, its damping taken implicitly; infinity: every dt does, 0: none.
    double explicit_limit = 0;
    // The same with everything from the start of the step; nothing where the mass is not known.
    std::optional<double> plain_limit;
    // dF/dv at rest [N s/m]: sigma1 + sigma2, or the slope of a smooth static law; infinity for a dry one.
    double damping = 0;
    // The largest dt [s] at which the coupled step has one root for every force; nothing where the mass is not known or the law's
    // bristles are many.
    std::optional<double> unique_limit;
    // The ring of a stuck mass [rad/s], and the largest dt [s] that still follows it: 2/omega. Nothing where the mass is not known or the
    // law has no bristle.
    std::optional<double> resonance, resolving_step;
};
StepLimits step_limits(const AnyLaw& law, const Plant& plant);

// For laws with one bristle that sticks, and a mass that is known. A smooth curve lets go at rest: there is no stick to damp, and the levels
// that A08 (8) and property 4 ask for do not exist. What passivity asks for is A08's, of LuGre under a constant load: other laws and loads
// that vary get the damping ratio alone. (The sigma2 that makes a law passive is in the verdict on passivity.)
struct Design {
    double zeta = 0;  // (sigma1 + sigma2)/(2 sqrt(sigma0 m)): damping ratio in stick
    // Up to it LuGre is passive (A08 8); nothing for a level that does not fall, and for damping that fades.
    std::optional<double> zeta_max;
    // For zeta = 1 [N s/m]; nothing where sigma2 alone damps more than that.
    std::optional<double> sigma1_critical;
    // With this and smaller vc [m/s] LuGre with the damping sigma1_critical exp(-(v/vc)^2) is passive (A08 property 4).
    std::optional<double> vc_critical;
};
std::optional<Design> design(const AnyLaw& law, const Plant& plant);

}  // namespace bristle::inline analysis
