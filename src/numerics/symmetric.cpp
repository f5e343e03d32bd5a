// Pseudo-inverse of a symmetric matrix by the cyclic method of Jacobi, in long double. Ours, because Eigen's symmetric solver takes a
// quarter of the compile time of linear.cpp and the matrices have at most 16 rows.
#include "numerics/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::numerics {

namespace {

using wide = long double;

// A square matrix with the eigenvectors found so far: V' A0 V = A, column k of V belongs to A(k, k).
class Rotations {
  public:
    Rotations(std::span<const double> matrix, std::size_t n) : n_(n), A_(n * n), V_(n * n, 0) {
        for (std::size_t i = 0; i < n; ++i) {
            V_[i * n + i] = 1;
            for (std::size_t j = 0; j < n; ++j) A_[i * n + j] = (wide(matrix[i * n + j]) + wide(matrix[j * n + i])) / 2;
        }
    }

    // Rotates each pair of rows once. False if no entry beside the diagonal is larger than the rounding of its diagonal entries.
    bool sweep() {
        constexpr wide epsilon = std::numeric_limits<wide>::epsilon();
        wide largest = 0;
        for (std::size_t k = 0; k < n_; ++k) largest = std::max(largest, std::abs(value(k)));
        bool changed = false;
        for (std::size_t p = 0; p < n_; ++p)
            for (std::size_t q = p + 1; q < n_; ++q) {
                const wide here = std::abs(A_[p * n_ + q]);
                if (here <= epsilon * std::sqrt(std::abs(value(p) * value(q))) || here <= epsilon * epsilon * largest)
                    continue;
                rotate(p, q);
                changed = true;
            }
        return changed;
    }

    wide value(std::size_t k) const { return A_[k * n_ + k]; }
    wide vector(std::size_t k, std::size_t i) const { return V_[i * n_ + k]; }

  private:
    // Makes A(p, q) zero: tan(2 angle) = 2 A(p, q)/(A(q, q) - A(p, p)), the smaller of both angles.
    void rotate(std::size_t p, std::size_t q) {
        const wide cotangent = (value(q) - value(p)) / (2 * A_[p * n_ + q]);
        const wide t = (cotangent < 0 ? -1 : 1) / (std::abs(cotangent) + std::hypot(cotangent, wide(1)));
        const wide c = 1 / std::hypot(t, wide(1)), s = t * c;
        const auto turn = [&](wide& x, wide& y) {
            const wide old = x;
            x = c * old - s * y;
            y = s * old + c * y;
        };
        for (std::size_t i = 0; i < n_; ++i) {
            turn(A_[i * n_ + p], A_[i * n_ + q]);
            turn(V_[i * n_ + p], V_[i * n_ + q]);
        }
        for (std::size_t i = 0; i < n_; ++i) turn(A_[p * n_ + i], A_[q * n_ + i]);
        A_[p * n_ + q] = A_[q * n_ + p] = 0;
    }

    std::size_t n_;
    std::vector<wide> A_, V_;
};

}  // namespace

std::vector<double> pseudo_inverse(std::span<const double> A, std::size_t n, double least) {
    if (!std::all_of(A.begin(), A.end(), [](double x) { return std::isfinite(x); }))
        return std::vector<double>(n * n, std::numeric_limits<double>::quiet_NaN());
    Rotations found(A, n);
    constexpr int max_sweeps = 60;  // 5 to 10 are usual
    for (int i = 0; i < max_sweeps && found.sweep(); ++i) {
    }
    wide largest = 0;
    for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, found.value(k));
    std::vector<wide> sum(n * n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (!(found.value(k) > wide(least) * largest)) continue;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                sum[i * n + j] += found.vector(k, i) * found.vector(k, j) / found.value(k);
    }
    return {sum.begin(), sum.end()};
}

}  // namespace bristle::numerics
