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
    out.context.record.runs.push_back({"run", 0, n, 1e-3});
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
    const Case c = white_case();
    const auto C = bootstrap_covariance(c.context, c.law, 1);
    EXPECT_NEAR(std::sqrt(C[0]), 0.5 / std::sqrt(4000.0), 0.1 * 0.5 / std::sqrt(4000.0));
    EXPECT_NEAR(std::sqrt(C[3]), 0.5 / std::sqrt(2000.0), 0.1 * 0.5 / std::sqrt(2000.0));
}

// Oracle: value -+ 1.96 se; for a parameter with a logarithmic search value exp(-+ 1.96 se/value). Tolerance: rounding.
TEST(Intervals, AreSymmetricInTheNumberOrInItsLogarithm) {
    const Case c = white_case();
    const Uncertainty given{.covariance = {0.04, 0, 0, 0.09}};
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
    EXPECT_EQ(described_parameters(c.law, {.covariance = {0.04, 0, 0, 16}}, findings)[1].identifiable,
              Identifiable::no);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::not_identifiable);
    EXPECT_EQ(described_parameters(c.law, {.covariance = {0.04, 0, 0, 4}}, findings)[1].identifiable,
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
    found.parameters = described_parameters(c.law, {.covariance = found.covariance}, findings);
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

}  // namespace
}  // namespace bristle::identification
