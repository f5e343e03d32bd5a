// Assessment of a set-up without running it: certificate of its law under its loads, effect of a fixed step, and design values if the
// mass is known.
//
// Passive in sampled time: m v^2/2 + H(z) and the heat grow in each step by no more than the work done.
//   exact     step of the contact alone: its energy is exact for a held velocity, so it is as passive as the law. Laws that are stepped
//             to a tolerance (elasto-plastic, hysteretic): undecided if the law is passive
//   coupled   its energy balance is exact, so it is as passive as the law; stable at rest at every dt
//   explicit  never passive. Bristle laws: from rest with a deflected bristle one step adds m (dt sigma0 z)^2/(2 (m + dt d)^2) and leaves
//             H unchanged. Static laws: the heat is F v dt with the old v, and the mass loses less: its inertia is m + dt d
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/analyse/step_limits.hpp>
#include <bristle/simulate/result.hpp>

namespace bristle::inline analysis {

// Reason for the verdict on passivity of a fixed-step scheme.
enum class StepPassivity {
    as_the_law,       // the energy balance is exact
    within_error,     // as the law, within the error of a step that is not exact
    adds_energy,      // deflected bristles at rest accelerate the mass without losing stored energy
    overstates_heat,  // more heat is recorded than the mass loses
};

struct Stepping {
    std::optional<bool> stable;  // at rest, at dt or at every dt; std::nullopt if it depends on a dt that is not given
    Verdict passive = Verdict::undecided;
    StepPassivity because = StepPassivity::as_the_law;
};

// Friction before breakaway. The force of the bristle alone does not exceed the largest level; sigma1 dz/dt adds to it, at a fast start
// several times the level.
struct BreakawayPeak {
    double force = 0;  // largest |F| before |v| first exceeds 10 vs [N]
    double without_sigma1 =
        0;  // largest level and the viscous friction at 10 vs: an upper bound of the friction without sigma1 [N]
    double ratio() const { return force / without_sigma1; }
    // True if it is at least 2: such a breakaway is far above the level that was given.
    bool is_high() const { return ratio() >= 2; }
};
// Of a run. Returns std::nullopt if the law has no sigma1 or no vs, or the run no breakaway.
std::optional<BreakawayPeak> breakaway(const Setup& setup, const Result& result);
// Of the mass of the plant, at rest, under a step of force of fast_start levels; simulated. std::nullopt also if the mass is not known.
inline constexpr double fast_start = 10;
std::optional<BreakawayPeak> breakaway_at_fast_start(const AnyLaw& law, const Plant& plant);

struct Assessment {
    CertifyOptions options;    // vmax, and the loads of the set-up; should_continue is empty
    std::optional<double> dt;  // s
    Certificate certificate;
    Plant plant;
    StepLimits limits;
    Stepping exact, coupled, explicit_;
    std::optional<double>
        explicit_mass_factor;  // inertia of explicit coupling at dt over the mass; std::nullopt without dt or mass
    std::optional<Design> design;
    std::optional<BreakawayPeak> fast_start;  // breakaway_at_fast_start; std::nullopt without a design
};
// Without dt [s], the fixed step of the run is used. vmax in m/s.
struct AssessOptions {
    std::optional<double> dt, vmax;
    std::function<bool()> should_continue = {};  // as in CertifyOptions
};
// Throws Error if dt is not a finite time > 0, and as certify().
Assessment assess(const Setup& setup, const AssessOptions& options = {});

// The mass and spring at the contact; mass 0 if the motion is prescribed or the rig is solved in closed form.
Plant plant_of(const Setup& setup);

// A fixed step of a run that is too large for its method.
struct StepWarning {
    enum class Kind {
        unstable,        // explicit coupling is unstable at rest for steps >= limit
        mass_increased,  // explicit coupling multiplies the mass by mass_factor
        ambiguous,       // above limit, more than one velocity can solve the coupled step
    } kind;
    double step;             // s
    double limit = 0;        // s; 0: every step
    double mass_factor = 1;  // of mass_increased
};
// A mass factor above this one is reported.
inline constexpr double max_mass_factor = 1.1;
// Returns std::nullopt if the step is not too large, or the run has no fixed step.
std::optional<StepWarning> step_warning(const Setup& setup);

}  // namespace bristle::analysis
