// Triangular factor of a long table, by Householder reflections in blocks of rows.
//
// The factor R so far stands above a block B of the next rows, column by column. The reflection of column j has v = (1, B_j/(R_jj - d)) with
// d = -sgn(R_jj) sqrt(R_jj^2 + |B_j|^2); rows of R other than j are not touched, because they are 0 in column j or done.
// Compiled with -O3, so that the loops over a block become vector instructions.
#include "identify/fit/least_squares.hpp"

#include "identify/instruction_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::inline identification {

namespace {

constexpr std::size_t block = 128;  // rows

double product(const double* a, const double* b) {
    constexpr std::size_t ways = 8;  // partial sums
    double sum[ways] = {};
    for (std::size_t i = 0; i < block; i += ways)
        for (std::size_t l = 0; l < ways; ++l) sum[l] += a[i + l] * b[i + l];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

// Adds the rows of B to the factor R; B is overwritten.
[[gnu::always_inline]] inline void add_block(std::vector<double>& R, std::vector<double>& B, std::size_t columns) {
    for (std::size_t j = 0; j < columns; ++j) {
        const double* x = B.data() + j * block;
        const double square = product(x, x);
        if (square < std::numeric_limits<double>::min())
            continue;  // also below sqrt(min) = 1e-154 in size: no digits are left
        double* row = R.data() + j * columns;
        const double norm = std::sqrt(row[j] * row[j] + square), diagonal = row[j] >= 0 ? -norm : norm;
        const double head = row[j] - diagonal, factor = -head / diagonal;  // 2/|v|^2 for v = (1, B_j/head)
        row[j] = diagonal;
        for (std::size_t k = j + 1; k < columns; ++k) {
            double* y = B.data() + k * block;
            const double part = factor * (row[k] + product(x, y) / head), below = part / head;
            row[k] -= part;
            for (std::size_t i = 0; i < block; ++i) y[i] -= below * x[i];
        }
    }
}
void add_block_baseline(std::vector<double>& R, std::vector<double>& B, std::size_t columns) {
    add_block(R, B, columns);
}
#if BRISTLE_HAS_AVX2
BRISTLE_AVX2_FUNCTION void add_block_wide(std::vector<double>& R, std::vector<double>& B, std::size_t columns) {
    add_block(R, B, columns);
}
#endif

}  // namespace

Folded fold(const double* J, std::size_t stride, const double* r, std::size_t n, std::size_t p,
            std::span<const std::uint8_t> use, std::span<const double> weight) {
    auto* reduce = add_block_baseline;
#if BRISTLE_HAS_AVX2
    if (uses_avx2()) reduce = add_block_wide;
#endif
    const std::size_t columns = p + 1;
    Folded out{p, std::vector<double>(columns * columns, 0.0)};
    std::vector<double> B(columns * block, 0.0);
    std::size_t filled = 0;  // rows of B
    for (std::size_t i = 0; i < n; ++i) {
        if (!use.empty() && !use[i]) continue;
        const double w = weight.empty() ? 1 : weight[i];
        for (std::size_t k = 0; k < p; ++k) B[k * block + filled] = w * J[i * stride + k];
        B[p * block + filled] = w * r[i];
        ++out.rows;
        if (++filled < block) continue;
        reduce(out.R, B, columns);
        filled = 0;
    }
    if (filled > 0) {
        for (std::size_t k = 0; k < columns; ++k) std::fill_n(B.data() + k * block + filled, block - filled, 0.0);
        reduce(out.R, B, columns);
    }
    return out;
}

}  // namespace bristle::identification
