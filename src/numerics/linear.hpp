// Small dense linear algebra for continuation and stability: systems, null vectors, eigenvalues of matrices without symmetry.
// Matrices are given row by row. Sizes up to some twenty, so nothing is blocked; our own rather than Eigen's because of the long double and
// two seconds of compilation.
#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace bristle::numerics {

// x with A x = b; A is n x n, b has n entries. Rows are brought to one size first, then complete pivoting. Empty where a pivot is
// not finite or lost in rounding: A is singular.
std::vector<double> solve(std::span<const double> A, std::span<const double> b);

// The unit vector t with A t = 0, for n - 1 rows and n columns; its sign is open. Empty where there is more than one.
std::vector<double> null_vector(std::span<const double> A, std::size_t n);

// All n eigenvalues of an n x n matrix, by falling real part; of a pair the one with positive imaginary part first.
// The matrix is balanced by powers of two (a rig's states differ by many decades), brought to Hessenberg form, and iterated on by
// Francis' double shift, so complex ones come in exact pairs. Computed in long double: where that is wider than double, small ones keep
// their digits beside large ones. NaN where an entry is not finite, and for those that a bounded
// number of sweeps did not separate.
std::vector<std::complex<double>> eigenvalues(std::span<const double> A, std::size_t n);

// How a linear motion goes on the whole; less than 1e-12 of the largest eigenvalue counts as rounding.
struct Growth {
    int growing = 0;        // how many eigenvalues have a positive real part
    bool all_decay = true;  // all real parts are negative
};
Growth growth(std::span<const std::complex<double>> eigenvalues);

}  // namespace bristle::numerics
