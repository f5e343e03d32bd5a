// Pseudo-inverse of a symmetric matrix. Oracles: the four conditions of Penrose, known inverses, projections.
#include "numerics/linear.hpp"

#include "../support/sets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bristle::numerics {
namespace {

using Entries = std::vector<double>;

Entries product(const Entries& A, const Entries& B, std::size_t n) {
    Entries out(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) out[i * n + j] += A[i * n + k] * B[k * n + j];
    return out;
}
double largest(const Entries& A) {
    double out = 0;
    for (const double x : A) out = std::max(out, std::abs(x));
    return out;
}
double difference(Entries A, const Entries& B) {
    for (std::size_t i = 0; i < A.size(); ++i) A[i] -= B[i];
    return largest(A);
}

// B' B of random rows: symmetric, >= 0, of that rank; its size is at most n.
Entries of_rank(std::size_t n, std::size_t rank, test::Random& random) {
    Entries out(n * n), row(n);
    for (std::size_t r = 0; r < rank; ++r) {
        for (double& x : row) x = random.uniform(-1, 1);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) out[i * n + j] += row[i] * row[j];
    }
    return out;
}

// Oracle: P is the pseudo-inverse if A P A = A, P A P = P, and A P and P A are symmetric. Sizes 1 to 16, each rank.
// Tolerance: 1e-10 of the size of the terms; random rows have condition numbers up to 1e5.
TEST(PseudoInverse, MeetsTheConditionsOfPenroseForEachRank) {
    test::Random random(31);
    double worst = 0;
    for (std::size_t n = 1; n <= 16; ++n)
        for (std::size_t rank = 0; rank <= n; ++rank) {
            const Entries A = of_rank(n, rank, random), P = pseudo_inverse(A, n, 1e-12);
            ASSERT_EQ(P.size(), n * n);
            const Entries AP = product(A, P, n);
            const double size = std::max(1.0, largest(A) * largest(P));
            worst = std::max(worst, difference(product(AP, A, n), A) / (size * std::max(largest(A), 1e-300)));
            worst = std::max(worst, difference(product(P, AP, n), P) / (size * std::max(largest(P), 1e-300)));
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    worst = std::max(worst, std::abs(AP[i * n + j] - AP[j * n + i]) / size);
                    EXPECT_EQ(P[i * n + j], P[j * n + i]);
                }
        }
    std::printf("worst %.1e\n", worst);
    EXPECT_LT(worst, 1e-10);
}

// Oracle: the inverse of the second-difference matrix of 3 rows is [3 2 1; 2 4 2; 1 2 3]/4. Tolerance: rounding.
TEST(PseudoInverse, OfARegularMatrixIsItsInverse) {
    const Entries P = pseudo_inverse(Entries{2, -1, 0, -1, 2, -1, 0, -1, 2}, 3, 1e-13),
                  known{0.75, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.75};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(P[i], known[i], 1e-15);
}

// Oracle: u u'/(u' u)^2 for u = (1, 2, -2). Tolerance: rounding.
TEST(PseudoInverse, OfADyadIsTheDyadOverTheSquareOfItsNorm) {
    const double u[] = {1, 2, -2};
    Entries A(9);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) A[i * 3 + j] = u[i] * u[j];
    const Entries P = pseudo_inverse(A, 3, 1e-13);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(P[i], A[i] / 81, 1e-17);
}

// Oracle: 1/d of a diagonal matrix; entries up to `least` of the largest count as 0. Exact: nothing is rotated.
TEST(PseudoInverse, OfSmallEigenvaluesIsZero) {
    const Entries P = pseudo_inverse(Entries{4, 0, 0, 0, 1e-14, 0, 0, 0, 1e-9}, 3, 1e-13);
    EXPECT_EQ(P[0], 0.25);
    EXPECT_EQ(P[4], 0);
    EXPECT_EQ(P[8], 1 / 1e-9);
    for (const std::size_t i : {1u, 2u, 3u, 5u, 6u, 7u}) EXPECT_EQ(P[i], 0);
    EXPECT_EQ(pseudo_inverse(Entries(9), 3, 1e-13), Entries(9));
}

TEST(PseudoInverse, OfEntriesThatAreNotFiniteIsNaN) {
    for (const double bad : {std::nan(""), HUGE_VAL})
        for (const double x : pseudo_inverse(Entries{1, bad, bad, 1}, 2, 1e-13)) EXPECT_TRUE(std::isnan(x));
    EXPECT_TRUE(pseudo_inverse(Entries{}, 0, 1e-13).empty());
}

}  // namespace
}  // namespace bristle::numerics
