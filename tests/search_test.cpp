// Golden section of the core against known maxima. Bisection: tests/numerics/bisect_test.cpp.
#include <bristle/search.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

// Oracle: sin has its maximum at pi/2. Tolerance: sin is flat there to rounding within sqrt(2 eps) = 2e-8.
TEST(GoldenSection, FindsAMaximumWithOneEvaluationPerStep) {
    int calls = 0;
    const auto found = detail::golden_section(0.0, 3.0, 40, [&](double x) {
        ++calls;
        return std::sin(x);
    });
    EXPECT_NEAR(found.at, M_PI / 2, 4e-8);
    EXPECT_EQ(found.value, std::sin(found.at));
    EXPECT_EQ(calls, 42);
}

TEST(GoldenSection, StopsWhenMoreReturnsFalse) {
    double best = 0;
    int calls = 0;
    const auto f = [&](double x) {
        ++calls;
        return best = std::max(best, 1 - std::abs(x - 0.9));
    };
    detail::golden_section(
        0.0, 1.0, [&] { return best < 0.95; }, f);
    EXPECT_GE(best, 0.95);
    EXPECT_LT(calls, 10);
}

}  // namespace
}  // namespace bristle
