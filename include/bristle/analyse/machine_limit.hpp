// Limit of hunting of a machine with continuous controllers along one number, by simulation from several starts.
//
//   const auto axis = [](double Ki) { return Machine{...}; };
//   const Limit gain = limit(axis, 10, {1, 1000});   // gain.without: no hunting from gain.starts starts, gain.with: hunting
//
// The search evaluates values at factors of 2 from the start, upward first if the machine does not hunt there, otherwise downward first.
// At each value the machine runs from three starts: its own, and with the integrals wound up to both sides by three times the friction. With a limit of
// a motor or controller there are two more: the largest integrals that the limits permit, on both sides. Each motion is followed until it rests
// or its hunting repeats. The change is then halved: the hunting motion goes on under the inputs of each new value, so that it is followed down
// to its end. There the motions from all starts are followed once more; if one persists, the search goes on from that one.
// found: `with` and the end of the hunting motion are within the accuracy. `without` is up to 2 % further on if the motions from other
// starts last too long before it. If no such neighbours decide, the outcome is undecided, with its bracket.
// Limits: references must end at rest within run.duration. A cycle that none of these motions reaches is not found, nor is a change and its
// reverse within a factor of 2.
#pragma once
#include <bristle/analyse/limit.hpp>
#include <bristle/simulate/machine.hpp>

#include <functional>

namespace bristle::inline analysis {

using MachineFamily = std::function<Machine(double)>;

struct MachineLimitOptions {
    double accuracy = 1e-3;  // largest distance of `with` from the end of its motion, as a fraction of the limit
    int patience = 6;        // a motion that neither rests nor repeats is followed so many times, each twice as long
};

// Returns the limit in the window, which holds the start and not 0. Throws Error for a machine without controllers, Cancelled.
Limit limit(const MachineFamily& family, double start, Window window, const MachineLimitOptions& options = {},
            const Progress& progress = {});

// The same in limit_window(start).
Limit limit(const MachineFamily& family, double start);

}  // namespace bristle::analysis
