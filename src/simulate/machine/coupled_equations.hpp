// Equations of one coupled step of a machine, and their solution while each contact has a given role.
//
//   M (v+ - v)/dt = f - J' F,   q+ = q + dt w,   w = (v + v+)/2; in coordinates with held end velocity w = v+
//   contact  F = mean force with w_c = J w + b held; b is the mean of its motions' velocities at both ends, at held end velocity the last
//   spring   F = (V(s+) - V(s))/(s+ - s) + damping x/dt, x being the part of s+ - s that is outside the gap
//   drives   their states and the motion at the middle of the step; a state whose time constant is below dt/2 at the end
// so that work is change of stored energy plus dissipation for every part, for every dt and every w.
// Roles: a force on one side of a jump; inside a jump, where it is unknown and w_c is known; pinned at a bound of the jump while other
// contacts hold w_c. Several contacts that hold one body: the split changes least, as in holding.hpp.
// Unknowns: w, states of the drives, forces inside jumps. Newton's method with exact derivatives and a line search.
#pragma once
#include "numerics/dense_lu.hpp"
#include "simulate/machine/coupled_contact.hpp"
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

// State of a machine between coupled steps.
struct CoupledState {
    std::vector<double> q, v, a;  // per coordinate; a: mean acceleration of the last step, for the first guess
    std::vector<double> stretch;  // per spring: s [m]
    std::vector<double> force;    // per contact: mean force of the last step [N]
    std::vector<double> drives;
};

struct ContactRole {
    bool inside = false, pinned = false;
    int side = 0;
    bool operator==(const ContactRole&) const = default;
};

class CoupledEquations {
  public:
    using Contacts = std::vector<std::unique_ptr<CoupledContact>>;
    // Displacement of a motion as contacts and as springs take it [m], and its velocities at both ends [m/s].
    struct Moved {
        double v0 = 0, v1 = 0, of_spring = 0;
    };
    // of_coordinates, of_drives: as the unknowns; of_contacts: w_c [m/s]; forces: mean [N]
    struct Solution {
        std::vector<double> of_coordinates, of_drives, of_contacts, forces, spring_rates, spring_forces, motor_forces;
        std::vector<double> total;  // f - J' F per coordinate [N]
    };
    enum class Outcome { solved, contradictory, failed };  // contradictory: forces inside jumps that no motion allows

    CoupledEquations(const MachineSystem& system, const Contacts& contacts);

    // Begins a step; the contacts have to begin it with the velocity start_velocity(i).
    void begin(double t, double dt, const CoupledState& from);
    // c of a contact and ds/dt of a spring from the velocities of the coordinates, at an end of the step [m/s].
    enum class When { start, end };
    double contact_velocity(std::size_t contact, const std::vector<double>& v, When when) const;
    double spring_rate(std::size_t spring, const std::vector<double>& v, When when) const;
    double start_velocity(std::size_t i) const { return contact_velocity(i, from_.v, When::start); }
    // Sum of the magnitudes of the terms of c [m/s].
    double contact_speed(std::size_t contact, const std::vector<double>& v, When when) const;
    std::vector<double> end_velocities() const;  // of the coordinates, by the solution [m/s]
    double spring_row(std::size_t spring, std::size_t k) const { return springs_[spring].row[k]; }
    double spring_mass(std::size_t spring) const { return springs_[spring].mass; }  // infinity: both ends are given
    // Force and energy of a spring at an instant [N], [J].
    double force_at(std::size_t spring, double s, double rate) const;
    double stored_in_spring(std::size_t spring, double s) const;
    // Fraction of the step's stretch that is outside the gap.
    double outside(std::size_t spring, double rate) const;
    double spring_dissipation(std::size_t spring, double rate) const;  // J
    const Moved& moved(std::size_t motion) const { return motions_[motion]; }
    double applied(std::size_t force) const { return applied_[force]; }

    std::vector<bool> end_held;  // per coordinate; set_bases() after a change
    std::vector<ContactRole> roles;
    std::vector<ForceJump> jumps;
    void set_bases();
    double contact_base(std::size_t contact) const { return base_[contact]; }
    bool contact_end_held(std::size_t contact) const;

    void guess();       // first guess: w from the last acceleration, states and forces as before
    void guess_ends();  // after a change of end_held
    Outcome solve();
    const Solution& solution() const { return out_; }
    double end_state(std::size_t drive) const;
    // Values of the drives at an instant, in the layout of the states of MachineSystem.
    void drives_at(double t, const std::vector<double>& y, DriveValues<double>& out) { drives_.settle(t, y, out); }
    long evaluations = 0;

  private:
    static constexpr double rounding = std::numeric_limits<double>::epsilon();
    struct SpringRow {
        std::vector<double> row;  // ds/dt = row w + base
        double base = 0, mass = 0;
    };
    template <class S>
    S spring_force(std::size_t spring, const S& rate) const;
    int region(std::size_t spring, double s) const;
    template <class S>
    S beyond_gap(std::size_t spring, const S& s) const;

    Outcome newton();
    Outcome newton_continued();
    Outcome newton_over_fold();
    void evaluate(const std::vector<double>& x);
    void add_springs(const double* w);
    void add_contacts(const double* w, const double* inside);
    void add_drives(const std::vector<double>& x);
    void add_drive_slopes(const std::vector<double>& x);
    void add_row(const double* row, double force, double slope, double size);
    void copy_solution(const std::vector<double>& x);
    bool converged(double factor) const;

    const MachineSystem& system_;
    const Machine& machine_;
    const Assembly& assembly_;
    const Contacts& contacts_;
    Drives drives_;
    std::vector<double> weight_, time_constants_;
    std::vector<SpringRow> springs_;

    double t_ = 0, dt_ = 0;
    CoupledState from_;
    std::vector<Moved> motions_;
    std::vector<double> applied_, external_, base_;
    std::vector<double> gain_, drive_gain_;  // dt/M or dt/(2 M); dt or dt/2

    std::vector<std::size_t> inside_;
    std::vector<double> x_, r_, A_, f_, noise_, drive_noise_;
    double merit_ = 0, constraint_merit_ = 0;
    bool without_falling_ = false;  // the matrix without negative slopes of contacts
    std::vector<double> y_, rates_;
    std::vector<ChunkDual> y_dual_, rates_dual_;
    DriveValues<double> drive_values_;
    DriveValues<ChunkDual> drive_duals_;
    numerics::DenseLu lu_;
    Solution out_;
};

}  // namespace bristle::simulation
