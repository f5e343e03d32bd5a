// Gauss-Jordan elimination with full pivots.
#include "numerics/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bristle::numerics {

namespace {

// The power of two that brings a size to [0.5, 1); 1 for 0.
long double power_for(long double size) {
    int exponent = 0;
    std::frexp(size, &exponent);
    return size > 0 ? std::ldexp(1.0L, -exponent) : 1.0L;
}

}  // namespace

Elimination::Elimination(std::span<const double> A, std::size_t rows, std::size_t columns, double least)
    : rows_(rows),
      columns_(columns),
      row_scale_(rows, 1),
      column_scale_(columns, 1),
      column_(columns),
      U_(A.begin(), A.end()),
      T_(rows * rows, 0) {
    std::iota(column_.begin(), column_.end(), std::size_t(0));
    for (int pass = 0; pass < 3; ++pass) {
        for (std::size_t i = 0; i < rows; ++i) {
            wide size = 0;
            for (std::size_t j = 0; j < columns; ++j) size = std::max(size, std::abs(U_[i * columns + j]));
            const wide s = power_for(size);
            row_scale_[i] *= s;
            for (std::size_t j = 0; j < columns; ++j) U_[i * columns + j] *= s;
        }
        for (std::size_t j = 0; j < columns; ++j) {
            wide size = 0;
            for (std::size_t i = 0; i < rows; ++i) size = std::max(size, std::abs(U_[i * columns + j]));
            const wide s = power_for(size);
            column_scale_[j] *= s;
            for (std::size_t i = 0; i < rows; ++i) U_[i * columns + j] *= s;
        }
    }
    for (std::size_t i = 0; i < rows; ++i) T_[i * rows + i] = 1;
    for (; rank_ < std::min(rows, columns); ++rank_) {
        std::size_t p = rank_, q = rank_;
        for (std::size_t i = rank_; i < rows; ++i)
            for (std::size_t j = rank_; j < columns; ++j)
                if (std::abs(U_[i * columns + j]) > std::abs(U_[p * columns + q])) p = i, q = j;
        if (!(std::abs(U_[p * columns + q]) > wide(least))) break;
        for (std::size_t j = 0; j < columns; ++j) std::swap(U_[p * columns + j], U_[rank_ * columns + j]);
        for (std::size_t j = 0; j < rows; ++j) std::swap(T_[p * rows + j], T_[rank_ * rows + j]);
        for (std::size_t i = 0; i < rows; ++i) std::swap(U_[i * columns + q], U_[i * columns + rank_]);
        std::swap(column_[q], column_[rank_]);
        const wide scale = 1 / U_[rank_ * columns + rank_];
        for (std::size_t j = 0; j < columns; ++j) U_[rank_ * columns + j] *= scale;
        for (std::size_t j = 0; j < rows; ++j) T_[rank_ * rows + j] *= scale;
        for (std::size_t i = 0; i < rows; ++i) {
            const wide f = U_[i * columns + rank_];
            if (i == rank_ || f == 0) continue;
            for (std::size_t j = 0; j < columns; ++j) U_[i * columns + j] -= f * U_[rank_ * columns + j];
            for (std::size_t j = 0; j < rows; ++j) T_[i * rows + j] -= f * T_[rank_ * rows + j];
        }
    }
}

std::vector<double> Elimination::solve(std::span<const double> b) const {
    std::vector<double> x(columns_, 0);
    for (std::size_t i = 0; i < rank_; ++i) {
        wide sum = 0;
        for (std::size_t j = 0; j < rows_; ++j) sum += T_[i * rows_ + j] * row_scale_[j] * wide(b[j]);
        x[column_[i]] = double(sum * column_scale_[column_[i]]);
    }
    return x;
}

std::vector<std::vector<double>> Elimination::left_null() const {
    std::vector<std::vector<double>> out;
    for (std::size_t i = rank_; i < rows_; ++i) {
        std::vector<double> y(rows_);
        for (std::size_t j = 0; j < rows_; ++j) y[j] = double(T_[i * rows_ + j] * row_scale_[j]);
        out.push_back(std::move(y));
    }
    return out;
}

std::vector<std::vector<double>> Elimination::null() const {
    std::vector<std::vector<double>> out;
    for (std::size_t place = rank_; place < columns_; ++place) {
        const std::size_t free = column_[place];
        std::vector<double> x(columns_, 0);
        x[free] = 1;
        for (std::size_t i = 0; i < rank_; ++i)
            x[column_[i]] = double(-U_[i * columns_ + place] * column_scale_[column_[i]] / column_scale_[free]);
        out.push_back(std::move(x));
    }
    return out;
}

}  // namespace bristle::numerics
