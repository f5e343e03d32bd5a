// Every shipped experiment: its claims hold, its energy is accounted for, two runs are the same, and its claims are sharp
// enough that a wrong parameter breaks one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <experiment/experiment.hpp>
#include <map>

namespace {

using namespace bristle;
using experiment::Override;

// One parameter of each experiment, changed by a few percent where the claims are about numbers.
const std::map<std::string, Override> changes{
    {"astrom2008/drift_elastoplastic", {"law.kappa", "0.4"}},
    {"astrom2008/drift_lugre", {"law.Fs", "1.55"}},
    {"astrom2008/fig10", {"law.vs", "0.00105"}},
    {"astrom2008/fig10_fast", {"law.vs", "0.00105"}},
    {"astrom2008/fig11", {"law.k", "[1.05e5, 5e4, 2.5e4, 1.25e4]"}},
    {"astrom2008/fig11_lugre", {"law.sigma0", "1.9e5"}},
    {"astrom2008/fig2", {"law.sigma1", "2.5e3"}},
    {"astrom2008/fig4", {"law.vs", "0.105"}},
    {"astrom2008/fig9", {"law.sigma0", "1.01e5"}},
    {"astrom2008/fig9_bias", {"input.amplitude", "2.02e-5"}},
    {"astrom2008/fig9_fast", {"law.Fc", "1.01"}},
    {"astrom2008/fig_s1", {"law.Fc", "1.01"}},
    {"astrom2008/fig_s2", {"law.sigma2", "0.02"}},
    {"benitez2005/fig1", {"law.Fs", "1.51"}},
    {"benitez2005/fig2", {"law.sigma0", "1.02e5"}},
    {"benitez2005/fig3", {"law.sigma1", "330"}},
    {"benitez2005/fig3_fast", {"law.Fc", "1.01"}},
    {"benitez2005/fig4", {"rig.stiffness", "2.02"}},
    {"benitez2005/fig5", {"rig.Ki", "4.04"}},
    {"benitez2005/fig8", {"law.a", "2.1e-6"}},
    {"canudas1995/stick_slip", {"law.sigma2", "0.41"}},
    {"koopman2008/creep", {"law.conductance", "printed"}},
    {"koopman2008/creep_static", {"law.c", "1.01e5"}},
    {"makkar2005/combined", {"law.g1", "0.252"}},
    {"makkar2005/coulomb", {"rig.mass", "1.01"}},
    {"makkar2005/stribeck", {"law.g3", "10.1"}},
    {"makkar2005/viscous", {"law.g6", "0.0101"}},
    {"naser2013/fig2", {"law.sigma1", "2.5e3"}},
    {"naser2013/fig4", {"law.sigma0", "1.48e6"}},
};

experiment::Experiment shipped_experiment(const std::string& id, const std::vector<Override>& overrides = {}) {
    return experiment::read(std::string(experiment::find_shipped(id)->text), id, {}, overrides);
}

class ShippedExperiment : public testing::TestWithParam<std::string> {};

TEST_P(ShippedExperiment, SaysWhatItIsAndWhereEveryClaimComesFrom) {
    const auto read = shipped_experiment(GetParam());
    EXPECT_FALSE(read.title.empty());
    EXPECT_FALSE(read.source.empty());
    EXPECT_FALSE(read.claims.empty());
    for (const auto& claim : read.claims) {
        EXPECT_FALSE(claim.source.empty()) << claim.text;
        EXPECT_FALSE(claim.text.empty()) << claim.measure;
    }
}

TEST_P(ShippedExperiment, KeepsItsClaimsAndItsEnergy) {
    const auto read = shipped_experiment(GetParam());
    const auto result = simulate::simulate(read.setup);
    ASSERT_EQ(result.status, simulate::Status::done) << result.message;
    for (const auto& verdict : experiment::judge(read, result))
        EXPECT_TRUE(verdict.holds) << verdict.claim.text << ": " << verdict.measured.value_or(std::nan(""))
                                   << " not in [" << verdict.claim.low << ", " << verdict.claim.high << "]";
    EXPECT_LE(std::abs(result.energy.residual()), 10 * read.setup.run.rtol * result.energy.scale);
}

TEST_P(ShippedExperiment, HasAClaimThatAWrongParameterBreaks) {
    const auto change = changes.find(GetParam());
    ASSERT_NE(change, changes.end()) << "name a parameter to change";
    const auto wrong = shipped_experiment(GetParam(), {change->second});
    const auto verdicts = experiment::judge(wrong, simulate::simulate(wrong.setup));
    EXPECT_TRUE(std::any_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) { return !verdict.holds; }))
        << change->second.key << " = " << change->second.value << " breaks no claim";
}

TEST_P(ShippedExperiment, GivesTheSameNumbersTwice) {
    const auto setup = shipped_experiment(GetParam()).setup;
    const auto one = simulate::simulate(setup), two = simulate::simulate(setup);
    ASSERT_EQ(one.signals.size(), two.signals.size());
    for (std::size_t i = 0; i < one.signals.size(); ++i)
        EXPECT_EQ(one.signals[i].values, two.signals[i].values) << one.signals[i].name;
    EXPECT_EQ(one.measures.max, two.measures.max);
    EXPECT_EQ(one.measures.min, two.measures.min);
    EXPECT_EQ(one.measures.stick_begin, two.measures.stick_begin);
    EXPECT_EQ(one.measures.stick_end, two.measures.stick_end);
    EXPECT_EQ(one.energy.residual(), two.energy.residual());
    EXPECT_EQ(one.statistics.evaluations, two.statistics.evaluations);
}

std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const auto& file : experiment::shipped()) all.emplace_back(file.id);
    return all;
}
std::string as_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, ShippedExperiment, testing::ValuesIn(ids()), as_name);

TEST(Changes, NameShippedExperimentsOnly) {
    for (const auto& [id, change] : changes) EXPECT_TRUE(experiment::find_shipped(id)) << id;
}

}  // namespace
