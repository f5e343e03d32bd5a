// Step limits: stability at rest of a mass on a contact, for four fixed-step schemes; and design values for a known mass.
//
//   exact     step of the contact alone, with the velocity held (Contact::step): its energy is exact, so it is as passive as the law
//   coupled   mass and contact together (advance): m (v+^2 - v^2)/2 + H+ - H + D = work, with D >= 0 if the law is passive
//             (exponential midpoint); stable at every dt. Above unique_limit its equation can have several roots.
//   explicit  force from the start of the step, bristle moved with the old velocity. At rest, with d = sigma1 + sigma2
//             (smooth static law: d is its slope at rest, sigma0 = 0), both explicit schemes are linear maps:
//     damped    (run.method = "explicit", explicit_limit): d is implicit,
//               v+ = (m v - dt sigma0 z)/(m + dt d),  z+ = z + dt v,   determinant (m + dt^2 sigma0)/(m + dt d).
//             Stable iff dt < d/sigma0, for every mass. v changes as if the mass were m + dt d, at all speeds.
//     plain     (plain_limit): everything from the start of the step,
//               v+ = v - dt (sigma0 z + d v)/m,  z+ = z + dt v,   trace 2 - dt d/m, determinant 1 - dt d/m + dt^2 sigma0/m.
//             Jury: determinant < 1 requires dt < d/sigma0; 1 + trace + determinant > 0 requires 4 m - 2 d dt + sigma0 dt^2 > 0.
//             Stable iff dt < d/sigma0 if d^2 < 4 m sigma0, and iff dt < 4 m/(d + sqrt(d^2 - 4 m sigma0)) otherwise.
#pragma once
#include <bristle/simulate/law.hpp>

#include <optional>

namespace bristle::inline analysis {

// Mass, spring and load at the contact.
struct Plant {
    double mass = 0;    // kg, at the contact; 0: not known
    double spring = 0;  // N/m, in the drive
    double load = 1;    // N; 1 if the parameters of the law are forces
    bool load_varies = false;
};

struct StepLimits {
    // Explicit coupling with implicit damping is stable at rest below this dt [s]; infinity: at every dt, 0: at none.
    double explicit_limit = 0;
    // The same with everything from the start of the step; std::nullopt if the mass is not known.
    std::optional<double> plain_limit;
    // dF/dv at rest [N s/m]: sigma1 + sigma2, or the slope of a smooth static law; infinity for a discontinuous one.
    double damping = 0;
    // Unique step limit [s]: largest dt at which the coupled step has exactly one root for every force; std::nullopt if the mass is not
    // known or the law is neither static nor a BristleLaw.
    std::optional<double> unique_limit;
    // Angular frequency of a mass in stick [rad/s], and the largest dt that resolves it [s]: 2/resonance. std::nullopt if the mass is not
    // known or the law has no bristle.
    std::optional<double> resonance, resolving_step;
};
StepLimits step_limits(const AnyLaw& law, const Plant& plant);

// Design values of bristle laws that stick at rest, for a known mass. On a smooth curve z relaxes at rest: there is no stick to damp, and
// A08 (8) and A08 property 4 do not apply. zeta_max and vc_critical hold for LuGre under a constant load; other laws and varying loads have
// the damping ratio only. The sigma2 that makes a law passive is in its certificate.
struct Design {
    double zeta = 0;  // damping ratio in stick (sigma1 + sigma2)/(2 sqrt(sigma0 m)) [1]
    // A08 (8): LuGre is passive for zeta up to this value [1]; std::nullopt for a level that does not fall, and for fading damping.
    std::optional<double> zeta_max;
    // sigma1 for zeta = 1 [N s/m]; std::nullopt if sigma2 alone gives more damping.
    std::optional<double> sigma1_critical;
    // LuGre with the damping sigma1_critical exp(-(v/vc)^2) is passive for vc below this speed [m/s], A08 property 4.
    std::optional<double> vc_critical;
};
// Returns std::nullopt if the mass is not known or the law has no damped bristle that sticks.
std::optional<Design> design(const AnyLaw& law, const Plant& plant);

}  // namespace bristle::analysis
