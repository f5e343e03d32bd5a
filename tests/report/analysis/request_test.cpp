// Analyses by name: how often they parse TOML, and what they reject.
#include "experiment/toml.hpp"
#include "report/analysis/request.hpp"
#include <gtest/gtest.h>

namespace {

using namespace bristle;
using namespace bristle::report;

Subject shipped(const std::string& id) {
    return {id, experiment::Document(std::string(experiment::find_shipped(id)->text), id)};
}

// Three texts: the file and the two ends of the window. About 7000 set-ups are built for the branches, in several threads.
TEST(Request, AContinuationParsesFileAndWindowOnce) {
    const std::size_t before = experiment::toml_parse_count();
    const Analysis analysis =
        analysis_of({Asked::branch, "rig.velocity=0.1:5"}, shipped("astrom2008/fig7_b"), [](double) { return true; });
    EXPECT_EQ(experiment::toml_parse_count() - before, 3u);
    EXPECT_GT(analysis.json.at("branch").size(), 100u);
}

// The ends of a window are written like the values of --set.
TEST(Request, AWindowTakesTheNumbersOfSet) {
    const auto branch = [](const char* window) {
        return analysis_of({Asked::branch, window}, shipped("benitez2005/fig4_hysteretic"), {}).json;
    };
    EXPECT_EQ(branch("rig.velocity=+0.0_9:+0.11"), branch("rig.velocity=0.09:0.11"));
    EXPECT_EQ(branch(" rig.velocity=0.09:0.11 "), branch("rig.velocity=0.09:0.11"));  // blanks around a window
}

TEST(Request, JsonBeginsWithExperimentAndSettings) {
    Subject subject = shipped("astrom2008/fig6_b");
    subject.document->apply({{"law.sigma2", "0.3"}});
    const Analysis analysis = analysis_of({Asked::equilibrium, ""}, subject, {});
    EXPECT_EQ(analysis.json.begin().key(), "experiment");
    EXPECT_EQ(analysis.json.at("experiment"), "astrom2008/fig6_b");
    EXPECT_EQ(analysis.json.at("set").at("law.sigma2"), 0.3);
    EXPECT_TRUE(analysis.json.contains("equilibria"));
    EXPECT_TRUE(analysis.heading.starts_with("astrom2008/fig6_b: ")) << analysis.heading;
    EXPECT_TRUE(analysis.heading.ends_with(", law.sigma2 = 0.3 N s/m\n")) << analysis.heading;
    EXPECT_TRUE(analysis.text.starts_with("Equilibria\n")) << analysis.text;
}

TEST(Request, WindowsThatDoNotFitTheFileAreRejected) {
    for (const char* window : {"law.sigma9=0:1", "rig.mass=-1:3", "run.duration=1:100", "law.kind=1:2",
                               "law.sigma2=0.5:1", "law.sigma2", "claim.at=0:1"})
        EXPECT_THROW(analysis_of({Asked::branch, window}, shipped("astrom2008/fig6_b"), {}), Error) << window;
}

}  // namespace
