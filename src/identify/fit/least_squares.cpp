// Least squares by Eigen. The only file of identify that includes Eigen itself.
//
// The last row of a triangular factor contains only what the columns cannot reach: p x p numbers and p right sides determine a solution.
// Eigen's JacobiSVD without a QR decomposition before it is sufficient for a square matrix, and compiles in a third of the time.
#include "identify/fit/least_squares.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

using Svd = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>;

// Columns scaled to unit length, with their lengths.
struct Scaled {
    Matrix A;
    Vector b, length;
};
Scaled scaled(const Folded& folded) {
    const auto p = Index(folded.p);
    Scaled out{Matrix(p, p), Vector(p), Vector(p)};
    for (Index i = 0; i < p; ++i) {
        for (Index j = 0; j < p; ++j) out.A(i, j) = folded.R[std::size_t(i * (p + 1) + j)];
        out.b(i) = folded.R[std::size_t(i * (p + 1) + p)];
    }
    for (Index j = 0; j < p; ++j) {
        const double norm = out.A.col(j).norm();
        out.length(j) = norm > 0 && std::isfinite(norm) ? norm : 1;
        out.A.col(j) /= out.length(j);
    }
    return out;
}

// The shortest x that minimises |b - A x|; singular values up to `tolerance` of the largest get no part.
Vector shortest(const Matrix& A, const Vector& b, double tolerance) {
    Vector x = Vector::Zero(A.cols());
    if (A.cols() == 0) return x;
    const Svd svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    for (Index k = 0; k < A.cols(); ++k)
        if (const double size = svd.singularValues()(k); size > tolerance * svd.singularValues()(0))
            x += (svd.matrixU().col(k).dot(b) / size) * svd.matrixV().col(k);
    return x;
}

// The triangular factor of some columns of A, and their right side.
Scaled selected(const Scaled& s, const std::vector<Index>& columns) {
    const Index p = s.A.cols();
    std::vector<double> J, b(s.b.data(), s.b.data() + p);
    for (Index i = 0; i < p; ++i)
        for (const Index j : columns) J.push_back(s.A(i, j));
    const Folded part = fold(J.data(), columns.size(), b.data(), b.size(), columns.size(), {});
    return scaled(part);
}

std::vector<double> entries(const Matrix& A) {
    std::vector<double> out;
    for (Index i = 0; i < A.rows(); ++i)
        for (Index j = 0; j < A.cols(); ++j) out.push_back(A(i, j));
    return out;
}

}  // namespace

double Folded::squares() const {
    double sum = 0;
    for (std::size_t i = 0; i <= p && !R.empty(); ++i) sum += R[i * (p + 1) + p] * R[i * (p + 1) + p];
    return sum;
}

std::vector<double> solution(const Folded& folded, double tolerance) {
    const Scaled s = scaled(folded);
    const Vector x = shortest(s.A, s.b, tolerance).cwiseQuotient(s.length);
    return {x.data(), x.data() + x.size()};
}

std::vector<double> nonnegative_solution(const Folded& folded, std::span<const std::uint8_t> nonnegative) {
    const Scaled s = scaled(folded);
    const auto p = Index(folded.p);
    std::vector<bool> active(std::size_t(p), false);  // held at 0
    for (Index j = 0; j < p; ++j) active[std::size_t(j)] = nonnegative[std::size_t(j)] != 0;
    Vector x = Vector::Zero(p);
    const auto solve_free = [&] {
        std::vector<Index> free;
        for (Index j = 0; j < p; ++j)
            if (!active[std::size_t(j)]) free.push_back(j);
        Vector out = Vector::Zero(p);
        if (free.empty()) return out;
        const Scaled part = selected(s, free);
        const Vector found = shortest(part.A, part.b, 1e-14).cwiseQuotient(part.length);
        for (std::size_t k = 0; k < free.size(); ++k) out(free[k]) = found(Index(k));
        return out;
    };
    // keeps all constrained entries >= 0: moves from x towards the free solution and stops at the first that reaches 0
    const auto settle = [&] {
        for (Index guard = 0; guard <= 3 * p; ++guard) {
            const Vector next = solve_free();
            double step = 1;
            for (Index j = 0; j < p; ++j)
                if (nonnegative[std::size_t(j)] && !active[std::size_t(j)] && next(j) <= 0)
                    step = std::min(step, x(j) / (x(j) - next(j)));
            x += step * (next - x);
            if (step >= 1) return;
            for (Index j = 0; j < p; ++j)
                if (nonnegative[std::size_t(j)] && !active[std::size_t(j)] && x(j) <= 1e-14) {
                    active[std::size_t(j)] = true;
                    x(j) = 0;
                }
        }
    };
    settle();
    for (Index round = 0; round < 3 * p; ++round) {
        const Vector rest = s.b - s.A.lazyProduct(x), gradient = s.A.transpose().lazyProduct(rest);
        Index steepest = -1;
        for (Index j = 0; j < p; ++j)
            if (active[std::size_t(j)] && gradient(j) > 1e-12 * std::sqrt(folded.squares()) &&
                (steepest < 0 || gradient(j) > gradient(steepest)))
                steepest = j;
        if (steepest < 0) break;
        active[std::size_t(steepest)] = false;
        settle();
    }
    x = x.cwiseQuotient(s.length);
    return {x.data(), x.data() + x.size()};
}

double residual_norm(const Folded& folded, std::span<const double> x) {
    const std::size_t n = folded.p + 1;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double rest = folded.R[i * n + folded.p];
        for (std::size_t k = i; k < folded.p; ++k) rest -= folded.R[i * n + k] * x[k];
        sum += rest * rest;
    }
    return std::sqrt(sum);
}

std::vector<double> inverse_normal(const Folded& folded) {
    const Scaled s = scaled(folded);
    const auto p = Index(folded.p);
    if (p == 0) return {};
    const Svd svd(s.A, Eigen::ComputeFullV);
    Vector square = svd.singularValues();
    const double floor = 1e-9 * std::max(square(0), 1e-300);
    for (Index j = 0; j < p; ++j) square(j) = 1 / std::pow(std::max(square(j), floor), 2);
    const Matrix weighted = svd.matrixV() * square.asDiagonal();
    Matrix out = weighted.lazyProduct(svd.matrixV().transpose());
    for (Index i = 0; i < p; ++i)
        for (Index j = 0; j < p; ++j) out(i, j) /= s.length(i) * s.length(j);
    return entries(out);
}

std::vector<double> sandwich(std::span<const double> A, std::span<const double> B, std::size_t p) {
    const auto n = Index(p);
    const Eigen::Map<const Matrix> a(A.data(), n, n), b(B.data(), n, n);  // symmetric: rows and columns are the same
    const Matrix right = b.lazyProduct(a);
    return entries(a.lazyProduct(right));
}

Spectrum spectrum(const Folded& folded) {
    if (folded.p == 0) return {};
    const Svd svd(scaled(folded).A, Eigen::ComputeFullV);
    const Vector values = svd.singularValues();
    Spectrum out{{values.data(), values.data() + values.size()}, {}};
    for (Index j = 0; j < values.size(); ++j) {
        const Vector column = svd.matrixV().col(j);
        out.vectors.insert(out.vectors.end(), column.data(), column.data() + column.size());
    }
    return out;
}

}  // namespace bristle::identification
