// Regula falsi against a known zero.
#include "numerics/regula_falsi.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::numerics {
namespace {

// Oracle: x^9 = 0.5 at 2^(-1/9). Without halving one end stays and 30 evaluations leave an error of 1e-2.
// Tolerance: rounding of x^9.
TEST(RegulaFalsi, ConvergesAlthoughTheFunctionIsFlatAtOneEnd) {
    for (const double sign : {1.0, -1.0}) {
        const auto f = [&](double x) { return sign * (std::pow(x, 9) - 0.5); };
        RegulaFalsi zero{0, 1, f(0), f(1)};
        double s = 0;
        int evaluations = 0;
        do {
            s = zero.next();
            ASSERT_GT(s, zero.low);
            ASSERT_LT(s, zero.high);
            zero.take(s, f(s));
            EXPECT_LT(zero.at_low * zero.at_high, 0);
        } while (++evaluations < 30 && std::abs(f(s)) > 1e-15);
        EXPECT_NEAR(s, std::pow(2, -1. / 9), 1e-15);
        EXPECT_LT(evaluations, 20);
    }
}

TEST(RegulaFalsi, TakesTheMiddleIfRoundingPutsTheZeroOutside) { EXPECT_EQ((RegulaFalsi{1, 3, 1e-300, -1}.next()), 2); }

}  // namespace
}  // namespace bristle::numerics
