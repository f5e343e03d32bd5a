// Dense least squares on long tables: triangular factor of all rows, solutions, covariances, non-negative solutions.
// The factor is computed in fold.cpp; the rest by Eigen, inside least_squares.cpp only.
//
// A table has one row per sample and p columns, row by row. Columns are scaled to unit length inside, so units do not matter.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::inline identification {

// The table [J r] folded to its triangular factor: the same sums of squares and products in p + 1 rows.
struct Folded {
    std::size_t p = 0;
    std::vector<double> R;  // (p + 1) x (p + 1), row by row
    std::size_t rows = 0;
    double squares() const;                                       // sum of r^2
    double residual() const { return R.empty() ? 0 : R.back(); }  // norm of r beyond the columns
};
// Rows with use[i] != 0; an empty use: all. weight: factor of each row; empty: 1. r: p-th column.
// J has p columns; `stride` numbers from one row to the next.
Folded fold(const double* J, std::size_t stride, const double* r, std::size_t n, std::size_t p,
            std::span<const std::uint8_t> use, std::span<const double> weight = {});

// Returns x that minimises |r - J x|; directions below `tolerance` of the largest singular value (columns of unit length) get no part.
std::vector<double> solution(const Folded& folded, double tolerance = 1e-10);
// The same with x[k] >= 0 where nonnegative[k] != 0 (Lawson and Hanson 1974).
std::vector<double> nonnegative_solution(const Folded& folded, std::span<const std::uint8_t> nonnegative);
// Norm of r - J x [the unit of r].
double residual_norm(const Folded& folded, std::span<const double> x);

// Inverse of J'J, row by row. Directions that are lost in rounding get a large finite variance.
std::vector<double> inverse_normal(const Folded& folded);
// A B A for symmetric p x p matrices.
std::vector<double> sandwich(std::span<const double> A, std::span<const double> B, std::size_t p);

// Singular values of J with columns of unit length, decreasing, and their right vectors, one after the other.
struct Spectrum {
    std::vector<double> values, vectors;
    std::span<const double> vector(std::size_t j) const {
        return std::span(vectors).subspan(j * values.size(), values.size());
    }
};
Spectrum spectrum(const Folded& folded);

}  // namespace bristle::identification
