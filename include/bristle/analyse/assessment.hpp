// All that can be said about a set-up without running it: the certificate of its law under its loads, what a fixed step does to it, and
// design help where the mass is known.
//
// Passive in sampled time means: no step makes energy. m v^2/2 + H(z) and the heat grow by no more than the work done.
//   exact     the contact alone: its energy is exact over a step with held velocity, so it is as passive as the law. Elasto-plastic and
//             hysteretic laws are stepped to a tolerance: undecided where the law is passive
//   coupled   its balance is exact, so it is as passive as the law; stable at rest at every dt
//   explicit  never. Laws with a bristle: from rest with a bent bristle one step gives m (dt sigma0 z)^2/(2 (m + dt d)^2) and takes nothing
//             from H. Static laws: the heat is F v dt with the old v, and the mass loses less: it moves as if it were m + dt d
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/analyse/step_limits.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline analysis {

struct Stepping {
    std::optional<bool> stable;  // at dt, or at every dt; nothing where that depends on a dt that is not given
    Verdict passive = Verdict::undecided;
    std::string text;
};

struct Assessment {
    CertifyOptions options;  // the loads are those of the set-up
    std::optional<double> dt;
    Certificate certificate;
    Plant plant;
    StepLimits limits;
    Stepping exact, coupled, explicit_;
    std::optional<Design> design;
};
// dt and vmax in s and m/s. Without dt, that of a run with a fixed step. Throws Error.
struct AssessOptions {
    std::optional<double> dt, vmax;
    std::function<bool()> should_continue = {};  // as in CertifyOptions
};
Assessment assess(const Setup& setup, const AssessOptions& options = {});

// The mass and spring at the contact; no mass where the motion is given or the rig is solved in closed form.
Plant plant_of(const Setup& setup);

// One sentence if the run's fixed step is unwise, for its method.
std::optional<std::string> step_warning(const Setup& setup);

}  // namespace bristle::inline analysis
