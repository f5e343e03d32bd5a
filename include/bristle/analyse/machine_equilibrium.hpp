// Equilibria of a machine and their stability: rest, and steady motion with constant velocities.
//
//   const MachineEquilibria all = equilibria(axis);
//   for (const MachineEquilibrium& e : all.found) e.stable(), e.value("load.x"), e.eigenvalues;
//
// Inputs have their final values: the last value of steps, ramps and moves. In equilibrium all velocities, spring elongations, forces and
// states of controllers are constant:
//   springs and controllers of a position determine velocities: v_first = v_second, v_sensor = 0
//   0 = f - J' F   with F = F_ss(c), A08 (26), of a contact that slides; a contact at c = 0 holds any force up to its level
// No velocity is free: one equilibrium. One velocity u is free (a body on a belt, or under a constant force): every u at which a contact is
// at rest and holds, and every u that balances the forces, scanned with 48 points per decade. Two or more are free: only rest against the
// contacts is sought (MachineEquilibria::complete is false).
//
// At rest the equilibria form sets. The reported one has the smallest holding forces: 0 where springs and motors allow, otherwise those that
// statics needs, with the smallest sum of F^2/m_c, m_c being the mass that the contact alone moves while springs keep their lengths.
// Free positions are those of the start. A force at a gap closes it.
//
// Linearised by dual numbers in the mode of the equilibrium, without the zero eigenvalues of free positions and along sets. A bristle that
// holds is a spring and a damper that differ for the two directions of motion, A08 (13).
// Limits: that of the number of free velocities above; stable means locally stable. Where several contacts have a direction each, or where
// dry friction holds exactly and an integral acts, stability is undecided, with a reason.
#pragma once
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/simulate/machine.hpp>

namespace bristle::inline analysis {

// Why linear motion does not decide the stability.
enum class UndecidedReason {
    none,                // it does
    integral,            // contacts hold exactly, and the integral of a controller acts
    several_directions,  // two or more contacts that hold differ for their directions of motion
    at_level,            // a contact that holds is at its level
    at_edge  // a gap is just closed, a load spring without force, or a limit of a motor or controller just reached
};
const char* name_of(UndecidedReason reason);  // "none" ...

// A part at the edge of two pieces of its equation.
struct MachineEdge {
    enum class Of {
        gap,   // the gap of a spring is just closed
        load,  // the load spring of a contact is without force
        limit  // the limit of a motor or controller is just reached
    } of = Of::gap;
    std::string part = {};  // spring, contact, motor or controller
};

struct MachineEquilibrium {
    struct Contact {
        std::string name = {};
        double velocity = 0;  // [m/s]
        double force = 0;     // [N]
        bool holds = false;   // at rest, by friction; false: slides, or is at rest where friction holds no force
        double set_low = 0, set_high = 0;  // forces that the contact can hold [N]; 0 if it does not hold
        bool rotary = false;               // units rad/s, N m
    };
    // sliding: a contact slides. stuck: no contact slides, and friction holds at least one. rest: all others. Bodies can move in all three.
    EquilibriumKind kind = EquilibriumKind::rest;
    bool moves = false;       // a body moves with constant velocity
    bool is_carried = false;  // a contact holds a body that moves, for example on a belt
    // x and v of the bodies, states of the contacts (z, or F1, F2 ...), I and D of controllers, F of motors with a lag. A body that moves has
    // its position at the instant for which the machine is solved; only differences of such positions have a meaning.
    std::vector<StateValue> states = {};
    std::vector<Contact> contacts = {};
    bool is_one_of_a_set = false;  // contacts hold: neighbouring positions or integrals are equilibria too
    int free_positions = 0;        // number of directions in which no force depends on the position
    // By falling real part [1/s]. Contacts that hold by bristles: for motion of all with c > 0, and of all with c < 0.
    std::vector<std::complex<double>> eigenvalues = {}, eigenvalues_negative = {};
    Stability stability = Stability::undecided;
    UndecidedReason undecided = UndecidedReason::none;
    std::vector<MachineEdge> edges = {};  // parts at an edge, for any reason
    bool stable() const { return stability == Stability::stable; }
    double frequency = 0;                        // |Im| of the least damped oscillation [rad/s]; 0: none
    double damping = 0;                          // its damping ratio -Re/|eigenvalue| [1]
    double value(std::string_view state) const;  // by name, "load.x"; NaN if there is no such state
};

struct MachineEquilibria {
    std::vector<MachineEquilibrium> found = {};  // those in which most contacts hold first
    // False: two or more velocities are free, and sliding was not sought; or the forces at some velocities were not found.
    bool complete = true;
};

// Throws EquilibriumError if an input or load varies without end, if springs connect motions of different velocities, and if no force
// balance exists; Error with all problems(machine).
MachineEquilibria equilibria(const Machine& machine);

// Control loop of a machine whose contacts all slide fast: the level of friction does not act on small changes, viscous friction does.
// Limits of motors and controllers do not act, and gaps are closed. The load of a contact, which can change its viscous friction, is that
// of the equilibrium, with the force of its load spring; that of the start if there is none, or if a velocity is free.
struct MachineSlidingLoop {
    // Largest Ki of one controller with which the loop is stable, the others as they are. Searched by factors of 2 from the value of the
    // machine, and by bisection: the first change of stability. 0: unstable with every Ki; infinity: stable up to 1e12 times it.
    struct Gain {
        std::string controller;
        double largest_Ki;
    };
    std::vector<std::complex<double>> eigenvalues = {};  // by falling real part [1/s], without free positions
    Stability stability = Stability::undecided;
    std::vector<Gain> gains = {};  // of controllers with Ki > 0
};
// std::nullopt if the machine has no controller with an integral. Throws Error with all problems(machine).
std::optional<MachineSlidingLoop> sliding_loop(const Machine& machine);

}  // namespace bristle::analysis
