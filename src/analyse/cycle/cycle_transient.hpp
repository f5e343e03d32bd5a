// From a start to an attractor: a motion is followed from one maximum of slip to the next until it repeats; Newton's
// method then closes the orbit.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>

#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis::cycle {

// A maximum of slip, in the direction of the flow.
struct Peak {
    double t;  // s
    std::vector<double> y;
    double slip;  // times the direction of the flow [m/s]
};

class PeakDetector {
  public:
    explicit PeakDetector(const Flow& flow) : flow_(flow) {}
    // Returns the peak within this step or at its start; std::nullopt if there is none. Call it for consecutive steps.
    std::optional<Peak> detect(const FlowStep& step);

  private:
    const Flow& flow_;
    bool was_rising_ = false;  // slip, at the end of the previous step
};

// Result of following a motion.
struct Settled {
    enum class To {
        cycle,
        equilibrium,  // rest or steady sliding
        unsettled,    // neither within the limits
        cancelled     // by progress
    } to = To::unsettled;
    bool stable = false;
    To ends = To::unsettled;       // of an unstable cycle: the attractor of the motion
    bool grows = false;            // unsettled: the speed grows without bound
    ClosedOrbit orbit;             // of the cycle
    CycleScale scale;              // of the cycle
    double swing = 0;              // unsettled: peak-to-peak of the velocity at the end [m/s]
    std::vector<double> end = {};  // the last state
    long steps = 0;                // of the solver
};
// Follows the motion from y until it repeats, comes to rest or to steady sliding, or reaches the horizon [s].
Settled settle_from(const Setup& setup, const Flow& flow, const std::vector<double>& y, double horizon,
                    const CycleOptions& options, const std::function<bool()>& should_continue);

// Follows the motions from spread_starts one after the other. Returns a stable cycle, else an unstable one, else
// unsettled if one of them is (the one with the largest peak-to-peak velocity), else equilibrium. All starts together have 3 max_steps; starts
// beyond that are unsettled. from: index of the start that led to the cycle.
Settled settle_anywhere(const Setup& setup, const Flow& flow, const CycleOptions& options, const Progress& progress,
                        std::size_t* from = nullptr);

// Returns false if there is no steady state.
bool steady_state_is_unstable(const Setup& setup);
// Returns true for a law whose right-hand side jumps at maximum slip, because its mode depends on the sign of dv/dt.
bool jumps_at_peak(const AnyLaw& law);
inline constexpr int starts_of_a_search = 9;
// Returns so many: the start of the set-up, then eight around steady sliding. For a servo: four around the target, and four at rest beside it with an
// integral that almost moves the mass.
std::vector<std::vector<double>> spread_starts(const Setup& setup, const Flow& flow);
// Returns the time limit of a motion [s].
double horizon_of(const Setup& setup);
// Returns the force at breakaway [N].
double break_force(const Setup& setup);
// Returns the slip speed of steady sliding [m/s]; 0 for a servo.
double steady_slip(const RigEquations& rig);

}  // namespace bristle::analysis::cycle
