// What a closed orbit says about itself: the public Cycle.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include "analyse/cycle/cycle_shoot.hpp"

namespace bristle::inline analysis {

// |velocity of the contact| below which it counts as stuck: run.stick_speed, or else the Stribeck velocity.
double stick_speed_of(const Setup& setup);

// The sizes of a cycle, or of a guess at one, seen once around.
CycleScale scale_of(const Flow& flow, const std::vector<double>& y, double period);

// Sees the orbit once around and fills in everything but the message.
Cycle cycle_of(const Setup& setup, const Flow& flow, const CycleScale& scale, const Closed& orbit, int max_points);

// The stick-slip cycle of the rig hybrid, in closed form.
Cycle hybrid_stick_slip(const Setup& setup, int max_points);

}  // namespace bristle::inline analysis
