#include "numerics/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bristle::numerics {

namespace {

// Wider than what goes in and out: a rig's slow eigenvalues are many decades below those of its fast bristle, and the methods' errors are
// relative to the largest.
using wide = long double;
constexpr wide eps = std::numeric_limits<wide>::epsilon();

// Dense, row by row.
struct Dense {
    std::size_t rows, columns;
    std::vector<wide> entry;
    Dense(std::span<const double> A, std::size_t r, std::size_t c)
        : rows(r), columns(c), entry(A.begin(), A.begin() + std::ptrdiff_t(r * c)) {}
    wide& operator()(std::size_t i, std::size_t j) { return entry[i * columns + j]; }
    wide operator()(std::size_t i, std::size_t j) const { return entry[i * columns + j]; }
};

// The vector x with A x = 0 whose free unknown is 1. One row less than columns; with `last_free` the last unknown is the free one,
// else the one that complete pivoting leaves over.
std::vector<double> kernel(Dense A, bool last_free) {
    const std::size_t n = A.columns, rows = A.rows;
    for (std::size_t i = 0; i < rows; ++i) {
        wide size = 0;
        for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(A(i, j)));
        if (!(size > 0) || !std::isfinite(size)) return {};
        for (std::size_t j = 0; j < n; ++j) A(i, j) /= size;
    }
    std::vector<std::size_t> place(n);  // which unknown a column holds
    std::iota(place.begin(), place.end(), std::size_t(0));
    for (std::size_t k = 0; k < rows; ++k) {
        std::size_t r = k, c = k;
        for (std::size_t i = k; i < rows; ++i)
            for (std::size_t j = k; j < (last_free ? n - 1 : n); ++j)
                if (std::abs(A(i, j)) > std::abs(A(r, c))) r = i, c = j;
        if (!(std::abs(A(r, c)) > 4 * wide(n) * std::numeric_limits<double>::epsilon())) return {};
        for (std::size_t j = 0; j < n; ++j) std::swap(A(k, j), A(r, j));
        for (std::size_t i = 0; i < rows; ++i) std::swap(A(i, k), A(i, c));
        std::swap(place[k], place[c]);
        for (std::size_t i = k + 1; i < rows; ++i) {
            const wide factor = A(i, k) / A(k, k);
            for (std::size_t j = k; j < n; ++j) A(i, j) -= factor * A(k, j);
        }
    }
    std::vector<double> x(n);
    std::vector<wide> ordered(n);
    ordered[n - 1] = 1;
    for (std::size_t k = rows; k-- > 0;) {
        wide sum = 0;
        for (std::size_t j = k + 1; j < n; ++j) sum += A(k, j) * ordered[j];
        ordered[k] = -sum / A(k, k);
    }
    for (std::size_t j = 0; j < n; ++j) x[place[j]] = double(ordered[j]);
    return x;
}

// Scales rows and columns by powers of two until each pair is of one size: D^-1 A D.
void balance(Dense& A) {
    const std::size_t n = A.rows;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < n; ++i) {
            wide row = 0, column = 0;
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) row += std::abs(A(i, j)), column += std::abs(A(j, i));
            if (!(row > 0 && column > 0)) continue;
            const wide factor = std::exp2(std::round(std::log2(row / column) / 2));
            if (!(column * factor + row / factor < (column + row) * 19 / 20)) continue;
            changed = true;
            for (std::size_t j = 0; j < n; ++j) A(j, i) *= factor;
            for (std::size_t j = 0; j < n; ++j) A(i, j) /= factor;
        }
    }
}

// A reflector 1 - beta w w' of up to three entries (or a longer column) that maps x onto the first axis.
struct Reflector {
    std::vector<wide> w;
    wide beta = 0;
    explicit Reflector(std::vector<wide> x) : w(std::move(x)) {
        wide size = 0, norm = 0;
        for (wide a : w) size = std::max(size, std::abs(a));
        if (!(size > 0)) return;
        for (wide& a : w) a /= size, norm += a * a;
        w[0] += std::copysign(std::sqrt(norm), w[0]);
        wide square = 0;
        for (wide a : w) square += a * a;
        beta = 2 / square;
    }
    // On rows first, first + 1, ... in the columns from, ..., to; and the same from the right.
    void left(Dense& A, std::size_t first, std::size_t from, std::size_t to) const {
        for (std::size_t j = from; j <= to; ++j) {
            wide sum = 0;
            for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * A(first + i, j);
            for (std::size_t i = 0; i < w.size(); ++i) A(first + i, j) -= beta * sum * w[i];
        }
    }
    void right(Dense& A, std::size_t first, std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i <= to; ++i) {
            wide sum = 0;
            for (std::size_t j = 0; j < w.size(); ++j) sum += w[j] * A(i, first + j);
            for (std::size_t j = 0; j < w.size(); ++j) A(i, first + j) -= beta * sum * w[j];
        }
    }
};

void to_hessenberg(Dense& A) {
    const std::size_t n = A.rows;
    for (std::size_t k = 0; k + 2 < n; ++k) {
        std::vector<wide> column;
        for (std::size_t i = k + 1; i < n; ++i) column.push_back(A(i, k));
        const Reflector r(std::move(column));
        r.left(A, k + 1, k, n - 1);
        r.right(A, k + 1, 0, n - 1);
        for (std::size_t i = k + 2; i < n; ++i) A(i, k) = 0;
    }
}

// The two eigenvalues of [[a b][c d]], without cancellation in the smaller one.
void of_two(wide a, wide b, wide c, wide d, std::vector<std::complex<double>>& out) {
    const wide half = (a - d) / 2, middle = (a + d) / 2, disc = half * half + b * c;
    if (disc >= 0) {
        const wide larger = middle + std::copysign(std::sqrt(disc), middle);
        const wide bc = b * c, determinant = std::fma(a, d, -bc) - std::fma(b, c, -bc);
        out.emplace_back(double(larger));
        out.emplace_back(double(larger != 0 ? determinant / larger : 0));
    } else {
        out.emplace_back(double(middle), double(std::sqrt(-disc)));
        out.emplace_back(double(middle), -double(std::sqrt(-disc)));
    }
}

// One sweep of Francis' double shift on the block low..high of a Hessenberg matrix, for the shifts s with (p - s)(q - s) = w.
// Differences from the diagonal come first: eigenvalues may lie much closer together than to 0.
void sweep(Dense& A, std::size_t low, std::size_t high, wide p, wide q, wide w) {
    const wide a = A(low, low), b = A(low + 1, low);
    std::vector<wide> x{((p - a) * (q - a) - w) + A(low, low + 1) * b, b * ((A(low + 1, low + 1) - q) + (a - p)),
                        b * A(low + 2, low + 1)};
    for (std::size_t k = low; k < high; ++k) {
        const Reflector r(x);
        r.left(A, k, k > low ? k - 1 : low, high);
        r.right(A, k, low, std::min(k + 3, high));
        if (k > low)
            for (std::size_t i = k + 1; i < std::min(k + 3, high + 1); ++i) A(i, k - 1) = 0;
        if (k + 1 < high) {
            x = {A(k + 1, k), A(k + 2, k)};
            if (k + 3 <= high) x.push_back(A(k + 3, k));
        }
    }
}

}  // namespace

std::vector<double> solve(std::span<const double> A, std::span<const double> b) {
    const std::size_t n = b.size();
    if (n == 0) return {};
    std::vector<double> joint(n * (n + 1));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) joint[i * (n + 1) + j] = A[i * n + j];
        joint[i * (n + 1) + n] = -b[i];
    }
    std::vector<double> x = kernel(Dense(joint, n, n + 1), true);
    if (!x.empty()) x.pop_back();
    return x;
}

std::vector<double> null_vector(std::span<const double> A, std::size_t n) {
    std::vector<double> x = kernel(Dense(A, n - 1, n), false);
    double norm = 0;
    for (double a : x) norm += a * a;
    for (double& a : x) a /= std::sqrt(norm);
    return x;
}

std::vector<std::complex<double>> eigenvalues(std::span<const double> matrix, std::size_t n) {
    Dense A(matrix, n, n);
    std::vector<std::complex<double>> out;
    constexpr int max_sweeps = 300;  // for one eigenvalue; three or four are usual
    const std::vector<std::complex<double>> unknown(n, std::numeric_limits<double>::quiet_NaN());
    if (!std::all_of(A.entry.begin(), A.entry.end(), [](wide x) { return std::isfinite(x); })) return unknown;
    balance(A);
    to_hessenberg(A);
    std::size_t left = n;  // rows that are not finished
    for (int tries = 1; left > 0;) {
        const std::size_t high = left - 1;
        std::size_t low = high;
        while (low > 0 && std::abs(A(low, low - 1)) > eps * (std::abs(A(low, low)) + std::abs(A(low - 1, low - 1))))
            --low;
        if (low == high) {
            out.emplace_back(double(A(high, high)));
            --left;
        } else if (low + 1 == high) {
            of_two(A(low, low), A(low, high), A(high, low), A(high, high), out);
            left -= 2;
        } else {
            wide p = A(high, high), q = A(high - 1, high - 1), w = A(high, high - 1) * A(high - 1, high);
            if (tries > max_sweeps) return unknown;
            if (tries % 10 == 0) {
                // an unlucky cycle is broken by other shifts near the corner
                const wide size = std::abs(A(high, high - 1)) + std::abs(A(high - 1, high - 2));
                p = q = A(high, high) + 3 * size / 4;
                w = -7 * size * size / 16;
            }
            sweep(A, low, high, p, q, w);
            ++tries;
            continue;
        }
        tries = 1;
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
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
