// The method cvode as simulate() calls it, and the problem that is handed to CVODE (SUNDIALS): no law and no rig in its types.
#pragma once
#include "simulate/friction.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {

// Runs a set-up by CVODE. Throws Error if the law switches, or if the build has no CVODE.
Result simulate_cvode(const Setup& setup, const Progress& progress);

// The laws that CVODE can follow: those with a continuous right-hand side.
template <class Law>
inline constexpr bool is_continuous = OneBristle<Law> || (StaticLaw<Law> && !SticksExactly<Law>);

// A problem without types: rates and Jacobian (by columns) at (t, y), the contact velocity, and an observer of the steps.
struct CvodeProblem {
    std::vector<double> y, atol;
    double t = 0, rtol = 1e-6, longest = 0;
    std::function<void(double t, const double* y, double* f)> rates;
    std::function<void(double t, const double* y, double* columns)> jacobian;
    std::function<double(double t, const double* y)> contact_velocity;
    // records an accepted step from t0 to t1; at(t, y) fills in the solution; returns false to cancel
    using At = std::function<void(double t, double* y)>;
    std::function<bool(double t0, double t1, const At& at)> step;
    std::function<void(double t)> reversal;
};
// Advances the problem to t_end, where its equations are smooth in t. CVODE BDF with its dense solver.
Status run_cvode(CvodeProblem& problem, double t_end, Statistics& statistics);

}  // namespace bristle::simulation
