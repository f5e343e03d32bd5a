// Solution of one coupled step of a machine: which contacts hold, which coordinates hold their end velocity.
//
//   1. midpoint in all coordinates; a dry contact slides on in its direction, one at rest is inside its jump
//   2. an active set settles the jumps: a force beyond its interval goes to that bound, a velocity on the wrong side goes into the jump
//   3. coordinates take the end velocity, and step 2 is repeated, where
//        a dry contact would stop or reverse; it stops if a force in its interval can do that
//        a contact or spring that dt does not resolve (dt^2 K > 4 m or dt D > 4 m) would reverse
//      Dry contacts that touch such a coordinate take it at both ends.
// The step is solved when no rule applies any more. Passes are bounded; if they do not suffice, the caller divides the step.
#pragma once
#include "simulate/machine/coupled_equations.hpp"

namespace bristle::inline simulation {

class CoupledSolver {
  public:
    CoupledSolver(const MachineSystem& system, const CoupledEquations::Contacts& contacts);

    // Solves the step over dt [s] from t. held: dry contacts that rested at the end of the last step. Returns false if there is no
    // solution.
    bool solve(double t, double dt, const CoupledState& from, const std::vector<double>& loads,
               const std::vector<bool>& held);
    CoupledEquations& equations() { return equations_; }
    const CoupledEquations& equations() const { return equations_; }
    // True if the contact rests at the end of the step: a dry one inside its jump, or at its bound while others hold it.
    bool rests(std::size_t contact) const {
        return contacts_[contact]->dry() && (equations_.roles[contact].inside || equations_.roles[contact].pinned);
    }
    // Velocity up to which a dry contact that was held rests at the start of a step over dt [m/s]; equations() have begun the step.
    double rest_limit(std::size_t contact, const std::vector<double>& v, double dt, double load) const;

  private:
    bool rests_at_start(std::size_t contact, bool held) const;
    void begin_roles(const CoupledState& from);
    bool settle_roles();
    ContactRole corrected(std::size_t contact) const;
    bool release_worst();
    bool hold_ends();
    bool hold_ends_of(std::size_t contact);
    bool has_stopped(std::size_t contact) const;
    bool is_unresolved(double stiffness, double damping, double mass) const;
    bool alternates(std::size_t contact) const;
    double end_velocity(std::size_t contact) const;
    bool spring_alternates(std::size_t spring) const;
    void include_dry_neighbours();

    const MachineSystem& system_;
    const CoupledEquations::Contacts& contacts_;
    CoupledEquations equations_;
    double dt_ = 0;
    std::vector<double> v_;          // per coordinate, at the start
    std::vector<double> end_v_;      // by the last solution
    std::vector<double> loads_, c_;  // per contact: c at the start, 0 if it rests
    std::vector<bool> movable_;      // contacts whose role is to be found
};

}  // namespace bristle::simulation
