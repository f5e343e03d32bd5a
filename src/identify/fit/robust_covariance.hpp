// Covariance of least-squares estimates with correlated residuals, and the Student point of their intervals.
//
//   (J'J)^-1 S (J'J)^-1,   S the long-run covariance of the scores J_i r_i
// correlated: Newey and West (1987), Bartlett weights K, on sums over short blocks. Lag: 1.3 sqrt(blocks) (Lazarus, Lewis, Stock and Watson
// 2018), or by the AR(1) rule of Andrews (1991) if that is larger. Andrews' rule alone has the least mean square error of S, but S is
// then too small on average: of 95 % intervals one or two in a hundred too few contain the value.
// runs: S from the sums over whole runs. Static points: white residuals, the classic covariance.
//
// A parameter that acts in a few short stretches only (the steepness of a curve at rest acts in reversals) has few independent rows
// although the record is long. With the weight a_i of row i in the estimate (a row of (J'J)^-1 J'), for residuals of equal variance:
//   factor  1/(1 - f),  f = sum_ij K_ij a_i a_j H_ij / sum_i a_i^2,  H = J (J'J)^-1 J'
//           of the variance: the fit makes residuals smaller where the parameter acts;
//   degrees of freedom  (1 - f) (sum_i a_i^2)^2 / sum_ij K_ij^2 a_i^2 a_j^2
//           of the variance, by Satterthwaite (1946); 1.5 blocks/lag if all rows have the same weight.
// The same two corrections for clusters: Bell and McCaffrey (2002).
#pragma once
#include "identify/signals/prepare.hpp"

namespace bristle::inline identification {

// Rows of a fit: derivatives J (p in a row) and residuals of all rows of a record, of which `use` marks those fitted. curved: rows that
// enter J'J, if not all rows used (a robust loss is straight beyond its scale).
struct FittedRows {
    const Prepared& record;
    std::span<const double> J, residual;
    std::size_t p;
    std::span<const std::uint8_t> use, curved = {};
};

struct RobustCovariance {
    std::vector<double> matrix;              // p x p, row by row
    std::vector<double> degrees_of_freedom;  // of each variance; infinity for static points
};
RobustCovariance robust_covariance(const FittedRows& rows, ErrorKind kind);

// Covariance by a wild block bootstrap: the scores of each block of `length` rows get a random sign, and one Gauss-Newton step gives the
// parameters.
RobustCovariance bootstrap_covariance(const FittedRows& rows, std::size_t length, int resamples, std::uint64_t seed);

// The classic covariance s^2 (J'J)^-1, for comparison.
std::vector<double> classic_covariance(std::span<const double> J, std::span<const double> residual, std::size_t p,
                                       std::span<const std::uint8_t> use);

// 97.5 % point of Student's t distribution.
double student_975(double degrees_of_freedom);

}  // namespace bristle::identification
