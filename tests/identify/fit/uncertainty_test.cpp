// Standard errors and intervals of a fitted law.
#include "identify/fit/uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::inline identification {
namespace {

// A law with two parameters on 4000 rows: J = (1, sin), residuals white with standard deviation 0.5.
struct Case {
    FitContext context{};
    FittedLaw law{};
};
Case white_case() {
    constexpr std::size_t n = 4000;
    Case out;
    out.context.record.runs.push_back({{"run"}, 0, n, 1e-3});
    out.context.record.v.assign(n, 1.0);
    out.context.record.compared.assign(n, 1);
    out.context.options.resamples = 2000;
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < n; ++i) {
        out.law.rows.J.insert(out.law.rows.J.end(), {1.0, std::sin(0.01 * double(i))});
        out.law.rows.residual.push_back(0.5 * normal(random));
        out.law.y.push_back(20);
        out.law.use.push_back(1);
    }
    FreeParameter a, b;
    a.name = "a";
    a.low = -1e300;
    a.high = 1e300;
    b.name = "b";
    b.log = true;
    b.low = 1e-3;
    b.high = 1e3;
    out.law.parameters = {a, b};
    out.law.values = {20, 4};
    return out;
}

// Oracle: s/sqrt(sum J^2): 0.5/sqrt(4000) and 0.5/sqrt(2000). Tolerance: 10 %, several times the sampling error of a standard error.
TEST(StandardErrors, OfWhiteResidualsEqualTheClosedForm) {
    const Case c = white_case();
    const Uncertainty found = uncertainty_of(c.context, c.law, 4000);
    EXPECT_NEAR(std::sqrt(found.covariance[0]), 0.5 / std::sqrt(4000.0), 0.1 * 0.5 / std::sqrt(4000.0));
    EXPECT_NEAR(std::sqrt(found.covariance[3]), 0.5 / std::sqrt(2000.0), 0.1 * 0.5 / std::sqrt(2000.0));
    EXPECT_NEAR(found.classic_factor, 1, 0.1);
}

// Oracle: the same closed form. Tolerance: 10 %: 2000 resamples have a sampling error of 1.6 % of a standard error, blocks of 2 rows 1 %.
TEST(StandardErrors, OfTheBlockBootstrapEqualTheClosedForm) {
    Case c = white_case();
    c.context.options.errors = ErrorKind::bootstrap;
    const auto C = uncertainty_of(c.context, c.law, 4000).covariance;
    EXPECT_NEAR(std::sqrt(C[0]), 0.5 / std::sqrt(4000.0), 0.1 * 0.5 / std::sqrt(4000.0));
    EXPECT_NEAR(std::sqrt(C[3]), 0.5 / std::sqrt(2000.0), 0.1 * 0.5 / std::sqrt(2000.0));
}

// Oracle: value -+ 1.96 se; for a parameter with a logarithmic search value exp(-+ 1.96 se/value). Tolerance: rounding.
TEST(Intervals, AreSymmetricInTheNumberOrInItsLogarithm) {
    const Case c = white_case();
    const Uncertainty given{.covariance = {0.04, 0, 0, 0.09}, .degrees_of_freedom = {1e9, 1e9}};
    std::vector<FitFinding> findings;
    const auto found = described_parameters(c.law, given, findings);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].se, 0.2, 1e-14);
    EXPECT_NEAR(found[0].low, 20 - 1.959964 * 0.2, 1e-6);
    EXPECT_NEAR(found[0].high, 20 + 1.959964 * 0.2, 1e-6);
    EXPECT_NEAR(found[1].low, 4 * std::exp(-1.959964 * 0.3 / 4), 1e-6);
    EXPECT_NEAR(found[1].high, 4 * std::exp(1.959964 * 0.3 / 4), 1e-6);
    EXPECT_EQ(found[0].identifiable, Identifiable::yes);
    EXPECT_TRUE(findings.empty());
}

// Oracle: a standard error as large as the value determines nothing; half of it little.
TEST(Intervals, WithALargeStandardErrorMakeAParameterWeakOrNotIdentifiable) {
    const Case c = white_case();
    std::vector<FitFinding> findings;
    EXPECT_EQ(
        described_parameters(c.law, {.covariance = {0.04, 0, 0, 16}, .degrees_of_freedom = {1e9, 1e9}}, findings)[1]
            .identifiable,
        Identifiable::no);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::not_identifiable);
    EXPECT_EQ(
        described_parameters(c.law, {.covariance = {0.04, 0, 0, 4}, .degrees_of_freedom = {1e9, 1e9}}, findings)[1]
            .identifiable,
        Identifiable::weak);
    ASSERT_EQ(findings.size(), 1u);  // findings on single parameters are replaced
    EXPECT_EQ(findings[0].kind, FindingKind::weak);
    EXPECT_EQ(findings[0].subject, "b");
}

// Oracle: sqrt(half width^2 + change^2) in the number of the search; no change below one standard error. Standard error and covariance
// grow by the same factor, so that they belong to the interval.
TEST(Intervals, AreWidenedByTheChangeBetweenBandwidths) {
    const Case c = white_case();
    std::vector<FitFinding> findings;
    LawFit found;
    found.covariance = {0.04, 0.01, 0.01, 0.09};
    found.parameters =
        described_parameters(c.law, {.covariance = found.covariance, .degrees_of_freedom = {1e9, 1e9}}, findings);
    FittedLaw other = c.law;
    other.values = {20.1, 4 * std::exp(0.2)};
    add_sensitivity(c.law, {other}, found);
    const auto& [a, b] = std::tie(found.parameters[0], found.parameters[1]);
    EXPECT_NEAR(a.high, 20 + 1.959964 * 0.2, 1e-6);
    EXPECT_NEAR(a.se, 0.2, 1e-12);
    const double half = std::hypot(1.959964 * 0.3 / 4, 0.2), factor = half / (1.959964 * 0.3 / 4);
    EXPECT_NEAR(std::log(b.high / 4), half, 1e-6);
    EXPECT_NEAR(std::log(4 / b.low), half, 1e-6);
    EXPECT_NEAR(b.se, 0.3 * factor, 1e-6);
    EXPECT_NEAR(found.covariance[1], 0.01 * factor, 1e-6);
    EXPECT_NEAR(found.covariance[3], 0.09 * factor * factor, 1e-6);
}

// Oracle: 0.03/(0.2 0.3) written out. A standard error of 0 or infinity, and a negative variance, give no correlation.
TEST(Correlations, AreTheCovarianceOverBothStandardErrorsAndNaNWithoutThem) {
    LawFit law;
    law.covariance_names = {"a", "b", "c"};
    law.covariance = {0.04, 0.03, 0, 0.03, 0.09, 0, 0, 0, 1};
    for (const char* name : {"a", "b", "c"}) law.parameters.push_back({.name = name, .unit = "N", .se = 1});
    const auto r = correlations(law);
    ASSERT_EQ(r.size(), 9u);
    EXPECT_NEAR(r[1], 0.5, 1e-15);
    EXPECT_EQ(r[3], r[1]);
    EXPECT_EQ(r[0], 1);
    EXPECT_EQ(r[2], 0);
    const auto pairs = correlated_pairs(law);
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[0].first + pairs[0].second, "ab");
    EXPECT_EQ(pairs[0].correlation, r[1]);
    for (const double se : {0.0, std::numeric_limits<double>::infinity()}) {
        LawFit none = law;
        none.parameters[1].se = se;
        const auto without = correlations(none);
        for (const std::size_t k : {1u, 3u, 4u, 5u, 7u}) EXPECT_TRUE(std::isnan(without[k])) << k;
        EXPECT_EQ(without[2], 0);
        EXPECT_EQ(correlated_pairs(none).size(), 1u);
    }
    for (const double variance : {0.0, -1e-20, std::numeric_limits<double>::infinity()}) {
        law.covariance[0] = variance;
        EXPECT_TRUE(std::isnan(correlations(law)[0]) && std::isnan(correlations(law)[1])) << variance;
        EXPECT_EQ(correlations(law)[4], 1);
    }
    law.covariance.clear();
    EXPECT_TRUE(correlations(law).empty() && correlated_pairs(law).empty());
}

// Oracle: of a straight line through points at speeds v, intercept Fc and slope sigma2 have the correlation -mean(v)/sqrt(mean(v^2)), whatever
// the noise. Tolerance: 1e-6, the search ends that close to the minimum.
TEST(Correlations, OfInterceptAndSlopeOfACurveEqualTheClosedForm) {
    MeasuredRun run;
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal;
    double sum = 0, square = 0;
    for (int i = 1; i <= 40; ++i) {
        const double v = 0.01 * i;
        run.velocity.push_back(v);
        run.force.push_back(20 + 60 * v + 0.2 * normal(random));
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 1));
        sum += v;
        square += v * v;
    }
    Record record;
    record.runs.push_back(run);
    FitOptions options;
    options.laws = {"coulomb"};
    options.model.offset = {};
    const auto pairs = correlated_pairs(fit(record, options).best());
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_NEAR(pairs[0].correlation, -sum / std::sqrt(40 * square), 1e-6);
}

}  // namespace
}  // namespace bristle::identification
