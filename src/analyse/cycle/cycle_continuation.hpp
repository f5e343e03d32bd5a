// Continuation of a branch of cycles by pseudo-arclength, with steps that are short where the multipliers change fast.
//
// A step goes ds along the unit tangent and is corrected across it, as in numerics/arclength.hpp. Near the end of
// stick-slip the multipliers change from 0 to 1e4 within a thousandth of the size of the orbit, and branches of other
// cycles are a thousandth away: a step that is straight in states and period would jump to them. Therefore
//   fold = det(1 - P),  P the derivative of the return map,   0 at a fold, 1 if all multipliers are 0
// is followed too, as fold/(1 + |fold|): a step that changes it by more than 0.1 is shortened.
#pragma once
#include "analyse/cycle/cycle_branch.hpp"

namespace bristle::inline analysis::cycle {

struct CycleNode {
    std::vector<double> x;        // states, period, parameter
    std::vector<double> tangent;  // in units of scale; unit length
    double fold = 0;              // det(1 - P): 0 if a multiplier is 1
    double flip = 0;              // det(1 + P): 0 if a multiplier is -1
};

struct CycleContinuationOptions {
    double first = 1e-2, smallest = 1e-8, largest = 0.2;  // ds
    int max_points = 600;                                 // in each direction
    bool until_stability_limit = false;                   // end after the first fold or flip
    std::function<bool()> progress = {};
};

class CycleContinuation {
  public:
    CycleContinuation(const CycleProblem& cycles, std::vector<double> scale, Window window,
                      const CycleContinuationOptions& options)
        : cycles_(cycles), scale_(std::move(scale)), window_(window), options_(options) {}

    // Returns the cycle at x with the parameter held; std::nullopt if Newton's method fails.
    std::optional<CycleNode> start(const std::vector<double>& x) const;
    // Appends the nodes from a node (not included) along its tangent until the continuation ends.
    numerics::ContinuationEnd run(CycleNode node, std::vector<CycleNode>& out) const;
    // Returns the zero of a test (fold or flip) between two neighbouring nodes at which its signs differ.
    std::optional<CycleNode> zero(double CycleNode::*test, const CycleNode& a, const CycleNode& b) const;

  private:
    enum class Outcome { found, nothing, failed };
    Outcome correct(std::vector<double> x, const std::vector<double>& across, const std::vector<double>& x0, double ds,
                    double reach, CycleNode& out) const;
    Outcome ahead(const CycleNode& from, double ds, CycleNode& out) const;

    const CycleProblem& cycles_;
    std::vector<double> scale_;
    Window window_;
    CycleContinuationOptions options_;
};

// det(1 - P) for sign = 1, det(1 + P) for sign = -1, P the derivative of the return map.
double return_test(const CycleScale& scale, const Shot& shot, double sign);

}  // namespace bristle::analysis::cycle
