// Honest step sizes: what a fixed step dt does to a mass that hangs on a contact, for the three ways of stepping.
//
//   exact     the contact alone, with the velocity held over the step (Contact::step): its energy is exact, so it is as passive as the law
//   coupled   mass and contact together (advance): m (v+^2 - v^2)/2 + H+ - H + D = work, with D >= 0 wherever the law is passive
//             (science: exponential midpoint); stable for every dt. Beyond unique_limit its equation can have several roots.
//   explicit  what many simulators do: the force from the start of the step (damping at best implicit), the bristle moved with the old
//             velocity. At rest, with d = sigma1 + sigma2, the step is the linear map
//               v+ = (m v - dt sigma0 z)/(m + dt d),  z+ = z + dt v,   determinant (m + dt^2 sigma0)/(m + dt d),
//             which is stable iff dt < d/sigma0, whatever the mass.
// And design help for a mass that is known: the damping ratio in stick, what A08 (8) asks of it, and the microdamping that would be passive.
#pragma once
#include <bristle/simulate/law.hpp>

#include <optional>

namespace bristle::analyse {

// What hangs on the contact.
struct Plant {
    double mass = 0;    // kg, at the contact; 0: not known
    double spring = 0;  // N/m, in the drive
    double load = 1;    // N; 1 where the law's numbers are forces
};

struct StepLimits {
    // The largest dt [s] at which explicit coupling stays at rest; infinity: every dt does, 0: none.
    double explicit_limit = 0;
    // The largest dt [s] at which the coupled step has one root for every force; nothing where the mass is not known or the law's
    // bristles are many.
    std::optional<double> unique_limit;
    // The ring of a stuck mass [rad/s], and the largest dt [s] that still follows it: 2/omega. Nothing where the mass is not known or the
    // law has no bristle.
    std::optional<double> resonance, resolving_step;
};
StepLimits step_limits(const simulate::AnyLaw& law, const Plant& plant);

// For laws with one bristle and a mass that is known.
struct Design {
    double zeta = 0;                 // (sigma1 + sigma2)/(2 sqrt(sigma0 m)): damping ratio in stick
    std::optional<double> zeta_max;  // below it the law is passive (A08 8); nothing for a level that does not fall
    double sigma1_critical = 0;      // for zeta = 1 [N s/m]
    double vc_critical = 0;          // with which sigma1_critical exp(-(v/vc)^2) is passive (A08 property 4) [m/s]
    double sigma2_passive = 0;       // that would make the law passive at all speeds as it stands (A08 7) [N s/m]
};
std::optional<Design> design(const simulate::AnyLaw& law, const Plant& plant);

}  // namespace bristle::analyse
