// From a start to a cycle: the motion is followed from one fastest slip to the next until it repeats itself, and Newton
// does the rest.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>

#include "cycle_shoot.hpp"

namespace bristle::analyse {

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
    // A peak within this step, if any.
    std::optional<Peak> look(const FlowStep& step) const;

  private:
    const Flow& flow_;
};

struct Settled {
    enum class To { cycle, equilibrium, open, stopped } to = To::open;
    bool stable = false;
    Closed orbit;  // of the cycle
    CycleScale scale;
};
// Follows the motion from y until it repeats itself, comes to rest (or to steady sliding), or the horizon [s] is
// reached.
Settled settle_from(const Flow& flow, const std::vector<double>& y, double horizon, const CycleOptions& options,
                    const std::function<bool()>& go_on);

// From the starts of spread_starts, one after the other: a stable cycle, else an unstable one, else open if one of
// them is, else equilibrium.
// from: which start it was.
Settled settle_anywhere(const simulate::Setup& setup, const Flow& flow, const CycleOptions& options,
                        const Progress& progress, std::size_t* from = nullptr);

// The start of the set-up, then eight that lie around steady sliding, or around the target of a servo.
std::vector<std::vector<double>> spread_starts(const simulate::Setup& setup, const Flow& flow);
// How long a motion is worth following [s].
double horizon_of(const simulate::Setup& setup);

}  // namespace bristle::analyse
