// Steady motions of a machine with one free velocity: a loose body on a belt, a drive under a constant force.
#pragma once
#include "analyse/machine/steady_machine.hpp"

namespace bristle::inline analysis {

struct FoundVelocities {
    std::vector<SteadyState> states = {};
    bool complete = true;  // false: at some velocities the forces were not found
};
// Every velocity at which a contact is at rest and forces balance, and every other one at which they balance. Between the rests of contacts the
// force that nothing balances is scanned with 48 points per decade of the distance from them.
FoundVelocities balances_of_free_velocity(SteadyMachine& machine);

}  // namespace bristle::analysis
