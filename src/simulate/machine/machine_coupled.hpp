// Coupled fixed step of a machine: states, sub-steps and ledger of every part.
//
//   step(t, dt)   solves the step (coupled_solver.hpp), in sub-steps while a contact is in its sub-step zone, and in up to 64 parts if
//                 no solution is found; then advances the contacts, and sums the energies of each part
// The load of a contact is the input at the middle of the step plus the force of its spring, extrapolated to there from the start. It changes
// between steps; the work on deflected bristles is supplied from outside.
// Sums are compensated: what a part receives is the product that changes its store, so each balance closes to rounding.
#pragma once
#include "simulate/machine/coupled_solver.hpp"

namespace bristle::inline simulation {

class MachineCoupled {
  public:
    // y: states at t = 0 in the layout of the system. still: per contact, velocities up to this count as zero [m/s].
    MachineCoupled(const MachineSystem& system, const std::vector<double>& y, const std::vector<double>& still);

    // Advances from t to t + dt. Returns false if no solution is found or a number is not finite.
    bool step(double t, double dt);
    // States and quadratures at the end of the last step, in the layout of the system.
    const std::vector<double>& y() const { return y_; }
    const MachineValues<double>& values() const { return values_; }
    // Energies at the end of the last step [J]: of each spring, then of each contact; of all stores; removed from each body.
    std::vector<double> stores() const;
    double stored() const;
    std::vector<double> numerical() const;
    // Velocity of a contact at the start of the last step, after a jump of its motions [m/s]; 0 if it was held.
    double start_velocity(std::size_t contact) const { return start_c_[contact]; }
    bool is_finite() const;
    long evaluations() { return solver_.equations().evaluations; }

  private:
    bool advance(double t, double dt, int halvings);
    double contact_velocity(std::size_t contact, CoupledEquations::When when) const;
    double counted(std::size_t contact, double c) const;
    void find_loads(double t, double dt);
    void commit(double dt);
    std::vector<double> finish_contacts();
    void record_contacts(double dt, const std::vector<double>& dissipation);
    void record_bodies(double dt, const std::vector<double>& change);
    void record_springs(double dt);
    void record_inputs(double dt);
    void stop_resting(double dt, std::vector<double>& change);
    void supply(std::size_t slot, double energy);
    void supply_motions(const Ends& ends, double force, bool of_spring, double dt, bool at_end);
    void update(double t);

    const MachineSystem& system_;
    const Machine& machine_;
    const Assembly& assembly_;
    CoupledEquations::Contacts contacts_;
    CoupledSolver solver_;
    CoupledState state_;
    std::vector<Sum> q_, v_, stretch_, motions_, sums_, numerical_;
    std::vector<double> loads_, next_loads_, rise_, start_c_, still_;
    std::vector<bool> held_;
    std::vector<Input> load_inputs_;
    std::vector<double> y_;
    MachineValues<double> values_;
};

}  // namespace bristle::simulation
