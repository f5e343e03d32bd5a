// Extinction of stick-slip by simulation. Oracles: long simulations or limit_cycle on both sides of the value.
#include "cycle_support.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include "../../simulate/cases.hpp"

namespace bristle::inline analysis {
namespace {

// A servo oscillates in stick between its slips; its cycle exists over the whole range.
TEST(CycleExtinction, DoesNotOccurForHuntingAtTheseGains) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    for (const auto& [key, start, ends] : {std::tuple{"rig.Kp", 3.0, std::pair{1.0, 30.0}},
                                           {"rig.Ki", 4.0, std::pair{1.0, 20.0}},
                                           {"rig.Kv", 6.0, std::pair{0.5, 18.0}}}) {
        const Family family = shipped_family("benitez2005/fig5", key);
        for (const double toward : {ends.first, ends.second}) {
            if (test::sanitized && toward > start) continue;
            const auto extinction = cycle_extinction(family, start, toward);
            EXPECT_FALSE(extinction) << key << " " << *extinction;
            const Cycle there = limit_cycle(family(toward));
            EXPECT_TRUE(there.exists && there.stable) << key << " " << toward << ": " << name_of(there.reason);
        }
    }
}

// The period grows from 6 s at 0.1 m/s to 41000 s at 1e-5 m/s.
TEST(CycleExtinction, DoesNotOccurDownToAPullOf1e_5MetresPerSecond) {
    const Family family = shipped_family("benitez2005/fig4", "rig.velocity");
    EXPECT_FALSE(cycle_extinction(family, 0.1, 1e-5));
    EXPECT_TRUE(limit_cycle(family(1e-5)).stable);
}

TEST(CycleExtinction, OccursForDecreasingSigma0Only) {
    const Family family = shipped_family("benitez2005/fig4", "law.sigma0");
    EXPECT_FALSE(cycle_extinction(family, 1e5, 1e7));
    const auto extinction = cycle_extinction(family, 1e5, 1e3);
    ASSERT_TRUE(extinction);
    std::printf("sigma0: %.9g N/m\n", *extinction);
    EXPECT_TRUE(ends_in_stick_slip(family(*extinction * 1.005)));
    EXPECT_FALSE(ends_in_stick_slip(family(*extinction * 0.995)));
}

TEST(CycleExtinction, OnABeltOccursForIncreasingSpeedOnly) {
    const Family family = [](double speed) {
        bristle::Setup setup;
        setup.law = c95_law("lugre");
        setup.rig = Conveyor{1, 8, 9.81, speed, 0.5};
        setup.run.duration = 20;
        setup.run.stick_speed = 1e-3;
        return setup;
    };
    EXPECT_FALSE(cycle_extinction(family, 0.05, 0.01));
    const auto extinction = cycle_extinction(family, 0.05, 1);
    ASSERT_TRUE(extinction);
    std::printf("belt: %.9g m/s\n", *extinction);
    EXPECT_TRUE(limit_cycle(family(*extinction * 0.995)).stable);
    EXPECT_FALSE(limit_cycle(family(*extinction * 1.005)).exists);
    for (const double speed : {0.3, 0.6, 1.0})
        EXPECT_EQ(limit_cycle(family(speed)).stable, speed < *extinction) << speed;
}

// Behind the flip at 6.19 N/m there are cycles with two and more slips per period; the small ones are less than half the
// large ones. New starts lead to them up to 7.3 N/m; a continued motion stays in them up to 25.5 N/m (Oracle: fixed-step
// Runge-Kutta, tests/papers/study_referee_test).
TEST(CycleExtinction, IsFarBeyondTheFlipInA08Fig8) {
    const Family family = shipped_family("astrom2008/fig8_b", "rig.stiffness");
    for (const double k : {6.81, 7.0, 7.2, 7.3}) EXPECT_TRUE(limit_cycle(family(k)).stable) << k;
    EXPECT_FALSE(cycle_extinction(family, 2, 10));
    if (test::sanitized) return;
    const auto extinction = cycle_extinction(family, 2, 30);
    ASSERT_TRUE(extinction);
    std::printf("stiffness: %.9g N/m\n", *extinction);
    EXPECT_GT(*extinction, 25.50);
    EXPECT_LT(*extinction, 25.55);
}

// Near 0 the accuracy is relative to the interval.
TEST(CycleExtinction, IsLocatedNearTheParameterValueZero) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const Family damping = shipped_family("astrom2008/fig6_b", "law.sigma2");
    EXPECT_FALSE(cycle_extinction(damping, 0.2, 0));
    const Family shifted = [&](double p) { return damping(0.22 + p); };  // the fold is at 0.2202
    const auto extinction = cycle_extinction(shifted, -0.02, 0.02);
    ASSERT_TRUE(extinction);
    std::printf("damping: %.9g N s/m\n", 0.22 + *extinction);
    const CycleBranch branch = follow(damping, 0.21, 0.2, 0.2205);
    ASSERT_FALSE(branch.folds.empty());
    EXPECT_NEAR(0.22 + *extinction, branch.folds.front().parameter, 1e-4);
}

TEST(CycleExtinction, IsCancelledByProgress) {
    const Family family = shipped_family("astrom2008/fig7_c", "rig.velocity");
    double largest = 0;
    const auto progress = [&](double fraction) {
        largest = std::max(largest, fraction);
        return fraction < 0.02;
    };
    EXPECT_THROW(cycle_extinction(family, 2, 4, {}, progress), Cancelled);
    EXPECT_LT(largest, 0.1);
    EXPECT_THROW(cycle_extinction(family, 2, 4, {}, [](double) { return false; }), Cancelled);
}

TEST(CycleExtinction, DoesNotOccurWithoutACycleAtTheStart) {
    EXPECT_FALSE(cycle_extinction(shipped_family("astrom2008/fig6_c", "rig.velocity"), 2, 4));
}

}  // namespace
}  // namespace bristle::analysis
