// A walk along a branch of cycles: pseudo-arclength, with steps that are short where the multipliers change fast.
//
// A step goes ds along the unit tangent and is corrected across it, as in arclength.hpp. What is added: near the death
// of stick-slip the return map changes within a thousandth of the orbit's size from forgetting everything (multiplier
// 0) to blowing up (1e4), and sheets of other cycles lie a thousandth away. A step that looks straight in states and
// period would jump there. So
//   fold = det(1 - P),  P the derivative of the return map,   0 at a fold, 1 where everything is forgotten
// is followed too, as fold/(1 + |fold|): where it changes by more than a tenth, the step is shortened.
#pragma once
#include "analyse/cycle/cycle_branch.hpp"

namespace bristle::inline analysis {

struct CycleNode {
    std::vector<double> x;        // states, period, parameter
    std::vector<double> tangent;  // in units of scale; unit length
    double fold = 0;              // det(1 - P): 0 where a multiplier is 1
    double flip = 0;              // det(1 + P): 0 where one is -1
};

struct CycleWalkOptions {
    double first = 1e-2, smallest = 1e-8, largest = 0.2;  // ds
    int max_points = 600;                                 // each way
    bool until_edge = false;                              // end behind the first fold or flip
    std::function<bool()> progress = {};
};

class CycleWalk {
  public:
    CycleWalk(const CycleProblem& cycles, std::vector<double> scale, Window window, const CycleWalkOptions& options)
        : cycles_(cycles), scale_(std::move(scale)), window_(window), options_(options) {}

    // The cycle at x with the parameter held; nothing where Newton fails.
    std::optional<CycleNode> start(const std::vector<double>& x) const;
    // From a node along its tangent (not included) until the walk ends.
    numerics::ContinuationEnd go(CycleNode node, std::vector<CycleNode>& out) const;
    // Where a test (fold or flip) vanishes between two neighbouring nodes at which it differs in sign.
    std::optional<CycleNode> zero(double CycleNode::*test, const CycleNode& a, const CycleNode& b) const;

  private:
    enum class Outcome { found, nothing, failed };
    Outcome correct(std::vector<double> x, const std::vector<double>& across, const std::vector<double>& x0, double ds,
                    double reach, CycleNode& out) const;
    Outcome ahead(const CycleNode& from, double ds, CycleNode& out) const;

    const CycleProblem& cycles_;
    std::vector<double> scale_;
    Window window_;
    CycleWalkOptions options_;
};

// det(1 - P) for sign = 1, det(1 + P) for sign = -1, P the derivative of the return map.
double return_test(const CycleScale& scale, const Shot& shot, double sign);

}  // namespace bristle::inline analysis
