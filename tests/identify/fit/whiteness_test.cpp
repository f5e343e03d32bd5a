// Test of residuals for white noise.
#include "identify/fit/whiteness.hpp"

#include "../synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::inline identification {
namespace {

constexpr double dt = 1e-3;

Prepared rows_of(std::size_t runs, std::size_t size, double bandwidth) {
    Prepared out;
    out.bandwidth = bandwidth;
    out.sample_rate = 1 / dt;
    for (std::size_t j = 0; j < runs; ++j) out.runs.push_back({{"run"}, j * size, size, dt});
    out.v.assign(runs * size, 1.0);
    out.compared.assign(runs * size, 1);
    return out;
}

// AR(1) noise through the filter of the record, run by run.
std::vector<double> noise_of(const Prepared& record, double rho, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::vector<double> out(record.rows());
    double e = normal(random);
    for (double& x : out) {
        e = rho * e + std::sqrt(1 - rho * rho) * normal(random);
        x = e;
    }
    record.filter(out.data(), 1);
    return out;
}

// Largest distance between the distribution of 400 p-values of white noise and the uniform one (Kolmogorov and Smirnov).
double distance_from_uniform(const Prepared& record, std::mt19937_64& random) {
    std::vector<double> p;
    for (int i = 0; i < 400; ++i)
        p.push_back(whiteness_of(record, noise_of(record, 0, random), record.compared).p_value);
    std::sort(p.begin(), p.end());
    double out = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        out = std::max(
            {out, std::abs(p[i] - double(i) / double(p.size())), std::abs(p[i] - double(i + 1) / double(p.size()))});
    return out;
}

}  // namespace

// Oracle: written out for residuals with r_1 = -59/60, r_2 = 58/60 ... of n = 60 rows 1, -1, 1 ...: Q = n (n + 2) sum of r_k^2/(n - k) with
// r_k^2 = ((n - k)/n)^2. Tolerance: rounding.
TEST(LjungBox, OfAlternatingResidualsEqualsTheSumWrittenOut) {
    constexpr std::size_t n = 60;
    const Prepared record = rows_of(1, n, 0);
    std::vector<double> r(n);
    for (std::size_t i = 0; i < n; ++i) r[i] = i % 2 ? -1 : 1;
    double sum = 0;
    for (int k = 1; k <= 20; ++k) sum += std::pow((60.0 - k) / 60, 2) / (60.0 - k);
    const WhitenessTest found = whiteness_of(record, r, record.compared);
    EXPECT_NEAR(found.statistic, 60 * 62 * sum, 1e-9);
    EXPECT_EQ(found.lags, 20);
    EXPECT_EQ(found.rows, n);
    EXPECT_EQ(found.interval, dt);
    EXPECT_FALSE(found.is_white());
}

// Oracle: p-values of white noise are uniform. The 1 % point of the distance of Kolmogorov and Smirnov is 1.63/sqrt(400) = 0.0815. The noise
// passes the filter of the fit, for bandwidths at which the interval of the test is a whole number of samples (5, 10) and at which it is not (3.6).
TEST(LjungBox, PValuesOfWhiteNoiseAfterTheFilterAreUniform) {
    std::mt19937_64 random(41);
    for (const double bandwidth : {0.0, 50.0, 100.0, 140.0, 300.0})
        EXPECT_LT(distance_from_uniform(rows_of(2, 3000, bandwidth), random), 0.0815) << bandwidth;
}

// Oracle: the same with rows left out: a tenth of them in long stretches, as beside missing rows, or every 37th row.
TEST(LjungBox, PValuesOfWhiteNoiseWithHolesAreUniform) {
    std::mt19937_64 random(42);
    for (const std::size_t period : {500u, 37u}) {
        Prepared record = rows_of(1, 6000, 100);
        for (std::size_t i = 0; i < 6000; ++i) record.compared[i] = i % period >= (period == 500 ? 50 : 1);
        EXPECT_LT(distance_from_uniform(record, random), 0.0815) << period;
    }
}

// Oracle: AR(1) noise with rho = 0.9 per sample has a correlation of 0.9^5 = 0.59 at the interval of the test, 5 samples: 1200 rows reject it
// with certainty. Noise with a correlation within one sample (rho = 0.1) is white within the bandwidth: rejected about as often as 1 %.
TEST(LjungBox, RejectsAr1NoiseAndNotNoiseThatIsWhiteWithinTheBandwidth) {
    std::mt19937_64 random(43);
    const Prepared record = rows_of(2, 3000, 100);
    int rejected = 0, rejected_short = 0;
    for (int i = 0; i < 100; ++i) {
        rejected += !whiteness_of(record, noise_of(record, 0.9, random), record.compared).is_white();
        rejected_short += !whiteness_of(record, noise_of(record, 0.1, random), record.compared).is_white();
    }
    EXPECT_EQ(rejected, 100);
    EXPECT_LE(rejected_short, 6);
}

TEST(LjungBox, IsNotMadeForPointsFewRowsAndResidualsOfZero) {
    Prepared record = rows_of(1, 200, 100);  // 40 rows of the test
    std::vector<double> r(200, 1.0);
    EXPECT_TRUE(std::isnan(whiteness_of(record, r, record.compared).p_value));
    record = rows_of(1, 2000, 100);
    EXPECT_TRUE(std::isnan(whiteness_of(record, std::vector<double>(2000, 0.0), record.compared).p_value));
    record.points = true;
    EXPECT_TRUE(std::isnan(whiteness_of(record, std::vector<double>(2000, 1.0), record.compared).p_value));
    EXPECT_FALSE(whiteness_of(record, std::vector<double>(2000, 1.0), record.compared).is_white());
}

// Oracle: power |H|^2 = 1/(1 + (f/B)^8)^2 of the filter, with f and B mapped by tan(pi f dt) (bilinear), integrated over frequencies with
// cos(2 pi f lag dt). Tolerance: 1e-9, the midpoint rule over a period is exact to rounding for so smooth a function.
TEST(FilterAutocorrelation, EqualsTheIntegralOfThePowerOfTheFilter) {
    using std::numbers::pi;
    constexpr int parts = 4000;
    const double bandwidth = 100;
    const auto at_lag = [&](double lag) {
        double sum = 0;
        for (int i = 0; i < parts; ++i) {
            const double f = (i + 0.5) / (2 * parts * dt);
            const double ratio = std::tan(pi * f * dt) / std::tan(pi * bandwidth * dt);
            sum += std::cos(2 * pi * f * lag * dt) / std::pow(1 + std::pow(ratio, 8), 2);
        }
        return sum;
    };
    const auto found = filter_autocorrelation(bandwidth, 1 / dt, 60);
    ASSERT_EQ(found.size(), 60u);
    for (std::size_t k = 0; k < 60; ++k) EXPECT_NEAR(found[k], at_lag(double(k)) / at_lag(0), 1e-9) << k;
    const auto every_fifth = filter_autocorrelation(bandwidth, 1 / dt, 12, 5);
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(every_fifth[k], found[5 * k], 1e-12) << k;
}

// Oracle: the noise put into the record: white, or AR(1) with a correlation time of 20 ms. Seeds chosen before the first run.
TEST(LjungBox, OfAFitFindsWhiteAndCorrelatedNoise) {
    const Coulomb law{.curve = {.Fc = 20}, .sigma2 = 60};
    FitOptions options;
    options.laws = {"coulomb"};
    const Record white = synthetic::record(law, {.force = 0.4, .seed = 51}, 8, 500);
    const FitResult found = fit(white, options);
    EXPECT_TRUE(found.residuals.whiteness.is_white()) << found.residuals.whiteness.p_value;
    EXPECT_EQ(found.residuals.whiteness.lags, 20);
    EXPECT_EQ(found.residuals.filter_autocorrelation.size(), found.residuals.autocorrelation.size());
    Record colored = synthetic::record(law, {.force = 0, .seed = 52}, 8, 500);
    std::mt19937_64 random(52);
    std::normal_distribution<double> normal;
    double e = 0;
    for (double& F : colored.runs[0].force) F += e = 0.9 * e + 0.2 * normal(random);
    EXPECT_LT(fit(colored, options).residuals.whiteness.p_value, 1e-6);
}

}  // namespace bristle::identification
