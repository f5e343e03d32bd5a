// Test of residuals against white noise, with the correlation by the filter of the fit taken out.
//
// Noise that is white in the record is not white after the filter H of the fit: its autocorrelation is that of H's impulse response. Rows
// are therefore tested at intervals of about 1/(2 bandwidth), and each is replaced by its error of prediction from the rows before it, with
// the coefficients for white noise through H (Levinson and Durbin). These errors are white if and only if the noise within the bandwidth is.
// Statistic of Ljung and Box (1978): Q = n (n + 2) sum over lags k of r_k^2/n_k, with n_k pairs of rows at lag k, within unbroken rows of a run.
// Assumes residuals of constant variance. Rows that were interpolated because of jitter count as measured ones.
#pragma once
#include "identify/signals/prepare.hpp"

namespace bristle::inline identification {

// Lags of the test, if there are enough rows: pairs at each lag, and rows in all.
inline constexpr int whiteness_lags = 20;
inline constexpr std::size_t least_pairs = 20, least_tested_rows = 50;

// p_value is NaN with fewer than least_tested_rows rows, for static points, and for residuals of zero.
WhitenessTest whiteness_of(const Prepared& record, std::span<const double> residual, std::span<const std::uint8_t> use);

// Autocorrelation of white noise through the zero-phase filter at lags 0, step, 2 step ... samples; `count` numbers, the first is 1.
std::vector<double> filter_autocorrelation(double bandwidth, double sample_rate, std::size_t count,
                                           std::size_t step = 1);

}  // namespace bristle::identification
