// Equations of a machine for the solver: states, their rates in the present mode, guards, and the ledger as quadratures.
//
//   states       q, v of every coordinate; positions of the motions with a given velocity; states of the contacts; of the drives
//   quadratures  supplied and dissipated energy of the machine; then of each part (Slots)
//   v' = M^-1 (f - J' F),   c = J v + b(t)
// The force of a contact has one of these roles:
//   law      from the law at c, in its present mode
//   held     constraint force that keeps c constant: F = split + P (r - A split), with r = dc/dt without held contacts
//   pinned   at rest, at its level; other held contacts keep it at rest
// P, A: holding.hpp. Sign: F has the sign of c and is subtracted at the first end.
#pragma once
#include "simulate/integrate.hpp"
#include "simulate/machine/assembly.hpp"
#include "simulate/machine/contact_law.hpp"
#include "simulate/machine/drives.hpp"
#include "simulate/machine/holding.hpp"
#include "simulate/machine/machine_stepper.hpp"

namespace bristle::inline simulation {

// Values at an instant, over double or dual numbers.
template <class S>
struct MachineValues {
    std::vector<S> y, f, w;
    std::vector<S> x, v, applied;                        // per node: position, velocity, force of all parts [N]
    std::vector<S> stretch, stretch_rate, spring_force;  // per spring: s [m], ds/dt, F [N]
    std::vector<S> c, load, force;                       // per contact
    std::vector<S> given;                                // per force [N]
    std::vector<S> total, a;                             // per coordinate: force [N], dv/dt
    std::vector<ContactAnswer<S>> answer;
    DriveValues<S> drives;
};

// First quadrature of each kind of part.
struct Slots {
    std::size_t bodies, springs, contacts, motions, forces, motors, count;
};

// Returns the load of a contact without that of a spring [N].
Input load_of(const ContactPart& contact);

class MachineSystem {
  public:
    static constexpr bool several = true;
    static constexpr std::size_t states = any_size, quadratures = any_size;
    using State = std::vector<double>;
    using Values = MachineValues<double>;
    enum class Role { law, held, pinned, excluded };

    // Mode of a contact in a steady motion, for analyses.
    struct Steady {
        enum class Mode {
            sliding,  // towards a side (ContactLaw::slide)
            resting,  // c = 0, about to move towards a side; laws with a bristle
            holding,  // c = 0, held exactly; set-valued laws
            absent    // without force
        } mode = Mode::absent;
        double side = 1;   // sliding, resting
        double force = 0;  // holding: start of the constraint force [N]
    };

    explicit MachineSystem(const Machine& machine);

    const Machine& machine() const { return machine_; }
    const Assembly& assembly() const { return assembly_; }
    std::size_t size() const { return size_; }
    std::size_t quadrature_count() const { return slots_.count; }
    const Slots& slots() const { return slots_; }
    const ContactLaw& law(std::size_t contact) const { return *contacts_[contact].law; }
    std::size_t first_state(std::size_t contact) const { return contacts_[contact].first; }
    // False for a contact between two given motions.
    bool is_free(std::size_t contact) const { return contacts_[contact].free; }
    const Drives& drives() const { return drives_; }
    double applied(std::size_t force, double t) const { return forces_[force].value(t); }
    // Sets the tolerances of a contact: velocities [m/s] and forces [N] that count as zero.
    void set_tolerance(std::size_t contact, double still, double force) {
        contacts_[contact].still = still;
        contacts_[contact].slack = force;
    }

    State start() const;
    // Takes the pieces of all inputs from t on. At t > 0 adds the work of load jumps to y.
    void set_pieces(double t, State& y);
    double next_corner(double t) const;
    double shortest_period(double duration) const;

    // Counts the changes of mode and of pieces.
    long mode() const { return mode_; }
    // Returns values with f and w, the rates of states and quadratures; they hold until the next call.
    const Values& rates(double t, const std::vector<double>& y) const;
    void linearise(double t, const State& y, MachineLinearisation& out) const;
    // Returns the values at an instant; they hold until the next call.
    const Values& values(double t, const State& y) const;
    double stored(double t, const State& y) const;
    double stored(const Values& k) const;
    double stored_in_spring(std::size_t i, double t, const State& y) const;
    double stored_in_contact(std::size_t i, double t, const State& y) const;
    double position(const Node& node, double t, const State& y) const;
    double velocity(const Node& node, double t, const State& y) const;

    // Modes. Guards: those of each contact, then those of each spring, then those of each limit of the drives.
    int guards() const;
    bool held(int guard) const;
    double slack(int guard) const;
    double guard(int i, double t, const State& y, const MachineStepper& stepper, double fraction, double over) const;
    void settle_springs(double t, const State& y);  // sides of gaps, signs of the loads, limits of the drives
    void settle(double t, State& y);                // at the start
    void renew(double t, State& y);                 // after a corner of an input
    void set_steady(const std::vector<Steady>& contacts, double t, const State& y);
    // Changes the mode at a guard that failed. located: at its zero; otherwise it is not valid from the start of the step.
    // Returns the number of reversals.
    template <class Observer>
    int change_mode(int i, double t, State& y, Observer& observer, bool located) {
        change(i, t, y, located);
        for (const std::size_t contact : reversed_) observer.reversal(t, contact);
        return int(reversed_.size());
    }

  private:
    struct Contact {
        std::unique_ptr<ContactLaw> law;
        std::size_t first = 0, count = 0;
        bool free = true;  // false: the motion of both ends is given
        double mass = 0;   // 1/A_ii [kg]
        std::size_t first_node = 0, second_node = 0;
        int load_spring = -1;
        Piece load;
        Role role = Role::law;
        double pin = 0;    // pinned: sign of the force
        double split = 0;  // held: force at the last change of mode [N]
        double still = 0, slack = 0;
    };
    struct SpringPart {
        double stiffness, damping, gap, rest;
        std::size_t first, second;  // nodes
        int side = 0;               // of the gap: 0 inside
        bool is_open() const { return gap > 0 && side == 0; }
        double load_sign = 1;
        bool is_load = false;
    };
    // A part that acts on a node.
    struct Pull {
        enum class Of { spring, contact, force, motor } of;
        std::size_t part;
        double sign;
    };
    struct Part {
        enum class Of { contact, spring, limit } of;
        std::size_t index;
        int local;
    };
    // Decision on one contact that an event has made.
    struct Forced {
        int contact = -1;
        int slip = 0;  // direction; 0: held
    };
    struct Undecided {
        std::vector<std::size_t> contacts;
        std::vector<double> F;  // start [N]
        HoldingProblem problem;
    };

    template <class S>
    S position_of(const Node& node, const S& t, const std::vector<S>& y) const;
    template <class S>
    S velocity_of(const Node& node, const S& t, const std::vector<S>& y) const;
    template <class S>
    S motion_acceleration(const Node& node, const S& t) const;
    template <class S>
    S base_acceleration(std::size_t contact, const S& t) const;
    template <class S>
    void evaluate_springs(const S& t, MachineValues<S>& k) const;  // and motions, loads, drives
    void take_state(const State& y, Values& k) const;
    const Values& values_without_forces(double t, const State& y) const;
    double stored_in_spring(std::size_t i, const Values& k) const;
    double stored_in_contact(std::size_t i, const Values& k) const;
    template <class S>
    static const S& force_of(const Pull& pull, const MachineValues<S>& k);
    template <class S>
    void sum_forces(MachineValues<S>& k) const;
    template <class S>
    void evaluate_held(const S& t, MachineValues<S>& k) const;
    template <class S>
    void evaluate(const S& t, MachineValues<S>& k) const;
    bool load_changes(std::size_t contact) const;
    template <class S>
    void power(const S& t, MachineValues<S>& k) const;
    template <class S>
    S load_rate(std::size_t contact, const S& t, const MachineValues<S>& k) const;
    template <class S>
    void prepare(MachineValues<S>& k) const;

    Part part_of(int guard) const;
    int guards_of(std::size_t contact) const;
    int guards_of_spring(std::size_t spring) const;
    double spring_guard(const Part& part, const Values& k) const;
    bool needs_forces(const Part& part) const;
    double acceleration(std::size_t contact, double t, const Values& k) const;
    Moment moment(std::size_t contact, double t, const Values& k) const;
    double rise_after(std::size_t contact, double t) const;
    double rest_limit(std::size_t contact, double t, const Values& k) const;

    void begin_mode();
    void change(int i, double t, State& y, bool located);
    void change_spring(const Part& part, double t, const State& y);
    void reverse(std::size_t contact, double t, State& y, bool located);
    void stop(std::vector<std::size_t> contacts, double t, State& y);
    void settle_set_valued(double t, const State& y, const Forced& forced, bool from_zero = false);
    Undecided undecided_contacts(double t, const Values& k, const Forced& forced, bool from_zero) const;
    void complete(Undecided& set, double t, const State& y);
    void release_from(Undecided& set, const Values& k, const Forced& forced);
    void apply(std::size_t contact, const Values& k, Role role, double force);
    void collect_held();

    Machine machine_;
    Assembly assembly_;
    std::vector<Contact> contacts_;
    Drives drives_;
    std::vector<SpringPart> springs_;
    std::vector<Pull> pulls_;             // of the first node, of the second one ...
    std::vector<std::size_t> pulls_end_;  // per node: end of its part of pulls_
    std::vector<Piece> motions_, forces_;
    std::vector<int> motion_states_;  // per motion: state of its position; -1: the position is given
    std::vector<double> mobility_;    // 1/mass, per coordinate
    std::size_t size_ = 0;
    Slots slots_{};
    std::vector<std::size_t> held_;  // contacts with the role held
    std::vector<double> P_;          // of these
    std::vector<std::size_t> reversed_;
    double change_time_ = -1;
    std::vector<int> changes_;  // of each contact at this instant
    std::vector<bool> jumped_;  // contacts whose prescribed velocity jumped at the last corner
    mutable Values work_, values_, guard_;
    mutable MachineValues<ChunkDual> dual_;
    long mode_ = 0;
    mutable long guard_serial_ = -1;
    mutable double guard_fraction_ = -1;
    mutable bool guard_has_forces_ = false;
};

}  // namespace bristle::simulation
