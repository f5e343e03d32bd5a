// Balancing of a square matrix before its eigenvalues are computed: rows and columns of one size. Ours, because Eigen does not balance.
#pragma once
#include <cmath>
#include <cstdlib>

namespace bristle::numerics {

// Scales rows and columns by powers of two until each pair is of one size: D^-1 A D. Matrix: Scalar, rows(), A(i, j).
template <class Matrix>
void balance(Matrix& A) {
    using Real = typename Matrix::Scalar;
    const auto n = A.rows();
    using Index = decltype(A.rows());
    for (bool changed = true; changed;) {
        changed = false;
        for (Index i = 0; i < n; ++i) {
            Real row = 0, column = 0;
            for (Index j = 0; j < n; ++j)
                if (j != i) row += std::abs(A(i, j)), column += std::abs(A(j, i));
            if (!(row > 0 && column > 0)) continue;
            const Real factor = std::exp2(std::round(std::log2(row / column) / 2));
            if (!(column * factor + row / factor < (column + row) * 19 / 20)) continue;
            changed = true;
            for (Index j = 0; j < n; ++j) A(j, i) *= factor;
            for (Index j = 0; j < n; ++j) A(i, j) /= factor;
        }
    }
}

}  // namespace bristle::numerics
