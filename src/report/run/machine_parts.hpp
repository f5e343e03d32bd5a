// The parts of a machine in reports of runs: states, units of keys, energies, figure.
#pragma once
#include "report/figure/figure.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

// Names and units of the states of an experiment, rig or machine, as far as they are signals.
std::vector<Named> states_of(const experiment::Experiment& experiment);

// "2 bodies, 1 spring, 1 contact (lugre), 1 force"
std::string parts_in_words(const Machine& machine);

// The unit of a number at a key of a part, such as "spring.shaft.stiffness"; empty if it has none or is unknown.
std::string unit_of_part_key(const experiment::Experiment& experiment, const std::string& key);

// Times of stick of a contact, as those of a rig.
Measures measures_of_contact(const Result& result, const std::string& contact);

// The energies of the parts in lines {head, text}: what each supplied, stored and dissipated; parts with 0 are left out.
std::vector<std::pair<const char*, std::string>> energy_by_part(const Energy& energy);

// Positions, velocities and forces over time; beside them friction over slip velocity. Several runs: those of the body at the first
// contact, so that the lines are those of the runs.
Figure machine_figure(const std::vector<Outcome>& outcomes);

}  // namespace bristle::report
