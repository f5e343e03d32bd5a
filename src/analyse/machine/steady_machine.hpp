// Statics of a machine whose inputs are constant: velocities that springs and controllers allow, balance of forces at given velocities,
// and the linear motion about it.
//
// Unknowns of the balance: positions q, bristle states of contacts that slide, states of drives, and the forces F of contacts at rest:
//   0 = M v' (q, states) - J' F,   0 = rates of the states
// by Newton's method in the present modes of gaps and limits, which are set again at every step. States that their own equations determine
// are eliminated. The matrix of positions and integrals is singular where positions are free; its rows without a pivot are the conditions
// on F. Among these F the one of hold_contacts() is taken.
#pragma once
#include <bristle/analyse/machine_equilibrium.hpp>
#include <bristle/simulate/machine.hpp>

#include "analyse/equilibrium/equilibrium_system.hpp"
#include "numerics/elimination.hpp"
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline analysis {

struct SteadyState {
    MachineSystem::State y = {};
    std::vector<int> side = {};                         // per contact: side to which it slides; 0: at rest, and holds
    std::vector<double> c = {}, load = {}, force = {};  // per contact
    std::vector<double> low = {}, high = {};            // per contact: forces that it can hold [N]
    std::vector<double> net = {};                       // per coordinate: force that nothing balances [N]
    bool converged = false, balanced = false;
    // Sum of the magnitudes of all forces, at the end and in the first step of Newton's method [N].
    double force_size = 0, first_force_size = 0;
};

// dx/dt = A x
struct LinearMotion {
    std::vector<double> A = {};
    std::size_t n = 0, first_velocity = 0, velocities = 0;
    int free_positions = 0;
    std::vector<std::complex<double>> eigenvalues() const;  // without those of sets of equilibria
};

// The machine with the final values of its inputs. Throws EquilibriumError if one varies without end.
Machine at_end(Machine machine);

// Throws Error with all problems(machine), EquilibriumError for a machine without bodies.
void check_machine(const Machine& machine);

class SteadyMachine {
  public:
    explicit SteadyMachine(const Machine& machine);

    MachineSystem& system() { return system_; }
    const MachineSystem& system() const { return system_; }
    std::size_t coordinates() const { return system_.assembly().coordinates(); }
    std::size_t contacts() const { return setups_.size(); }

    // The velocities of the coordinates are base + sum of free[i] u_i with any u. Empty base: springs connect motions of different velocities.
    const std::vector<double>& base() const { return base_; }
    const std::vector<std::vector<double>>& free() const { return free_; }
    // c at these velocities, and dc/du of a free direction.
    std::vector<double> contact_velocities(const std::vector<double>& v) const;
    double slope(std::size_t contact, const std::vector<double>& direction) const;
    // Sides at these velocities: 0 where a contact that sticks is at rest, to rounding.
    std::vector<int> sides(const std::vector<double>& v) const;
    bool sticks(std::size_t contact) const;
    double settled_speed(std::size_t contact) const;
    double falling_speed(std::size_t contact) const;
    double viscous_slope(std::size_t contact, double load) const;  // mean of both directions [N s/m]

    // The steady state of these velocities, and sides as in sides(), from the start of the machine, or from the state without limits of motors
    // and controllers. all_gaps: where forces do not balance, open gaps are also closed in turn.
    SteadyState balance(const std::vector<double>& v, const std::vector<int>& side, bool all_gaps = true);
    // direction: of the motion of each contact that holds by a bristle.
    LinearMotion motion(const SteadyState& at, const std::vector<int>& direction);
    // All contacts slide fast, with these loads [N].
    LinearMotion fast_motion(const std::vector<double>& loads);
    // Loads of the contacts [N], with those of springs: at the start, and in the balance of a machine without free velocities; empty if
    // there is none.
    std::vector<double> loads_at_start();
    std::vector<double> loads_of_balance();
    // Gaps that are just closed, springs that give a load just without force, and limits just reached: the linear motion differs on both
    // sides.
    std::vector<MachineEdge> edges(const SteadyState& at);
    bool holds_exactly(std::size_t contact) const;  // a set-valued law

  private:
    // Linear equations of one step: G dx = -(rates - J' F), x being the unknown states.
    struct Balance {
        // Indices of the states. The equations are those of v' for q, and of their rates for the others.
        std::vector<std::size_t> unknown;
        std::size_t joint = 0;  // number of positions and integrals, which come first; the sizes of all below
        std::vector<double> G, rates;
        std::vector<std::vector<double>> left, right;
        std::vector<double> row_size;      // sum of the magnitudes in each equation
        double force_size = 0, worst = 0;  // worst: change of a joint unknown in this step, as a fraction
    };
    template <class F>
    auto law_at(std::size_t contact, double load, const F& use) const {
        setups_[contact].load = Input::constant(load);
        return use(equilibrium::EquilibriumSystem(setups_[contact]));
    }
    Balance newton(SteadyState& s);
    Balance newton_through_gaps(SteadyState& s);
    bool try_gaps(SteadyState& s, const Balance& b, int depth);
    // ds/dq of a spring, per coordinate; and its product with a direction d.
    std::vector<double> elongation(std::size_t spring) const;
    double elongation(std::size_t spring, const std::vector<double>& d) const;
    Balance step(SteadyState& s);
    void choose_forces(SteadyState& s, Balance& b) const;
    bool close_gap(SteadyState& s, const std::vector<double>& d, int only) const;
    void put_bristles(SteadyState& s) const;
    void sort_unknowns(const SteadyState& s, Balance& b) const;
    void solve(SteadyState& s, Balance& b) const;
    numerics::Elimination without_free_rows(Balance& b) const;
    std::vector<MachineSystem::Steady> modes(const SteadyState& s, const std::vector<int>* direction) const;

    MachineSystem system_;
    std::unique_ptr<SteadyMachine> unlimited_;    // without limits of motors and controllers; null if there are none
    mutable std::vector<bristle::Setup> setups_;  // law of each contact
    std::vector<double> base_;
    std::vector<std::vector<double>> free_;
    std::vector<std::size_t> free_row_;  // of each free direction: the coordinate that it alone moves
};

}  // namespace bristle::analysis
