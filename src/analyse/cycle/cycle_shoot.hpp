// Shooting: Newton's method for a closed motion, with the sensitivities of the flow.
//
//   unknowns   u = (y, T)
//   equations  (phi_T(y) - y)/scale = 0,   section(y) = 0
//   section    maximum slip: d(slip)/dt = 0, which moves with the cycle and contains every equilibrium; or a plane of
//              constant position (CycleScale::position)
//   Jacobian   [S - 1, f(phi_T); section_y, 0], and for a parameter the column [s_p; section_p]
// All in units of scale (one number for each state) and of the time scale.
// Multipliers: the eigenvalues of (1 - f n'/(n'f)) S on the plane n'x = 0, n the gradient of the section. The multiplier
// 1 along the motion is projected out before the eigenvalues are computed, so that one close to 1 (at a fold) is accurate.
#pragma once
#include <complex>
#include <optional>

#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis::cycle {

// Sizes of the unknowns of one cycle: the units of steps and residuals.
struct CycleScale {
    std::vector<double> state;
    double time = 1;   // s
    double rate = 1;   // of slip [m/s^2]
    double speed = 1;  // of slip [m/s]
    // Position of the section, at a time after maximum slip. For a law whose right-hand side jumps at dv/dt = 0, where
    // the section of maximum slip would lie on the jump.
    std::optional<double> position = {};

    // Size of unknown i: states, then the period.
    double of(std::size_t i) const { return i < state.size() ? state[i] : time; }
};

// One evaluation of the equations of shooting.
struct Shot {
    bool usable = false;  // the motion reached the end, and the residual is finite
    FlowResult end;
    std::vector<double> rate_end;         // f at the end
    std::vector<double> section;          // gradient of the section
    std::vector<double> residual;         // of the equations, N + 1
    std::vector<double> jacobian;         // (N + 1) x (N + 1), row by row
    std::vector<std::vector<double>> by;  // derivative by each parameter, N + 1
    double size = 0;                      // Euclidean norm of the residual
};

// u: states and period in SI units. The observer is called for each step of the motion.
Shot shoot(const Flow& flow, const CycleScale& scale, const std::vector<double>& u, const FlowObserver& observer = {});

struct ClosedOrbit {
    bool found = false;
    std::vector<double> u;  // states and period
    Shot shot;              // at u
};
// Newton's method from u, at most `reach` away from it (in units of scale). Not found if a multiplier is not finite.
ClosedOrbit close_orbit(const Flow& flow, const CycleScale& scale, std::vector<double> u, double reach = 1);

// Returns the N - 1 multipliers, by falling magnitude.
std::vector<std::complex<double>> multipliers(const CycleScale& scale, const Shot& shot);

// Euclidean norm.
double norm(const std::vector<double>& x);

}  // namespace bristle::analysis::cycle
