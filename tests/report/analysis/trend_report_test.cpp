// Report on a trend: names and units of its columns.
#include "report/analysis/analysis.hpp"

#include "simulate/c95_law.hpp"
#include <gtest/gtest.h>

namespace bristle {
namespace {

experiment::Experiment with_law(const char* kind) {
    experiment::Experiment e;
    e.name = kind;
    e.setup.law = c95_law(kind);
    e.setup.rig = Prescribed{};
    e.setup.input = Input::sine(1.1e-3, 1e-3, 1, 0);
    e.setup.run.duration = 1;
    return e;
}

std::vector<std::string> series_of(const report::Analysis& analysis) {
    std::vector<std::string> names;
    for (const auto& series : analysis.figure.panels.at(0).series) names.push_back(series.name);
    return names;
}

TEST(TrendReport, NumbersLawsOfOneKind) {
    const auto analysis = report::trend_report({with_law("lugre"), with_law("dahl"), with_law("lugre")},
                                               report::trend_kind("lag"), 1, 2, {});
    const std::vector<std::string> expected{"lugre 1: width at the mean speed", "lugre 1: largest width",
                                            "dahl: width at the mean speed",    "dahl: largest width",
                                            "lugre 2: width at the mean speed", "lugre 2: largest width"};
    EXPECT_EQ(series_of(analysis), expected);
    EXPECT_NE(analysis.text.find("frictional lag against the frequency of the speed\n"), std::string::npos);
    EXPECT_NE(analysis.text.find("angular frequency [rad/s]"), std::string::npos);
    EXPECT_NE(analysis.text.find("dahl: largest width [N]"), std::string::npos);
}

TEST(TrendReport, HasRotaryUnits) {
    experiment::Experiment e = with_law("lugre");
    e.rotary = true;
    const auto analysis = report::trend_report({e}, report::trend_kind("lag"), 1, 2, {});
    EXPECT_NE(analysis.text.find("lugre: largest width [N m]"), std::string::npos) << analysis.text;
}

}  // namespace
}  // namespace bristle
