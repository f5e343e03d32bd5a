// LU factors of a dense matrix with row pivots, for systems of some ten unknowns whose size is known at run time.
//
//   DenseLu lu;  if (lu.factor(A, n)) lu.solve(b);     A row by row; b is replaced by the solution
// Ours and not Eigen: no allocation once the size is known, and no template to compile, in every step of a solver.
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace bristle::numerics {

class DenseLu {
  public:
    // Returns false if a pivot is 0 or not a number.
    bool factor(const std::vector<double>& A, std::size_t n) {
        n_ = n;
        a_ = A;
        rows_.resize(n);
        inverse_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t p = k;
            for (std::size_t i = k + 1; i < n; ++i)
                if (std::abs(a_[i * n + k]) > std::abs(a_[p * n + k])) p = i;
            rows_[k] = p;
            if (!(std::abs(a_[p * n + k]) > 0)) return false;
            if (p != k)
                for (std::size_t j = 0; j < n; ++j) std::swap(a_[k * n + j], a_[p * n + j]);
            const double scale = inverse_[k] = 1 / a_[k * n + k];
            for (std::size_t i = k + 1; i < n; ++i) {
                const double f = a_[i * n + k] *= scale;
                if (f == 0) continue;
                for (std::size_t j = k + 1; j < n; ++j) a_[i * n + j] -= f * a_[k * n + j];
            }
        }
        return true;
    }
    void solve(double* b) const {
        const std::size_t n = n_;
        for (std::size_t k = 0; k < n; ++k)
            if (rows_[k] != k) std::swap(b[k], b[rows_[k]]);
        for (std::size_t i = 1; i < n; ++i) {
            double sum = b[i];
            for (std::size_t j = 0; j < i; ++j) sum -= a_[i * n + j] * b[j];
            b[i] = sum;
        }
        for (std::size_t i = n; i-- > 0;) {
            double sum = b[i];
            for (std::size_t j = i + 1; j < n; ++j) sum -= a_[i * n + j] * b[j];
            b[i] = sum * inverse_[i];
        }
    }

  private:
    std::size_t n_ = 0;
    std::vector<double> a_, inverse_;  // factors; 1/pivots
    std::vector<std::size_t> rows_;
};

}  // namespace bristle::numerics
