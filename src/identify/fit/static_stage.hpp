// First stage of a fit: the static curve with all terms of the axis, by linear least squares on a grid of Stribeck velocities, refined around
// its best point.
//
//   y ~ s (1 - e) Fc + s e Fs + sigma2 v + terms,   s = sgn v,  e = exp(-|v/vs|^alpha),  separately for each direction
// For a given vs the model is linear with coefficients >= 0, so no start is needed. The delay of the force is found by a scan, and the
// decision whether directions differ by the Bayesian information criterion with the number of independent rows.
// Loss::huber: rows have weights sqrt(rho') of the residuals of the curves with own directions, found again three times; all scans use the
// same weights.
#pragma once
#include <bristle/identify/stages.hpp>

#include "identify/fit/problem.hpp"

namespace bristle::inline identification {

struct StaticStage {
    StaticCurve positive, negative;  // equal unless directions differ
    double c = 0;                    // s/m: slope of a smooth start tanh(c v); 0: not known
    double cost = 0;                 // sum of squares, weighted with a robust loss
    std::vector<double> residual;    // one per row, in the unit of y
    double independent_rows = 0;
};

// Sets the start values of the axis: coefficients of its terms, delay, gain, and own_directions if that is automatic.
StaticStage static_stage(const Prepared& record, Axis& axis, Directions directions, std::span<const std::uint8_t> use,
                         Loss loss);

// Period [m] of a ripple in the residual over the position; 0 if there is none that matters.
double ripple_period(const Prepared& record, std::span<const double> residual, std::span<const std::uint8_t> use,
                     double independent_rows);

}  // namespace bristle::identification
