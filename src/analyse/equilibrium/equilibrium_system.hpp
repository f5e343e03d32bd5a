// Equations of a set-up with constant force and load near an equilibrium: rates and their Jacobian, the steady force,
// and stiffness and damping of a contact at rest. The law is chosen at run time.
#pragma once
#include <bristle/analyse/equilibrium.hpp>

#include <span>
#include <vector>

#include "numerics/linear.hpp"

namespace bristle::inline analysis::equilibrium {

// The law in steady sliding at c. Derivatives are with respect to c.
struct SteadySliding {
    double force, slope;  // F_ss [N], F_ss' [N s/m]
    double h;             // relaxation rate of the contact states, sigma0 |c|/g or C/g [1/s]; 0: a law without states
    double rate_slope;    // d(dz/dt)/dc = c g'/g [1]; 0 for a law that is not one bristle
    double damping;       // of F with the states held: sigma1 c g'/g + f' [N s/m]
    std::vector<double> contact;  // contact states: z, or the force of each element
};

// The law at rest under a force, linearised for motion in one direction.
struct HeldContact {
    bool rigid;                   // holds exactly: stiffness and damping are not defined
    double stiffness, damping;    // F = stiffness x + damping v [N/m], [N s/m]
    std::vector<double> contact;  // contact states
};

class EquilibriumSystem {
  public:
    // Stores a reference to setup. Throws Error for a prescribed motion, and if force or load change with time.
    explicit EquilibriumSystem(const Setup& setup);

    const RigEquations& rig() const { return rig_; }
    double input() const { return input_; }               // N
    double belt() const { return belt_; }                 // final speed [m/s]
    double mass() const { return rig().contact_mass(); }  // referred to the contact [kg]
    double spring() const { return -rig().sense * rig().kq / (rig().ratio * rig().ratio); }  // likewise [N/m]
    std::size_t contact_states() const;
    std::size_t states() const { return 2 + contact_states() + (has_integral() ? 1 : 0); }
    bool has_integral() const { return rig_.has_integral; }
    // No force depends on the position or its integral.
    bool free_position() const { return rig().kq == 0 && rig().ks == 0 && rig().kI == 0; }
    // Indices of the states with a determined equilibrium: without a free position and an integral that does not act.
    std::vector<std::size_t> active() const;

    // Friction force that keeps the contact velocity at c if the position is free [N].
    double needed(double c) const;

    bool is_static() const;           // the law has no states
    bool sticks() const;              // the level is > 0 at c = 0
    double holds(double side) const;  // largest force held at rest towards a side [N]; 0 for a smooth curve
    SteadySliding steady(double c, double side) const;
    HeldContact rest(double force, double side) const;
    double settled_speed() const;  // above it F_ss changes by sigma2 c only [m/s]
    double falling_speed() const;  // below it F_ss is that at rest, to about 1 % [m/s]; 0: there is no such speed
    double final_slope(double side) const;  // of F_ss above settled_speed [N s/m]

    // Writes dy/dt and its Jacobian (row by row) in the order of state_names, sliding towards a side: all elements slip;
    // a law with velocity memory is on its branch dv/dt = 0.
    void rates(std::span<const double> y, double side, std::span<double> f, std::span<double> J) const;

    // Returns the same Jacobian in steady sliding at c, with 1 - z h' = c g'/g, which has no cancellation. At low speed
    // the rounding of 1 - z h' times sigma0 would shift a Hopf point.
    std::vector<double> jacobian(std::span<const double> y, double c, double side) const;

  private:
    const Setup& setup_;
    RigEquations rig_;
    double load_, input_, belt_;
};

Stability stability_of(const numerics::Growth& growth);

// Returns the rows and columns of the active states.
std::vector<double> active_part(std::span<const double> J, std::size_t n, std::span<const std::size_t> active);

}  // namespace bristle::analysis::equilibrium
