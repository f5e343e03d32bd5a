// Figures of a fit made by hand.
#include "sample_fit.hpp"

#include <gtest/gtest.h>

namespace bristle::report {
namespace {

const NamedFigure& named(const std::vector<NamedFigure>& figures, const std::string& name) {
    for (const NamedFigure& one : figures)
        if (one.name == name) return one;
    throw Error("there is no figure " + name);
}

}  // namespace

TEST(FitFigures, AreThoseOfTheListInItsOrder) {
    std::vector<std::string> names;
    for (const NamedFigure& one : fit_figures(test::sample_fit())) {
        names.push_back(one.name);
        EXPECT_FALSE(one.caption.empty());
    }
    EXPECT_EQ(names, std::vector<std::string>(std::begin(fit_figure_names), std::end(fit_figure_names)));
}

TEST(FitFigures, OfAFitWithoutTracesAreTheCurveAndTheComparison) {
    FitReport fit = test::sample_fit();
    fit.result.traces.clear();
    fit.result.residuals.autocorrelation.clear();
    EXPECT_EQ(fit_figures(fit).size(), 2u);
}

// Oracle: all values of the figure are those of the trace, so measured minus model is the residual at every point.
TEST(FitFigures, DrawMeasuredAndModelAtTheSameRows) {
    FitReport fit = test::sample_fit();
    FitTrace& trace = fit.result.traces.front();
    const FitTrace once = trace;
    for (int copy = 1; copy < 10; ++copy)  // 60000 rows: above the number that is thinned
        for (std::size_t i = 0; i < once.time.size(); ++i) {
            trace.time.push_back(once.time[i] + 6 * copy);
            for (auto member : {&FitTrace::position, &FitTrace::velocity, &FitTrace::measured, &FitTrace::model,
                                &FitTrace::friction, &FitTrace::friction_model})
                (trace.*member).push_back((once.*member)[i]);
            trace.compared.push_back(1);
        }
    const auto figures = fit_figures(fit);
    const Figure& traces = named(figures, "traces").figure;
    EXPECT_TRUE(traces.common_points && named(figures, "loops").figure.common_points);
    ASSERT_EQ(traces.panels.size(), 3u);
    const Series &measured = traces.panels[0].series[0], &model = traces.panels[0].series[1],
                 &residual = traces.panels[1].series[0];
    EXPECT_LT(measured.x.size(), 30000u);
    ASSERT_TRUE(measured.x == model.x && measured.x == residual.x);
    for (std::size_t i = 0; i < measured.x.size(); ++i)
        if (std::isfinite(model.y[i])) {
            ASSERT_NEAR(measured.y[i] - model.y[i], residual.y[i], 1e-9) << i;
        }
    EXPECT_EQ(traces.panels[2].series[0].x.size(), 1000u);  // the excerpt has every row: 1 ms apart
    EXPECT_NEAR(traces.panels[2].series[0].x.back() - traces.panels[2].series[0].x.front(), 0.999, 1e-9);
    EXPECT_NE(named(figures, "traces").caption.find("The excerpt from"), std::string::npos);
}

// The largest speed is 0.0628 m/s: 5 vs = 0.01 m/s is less than a fifth of it, 0.015 m/s is not.
TEST(FitFigures, ShowTheStribeckRegionIfTheSpeedsHideIt) {
    FitReport fit = test::sample_fit();
    const auto curve = named(fit_figures(fit), "curve");
    ASSERT_EQ(curve.figure.panels.size(), 2u);
    EXPECT_NE(curve.caption.find("up to 5 vs = 10 mm/s"), std::string::npos) << curve.caption;
    for (const Series& series : curve.figure.panels[1].series)
        for (const double v : series.x) EXPECT_FALSE(std::abs(v) > 10.0001) << series.name;  // mm/s
    LuGre wide = test::sample_lugre;
    wide.curve.vs = 3e-3;
    fit.result.laws.front().law = wide;
    EXPECT_EQ(named(fit_figures(fit), "curve").figure.panels.size(), 1u);
}

TEST(FitFigures, CompareEveryLawByName) {
    FitReport fit = test::sample_fit();
    for (int i = 0; i < 15; ++i) {
        LawFit law = test::sample_elastoplastic();
        law.kind = "law" + std::to_string(i);
        law.free = 3 + i % 4;
        fit.result.laws.push_back(law);
    }
    LawFit failed;
    failed.kind = "hysteretic";
    failed.reason = RefusalReason::did_not_converge;  // its error is not 0
    fit.result.laws.push_back(failed);
    LawFit poor = test::sample_coulomb();
    poor.kind = "dahl";
    poor.heldout.relative = 0.9;
    fit.result.laws.push_back(poor);
    const NamedFigure figure = named(fit_figures(fit), "comparison");
    const Panel& panel = figure.figure.panels.front();
    EXPECT_EQ(panel.y_names.size(), 18u);
    EXPECT_EQ(panel.series.size(), 18u);
    for (std::size_t i = 0; i < panel.series.size(); ++i) EXPECT_EQ(panel.series[i].y.front(), double(i));
    EXPECT_EQ(panel.y_names.front(), "elastoplastic, 9");  // most parameters: lowest
    EXPECT_NE(figure.caption.find("dahl (90 %)"), std::string::npos) << figure.caption;
    EXPECT_EQ(figure.caption.find("hysteretic"), std::string::npos) << figure.caption;
}

}  // namespace bristle::report
