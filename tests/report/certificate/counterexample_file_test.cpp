// Experiment files of counterexamples: they give back the law and replay the energy.
#include "report/certificate/counterexample_file.hpp"

#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/replay.hpp"
#include "experiment/experiment.hpp"

#include <gtest/gtest.h>

#include "../../analyse/laws.hpp"

namespace bristle::report {
namespace {

using namespace counterexample;

TEST(CounterexampleFile, IsReadBackAsTheSameLaw) {
    Counterexample c;
    c.velocity = {{0, 1e-4}, {0.1, -2e-4}, {0.2, 1e-3}};
    c.duration = 0.3;
    for (const AnyLaw& law : test::all_laws()) {
        const std::string text = experiment_text(law, c);
        SCOPED_TRACE(text);
        const auto read = experiment::read(text, "counterexample.toml").setup;
        EXPECT_EQ(kind_of(read.law), kind_of(law));
        EXPECT_EQ(test::numbers_of(read.law), test::numbers_of(law));
        // keys that are words too: the same forces
        EXPECT_EQ(integrate(read.law, c).energy, integrate(law, c).energy);
    }
}

TEST(CounterexampleFile, SimulatedEnergySatisfiesItsClaim) {
    AnyLuGre lugre = test::any(test::c95);
    auto on_all = lugre;
    on_all.load_on = LoadOn::all;
    const auto saw = test::hysteretic_c95();
    const std::pair<AnyLaw, Counterexample> all[] = {{lugre, *shuttle(lugre, *scan_for_witness(lugre))},
                                                     {lugre, *shuttle(lugre, *scan_for_witness(lugre, 3))},
                                                     {on_all, *shuttle(on_all, *scan_for_witness(on_all, 3))},
                                                     {lugre, *load_cycle(lugre, 1, 2)},
                                                     {saw, *hysteretic_sawtooth(saw)}};
    for (const auto& [law, c] : all) {
        const std::string text = experiment_text(law, c);
        SCOPED_TRACE(text);
        const auto read = experiment::read(text, "counterexample.toml");
        const double supplied = simulate(read.setup).measures.final.at("work");
        ASSERT_EQ(read.claims.size(), 1u);
        EXPECT_LT(read.claims[0].high, 0);
        EXPECT_GE(supplied, read.claims[0].low);
        EXPECT_LE(supplied, read.claims[0].high);
        EXPECT_LT(read.claims[0].high - read.claims[0].low, 1e-2 * std::abs(supplied));
    }
}

TEST(CounterexampleFile, LongestInputFitsIntoOneMegabyte) {
    auto law = test::microdamped_c95();
    law.fade.vc = 0.08955;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    EXPECT_TRUE(replay(law, *c).extracts());
    EXPECT_GT(c->velocity.size(), 5000u);
    const std::string text = experiment_text(law, *c);
    EXPECT_LT(text.size(), std::size_t(1) << 20);
    EXPECT_EQ(experiment::read(text, "counterexample.toml").setup.input.points.size(), c->velocity.size());
}

}  // namespace
}  // namespace bristle::report
