// Holding forces of contacts at rest: which contacts stay, and the forces that hold them.
//
// Set-valued contacts have a force F_i in [low_i, high_i], with
//   dc_i/dt = 0 inside, dc_i/dt >= 0 at high_i, dc_i/dt <= 0 at low_i,    dc/dt = r - A F
// where r is dc/dt without these forces and A = J M^-1 J'. This is the principle of Gauss: the minimum over F of
// F' A F/2 - r' F within the bounds. dc/dt is unique. F is not if A is singular (several contacts hold one body): then the solution
// nearest to the given start is taken, in the norm sum A_ii F_i^2.
#pragma once
#include <cstddef>
#include <vector>

namespace bristle::inline simulation {

struct HoldingProblem {
    std::size_t n = 0;
    std::vector<double> A, r, low, high;
    double& a(std::size_t i, std::size_t j) { return A[i * n + j]; }
    double a(std::size_t i, std::size_t j) const { return A[i * n + j]; }
};
struct Holding {
    std::vector<double> F;
    enum class At { inside, low, high };
    std::vector<At> at;
    std::vector<double> acceleration;  // dc/dt; 0 inside
};
// Returns the forces nearest to F: the start, and the last split.
Holding hold_contacts(const HoldingProblem& problem, std::vector<double> F);

// Returns P with F = P g the solution of A F = g of least norm sum A_ii F_i^2, n x n, for a symmetric A >= 0 with A_ii > 0.
std::vector<double> holding_inverse(const std::vector<double>& A, std::size_t n);

// Returns 1 - (part of A_ii that the contacts `others` with the inverse P determine): 0 if they hold contact i.
double freedom(const HoldingProblem& problem, std::size_t i, const std::vector<std::size_t>& others);

}  // namespace bristle::simulation
