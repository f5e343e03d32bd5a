// LU factors with row pivots. Oracles: residuals of random systems, known solutions, singular matrices.
#include "numerics/dense_lu.hpp"

#include "../support/sets.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::numerics {
namespace {

// Oracle: the residual A x - b. Tolerance: 1e-13 of |A| |x|, some n times the rounding; row pivots keep the growth of the factors small.
TEST(DenseLu, SolvesRandomSystemsOfEachSize) {
    test::Random random(41);
    DenseLu lu;
    double worst = 0;
    for (std::size_t n = 1; n <= 40; ++n) {
        std::vector<double> A(n * n), b(n);
        for (double& x : A) x = random.uniform(-1, 1);
        for (double& x : b) x = random.uniform(-1, 1);
        ASSERT_TRUE(lu.factor(A, n));
        std::vector<double> x = b;
        lu.solve(x.data());
        for (std::size_t i = 0; i < n; ++i) {
            double left = -b[i], size = std::abs(b[i]);
            for (std::size_t j = 0; j < n; ++j) {
                left += A[i * n + j] * x[j];
                size += std::abs(A[i * n + j] * x[j]);
            }
            worst = std::max(worst, std::abs(left) / size);
        }
    }
    std::printf("worst %.1e\n", worst);
    EXPECT_LT(worst, 1e-13);
}

// Oracle: x = (3, -1, 2) by hand; the first two pivots are 0 without an exchange of rows. Exact in binary.
TEST(DenseLu, ExchangesRowsWhereAPivotIsZero) {
    DenseLu lu;
    ASSERT_TRUE(lu.factor({0, 0, 2, 0, 4, 1, 1, 2, 0}, 3));
    double b[] = {4, -2, 1};
    lu.solve(b);
    EXPECT_EQ(b[0], 3);
    EXPECT_EQ(b[1], -1);
    EXPECT_EQ(b[2], 2);
}

// One object is used for systems of decreasing and increasing size.
TEST(DenseLu, DoesNotDependOnTheSystemBefore) {
    DenseLu lu;
    ASSERT_TRUE(lu.factor({2, 1, 1, 3}, 2));
    ASSERT_TRUE(lu.factor({8}, 1));
    double one[] = {4};
    lu.solve(one);
    EXPECT_EQ(one[0], 0.5);
    ASSERT_TRUE(lu.factor({1, 1, 0, 1}, 2));
    double two[] = {3, 1};
    lu.solve(two);
    EXPECT_EQ(two[0], 2);
    EXPECT_EQ(two[1], 1);
}

TEST(DenseLu, RejectsSingularMatricesAndNaN) {
    DenseLu lu;
    EXPECT_FALSE(lu.factor({1, 2, 2, 4}, 2));
    EXPECT_FALSE(lu.factor({0, 0, 0, 1}, 2));
    EXPECT_FALSE(lu.factor({NAN}, 1));
}

}  // namespace
}  // namespace bristle::numerics
