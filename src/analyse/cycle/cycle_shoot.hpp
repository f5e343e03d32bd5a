// Shooting: Newton's method for a closed motion, with the sensitivities of the flow.
//
//   unknowns   u = (y, T)
//   equations  (phi_T(y) - y)/scale = 0,   section(y) = 0
//   section    the rate of slip is 0 (its fastest moment), which moves with the cycle and passes through every
//   equilibrium; or a plane of constant position (CycleScale::position)
//   Jacobian   [S - 1, f(phi_T); section_y, 0], and for a parameter the column [s_p; section_p]
// All in units of scale (one number for each state) and of the time scale.
// Multipliers: those of the return map's derivative (1 - f n'/(n'f)) S on the plane n'x = 0, n the section's gradient.
// The multiplier 1 along the motion is taken out before eigenvalues are asked for, so that one close to it (at a fold)
// keeps its digits.
#pragma once
#include <complex>
#include <optional>

#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis {

// Sizes of the unknowns of one cycle: what steps and errors are measured in.
struct CycleScale {
    std::vector<double> state;
    double time = 1;   // s
    double rate = 1;   // of slip [m/s^2]
    double speed = 1;  // of slip [m/s]
    // The section is where the position has this value, on a moment past the fastest one. For a law whose mode changes
    // where dv/dt = 0: there a section would lie on a jump of the right-hand side.
    std::optional<double> position = {};

    // Of an unknown: states, then the period.
    double of(std::size_t i) const { return i < state.size() ? state[i] : time; }
};

struct Shot {
    bool usable = false;
    Travel end;
    std::vector<double> rate_end;         // f at the end
    std::vector<double> section;          // its gradient
    std::vector<double> miss;             // the equations, N + 1
    std::vector<double> jacobian;         // (N + 1) x (N + 1), row by row
    std::vector<std::vector<double>> by;  // a column for each parameter, N + 1
    double size = 0;                      // of miss: root of the sum of squares
};

// u: states and period in SI units. Watch, if any, sees the motion.
Shot shoot(const Flow& flow, const CycleScale& scale, const std::vector<double>& u, const FlowWatch& watch = {});

struct Closed {
    bool found = false;
    std::vector<double> u;  // states and period
    Shot shot;              // at u
};
// Newton from u; it does not go further than `reach` (in units of scale). Not found where multipliers cannot be told.
Closed close_orbit(const Flow& flow, const CycleScale& scale, std::vector<double> u, double reach = 1);

// Largest first; N - 1 of them.
std::vector<std::complex<double>> multipliers(const CycleScale& scale, const Shot& shot);

double norm(const std::vector<double>& x);

}  // namespace bristle::inline analysis
