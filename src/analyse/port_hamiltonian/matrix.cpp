// The linear algebra of port-Hamiltonian systems: a few rows, so plain loops.
#include <bristle/analyse/port_hamiltonian.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis::port_hamiltonian {

Matrix::Matrix(std::initializer_list<std::initializer_list<double>> rows)
    : rows_(rows.size()), columns_(rows.size() ? rows.begin()->size() : 0) {
    for (const auto& row : rows) {
        if (row.size() != columns_) throw Error("the rows of a matrix must have the same length");
        entries_.insert(entries_.end(), row.begin(), row.end());
    }
}

Matrix Matrix::identity(std::size_t n) {
    Matrix one(n, n);
    for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
    return one;
}

Matrix Matrix::transposed() const {
    Matrix t(columns_, rows_);
    for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < columns_; ++j) t(j, i) = (*this)(i, j);
    return t;
}

Matrix Matrix::part(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) const {
    Matrix p(rows, columns);
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < columns; ++b) p(a, b) = (*this)(i + a, j + b);
    return p;
}

void Matrix::put(std::size_t i, std::size_t j, const Matrix& part) {
    for (std::size_t a = 0; a < part.rows(); ++a)
        for (std::size_t b = 0; b < part.columns(); ++b) (*this)(i + a, j + b) = part(a, b);
}

Matrix operator+(Matrix a, const Matrix& b) {
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) += b(i, j);
    return a;
}

Matrix operator-(Matrix a, const Matrix& b) {
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) -= b(i, j);
    return a;
}

Matrix operator*(double factor, Matrix a) {
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) *= factor;
    return a;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c(a.rows(), b.columns());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t k = 0; k < a.columns(); ++k)
            for (std::size_t j = 0; j < b.columns(); ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

Vector operator*(const Matrix& a, const Vector& x) {
    Vector y(a.rows());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j) y[i] += a(i, j) * x[j];
    return y;
}

namespace {

// The row to eliminate column k with. Rows have different units, so an entry is compared with the largest of its own row; the
// diagonal stays where it is as good, because a loop without feedthrough is then solved without any rounding.
std::size_t pivot_row(const Matrix& a, const Vector& largest, std::size_t k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < a.rows(); ++i)
        if (std::abs(a(i, k)) * largest[best] > std::abs(a(best, k)) * largest[i]) best = i;
    return best;
}

void swap_rows(Matrix& a, std::size_t i, std::size_t k) {
    for (std::size_t j = 0; j < a.columns(); ++j) std::swap(a(i, j), a(k, j));
}

}  // namespace

Matrix solve(Matrix a, Matrix b) {
    const std::size_t n = a.rows();
    Vector largest(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) largest[i] = std::max(largest[i], std::abs(a(i, j)));
    for (std::size_t k = 0; k < n; ++k) {
        if (const std::size_t best = pivot_row(a, largest, k); best != k) {
            swap_rows(a, best, k);
            swap_rows(b, best, k);
            std::swap(largest[best], largest[k]);
        }
        if (a(k, k) == 0) throw Error("the equations of this connection or step have no unique solution");
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a(i, k) / a(k, k);
            for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
            for (std::size_t j = 0; j < b.columns(); ++j) b(i, j) -= factor * b(k, j);
        }
    }
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t j = 0; j < b.columns(); ++j) {
            for (std::size_t k = i + 1; k < n; ++k) b(i, j) -= a(i, k) * b(k, j);
            b(i, j) /= a(i, i);
        }
    return b;
}

// Jacobi's method: turns pairs of axes until nothing is left beside the diagonal.
Vector eigenvalues(Matrix a) {
    const std::size_t n = a.rows();
    for (int sweep = 0; sweep < 50; ++sweep) {
        bool diagonal = true;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                if (std::abs(a(p, q)) <= 1e-17 * std::sqrt(std::abs(a(p, p)) * std::abs(a(q, q))) || a(p, q) == 0)
                    continue;
                diagonal = false;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1)),
                             c = 1 / std::hypot(t, 1), s = t * c, off = a(p, q);
                a(p, p) -= t * off;
                a(q, q) += t * off;
                a(p, q) = a(q, p) = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    if (k == p || k == q) continue;
                    const double kp = a(k, p), kq = a(k, q);
                    a(k, p) = a(p, k) = c * kp - s * kq;
                    a(k, q) = a(q, k) = s * kp + c * kq;
                }
            }
        if (diagonal) break;
    }
    Vector values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = a(i, i);
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace bristle::inline analysis::port_hamiltonian
