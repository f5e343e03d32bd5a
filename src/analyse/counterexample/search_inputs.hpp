// A second opinion on passivity that knows nothing of the theory: a search over periodic inputs for one that draws energy.
//
// Inputs: two to four held velocities, a sawtooth, a sine with a bias; speeds over many decades around the law's own, each leg as long as
// a thousandth to ten times the bristle's reach; where a load range is given, either load on each leg, changed at rest.
// Score of an input: energy of one cycle once z repeats, as a share of all energy that its terms (spring, bristle damping, viscous)
// move: below 0 the cycle draws energy. Random draws, then each of the best improves by random steps that adapt their size.
// While searching, ramps and waves are stairs of held velocities, stepped by the law itself; what is returned starts relaxed, is a signal
// as it stands, and its energy is that of integrate() (replay.hpp): draws is set only beyond its tolerance.
//
// It finds, it does not prove: nothing follows from draws = false. Same seed, same answer.
#pragma once
#include "analyse/counterexample/counterexample.hpp"

namespace bristle::inline analysis {

struct SearchOptions {
    long budget = 20000;     // inputs to try
    unsigned long seed = 1;  // of the random draws
    double load_min = 1, load_max = 1;
    double vmax = any_speed;  // m/s
};
struct Searched {
    Counterexample best;   // the input with the lowest energy for its size, from a relaxed contact
    double score = 0;      // of its cycle, -1 to 1
    double tolerance = 0;  // J: energies nearer to zero than that count as nothing
    bool draws = false;    // best.energy < -tolerance
    long tried = 0;
};
Searched search_inputs(const AnyLaw& law, const SearchOptions& options = {});

}  // namespace bristle::inline analysis
