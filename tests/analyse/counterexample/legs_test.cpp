// First legs of an input, and work budgets.
#include "base/work_budget.hpp"
#include "analyse/counterexample/legs.hpp"
#include <bristle/base/error.hpp>

#include <gtest/gtest.h>

#include "../laws.hpp"
#include "counterexample_support.hpp"

namespace bristle::inline analysis {
namespace {

using namespace counterexample;

// Oracle: energy by integrate() of the whole signal, displacement by the trapezoidal rule.
TEST(Legs, SumIsTheEnergyAndDisplacementOfTheSignal) {
    AnyLuGre lugre = test::any(test::c95);
    auto on_all = lugre;
    on_all.load_on = LoadOn::all;
    const auto saw = test::hysteretic_c95();
    const auto maxwell = test::maxwell_c95();
    const std::pair<AnyLaw, Counterexample> all[] = {{lugre, *shuttle(lugre, *scan_for_witness(lugre))},
                                                     {lugre, *load_cycle(lugre, 1, 2)},
                                                     {on_all, *load_cycle(on_all, 1, 2)},
                                                     {maxwell, *maxwell_slip_cycle(maxwell)},
                                                     {saw, *hysteretic_sawtooth(saw)}};
    for (const auto& [law, c] : all) {
        SCOPED_TRACE(kind_of(law));
        const auto samples = replay_legs(law, c, 1000, 20);
        ASSERT_FALSE(samples.empty());
        EXPECT_NEAR(samples.back().work, c.energy, 1e-5 * std::abs(c.energy) + integrate(law, c).tolerance());
        double x = 0;
        for (std::size_t i = 0; i < c.velocity.size(); ++i) {
            const double end = i + 1 < c.velocity.size() ? c.velocity[i + 1].first : c.duration,
                         next = c.ramps && i + 1 < c.velocity.size() ? c.velocity[i + 1].second : c.velocity[i].second;
            x += 0.5 * (c.velocity[i].second + next) * (end - c.velocity[i].first);
        }
        EXPECT_NEAR(samples.back().x, x, 1e-9 * std::abs(x) + 1e-15);
    }
}

// A pulse that is shorter than one of 4001 samples of the run.
TEST(Legs, ShortestLegHasAsManySamplesAsTheOthers) {
    const AnyLaw law = test::any(test::c95);
    const auto c = load_cycle(law, 1, 3);
    ASSERT_TRUE(c);
    double fastest = 0, shortest = c->duration;
    for (std::size_t i = 0; i + 1 < c->velocity.size(); ++i) {
        fastest = std::max(fastest, std::abs(c->velocity[i].second));
        shortest = std::min(shortest, c->velocity[i + 1].first - c->velocity[i].first);
    }
    EXPECT_LT(shortest, c->duration / 4001);
    int there = 0;
    double lowest = 0;
    for (const LegSample& at : replay_legs(law, *c, 16, 100)) {
        there += std::abs(at.v) == fastest;
        lowest = std::min(lowest, at.F);
    }
    EXPECT_GE(there, 99);
    // at the start of the pulse z is that of 3 N while g is that of 1 N: F = sigma0 z + sigma1 (v - sigma0 v z/g) + sigma2 v
    EXPECT_LT(lowest, -test::c95.sigma1 * fastest);
    EXPECT_LE(replay_legs(law, *c, 2, 10).back().leg, 2);
}

TEST(WorkBudget, SpendReturnsFalseIfAnInnerOrOuterBudgetIsExhausted) {
    EXPECT_TRUE(spend(1000000000));  // no budget
    WorkBudget all(100);
    {
        WorkBudget part(30);
        for (int i = 0; i < 30; ++i) EXPECT_TRUE(spend());
        EXPECT_FALSE(part.exhausted());
        EXPECT_FALSE(spend());
        EXPECT_TRUE(part.exhausted());
        EXPECT_FALSE(all.exhausted());
    }
    EXPECT_TRUE(spend(60));  // the unused units of the inner budget are left
    WorkBudget other(1000);
    EXPECT_FALSE(spend(20));
    EXPECT_FALSE(other.exhausted());
    EXPECT_TRUE(all.exhausted());
}

TEST(WorkBudget, SpendThrowsIfShouldContinueReturnsFalse) {
    int calls = 0;
    WorkBudget all(100000000, [&] { return ++calls < 5; });
    const auto work = [] {
        for (int i = 0; i < 1000000; ++i) spend();
    };
    EXPECT_THROW(work(), Error);
    EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace bristle::analysis
