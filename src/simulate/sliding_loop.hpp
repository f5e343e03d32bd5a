// Stability of a controlled mass while its contact slides fast, where the level of friction does not act on small changes (divergence.hpp).
#pragma once
#include <bristle/simulate/setup.hpp>

#include <optional>

namespace bristle::inline simulation {

struct SlidingLoop {
    bool stable = false;
    double largest_gain = 0;  // Ki below which the loop is stable, by Routh [rig's units]; 0: none
};

// std::nullopt if the rig has no controller with an integral.
std::optional<SlidingLoop> sliding_loop(const Setup& setup);

}  // namespace bristle::simulation
