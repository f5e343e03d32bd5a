// Motions of a machine that grow without bound: controllers that make it unstable while its contacts slide.
//
// The level of friction bounds an oscillation near rest only (hunting). A run diverges if
//   1. the body at a controller's sensor is faster than 100 times an oscillation, with the stiffness of the controller, over the largest distance
//      that the machine gives: of the reference, of the start, or of the controller's deflection at breakaway; and
//   2. the machine linearised at this instant has an eigenvalue whose real part is > 0.
// While a limit of a motor or controller acts, the linearisation is that of the limited motion, which does not grow.
#pragma once
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

class Runaway {
  public:
    // level: largest friction force of a contact [N]. start: state at t = 0.
    Runaway(const MachineSystem& system, double level, const std::vector<double>& start);
    // True if condition 1 is met at the state y.
    bool is_fast(double t, const std::vector<double>& y) const;
    // True if the motion grows without bound at the state y, in the present mode of the system.
    bool reached(double t, const std::vector<double>& y) const;
    // The sentence for a run that ends at t [s], with what to change.
    std::string sentence(double t) const;

  private:
    bool is_fast(std::size_t controller, double t, const std::vector<double>& y) const;

    const MachineSystem& system_;
    std::vector<double> speed_, frequency_;  // per controller: condition 1 [m/s]; of its oscillation [rad/s]
};

}  // namespace bristle::simulation
