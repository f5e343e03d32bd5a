// All that can be said about a set-up without running it: the certificate of its law under its loads, what a fixed step does to it, and
// design help where the mass is known.
//
// Passive in sampled time means: no step makes energy, counted as m v^2/2 + H(z).
//   exact     the contact alone: its energy is exact over a step with held velocity, so it is as passive as the law
//   coupled   its balance is exact, so it is as passive as the law, and stable at every dt
//   explicit  laws with a bristle: never. From rest with a bent bristle one step gives m (dt sigma0 z)^2/(2 (m + dt d)^2) and takes nothing from H.
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/analyse/sampled.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::analyse {

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
};
Assessment assess(const simulate::Setup& setup, const AssessOptions& options = {});

// The mass and spring at the contact; no mass where the motion is given or the rig is solved in closed form.
Plant plant_of(const simulate::Setup& setup);

// One sentence if the run's fixed step is unwise, for its method.
std::optional<std::string> unwise_step(const simulate::Setup& setup);

}  // namespace bristle::analyse
