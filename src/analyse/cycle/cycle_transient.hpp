// From a start to a cycle: the motion is followed from one fastest slip to the next until it repeats itself, and Newton
// does the rest.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>

#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis {

// A moment of fastest slip.
struct Peak {
    double t;
    std::vector<double> y;
    double slip;
};

// Sees the fastest moments of a motion, in the flow's own direction.
class PeakWatch {
  public:
    explicit PeakWatch(const Flow& flow) : flow_(flow) {}
    // A peak within this step or at its start, if any. Steps are shown one after the other.
    std::optional<Peak> look(const FlowStep& step);

  private:
    const Flow& flow_;
    bool rose_ = false;  // the slip, at the end of the step before
};

struct Settled {
    enum class To { cycle, equilibrium, open, cancelled } to = To::open;
    bool stable = false;
    To ends = To::open;  // an unstable cycle was met: what the motion itself came to in the end
    bool grows = false;  // open: faster and faster, without end
    Closed orbit;        // of the cycle
    CycleScale scale;
    double swing = 0;              // open: of the velocity at the end, peak to peak [m/s]
    std::vector<double> end = {};  // the last state
    long steps = 0;                // of the solver
};
// Follows the motion from y until it repeats itself, comes to rest (or to steady sliding), or the horizon [s] is
// reached.
Settled settle_from(const Setup& setup, const Flow& flow, const std::vector<double>& y, double horizon,
                    const CycleOptions& options, const std::function<bool()>& should_continue);

// From the starts of spread_starts, one after the other: a stable cycle, else an unstable one, else open if one of
// them is (the one that swings most), else equilibrium. All together may take three times max_steps; starts that are
// left then are open.
// from: which start it was.
Settled settle_anywhere(const Setup& setup, const Flow& flow, const CycleOptions& options, const Progress& progress,
                        std::size_t* from = nullptr);

// A steady state that no motion stays in.
bool steady_state_is_unstable(const Setup& setup);
// The start of the set-up, then eight that lie around steady sliding, or around the target of a servo.
std::vector<std::vector<double>> spread_starts(const Setup& setup, const Flow& flow);
// How long a motion is worth following [s].
double horizon_of(const Setup& setup);
// The force that breaks the contact loose [N].
double break_force(const Setup& setup);
// Slip of steady sliding, 0 for a servo [m/s].
double steady_slip(const RigEquations& rig);

}  // namespace bristle::inline analysis
