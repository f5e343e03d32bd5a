// Statistics of residuals: autocorrelation, independent rows, errors, scale.
#pragma once
#include "identify/signals/prepare.hpp"

namespace bristle::inline identification {

// Autocorrelation at lags 0 .. max_lag samples, within runs, over the rows used. Rows that are not used count as 0.
std::vector<double> autocorrelation(const Prepared& record, std::span<const double> residual,
                                    std::span<const std::uint8_t> use, std::size_t max_lag);

// Integrated correlation time in samples, 1 + 2 sum of rho, up to the first lag with rho < 0.05. At least 1; 1 for static points.
double correlation_length(const Prepared& record, std::span<const double> residual, std::span<const std::uint8_t> use);

// Errors of the model over the rows used.
FitError fit_error(const Prepared& record, std::span<const double> residual, std::span<const double> y,
                   std::span<const std::uint8_t> use);

// Scale of the Huber loss, in the unit of the residuals: 3 standard deviations, from the median of their sizes (0.6745 standard deviations).
double robust_scale(std::span<const double> residual, std::span<const std::uint8_t> use);

}  // namespace bristle::identification
