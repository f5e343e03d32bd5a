// Experiment files of counterexamples: they give back the law and replay the energy.
#include "report/certificate/counterexample_file.hpp"

#include "experiment/experiment.hpp"

#include <gtest/gtest.h>

#include "../../analyse/counterexample/counterexample_support.hpp"
#include "../../analyse/laws.hpp"

namespace bristle::report {
namespace {

using namespace counterexample;

TEST(CounterexampleFile, IsReadBackAsTheSameLaw) {
    Counterexample c;
    c.velocity = {{0, 1e-4}, {0.1, -2e-4}, {0.2, 1e-3}};
    c.duration = 0.3;
    for (const AnyLaw& law : test::all_laws()) {
        const std::string text = experiment_text(experiment_of(law, c), c);
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
        const std::string text = experiment_text(experiment_of(law, c), c);
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

bool same(const Input& a, const Input& b) {
    return a.kind == b.kind && a.wave.offset == b.wave.offset &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                      [](const Point& p, const Point& q) { return p.t == q.t && p.value == q.value; });
}

TEST(CounterexampleFile, ReadsBackAsTheExperimentItWasWrittenFrom) {
    AnyLuGre lugre = test::any(test::c95);
    const auto saw = test::hysteretic_c95();
    const std::pair<AnyLaw, Counterexample> all[] = {{lugre, *shuttle(lugre, *scan_for_witness(lugre, 3))},
                                                     {lugre, *load_cycle(lugre, 1, 2)},
                                                     {saw, *hysteretic_sawtooth(saw)}};
    for (const auto& [law, c] : all) {
        const experiment::Experiment built = experiment_of(law, c);
        EXPECT_EQ(problem_of(built), std::nullopt);
        const auto read = experiment::read(experiment_text(built, c), "counterexample.toml");
        EXPECT_EQ(read.name + read.title + read.source, built.name + built.title + built.source);
        EXPECT_EQ(test::numbers_of(read.setup.law), test::numbers_of(built.setup.law));
        EXPECT_TRUE(std::holds_alternative<Prescribed>(read.setup.rig));
        EXPECT_TRUE(same(read.setup.input, built.setup.input));
        EXPECT_TRUE(same(read.setup.load, built.setup.load));
        const auto &a = read.setup.run, &b = built.setup.run;
        EXPECT_EQ((std::vector{a.duration, a.rtol, a.atol, double(a.samples), a.stick_speed}),
                  (std::vector{b.duration, b.rtol, b.atol, double(b.samples), b.stick_speed}));
        ASSERT_EQ(read.claims.size(), 1u);
        EXPECT_EQ(read.claims[0].low, built.claims[0].low);
        EXPECT_EQ(read.claims[0].high, built.claims[0].high);
        EXPECT_EQ(read.claims[0].text + read.claims[0].source, built.claims[0].text + built.claims[0].source);
    }
}

// Oracle: the reader of experiment files rejects the same inputs.
TEST(CounterexampleFile, ReasonIsGivenIfItsFileWouldBeRejected) {
    const AnyLaw law = test::any(test::c95);
    Counterexample good;
    good.velocity = {{0, 1e-4}, {0.1, -2e-4}, {0.2, 1e-3}};
    good.duration = 0.3;
    Counterexample endless = good, twice = good;
    endless.duration = 2e9;
    twice.velocity[1].first = 0.2;
    for (const auto& [c, words] : {std::pair(endless, "run.duration"), std::pair(twice, "input.points")}) {
        const experiment::Experiment built = experiment_of(law, c);
        const auto problem = problem_of(built);
        ASSERT_TRUE(problem) << words;
        EXPECT_NE(problem->find(words), std::string::npos) << *problem;
        EXPECT_THROW(experiment::read(experiment_text(built, c), "counterexample.toml"), experiment::Unreadable);
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
    const std::string text = experiment_text(experiment_of(law, *c), *c);
    EXPECT_LT(text.size(), std::size_t(1) << 20);
    EXPECT_EQ(experiment::read(text, "counterexample.toml").setup.input.points.size(), c->velocity.size());
}

}  // namespace
}  // namespace bristle::report
