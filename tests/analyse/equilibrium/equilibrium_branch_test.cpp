// Branches of equilibria: folds, real eigenvalues that pass zero, neutral motion, ends of branches.
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <cmath>

#include "../../simulate/cases.hpp"
#include "equilibrium_support.hpp"

namespace bristle::inline analysis {
namespace {

using test::forced, test::pulled, test::ByHand, test::zeros, test::of_kind, test::soft;

// A mass under a force: folds at the extremes of F_ss, the minimum and a maximum at 0.4 um/s, below which sigma2 v rises
// faster than the curve falls. The branch ends at rest at the force Fs. Oracle: zeros of F_ss'.
TEST(Fold, OfAMassUnderAConstantForceIsAtAnExtremumOfTheSteadyForce) {
    const Branch branch = follow_equilibrium([](double u) { return forced(test::any(test::c95), 1, u); }, 0.1, 3, 2);
    const auto slope = [](long double v) {
        ByHand h(test::c95, 1, 1, 1);
        h.v = v;
        return h.F_slope();
    };
    const auto expected = zeros(slope, 1e-9, 1e-1, 4000);
    ASSERT_EQ(expected.size(), 2u);
    const auto folds = of_kind(branch, CriticalPoint::Kind::fold);
    ASSERT_EQ(branch.critical.size(), 2u);
    ASSERT_EQ(folds.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const ByHand h(test::c95, 1, 1, expected[1 - i]);
        EXPECT_NEAR(folds[i].value, double(h.g() + h.sigma2 * h.v), 1e-12);
        EXPECT_NEAR(folds[i].states[1], expected[1 - i], i == 0 ? 1e-8 * expected[1] : 1e-3 * expected[0]);
    }
    EXPECT_EQ(branch.last, BranchEnd::window);
    EXPECT_EQ(branch.first, BranchEnd::nothing_beyond);
    EXPECT_NEAR(branch.points.front().parameter, 1.5, 1e-6);
    EXPECT_GT(branch.points.front().velocity, 0);  // still sliding, not the stuck ones that start there
    for (const BranchPoint& p : branch.points) {
        const bool falling = p.velocity > expected[0] && p.velocity < expected[1];
        EXPECT_EQ(p.stability, falling ? Stability::unstable : Stability::stable) << p.velocity;
        const ByHand h(test::c95, 1, 1, p.velocity);
        EXPECT_NEAR(p.parameter, double(h.g() + h.sigma2 * h.v), 1e-12);
    }
    // the falling part is found from its own start too; the stuck branch ends at Fs
    const auto family = [](double u) { return forced(test::any(test::c95), 1, u); };
    EXPECT_EQ(follow_equilibrium(family, 0.1, 3, 1.2, 1).critical.size(), 2u);
    const Branch held = follow_equilibrium(family, 0.1, 3, 1.2);
    EXPECT_EQ(held.kind, EquilibriumKind::stuck);
    EXPECT_EQ(held.last, BranchEnd::nothing_beyond);
    EXPECT_NEAR(held.points.back().parameter, 1.5, 1e-5);
    EXPECT_TRUE(held.critical.empty());
    EXPECT_THROW(follow_equilibrium(family, 0.1, 3, 1.2, 3), Error);
}

// A pendulum held upright by its bristle: one real eigenvalue passes zero at sigma0 radius^2 = m g L.
TEST(Branch, OfAnUprightPendulumLosesStabilityAtTheCriticalSigma0) {
    const auto family = [](double sigma0) {
        bristle::Setup s;
        LuGre law = test::c95;
        law.sigma0 = sigma0;
        s.law = test::any(law);
        s.rig = Pendulum{2, 0.5, 9.81, 0.1};
        return s;
    };
    const Branch hanging = follow_equilibrium(family, 100, 1e5, 1e4);
    EXPECT_TRUE(hanging.critical.empty());
    for (const BranchPoint& p : hanging.points) {
        EXPECT_EQ(p.states[0], 0);
        EXPECT_EQ(p.stability, Stability::stable);
    }
    const Branch branch = follow_equilibrium(family, 100, 1e5, 1e4, 1);
    ASSERT_EQ(branch.critical.size(), 1u);
    EXPECT_EQ(branch.critical[0].kind, CriticalPoint::Kind::real);
    EXPECT_EQ(branch.critical[0].frequency, 0);
    EXPECT_NEAR(branch.critical[0].value, 981, 1e-9 * 981);
    EXPECT_NEAR(branch.critical[0].states[0], M_PI, 1e-15);
    EXPECT_EQ(branch.points.front().stability, Stability::unstable);
    EXPECT_EQ(branch.points.back().stability, Stability::stable);
}

TEST(Branch, OfNeutralEquilibriaHasNoCriticalPoints) {
    const Branch dahl =
        follow_equilibrium([](double v) { return pulled(Dahl{.sigma0 = 100, .Fc = 1}, 1, 2, v); }, 0.01, 10, 1);
    EXPECT_TRUE(dahl.critical.empty());
    for (const BranchPoint& p : dahl.points) EXPECT_EQ(p.stability, Stability::neutral) << p.parameter;
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 2};
    test::set_viscous(coulomb, 0);
    EXPECT_TRUE(follow_equilibrium([&](double v) { return pulled(coulomb, 1, 2, v); }, 0.01, 10, 1).critical.empty());
}

TEST(Branch, EndsAtRestAndWhereTheFamilyThrows) {
    const auto family = [](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); };
    const Branch down = follow_equilibrium(family, -1, 1, 0.7);
    EXPECT_EQ(down.first, BranchEnd::nothing_beyond);
    EXPECT_GT(down.points.front().parameter, 0);
    EXPECT_LT(down.points.front().parameter, 1e-5);
    const auto ruled = [&](double v) {
        if (v > 0.8) throw Error("too fast");
        return family(v);
    };
    const Branch cut = follow_equilibrium(ruled, 0.1, 1, 0.7);
    EXPECT_EQ(cut.last, BranchEnd::nothing_beyond);
    EXPECT_NEAR(cut.points.back().parameter, 0.8, 1e-5);
    // a start on the edge of the window is followed in one direction
    const Branch edge = follow_equilibrium(family, 0.4, 0.9, 0.9);
    EXPECT_EQ(edge.points.back().parameter, 0.9);
    EXPECT_EQ(edge.points.front().parameter, 0.4);
    EXPECT_EQ(edge.critical.size(), 1u);
    EXPECT_THROW(follow_equilibrium(family, 0.1, 1, 2), Error);
    EXPECT_THROW(follow_equilibrium(family, 1, 1, 1), Error);
    // the branch of a smooth law passes rest
    const Branch smooth = follow_equilibrium([](double v) { return pulled(c95_law("makkar"), 1, 2, v); }, -1, 1, 0.7);
    EXPECT_EQ(smooth.points.front().parameter, -1);
    EXPECT_EQ(smooth.points.back().parameter, 1);
}

// A08 fig 7 by key. Oracle: the zero of a1 a2 - a3, A08 (27). Tolerance: rounding of 10 printed digits.
TEST(Branch, ByKeyOfASetupHasTheHopfPointOfA08Fig7) {
    const bristle::Setup setup = pulled(soft(0.2), 1, 2, 2);
    const auto found = of_kind(follow_equilibrium(setup, "rig.velocity", 0.1, 5), CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].value, 0.4990573633, 1e-10);
    EXPECT_THROW(follow_equilibrium(setup, "rig.speed", 0.1, 5), Error);
}

// Oracle: the change of stability of main_equilibrium in a scan of 2000 speeds.
TEST(Branch, HopfPointsOfEveryLawAreTheChangesOfStabilityInAScan) {
    std::size_t all = 0;
    for_each_law([&](const auto& entry) {
        const AnyLaw law = c95_law(entry.kind);
        const auto family = [&](double v) { return pulled(law, 1, 100, v); };
        const Branch branch = follow_equilibrium(family, 1e-4, 1, 0.1);
        std::vector<double> changes;  // by the scan
        bool before = main_equilibrium(family(1e-4)).stable();
        for (int i = 1; i <= 2000; ++i) {
            const double v = 1e-4 * std::pow(1e4, i / 2000.0);
            const bool now = main_equilibrium(family(v)).stable();
            if (now != before) changes.push_back(v);
            before = now;
        }
        const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
        ASSERT_EQ(found.size(), changes.size()) << entry.kind;
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_LE(found[i].value, changes[i]) << entry.kind;
            EXPECT_GE(found[i].value, changes[i] / std::pow(1e4, 1 / 2000.0)) << entry.kind;
            const Equilibrium e = main_equilibrium(family(found[i].value));
            EXPECT_LT(std::abs(e.damping), 1e-9) << entry.kind;
            EXPECT_NEAR(e.frequency, found[i].frequency, 1e-7 * e.frequency) << entry.kind;
        }
        all += found.size();
    });
    EXPECT_GE(all, 10u);  // all but Coulomb and Dahl have a falling steady curve
}

}  // namespace
}  // namespace bristle::analysis
