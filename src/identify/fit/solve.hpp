// Least-squares solution of a problem from one start, by the method of Levenberg and Marquardt with bounds.
#pragma once
#include "identify/fit/problem.hpp"

namespace bristle::inline identification {

struct Solved {
    std::vector<double> values;
    double cost = std::numeric_limits<double>::infinity();  // sum of squares (or of losses) over the rows used
    bool converged = false;
    int evaluations = 0;
};

struct SolveOptions {
    std::vector<std::uint8_t> use{};  // rows; empty: all compared rows
    Loss loss = Loss::squares;
    double loss_scale = 0;  // of the Huber loss, in the unit of y
    int max_iterations = 60;
    double tolerance = 1e-10;                 // relative change of the cost
    std::function<bool()> should_continue{};  // false: throws Cancelled
};

// Sum of squares, or of Huber losses, of residuals over the rows used [square of the unit of y].
double cost_of(std::span<const double> residual, std::span<const std::uint8_t> use, const SolveOptions& options);

// Minimises from the given values, within the bounds of the parameters.
Solved solve(const FitProblem& problem, std::span<const double> start, const SolveOptions& options);

}  // namespace bristle::identification
