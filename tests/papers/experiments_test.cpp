// Every shipped experiment: its claims hold, its energy balance closes, two runs are equal, and its claims are so sharp
// that a wrong parameter breaks one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include "experiment/experiment.hpp"
#include <map>

#include "../support/sets.hpp"

namespace {

using namespace bristle;
using experiment::Override;

// One parameter of each experiment, changed by some percent if the claims are numbers.
const std::map<std::string, Override> changes{
    {"astrom2008/after13", {"law.sigma1", "2.5e3"}},
    {"astrom2008/after13_bias", {"law.Fs", "6.0"}},
    {"astrom2008/drift_elastoplastic", {"law.kappa", "0.4"}},
    {"astrom2008/drift_lugre", {"law.Fs", "1.55"}},
    {"astrom2008/e2_printed", {"law.vs", "0.00105"}},
    {"astrom2008/e3_printed_c", {"law.sigma2", "0.21"}},
    {"astrom2008/e3_printed_d", {"law.sigma2", "0.21"}},
    {"astrom2008/e7_fast", {"law.sigma1", "325"}},
    {"astrom2008/e7_slow", {"law.sigma1", "325"}},
    {"astrom2008/eq13", {"law.sigma0", "1.5e6"}},
    {"astrom2008/eq13_loaded", {"law.Fs", "6.0"}},
    {"astrom2008/eq20", {"law.sigma2", "0.21"}},
    {"astrom2008/eq22_soft", {"rig.mass", "1.02"}},
    {"astrom2008/eq22_stiff", {"law.sigma0", "3e5"}},
    {"astrom2008/fig1", {"law.vs", "0.102"}},
    {"astrom2008/fig10", {"law.vs", "0.00105"}},
    {"astrom2008/fig10_dahl_1hz", {"law.Fc", "1.01"}},
    {"astrom2008/fig10_dahl_3hz", {"law.sigma0", "1.02e5"}},
    {"astrom2008/fig10_dahl_6hz", {"input.amplitude", "1.01e-4"}},
    {"astrom2008/fig10_fast", {"law.vs", "0.00105"}},
    {"astrom2008/fig10_mid", {"law.vs", "0.00105"}},
    {"astrom2008/fig10_warp", {"law.Fs", "1.52"}},
    {"astrom2008/fig11", {"law.k", "[1.05e5, 5e4, 2.5e4, 1.25e4]"}},
    {"astrom2008/fig11_lugre", {"law.sigma0", "1.9e5"}},
    {"astrom2008/fig1_sweep", {"law.vs", "0.102"}},
    {"astrom2008/fig1_uneven", {"law.negative.Fs", "3.55"}},
    {"astrom2008/fig2", {"law.sigma1", "2.5e3"}},
    {"astrom2008/fig2_breakaway", {"law.sigma1", "2.5e3"}},
    {"astrom2008/fig4", {"law.vs", "0.105"}},
    {"astrom2008/fig5_centre", {"rig.stiffness", "2.02"}},
    {"astrom2008/fig5_cross_green", {"law.sigma0", "3000"}},
    {"astrom2008/fig5_cross_red", {"law.vs", "0.102"}},
    {"astrom2008/fig5_green", {"law.vs", "0.102"}},
    {"astrom2008/fig5_hybrid_green", {"law.Fs", "5.9"}},
    {"astrom2008/fig5_hybrid_red", {"law.Fc", "3.0"}},
    {"astrom2008/fig5_inside", {"law.Fs", "5.95"}},
    {"astrom2008/fig5_red", {"law.Fs", "5.95"}},
    {"astrom2008/fig6_a", {"law.vs", "0.102"}},
    {"astrom2008/fig6_b", {"law.sigma2", "0.204"}},
    {"astrom2008/fig6_b_inside", {"law.sigma2", "0.204"}},
    {"astrom2008/fig6_c", {"law.sigma2", "0.51"}},
    {"astrom2008/fig6_d", {"law.Fc", "3.0"}},
    {"astrom2008/fig7_a", {"rig.velocity", "0.205"}},
    {"astrom2008/fig7_b", {"rig.velocity", "0.505"}},
    {"astrom2008/fig7_b_inside", {"rig.velocity", "0.495"}},
    {"astrom2008/fig7_c", {"law.vs", "0.102"}},
    {"astrom2008/fig7_c_inside", {"law.Fc", "3.0"}},
    {"astrom2008/fig7_d", {"law.sigma2", "0.204"}},
    {"astrom2008/fig8_a", {"rig.stiffness", "0.51"}},
    {"astrom2008/fig8_b", {"law.sigma2", "0.195"}},
    {"astrom2008/fig8_b_inside", {"law.sigma2", "0.195"}},
    {"astrom2008/fig8_c", {"law.sigma2", "0.195"}},
    {"astrom2008/fig8_d", {"law.sigma2", "0.18"}},
    {"astrom2008/fig9", {"law.sigma0", "1.01e5"}},
    {"astrom2008/fig9_bias", {"input.amplitude", "2.02e-5"}},
    {"astrom2008/fig9_fast", {"law.Fc", "1.01"}},
    {"astrom2008/fig9_warp", {"input.amplitude", "2.02e-5"}},
    {"astrom2008/fig_s1", {"law.Fc", "1.01"}},
    {"astrom2008/fig_s1_viscous", {"law.g6", "208"}},
    {"astrom2008/fig_s2", {"law.sigma2", "0.02"}},
    {"astrom2008/fig_s2_damped", {"law.sigma2", "0.102"}},
    {"astrom2008/fig_s2_dead", {"law.sigma2", "0.17"}},
    {"astrom2008/fig_s2_inner", {"rig.velocity", "2.02"}},
    {"astrom2008/fig_s2_outside", {"law.Fs", "5.95"}},
    {"astrom2008/hopf_above", {"rig.velocity", "0.525"}},
    {"astrom2008/hopf_below", {"law.vs", "0.101"}},
    {"astrom2008/hopf_slow_above", {"law.vs", "0.102"}},
    {"astrom2008/hopf_slow_below", {"law.vs", "0.102"}},
    {"astrom2008/stress_strain", {"law.sigma0", "1.01e5"}},
    {"astrom2008/transition_10", {"law.vs", "0.102"}},
    {"astrom2008/transition_100", {"law.sigma0", "3e5"}},
    {"benitez2005/e5_engine", {"law.a", "2.05e-6"}},
    {"benitez2005/e5_engine_lugre", {"law.Fs", "1.51"}},
    {"benitez2005/e5_milliseconds", {"law.a_scale", "1.0"}},
    {"benitez2005/e5_minutes", {"law.a_scale", "0.0175"}},
    {"benitez2005/e5_sawtooth", {"law.a", "2.05e-6"}},
    {"benitez2005/e5_sawtooth_lugre", {"law.sigma0", "1.02e5"}},
    {"benitez2005/e5_sawtooth_max", {"law.a_scale", "1.05"}},
    {"benitez2005/e5_sawtooth_min", {"law.a", "2.05e-6"}},
    {"benitez2005/fig1", {"law.Fs", "1.51"}},
    {"benitez2005/fig10", {"law.a_scale", "1.02"}},
    {"benitez2005/fig2", {"law.sigma0", "1.02e5"}},
    {"benitez2005/fig2_hysteretic", {"law.a", "3e-6"}},
    {"benitez2005/fig2_w1", {"law.sigma0", "1.05e5"}},
    {"benitez2005/fig2_w10", {"law.sigma0", "1.02e5"}},
    {"benitez2005/fig3", {"law.sigma1", "330"}},
    {"benitez2005/fig3_20", {"law.vs", "0.00102"}},
    {"benitez2005/fig3_5", {"law.vs", "0.00102"}},
    {"benitez2005/fig3_fast", {"law.Fc", "1.01"}},
    {"benitez2005/fig3_fast_hysteretic", {"law.a", "3e-6"}},
    {"benitez2005/fig3_hysteretic", {"law.a", "2.1e-6"}},
    {"benitez2005/fig4", {"rig.stiffness", "2.02"}},
    {"benitez2005/fig4_hysteretic", {"law.a", "2.2e-6"}},
    {"benitez2005/fig5", {"rig.Ki", "4.04"}},
    {"benitez2005/fig5_hysteretic", {"law.a", "3e-6"}},
    {"benitez2005/fig7", {"law.a", "2.02e-6"}},
    {"benitez2005/fig8", {"law.a", "2.02e-6"}},
    {"benitez2005/fig8_delayed", {"law.a", "2.1e-6"}},
    {"benitez2005/fig8_lugre", {"law.Fs", "1.51"}},
    {"benitez2005/fig9", {"law.a_scale", "1.05"}},
    {"canudas1995/stick_slip", {"law.sigma2", "0.41"}},
    {"canudas1995/stick_slip_coupled", {"law.sigma2", "0.41"}},
    {"canudas1995/stick_slip_explicit", {"law.sigma2", "0.41"}},
    {"koopman2008/coast", {"law.sigma1", "330"}},
    {"koopman2008/creep", {"law.conductance", "printed"}},
    {"koopman2008/creep_c2", {"law.c", "2.02e5"}},
    {"koopman2008/creep_c4", {"law.Fs", "1.51"}},
    {"koopman2008/creep_lugre", {"law.sigma1", "320"}},
    {"koopman2008/creep_static", {"law.c", "1.01e5"}},
    {"koopman2008/curve_c10", {"law.c", "1.01e4"}},
    {"koopman2008/curve_c2", {"law.c", "2.02e3"}},
    {"koopman2008/curve_sgn", {"law.vs", "0.00101"}},
    {"koopman2008/e1_consistent", {"law.conductance", "printed"}},
    {"koopman2008/e1_creep", {"law.conductance", "consistent"}},
    {"koopman2008/e1_printed", {"law.conductance", "consistent"}},
    {"koopman2008/load_10", {"law.load", "10.1"}},
    {"koopman2008/load_20_all", {"law.load_on", "curve"}},
    {"koopman2008/load_20_curve", {"law.sigma2", "0.41"}},
    {"koopman2008/load_rise_all", {"law.sigma0", "1.01e4"}},
    {"koopman2008/load_rise_curve", {"law.Fs", "0.152"}},
    {"koopman2008/load_wave_all", {"law.sigma2", "0.041"}},
    {"koopman2008/load_wave_curve", {"law.sigma1", "320"}},
    {"koopman2008/makkar", {"law.g3", "10.1"}},
    {"koopman2008/mass", {"law.sigma1", "320"}},
    {"machines/compliant_axis", {"contact.guide.law.Fs", "3.03"}},
    {"machines/servo_step", {"contact.bearing.law.Fc", "0.0808"}},
    {"machines/servo_trapezoid", {"contact.bearing.law.Fc", "0.0808"}},
    {"machines/two_contacts_in_series", {"spring.holder.stiffness", "2.02"}},
    {"makkar2005/combined", {"law.g1", "0.252"}},
    {"makkar2005/coulomb", {"rig.mass", "1.01"}},
    {"makkar2005/e9_soft", {"rig.stiffness", "0.202"}},
    {"makkar2005/e9_stiff", {"rig.belt_time", "10.1"}},
    {"makkar2005/fig1_a", {"law.g2", "101"}},
    {"makkar2005/fig1_b", {"law.g6", "0.101"}},
    {"makkar2005/fig1_c", {"law.g5", "101"}},
    {"makkar2005/fig1_d", {"law.g3", "10.1"}},
    {"makkar2005/fig2", {"law.g4", "0.101"}},
    {"makkar2005/fig3", {"law.g2", "1010"}},
    {"makkar2005/stribeck", {"law.g3", "10.1"}},
    {"makkar2005/viscous", {"law.g6", "0.0101"}},
    {"naser2013/fig1", {"law.sigma1", "2.5e3"}},
    {"naser2013/fig2", {"law.sigma1", "2.5e3"}},
    {"naser2013/fig2_gamma0005", {"law.vs", "0.00102"}},
    {"naser2013/fig2_gamma001", {"law.vs", "0.00102"}},
    {"naser2013/fig3_k0", {"law.Fs", "5.9"}},
    {"naser2013/fig3_k1", {"law.sigma0", "1.48e6"}},
    {"naser2013/fig3_k2", {"law.sigma0", "1.48e6"}},
    {"naser2013/fig3_loop", {"law.Fs", "5.9"}},
    {"naser2013/fig4", {"law.sigma0", "1.48e6"}},
};

experiment::Experiment shipped_experiment(const std::string& id, const std::vector<Override>& overrides = {}) {
    return experiment::read(std::string(experiment::find_shipped(id)->text), id, {}, overrides);
}

class ShippedExperiment : public testing::TestWithParam<std::string> {};

TEST_P(ShippedExperiment, HasATitleAndASourceForEveryClaim) {
    const auto read = shipped_experiment(GetParam());
    EXPECT_FALSE(read.title.empty());
    EXPECT_FALSE(read.source.empty());
    EXPECT_FALSE(read.claims.empty());
    for (const auto& claim : read.claims) {
        EXPECT_FALSE(claim.source.empty()) << claim.text;
        EXPECT_FALSE(claim.text.empty()) << claim.measure;
    }
}

TEST_P(ShippedExperiment, ClaimsHoldAndEnergyBalanceCloses) {
    const auto read = shipped_experiment(GetParam());
    const auto result = simulate(read);
    ASSERT_EQ(result.status, Status::done) << result.message;
    for (const auto& verdict : experiment::judge(read, result))
        EXPECT_TRUE(verdict.holds) << verdict.claim.text << ": " << verdict.measured.value_or(std::nan(""))
                                   << " not in [" << verdict.claim.low << ", " << verdict.claim.high << "]";
    EXPECT_LE(std::abs(result.energy.residual()), 10 * read.run().rtol * result.energy.scale);
}

TEST_P(ShippedExperiment, HasAClaimThatAWrongParameterBreaks) {
    const auto change = changes.find(GetParam());
    ASSERT_NE(change, changes.end()) << "name a parameter to change";
    const auto wrong = shipped_experiment(GetParam(), {change->second});
    const auto result = simulate(wrong);
    ASSERT_EQ(result.status, Status::done) << result.message;
    const auto verdicts = experiment::judge(wrong, result);
    EXPECT_TRUE(std::any_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) { return !verdict.holds; }))
        << change->second.key << " = " << change->second.text << " breaks no claim";
}

TEST_P(ShippedExperiment, GivesTheSameNumbersTwice) {
    if (test::sanitized) GTEST_SKIP() << "the same runs as before";
    const auto read = shipped_experiment(GetParam());
    const auto one = simulate(read), two = simulate(read);
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
