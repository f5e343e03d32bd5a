// The public Cycle of a closed orbit.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis::cycle {

// Returns the sizes of a cycle, or of a guess, from one period of its motion.
CycleScale scale_of(const Flow& flow, const std::vector<double>& y, double period);

// Integrates the orbit over one period and fills in everything but `motion`. max_points: of the recorded orbit.
Cycle cycle_of(const Setup& setup, const Flow& flow, const CycleScale& scale, const ClosedOrbit& orbit, int max_points,
               CycleSource source);

// Returns the stick-slip cycle of Method::hybrid in closed form.
Cycle hybrid_stick_slip(const Setup& setup, int max_points);

}  // namespace bristle::analysis::cycle
