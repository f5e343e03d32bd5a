// Statistics of residuals: autocorrelation, independent rows, covariance of estimates with correlated residuals.
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

// Covariance of least-squares estimates, p x p row by row, robust to correlated residuals:
//   (J'J)^-1 S (J'J)^-1 n/(n - p),   S the long-run covariance of the scores J_i r_i
// correlated: Newey and West (1987), Bartlett weights, on sums over short blocks. Lag: 1.3 sqrt(blocks) (Lazarus, Lewis, Stock and Watson
// 2018), or by the AR(1) rule of Andrews (1991) if that is larger. Andrews' rule alone has the least mean square error of S, but S is
// then too small on average: of 95 % intervals one or two in a hundred too few contain the value.
// runs: S from the sums over whole runs. Static points: white residuals.
// curved: rows that enter J'J, if not all rows used (a robust loss is straight beyond its scale).
struct RobustCovariance {
    std::vector<double> matrix;
    double degrees_of_freedom;  // of S: 1.5 blocks/lag (Bartlett weights), runs - 1; infinity for static points
};
RobustCovariance robust_covariance(const Prepared& record, std::span<const double> J, std::span<const double> residual,
                                   std::size_t p, std::span<const std::uint8_t> use, ErrorKind kind,
                                   std::span<const std::uint8_t> curved = {});
// The classic covariance s^2 (J'J)^-1, for comparison.
std::vector<double> classic_covariance(std::span<const double> J, std::span<const double> residual, std::size_t p,
                                       std::span<const std::uint8_t> use);

// Scale of the Huber loss, in the unit of the residuals: 3 standard deviations, from the median of their sizes (0.6745 standard deviations).
double robust_scale(std::span<const double> residual, std::span<const std::uint8_t> use);

// 97.5 % point of Student's t distribution.
double student_975(double degrees_of_freedom);

}  // namespace bristle::identification
