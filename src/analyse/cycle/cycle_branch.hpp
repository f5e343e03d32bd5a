// The equations of a cycle with parameters as a curve to walk along: x = (states, period, parameters).
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>

#include "numerics/arclength.hpp"
#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis {

// A set-up as a function of one or two parameters.
using Families = std::function<Setup(const std::vector<double>&)>;

class CycleProblem {
  public:
    CycleProblem(Families family, std::vector<Window> windows, CycleScale scale, double tolerance)
        : family_(std::move(family)), windows_(std::move(windows)), scale_(std::move(scale)), tolerance_(tolerance) {}

    std::size_t states() const { return scale_.state.size(); }
    std::size_t parameters() const { return windows_.size(); }
    const CycleScale& scale() const { return scale_; }

    // The set-up at x, and its motion. A parameter outside its window is moved to the edge.
    Setup setup(std::span<const double> x) const;
    std::unique_ptr<Flow> flow(std::span<const double> x, bool with_parameters) const;
    // One shot from x. Not usable where the set-up breaks a rule, or where the fastest slip is about to become the
    // slowest: there the cycle has shrunk to an equilibrium, and what lies beyond is the same branch again.
    Shot shot(std::span<const double> x, bool with_parameters) const;
    // A cycle at x, seen once around.
    Cycle cycle(std::span<const double> x, int max_points) const;

  private:
    std::vector<double> inside(std::span<const double> x) const;
    Families family_;
    std::vector<Window> windows_;
    CycleScale scale_;
    double tolerance_;
};

// Where a stable cycle ends: a fold or a flip.
struct CycleEdge {
    std::vector<double> x;  // states, period, parameter
    double sign = 1;        // of the multiplier: 1 at a fold, -1 at a flip
    CycleScale scale;       // what it was found with
};
// The edge of the cycle of limit_cycle when the parameter changes from `start`: the nearer one of the two directions;
// nothing where there is none, or no cycle.
std::optional<CycleEdge> find_edge(const Family& family, double start, Window window, const CycleOptions& options,
                                   const Progress& progress);

CyclePoint point_of(const Cycle& cycle, double parameter);

}  // namespace bristle::inline analysis
