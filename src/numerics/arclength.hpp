// Pseudo-arclength continuation of a curve G(x) = 0 of N - 1 equations in N unknowns, past folds, in both directions from a start.
//
//   one parameter    x = (u, p),       G(u, p) = 0            n equations,      N = n + 1
//   two parameters   x = (u, p1, p2),  with the condition of a fold or a Hopf point added: n + 1 equations, N = n + 2
// The last unknown is the parameter p; at a fold dp/ds = 0. All lengths are scaled: X = x/scale.
//
// A step predicts ds along the unit tangent T and corrects in the plane normal to it:  G = 0,  T'(X - X0) = ds  (Newton on the bordered
// system, which is regular at folds). ds is halved if Newton fails or the tangent turns by more than 18 degrees, and grows otherwise.
// Folds (dp/ds = 0), zeros of watched functions, the edge of the window and the return to the start are located by the same correction
// with a shorter ds. If a function has a small minimum inside a step, a pair of zeros there is searched too.
//
// Limits: smooth regular curves (dG/dx of full rank). A branch point is passed or ends the continuation; branches are not switched.
#pragma once
#include <bristle/base/error.hpp>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace bristle::numerics {

struct CurveProblem {
    std::size_t unknowns = 0;  // N
    // Writes G (N - 1 values) at x, and dG/dx row by row ((N - 1) x N): columns dG/du, then dG/dp. Returns false if G is not defined at x.
    std::function<bool(std::span<const double> x, std::span<double> G, std::span<double> J)> equations;
    // Functions whose zeros along the curve are located: writes `watched` values at a point of the curve. None by default.
    std::size_t watched = 0;
    std::function<void(std::span<const double> x, std::span<double> values)> watch;

    std::vector<double> scale;      // N: typical magnitude of each unknown, > 0
    std::vector<double> low, high;  // N: the window; empty: no bound. The continuation ends on its edge.
};

struct ContinuationOptions {
    double first = 1e-2, smallest = 1e-7, largest = 0.1;  // ds
    double tolerance = 1e-11;                             // Newton has converged if its correction in X is this small
    double located = 1e-14;                               // tolerance of ds for located zeros
    int max_iterations = 10;                              // of Newton
    int max_points = 2000;                                // in each direction
    bool forward = true, backward = true;                 // forward: p increases at the start
    bool pairs = true;                                    // search pairs of zeros inside a step
    // Called at each new point; false cancels.
    std::function<bool(std::span<const double> x)> progress = {};
};

struct CurvePoint {
    std::vector<double> x;
    std::vector<double> tangent;  // dX/ds, a unit vector
    std::vector<double> watched;  // values of the watched functions
};

struct SpecialPoint {
    static constexpr std::size_t fold = std::numeric_limits<std::size_t>::max();
    std::size_t of;     // index of the watched function that is zero, or fold
    CurvePoint point;   // its watched value distinguishes a zero from a jump over zero
    std::size_t after;  // it lies between points[after] and points[after + 1]
};

enum class ContinuationEnd {
    window,          // on the edge of the window
    closed,          // back at the start
    max_points,      // number of points reached
    no_convergence,  // Newton fails at the smallest step
    nothing_beyond,  // G is not defined beyond
    cancelled,       // by progress
    not_walked       // this direction was not requested
};

struct ContinuationCurve {
    std::vector<CurvePoint> points;  // in order, through the start; tangents point along it
    std::size_t start = 0;           // index of the start
    std::vector<SpecialPoint> specials;
    ContinuationEnd backward = ContinuationEnd::not_walked, forward = ContinuationEnd::not_walked;
};

// There is no curve at the start.
struct NoCurve : Error {
    enum class Reason { no_solution, several_branches };
    NoCurve(Reason why, const std::string& sentence) : Error(sentence), reason(why) {}
    Reason reason;
};

// Returns the curve through the point near a start. Throws NoCurve if that point is not found or not regular.
ContinuationCurve walk_curve(const CurveProblem& problem, const std::vector<double>& start,
                             const ContinuationOptions& options = {});

}  // namespace bristle::numerics
