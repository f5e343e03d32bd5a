// Rank, solutions and null vectors of singular matrices, against matrices whose null vectors are known.
#include "numerics/elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::numerics {
namespace {

// Springs 1e8 and 40 N/m between three masses, floating: the rows sum to zero, and all positions may move together.
TEST(Elimination, OfAFloatingChainHasTheCommonMotionAsItsNullVector) {
    const double k = 1e8, c = 40;
    const std::vector<double> A{k, -k, 0, -k, k + c, -c, 0, -c, c};
    const Elimination e(A, 3, 3);
    EXPECT_EQ(e.rank(), 2u);
    ASSERT_EQ(e.null().size(), 1u);
    ASSERT_EQ(e.left_null().size(), 1u);
    for (const auto& vector : {e.null()[0], e.left_null()[0]})
        for (const double x : vector)
            EXPECT_NEAR(x, vector[0], 1e-7 * std::abs(vector[0]));  // k + c is rounded to 1e-16 k
    // forces that sum to zero: 3 N in the stiff spring, 1 N in the soft one
    const std::vector<double> b{3, -2, -1}, x = e.solve(b);
    EXPECT_NEAR(x[0] - x[1], 3 / k, 1e-12 / k + 1e-16);
    EXPECT_NEAR(x[1] - x[2], 1 / c, 1e-9);
    EXPECT_EQ(x[e.others()[0]], 0);
}

// Stiffness and integral gain in one matrix: scales 1e9 apart do not hide the rank.
TEST(Elimination, OfMixedUnitsIsRegular) {
    const std::vector<double> A{-2e6, 1, -3e-3, 0};
    const Elimination e(A, 2, 2);
    EXPECT_EQ(e.rank(), 2u);
    const std::vector<double> x = e.solve(std::vector<double>{5, 6e-3});
    EXPECT_NEAR(x[0], -2, 1e-15);
    EXPECT_NEAR(x[1], 5 - 4e6, 1e-9);
}

TEST(Elimination, OfMoreRowsThanColumnsGivesTheConditionsOnTheRightSide) {
    const std::vector<double> A{1, 0, 0, 2, 1, 2};  // row 3 = row 1 + row 2
    const Elimination e(A, 3, 2);
    EXPECT_EQ(e.rank(), 2u);
    EXPECT_TRUE(e.null().empty());
    ASSERT_EQ(e.left_null().size(), 1u);
    const auto y = e.left_null()[0];
    EXPECT_NEAR(y[0] / y[2], -1, 1e-15);
    EXPECT_NEAR(y[1] / y[2], -1, 1e-15);
    EXPECT_NEAR(e.solve(std::vector<double>{3, 4, 7})[1], 2, 1e-15);
}

TEST(Elimination, WithoutRowsHasEveryVectorAsItsNullVector) {
    const Elimination e({}, 0, 2);
    EXPECT_EQ(e.rank(), 0u);
    EXPECT_EQ(e.null().size(), 2u);
    EXPECT_EQ(e.null()[1][1], 1);
}

}  // namespace
}  // namespace bristle::numerics
