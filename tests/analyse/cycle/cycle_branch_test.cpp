// Branches of cycles. Oracles: simulation on both sides of a fold, flip or explosion; Routh-Hurwitz for Hopf points.
#include "cycle_support.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

namespace bristle::inline analysis {
namespace {

void print(const char* name, const CycleBranch& branch) {
    std::printf("%s: %zu points;", name, branch.points.size());
    for (const CyclePoint& fold : branch.folds) std::printf(" fold %.9g", fold.parameter);
    for (const CyclePoint& flip : branch.flips) std::printf(" flip %.9g", flip.parameter);
    std::printf("; ends at %.9g (%s) and %.9g (%s)\n", branch.first.parameter, name_of(branch.first.kind),
                branch.last.parameter, name_of(branch.last.kind));
}

// The first fold after the start value in the direction of a rising parameter: there the stable cycle ends.
const CyclePoint& first_fold(const CycleBranch& branch) { return branch.folds.front(); }

// Checks the location of a fold to 1e-6: just below it there are cycles near its state, just above it none.
void expect_located(const Family& family, const CyclePoint& fold) {
    EXPECT_TRUE(cycle_near(family(fold.parameter * (1 - 1e-6)), fold.state, fold.period).exists);
    EXPECT_FALSE(cycle_near(family(fold.parameter * (1 + 1e-6)), fold.state, fold.period).exists);
}

TEST(CycleBranch, A08Fig6StickSlipEndsAtAFoldInSigma2) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const Family family = shipped_family("astrom2008/fig6_b", "law.sigma2");
    const CycleBranch branch = follow(family, 0.2, 0, 1);
    print("sigma2", branch);
    ASSERT_TRUE(branch.exists);
    ASSERT_FALSE(branch.folds.empty());
    const double fold = first_fold(branch).parameter;
    EXPECT_GT(fold, 0.2);  // fig 6(b) has a cycle, fig 6(c) at 0.5 none
    EXPECT_LT(fold, 0.5);
    EXPECT_TRUE(ends_in_stick_slip(family(fold * 0.999)));
    EXPECT_FALSE(ends_in_stick_slip(family(fold * 1.001)));
    expect_located(family, first_fold(branch));
    // stable up to it, unstable behind it
    EXPECT_TRUE(branch.points[branch.start].stable);
    EXPECT_NEAR(first_fold(branch).multiplier.real(), 1, 1e-4);
    EXPECT_EQ(branch.first.kind, CycleEnd::Kind::window);
    EXPECT_EQ(branch.points.front().parameter, 0);
    EXPECT_EQ(branch.last.kind, CycleEnd::Kind::equilibrium);
}

// a1 a2 - a3 of A08 (27) with the corrections of erratum E4, for the soft set, m = 1, k = 2.
double routh_hurwitz(double v, double sigma2) {
    const double sigma0 = 2940, sigma1 = 108, Fc = 2.94, Fs = 5.88, vs = 0.1, k = 2;
    const double drop = (Fs - Fc) * std::exp(-v / vs), g = Fc + drop, slope = -drop / vs;
    const double h = sigma0 * v / g, a1 = h + sigma1 * v * slope / g + sigma2, a2 = k + h * (slope + sigma2);
    return a1 * a2 - k * h;
}

TEST(CycleBranch, A08Fig7StickSlipEndsAtAFoldInTheSpeedAndStartsAtAHopfPoint) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const Family family = shipped_family("astrom2008/fig7_c", "rig.velocity");
    const CycleBranch branch = follow(family, 2, 0.2, 4);
    print("velocity", branch);
    ASSERT_FALSE(branch.folds.empty());
    const double fold = first_fold(branch).parameter;
    EXPECT_TRUE(ends_in_stick_slip(family(fold * 0.999)));
    EXPECT_FALSE(ends_in_stick_slip(family(fold * 1.001)));
    expect_located(family, first_fold(branch));
    // the unstable cycle shrinks to steady sliding at the zero of a1 a2 - a3
    ASSERT_EQ(branch.last.kind, CycleEnd::Kind::equilibrium);
    double low = 0.4, high = 0.6;
    ASSERT_LT(routh_hurwitz(low, 0.2) * routh_hurwitz(high, 0.2), 0);
    for (int i = 0; i < 60; ++i)
        (routh_hurwitz(0.5 * (low + high), 0.2) * routh_hurwitz(high, 0.2) > 0 ? high : low) = 0.5 * (low + high);
    std::printf("Hopf: %.9f m/s, from the branch %.9f\n", low, branch.last.parameter);
    EXPECT_NEAR(branch.last.parameter, low, 1e-6 * low);
}

// Fig 8, sigma2 = 0.19: no fold. The cycle loses its stability when a multiplier passes -1. Beyond it a period has a
// long
// and a short slip. Oracle: simulated intervals between slips, equal below the flip and unequal above it.
TEST(CycleBranch, A08Fig8StickSlipFlipsInTheStiffness) {
    if (test::sanitized) GTEST_SKIP() << "long simulations";
    const Family family = shipped_family("astrom2008/fig8_b", "rig.stiffness");
    const CycleBranch branch = follow(family, 2, 0.5, 10);
    print("stiffness", branch);
    ASSERT_EQ(branch.flips.size(), 1u);
    EXPECT_TRUE(branch.folds.empty());
    const double flip = branch.flips[0].parameter;
    for (const double factor : {0.995, 1.005}) {
        const auto end = lasting(family(flip * factor), 1500, 30).result.measures.stick_end;
        ASSERT_GT(end.size(), 4u);
        const double last = end[end.size() - 1] - end[end.size() - 2],
                     before = end[end.size() - 2] - end[end.size() - 3];
        if (factor < 1)
            EXPECT_NEAR(last, before, 1e-4);
        else
            EXPECT_GT(std::abs(last - before), 1e-3);
    }
    const Cycle doubled = limit_cycle(family(7));
    ASSERT_TRUE(doubled.exists && doubled.stable);
    const Cycle single = limit_cycle(family(6));
    EXPECT_NEAR(doubled.period / single.period, 2 * std::sqrt(6.0 / 7), 0.1);
    // from rest: stick-slip at 5 N/m (claim of the file), none at 8 N/m
    EXPECT_TRUE(ends_in_stick_slip(family(5)));
    EXPECT_FALSE(ends_in_stick_slip(family(8)));
}

// Stiff contact, sharp curve: the branch stops at one speed. Oracles: simulation 0.1 % below and above;
// cycle_extinction.
TEST(CycleBranch, C95StickSlipEndsInAnExplosion) {
    const Family family = shipped_family("benitez2005/fig4", "rig.velocity");
    const CycleBranch branch = follow(family, 0.1, 0.1, 1);
    print("C95, velocity", branch);
    ASSERT_EQ(branch.last.kind, CycleEnd::Kind::explosion);
    const double speed = branch.last.parameter;
    EXPECT_TRUE(ends_in_stick_slip(family(speed * 0.999)));
    EXPECT_FALSE(ends_in_stick_slip(family(speed * 1.001)));
    const auto extinction = cycle_extinction(family, 0.1, 1).value;
    ASSERT_TRUE(extinction);
    EXPECT_NEAR(*extinction, speed, 1e-6 * speed);
}

TEST(CycleBranch, ExtinctionIsAtMost1e_4BeyondTheFold) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const Family speed = shipped_family("astrom2008/fig7_c", "rig.velocity");
    const CycleBranch branch = follow(speed, 2, 1.9, 2.2);
    ASSERT_FALSE(branch.folds.empty());
    const auto extinction = cycle_extinction(speed, 2, 4).value;
    ASSERT_TRUE(extinction);
    // just beyond a fold a motion stays near the former cycle for a time ~ 1/sqrt(distance)
    EXPECT_GT(*extinction, branch.folds.front().parameter * (1 - 1e-7));
    EXPECT_LT(*extinction, branch.folds.front().parameter * (1 + 1e-4));
    EXPECT_EQ(cycle_extinction(speed, 2, 2.1).outcome, ExtinctionOutcome::persists);
    std::printf("fig 7: %.9f m/s, the fold %.9f\n", *extinction, branch.folds.front().parameter);
}

TEST(CycleBranch, EndsAreTheWindowAndAnExplosion) {
    const CycleBranch branch = follow(shipped_family("benitez2005/fig4", "rig.velocity"), 0.1, 0.09, 1);
    ASSERT_TRUE(branch.exists);
    EXPECT_EQ(branch.first.kind, CycleEnd::Kind::window);
    EXPECT_EQ(branch.first.parameter, 0.09);
    EXPECT_EQ(branch.last.kind, CycleEnd::Kind::explosion);
}

// The force of a law with velocity memory jumps on the section of maximum slip: multipliers would be NaN.
TEST(CycleBranch, HystereticLawHasNoBranchBecauseOfAJumpOnTheSection) {
    const CycleBranch branch = follow(shipped_family("benitez2005/fig4_hysteretic", "rig.velocity"), 0.1, 0.05, 0.2);
    EXPECT_FALSE(branch.exists);
    EXPECT_EQ(branch.reason, NoBranch::jump_on_section);
}

// A08 fig 7 typed by hand, followed by key. Oracles: the fold by fixed-step Runge-Kutta lies between 2.129 and 2.13
// m/s,
// and continuation of the shipped file gives 2.12912259 m/s; the Hopf point is the zero of routh_hurwitz. Tolerances:
// 1e-8
// and 1e-6, the accuracy of the located points.
TEST(CycleBranch, ByKeyOfASetupHasFoldAndHopfPointOfA08Fig7) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    const LuGre law{
        .sigma0 = 2940, .sigma1 = 108, .sigma2 = 0.2, .curve = {.Fc = 2.94, .Fs = 5.88, .vs = 0.1, .alpha = 1}};
    const bristle::Setup setup{.law = law, .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 2}};
    const CycleBranch branch = follow(setup, "rig.velocity", 0.2, 4);
    ASSERT_TRUE(branch.exists) << name_of(branch.reason);
    ASSERT_FALSE(branch.folds.empty());
    EXPECT_NEAR(first_fold(branch).parameter, 2.12912259, 2e-8);
    ASSERT_EQ(branch.last.kind, CycleEnd::Kind::equilibrium);
    EXPECT_NEAR(branch.last.parameter, 0.4990573633, 5e-7);
    EXPECT_THROW(follow(setup, "rig.speed", 0.2, 4), Error);
    EXPECT_THROW(follow(setup, "rig.velocity", 2.5, 4), Error);  // the present value is not inside
}

TEST(CycleBranch, FamilyByKeyThrowsForAValueThatBreaksARule) {
    const LuGre law{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}};
    const bristle::Setup setup{.law = law, .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1}};
    const Family by_mass = family_of(setup, "rig.mass");
    EXPECT_EQ(std::get<PulledSpring>(by_mass(3).rig).mass, 3);
    EXPECT_THROW(by_mass(-1), Error);
    const Family2 by_levels = family_of(setup, "law.Fs", "law.Fc");
    EXPECT_EQ(std::get<AnyLuGre>(by_levels(2, 1.2).law).curve.stribeck.positive.Fc, 1.2);
    EXPECT_THROW(by_levels(1, 1.2), Error);
    EXPECT_THROW(family_of(setup, "law.sigma9"), Error);
}

// Oracle: shooting from scratch at the same parameter. Tolerance: 1e-8, for two Newton iterations that end at
// different residuals.
TEST(CycleBranch, PointsEqualTheCycleAtTheirParameter) {
    const Family family = shipped_family("benitez2005/fig4", "rig.velocity");
    const CycleBranch branch = follow(family, 0.1, 0.05, 0.15);
    ASSERT_TRUE(branch.exists);
    EXPECT_EQ(branch.points.front().parameter, 0.05);
    EXPECT_EQ(branch.points.back().parameter, 0.15);
    for (std::size_t i = 0; i < branch.points.size(); i += std::max<std::size_t>(1, branch.points.size() / 4)) {
        const CyclePoint& point = branch.points[i];
        const Cycle cycle = limit_cycle(family(point.parameter));
        EXPECT_NEAR(point.period, cycle.period, 1e-8 * cycle.period);
        EXPECT_NEAR(point.amplitude, cycle.amplitude, 1e-8 * cycle.amplitude);
        EXPECT_NEAR(point.stick_fraction, cycle.stick_fraction, 1e-7);
        EXPECT_TRUE(point.stable);
    }
}

// Oracle: the branch from a value with a cycle, begun elsewhere: the fold is the same.
TEST(CycleBranch, BeginsInsideTheWindowIfTheStartValueHasNoCycle) {
    const Family family = shipped_family("astrom2008/fig6_c", "law.sigma2");
    ASSERT_FALSE(limit_cycle(family(0.5)).exists);
    const CycleBranch branch = follow(family, 0.5, 0, 1), known = follow(family, 0.1, 0, 1);
    ASSERT_TRUE(branch.exists && known.exists);
    // the values are 1/16 apart: 0.1875 is the largest with a cycle, below the fold at 0.22
    EXPECT_EQ(branch.points[branch.start].parameter, 0.1875);
    ASSERT_FALSE(branch.folds.empty() || known.folds.empty());
    EXPECT_NEAR(branch.folds.front().parameter, known.folds.front().parameter, 1e-6);
}

TEST(CycleBranch, ReasonIsNoCycleInTheWindowAndProgressCancels) {
    const CycleBranch branch = follow(shipped_family("astrom2008/fig6_c", "law.sigma2"), 0.5, 0.4, 1);
    EXPECT_FALSE(branch.exists);
    EXPECT_EQ(branch.reason, NoBranch::no_cycle);
    EXPECT_THROW(follow(shipped_family("astrom2008/fig6_b", "law.sigma2"), 0.2, 0.3, 1), Error);
    int calls = 0;
    const CycleBranch cancelled = follow(shipped_family("astrom2008/fig6_b", "law.sigma2"), 0.2, 0, 1, {},
                                         [&](double fraction) { return ++calls < 10 || fraction < 0.1; });
    EXPECT_LT(cancelled.points.size(), 30u);
    EXPECT_THROW(follow(shipped_family("astrom2008/fig6_b", "law.sigma2"), 0.2, 0, 1, {}, [](double) { return false; }),
                 Cancelled);
}

}  // namespace
}  // namespace bristle::analysis
