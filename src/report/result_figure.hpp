// The figure of a run, or of several laid over each other: position, velocity and friction force over time, and beside
// them what the rig is best known by: the phase plane of what swings, the force over the displacement (or the velocity, where
// that is given) of what is moved or pushed.
#pragma once
#include <report/figure.hpp>
#include <report/outcome.hpp>

namespace bristle::report {

Figure figure_of(const std::vector<Outcome>& outcomes);

}  // namespace bristle::report
