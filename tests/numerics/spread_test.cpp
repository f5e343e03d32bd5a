// Numbers from one end of a range to the other.
#include "numerics/spread.hpp"

#include <gtest/gtest.h>

namespace bristle::numerics {
namespace {

TEST(Spread, HasEqualDistancesOrEqualRatiosAndExactEnds) {
    EXPECT_EQ(spread(-1, 3, 5, Spacing::equal), (std::vector<double>{-1, 0, 1, 2, 3}));
    const auto ratios = spread(0.1, 1000, 5, Spacing::by_factors);
    ASSERT_EQ(ratios.size(), 5u);
    EXPECT_EQ(ratios.front(), 0.1);
    EXPECT_EQ(ratios.back(), 1000);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(ratios[i] / ratios[i - 1], 10, 1e-13);  // rounding of pow
    EXPECT_EQ(number_between(-8, -2, 0.5, Spacing::by_factors), -4);
}

TEST(Spread, OfOneNumberIsTheMiddle) { EXPECT_EQ(spread(2, 4, 1, Spacing::equal), std::vector<double>{3}); }

}  // namespace
}  // namespace bristle::numerics
