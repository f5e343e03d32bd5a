// Correlations of the estimates, and the test of the residuals, in text, JSON and page.
#include "sample_fit.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bristle::report {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

// A fit with the correlation r between two estimates by their numbers.
void correlate(FitReport& fit, int first, int second, double r) {
    LawFit& law = fit.result.laws.front();
    const std::size_t n = law.parameters.size(), i = std::size_t(first), j = std::size_t(second);
    law.covariance[i * n + j] = law.covariance[j * n + i] = r * law.parameters[i].se * law.parameters[j].se;
}

}  // namespace

// Oracle: the correlations that were put in: sigma0 (0) and vs (5), Fc (3) and Fs (4); 0 elsewhere.
TEST(FitCorrelations, OfTheTextAreThePairsAbove0_9OrTheThreeLargest) {
    FitReport fit = test::sample_fit();
    for (const auto& [i, j, r] : {std::tuple{0, 5, -0.97}, {3, 4, 0.93}, {6, 7, 0.5}}) correlate(fit, i, j, r);
    const auto found = correlation_sentences(fit);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(says(found[0], "(|r| >= 0.9): sigma0 and vs (-0.97), Fc and Fs (0.93).")) << found[0];
    EXPECT_FALSE(says(found[0], "inertia")) << found[0];
    EXPECT_TRUE(says(fit_text(fit), "Correlations of the estimates"));
    // none is strong: the three largest
    for (const auto& [i, j, r] : {std::tuple{0, 5, 0.3}, {3, 4, -0.8}, {1, 2, 0.1}}) correlate(fit, i, j, r);
    const std::string weak = correlation_sentences(fit).at(0);
    EXPECT_TRUE(says(weak, "No two estimates are strongly correlated")) << weak;
    EXPECT_TRUE(says(weak, ": Fc and Fs (-0.80), inertia and offset (0.50), sigma0 and vs (0.30).")) << weak;
}

// A correlation below 1 is not rounded to 1.
TEST(FitCorrelations, CloseTo1HaveFourDigits) {
    FitReport fit = test::sample_fit();
    correlate(fit, 0, 5, -0.99999);
    correlate(fit, 3, 4, 0.998);
    EXPECT_TRUE(says(correlation_sentences(fit)[0], "sigma0 and vs (-0.9999), Fc and Fs (0.9980)"));
}

TEST(FitCorrelations, AreNotGivenForAFitWithoutTwoEstimates) {
    FitReport fit = test::sample_fit();
    fit.result.laws.front().covariance.clear();
    EXPECT_TRUE(correlation_sentences(fit).empty());
    EXPECT_EQ(correlation_table(fit.result.best()), "");
    EXPECT_FALSE(says(fit_page(fit, {}, {}, ""), "Correlations of the estimates"));
    EXPECT_TRUE(correlation_sentences(FitReport{}).empty());
}

// Oracle: the matrix is symmetric with a diagonal of 1; sigma1 has an infinite standard error, so its row and column are null.
TEST(FitCorrelations, OfTheJsonAreAMatrixWithNullForUnknownErrors) {
    FitReport fit = test::sample_fit();
    correlate(fit, 3, 4, 0.93);
    fit.result.laws.front().parameters[1].se = std::numeric_limits<double>::infinity();
    const auto json = nlohmann::json::parse(fit_json_text(fit))["correlation"];
    ASSERT_EQ(json["names"].size(), 8u);
    EXPECT_EQ(json["names"][3], "Fc");
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) {
            const auto& r = json["matrix"][i][j];
            if (i == 1 || j == 1) {
                EXPECT_TRUE(r.is_null()) << i << " " << j;
            } else {
                EXPECT_NEAR(r.get<double>(), i == j ? 1 : i + j == 7 && i * j == 12 ? 0.93 : 0, 1e-12) << i << " " << j;
            }
        }
}

// Oracle: a lower triangle of 8 estimates has 7 rows and 28 cells; those of sigma1, 7 of them, are blank.
TEST(FitCorrelations, OfThePageAreALowerTriangleShadedByTheirSize) {
    FitReport fit = test::sample_fit();
    correlate(fit, 0, 5, -0.97);
    correlate(fit, 3, 4, 0.5);
    fit.result.laws.front().parameters[1].se = 0;
    const std::string table = correlation_table(fit.result.best());
    const auto count = [&](const std::string& words) {
        std::size_t out = 0;
        for (auto at = table.find(words); at != table.npos; at = table.find(words, at + 1)) ++out;
        return out;
    };
    EXPECT_EQ(count("scope=\"row\""), 7u);
    EXPECT_EQ(count("scope=\"col\""), 7u);
    EXPECT_EQ(count("<td style"), 21u);
    EXPECT_EQ(count("<td></td>"), 7u + 1u);  // and the corner
    EXPECT_TRUE(says(table, "rgba(214, 106, 60, 0.58)\">−0.97</td>")) << table;
    EXPECT_TRUE(says(table, "rgba(66, 133, 200, 0.30)\">0.50</td>")) << table;
    EXPECT_TRUE(says(fit_page(fit, {}, {}, ""), table));
}

TEST(FitWhiteness, IsStatedInTextJsonAndCaption) {
    FitReport fit = test::sample_fit();
    EXPECT_EQ(whiteness_sentence(fit), "");
    EXPECT_TRUE(nlohmann::json::parse(fit_json_text(fit))["residuals"]["white"].is_null());
    fit.result.residuals.whiteness = {
        .statistic = 17.21, .p_value = 0.6394, .lags = 20, .interval = 5e-3, .rows = 1200};
    EXPECT_EQ(
        whiteness_sentence(fit),
        "The residuals cannot be told from white noise (Ljung-Box statistic 17.2 over 20 lags of 5 ms, p = 0.64).");
    fit.result.residuals.filter_autocorrelation = {1, 0.5, 0.1};
    EXPECT_TRUE(says(whiteness_sentence(fit),
                     "Apart from the filter, which correlates them over 4 ms, the residuals cannot be"));
    EXPECT_TRUE(says(fit_text(fit, 400), whiteness_sentence(fit)));
    const auto figures = fit_figures(fit);
    const auto picture = std::find_if(figures.begin(), figures.end(),
                                      [](const NamedFigure& figure) { return figure.name == "autocorrelation"; });
    ASSERT_NE(picture, figures.end());
    EXPECT_TRUE(says(picture->caption, whiteness_sentence(fit))) << picture->caption;
    ASSERT_EQ(picture->figure.panels[0].series.size(), 4u);
    EXPECT_EQ(picture->figure.panels[0].series[3].y, (std::vector<double>{1, 0.5, 0.1}));
    EXPECT_EQ(picture->figure.panels[0].series[3].x.size(), 3u);
    const auto json = nlohmann::json::parse(fit_json_text(fit))["residuals"];
    EXPECT_EQ(json["white"], true);
    EXPECT_EQ(json["p_value"], 0.6394);
    EXPECT_EQ(json["ljung_box"], 17.21);
    EXPECT_EQ(json["lags"], 20);
    EXPECT_EQ(json["interval"], 5e-3);
    EXPECT_EQ(json["rows"], 1200);
}

TEST(FitWhiteness, OfCorrelatedResidualsSaysThatTheIntervalsAccountForIt) {
    FitReport fit = test::sample_fit();
    fit.result.residuals.whiteness = {.statistic = 412.3, .p_value = 1e-75, .lags = 20, .interval = 5e-3, .rows = 1200};
    EXPECT_EQ(whiteness_sentence(fit),
              "The residuals are correlated over 4 ms (Ljung-Box statistic 412 over 20 lags of 5 ms, p < 1e-6); the "
              "intervals account for it.");
}

TEST(FitErrors, NameTheRowsBesideMissingOnes) {
    FitReport fit = test::sample_fit();
    EXPECT_FALSE(says(fit_text(fit), "beside missing ones"));
    fit.result.method.rows_beside_holes = 40;
    EXPECT_TRUE(says(fit_text(fit, 400), "40 rows beside missing ones are not compared"));
    EXPECT_EQ(nlohmann::json::parse(fit_json_text(fit))["method"]["rows_beside_holes"], 40);
}

}  // namespace bristle::report
