// Equilibria and their eigenvalues. Oracles: closed formulas, and Newton's method from a disturbed start.
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <cmath>

#include "../../simulate/cases.hpp"
#include "analyse/equilibrium/equilibrium_system.hpp"
#include "numerics/linear.hpp"
#include "equilibrium_support.hpp"

namespace bristle::inline analysis {
using namespace equilibrium;
namespace {

using test::forced, test::pulled;
using Complex = std::complex<double>;

std::vector<std::string> kinds() {
    std::vector<std::string> out;
    for_each_law([&](const auto& entry) { out.push_back(entry.kind); });
    return out;
}
bool sticks(std::string_view kind) {
    return kind != "stribeck_smooth" && kind != "makkar" && kind != "lugre_smooth" && kind != "lugre_makkar";
}
bool rigid(std::string_view kind) {
    return kind == "coulomb" || kind == "stribeck" || kind == "gear" || kind == "hysteretic";
}

// ---- sliding on a spring ------------------------------------------------------------------------------------------

// A08 (23), A08 (24), A08 (25) for the states; A08 (27) for the eigenvalues.
TEST(Equilibrium, OfLuGreOnASpringEqualsA08) {
    test::Random random(21);
    double worst = 0;
    for (long i = 0; i < test::draws(2000); ++i) {
        const test::RandomSpring r(random);
        const test::ByHand hand = r.by_hand();
        const Equilibrium e = main_equilibrium(r.setup());
        EXPECT_EQ(e.kind, EquilibriumKind::sliding);
        EXPECT_EQ(e.value("v"), r.v);
        EXPECT_NEAR(e.value("z"), double(hand.g() / hand.sigma0), 1e-14 * e.value("z"));
        EXPECT_NEAR(e.value("elongation"), double((hand.g() + hand.sigma2 * hand.v) / hand.k),
                    1e-14 * e.value("elongation"));
        // the coefficients from the eigenvalues (Vieta), each relative to the size of its terms
        ASSERT_EQ(e.eigenvalues.size(), 3u);
        const Complex s1 = e.eigenvalues[0], s2 = e.eigenvalues[1], s3 = e.eigenvalues[2];
        // rounding is that of the matrix: the terms of a1 can cancel, and those in sigma0 (1 - z h')/m too
        const double size = std::max({std::abs(s1), std::abs(s2), std::abs(s3), double(hand.h())});
        worst = std::max(
            {worst, std::abs(-(s1 + s2 + s3).real() - double(hand.a1())) / size,
             std::abs((s1 * s2 + s2 * s3 + s3 * s1).real() - double(hand.a2())) / (size * size + r.law.sigma0 / r.m),
             std::abs(-(s1 * s2 * s3).real() - double(hand.a3())) / (size * size * size)});
        const RouthHurwitz& rh = e.routh_hurwitz.value();
        const double h = double(hand.h()), m = r.m;
        EXPECT_NEAR(rh.a1, double(hand.a1()), 1e-13 * (h + std::abs(rh.a1) + r.law.sigma1 / m));
        EXPECT_NEAR(rh.a2, double(hand.a2()),
                    1e-13 * (r.k + h * (r.law.sigma2 + std::abs(double(hand.g_slope())))) / m);
        EXPECT_NEAR(rh.a3, double(hand.a3()), 1e-14 * rh.a3);
        EXPECT_NEAR(rh.approximation, double(hand.h() * hand.h() * hand.F_slope() / hand.m),
                    1e-13 * h * h * (r.law.sigma2 + std::abs(double(hand.g_slope()))) / m);
    }
    std::printf("coefficients from eigenvalues: worst %.1e\n", worst);
    EXPECT_LT(worst, 1e-13);
}

// All four conditions together agree with the eigenvalues; a1 a2 > a3 alone does not (erratum E4).
TEST(Equilibrium, RouthHurwitzAgreesWithTheEigenvalues) {
    test::Random random(22);
    long stable = 0, wrong = 0, near = 0;
    const long draws = test::draws(10000);
    for (long i = 0; i < draws; ++i) {
        const test::RandomSpring r(random);
        const Equilibrium e = main_equilibrium(r.setup());
        const RouthHurwitz& rh = e.routh_hurwitz.value();
        double size = 0;
        for (const Complex& s : e.eigenvalues) size = std::max(size, std::abs(s));
        if (std::abs(e.eigenvalues[0].real()) < 1e-11 * size) {
            ++near;  // within rounding of neutral
            continue;
        }
        ASSERT_EQ(rh.stable(), e.eigenvalues[0].real() < 0) << i;
        ASSERT_EQ(rh.stable(), e.stable()) << i;
        // relative to the size of all terms, because those of a1 and a2 can cancel
        const test::ByHand hand = r.by_hand();
        const auto g_slope = -hand.g_slope();
        const auto of_a1 = hand.h() + (hand.sigma1 * hand.v * g_slope / hand.g() + hand.sigma2) / hand.m;
        const auto of_a2 = (hand.k + hand.h() * (g_slope + hand.sigma2)) / hand.m;
        ASSERT_NEAR(rh.product, double(hand.product()), 1e-14 * double(of_a1 * of_a2)) << i;
        stable += rh.stable();
        wrong += rh.product > 0 && !rh.stable();
    }
    std::printf("%ld of %ld stable, %ld within rounding; a1 a2 > a3 alone is wrong %ld times\n", stable, draws, near,
                wrong);
    EXPECT_LT(near, draws / 100);
    EXPECT_GT(stable, draws / 10);
    EXPECT_LT(stable, draws * 9 / 10);
    EXPECT_GT(wrong, 0);
    // A08 soft set with vs = 0.001 as printed, vp = 0.002: a1, a2 < 0 although a1 a2 > a3 (erratum E4)
    LuGre printed = test::a08_soft;
    printed.curve.vs = 0.001;
    const RouthHurwitz rh = main_equilibrium(pulled(test::any(printed), 1, 2, 0.002)).routh_hurwitz.value();
    EXPECT_LT(rh.a1, 0);
    EXPECT_LT(rh.a2, 0);
    EXPECT_GT(rh.product, 0);
    EXPECT_FALSE(rh.stable());
}

// With a load in both conventions, a belt, negative velocity and two directions. Oracle: the eigenvalues are zeros of
// the
// polynomial.
TEST(Equilibrium, RouthHurwitzOfEveryLawLoadAndSideAgreesWithTheEigenvalues) {
    for (const std::string& kind : kinds())
        for (const LoadOn on : {LoadOn::curve, LoadOn::all})
            for (const double speed : {0.7e-3, -2e-3, 0.05})
                for (const bool belt : {false, true}) {
                    AnyLaw law = c95_law(kind);
                    std::visit([&](auto& l) { l.load_on = on; }, law);
                    if (auto* l = std::get_if<AnyLuGre>(&law)) {
                        l->curve.stribeck.directional = true;
                        l->curve.stribeck.negative = {.Fc = 0.8, .Fs = 1.1, .vs = 2e-3, .alpha = 1};
                        l->sigma2_negative = 0.1;
                    }
                    bristle::Setup s = pulled(law, 1.7, 30, speed);
                    if (belt) s.rig = Conveyor{1.7, 30, 9.81, speed, 0.3};
                    s.load = Input::constant(2.5);
                    const Equilibrium e = main_equilibrium(s);
                    EXPECT_EQ(e.kind, EquilibriumKind::sliding);
                    EXPECT_EQ(e.velocity, speed);
                    const bool has_states = !std::visit([]<class Law>(const Law&) { return StaticLaw<Law>; }, law);
                    ASSERT_EQ(e.routh_hurwitz.has_value(), has_states) << kind;
                    if (!has_states) {
                        ASSERT_EQ(e.eigenvalues.size(), 2u);
                        EXPECT_NEAR((e.eigenvalues[0] * e.eigenvalues[1]).real(), 30 / 1.7, 1e-12 * 30 / 1.7) << kind;
                        continue;
                    }
                    const RouthHurwitz& rh = *e.routh_hurwitz;
                    double size = 0;
                    for (const Complex& x : e.eigenvalues) size = std::max(size, std::abs(x));
                    for (const Complex& x : e.eigenvalues) {
                        // Maxwell-slip: three of the modes of its four elements decay with h and divide out
                        const Complex p = ((x + rh.a1) * x + rh.a2) * x + rh.a3;
                        const double h = rh.a3 * 1.7 / 30;
                        if (kind == "maxwell_slip" && std::abs(x + h) < 1e-9 * size) continue;
                        EXPECT_LT(std::abs(p), 1e-11 * size * size * size) << kind << ' ' << speed << ' ' << belt;
                    }
                    EXPECT_EQ(e.eigenvalues.size(), kind == "maxwell_slip" ? 6u : 3u);
                    EXPECT_EQ(rh.stable(), e.stable()) << kind << ' ' << speed;
                }
}

// Every law on every rig. Newton's method starts 2 % away.
TEST(Equilibrium, OfEveryLawAndRigIsTheRootOfNewtonsMethod) {
    int roots = 0;
    for (const std::string& kind : kinds())
        for (auto& [name, setup] : rigs(c95_law(kind))) {
            if (std::holds_alternative<Prescribed>(setup.rig)) continue;
            bristle::Setup s = setup;
            s.input = Input::constant(1.7);  // more than the contact holds
            for (const Equilibrium& e : equilibria(s)) {
                if (e.kind == EquilibriumKind::stuck) continue;
                const EquilibriumSystem eq(s);
                const auto active = eq.active();
                const std::size_t n = e.states.size(), m = active.size();
                std::vector<double> y, f(n), J(n * n);
                for (const StateValue& x : e.states) y.push_back(x.value);
                const double side = e.velocity < 0 ? -1 : 1;
                for (const std::size_t i : active) y[i] += 0.02 * (y[i] != 0 ? std::abs(y[i]) : 1e-5);
                double step = HUGE_VAL;
                for (int k = 0; k < 30 && step > 1e-13; ++k) {
                    eq.rates(y, side, f, J);
                    std::vector<double> residual;
                    for (const std::size_t i : active) residual.push_back(-f[i]);
                    const auto change = numerics::solve(active_part(J, n, active), residual);
                    ASSERT_EQ(change.size(), m) << kind << ' ' << name;
                    step = 0;
                    for (std::size_t i = 0; i < m; ++i) {
                        y[active[i]] += change[i];
                        step = std::max(step, std::abs(change[i]) / (std::abs(y[active[i]]) + 1e-9));
                    }
                }
                for (const std::size_t i : active)
                    EXPECT_NEAR(y[i], e.states[i].value, 1e-11 * std::abs(y[i]) + 1e-14)
                        << kind << ' ' << name << ' ' << e.states[i].name;
                ++roots;
            }
        }
    EXPECT_GT(roots, 12 * 3);
}

// jacobian() avoids the cancellation of 1 - z h'. Oracle: rates(). Tolerance: rounding of 1 and z h'.
TEST(Equilibrium, JacobianWithoutCancellationEqualsThatOfTheLaw) {
    for (const std::string& kind : kinds())
        for (auto& [name, setup] : rigs(c95_law(kind))) {
            if (std::holds_alternative<Prescribed>(setup.rig)) continue;
            bristle::Setup s = setup;
            s.input = Input::constant(1.7);
            s.load = Input::constant(1.3);
            for (const Equilibrium& e : equilibria(s)) {
                if (e.kind == EquilibriumKind::stuck) continue;
                const EquilibriumSystem eq(s);
                std::vector<double> y, f(e.states.size()), J(f.size() * f.size());
                for (const StateValue& x : e.states) y.push_back(x.value);
                const double side = e.velocity < 0 ? -1 : 1;
                eq.rates(y, side, f, J);
                const auto sharp = eq.jacobian(y, e.velocity, side);
                for (std::size_t i = 0; i < J.size(); ++i)
                    EXPECT_NEAR(J[i], sharp[i], 1e-13 * (1 + std::abs(J[i]) + 400)) << kind << ' ' << name << ' ' << i;
            }
        }
}

// ---- a constant force ---------------------------------------------------------------------------------------------

// C95 under 1.2 N, between the minimum of F_ss and Fs: stuck, sliding on the falling part (unstable), sliding on the
// rising part.
TEST(Equilibrium, UnderAForceBetweenTheMinimumAndFsThereAreThree) {
    const AnyLaw law = test::any(test::c95);
    const auto all = equilibria(forced(law, 1, 1.2));
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].kind, EquilibriumKind::stuck);
    EXPECT_TRUE(all[0].stable());
    EXPECT_NEAR(all[0].value("z"), 1.2e-5, 1e-20);
    EXPECT_EQ(all[1].kind, EquilibriumKind::sliding);
    EXPECT_EQ(all[1].stability, Stability::unstable);
    EXPECT_TRUE(all[2].stable());
    // F_ss(v) = 1.2 N by hand: on the falling part e^(-(v/vs)^2) = (0.2 - 0.4 v)/0.5, iterated; on the rising one g = Fc
    double v = 1e-3;
    for (int i = 0; i < 100; ++i) v = 1e-3 * std::sqrt(std::log(0.5 / (0.2 - 0.4 * v)));
    EXPECT_NEAR(all[1].velocity, v, 1e-14);
    EXPECT_NEAR(all[2].velocity, 0.2 / 0.4, 1e-14);
    // with the bristle in steady state the speed decays with sigma2/m
    EXPECT_NEAR(all[2].eigenvalues[0].real(), -0.4, 1e-12);
    EXPECT_EQ(main_equilibrium(forced(law, 1, 1.2)).kind, EquilibriumKind::stuck);
    const auto above = equilibria(forced(law, 1, -1.6));
    ASSERT_EQ(above.size(), 1u);
    EXPECT_NEAR(above[0].velocity, -0.6 / 0.4, 1e-14);
    // two directions: each side has its own terminal speed
    AnyLuGre sided = test::any(test::c95);
    sided.sigma2 = 0;
    EXPECT_NEAR(main_equilibrium(forced(sided, 1, -1.6)).velocity, -0.6 / 0.4, 1e-14);
    EXPECT_TRUE(equilibria(forced(sided, 1, 1.6)).empty());
    // A08 (13): at r = F/Fs = 0.8 there are two frequencies
    const double r = 0.8;
    const Complex up = all[0].eigenvalues[0], down = all[0].eigenvalues_negative[0];
    EXPECT_NEAR(std::norm(up), (1 - r) * 1e5, 1e-9 * 1e5);
    EXPECT_NEAR(-2 * up.real(), (1 - r) * std::sqrt(1e5) + 0.4, 1e-9);
    EXPECT_NEAR(std::norm(down), (1 + r) * 1e5, 1e-9 * 1e5);
    EXPECT_NEAR(-2 * down.real(), (1 + r) * std::sqrt(1e5) + 0.4, 1e-9);
    // damping and frequency are those of the least damped oscillation
    EXPECT_NEAR(all[0].damping, ((1 - r) * std::sqrt(1e5) + 0.4) / (2 * std::sqrt((1 - r) * 1e5)), 1e-12);
    EXPECT_EQ(all[0].frequency, up.imag());
}

// A small sigma2 makes the last equilibrium fast and leaves the others: e^(-(v/vs)^alpha) = (F - Fc - sigma2 v)/(Fs -
// Fc).
TEST(Equilibrium, AllAreFoundForVerySmallSigma2) {
    for (const double sigma2 : {1e-6, 1e-9, 1e-12, 1e-15, 1e-30, 0.0})
        for (const double alpha : {0.5, 2.0}) {
            LuGre law = test::c95;
            law.sigma2 = sigma2;
            law.curve.alpha = alpha;
            const auto all = equilibria(forced(test::any(law), 1, 1.2));
            ASSERT_EQ(all.size(), sigma2 > 0 ? 3u : 2u) << sigma2;
            // sigma2 v <= 1e-9 N moves the closed form by less than 1e-8 of it
            const double v = 1e-3 * std::pow(std::log(0.5 / 0.2), 1 / alpha);
            EXPECT_NEAR(all[1].velocity, v, (sigma2 > 1e-9 ? 1e-7 : 1e-10) * v) << sigma2;
            EXPECT_EQ(all[1].stability, Stability::unstable);
            if (sigma2 > 0) {
                EXPECT_NEAR(all[2].velocity, 0.2 / sigma2, 1e-12 * all[2].velocity);
            }
        }
}

TEST(Equilibrium, OfASmoothLawUnderAForceIsCreep) {
    const SmoothFriction law{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e7}};
    const Equilibrium e = main_equilibrium(forced(law, 1, 0.6));  // K08 after (44): atanh(F/Fs)/c, far below vs
    EXPECT_EQ(e.kind, EquilibriumKind::sliding);
    EXPECT_NEAR(e.velocity, std::atanh(0.6 / 1.5) / 1e7, 1e-8 * e.velocity);
    EXPECT_TRUE(e.stable());
    EXPECT_EQ(main_equilibrium(forced(law, 1, 0)).kind, EquilibriumKind::rest);
    EXPECT_THROW(main_equilibrium(forced(law, 1, 2)), Error);  // without viscous friction the speed grows without bound
    EXPECT_TRUE(equilibria(forced(law, 1, 2)).empty());
}

// ---- at rest ------------------------------------------------------------------------------------------------------

// m s^3 + (Kv + sigma1 + sigma2) s^2 + (Kp + sigma0) s + Ki: the bristle is one more spring and damper in the loop.
TEST(Equilibrium, OfAPidLoopHasTheEigenvaluesOfServoAndBristle) {
    bristle::Setup s;
    s.law = test::any(test::c95);
    s.rig = PidServo{1, 6, 3, 4, 1};
    const Equilibrium e = main_equilibrium(s);
    EXPECT_EQ(e.kind, EquilibriumKind::stuck);
    EXPECT_EQ(e.value("x"), 1);
    EXPECT_EQ(e.value("integral"), 0);
    EXPECT_EQ(e.set_low, -1.5);
    EXPECT_EQ(e.set_high, 1.5);
    ASSERT_TRUE(e.range);
    EXPECT_EQ(e.states[e.range->state].name, "integral");
    EXPECT_EQ(e.range->low, -0.375);
    EXPECT_EQ(e.range->high, 0.375);
    EXPECT_TRUE(e.stable());
    ASSERT_EQ(e.eigenvalues.size(), 3u);
    const double b = 6 + std::sqrt(1e5) + 0.4, c = 3 + 1e5, d = 4;
    for (const auto* side : {&e.eigenvalues, &e.eigenvalues_negative})
        for (const Complex& x : *side) {
            const Complex p = ((x + b) * x + c) * x + d;
            EXPECT_LT(std::abs(p), 1e-10 * (std::abs(x * x * x) + c * std::abs(x) + d));
        }
    s.law = c95_law("stribeck");
    EXPECT_EQ(main_equilibrium(s).stability, Stability::undecided);
    s.rig = PidServo{1, 6, 3, 0, 1};
    EXPECT_EQ(main_equilibrium(s).stability, Stability::stable);
    const Equilibrium::Range range = main_equilibrium(s).range.value();
    EXPECT_EQ(range.state, 0u);
    EXPECT_DOUBLE_EQ(range.low, 0.5);
    EXPECT_DOUBLE_EQ(range.high, 1.5);
    s.law = c95_law("makkar");
    EXPECT_EQ(main_equilibrium(s).kind, EquilibriumKind::rest);
    EXPECT_TRUE(main_equilibrium(s).stable());
}

TEST(Equilibrium, OfAPendulumIsHangingAndUpright) {
    bristle::Setup s;
    s.law = c95_law("makkar");
    s.rig = Pendulum{2, 0.5, 9.81, 0.1};
    auto all = equilibria(s);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].value("theta"), 0);
    EXPECT_NEAR(all[1].value("theta"), M_PI, 1e-15);
    // s^2 + (radius^2 F'(0)/(m L^2)) s +- g/L, F'(0) = g1 (g2 - g3) + g4 g5 + g6
    const double b = 0.01 * (0.7 * 1.9e3 + 2e3 + 0.4) / (2 * 0.25);
    for (const int i : {0, 1})
        for (const Complex& x : all[std::size_t(i)].eigenvalues)
            EXPECT_LT(std::abs(x * x + b * x + (i == 0 ? 1 : -1) * 9.81 / 0.5), 1e-11 * b * b);
    EXPECT_TRUE(all[0].stable());
    EXPECT_EQ(all[1].stability, Stability::unstable);
    // a bristle in the joint holds it upright if sigma0 radius^2 > m g L: 1000 against 9.81 N m
    s.law = test::any(test::c95);
    all = equilibria(s);
    EXPECT_EQ(all[1].kind, EquilibriumKind::stuck);
    EXPECT_TRUE(all[1].stable());
    EXPECT_NEAR(std::norm(all[1].eigenvalues[0]), (1e5 * 0.01 - 2 * 9.81 * 0.5) / 0.5, 1e-8);
    s.law = Dahl{.sigma0 = 900, .Fc = 1};  // 9 N m/rad < 9.81 N m/rad
    EXPECT_EQ(equilibria(s)[1].stability, Stability::unstable);
    EXPECT_EQ(equilibria(s)[0].stability, Stability::neutral);  // without damping
    // the set extends to asin(radius Fs/(m g L)), and to infinity if friction exceeds the weight
    const Equilibrium::Range small = equilibria(s)[0].range.value();
    EXPECT_NEAR(small.low, -std::asin(0.1 / 9.81), 1e-15);
    EXPECT_NEAR(small.high, std::asin(0.1 / 9.81), 1e-15);
    s.law = Dahl{.sigma0 = 900, .Fc = 100};
    const Equilibrium::Range all_angles = equilibria(s)[0].range.value();
    EXPECT_EQ(all_angles.low, -HUGE_VAL);
    EXPECT_EQ(all_angles.high, HUGE_VAL);
}

// Oracle: l = (Fc + sigma2 vp)/k, frequency sqrt(k/m), damping ratio sigma2/(2 sqrt(k m)). Tolerance: rounding.
TEST(Equilibrium, OfMethodHybridIsTheNeutralCentreOfItsCircles) {
    AnyCoulomb law;
    law.curve.positive = {.Fc = 2.94, .Fs = 5.88};
    test::set_viscous(law, 0);
    bristle::Setup s = pulled(law, 1, 2, 2);
    s.run.method = Method::hybrid;
    const Equilibrium e = main_equilibrium(s);
    EXPECT_EQ(e.value("elongation"), 1.47);  // lc, A08 fig S2
    EXPECT_EQ(e.value("v"), 2);
    EXPECT_EQ(e.stability, Stability::neutral);
    EXPECT_EQ(e.frequency, std::sqrt(2.0));
    test::set_viscous(law, 0.5);
    s.law = law;
    const Equilibrium damped = main_equilibrium(s);
    EXPECT_TRUE(damped.stable());
    EXPECT_NEAR(damped.damping, 0.5 / (2 * std::sqrt(2.0)), 1e-15);
    EXPECT_NEAR(damped.value("elongation"), (2.94 + 1) / 2, 1e-15);
}

// A spring whose end is at rest: a set from -Fs to Fs for a law that sticks, one point for the others. Fs is the level of the
// curve at rest: 1 N for dahl, 1.5 N for the other laws of the papers. Neutral if nothing damps the bristle at rest.
TEST(Equilibrium, OfASpringAtRestIsStuckForEachLawThatSticks) {
    for (const std::string& kind : kinds()) {
        const AnyLaw law = c95_law(kind);
        const Equilibrium e = main_equilibrium(pulled(law, 1, 2, 0));
        EXPECT_EQ(e.kind, sticks(kind) ? EquilibriumKind::stuck : EquilibriumKind::rest) << kind;
        EXPECT_EQ(e.eigenvalues.empty(), rigid(kind)) << kind;
        if (sticks(kind)) {
            const double Fs = std::visit(
                [](const auto& l) -> double {
                    const auto& curve = curve_under(l, 1.0);
                    if constexpr (std::remove_cvref_t<decltype(curve)>::sticks) return curve.static_level(1);
                    return 0;
                },
                law);
            EXPECT_EQ(e.set_high, Fs) << kind;
            EXPECT_EQ(e.set_low, -Fs) << kind;
        }
        const bool damped = std::visit([](const auto& l) { return stick_damping(l) > 0; }, law);
        EXPECT_EQ(e.stability, damped ? Stability::stable : Stability::neutral) << kind;
    }
}

TEST(Equilibrium, ThrowsForPrescribedMotionAndTimeDependentForceOrLoad) {
    const AnyLaw law = test::any(test::c95);
    const auto reason = [](const bristle::Setup& setup) -> std::string {
        try {
            main_equilibrium(setup);
        } catch (const EquilibriumError& none) {
            return name_of(none.reason);
        }
        return "";
    };
    bristle::Setup s = forced(law, 1, 0);
    s.rig = Prescribed{};
    EXPECT_EQ(reason(s), "prescribed_motion");
    s = forced(law, 1, 0);
    s.input = Input::sine(0, 1, 1, 0);
    EXPECT_EQ(reason(s), "varying_input");
    s.input = Input::steps({{1, 5}});  // 0 before 1 s
    EXPECT_EQ(reason(s), "varying_input");
    s = pulled(law, 1, 2, 1);
    s.load = Input::ramps({{0, 1}, {1, 2}});
    EXPECT_EQ(reason(s), "varying_load");
    EXPECT_EQ(reason(forced(Dahl{.sigma0 = 100, .Fc = 1}, 1, 2)), "force_exceeds_friction");
    s.load = Input::constant(0);
    EXPECT_THROW(equilibria(s), Error);
    EXPECT_TRUE(std::isnan(main_equilibrium(pulled(law, 1, 2, 1)).value("theta")));
}

}  // namespace
}  // namespace bristle::analysis
