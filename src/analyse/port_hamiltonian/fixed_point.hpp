// Fixed-point iteration with Aitken's relaxation, for equations whose matrices depend on the solution.
#pragma once
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/port_hamiltonian/vectors.hpp"

namespace bristle::inline analysis::port_hamiltonian {

// One evaluation of the map: its value, and for each entry the size of the terms that it is the sum of.
struct MapValue {
    Vector value, scale;
};

// Iterates  guess <- map(guess)  until each entry changes by at most 1e-13 of its scale; returns the number of evaluations.
// The step length follows from the last two evaluations (Aitken; the secant method for one unknown) and is halved if the residual has
// grown, so that oscillating and slow iterations converge too. The caller keeps what it needs of the last evaluation.
// Throws Error with the given message after 100 evaluations.
template <class Map>
int fixed_point(Vector guess, const Map& map, const char* message) {
    const std::size_t n = guess.size();
    Vector from = guess, move(n), before;  // the best guess so far, the step from there, the residual there
    double relaxation = 1;
    for (int i = 1; i <= 100; ++i) {
        const MapValue now = map(guess);
        Vector residual(n);  // in units of its scale
        double largest = 0;
        for (std::size_t k = 0; k < n; ++k) {
            if (now.value[k] != guess[k]) residual[k] = (now.value[k] - guess[k]) / now.scale[k];
            largest = std::max(largest, std::abs(residual[k]));
        }
        if (largest <= 1e-13) return i;
        if (before.empty() || dot(residual, residual) < dot(before, before)) {
            if (!before.empty()) {
                Vector change = residual;
                for (std::size_t k = 0; k < n; ++k) change[k] -= before[k];
                relaxation *= -dot(before, change) / dot(change, change);
            }
            from = guess;
            before = residual;
            for (std::size_t k = 0; k < n; ++k) move[k] = relaxation * (now.value[k] - guess[k]);
        } else {
            relaxation /= 2;
            for (double& m : move) m /= 2;
        }
        for (std::size_t k = 0; k < n; ++k) guess[k] = from[k] + move[k];
    }
    throw Error(message);
}

}  // namespace bristle::analysis::port_hamiltonian
