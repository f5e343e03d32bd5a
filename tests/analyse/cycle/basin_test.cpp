// Basins of attraction. Oracles: simulation from the same starts, and the unstable cycle of the branch.
#include <bristle/analyse/basin.hpp>
#include <bristle/analyse/equilibrium.hpp>

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <chrono>

#include "cycle_support.hpp"

namespace bristle::inline analysis {
namespace {

// The outcome of start (i, j) of the grid equals that of a simulation from there.
void expect_simulated_outcome(const bristle::Setup& setup, const Basin& basin, int i, int j) {
    auto start = setup;
    start.start[basin.across.state] = basin.across.value(i);
    start.start[basin.up.state] = basin.up.value(j);
    EXPECT_EQ(basin.outcomes[std::size_t(j * basin.across.count + i)] == BasinOutcome::cycle,
              ends_in_stick_slip(start, 100))
        << basin.across.value(i) << " " << basin.up.value(j);
}

TEST(Basin, OutcomesEqualThoseOfTheSimulation) {
    const auto setup = shipped_setup("astrom2008/fig7_c");
    const auto [across, up] = basin_axes(setup, limit_cycle(setup), 13);
    const Basin basin = bristle::basin(setup, across, up);
    EXPECT_EQ(basin.steady + basin.cycle + basin.undecided, 169);
    EXPECT_EQ(basin.undecided, 0);
    EXPECT_GT(basin.steady, 30);
    EXPECT_GT(basin.cycle, 60);
    for (int j = 0; j < 13; j += test::sanitized ? 6 : 2)
        for (int i = j / 2 % 2; i < 13; i += 2) expect_simulated_outcome(setup, basin, i, j);
}

TEST(Basin, UnstableCycleEqualsThatOfTheBranch) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const auto setup = shipped_setup("astrom2008/fig7_c");
    const Basin basin = bristle::basin(setup, {"elongation", 1, 2, 2}, {"v", 1, 3, 2});
    ASSERT_TRUE(basin.stable.exists && basin.edge.exists);
    EXPECT_FALSE(basin.edge.stable);
    // behind its folds the branch passes the same speed again
    const CycleBranch branch = follow(shipped_family("astrom2008/fig7_c", "rig.velocity"), 2, 1.9, 2.3);
    ASSERT_EQ(branch.last.kind, CycleEnd::Kind::window);
    double nearest = 1, amplitude = 0;
    for (std::size_t i = branch.start + 1; i + 1 < branch.points.size(); ++i) {
        const auto &a = branch.points[i], &b = branch.points[i + 1];
        if (a.stable || (a.parameter - 2) * (b.parameter - 2) > 0) continue;
        const double fraction = (2 - a.parameter) / (b.parameter - a.parameter);
        nearest = 0;
        amplitude = a.amplitude + fraction * (b.amplitude - a.amplitude);
    }
    ASSERT_EQ(nearest, 0);
    EXPECT_NEAR(basin.edge.amplitude, amplitude, 1e-3);  // linear between two points of the branch
    std::printf("unstable cycle: T %.9f s, amplitude %.9f m, multiplier %.6g\n", basin.edge.period,
                basin.edge.amplitude, basin.edge.multipliers[0].real());
    // starts 0.1 % inside and outside of it end in different attractors
    for (const double factor : {0.999, 1.001}) {
        auto start = setup;
        const double steady[] = {(2.94 + 0.2 * 2) / 2, 2, 0.001};
        const auto names = state_names(setup.law, setup.rig);
        for (std::size_t i = 0; i < 3; ++i)
            start.start[names[i].name] = steady[i] + factor * (basin.edge.state[i] - steady[i]);
        EXPECT_EQ(ends_in_stick_slip(start), factor > 1);
    }
}

TEST(Basin, OfTheCycleIsThePlaneIfTheSteadyStateIsUnstable) {
    const auto setup = shipped_setup("astrom2008/fig7_a");
    const auto [across, up] = basin_axes(setup, limit_cycle(setup), 6);
    const Basin basin = bristle::basin(setup, across, up);
    EXPECT_EQ(basin.cycle, 36);
    EXPECT_FALSE(basin.edge.exists);
}
TEST(Basin, OfTheSteadyStateIsThePlaneWithoutACycle) {
    const Basin basin = bristle::basin(shipped_setup("astrom2008/fig6_c"), {"elongation", 0, 4, 5}, {"v", -1, 5, 5});
    EXPECT_FALSE(basin.stable.exists);
    EXPECT_EQ(basin.steady, 25);
}
// Oracle: steady sliding at l = (Fc + sigma2 vp)/k and v = vp, A08 (23).
TEST(Basin, AxesEncloseTheSteadyStateWithoutACycle) {
    const auto setup = shipped_setup("astrom2008/fig6_c");
    const auto [across, up] = basin_axes(setup, {}, 5);
    const double steady[] = {(2.94 + 0.5 * 2) / 2, 2};
    EXPECT_LT(across.from, steady[0] - 0.5);
    EXPECT_GT(across.to, steady[0] + 0.5);
    EXPECT_LT(up.from, 0);
    EXPECT_NEAR(0.5 * (up.from + up.to), steady[1], 1e-9);
    EXPECT_EQ(basin(setup, across, up).steady, 25);
}
TEST(Basin, HybridRigIsRejectedWithAHintToPulledSpring) {
    bristle::Setup setup = shipped_setup("astrom2008/fig5_hybrid_red");
    try {
        basin(setup, {"elongation", 0, 4, 5}, {"v", -1, 5, 5});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("pulled_spring"), std::string::npos) << error.what();
    }
    EXPECT_THROW(basin_axes(setup, {}), Error);
}
TEST(Basin, OfHuntingContainsAllStarts) {
    const Basin basin = bristle::basin(shipped_setup("benitez2005/fig5"), {"x", 0, 2, 4}, {"v", -0.5, 0.5, 4});
    EXPECT_EQ(basin.cycle, 16);
}
// A multiplier of 0.88: the motion approaches the cycle slowly and must not count as steady.
TEST(Basin, OfSlowlyAttractingHuntingContainsAllStarts) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    bristle::Setup setup = shipped_setup("benitez2005/fig5", {{"rig.Kp", "0.7"}});
    const Cycle cycle = limit_cycle(setup);
    ASSERT_TRUE(cycle.stable);
    EXPECT_GT(std::abs(cycle.multipliers[0]), 0.8);
    const Basin basin = bristle::basin(setup, {"x", 0, 2, 2}, {"v", -0.5, 0.5, 3});  // not at the target
    EXPECT_EQ(basin.cycle, 6);
}
TEST(Basin, StartsNearAnUnstableSteadyStateAreNotSteady) {
    const auto setup = shipped_setup("astrom2008/fig7_a");
    const Equilibrium steady = main_equilibrium(setup);
    ASSERT_EQ(steady.stability, Stability::unstable);
    const double l = steady.states[0].value, v = steady.states[1].value;
    const Basin basin = bristle::basin(setup, {"elongation", l * 0.999, l * 1.001, 3}, {"v", v * 0.999, v * 1.001, 3});
    EXPECT_EQ(basin.steady, 0);
}
// One peak with steady slip by chance is not the steady state.
TEST(Basin, OfTheHystereticLawEqualsTheSimulation) {
    const auto setup = shipped_setup("benitez2005/fig4_hysteretic");
    const Cycle cycle = limit_cycle(setup);
    ASSERT_TRUE(cycle.stable);
    const auto [across, up] = basin_axes(setup, cycle, 7);
    const Basin basin = bristle::basin(setup, across, up);
    for (int j = 0; j < 7; j += test::sanitized ? 3 : 1)
        for (int i = 0; i < 7; i += 2) expect_simulated_outcome(setup, basin, i, j);
}
TEST(Basin, ThrowsForAStateThatTheRigDoesNotHave) {
    EXPECT_THROW(basin(shipped_setup("astrom2008/fig7_c"), {"x", 0, 2, 4}, {"v", -0.5, 0.5, 4}), Error);
}
TEST(Basin, IsCancelledByProgress) {
    const Basin basin = bristle::basin(shipped_setup("astrom2008/fig7_c"), {"elongation", 0, 4, 40}, {"v", -1, 5, 40},
                                       {}, [](double fraction) { return fraction < 0.2; });
    EXPECT_TRUE(basin.cancelled);
    EXPECT_GT(basin.undecided, 100);
}
TEST(Basin, Of200By200StartsTakesLessThan60Seconds) {
    const int count = test::sanitized ? 20 : 200;
    const auto setup = shipped_setup("astrom2008/fig7_c");
    const auto [across, up] = basin_axes(setup, limit_cycle(setup), count);
    const auto begin = std::chrono::steady_clock::now();
    const Basin basin = bristle::basin(setup, across, up);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%d starts in %.1f s: %ld steady, %ld stick-slip\n", count * count, seconds, basin.steady, basin.cycle);
    EXPECT_EQ(basin.undecided, 0);
    EXPECT_LT(seconds, 60);
}

}  // namespace
}  // namespace bristle::analysis
