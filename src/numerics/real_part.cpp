// The largest real part of the eigenvalues of a matrix, in double: Householder's reduction to Hessenberg form and the double-shift
// iteration of Francis (Golub and Van Loan, Matrix Computations, algorithms 7.4.2 and 7.5.1). Ours, because Eigen's Schur form of double
// beside that of long double takes a quarter of the compile time of linear.cpp.
#include "numerics/balance.hpp"
#include "numerics/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace bristle::numerics {

namespace {

class Square {
  public:
    using Scalar = double;
    Square(std::span<const double> entries, std::size_t n) : n_(n), a_(entries.begin(), entries.end()) {}
    std::size_t rows() const { return n_; }
    double& operator()(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }
    double operator()(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }

  private:
    std::size_t n_;
    std::vector<double> a_;
};

// 1 - factor u u', which maps a vector to a multiple of the first unit vector; factor 0 if the others are 0 already.
struct Reflector {
    std::vector<double> u, sums;  // sums: of reflect_rows
    double factor = 0;
    void set(std::span<const double> x) {
        u.assign(x.begin(), x.end());
        double size = 0, square = 0;
        for (const double e : u) size = std::max(size, std::abs(e));
        factor = 0;
        if (std::all_of(u.begin() + 1, u.end(), [](double e) { return e == 0; })) return;
        for (double& e : u) e /= size;
        for (const double e : u) square += e * e;
        const double norm = std::sqrt(square);
        square += norm * (2 * std::abs(u[0]) + norm);
        u[0] += std::copysign(norm, u[0]);
        factor = 2 / square;
    }
};
// From the left: rows from `at` on, in the columns from first to last.
void reflect_rows(Square& A, Reflector& r, std::size_t at, std::size_t first, std::size_t last) {
    if (r.factor == 0) return;
    r.sums.assign(last + 1 - first, 0.0);
    for (std::size_t i = 0; i < r.u.size(); ++i)
        for (std::size_t j = first; j <= last; ++j) r.sums[j - first] += r.u[i] * A(at + i, j);
    for (double& sum : r.sums) sum *= r.factor;
    for (std::size_t i = 0; i < r.u.size(); ++i)
        for (std::size_t j = first; j <= last; ++j) A(at + i, j) -= r.u[i] * r.sums[j - first];
}
// From the right: columns from `at` on, in the rows from first to last.
void reflect_columns(Square& A, const Reflector& r, std::size_t at, std::size_t first, std::size_t last) {
    if (r.factor == 0) return;
    for (std::size_t i = first; i <= last; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < r.u.size(); ++j) sum += r.u[j] * A(i, at + j);
        for (std::size_t j = 0; j < r.u.size(); ++j) A(i, at + j) -= r.factor * sum * r.u[j];
    }
}

void reduce_to_hessenberg(Square& A) {
    const std::size_t n = A.rows();
    std::vector<double> below;
    Reflector r;
    for (std::size_t k = 0; k + 2 < n; ++k) {
        below.clear();
        for (std::size_t i = k + 1; i < n; ++i) below.push_back(A(i, k));
        r.set(below);
        reflect_rows(A, r, k + 1, k, n - 1);
        reflect_columns(A, r, k + 1, 0, n - 1);
        for (std::size_t i = k + 2; i < n; ++i) A(i, k) = 0;
    }
}

// One implicit step of the block of rows and columns from l to h >= l + 2, with shifts of that sum and product.
void francis_step(Square& H, std::size_t l, std::size_t h, double sum, double product) {
    double x[] = {H(l, l) * (H(l, l) - sum) + H(l, l + 1) * H(l + 1, l) + product,
                  H(l + 1, l) * (H(l, l) + H(l + 1, l + 1) - sum), H(l + 1, l) * H(l + 2, l + 1)};
    Reflector r;
    for (std::size_t k = l; k < h; ++k) {
        const std::size_t size = std::min<std::size_t>(3, h - k + 1);
        r.set(std::span(x, size));
        reflect_rows(H, r, k, k > l ? k - 1 : l, h);
        reflect_columns(H, r, k, l, std::min(k + 3, h));
        for (std::size_t i = 1; k > l && i < size; ++i) H(k + i, k - 1) = 0;
        for (std::size_t i = 0; i < 3 && k + 1 + i <= h; ++i) x[i] = H(k + 1 + i, k);
    }
}

// The larger real part of the eigenvalues of rows and columns k and k + 1.
double of_pair(const Square& H, std::size_t k) {
    const double mean = 0.5 * (H(k, k) + H(k + 1, k + 1)), half = 0.5 * (H(k, k) - H(k + 1, k + 1));
    const double square = half * half + H(k, k + 1) * H(k + 1, k);
    return square > 0 ? mean + std::sqrt(square) : mean;
}

// Of a Hessenberg matrix, which is overwritten; std::nullopt if the iteration does not converge.
std::optional<double> largest_of(Square& H) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double norm = 0, largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < H.rows(); ++i)
        for (std::size_t j = 0; j < H.rows(); ++j) norm = std::max(norm, std::abs(H(i, j)));
    int steps = 0;  // since the last eigenvalue; three or four are usual
    for (std::size_t end = H.rows(); end > 0;) {
        const std::size_t h = end - 1;
        std::size_t l = h;
        for (; l > 0; --l) {
            const double size = std::abs(H(l - 1, l - 1)) + std::abs(H(l, l));
            if (std::abs(H(l, l - 1)) <= epsilon * (size > 0 ? size : norm)) break;
        }
        if (h - l < 2) {
            largest = std::max(largest, h == l ? H(h, h) : of_pair(H, l));
            end = l;
            steps = 0;
            continue;
        }
        if (++steps > 100) return {};
        double sum = H(h - 1, h - 1) + H(h, h), product = H(h - 1, h - 1) * H(h, h) - H(h - 1, h) * H(h, h - 1);
        if (steps % 10 == 0) {  // other shifts, where the usual ones repeat themselves
            const double size = std::abs(H(h, h - 1)) + std::abs(H(h - 1, h - 2));
            sum = 2 * H(h, h) + 1.5 * size;
            product = H(h, h) * (H(h, h) + 1.5 * size) + size * size;
        }
        francis_step(H, l, h, sum, product);
    }
    return largest;
}

}  // namespace

double largest_real_part(std::span<const double> A, std::size_t n) {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    if (n == 0 || !std::all_of(A.begin(), A.end(), [](double x) { return std::isfinite(x); })) return unknown;
    Square H(A, n);
    balance(H);
    reduce_to_hessenberg(H);
    return largest_of(H).value_or(unknown);
}

}  // namespace bristle::numerics
