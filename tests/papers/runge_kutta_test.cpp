// Claims whose source names Runge-Kutta: a referee that shares no computing code with bristle gives the same numbers.
//
// The referee reads the parameters of the experiment only, so that a new experiment file needs no change here. Claims that
// it cannot compute (laws that stick exactly, the hybrid method) must not name it.
#include <gtest/gtest.h>

#include "../support/sets.hpp"
#include "referee_verdict.hpp"

namespace {

using bristle::experiment::Claim, bristle::experiment::Experiment;

bool names_referee(const Claim& claim) { return claim.source.find("Runge-Kutta") != std::string::npos; }

Experiment shipped_experiment(std::string_view id) {
    return bristle::experiment::read(std::string(bristle::experiment::find_shipped(id)->text), std::string(id));
}
std::vector<Claim> claims_of(const Experiment& experiment, bool naming_the_referee) {
    std::vector<Claim> chosen;
    for (const Claim& claim : experiment.claims)
        if (names_referee(claim) == naming_the_referee && referee::outside(claim).empty()) chosen.push_back(claim);
    return chosen;
}

void expect_inside(const Experiment& experiment, const std::vector<Claim>& claims) {
    ASSERT_EQ(referee::outside(experiment.setup), "");
    const auto report = referee::judge(experiment, claims);
    ASSERT_EQ(report.trouble, "");
    for (const auto& finding : report.findings)
        EXPECT_TRUE(finding.inside()) << referee::sentence(finding) << ": " << finding.claim.text;
}

// The experiments that name the referee; a tenth of them in sanitized builds. They are read later, in their own test.
std::vector<std::string> ids() {
    std::vector<std::string> all, some;
    for (const auto& file : bristle::experiment::shipped())
        if (file.text.find("Runge-Kutta") != std::string_view::npos) all.emplace_back(file.id);
    const std::size_t n = all.size(),
                      wanted = std::clamp<std::size_t>(std::size_t(bristle::test::draws(long(n))), 1, n);
    for (std::size_t i = 0; i < wanted; ++i) some.push_back(all[i * n / wanted]);
    return some;
}
std::string as_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

class RungeKutta : public testing::TestWithParam<std::string> {};

TEST_P(RungeKutta, NumberOfTheRefereeLiesInTheInterval) {
    const Experiment experiment = shipped_experiment(GetParam());
    const auto claims = claims_of(experiment, true);
    if (claims.empty()) GTEST_SKIP() << "only a comment names the referee";
    expect_inside(experiment, claims);
}
INSTANTIATE_TEST_SUITE_P(Shipped, RungeKutta, testing::ValuesIn(ids()), as_name);

TEST(RungeKutta, CanComputeEveryClaimThatNamesIt) {
    for (const auto& file : bristle::experiment::shipped()) {
        const Experiment experiment = shipped_experiment(file.id);
        for (const Claim& claim : experiment.claims) {
            if (!names_referee(claim)) continue;
            EXPECT_EQ(referee::outside(experiment.setup), "") << file.id << ": " << claim.text;
            EXPECT_EQ(referee::outside(claim), "") << file.id << ": " << claim.text;
        }
    }
}

// The referee itself, against numbers known by a closed form or in quadruple precision.
class Referee : public testing::TestWithParam<std::string> {};

TEST_P(Referee, EqualsNumbersKnownIndependently) {
    const Experiment experiment = shipped_experiment(GetParam());
    const auto claims = claims_of(experiment, false);
    ASSERT_FALSE(claims.empty());
    expect_inside(experiment, claims);
}
INSTANTIATE_TEST_SUITE_P(Known, Referee,
                         testing::Values("astrom2008/drift_elastoplastic", "astrom2008/fig11", "astrom2008/fig11_lugre",
                                         "astrom2008/fig4", "astrom2008/fig9", "canudas1995/stick_slip",
                                         "koopman2008/creep", "makkar2005/viscous", "naser2013/fig4"),
                         as_name);

}  // namespace
