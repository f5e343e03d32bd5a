// Critical values along branches and in planes, against roots of the polynomial worked by hand.
#include <bristle/simulate/error.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "equilibrium_support.hpp"
#include "simulate/cases.hpp"

namespace bristle::analyse {
namespace {

using namespace simulate;
using test::forced, test::pulled, test::ByHand;

// All zeros of f on a window, by a scan even in the logarithm and bisection.
template <class F>
std::vector<double> zeros(const F& f, double from, double to, int parts) {
    std::vector<double> out;
    const long double factor = std::pow(static_cast<long double>(to) / from, 1.0L / parts);
    long double a = from;
    bool under = f(a) < 0;
    for (int i = 0; i < parts; ++i) {
        long double low = a, high = a * factor;
        a = high;
        const bool below = under, above = f(high) < 0;
        under = above;
        if (below == above) continue;
        for (int k = 0; k < 80; ++k) {
            const long double middle = 0.5L * (low + high);
            ((f(middle) < 0) == below ? low : high) = middle;
        }
        out.push_back(double(low));
    }
    return out;
}
std::vector<CriticalPoint> of_kind(const Branch& b, std::string_view kind) {
    std::vector<CriticalPoint> out;
    for (const CriticalPoint& c : b.critical)
        if (c.kind == kind) out.push_back(c);
    std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.value < y.value; });
    return out;
}
LuGre soft(double sigma2) {
    LuGre law = test::a08_soft;
    law.sigma2 = law.sigma2_negative = sigma2;
    return law;
}

// ---- one parameter ---------------------------------------------------------------------------------------------------

// science.md section 7: vp = 1.0e-4 and 0.49906 m/s.
TEST(Hopf, TheSoftSetHasTwoCriticalSpeeds) {
    const Branch branch =
        continue_equilibrium([](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); }, 1e-5, 5, 2);
    const auto by_hand = [](long double v) {
        ByHand h(soft(0.2), 1, 2, 1);
        h.v = v;
        return h.product();
    };
    const auto expected = zeros(by_hand, 1e-5, 5, 5000);
    ASSERT_EQ(expected.size(), 2u);
    EXPECT_NEAR(expected[0], 1.0e-4, 0.05e-4);
    EXPECT_NEAR(expected[1], 0.49906, 0.00001);
    const auto found = of_kind(branch, "hopf");
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
        const ByHand h(soft(0.2), 1, 2, p.parameter);  // the branch that Newton walked is the closed form
        EXPECT_NEAR(p.states[0], double((h.g() + h.sigma2 * h.v) / h.k), 1e-10 * p.states[0]);
        EXPECT_NEAR(p.states[2], double(h.g() / h.sigma0), 1e-10 * p.states[2]);
        EXPECT_NEAR(p.velocity, p.parameter, 1e-12 * p.parameter);
    }
    EXPECT_EQ(branch.points.front().parameter, 1e-5);
    EXPECT_EQ(branch.points.back().parameter, 5);
    EXPECT_EQ(branch.begins, "left the window");
    EXPECT_EQ(branch.ends, "left the window");
    EXPECT_EQ(branch.states[0].name, "elongation");
}

TEST(Hopf, IsMirroredForMotionTheOtherWay) {
    const auto family = [](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); };
    const Branch right = continue_equilibrium(family, 0.1, 5, 2), left = continue_equilibrium(family, -5, -0.1, -2);
    ASSERT_EQ(left.critical.size(), 1u);
    ASSERT_EQ(right.critical.size(), 1u);
    EXPECT_NEAR(left.critical[0].value, -right.critical[0].value, 1e-12);
    EXPECT_NEAR(left.critical[0].states[2], -right.critical[0].states[2], 1e-15);
}

// Where the two speeds are about to meet they lie within one step of the walk, and are found all the same.
TEST(Hopf, TwoThatNearlyMeetAreBothFound) {
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
        continue_equilibrium([&](double v) { return pulled(test::any(soft(top * (1 - 1e-5))), 1, 2, v); }, 1e-5, 5, 1);
    const auto found = of_kind(branch, "hopf");
    ASSERT_EQ(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found[i].value, expected[i], 1e-9 * expected[i]);
    int inside = 0;  // no point of the branch lies between them: they were found inside a step
    for (const BranchPoint& p : branch.points) inside += p.parameter > expected[0] && p.parameter < expected[1];
    std::printf("sigma2 = %.6f: %.6g and %.6g m/s, %d points between\n", top, expected[0], expected[1], inside);
    EXPECT_EQ(inside, 0);
}

TEST(Hopf, CriticalStiffnessIsClosedForm) {
    // a1 a2 - a3 is straight in k: (D (k + h F') + h^2 F')/m with D = (sigma1 v g'/g + sigma2)/m
    const ByHand h(soft(0.2), 3, 1, 0.6);
    const long double D = h.a1() - h.h(), k = -(h.h() * h.h() * h.F_slope() / D + h.h() * h.F_slope());
    ASSERT_GT(k, 0);
    const Branch branch =
        continue_equilibrium([](double x) { return pulled(test::any(soft(0.2)), 3, x, 0.6); }, 1, 1e7, 2);
    const auto found = of_kind(branch, "hopf");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].value, double(k), 1e-9 * double(k));
    EXPECT_EQ(branch.points.front().stability,
              Stability::stable);  // a soft spring pulls steadily, a stiff one does not
    EXPECT_EQ(branch.points.back().stability, Stability::unstable);
}

TEST(Hopf, CriticalDampingFromZeroOn) {
    const Branch branch =
        continue_equilibrium([](double s) { return pulled(test::any(soft(s)), 1, 2, 0.2); }, 0, 10, 0.2);
    const auto by_hand = [](long double s) {
        ByHand h(soft(0), 1, 2, 0.2);
        h.sigma2 = s;
        return h.product();
    };
    const auto expected = zeros(by_hand, 1e-4, 10, 3000), no_more = zeros(by_hand, 1e-9, 1e-4, 100);
    ASSERT_EQ(expected.size(), 1u);
    EXPECT_TRUE(no_more.empty());
    const auto found = of_kind(branch, "hopf");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].value, expected[0], 1e-11 * expected[0]);
    EXPECT_EQ(branch.points.front().parameter, 0);
    EXPECT_EQ(branch.points.back().parameter, 10);
}

// Random sets over four decades of speed: as many Hopf points as the polynomial has, each to 1e-9.
TEST(Hopf, AllCriticalSpeedsOfRandomSets) {
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
            of_kind(continue_equilibrium([&](double v) { return pulled(test::any(r.law), r.m, r.k, v); }, from, to, vs),
                    "hopf");
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
TEST(Hopf, OfMaxwellSlip) {
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
    const auto found =
        of_kind(continue_equilibrium([&](double v) { return pulled(law, 1, 50, v); }, 1e-5, 1, 0.01), "hopf");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].value, expected[i], 1e-10 * expected[i]);
}

// A mass under a force: the sliding branch turns where F_ss is lowest, and once more at 0.4 um/s, where sigma2 v has still to give way to
// the falling curve; it ends at rest where the force is Fs.
TEST(Fold, OfAMassUnderAConstantForce) {
    const Branch branch = continue_equilibrium([](double u) { return forced(test::any(test::c95), 1, u); }, 0.1, 3, 2);
    const auto slope = [](long double v) {
        ByHand h(test::c95, 1, 1, 1);
        h.v = v;
        return h.F_slope();
    };
    const auto expected = zeros(slope, 1e-9, 1e-1, 4000);
    ASSERT_EQ(expected.size(), 2u);
    const auto folds = of_kind(branch, "fold");
    ASSERT_EQ(branch.critical.size(), 2u);
    ASSERT_EQ(folds.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const ByHand h(test::c95, 1, 1, expected[1 - i]);
        EXPECT_NEAR(folds[i].value, double(h.g() + h.sigma2 * h.v), 1e-12);
        EXPECT_NEAR(folds[i].states[1], expected[1 - i], i == 0 ? 1e-8 * expected[1] : 1e-3 * expected[0]);
    }
    EXPECT_EQ(branch.ends, "left the window");
    EXPECT_EQ(branch.begins, "nothing beyond");
    EXPECT_NEAR(branch.points.front().parameter, 1.5, 1e-6);
    EXPECT_GT(branch.points.front().velocity, 0);  // still sliding: not the held ones that begin there
    for (const BranchPoint& p : branch.points) {
        const bool falling = p.velocity > expected[0] && p.velocity < expected[1];
        EXPECT_EQ(p.stability, falling ? Stability::unstable : Stability::stable) << p.velocity;
        const ByHand h(test::c95, 1, 1, p.velocity);
        EXPECT_NEAR(p.parameter, double(h.g() + h.sigma2 * h.v), 1e-12);
    }
    // the falling part is found from its own start too, and the held one ends at Fs
    const auto family = [](double u) { return forced(test::any(test::c95), 1, u); };
    EXPECT_EQ(continue_equilibrium(family, 0.1, 3, 1.2, 1).critical.size(), 2u);
    const Branch held = continue_equilibrium(family, 0.1, 3, 1.2);
    EXPECT_EQ(held.kind, "stuck");
    EXPECT_EQ(held.ends, "nothing beyond");
    EXPECT_NEAR(held.points.back().parameter, 1.5, 1e-5);
    EXPECT_TRUE(held.critical.empty());
    EXPECT_THROW(continue_equilibrium(family, 0.1, 3, 1.2, 3), Error);
}

// At rest: m Ki = (Kv + sigma1 + sigma2)(Kp + sigma0).
TEST(Hopf, OfAPidLoopAtRest) {
    const auto family = [](double Ki) {
        simulate::Setup s;
        s.law = test::any(test::c95);
        s.type = RigType::pid_servo;
        s.rig = Rig::pid_servo(2, 6, 3, Ki, 1);
        return s;
    };
    const Branch branch = continue_equilibrium(family, 1, 1e9, 4);
    const auto found = of_kind(branch, "hopf");
    ASSERT_EQ(found.size(), 1u);
    const double expected = (6 + std::sqrt(1e5) + 0.4) * (3 + 1e5) / 2;
    EXPECT_NEAR(found[0].value, expected, 1e-9 * expected);
    EXPECT_NEAR(found[0].frequency, std::sqrt((3 + 1e5) / 2), 1e-6);
}

// A pendulum held upright by its bristles falls over where they are too soft: one real eigenvalue passes zero, sigma0 radius^2 = m g L.
TEST(Branch, ABristleTooSoftLetsAPendulumFall) {
    const Branch branch = continue_equilibrium(
        [](double sigma0) {
            simulate::Setup s;
            LuGre law = test::c95;
            law.sigma0 = sigma0;
            s.law = test::any(law);
            s.type = RigType::pendulum;
            s.rig = Rig::pendulum(2, 0.5, 9.81, 0.1);
            return s;
        },
        100, 1e5, 1e4, 1);
    ASSERT_EQ(branch.critical.size(), 1u);
    EXPECT_EQ(branch.critical[0].kind, "real");
    EXPECT_EQ(branch.critical[0].frequency, 0);
    EXPECT_NEAR(branch.critical[0].value, 981, 1e-9 * 981);
    EXPECT_NEAR(branch.critical[0].states[0], M_PI, 1e-15);
    EXPECT_EQ(branch.points.front().stability, Stability::unstable);
    EXPECT_EQ(branch.points.back().stability, Stability::stable);
}

TEST(Branch, NeutralMotionIsNoCrossing) {
    const Branch dahl =
        continue_equilibrium([](double v) { return pulled(Dahl{.sigma0 = 100, .Fc = 1}, 1, 2, v); }, 0.01, 10, 1);
    EXPECT_TRUE(dahl.critical.empty());
    for (const BranchPoint& p : dahl.points) EXPECT_EQ(p.stability, Stability::neutral) << p.parameter;
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 2};
    test::set_viscous(coulomb, 0);
    EXPECT_TRUE(continue_equilibrium([&](double v) { return pulled(coulomb, 1, 2, v); }, 0.01, 10, 1).critical.empty());
}

TEST(Branch, EndsWhereTheContactComesToRestOrARuleBreaks) {
    const auto family = [](double v) { return pulled(test::any(soft(0.2)), 1, 2, v); };
    const Branch down = continue_equilibrium(family, -1, 1, 0.7);
    EXPECT_EQ(down.begins, "nothing beyond");
    EXPECT_GT(down.points.front().parameter, 0);
    EXPECT_LT(down.points.front().parameter, 1e-5);
    const auto ruled = [&](double v) {
        if (v > 0.8) throw Error("too fast");
        return family(v);
    };
    const Branch cut = continue_equilibrium(ruled, 0.1, 1, 0.7);
    EXPECT_EQ(cut.ends, "nothing beyond");
    EXPECT_NEAR(cut.points.back().parameter, 0.8, 1e-5);
    // a start on the edge goes the one way that is left
    const Branch edge = continue_equilibrium(family, 0.4, 0.9, 0.9);
    EXPECT_EQ(edge.points.back().parameter, 0.9);
    EXPECT_EQ(edge.points.front().parameter, 0.4);
    EXPECT_EQ(edge.critical.size(), 1u);
    EXPECT_THROW(continue_equilibrium(family, 0.1, 1, 2), Error);
    EXPECT_THROW(continue_equilibrium(family, 1, 1, 1), Error);
    // a smooth law goes through rest
    const Branch smooth = continue_equilibrium([](double v) { return pulled(c95_law("makkar"), 1, 2, v); }, -1, 1, 0.7);
    EXPECT_EQ(smooth.points.front().parameter, -1);
    EXPECT_EQ(smooth.points.back().parameter, 1);
}

// Every law has its branch, and what is critical on it is where the eigenvalues of equilibrium_of change sides.
TEST(Branch, OfEveryLawAgreesWithItsEquilibria) {
    std::size_t all = 0;
    for_each_law([&](const auto& entry) {
        const AnyLaw law = c95_law(entry.kind);
        const auto family = [&](double v) { return pulled(law, 1, 100, v); };
        const Branch branch = continue_equilibrium(family, 1e-4, 1, 0.1);
        std::vector<double> changes;  // by a scan of its own
        bool before = equilibrium_of(family(1e-4)).stable();
        for (int i = 1; i <= 2000; ++i) {
            const double v = 1e-4 * std::pow(1e4, i / 2000.0);
            const bool now = equilibrium_of(family(v)).stable();
            if (now != before) changes.push_back(v);
            before = now;
        }
        const auto found = of_kind(branch, "hopf");
        ASSERT_EQ(found.size(), changes.size()) << entry.kind;
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_LE(found[i].value, changes[i]) << entry.kind;
            EXPECT_GE(found[i].value, changes[i] / std::pow(1e4, 1 / 2000.0)) << entry.kind;
            const Equilibrium e = equilibrium_of(family(found[i].value));
            EXPECT_LT(std::abs(e.damping), 1e-9) << entry.kind;
            EXPECT_NEAR(e.frequency, found[i].frequency, 1e-7 * e.frequency) << entry.kind;
        }
        all += found.size();
    });
    EXPECT_GE(all, 10u);  // all but Coulomb and Dahl have a falling steady curve
}

// ---- two parameters --------------------------------------------------------------------------------------------------

TEST(HopfCurve, OfTheSoftSetLiesOnThePolynomial) {
    const auto begin = std::chrono::steady_clock::now();
    const auto curves = hopf_curves([](double v, double s) { return pulled(test::any(soft(s)), 1, 2, v); }, {1e-5, 5},
                                    {0, 5}, {0.3, 0.2});
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_EQ(curves.size(), 2u);  // the two speeds of science.md section 7 are on different ones
    std::size_t points = 0;
    double worst = 0;
    for (const HopfCurve& curve : curves) {
        EXPECT_GE(curve.points.size(), 20u);
        points += curve.points.size();
        EXPECT_EQ(curve.begins, "left the window");
        EXPECT_EQ(curve.ends, "left the window");
        for (const HopfPoint& p : curve.points) {
            // how far the root by hand is, along either axis of the window, by a Newton step on the polynomial
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
    ASSERT_EQ(curves.size(), 1u);  // though both lines through the start meet it
    for (const HopfPoint& p : curves[0].points) {
        const ByHand h(law, 1, 1, p.first);
        const long double D = h.a1() - h.h(), k = -(h.h() * h.h() * h.F_slope() / D + h.h() * h.F_slope());
        EXPECT_NEAR(p.second, double(k), 1e-8 * double(k)) << p.first;
    }
}

TEST(HopfCurve, OfAPidLoopIsAStraightLine) {
    const auto curves = hopf_curves(
        [](double Ki, double Kp) {
            simulate::Setup s;
            s.law = test::any(test::c95);
            s.type = RigType::pid_servo;
            s.rig = Rig::pid_servo(2, 6, Kp, Ki, 1);
            return s;
        },
        {1e7, 9e7}, {0, 4e5}, {2e7, 1e5});
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_GE(curves[0].points.size(), 20u);
    for (const HopfPoint& p : curves[0].points)
        EXPECT_NEAR(p.first, (6 + std::sqrt(1e5) + 0.4) * (p.second + 1e5) / 2, 1e-9 * p.first);
}

TEST(HopfCurve, NoneAndBadWindowsAreTold) {
    const auto family = [](double v, double s) { return pulled(test::any(soft(s)), 1, 2, v); };
    EXPECT_TRUE(hopf_curves(family, {3, 5}, {1, 2}, {4, 1.5}).empty());
    EXPECT_THROW(hopf_curves(family, {5, 3}, {1, 2}, {4, 1.5}), Error);
    EXPECT_THROW(hopf_curves(family, {3, 5}, {1, 2}, {6, 1.5}), Error);
    EXPECT_THROW(hopf_curves(family, {3, 5}, {1, 2}, {4, 1.5}, 1), Error);
}

}  // namespace
}  // namespace bristle::analyse
