// Where stick-slip dies by following motions, and above all where it does not.
#include "cycle_support.hpp"

#include <gtest/gtest.h>

#include "../../simulate/cases.hpp"

namespace bristle::inline analysis {
namespace {

// A servo rings in stick between its jumps; its cycle lives over the whole range.
TEST(CycleExtinction, HuntingLivesForAllTheseGains) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the others walk through the same code";
    for (const auto& [key, start, ends] : {std::tuple{"rig.Kp", 3.0, std::pair{1.0, 30.0}},
                                           {"rig.Ki", 4.0, std::pair{1.0, 20.0}},
                                           {"rig.Kv", 6.0, std::pair{0.5, 18.0}}}) {
        const Family family = family_of("benitez2005/fig5", key);
        for (const double toward : {ends.first, ends.second}) {
            if (test::sanitized && toward > start) continue;
            const auto death = cycle_extinction(family, start, toward);
            EXPECT_FALSE(death) << key << " " << *death;
            const Cycle there = limit_cycle(family(toward));
            EXPECT_TRUE(there.exists && there.stable) << key << " " << toward << ": " << there.message;
        }
    }
}

// The slower the pull the longer a period: 41000 s at the end, 6 s at the start.
TEST(CycleExtinction, StickSlipLivesDownToTheSlowestPull) {
    const Family family = family_of("benitez2005/fig4", "rig.velocity");
    EXPECT_FALSE(cycle_extinction(family, 0.1, 1e-5));
    EXPECT_TRUE(limit_cycle(family(1e-5)).stable);
}

TEST(CycleExtinction, AStifferBristleKeepsItASofterOneKillsIt) {
    const Family family = family_of("benitez2005/fig4", "law.sigma0");
    EXPECT_FALSE(cycle_extinction(family, 1e5, 1e7));
    const auto death = cycle_extinction(family, 1e5, 1e3);
    ASSERT_TRUE(death);
    std::printf("sigma0: %.9g N/m\n", *death);
    EXPECT_TRUE(ends_in_stick_slip(family(*death * 1.005)));
    EXPECT_FALSE(ends_in_stick_slip(family(*death * 0.995)));
}

TEST(CycleExtinction, OnABelt) {
    const Family family = [](double speed) {
        bristle::Setup setup;
        setup.law = c95_law("lugre");
        setup.rig = Conveyor{1, 8, 9.81, speed, 0.5};
        setup.run.duration = 20;
        setup.run.stick_speed = 1e-3;
        return setup;
    };
    EXPECT_FALSE(cycle_extinction(family, 0.05, 0.01));
    const auto death = cycle_extinction(family, 0.05, 1);
    ASSERT_TRUE(death);
    std::printf("belt: %.9g m/s\n", *death);
    EXPECT_TRUE(limit_cycle(family(*death * 0.995)).stable);
    EXPECT_FALSE(limit_cycle(family(*death * 1.005)).exists);
    for (const double speed : {0.3, 0.6, 1.0}) EXPECT_EQ(limit_cycle(family(speed)).stable, speed < *death) << speed;
}

// Behind the flip at 6.19 N/m cycles of two and more jumps live on, and the small jumps are less than half the large. Starts of their own
// find them up to 7.3 N/m; a motion that is carried along stays with them until 25.5 N/m (by Runge-Kutta: tests/papers/study_referee_test).
TEST(CycleExtinction, IsNotTheFlip) {
    const Family family = family_of("astrom2008/fig8_b", "rig.stiffness");
    for (const double k : {6.81, 7.0, 7.2, 7.3}) EXPECT_TRUE(limit_cycle(family(k)).stable) << k;
    EXPECT_FALSE(cycle_extinction(family, 2, 10));
    if (test::sanitized) return;
    const auto death = cycle_extinction(family, 2, 30);
    ASSERT_TRUE(death);
    std::printf("stiffness: %.9g N/m\n", *death);
    EXPECT_GT(*death, 25.50);
    EXPECT_LT(*death, 25.55);
}

// A parameter that ends at 0 has no relative distance there.
TEST(CycleExtinction, EndsWhereTheParameterIsZero) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the others walk through the same code";
    const Family damping = family_of("astrom2008/fig6_b", "law.sigma2");
    EXPECT_FALSE(cycle_extinction(damping, 0.2, 0));
    const Family shifted = [&](double p) { return damping(0.22 + p); };  // the fold is at 0.2202
    const auto death = cycle_extinction(shifted, -0.02, 0.02);
    ASSERT_TRUE(death);
    std::printf("damping: %.9g N s/m\n", 0.22 + *death);
    const CycleBranch branch = follow(damping, 0.21, 0.2, 0.2205);
    ASSERT_FALSE(branch.folds.empty());
    EXPECT_NEAR(0.22 + *death, branch.folds.front().parameter, 1e-4);
}

TEST(CycleExtinction, StopsWhenAsked) {
    const Family family = family_of("astrom2008/fig7_c", "rig.velocity");
    double most = 0;
    EXPECT_FALSE(cycle_extinction(family, 2, 4, {}, [&](double fraction) {
        most = std::max(most, fraction);
        return fraction < 0.02;
    }));
    EXPECT_LT(most, 0.1);
    EXPECT_FALSE(cycle_extinction(family, 2, 4, {}, [](double) { return false; }));
}

TEST(CycleExtinction, WithoutACycleThereIsNone) {
    EXPECT_FALSE(cycle_extinction(family_of("astrom2008/fig6_c", "rig.velocity"), 2, 4));
}

}  // namespace
}  // namespace bristle::inline analysis
