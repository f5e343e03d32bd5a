// Linear systems, null vectors and eigenvalues by Eigen. The only file that includes Eigen, because it takes seconds to compile.
#include "numerics/linear.hpp"

#include "numerics/balance.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace bristle::numerics {

namespace {

using wide = long double;
using Dense = Eigen::Matrix<wide, Eigen::Dynamic, Eigen::Dynamic>;
using Index = Eigen::Index;

// Writes entries, given row by row, into A from the given column on.
void put(Dense& A, Index first, std::span<const double> entries, Index columns) {
    for (Index i = 0; i < A.rows(); ++i)
        for (Index j = 0; j < columns; ++j) A(i, first + j) = entries[std::size_t(i * columns + j)];
}

// Entries row by row, as double.
std::vector<double> rounded(const Dense& A) {
    std::vector<double> out;
    for (Eigen::Index i = 0; i < A.rows(); ++i)
        for (Eigen::Index j = 0; j < A.cols(); ++j) out.push_back(double(A(i, j)));
    return out;
}

// Divides each row by the largest of its first `count` entries. False if all of these are 0, or if any entry is not finite.
bool scale_rows(Dense& A, Index count) {
    for (Index i = 0; i < A.rows(); ++i) {
        wide size = 0;
        for (Index j = 0; j < A.cols(); ++j) {
            if (!std::isfinite(A(i, j))) return false;
            if (j < count) size = std::max(size, std::abs(A(i, j)));
        }
        if (!(size > 0)) return false;
        for (Index j = 0; j < A.cols(); ++j) A(i, j) /= size;
    }
    return true;
}

// In rows of size 1, a pivot up to 4 eps for each column is rounding of the double entries.
bool is_regular(const Eigen::FullPivLU<Dense>& lu, Index columns) {
    const wide least = 4 * wide(columns) * std::numeric_limits<double>::epsilon();
    for (Index i = 0; i < lu.rows(); ++i)
        if (!(std::abs(lu.matrixLU()(i, i)) > least)) return false;
    return true;
}

// X of [A B] with A X = B, where A is square; each row is divided by the largest of its first `scaled` entries. Empty if A is singular.
std::vector<double> solve_joint(Dense joint, Index scaled) {
    const Index n = joint.rows();
    if (n == 0 || !scale_rows(joint, scaled)) return {};
    const Eigen::FullPivLU<Dense> lu(joint.leftCols(n));
    if (!is_regular(lu, scaled)) return {};
    const Dense right = joint.rightCols(joint.cols() - n);
    return rounded(lu.solve(right));
}

// Removes each row and column i whose other entries in the row, or in the column, are all 0: A(i, i) is then an eigenvalue, which is
// appended to `values`. Ours, because Eigen does not.
void split_off(Dense& A, std::vector<std::complex<double>>& values) {
    const auto is_isolated = [&](Index i) {
        bool row = true, column = true;
        for (Index j = 0; j < A.rows(); ++j) {
            row = row && (j == i || A(i, j) == 0);
            column = column && (j == i || A(j, i) == 0);
        }
        return row || column;
    };
    for (Index i = 0; i < A.rows();) {
        if (!is_isolated(i)) {
            ++i;
            continue;
        }
        values.emplace_back(double(A(i, i)));
        const Index n = A.rows() - 1;
        Dense rest(n, n);
        for (Index r = 0; r < n; ++r)
            for (Index c = 0; c < n; ++c) rest(r, c) = A(r + (r >= i), c + (c >= i));
        A = rest;
        i = 0;
    }
}

// A with rows and columns ordered alike, by increasing size of the rows: small eigenvalues keep more digits beside large ones (2e-12
// relative in linear_test; 1.5e-11 as given, 2e-8 in the opposite order).
Dense graded(const Dense& A) {
    const Index n = A.rows();
    std::vector<std::pair<wide, Index>> order;
    for (Index i = 0; i < n; ++i) order.emplace_back(A.row(i).cwiseAbs().maxCoeff(), i);
    std::sort(order.begin(), order.end());
    Dense out(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) out(i, j) = A(order[std::size_t(i)].second, order[std::size_t(j)].second);
    return out;
}

// The real Schur form of A, by Francis' double shift. Empty if the iteration does not converge.
// RealSchur::compute would do the same and take three times as long to compile, for vectors that are not needed.
std::optional<Dense> schur_form(const Dense& A) {
    const Index n = A.rows();
    if (n == 0) return A;
    Dense H = Eigen::HessenbergDecomposition<Dense>(A).packedMatrix();
    for (Index j = 0; j < n; ++j)
        for (Index i = j + 2; i < n; ++i) H(i, j) = 0;  // there the reflectors are stored
    Eigen::RealSchur<Dense> schur(n);
    schur.setMaxIterations(300 * n);  // three or four for each eigenvalue are usual
    schur.computeFromHessenberg(H, H, false);
    if (schur.info() != Eigen::Success) return {};
    return schur.matrixT();
}

}  // namespace

std::vector<double> solve(std::span<const double> A, std::span<const double> b) {
    const auto n = Index(b.size());
    Dense joint(n, n + 1);
    put(joint, 0, A, n);
    put(joint, n, b, 1);
    return solve_joint(std::move(joint), n + 1);
}

std::vector<double> solve(std::span<const double> A, std::span<const double> B, std::size_t columns) {
    const auto m = Index(columns), n = m > 0 ? Index(B.size()) / m : 0;
    Dense joint(n, n + m);
    put(joint, 0, A, n);
    put(joint, n, B, m);
    return solve_joint(std::move(joint), n);
}

std::vector<double> null_vector(std::span<const double> A, std::size_t n) {
    Dense rows(Index(n) - 1, Index(n));
    put(rows, 0, A, Index(n));
    if (!scale_rows(rows, Index(n))) return {};
    Eigen::FullPivLU<Dense> lu(rows);
    if (!is_regular(lu, Index(n))) return {};
    lu.setThreshold(0);  // is_regular has decided: the rank is n - 1
    std::vector<double> t = rounded(lu.kernel());
    double norm = 0;
    for (const double x : t) norm += x * x;
    for (double& x : t) x /= std::sqrt(norm);
    return t;
}

std::vector<std::complex<double>> eigenvalues(std::span<const double> matrix, std::size_t size) {
    const std::vector<std::complex<double>> unknown(size, std::numeric_limits<double>::quiet_NaN());
    const auto n = Index(size);
    if (n == 0 || !std::all_of(matrix.begin(), matrix.end(), [](double x) { return std::isfinite(x); })) return unknown;
    Dense A(n, n);
    put(A, 0, matrix, n);
    std::vector<std::complex<double>> out;
    split_off(A, out);
    balance(A);
    const std::optional<Dense> schur = schur_form(graded(A));
    if (!schur) return unknown;
    const Dense& T = *schur;
    for (Index i = 0; i < T.rows(); ++i) {
        if (i + 1 == T.rows() || T(i + 1, i) == 0) {
            out.emplace_back(double(T(i, i)));
            continue;
        }
        const wide half = (T(i, i) - T(i + 1, i + 1)) / 2;  // a complex pair: half^2 + T01 T10 < 0
        const double im = double(std::sqrt(std::abs(half * half + T(i, i + 1) * T(i + 1, i))));
        const double re = double(T(i + 1, i + 1) + half);
        out.emplace_back(re, im);
        out.emplace_back(re, -im);
        ++i;
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
    return out;
}

std::vector<double> symmetric_eigenvalues(std::span<const double> A, std::size_t n) {
    // those of a symmetric matrix are well conditioned: the imaginary parts are rounding of long double
    std::vector<double> out;
    for (const auto& s : eigenvalues(A, n)) out.insert(out.begin(), s.real());
    return out;
}

Growth growth(std::span<const std::complex<double>> eigenvalues) {
    double size = 0;
    for (const auto& s : eigenvalues) size = std::max(size, std::abs(s));
    Growth out;
    for (const auto& s : eigenvalues) {
        out.growing += s.real() > 1e-12 * size;
        out.all_decay &= s.real() < -1e-12 * size;
    }
    return out;
}

}  // namespace bristle::numerics
