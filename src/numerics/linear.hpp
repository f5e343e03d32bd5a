// Small dense linear algebra: linear systems, null vectors, eigenvalues. Eigen does the work, inside linear.cpp only; pseudo_inverse
// (symmetric.cpp) and largest_real_part (real_part.cpp) are ours.
//
// Matrices are given row by row. All is computed in long double: a rig's slow eigenvalues are many decades below those of its bristle,
// and the errors of the methods are relative to the largest entry.
#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace bristle::numerics {

// Returns x with A x = b; A is n x n, b has n entries. Each row of [A b] is divided by its largest entry first.
// Empty if an entry is not finite, or if a pivot is lost in rounding beside 1 (A is singular).
std::vector<double> solve(std::span<const double> A, std::span<const double> b);

// Returns X with A X = B row by row; A is n x n, B is n x columns. Each row is divided by the largest entry of A in it.
// Empty if an entry is not finite, or if A is singular.
std::vector<double> solve(std::span<const double> A, std::span<const double> B, std::size_t columns);

// Returns the unit vector t with A t = 0, for n - 1 rows and n columns; its sign is arbitrary.
// Empty if an entry is not finite, or if the rows are not independent.
std::vector<double> null_vector(std::span<const double> A, std::size_t n);

// Returns all n eigenvalues of an n x n matrix, by decreasing real part; of a pair the one with positive imaginary part first.
// Complex ones come in exact conjugate pairs. The matrix is balanced by powers of two first.
// All NaN if an entry is not finite, or if the iteration does not converge.
std::vector<std::complex<double>> eigenvalues(std::span<const double> A, std::size_t n);

// Returns all n eigenvalues of a symmetric n x n matrix, increasing.
// All NaN if an entry is not finite, or if the iteration does not converge.
std::vector<double> symmetric_eigenvalues(std::span<const double> A, std::size_t n);

// Returns the pseudo-inverse of a symmetric n x n matrix >= 0, row by row: eigenvalues up to `least` of the largest one count as 0.
// All NaN if an entry is not finite.
std::vector<double> pseudo_inverse(std::span<const double> A, std::size_t n, double least);

// Returns the largest real part of the eigenvalues of an n x n matrix; NaN if an entry is not finite. In double, for every step of a
// solver: a tenth of the time of eigenvalues(), with errors relative to the largest eigenvalue.
double largest_real_part(std::span<const double> A, std::size_t n);

// The scalar product; b has at least as many entries as a.
inline double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Growth of a linear motion; real parts below 1e-12 of the largest eigenvalue count as 0.
struct Growth {
    int growing = 0;        // number of eigenvalues with a positive real part
    bool all_decay = true;  // all real parts are negative
};
Growth growth(std::span<const std::complex<double>> eigenvalues);

}  // namespace bristle::numerics
