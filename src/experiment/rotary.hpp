// Words and units of a rotary axis: "stiffness of the spring, in N m/rad", "an inertia under an external torque".
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::experiment {

// True if N is N m and m is rad. False for a machine, whose parts have their own units, and for a rig without linear coordinate.
bool has_rotary_units(const Experiment& experiment);
// False for a rig whose coordinate is an angle: its own table has rad and m.
bool has_linear_coordinate(const Rig& rig);

// The unit with each of its words replaced: "N s/m" is "N m s/rad".
std::string rotary_unit(const std::string& unit);
// The text with inertia for mass, torque for force, angle for position and displacement. Quoted text and names of keys, values and
// options ("rig.mass", "forced_mass", "mass = 2", "--force") stay.
std::string rotary_words(const std::string& text);

// The problem with rotary words and units.
Diagnostic with_rotary_units(Diagnostic diagnostic);

}  // namespace bristle::experiment
