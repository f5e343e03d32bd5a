// Continuation by pseudo-arclength: walks along a curve G(x) = 0 of N - 1 equations in N unknowns, round folds, both ways from a start.
//
//   one parameter    x = (u, p),       G(u, p) = 0            n equations,      N = n + 1
//   two parameters   x = (u, p1, p2),  with the condition of a fold or a Hopf point added: n + 1 equations, N = n + 2
// The last unknown is the parameter: folds are where it turns. All lengths are scaled: X = x/scale.
//
// A step goes ds along the unit tangent T and is corrected in the plane across it:  G = 0,  T'(X - X0) = ds  (Newton on the bordered
// system, which is regular at folds). It is halved where Newton fails or the tangent turns by more than 18 degrees, and grows
// otherwise. What is looked for between two points is located by the same correction at shorter ds: folds (dp/ds = 0), zeros of
// watched functions, the edge of the window, the return to the start. Where a function comes close to zero and turns back, a pair of zeros
// inside a step is looked for too.
//
// Limits: a curve that is smooth and regular (dG/dx of full rank). Branch points are passed or end the walk; branches are not switched.
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace bristle::numerics {

struct CurveProblem {
    std::size_t unknowns = 0;  // N
    // Writes G (N - 1 values) at x, and dG/dx row by row ((N - 1) x N): columns dG/du, then dG/dp. False: there is nothing at x.
    std::function<bool(std::span<const double> x, std::span<double> G, std::span<double> J)> equations;
    // Functions whose zeros along the curve are wanted: writes `watched` values at a point of the curve. None by default.
    std::size_t watched = 0;
    std::function<void(std::span<const double> x, std::span<double> values)> watch;

    std::vector<double> scale;      // N: a typical size of each unknown, > 0
    std::vector<double> low, high;  // N: the window; empty: no bound. The walk ends on its edge.
};

struct ContinuationOptions {
    double first = 1e-2, smallest = 1e-7, largest = 0.1;  // ds
    double tolerance = 1e-11;                             // Newton is done when its correction is this small, in X
    double located = 1e-14;                               // zeros are located to this ds
    int max_iterations = 10;                              // of Newton
    int max_points = 2000;                                // each way
    bool forward = true, backward = true;                 // forward: towards rising p at the start
    bool pairs = true;                                    // look for pairs of zeros inside a step
    // Called at every new point; false ends the walk.
    std::function<bool(std::span<const double> x)> progress = {};
};

struct CurvePoint {
    std::vector<double> x;
    std::vector<double> tangent;  // dX/ds, a unit vector
    std::vector<double> watched;  // values of the watched functions
};

struct SpecialPoint {
    static constexpr std::size_t fold = std::numeric_limits<std::size_t>::max();
    std::size_t of;     // the watched function that vanishes, or fold
    CurvePoint point;   // with watched values, so that a jump over zero can be told from a zero
    std::size_t after;  // it lies between points[after] and points[after + 1]
};

enum class ContinuationEnd {
    window,          // on the edge of the window
    closed,          // back at the start
    max_points,      // as many points as allowed
    no_convergence,  // Newton fails at the smallest step
    nothing_beyond,  // the equations say that there is nothing beyond
    cancelled,       // by progress
    not_walked       // this way was not asked for
};
const char* name_of(ContinuationEnd end);  // "left the window" ...

struct ContinuationCurve {
    std::vector<CurvePoint> points;  // in one direction, through the start; tangents point onwards
    std::size_t start = 0;           // where the start is among them
    std::vector<SpecialPoint> specials;
    ContinuationEnd backward = ContinuationEnd::not_walked, forward = ContinuationEnd::not_walked;
};

// The point of the curve nearest to a guess, found with the last unknown held (or, at a fold, across the curve). Empty: not found.
std::vector<double> settle_on_curve(const CurveProblem& problem, std::vector<double> guess,
                                    const ContinuationOptions& options = {});

// The curve through a start, which is settled first. Throws Error where that fails.
ContinuationCurve walk_curve(const CurveProblem& problem, const std::vector<double>& start,
                             const ContinuationOptions& options = {});

}  // namespace bristle::numerics
