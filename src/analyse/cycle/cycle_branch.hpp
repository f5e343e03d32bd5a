// The equations of a cycle with one or two parameters: x = (states, period, parameters).
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>

#include "numerics/arclength.hpp"
#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis::cycle {

// A set-up as a function of one or two parameters.
using Families = std::function<Setup(const std::vector<double>&)>;

class CycleProblem {
  public:
    CycleProblem(Families family, std::vector<Window> windows, CycleScale scale, double tolerance)
        : family_(std::move(family)), windows_(std::move(windows)), scale_(std::move(scale)), tolerance_(tolerance) {}

    std::size_t states() const { return scale_.state.size(); }
    std::size_t parameters() const { return windows_.size(); }
    const CycleScale& scale() const { return scale_; }

    // The set-up at x, and its flow. A parameter outside its window is moved to the edge of the window.
    Setup setup(std::span<const double> x) const;
    std::unique_ptr<Flow> flow(std::span<const double> x, bool with_parameters) const;
    // One shot from x. Not usable if the set-up breaks a rule, or if the maximum of slip is about to become a minimum:
    // there the cycle has shrunk to an equilibrium, and beyond it the same branch repeats.
    Shot shot(std::span<const double> x, bool with_parameters) const;
    // The cycle at x, with its measures over one period.
    Cycle cycle(std::span<const double> x, int max_points) const;

  private:
    std::vector<double> inside(std::span<const double> x) const;
    Families family_;
    std::vector<Window> windows_;
    CycleScale scale_;
    double tolerance_;
};

// A fold or flip at which a cycle changes its stability.
struct StabilityLimit {
    std::vector<double> x;  // states, period, parameter
    double sign = 1;        // of the critical multiplier: 1 at a fold, -1 at a flip
    CycleScale scale;       // sizes of the cycle there
};
// Returns the first stability limit of the cycle of limit_cycle on its branch from `start`: the nearer one of the two
// directions; std::nullopt if there is none, or no cycle.
std::optional<StabilityLimit> find_stability_limit(const Family& family, double start, Window window,
                                                   const CycleOptions& options, const Progress& progress);

CyclePoint point_of(const Cycle& cycle, double parameter);

}  // namespace bristle::analysis::cycle
