// The steps of an encoder in a measured position: their size, the noise they leave, the bandwidth that removes it.
#pragma once
#include "identify/signals/prepare.hpp"

namespace bristle::inline identification {

// Step of the encoder [m]: the smallest difference, if almost all differences are its multiples; 0 if not.
double resolution_of(const std::vector<double>& x);

// Twice the lowest bandwidth [Hz] of a grid that removes nothing but encoder noise from the acceleration: in every window of one period,
// what it removes has at most 2.5 times the standard deviation of that noise. At twice that bandwidth the filter, of order 8, weakens
// motion that was hidden in the noise by less than 1/256. At most `bandwidth`.
double motion_bandwidth(const std::vector<double>& position, double dt, double resolution, double bandwidth);

// Sets velocity_error and the directions of a record with an encoder. Marks rows around which, as far as the filter reaches, the velocity is below three times its error by the encoder.
void mark_directions(Prepared& record);

}  // namespace bristle::identification
