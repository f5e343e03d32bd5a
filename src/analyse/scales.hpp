// The sizes that a law brings along: how far its bristles bend, how hard it holds, at which speeds it changes. For choosing grids
// and tolerances; nothing is decided by them.
#pragma once
#include <bristle/simulate/law.hpp>

namespace bristle::inline analysis {

struct Scales {
    double deflection;                                    // of a bristle at its bound [m]; 1e-6 for a law without one
    double force;                                         // the peak of the curve under the load [N]
    double slowest, fastest;                              // of the speeds that stand in its equations [m/s]
    double energy() const { return force * deflection; }  // [J]
};
Scales scales_of(const AnyLaw& law, double load);

}  // namespace bristle::inline analysis
