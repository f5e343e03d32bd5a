// Scales of a law: deflection, force and speeds. For the choice of grids and tolerances; no verdict depends on them.
#pragma once
#include <bristle/simulate/law.hpp>

namespace bristle::inline analysis {

struct Scales {
    double deflection;        // bound of the bristle deflection [m]; 1e-6 for a law without bristles
    double force;             // largest level under the load [N]
    double slowest, fastest;  // speeds in its equations [m/s]
    double energy() const { return force * deflection; }  // [J]
};
Scales scales_of(const AnyLaw& law, double load);

}  // namespace bristle::analysis
