// Difficult set-ups: short slips, jumps of the load, branches that begin at dv/dt = 0, light masses, close corners.
#include <gtest/gtest.h>

#include "cases.hpp"

namespace bristle::inline simulation {
namespace {

long zeros(const Result& r) {
    return std::count_if(r.events.begin(), r.events.end(),
                         [](const Event& e) { return e.kind == Event::Kind::v_zero; });
}

TEST(HardCases, ShortSlipIsDetectedFromStick) {
    // the force exceeds Fs by 0.5 % around each of 40 peaks, and only there
    bristle::Setup s = coulomb(1, 1, ForcedMass{1}, 20);
    s.input = Input::sine(0, 1.005, 2 * M_PI, 0);
    const Result ours = simulate(with(s, Method::adaptive, 1e-6));
    EXPECT_EQ(zeros(ours), 40);
    EXPECT_EQ(zeros(simulate(with(s, Method::coupled, 1e-4))), 40);
    // a load that drops for a moment has the same effect
    bristle::Setup dip = coulomb(1.2, 1.2, ForcedMass{1}, 3);
    dip.input = Input::constant(0.605);
    dip.load = Input::sine(1, 0.5, 2 * M_PI, 0);
    const double x = simulate(with(dip, Method::adaptive, 1e-8)).measures.final.at("x");
    EXPECT_GT(x, 1e-6);
    EXPECT_NEAR(simulate(with(dip, Method::coupled, 1e-5)).measures.final.at("x"), x, 1e-3 * x);
}

TEST(HardCases, LightMassOnASpringEqualsTheClosedForm) {
    // m 1e-6 kg, k 1e4 N/m, Coulomb friction only. Oracle: the closed form of the hybrid model.
    bristle::Setup s = coulomb(1, 1.2, PulledSpring{1e-6, 1e4, 1e-4}, 3);
    bristle::Setup exact = s;
    exact.run.method = Method::hybrid;
    const double l = simulate(exact).measures.final.at("elongation");
    EXPECT_NEAR(simulate(with(s, Method::adaptive, 1e-6)).measures.final.at("elongation"), l,
                1e-6 * std::abs(l) + 1e-9);
}

TEST(HardCases, LoadJumpDoesWorkOnDeflectedBristles) {
    bristle::Setup s = rigs(c95_law("lugre"))[0].setup;
    std::get<AnyLuGre>(s.law).load_on = LoadOn::all;
    s.load = Input::steps({{0, 1}, {0.7, 2.5}, {1.3, 0.5}, {2.9, 1.5}});
    for (const Method method : {Method::adaptive, Method::coupled, Method::cvode}) {
        if (method == Method::cvode && !has_cvode()) continue;
        const Energy e = simulate(with(s, method, method == Method::coupled ? 1e-3 : 1e-8)).energy;
        EXPECT_LE(std::abs(e.residual()), (method == Method::coupled ? 1e-12 : 1e-6) * e.scale) << int(method);
    }
}

TEST(HardCases, BranchIsCorrectIfItBeginsAtZeroAcceleration) {
    // x = A sin(wt): at t = 0 the velocity has its maximum and then falls
    bristle::Setup s;
    s.law = c95_law("hysteretic");
    s.rig = Prescribed{Quantity::displacement};
    s.run.duration = 22.3;
    s.input = Input::sine(0, 1e-5, 0.2 * M_PI, 0);
    const double level = simulate(with(s, Method::adaptive, 1e-8)).energy.supplied;
    s.input = Input::sine(0, 1e-5, 0.2 * M_PI, 1e-9);
    EXPECT_NEAR(simulate(with(s, Method::adaptive, 1e-8)).energy.supplied, level, 1e-6 * level);
}

TEST(HardCases, EachReversalOfAPrescribedMotionIsRecordedOnce) {
    bristle::Setup s;
    s.law = c95_law("lugre");
    s.rig = Prescribed{};
    s.input = Input::sine(0, 1e-2, 20 * M_PI, 0.1);
    s.run.duration = 1;
    for (const double rtol : {1e-4, 1e-6, 1e-9})
        EXPECT_EQ(zeros(simulate(with(s, Method::adaptive, rtol))), 20) << rtol;
}

TEST(HardCases, LedgerOfFixedStepsClosesOverLongRests) {
    const bristle::Setup s = coulomb(4, 5, PulledSpring{1, 2, 0.1}, 20);
    for (const double step : {1e-4, 1e-5}) {
        if (test::sanitized && step < 1e-4) continue;
        const Energy e = simulate(with(s, Method::coupled, step)).energy;
        EXPECT_LE(std::abs(e.residual()), 1e-12 * e.scale) << step;
    }
}

TEST(HardCases, LossOfHoldForAMillisecondIsDetected) {
    // The hysteretic law with the min rule holds a mass by its shift, which vanishes at z = 0. The mass escapes within
    // that millisecond; a solver that steps over it ends at -1.159e-5 m.
    AnyHysteretic law;
    law.sigma0 = 1e5;
    law.sigma1 = std::sqrt(1e5);
    law.sigma2 = law.sigma2_negative = 0.4;
    law.curve.stribeck.positive = {.Fc = 1, .Fs = 1.5, .vs = 1e-3};
    law.a = 2e-6;
    law.a_rule = ShiftRule::min;
    law.a_scale = 1000;
    bristle::Setup s;
    s.law = law;
    s.rig = ForcedMass{1};
    s.input = Input::ramps({{0, 0}, {5, 1.425}, {10, 1.425}, {20, -1.425}, {25, -1.425}});
    s.run.duration = 30;
    const double ours = simulate(with(s, Method::adaptive, 1e-9)).measures.min.at("x");
    EXPECT_NEAR(ours, -1.1982e-5,
                1e-9);  // oracle: Runge-Kutta of order 4 in steps of 5e-6 s; coupled steps of 2e-5 s give -1.1983e-5
}

TEST(HardCases, CornersCloserThanAStepAreHandled) {
    bristle::Setup s = rigs(c95_law("lugre"))[0].setup;
    s.input = Input::ramps({{0, 0}, {1, 0}, {1.0000000000000004, 1}});
    EXPECT_EQ(simulate(with(s, Method::adaptive, 1e-6)).status, Status::done);
}

TEST(HardCases, UnstableCreepLeadsToBreakaway) {
    // Fs/Fc = 5 on a belt: the block breaks away again and again. Oracle: CVODE at 1e-9 and the coupled step end at
    // -1.7423 m. A solver that damps the growing motion stays in stick and ends elsewhere, with a closed ledger.
    AnyMicrodamped law;
    law.sigma0 = 3.2e6;
    law.sigma1 = 358;
    law.sigma2 = law.sigma2_negative = 0.1;
    law.fade.vc = 0.1;
    law.curve.stribeck.positive = {.Fc = 1, .Fs = 5, .vs = 1.5e-3, .alpha = 0.5};
    bristle::Setup s;
    s.law = law;
    s.rig = Conveyor{1, 1, 9.81, 1, 0.1};
    s.start["v"] = -1;
    s.run.duration = 20;
    const double x = simulate(with(s, Method::coupled, 1e-4)).measures.final.at("x");
    EXPECT_NEAR(simulate(with(s, Method::adaptive, 1e-6)).measures.final.at("x"), x, 0.05);
    EXPECT_NEAR(simulate(with(s, Method::adaptive, 1e-8)).measures.final.at("x"), x, 1e-3);
}

TEST(HardCases, HystereticWithoutSigma1HoldsAMassUntilTheForceRisesFasterThanItsBristle) {
    // Without sigma1 the force is sigma0 z on both branches: at rest z = u/sigma0. Oracle: at v = 0 B05 (8) permits dz/dt up to
    // a (1 - sigma0 z/Fs), so a force u = r t is held until u = Fs (1 - r/(sigma0 a)).
    constexpr double rate = 0.05, Fs = 1.5, sigma0 = 1e5, a = 2e-6, until = Fs * (1 - rate / (sigma0 * a)) / rate;
    bristle::Setup s;
    s.law = Hysteretic{.sigma0 = sigma0, .curve = {.Fc = 1, .Fs = Fs, .vs = 1e-3}, .a = a};
    s.rig = ForcedMass{1};
    s.input = Input::ramps({{0, 0}, {40, 40 * rate}});
    s.run = {.duration = 1.01 * until, .sample_times = {0.5 * until, 0.999 * until}};
    const Result r = simulate(s);
    ASSERT_EQ(r.status, Status::done) << r.message;
    for (auto [t, at] : r.measures.at) {
        EXPECT_NEAR(at.at("v"), 0, 1e-12) << t;
        EXPECT_NEAR(at.at("z"), rate * t / sigma0, 1e-9 * rate * t / sigma0) << t;
    }
    EXPECT_GT(r.measures.final.at("v"), 1e-9);
}

TEST(HardCases, RingingOnADahlBristleDecaysAsItsLoopAreaSays) {
    // Oracle: the loop of a small amplitude A = kappa Fc/sigma0 dissipates (4/3) kappa^3 Fc^2/sigma0 (N13 (29), N13 (30)), so
    // 1/kappa grows by 4/3 per period. 3 %: kappa itself, and the time of the last maximum. Errors of many steps would damp it.
    constexpr double kappa = 0.02, periods = 1000;
    bristle::Setup s;
    s.law = Dahl{.sigma0 = 1e4, .Fc = 1};
    s.rig = ForcedMass{1};
    s.start["v"] = kappa * 1e-4 * 100;  // omega = 100 rad/s
    s.run = {.duration = periods * 2 * M_PI / 100, .samples = 100'001};
    const Result r = simulate(s);
    ASSERT_EQ(r.status, Status::done) << r.message;
    const std::vector<double>& v = r.signal("v")->values;
    const double last = *std::max_element(v.end() - 200, v.end()) / 1e-2;
    EXPECT_NEAR(last * (1 / kappa + 4 * periods / 3), 1, 0.03);
}

TEST(HardCases, ALongStepDoesNotPassOverABreakaway) {
    // Elasto-plastic, sigma0 2e7 N/m: the slip lasts 1e-6 of the period of the force. Oracle: |z| <= Fs/sigma0 (the law's bound), and the
    // same run at rtol 1e-9.
    bristle::Setup s;
    s.law = ElastoPlastic{.sigma0 = 21677281,
                          .sigma1 = 2740.7,
                          .curve = {.Fc = 0.5433, .Fs = 0.6658, .vs = 0.0513, .alpha = 0.5357},
                          .kappa = 0.685};
    s.rig = ForcedMass{1.2527};
    s.input = Input::sine(0.493, 0.493, 0.00549, 0);
    s.run.duration = 5000;
    const Result r = simulate(with(s, Method::adaptive, 1e-6)), fine = simulate(with(s, Method::adaptive, 1e-9));
    EXPECT_LE(r.measures.max.at("z"), 1.001 * 0.6658 / 21677281);
    const double x = fine.measures.final.at("x");
    EXPECT_NEAR(r.measures.final.at("x"), x, 1e-3 * x);
}

TEST(HardCases, SlowPullsCompleteAtLooseTolerances) {
    bristle::Setup s = rigs(c95_law("lugre"))[2].setup;
    s.rig = PulledSpring{1, 2, 1e-3};
    s.run.duration = 3000;
    for (const double rtol : {1e-3, 1e-4, 1e-5})
        EXPECT_EQ(simulate(with(s, Method::adaptive, rtol)).status, Status::done) << rtol;
}

}  // namespace
}  // namespace bristle::simulation
