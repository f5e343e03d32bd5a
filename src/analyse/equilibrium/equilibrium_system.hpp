// A set-up whose force and load do not change, as equations about an equilibrium: rates and their Jacobian, the steady curve, and what
// a contact at rest is to small motions. The law is whatever the set-up holds; compiled once for all.
#pragma once
#include <bristle/analyse/equilibrium.hpp>

#include <span>
#include <vector>

#include "numerics/linear.hpp"

namespace bristle::inline analysis {

// The law while it slides steadily at c. Derivatives are with respect to c.
struct Steady {
    double force, slope;  // F_ss [N], F_ss' [N s/m]
    double h;             // rate at which the contact's states follow, sigma0 |c|/g or C/g [1/s]; 0: it has none
    double follows;       // d(dz/dt)/dc = c g'/g [1]; laws without a single bristle: 0
    double damping;       // of F with the states held: sigma1 c g'/g + f' [N s/m]
    std::vector<double> contact;  // its states: z, or the force of each element
};

// The law at rest under a force, for small motions to one side.
struct Rest {
    bool rigid;                   // it holds exactly: nothing moves
    double stiffness, damping;    // F = stiffness x + damping v [N/m], [N s/m]
    std::vector<double> contact;  // its states
};

class EquilibriumSystem {
  public:
    // Keeps a reference. Throws Error for a prescribed motion, and where force or load change with time.
    explicit EquilibriumSystem(const Setup& setup);

    const RigEquations& rig() const { return rig_; }
    double input() const { return input_; }
    double belt() const { return belt_; }                                        // in the end
    double mass() const { return rig().inertia / (rig().ratio * rig().ratio); }  // as the contact feels it
    double spring() const { return -rig().sense * rig().kq / (rig().ratio * rig().ratio); }
    std::size_t contact_states() const;
    std::size_t states() const { return 2 + contact_states() + (has_integral() ? 1 : 0); }
    bool has_integral() const { return rig_.has_integral; }
    // Nothing depends on the position: every place is as good as another.
    bool free_position() const { return rig().kq == 0 && rig().ks == 0 && rig().kI == 0; }
    // The states that have an equilibrium: not a free position, not an integral that does not act.
    std::vector<std::size_t> active() const;

    // The friction force that is needed to keep the contact at c, where the position is free.
    double needed(double c) const;

    bool is_static() const;           // no states
    bool sticks() const;              // the level does not vanish at c = 0
    double holds(double side) const;  // the largest force held at rest towards a side [N]; 0: smooth
    Steady steady(double c, double side) const;
    Rest rest(double force, double side) const;
    // Beyond this speed the steady force changes no more, apart from sigma2 c; and how fast it grows there.
    double settled_speed() const;
    double falling_speed() const;  // up to it the steady force is that at rest, to a percent or so; 0: there is no such
    double final_slope(double side) const;

    // dy/dt and its Jacobian (row by row) in the order of state_names, sliding to a side (all elements slip, hysteretic: on
    // the branch dv/dt = 0).
    void rates(std::span<const double> y, double side, std::span<double> f, std::span<double> J) const;

    // The same Jacobian at steady sliding with c, where 1 - z h' = c g'/g: a bristle's entries in the form that does not cancel. At low
    // speed the stiffness sigma0 multiplies what is left of them, which moves a Hopf point.
    std::vector<double> jacobian(std::span<const double> y, double c, double side) const;

  private:
    const Setup& setup_;
    RigEquations rig_;
    double load_, input_, belt_;
};

Stability stability_of(const numerics::Growth& growth);

// The rows and columns of the active states.
std::vector<double> active_part(std::span<const double> J, std::size_t n, std::span<const std::size_t> active);

}  // namespace bristle::inline analysis
