// Dense least squares on long tables.
#include "identify/fit/least_squares.hpp"

#include "identify/instruction_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace bristle::inline identification {
namespace {

struct Table {
    std::size_t n, p;
    std::vector<double> J, r;
    double* row(std::size_t i) { return J.data() + i * p; }
};
// scale: ratio of the size of one column to the one before.
Table random_table(std::size_t n, std::size_t p, std::uint64_t seed, double scale = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Table t{n, p, std::vector<double>(n * p), std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < p; ++k) t.J[i * p + k] = std::pow(scale, double(k)) * normal(random);
        t.r[i] = normal(random);
    }
    return t;
}
Folded folded(const Table& t, std::span<const std::uint8_t> use = {}, std::span<const double> weight = {}) {
    return fold(t.J.data(), t.p, t.r.data(), t.n, t.p, use, weight);
}

using Wide = long double;
// Entry of [J r]'[J r], by plain sums in extended precision.
Wide product(const Table& t, std::size_t a, std::size_t b) {
    Wide sum = 0;
    for (std::size_t i = 0; i < t.n; ++i)
        sum += Wide(a < t.p ? t.J[i * t.p + a] : t.r[i]) * Wide(b < t.p ? t.J[i * t.p + b] : t.r[i]);
    return sum;
}
// Inverse by Gauss and Jordan with pivots, in extended precision.
std::vector<Wide> inverse(std::vector<Wide> A, std::size_t p) {
    std::vector<Wide> B(p * p, 0);
    for (std::size_t k = 0; k < p; ++k) B[k * p + k] = 1;
    for (std::size_t k = 0; k < p; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < p; ++i)
            if (std::fabs(A[i * p + k]) > std::fabs(A[pivot * p + k])) pivot = i;
        for (std::size_t j = 0; j < p; ++j) {
            std::swap(A[k * p + j], A[pivot * p + j]);
            std::swap(B[k * p + j], B[pivot * p + j]);
        }
        const Wide d = A[k * p + k];
        for (std::size_t j = 0; j < p; ++j) {
            A[k * p + j] /= d;
            B[k * p + j] /= d;
        }
        for (std::size_t i = 0; i < p; ++i) {
            const Wide f = A[i * p + k];
            if (i == k || f == 0) continue;
            for (std::size_t j = 0; j < p; ++j) {
                A[i * p + j] -= f * A[k * p + j];
                B[i * p + j] -= f * B[k * p + j];
            }
        }
    }
    return B;
}
std::vector<Wide> normal_inverse(const Table& t, const std::vector<std::size_t>& columns) {
    std::vector<Wide> N;
    for (const std::size_t a : columns)
        for (const std::size_t b : columns) N.push_back(product(t, a, b));
    return inverse(N, columns.size());
}
// Least squares with the given columns only, by the normal equations.
std::vector<double> restricted(const Table& t, const std::vector<std::size_t>& columns) {
    const auto inverse_of = normal_inverse(t, columns);
    std::vector<double> x(t.p, 0.0);
    for (std::size_t a = 0; a < columns.size(); ++a) {
        Wide sum = 0;
        for (std::size_t b = 0; b < columns.size(); ++b)
            sum += inverse_of[a * columns.size() + b] * product(t, columns[b], t.p);
        x[columns[a]] = double(sum);
    }
    return x;
}
double squares(const Table& t, const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < t.n; ++i) {
        double e = t.r[i];
        for (std::size_t k = 0; k < t.p; ++k) e -= t.J[i * t.p + k] * x[k];
        sum += e * e;
    }
    return sum;
}
std::vector<std::size_t> all_columns(const Table& t) {
    std::vector<std::size_t> out(t.p);
    for (std::size_t k = 0; k < t.p; ++k) out[k] = k;
    return out;
}

// Oracle: sums of products of the table. Tolerance: rounding of some hundred terms. Row numbers below, at and above the block of fold(), and
// fewer rows than columns. The factor is triangular.
TEST(Fold, KeepsAllSumsOfSquaresAndProducts) {
    for (const std::size_t n : {1u, 3u, 127u, 128u, 129u, 1000u})
        for (const std::size_t p : {1u, 4u, 9u, 20u}) {
            const Table t = random_table(n, p, 10 * n + p, 100);
            const Folded f = folded(t);
            EXPECT_EQ(f.rows, n);
            for (std::size_t a = 0; a <= p; ++a)
                for (std::size_t b = 0; b <= p; ++b) {
                    Wide sum = 0;
                    for (std::size_t i = 0; i <= p; ++i) sum += Wide(f.R[i * (p + 1) + a]) * Wide(f.R[i * (p + 1) + b]);
                    const double size = std::sqrt(double(product(t, a, a) * product(t, b, b)));
                    ASSERT_NEAR(double(sum), double(product(t, a, b)), 1e-13 * size) << n << " " << p;
                }
            EXPECT_NEAR(f.squares(), double(product(t, p, p)), 1e-13 * double(product(t, p, p)));
            for (std::size_t i = 0; i <= p; ++i)
                for (std::size_t k = 0; k < i; ++k) ASSERT_EQ(f.R[i * (p + 1) + k], 0) << n << " " << p;
        }
}

// Oracle: the table made of those rows only, each times its weight. The same operations: exact.
TEST(Fold, OfMarkedAndWeightedRowsEqualsTheFoldOfTheirTable) {
    const Table t = random_table(900, 3, 5);
    std::vector<std::uint8_t> use(t.n);
    std::vector<double> weight(t.n);
    Table part{0, t.p, {}, {}};
    for (std::size_t i = 0; i < t.n; ++i) {
        use[i] = i % 3 == 1;
        weight[i] = 1 + 0.01 * double(i);
        if (!use[i]) continue;
        ++part.n;
        for (std::size_t k = 0; k < t.p; ++k) part.J.push_back(weight[i] * t.J[i * t.p + k]);
        part.r.push_back(weight[i] * t.r[i]);
    }
    const Folded f = folded(t, use, weight), g = folded(part);
    EXPECT_EQ(f.rows, part.n);
    EXPECT_EQ(f.R, g.R);
}

// Oracle: lengths of the columns. Squares of 1e-158 are almost lost, those of 1e-200 are 0: the factor stays finite.
TEST(Fold, OfTinyColumnsIsFinite) {
    for (const double size : {1e-150, 1e-158, 1e-200, 1e-310}) {
        Table t = random_table(300, 3, 8);
        for (std::size_t i = 0; i < t.n; ++i) t.row(i)[1] *= size;
        const Folded f = folded(t);
        for (const double x : f.R) ASSERT_TRUE(std::isfinite(x)) << size;
        EXPECT_NEAR(f.squares(), double(product(t, 3, 3)), 1e-13 * f.squares());
    }
}

// Oracle: a table without rows has a factor of zeros.
TEST(Fold, OfNoRowsIsZero) {
    const Table t = random_table(5, 2, 5);
    const std::vector<std::uint8_t> none(5, 0);
    const Folded f = folded(t, none);
    EXPECT_EQ(f.rows, 0u);
    EXPECT_EQ(f.R, std::vector<double>(9, 0.0));
}

// Oracle: numbers between the columns do not enter: the same table with one more column, by the stride.
TEST(Fold, StrideSkipsColumnsBehindTheFirst) {
    const Table wide = random_table(200, 4, 6);
    Table narrow{200, 3, {}, wide.r};
    for (std::size_t i = 0; i < 200; ++i)
        for (std::size_t k = 0; k < 3; ++k) narrow.J.push_back(wide.J[i * 4 + k]);
    EXPECT_EQ(fold(wide.J.data(), 4, wide.r.data(), 200, 3, {}).R, folded(narrow).R);
}

// Oracle: normal equations in extended precision. Tolerance: 1e-11 of the size of x; columns differ by a factor of 1e15 in size.
TEST(Solution, EqualsTheNormalEquations) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Table t = random_table(60, 6, seed, 1e3);
        const auto x = solution(folded(t)), expected = restricted(t, all_columns(t));
        for (std::size_t k = 0; k < t.p; ++k)
            ASSERT_NEAR(x[k], expected[k], 1e-11 * std::fabs(expected[k]) + 1e-12 * std::pow(1e-3, double(k)));
        EXPECT_NEAR(std::pow(residual_norm(folded(t), x), 2), squares(t, x), 1e-11 * squares(t, x));
        EXPECT_NEAR(folded(t).residual() * folded(t).residual(), squares(t, x), 1e-11 * squares(t, x));
    }
}

// Oracle: with two equal columns of unit length the shortest solution gives each half of the coefficient of one. Tolerance: rounding.
TEST(Solution, OfEqualColumnsIsSharedBetweenThem) {
    Table one = random_table(50, 2, 3), two{50, 3, {}, one.r};
    for (std::size_t i = 0; i < 50; ++i) two.J.insert(two.J.end(), {one.J[2 * i], one.J[2 * i + 1], one.J[2 * i + 1]});
    const auto x = solution(folded(one)), y = solution(folded(two));
    EXPECT_NEAR(y[0], x[0], 1e-12);
    EXPECT_NEAR(y[1], 0.5 * x[1], 1e-12);
    EXPECT_NEAR(y[2], 0.5 * x[1], 1e-12);
}

// Oracle: a column of zeros has no effect: its coefficient is 0 and the others are those without it. Tolerance: rounding.
TEST(Solution, OfAColumnOfZerosIsZero) {
    Table t = random_table(50, 3, 4);
    for (std::size_t i = 0; i < 50; ++i) t.row(i)[1] = 0;
    const auto x = solution(folded(t)), expected = restricted(t, {0, 2});
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[k], expected[k], 1e-12);
}

// Oracle: brute force: the best of all 2^p choices of columns that leave every constrained coefficient >= 0.
// Tolerance: rounding. 200 random tables with 1 to 6 columns, some of them without a constraint.
TEST(NonnegativeSolution, EqualsTheBestOfAllActiveSets) {
    std::mt19937_64 random(9);
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t p = 1 + random() % 6;
        const Table t = random_table(30, p, random(), 10);
        std::vector<std::uint8_t> nonnegative(p);
        for (auto& c : nonnegative) c = random() % 4 != 0;
        double least = std::numeric_limits<double>::infinity();
        std::vector<double> best;
        for (std::size_t set = 0; set < (std::size_t(1) << p); ++set) {
            std::vector<std::size_t> columns;
            bool allowed = true;
            for (std::size_t k = 0; k < p; ++k) {
                if (set >> k & 1) columns.push_back(k);
                allowed = allowed && (nonnegative[k] || (set >> k & 1));
            }
            if (!allowed) continue;
            const auto x = restricted(t, columns);
            for (std::size_t k = 0; k < p; ++k) allowed = allowed && (!nonnegative[k] || x[k] >= 0);
            if (const double cost = squares(t, x); allowed && cost < least) {
                least = cost;
                best = x;
            }
        }
        const auto x = nonnegative_solution(folded(t), nonnegative);
        for (std::size_t k = 0; k < p; ++k) {
            ASSERT_NEAR(x[k], best[k], 1e-11 * std::pow(0.1, double(k))) << "trial " << trial << ", column " << k;
            if (nonnegative[k]) {
                ASSERT_GE(x[k], 0);
            }
        }
    }
}

// Oracle: the sum of squares of the table without one of two equal columns. Tolerance: rounding.
TEST(NonnegativeSolution, OfEqualColumnsFitsAsWellAsOneOfThem) {
    Table one = random_table(50, 2, 31), two{50, 3, {}, {}};
    for (std::size_t i = 0; i < 50; ++i) {
        one.r[i] = 0.1 * one.r[i] + 2 * one.J[2 * i] + 3 * one.J[2 * i + 1];
        two.J.insert(two.J.end(), {one.J[2 * i], one.J[2 * i + 1], one.J[2 * i + 1]});
    }
    two.r = one.r;
    const std::uint8_t all[] = {1, 1, 1};
    const auto x = nonnegative_solution(folded(two), all);
    EXPECT_NEAR(squares(two, x), squares(one, restricted(one, {0, 1})), 1e-10);
    for (const double c : x) EXPECT_GE(c, 0);
}

// Oracle: inverse of the normal matrix in extended precision. Tolerance: 1e-11 of the geometric mean of the variances.
TEST(InverseNormal, EqualsTheInverseOfTheNormalMatrix) {
    const Table t = random_table(80, 5, 21, 1e2);
    const auto found = inverse_normal(folded(t));
    const auto expected = normal_inverse(t, all_columns(t));
    for (std::size_t a = 0; a < 5; ++a)
        for (std::size_t b = 0; b < 5; ++b) {
            const double size = std::sqrt(double(expected[a * 5 + a] * expected[b * 5 + b]));
            ASSERT_NEAR(found[a * 5 + b], double(expected[a * 5 + b]), 1e-11 * size);
        }
}

// Oracle: documentation: a direction that is lost in rounding gets a large finite variance. The variance of one column alone is 1/50.
TEST(InverseNormal, OfEqualColumnsIsFiniteAndLarge) {
    Table t = random_table(50, 3, 22);
    for (std::size_t i = 0; i < 50; ++i) t.row(i)[2] = t.row(i)[1];
    const auto C = inverse_normal(folded(t));
    for (const double c : C) EXPECT_TRUE(std::isfinite(c));
    EXPECT_GT(C[4], 1e12);
    EXPECT_LT(C[0], 1);
}

// Oracle: A B A written out for 2 x 2. Exact in small integers.
TEST(Sandwich, EqualsTheProductOfTheThreeMatrices) {
    const double A[] = {2, 1, 1, 3}, B[] = {5, -1, -1, 4};
    EXPECT_EQ(sandwich(A, B, 2), (std::vector<double>{20, 15, 15, 35}));
}

// Oracle: two columns with the cosine c have singular values sqrt(1 + c), sqrt(1 - c), whatever their lengths; the weakest direction
// is (1, -1)/sqrt(2). Tolerance: rounding.
TEST(SpectrumOfColumns, OfTwoColumnsEqualsTheClosedForm) {
    const double c = 0.96, s = std::sqrt(1 - c * c);
    const std::vector<double> J{1e3, c * 1e-4, 0, s * 1e-4}, r{1, 1};
    const Spectrum found = spectrum(fold(J.data(), 2, r.data(), 2, 2, {}));
    EXPECT_NEAR(found.values[0], std::sqrt(1 + c), 1e-14);
    EXPECT_NEAR(found.values[1], std::sqrt(1 - c), 1e-14);
    EXPECT_NEAR(std::fabs(found.vector(1)[0]), std::sqrt(0.5), 1e-13);
    EXPECT_NEAR(found.vector(1)[0] + found.vector(1)[1], 0, 1e-13);
}

// Oracle: the baseline. Tolerance: 1e-12 of the longest column; 1000 rows in blocks, each rounded differently.
TEST(Fold, WithAvx2EqualsTheBaselineToRounding) {
    if (!uses_avx2()) GTEST_SKIP() << "this processor or compiler has no AVX2";
    const Table t = random_table(1000, 7, 41);
    const Folded wide = folded(t);
    const BaselineOnly baseline_only;
    const Folded baseline = folded(t);
    ASSERT_EQ(wide.R.size(), baseline.R.size());
    for (std::size_t i = 0; i < wide.R.size(); ++i)
        ASSERT_NEAR(wide.R[i], baseline.R[i], 1e-12 * std::sqrt(1000.0)) << i;
}

}  // namespace
}  // namespace bristle::identification
