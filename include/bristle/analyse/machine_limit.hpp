// Limit of hunting of a machine with continuous controllers along one number, by simulation from any start.
//
//   const auto axis = [](double Ki) { return Machine{...}; };
//   const Limit gain = limit(axis, 10, {1, 1000});   // gain.without: no hunting from any start, gain.with: hunting
//
// The search evaluates values at factors of 2 from the start, upward first if the machine does not hunt there, otherwise downward first.
// At each value the machine runs from its own start and from starts with the integral wound up to both sides, until it rests or its
// hunting repeats. The change is then halved: the hunting motion goes on under the inputs of each new value, so that it is followed down to its
// end.
// Limits: references must end at rest within run.duration. A cycle that none of these motions reaches is not found, nor is a change and its
// reverse within a factor of 2. Near the end of a cycle motions last long; then the neighbours are further apart than the accuracy asked for.
#pragma once
#include <bristle/analyse/limit.hpp>
#include <bristle/simulate/machine.hpp>

#include <functional>

namespace bristle::inline analysis {

using MachineFamily = std::function<Machine(double)>;

struct MachineLimitOptions {
    double accuracy = 1e-3;  // largest distance of the neighbours, as a fraction of the limit
    int patience = 6;        // a motion that neither rests nor repeats is followed so many times, each twice as long
};

// Returns the limit in the window, which holds the start and not 0. Throws Error for a machine without controllers, Cancelled.
Limit limit(const MachineFamily& family, double start, Window window, const MachineLimitOptions& options = {},
            const Progress& progress = {});

}  // namespace bristle::analysis
