// First legs of an input, for figures: all legs have the same number of samples, so that a pulse of 1 us after 1 s of slow motion is as
// well resolved as the slow motion. Integrated as in replay.hpp.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::counterexample {

struct LegSample {
    double leg;   // legs completed: 2.5 is the middle of the third
    double v;     // m/s
    double x;     // displacement of the contact [m]
    double F;     // N
    double work;  // done on the contact so far [J]
};
// Returns at most max_legs legs with steps + 1 samples each; fewer legs if the integration fails.
std::vector<LegSample> replay_legs(const AnyLaw& law, const Counterexample& signal, std::size_t max_legs, int steps);

}  // namespace bristle::analysis::counterexample
