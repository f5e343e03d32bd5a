// Continuation of the boundary of stable cycles in two parameters.
//
//   x = (states, period, p1, p2),   shooting(x) = 0,   test(x) = det(1 - P) = 0 at a fold, det(1 + P) = 0 at a flip
// by pseudo-arclength, P the derivative of the return map. The gradient of test is a difference in the two directions of
// the null space of shooting (two directions, two motions). Across them it is not needed, because Newton's method changes
// x there very little.
#pragma once
#include "analyse/cycle/cycle_branch.hpp"

namespace bristle::inline analysis::cycle {

class BoundaryProblem {
  public:
    // scale: sizes of x. sign: 1 for a fold, -1 for a flip. Stores a reference to cycles.
    BoundaryProblem(const CycleProblem& cycles, std::vector<double> scale, double sign)
        : cycles_(cycles), scale_(std::move(scale)), sign_(sign) {}

    // Writes G (n - 1 values) and dG/dx (row by row) at x. Returns false if there is no motion at x.
    bool operator()(std::span<const double> x, std::span<double> G, std::span<double> J) const;

  private:
    const CycleProblem& cycles_;
    std::vector<double> scale_;
    double sign_;
};

class BoundaryContinuation {
  public:
    // largest: step ds in units of scale. Stores references to equations and cycles.
    BoundaryContinuation(const BoundaryProblem& equations, const CycleProblem& cycles, std::vector<double> scale,
                         std::vector<Window> windows, double largest, std::function<bool()> progress)
        : equations_(equations),
          cycles_(cycles),
          scale_(std::move(scale)),
          windows_(std::move(windows)),
          largest_(largest),
          progress_(std::move(progress)) {}

    // Writes the points of the boundary from `start` (included) in one direction, +1 or -1 along the tangent there. Points
    // are in units of scale.
    numerics::ContinuationEnd run(const std::vector<double>& start, double direction,
                                  std::vector<std::vector<double>>& out) const;

  private:
    using Values = std::vector<double>;
    Values si(const Values& X) const;
    bool evaluate(const Values& X, Values& G, Values& J) const;
    Values tangent_at(const Values& X) const;
    int correct(Values& X, const Values& across, const Values& X0, double reach) const;
    std::size_t passed(const Values& X) const;
    void end_on_edge(std::vector<Values>& points, const Values& beyond, std::size_t which) const;

    const BoundaryProblem& equations_;
    const CycleProblem& cycles_;
    Values scale_;
    std::vector<Window> windows_;
    double largest_;
    std::function<bool()> progress_;
};

}  // namespace bristle::analysis::cycle
