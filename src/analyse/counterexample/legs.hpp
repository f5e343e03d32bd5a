// The beginning of an input, leg by leg, for pictures: each leg has as many samples as any other, so that a pulse of a microsecond after a
// second of creep is as well resolved as the creep. By the integrator of replay.hpp.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis {

struct LegSample {
    double leg;   // legs passed: 2.5 is the middle of the third
    double v;     // m/s
    double x;     // way of the contact [m]
    double F;     // N
    double work;  // done on the contact so far [J]
};
// At most so many legs, each with that many steps from sample to sample; fewer legs where the integration gives up.
std::vector<LegSample> replay_legs(const AnyLaw& law, const Counterexample& signal, std::size_t max_legs, int steps);

}  // namespace bristle::inline analysis
