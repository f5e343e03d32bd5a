// Arrow heads along a path: they point in the direction of motion, lie on the path and keep a distance.
#include "report/figure/arrows.hpp"
#include <cmath>
#include <limits>
#include <numbers>
#include <gtest/gtest.h>

namespace {

using namespace bristle::report;

Panel circles(int turns, int points, double width = 1, Mark mark = Mark::path) {
    Series series{"", {}, {}, mark};
    for (int i = 0; i <= points; ++i) {
        const double angle = 2 * std::numbers::pi * turns * i / points;
        series.x.push_back(width * std::cos(angle));
        series.y.push_back(std::sin(angle));
    }
    return {{"x", "m"}, {"y", "m"}, {series}};
}

TEST(Arrows, PointAlongTheMotion) {
    const auto heads = arrows(circles(1, 1000)).at(0);
    ASSERT_GE(heads.size(), 2u);
    for (const Arrow& head : heads) {
        // anticlockwise: the cross product of position and direction is positive
        EXPECT_GT(head.to_x * (head.to_y - head.from_y) - head.to_y * (head.to_x - head.from_x), 0);
        EXPECT_NEAR(std::hypot(head.to_x, head.to_y), 1, 1e-12);
    }
}

TEST(Arrows, OfALoopRepeated50TimesDoNotOverlap) {
    const auto heads = arrows(circles(50, 50000)).at(0);
    EXPECT_LE(heads.size(), 8u);
    for (std::size_t i = 0; i < heads.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)  // the panel is 2 wide and 2 high
            EXPECT_GT(std::hypot(heads[i].to_x - heads[j].to_x, heads[i].to_y - heads[j].to_y), 0.2);
}

// The same circle with x in micrometres: distances are those in the picture, not in units of the data.
TEST(Arrows, HaveTheSamePositionsInAnyUnits) {
    const auto heads = arrows(circles(1, 1000)).at(0), scaled = arrows(circles(1, 1000, 1e-6)).at(0);
    ASSERT_EQ(heads.size(), scaled.size());
    for (std::size_t i = 0; i < heads.size(); ++i) EXPECT_NEAR(scaled[i].to_x, 1e-6 * heads[i].to_x, 1e-15);
}

TEST(Arrows, AreNotDrawnOnLinesAndPoints) {
    EXPECT_TRUE(arrows(circles(1, 1000, 1, Mark::line)).at(0).empty());
    EXPECT_TRUE(arrows(circles(1, 1000, 1, Mark::points)).at(0).empty());
}

TEST(Arrows, AreFiniteForGapsRestAndInfiniteValues) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const Panel panel{{"x", "m"},
                      {"y", "m"},
                      {{"", {nan, nan}, {1, 2}, Mark::path},
                       {"", {1, 1, 1}, {2, 2, 2}, Mark::path},
                       {"", {0}, {0}, Mark::path},
                       {"", {0, inf, 1}, {0, 1, -inf}, Mark::path}}};
    for (const auto& heads : arrows(panel))
        for (const Arrow& head : heads) EXPECT_TRUE(std::isfinite(head.from_x + head.from_y + head.to_x + head.to_y));
}

}  // namespace
