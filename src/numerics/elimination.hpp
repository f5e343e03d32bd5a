// Rank, null vectors and solutions of a dense matrix that may be singular, by elimination with full pivots in long double.
//
// Rows and columns are scaled by powers of two first, so that matrices of mixed units have a rank.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace bristle::numerics {

class Elimination {
  public:
    // A: rows x columns, row by row, with finite entries. Pivots up to `least`, beside entries of about 1, count as 0.
    Elimination(std::span<const double> A, std::size_t rows, std::size_t columns, double least = 1e-12);

    std::size_t rank() const { return rank_; }
    // The columns with a pivot, in the order of elimination; then the others.
    std::span<const std::size_t> pivots() const { return std::span(column_).first(rank_); }
    std::span<const std::size_t> others() const { return std::span(column_).subspan(rank_); }

    // Returns x with A x = b in the rows that have a pivot, and x = 0 in the columns that have none. If b is in the range of A, x solves
    // all rows.
    std::vector<double> solve(std::span<const double> b) const;
    // Returns y with y' A = 0, one vector for each row without a pivot.
    std::vector<std::vector<double>> left_null() const;
    // Returns x with A x = 0, one vector for each column without a pivot, in which it has the entry 1.
    std::vector<std::vector<double>> null() const;

  private:
    using wide = long double;
    std::size_t rows_, columns_, rank_ = 0;
    std::vector<wide> row_scale_, column_scale_;  // A = scaled entries / (row_scale column_scale)
    std::vector<std::size_t> column_;             // column of the matrix at each place
    std::vector<wide> U_, T_;  // T (scaled A) = U; T is rows x rows, U has its columns at their places
};

}  // namespace bristle::numerics
