// The claims of the gallery's analyses are sharp: for each analysis one wrong number, with which a claim fails.
#include "gallery/studies.hpp"
#include <gtest/gtest.h>

#include "../support/sets.hpp"

namespace {

using namespace bristle;

struct Change {
    std::vector<experiment::Override> overrides;
    std::string experiment = {};  // to read instead of that of the study; empty: that of the study
};

// A number with an error of some percent or less.
const std::map<std::string, Change> changes{
    {"astrom2008/fig6_branch", {{{"law.vs", "0.101"}}}},
    {"astrom2008/fig7_basin", {{{"law.sigma2", "0.21"}}}},
    {"astrom2008/fig7_branch", {{{"law.sigma2", "0.22"}}}},
    {"astrom2008/fig8_branch", {{{"law.vs", "0.101"}}}},
    {"astrom2008/hybrid_cycle", {{{"rig.mass", "1.01"}}}},
    {"astrom2008/p5_dahl", {{{"law.kind", "lugre"}, {"law.Fs", "1.1"}, {"law.vs", "0.001"}}}},
    {"astrom2008/p5_lugre", {{{"law.sigma1", "325"}}}},
    {"astrom2008/p6_lugre", {{{"law.Fs", "1.1"}}}},
    // every Maxwell-slip law closes its inner loops, for all parameters
    {"astrom2008/p6_maxwell_slip", {{}, "astrom2008/fig11_lugre"}},
    {"astrom2008/routh_hurwitz", {{{"law.sigma2", "0.201"}}}},
    {"benitez2005/breakaway_trend", {{{"law.Fs", "1.51"}}}},
    {"benitez2005/hunting_cycle", {{{"law.Fs", "1.51"}}}},
    {"canudas1995/cycle", {{{"law.sigma2", "0.41"}}}},
    {"naser2013/operator", {{{"law.Fs", "5.9"}}}},
};

const gallery::Catalogue& catalogue() {
    static const gallery::Catalogue all = gallery::read(gallery::files());
    return all;
}
void for_each_study(const auto& visit) {
    for (const auto& paper : catalogue().papers)
        for (const auto& study : paper.studies) visit(paper, study, paper.folder + "/" + study.name);
}

class ChangedStudy : public testing::TestWithParam<std::string> {};

TEST_P(ChangedStudy, HasAClaimThatFails) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the analyses have tests of their own";
    const Change& change = changes.at(GetParam());
    bool found = false;
    for_each_study([&](const gallery::Paper& paper, const gallery::Study& study, const std::string& id) {
        if (id != GetParam()) return;
        found = true;
        const std::string source = change.experiment.empty() ? study.experiment : change.experiment;
        gallery::StudyExhibit exhibit{&paper, &study};
        const auto changed = [&](const std::string&) {
            experiment::Document document(std::string(experiment::find_shipped(source)->text), source);
            document.apply(change.overrides);
            return document;
        };
        gallery::carry_out(exhibit, changed, {});
        // an analysis that fails is no evidence about the claims
        ASSERT_EQ(exhibit.message, "");
        bool fails = false;
        for (const auto& verdict : exhibit.verdicts) {
            std::printf("%s %s: %.9g in [%.9g, %.9g]\n", verdict.holds ? "holds" : "fails",
                        verdict.claim->pointer.c_str(), verdict.measured.value_or(std::nan("")), verdict.claim->low,
                        verdict.claim->high);
            fails = fails || !verdict.holds;
        }
        EXPECT_TRUE(fails) << "the change breaks no claim";
    });
    EXPECT_TRUE(found) << "no such study";
}

// From the table, not from the catalogue, which is read in a test of its own.
std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const auto& [id, change] : changes) all.push_back(id);
    return all;
}
std::string as_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, ChangedStudy, testing::ValuesIn(ids()), as_name);

TEST(ChangedStudies, AreAllOfTheCatalogue) {
    for_each_study([](const auto&, const auto&, const std::string& id) {
        EXPECT_TRUE(changes.contains(id)) << id << ": name a number to change";
    });
}

}  // namespace
