// Tail of the chi-square distribution.
#include "numerics/chi_square.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bristle::numerics {

// Oracle: mpmath 1.3 with 25 digits: gammainc(mpf(degrees)/2, mpf(x)/2, inf, regularized=True). The points of 5 % and 1 % are those of
// printed tables: 3.841, 18.307, 31.410, 37.566. Tolerance: 1e-12 of the value, as the header states.
TEST(ChiSquare, TailEqualsTheValuesOfMpmath) {
    const struct {
        double degrees, x, tail;
    } table[] = {{1, 0.1, 0.75182963404584928},
                 {1, 3.841458820694124, 0.050000000000000057},
                 {2, 1, 0.60653065971263342},
                 {5, 0.5, 0.99212329323262959},
                 {10, 18.307038053275146, 0.050000000000000007},
                 {20, 17.2, 0.639951216935532},
                 {20, 31.410432844230918, 0.050000000000000101},
                 {20, 37.56623478662507, 0.0099999999999999565},
                 {20, 150, 6.285681673933381e-22},
                 {20, 1000, 3.9047966391213206e-199},
                 {100, 100, 0.48119168452795672}};
    for (const auto& [degrees, x, tail] : table)
        EXPECT_NEAR(chi_square_tail(x, degrees), tail, 1e-12 * tail) << degrees << " " << x;
}

// Oracle: closed forms: erfc(sqrt(x)) for a = 1/2; exp(-x) sum of x^k/k! for whole a, on both sides of the change of method at a + 1.
TEST(UpperGamma, EqualsTheClosedForms) {
    for (const double x : {1e-6, 0.3, 1.4999, 1.5001, 4.0, 30.0}) {
        EXPECT_NEAR(upper_gamma(0.5, x), std::erfc(std::sqrt(x)), 1e-12 * std::erfc(std::sqrt(x))) << x;
        double sum = 0, term = 1;
        for (int k = 0; k < 7; term *= x / ++k) sum += term;
        EXPECT_NEAR(upper_gamma(7, x), std::exp(-x) * sum, 1e-12) << x;
    }
}

TEST(UpperGamma, IsOneAtZeroZeroAtInfinityAndNaNOutsideItsRange) {
    EXPECT_EQ(upper_gamma(3, 0), 1);
    EXPECT_EQ(upper_gamma(3, std::numeric_limits<double>::infinity()), 0);
    for (const auto& [a, x] : {std::pair{0.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}, {NAN, 1.0}, {1.0, NAN}})
        EXPECT_TRUE(std::isnan(upper_gamma(a, x))) << a << " " << x;
}

}  // namespace bristle::numerics
