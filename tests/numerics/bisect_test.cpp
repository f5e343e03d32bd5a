// Bisection against known places of change.
#include "numerics/bisect.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::numerics {
namespace {

TEST(Bisect, FindsAdjacentNumbersAroundTheChange) {
    const auto below = [](double x) { return x * x < 2; };
    const Bracket rising = bisect(0, 2, 200, below);
    EXPECT_TRUE(below(rising.holds));
    EXPECT_FALSE(below(rising.fails));
    EXPECT_EQ(std::nextafter(rising.holds, 2), rising.fails);
    // the end that holds may be the larger one
    const Bracket falling = bisect(2, 0, 200, [&](double x) { return !below(x); });
    EXPECT_EQ(falling.holds, rising.fails);
    EXPECT_EQ(falling.fails, rising.holds);
}

TEST(Bisect, HalvesTheIntervalAtMostAsOftenAsAllowed) {
    int calls = 0;
    const Bracket b = bisect(0, 1, 10, [&](double x) {
        ++calls;
        return x < 0.3;
    });
    EXPECT_EQ(calls, 10);
    EXPECT_EQ(b.fails - b.holds, std::ldexp(1, -10));
    EXPECT_LT(b.holds, 0.3);
    EXPECT_GE(b.fails, 0.3);
}

TEST(Bisect, NarrowStopsAsToldAndUsesTheGivenMiddle) {
    double holds = 1, fails = 1e12;
    int calls = 0;
    narrow(
        holds, fails, [&] { return fails > 2 * holds; },
        [&](double x) {
            ++calls;
            return x < 1e5;
        },
        [](double a, double b) { return std::sqrt(a * b); });
    EXPECT_EQ(calls, 6);  // the ratio 2^39.9 falls below 2 by six square roots
    EXPECT_LT(holds, 1e5);
    EXPECT_GE(fails, 1e5);
}

}  // namespace
}  // namespace bristle::numerics
