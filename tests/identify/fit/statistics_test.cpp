// Statistics of correlated residuals.
#include "identify/fit/statistics.hpp"
#include "residual_signals.hpp"

#include <gtest/gtest.h>

namespace bristle::inline identification {
namespace {

using namespace residual_signals;

// Oracle: rho^lag. Tolerance: 5 standard errors of an autocorrelation, sqrt((1 + rho^2)/(1 - rho^2)/n) at large lags (Bartlett 1946).
TEST(Autocorrelation, OfAnAr1SignalIsAPowerOfRho) {
    std::mt19937_64 random(1);
    constexpr std::size_t n = 100000;
    const double rho = 0.8;
    const Prepared record = rows_of(1, n);
    const auto found = autocorrelation(record, ar1(n, rho, random), record.compared, 10);
    ASSERT_EQ(found.size(), 11u);
    EXPECT_EQ(found[0], 1);
    for (int lag = 1; lag <= 10; ++lag)
        EXPECT_NEAR(found[std::size_t(lag)], std::pow(rho, lag), 5 * std::sqrt((1 + rho * rho) / (1 - rho * rho) / n));
}

// Oracle: written out: at lag 1 one product -1 in each of two runs, none across runs, over a sum of squares of 4. Exact.
TEST(Autocorrelation, DoesNotJoinRuns) {
    const Prepared record = rows_of(2, 2);
    const std::vector<double> r{1, -1, 1, -1};
    EXPECT_EQ(autocorrelation(record, r, record.compared, 1), (std::vector<double>{1, -0.5}));
}

// Oracle: 1 + 2 rho/(1 - rho) = (1 + rho)/(1 - rho); the sum ends at the first rho^lag < 0.05, which leaves out
// 2 rho^m/(1 - rho) <= 2 0.05/(1 - rho). Tolerance: that part and 5 % of sampling error.
TEST(CorrelationLength, OfAnAr1SignalEqualsTheClosedForm) {
    std::mt19937_64 random(2);
    for (const double rho : {0.5, 0.9, 0.98}) {
        constexpr std::size_t n = 200000;
        const Prepared record = rows_of(1, n);
        const double expected = (1 + rho) / (1 - rho), cut = 0.1 / (1 - rho);
        const double found = correlation_length(record, ar1(n, rho, random), record.compared);
        EXPECT_LT(found, 1.05 * expected) << rho;
        EXPECT_GT(found, 0.95 * expected - cut) << rho;
    }
}

// Oracle: white noise has no correlation; static points have none by definition.
TEST(CorrelationLength, OfWhiteNoiseAndOfPointsIsOne) {
    std::mt19937_64 random(3);
    Prepared record = rows_of(1, 20000);
    EXPECT_NEAR(correlation_length(record, ar1(20000, 0, random), record.compared), 1, 0.1);
    record.points = true;
    EXPECT_EQ(correlation_length(record, ar1(20000, 0.9, random), record.compared), 1);
}

// Oracle: written out for four rows, one of them not used: residuals 1, -2, 2; y 4, -4, 3; mean 1. Exact in small numbers.
TEST(ErrorOfAFit, EqualsTheSumsWrittenOut) {
    Prepared record = rows_of(1, 4);
    record.compared[1] = 0;
    const std::vector<double> residual{1, 99, -2, 2}, y{4, 99, -4, 3};
    const FitError error = fit_error(record, residual, y, record.compared);
    EXPECT_EQ(error.rows, 3u);
    EXPECT_DOUBLE_EQ(error.rmse, std::sqrt(9.0 / 3));
    EXPECT_DOUBLE_EQ(error.mae, 5.0 / 3);
    EXPECT_DOUBLE_EQ(error.nrmse, std::sqrt(9.0 / (9 + 25 + 4)));
    EXPECT_DOUBLE_EQ(error.relative, std::sqrt(9.0 / (16 + 16 + 9)));
    EXPECT_DOUBLE_EQ(error.r2, 1 - 9.0 / 38);
}

}  // namespace
}  // namespace bristle::identification
