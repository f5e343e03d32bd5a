// Matrices of port-Hamiltonian systems. They have a few rows, so sums and products are plain loops; numerics solves.
#include <bristle/analyse/port_hamiltonian.hpp>
#include <bristle/base/error.hpp>

#include "numerics/linear.hpp"

namespace bristle::inline analysis::port_hamiltonian {

Matrix::Matrix(std::initializer_list<std::initializer_list<double>> rows)
    : rows_(rows.size()), columns_(rows.size() ? rows.begin()->size() : 0) {
    for (const auto& row : rows) {
        if (row.size() != columns_) throw Error("matrix: all rows must have the same length");
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

Matrix solve(const Matrix& a, const Matrix& b) {
    if (b.entries().empty()) return b;
    const Vector x = numerics::solve(a.entries(), b.entries(), b.columns());
    if (x.empty()) throw Error("port-Hamiltonian connection or step: the equations have no unique solution");
    Matrix out(b.rows(), b.columns());
    for (std::size_t i = 0; i < b.rows(); ++i)
        for (std::size_t j = 0; j < b.columns(); ++j) out(i, j) = x[i * b.columns() + j];
    return out;
}

Vector eigenvalues(const Matrix& symmetric) {
    return numerics::symmetric_eigenvalues(symmetric.entries(), symmetric.rows());
}

}  // namespace bristle::analysis::port_hamiltonian
