// One step of Rodas5P on a machine: the method of stepper.hpp for a size known at run time, without allocation after the first step.
// Quadratures, which outnumber the states, are sums over the stages with the weights of rodas.hpp. Steps of 2 to 6 states are
// compiled for their size.
#pragma once
#include <limits>
#include <vector>

#include "numerics/dense_lu.hpp"

namespace bristle::inline simulation {

class MachineSystem;

struct SquareMatrix {
    std::size_t n = 0;
    std::vector<double> a;  // row by row
    mutable double passed =
        std::numeric_limits<double>::infinity();  // smallest bound that grows_slower_than() has found
};
// True if every eigenvalue has a real part below the bound.
bool grows_slower_than(double bound, const SquareMatrix& J);

// Linearisation at the start of a step: f, J = df/dy, df/dt, and the same for the quadratures.
struct MachineLinearisation {
    std::vector<double> f, ft, w, wt;
    SquareMatrix J;
    std::vector<double> W;  // quadratures x states
};

class MachineStepper {
  public:
    using State = std::vector<double>;  // states, then quadratures
    using Linearisation = MachineLinearisation;

    // Steps from y0 at t over h, with the linearisation at (t, y0). The end is y1(), the error estimate error(). Returns
    // false if the matrix is singular or a number is not finite.
    bool step(const MachineSystem& system, const Linearisation& at, double t, const State& y0, double h);
    const State& y1() const { return y1_; }
    double error(std::size_t i) const { return error_[i]; }
    long serial() const { return serial_; }  // changes with every step

    // Prepares the dense output of the last step; then at(i, s) is state i at t + s h, 0 <= s <= 1.
    void interpolate();
    double at(std::size_t i, double s) const {
        return (1 - s) * y0_[i] + s * (y1_[i] + (1 - s) * (dense_[i] + s * (dense_[n_ + i] + s * dense_[2 * n_ + i])));
    }

  private:
    template <std::size_t fixed>
    bool step_of(const MachineSystem& system, const Linearisation& at, double t, const State& y0, double h);

    std::size_t n_ = 0;
    long serial_ = 0;
    numerics::DenseLu lu_;
    std::vector<double> matrix_, u_;
    std::vector<double> k_, dense_;                    // of the states: 8 x n, 3 x n
    std::vector<double> weighted_k_, error_weighted_;  // sums of b k and e k
    State y0_, y1_, error_;
};

}  // namespace bristle::simulation
