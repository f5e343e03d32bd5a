// Hopf points along branches and in planes. Oracle: roots of a1 a2 - a3 of A08 (27) in long double.
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "equilibrium_support.hpp"

namespace bristle::inline analysis {
namespace {

using test::pulled, test::ByHand, test::zeros, test::of_kind, test::soft;

// ---- one parameter ------------------------------------------------------------------------------------------------

// Oracle: zeros of a1 a2 - a3 of A08 (27) over vp, in long double: 1.0e-4 and 0.49906 m/s.
TEST(Hopf, OfTheSoftSetIsAtTwoCriticalSpeeds) {
    const Branch branch =
        follow_equilibrium([](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); }, 1e-5, 5, 2);
    const auto by_hand = [](long double v) {
        ByHand h(soft(0.2), 1, 2, 1);
        h.v = v;
        return h.product();
    };
    const auto expected = zeros(by_hand, 1e-5, 5, 5000);
    ASSERT_EQ(expected.size(), 2u);
    EXPECT_NEAR(expected[0], 1.0e-4, 0.05e-4);
    EXPECT_NEAR(expected[1], 0.49906, 0.00001);
    const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(branch.critical.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        std::printf("vp = %.12g m/s, off by %.1e\n", found[i].value, found[i].value / expected[i] - 1);
        EXPECT_NEAR(found[i].value, expected[i], 1e-11 * expected[i]);
        // on the axis s = i w: w^2 = a2 = a3/a1
        const ByHand h(soft(0.2), 1, 2, expected[i]);
        EXPECT_NEAR(found[i].frequency, double(std::sqrt(h.a3() / h.a1())), 1e-9 * found[i].frequency);
        EXPECT_NEAR(found[i].states[1], expected[i], 1e-11 * expected[i]);
    }
    for (const BranchPoint& p : branch.points) {
        const bool between = p.parameter > expected[0] && p.parameter < expected[1];
        EXPECT_EQ(p.growing, between ? 2 : 0) << p.parameter;
        EXPECT_EQ(p.stability, between ? Stability::unstable : Stability::stable) << p.parameter;
        const ByHand h(soft(0.2), 1, 2, p.parameter);  // the followed branch is the closed form
        EXPECT_NEAR(p.states[0], double((h.g() + h.sigma2 * h.v) / h.k), 1e-10 * p.states[0]);
        EXPECT_NEAR(p.states[2], double(h.g() / h.sigma0), 1e-10 * p.states[2]);
        EXPECT_NEAR(p.velocity, p.parameter, 1e-12 * p.parameter);
    }
    EXPECT_EQ(branch.points.front().parameter, 1e-5);
    EXPECT_EQ(branch.points.back().parameter, 5);
    EXPECT_EQ(branch.first, BranchEnd::window);
    EXPECT_EQ(branch.last, BranchEnd::window);
    EXPECT_EQ(branch.states[0].name, "elongation");
}

// Oracle: the equations are odd, so speed and deflection change sign. Tolerance: rounding.
TEST(Hopf, IsMirroredForTheOppositeVelocity) {
    const auto family = [](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); };
    const Branch right = follow_equilibrium(family, 0.1, 5, 2), left = follow_equilibrium(family, -5, -0.1, -2);
    ASSERT_EQ(left.critical.size(), 1u);
    ASSERT_EQ(right.critical.size(), 1u);
    EXPECT_NEAR(left.critical[0].value, -right.critical[0].value, 1e-12);
    EXPECT_NEAR(left.critical[0].states[2], -right.critical[0].states[2], 1e-15);
}

// Two critical speeds within one step of the continuation.
TEST(Hopf, TwoPointsWithinOneStepAreBothFound) {
    // the largest sigma2 with a root: ternary search for the speed that needs most damping
    const auto needed = [](long double v) {  // the sigma2 at which a1 a2 = a3
        long double low = 0, high = 100;
        for (int i = 0; i < 90; ++i) {
            ByHand h(soft(0), 1, 2, 1);
            h.v = v;
            h.sigma2 = 0.5L * (low + high);
            (h.product() < 0 ? low : high) = h.sigma2;
        }
        return low;
    };
    long double low = std::log(1e-4L), high = std::log(1e-1L);
    for (int i = 0; i < 150; ++i) {
        const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        (needed(std::exp(a)) < needed(std::exp(b)) ? low : high) = needed(std::exp(a)) < needed(std::exp(b)) ? a : b;
    }
    const double top = double(needed(std::exp(low)));
    const auto by_hand = [&](long double v) {
        ByHand h(soft(top * (1 - 1e-5)), 1, 2, 1);
        h.v = v;
        return h.product();
    };
    const double at = double(std::exp(low));
    const auto expected = zeros(by_hand, 0.5 * at, 2 * at, 5000);
    ASSERT_EQ(expected.size(), 2u);
    const Branch branch =
        follow_equilibrium([&](double v) { return pulled(test::any(soft(top * (1 - 1e-5))), 1, 2, v); }, 1e-5, 5, 1);
    const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found[i].value, expected[i], 1e-9 * expected[i]);
    int inside = 0;  // no point of the branch lies between them: they were found inside a step
    for (const BranchPoint& p : branch.points) inside += p.parameter > expected[0] && p.parameter < expected[1];
    std::printf("sigma2 = %.6f: %.6g and %.6g m/s, %d points between\n", top, expected[0], expected[1], inside);
    EXPECT_EQ(inside, 0);
}

TEST(Hopf, InTheStiffnessEqualsTheClosedForm) {
    // a1 a2 - a3 is linear in k: (D (k + h F') + h^2 F')/m with D = (sigma1 v g'/g + sigma2)/m
    const ByHand h(soft(0.2), 3, 1, 0.6);
    const long double D = h.a1() - h.h(), k = -(h.h() * h.h() * h.F_slope() / D + h.h() * h.F_slope());
    ASSERT_GT(k, 0);
    const Branch branch =
        follow_equilibrium([](double x) { return pulled(test::any(soft(0.2)), 3, x, 0.6); }, 1, 1e7, 2);
    const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].value, double(k), 1e-9 * double(k));
    EXPECT_EQ(branch.points.front().stability,
              Stability::stable);  // stable with a soft spring, unstable with a stiff one
    EXPECT_EQ(branch.points.back().stability, Stability::unstable);
}

// Oracle: zero of a1 a2 - a3 of A08 (27) over sigma2, in long double.
TEST(Hopf, InSigma2FromZeroEqualsTheRootByHand) {
    const Branch branch =
        follow_equilibrium([](double s) { return pulled(test::any(soft(s)), 1, 2, 0.2); }, 0, 10, 0.2);
    const auto by_hand = [](long double s) {
        ByHand h(soft(0), 1, 2, 0.2);
        h.sigma2 = s;
        return h.product();
    };
    const auto expected = zeros(by_hand, 1e-4, 10, 3000), no_more = zeros(by_hand, 1e-9, 1e-4, 100);
    ASSERT_EQ(expected.size(), 1u);
    EXPECT_TRUE(no_more.empty());
    const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].value, expected[0], 1e-11 * expected[0]);
    EXPECT_EQ(branch.points.front().parameter, 0);
    EXPECT_EQ(branch.points.back().parameter, 10);
}

// Random sets over four decades of speed: as many Hopf points as the polynomial has, each to 1e-9.
TEST(Hopf, AllCriticalSpeedsOfRandomSetsAreFoundTo1e_10) {
    test::Random random(31);
    double worst = 0;
    int count[8] = {};
    const long draws = test::draws(200);
    for (long i = 0; i < draws; ++i) {
        test::RandomSpring r(random);
        r.law.sigma2 *= 0.1;
        const double vs = r.law.curve.vs, from = 1e-3 * vs, to = 30 * vs;
        const auto by_hand = [&](long double v) {
            ByHand h = r.by_hand();
            h.v = v;
            return h.product();
        };
        std::vector<double> expected;
        for (const double v : zeros(by_hand, from, to, 1000)) {
            ByHand h = r.by_hand();
            h.v = v;
            if (h.a1() > 0) expected.push_back(v);  // else a neutral saddle: two real eigenvalues of opposite sign
        }
        const auto found =
            of_kind(follow_equilibrium([&](double v) { return pulled(test::any(r.law), r.m, r.k, v); }, from, to, vs),
                    CriticalPoint::Kind::hopf);
        ASSERT_EQ(found.size(), expected.size()) << i;
        ++count[std::min(expected.size(), std::size_t(7))];
        for (std::size_t k = 0; k < found.size(); ++k)
            worst = std::max(worst, std::abs(found[k].value / expected[k] - 1));
    }
    std::printf("sets with 0, 1, 2, 3 .. Hopf points: %d %d %d %d %d; worst %.1e\n", count[0], count[1], count[2],
                count[3], count[4], worst);
    EXPECT_GT(count[2], draws / 5);
    EXPECT_LT(worst, 1e-10);
}

// Maxwell-slip: the polynomial with h = C/s and sigma1 = 0.
TEST(Hopf, OfMaxwellSlipEqualsTheRootByHand) {
    AnyMaxwellSlip law = test::maxwell_c95();
    law.C = 100;
    const auto by_hand = [&](long double v) {
        ByHand h(test::c95, 1, 50, 1);
        h.v = v;
        const long double decay = 100 / h.g();
        return (decay + h.sigma2) * (50 + decay * h.F_slope()) - 50 * decay;
    };
    const auto expected = zeros(by_hand, 1e-5, 1, 4000);
    ASSERT_FALSE(expected.empty());
    const auto found = of_kind(follow_equilibrium([&](double v) { return pulled(law, 1, 50, v); }, 1e-5, 1, 0.01),
                               CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].value, expected[i], 1e-10 * expected[i]);
}

// At rest: m Ki = (Kv + sigma1 + sigma2)(Kp + sigma0).
TEST(Hopf, OfAPidLoopAtRestEqualsRouthHurwitz) {
    const auto family = [](double Ki) {
        bristle::Setup s;
        s.law = test::any(test::c95);
        s.rig = PidServo{2, 6, 3, Ki, 1};
        return s;
    };
    const Branch branch = follow_equilibrium(family, 1, 1e9, 4);
    const auto found = of_kind(branch, CriticalPoint::Kind::hopf);
    ASSERT_EQ(found.size(), 1u);
    const double expected = (6 + std::sqrt(1e5) + 0.4) * (3 + 1e5) / 2;
    EXPECT_NEAR(found[0].value, expected, 1e-9 * expected);
    EXPECT_NEAR(found[0].frequency, std::sqrt((3 + 1e5) / 2), 1e-6);
}

// ---- two parameters -----------------------------------------------------------------------------------------------

TEST(HopfCurve, OfTheSoftSetLiesOnThePolynomial) {
    const auto begin = std::chrono::steady_clock::now();
    const auto curves = hopf_curves([](double v, double s) { return pulled(test::any(soft(s)), 1, 2, v); }, {1e-5, 5},
                                    {0, 5}, {0.3, 0.2});
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_EQ(curves.size(), 2u);  // 1.0e-4 and 0.49906 m/s (sigma2 = 0.2) lie on different curves
    std::size_t points = 0;
    double worst = 0;
    for (const HopfCurve& curve : curves) {
        EXPECT_GE(curve.points.size(), 20u);
        points += curve.points.size();
        EXPECT_EQ(curve.first, BranchEnd::window);
        EXPECT_EQ(curve.last, BranchEnd::window);
        for (const HopfPoint& p : curve.points) {
            // distance to the root by hand along either axis of the window, by a Newton step on the polynomial
            ByHand h(soft(p.second), 1, 2, p.first), faster = h, thicker = h;
            faster.v *= 1 + 1e-7L;
            thicker.sigma2 += 1e-7L;
            const long double at = h.product();
            const auto by_speed = at / ((faster.product() - at) / 1e-7L) / std::log(5e5L);
            const auto by_damping = at / ((thicker.product() - at) / 1e-7L) / 5;
            worst = std::max(worst, double(std::min(std::abs(by_speed), std::abs(by_damping))));
            EXPECT_NEAR(p.frequency, double(std::sqrt(h.a3() / h.a1())), 1e-6 * p.frequency);
        }
    }
    std::printf("%zu points in %.0f ms, worst %.1e\n", points, 1e3 * took, worst);
    EXPECT_LT(worst, 1e-10);
    EXPECT_LT(took, test::sanitized ? 20 : 1);
    // where they cross sigma2 = 0.2 they are the two speeds
    for (const HopfCurve& curve : curves) {
        bool crosses = false;
        for (std::size_t i = 0; i + 1 < curve.points.size(); ++i)
            crosses |= (curve.points[i].second - 0.2) * (curve.points[i + 1].second - 0.2) <= 0;
        EXPECT_TRUE(crosses);
    }
}

TEST(HopfCurve, OfSpeedAndStiffnessIsOneCurve) {
    const LuGre law = soft(0.2);
    const auto curves =
        hopf_curves([&](double v, double k) { return pulled(test::any(law), 1, k, v); }, {0.3, 2}, {1, 1e5}, {0.6, 2});
    ASSERT_EQ(curves.size(), 1u);  // although both lines through the start cross it
    for (const HopfPoint& p : curves[0].points) {
        const ByHand h(law, 1, 1, p.first);
        const long double D = h.a1() - h.h(), k = -(h.h() * h.h() * h.F_slope() / D + h.h() * h.F_slope());
        EXPECT_NEAR(p.second, double(k), 1e-8 * double(k)) << p.first;
    }
}

TEST(HopfCurve, OfAPidLoopIsAStraightLine) {
    const auto curves = hopf_curves(
        [](double Ki, double Kp) {
            bristle::Setup s;
            s.law = test::any(test::c95);
            s.rig = PidServo{2, 6, Kp, Ki, 1};
            return s;
        },
        {1e7, 9e7}, {0, 4e5}, {2e7, 1e5});
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_GE(curves[0].points.size(), 30u);  // across the window, in steps of a fortieth of it
    EXPECT_LE(curves[0].points.size(), 70u);
    for (const HopfPoint& p : curves[0].points)
        EXPECT_NEAR(p.first, (6 + std::sqrt(1e5) + 0.4) * (p.second + 1e5) / 2, 1e-9 * p.first);
}

TEST(HopfCurve, IsEmptyWithoutHopfPointsAndThrowsForBadWindows) {
    const auto family = [](double v, double s) { return pulled(test::any(soft(s)), 1, 2, v); };
    EXPECT_TRUE(hopf_curves(family, {3, 5}, {1, 2}, {4, 1.5}).empty());
    EXPECT_THROW(hopf_curves(family, {5, 3}, {1, 2}, {4, 1.5}), Error);
    EXPECT_THROW(hopf_curves(family, {3, 5}, {1, 2}, {6, 1.5}), Error);
    EXPECT_THROW(hopf_curves(family, {3, 5}, {1, 2}, {4, 1.5}, 1), Error);
    const auto given = [](double, double) {
        bristle::Setup s;
        s.law = test::any(test::c95);
        s.rig = Prescribed{};
        return s;
    };
    EXPECT_THROW(hopf_curves(given, {3, 5}, {1, 2}, {4, 1.5}), Error);
}

}  // namespace
}  // namespace bristle::analysis
