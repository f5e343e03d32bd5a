// Search over periodic inputs for one that extracts energy. It uses the step of the law and no theory.
//
// Inputs: two to four held velocities, a sawtooth, a sine with a bias; speeds over many decades around the speed scales of the law; each
// leg is 1e-3 to 10 deflection scales long. With a load range, each leg has one of the two loads, changed at rest.
// Score of an input: energy of one cycle once z repeats, as a fraction of the energy that its terms (spring, bristle damping, viscous)
// move; < 0: the cycle extracts energy. Random inputs first, then random steps of adaptive size from the best ones.
// During the search, ramps and waves are stairs of held velocities. The returned signal starts at z = 0, and its energy is that of
// integrate() (replay.hpp): extracts is set only beyond its tolerance.
//
// extracts = false proves nothing. The same seed gives the same result.
#pragma once
#include "analyse/counterexample/counterexample.hpp"

namespace bristle::inline analysis::counterexample {

struct SearchOptions {
    long budget = 20000;     // inputs to try
    unsigned long seed = 1;  // of the random numbers
    double load_min = 1, load_max = 1;
    double vmax = any_speed;  // m/s
};
struct Searched {
    Counterexample best;    // the input with the lowest energy relative to its gross energy, from z = 0
    double score = 0;       // of its cycle, -1 to 1
    bool extracts = false;  // best.energy < -best.tolerance
    long tried = 0;
};
Searched search_inputs(const AnyLaw& law, const SearchOptions& options = {});

}  // namespace bristle::analysis::counterexample
