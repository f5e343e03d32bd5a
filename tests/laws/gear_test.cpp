// laws/gear.hpp: the closed form of the level, breakaway, agreement with Stribeck and LuGre without load, derivatives, both
// directions, rules, and runs under a changing load against a separate integrator.
#include "../support/oracle.hpp"
#include <bristle/describe.hpp>
#include <bristle/simulate/result.hpp>
#include <gtest/gtest.h>

namespace bristle::test {

const double e = std::exp(1.0);
constexpr GearCurve gears{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .kc = 0.1, .ks = 0.25};
constexpr GearLuGre joint{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = gears};
constexpr GearFriction drive{.curve = gears, .sigma2 = 0.4};

// ---- the level -------------------------------------------------------------------------------------------------------

// Oracle: M4 by hand. At N = 4 and v = vs: 1 + 0.4 + (0.5 + 0.6)/e, with sigma2 v = 4e-4 N.
TEST(GearLaw, SteadyForceEqualsM4ByHand) {
    const double level = 1.4 + 1.1 / e;
    EXPECT_NEAR(force(drive, 1e-3, 4.0), level + 4e-4, 1e-15);
    EXPECT_NEAR(force(drive, -1e-3, 4.0), -level - 4e-4, 1e-15);
    EXPECT_NEAR(force(drive, 10.0, 4.0), 1.4 + 4.0, 1e-14);  // far above vs: Fc + kc N
    Contact contact{joint};
    Step<double> step{};
    for (int i = 0; i < 3; ++i) step = contact.step(1e-3, 1.0, 4.0);
    EXPECT_NEAR(step.force_end, level + 4e-4, 1e-14);
    EXPECT_NEAR(contact.state().z, level / 1e5, 1e-19);
}

// Oracle: M3, Fb + k |tau_e - tau_m| with Fb = 0.02 N m, k = 0.3, tau_e = 0.5 N m, tau_m = -0.7 N m: 0.38 N m.
TEST(GearLaw, EqualLevelsGiveM3) {
    const GearFriction servo{.curve = {.Fc = 0.02, .Fs = 0.02, .vs = 0.1, .kc = 0.3}};
    EXPECT_EQ(servo.curve.ks, 0.3);
    for (const double v : {1e-9, 0.05, 30.0}) EXPECT_NEAR(force(servo, v, std::abs(0.5 + 0.7)), 0.38, 1e-15) << v;
    EXPECT_EQ(servo.curve.zone().low, servo.curve.zone().high);  // constant in v: no sub-steps
}

TEST(GearLaw, BreaksAwayAtFsPlusKsTimesLoad) {
    Contact contact{drive};
    const auto step = contact.step(0, 1e-3, 4.0);
    EXPECT_TRUE(step.stuck);
    EXPECT_NEAR(step.high, 1.5 + 0.25 * 4, 1e-15);
    EXPECT_NEAR(step.low, -2.5, 1e-15);
    for (const double push : {2.499, 2.501}) {
        Contact held{drive};
        EXPECT_EQ(advance(Mass{1}, held, {}, push, 1e-3, {.load = 4}).stuck, push < 2.5);
    }
}

// ---- without load ------------------------------------------------------------------------------------------------------

// At N = 0, given or not, every number of a step and of a coupled step is that of Stribeck and LuGre, bit by bit.
TEST(GearLaw, IsStribeckOrLuGreWithoutLoadBitByBit) {
    Random random(1);
    const StribeckFriction dry{.curve = {1, 1.5, 1e-3}, .sigma2 = 0.4};
    const LuGre lugre{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = {1, 1.5, 1e-3}};
    const auto expect_same = [&](auto ours, auto theirs) {
        Motion a, b;
        for (int i = 0; i < 3000; ++i) {
            const double v = random.sign() * random.log_uniform(1e-8, 1), dt = random.log_uniform(1e-6, 0.1);
            const auto one = i % 2 ? ours.step(v, dt) : ours.step(v, dt, 0.0), two = theirs.step(v, dt);
            ASSERT_EQ(one.force, two.force);
            ASSERT_EQ(one.force_end, two.force_end);
            ASSERT_EQ(one.work, two.work);
            ASSERT_EQ(one.dissipation, two.dissipation);
            const double push = random.uniform(-3, 3), h = random.log_uniform(1e-5, 1e-2);
            const auto c = advance(Mass{1}, ours, a, push, h), d = advance(Mass{1}, theirs, b, push, h);
            ASSERT_EQ(c.v, d.v);
            ASSERT_EQ(c.force, d.force);
            ASSERT_EQ(c.ambiguous, d.ambiguous);
            a = c;
            b = d;
        }
    };
    expect_same(Contact{drive}, Contact{dry});
    expect_same(Contact{joint}, Contact{lugre});
    EXPECT_EQ(largest_unique_step(Mass{1}, joint), largest_unique_step(Mass{1}, lugre));
}

// At constant load N the law is LuGre with the levels Fc + kc N and Fs + ks N.
TEST(GearLaw, EqualsLuGreWithTheLevelsOfAConstantLoad) {
    const LuGre loaded{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = {1 + 0.1 * 3, 1.5 + 0.25 * 3, 1e-3}};
    Contact ours{joint};
    Contact theirs{loaded};
    Motion a, b;
    for (int i = 0; i < 2000; ++i) {
        const double push = 3 * std::sin(0.01 * i);
        a = advance(Mass{1}, ours, a, push, 1e-3, {.load = 3});
        b = advance(Mass{1}, theirs, b, push, 1e-3);
        ASSERT_EQ(a.v, b.v);
        ASSERT_EQ(ours.state().z, theirs.state().z);
    }
    EXPECT_EQ(largest_unique_step(Mass{1}, joint, 0, 3), largest_unique_step(Mass{1}, loaded));
    EXPECT_EQ(softening(joint, 3), softening(loaded));
    // load 0 is permitted, a negative one is not
    EXPECT_TRUE(std::isfinite(largest_unique_step(Mass{1}, joint, 0, 0)));
    EXPECT_TRUE(std::isnan(largest_unique_step(Mass{1}, joint, 0, -1)));
}

// ---- energy --------------------------------------------------------------------------------------------------------------

// The stored energy sigma0 z^2/2 does not depend on N: work = change of stored energy + dissipation also if N changes from
// step to step. Tolerance: 1e-12 of the terms, as in the conformance suite.
TEST(GearLaw, EnergyBalanceClosesUnderAChangingLoad) {
    Random random(2);
    Contact contact{joint};
    for (int i = 0; i < 20000; ++i) {
        const double v = random.sign() * random.log_uniform(1e-9, 1),
                     load = random.below(4) ? random.uniform(0, 50) : 0;
        const double before = contact.stored(random.uniform(0, 9)), z = contact.state().z;
        const auto step = contact.step(v, random.log_uniform(1e-6, 0.1), load);
        const double after = contact.stored();
        const double terms = std::abs(step.work) + before + after + std::abs(step.dissipation) +
                             300 * std::abs(v * (contact.state().z - z));
        ASSERT_LE(std::abs(step.work - (after - before) - step.dissipation), 1e-12 * terms);
    }
}

// A load that falls at rest leaves the deflection; the next motion relaxes it to the lower level.
TEST(GearLaw, DeflectionSurvivesADropOfTheLoadAtRest) {
    Contact contact{joint};
    for (int i = 0; i < 3; ++i) contact.step(1e-6, 1e4, 10.0);
    const double z = contact.state().z;
    EXPECT_NEAR(z, (1.5 + 2.5 - (0.5 + 1.5) * 1e-6) / 1e5, 1e-14);  // g(vs/1000, 10): 1 - exp(-1e-6) of the drop
    contact.step(0, 1.0, 0.0);
    EXPECT_EQ(contact.state().z, z);
    contact.step(1e-2, 1.0, 0.0);
    EXPECT_NEAR(contact.state().z, 1 / 1e5, 1e-15);
}

// ---- derivatives -----------------------------------------------------------------------------------------------------------

// Oracle: central differences with respect to each parameter, of the law over double.
// Tolerance: 1e-7, error of a difference with h = 1e-6 of the value.
TEST(GearLaw, DerivativesWithRespectToTheLoadFactorsEqualDifferences) {
    using D = Dual<double, 8>;
    const auto end = []<class T>(T kc, T ks) {
        const basic_gear_curve<T> curve{T(1), T(1.5), T(1e-3), T(1.3), kc, ks};
        const basic_lugre<T, Sided<basic_gear_curve<T>>> law{
            .sigma0 = T(1e5), .sigma1 = T(300), .sigma2 = T(0.4), .curve = {true, curve, curve}};
        Contact contact{law};
        T force{};
        for (int i = 0; i < 40; ++i)
            force = contact.step(T(2e-3 * std::sin(0.3 * i)), T(1e-2), T(std::abs(3 * std::cos(0.1 * i)))).force;
        return force;
    };
    const D found = end(D::variable(0.1, 3), D::variable(0.25, 7));
    EXPECT_EQ(found.v, end(0.1, 0.25));
    const double h = 1e-6, by_kc = (end(0.1 + h, 0.25) - end(0.1 - h, 0.25)) / (2 * h),
                 by_ks = (end(0.1, 0.25 + h) - end(0.1, 0.25 - h)) / (2 * h);
    EXPECT_GT(std::abs(by_kc), 0.1);
    EXPECT_NEAR(found.d[3], by_kc, 1e-7 * std::abs(by_kc));
    EXPECT_NEAR(found.d[7], by_ks, 1e-7 * std::abs(by_ks) + 1e-9);
}

// ---- directions, words, rules ------------------------------------------------------------------------------------------------

TEST(GearLaw, DirectionsHaveTheirOwnCurve) {
    using Two = Directional<GearCurve>;
    const Two both{.positive = gears, .negative = {.Fc = 0.5, .Fs = 0.8, .vs = 2e-3, .kc = 0.2, .ks = 0.3}};
    const basic_static<double, Two> law{.curve = both};
    EXPECT_NEAR(force(law, 1.0, 2.0), 1.2, 1e-15);
    EXPECT_NEAR(force(law, -1.0, 2.0), -0.9, 1e-15);
    EXPECT_NEAR(holding_force(law, -1.0, 2.0), 1.4, 1e-15);
    const AnyLaw any = law;
    EXPECT_EQ(kind_of(any), "gear");
    EXPECT_NEAR(force(std::get<AnyGearFriction>(any), -1.0, 2.0), -0.9, 1e-15);
    EXPECT_EQ(kind_of(AnyLaw(joint)), "lugre_gear");
}

// A curve of the run-time kind over dual numbers, for fits.
TEST(GearLaw, SidedCurvesWorkOverDualNumbers) {
    using D = Dual<double, 8>;
    const basic_stribeck<D> one{D::variable(1, 0), D(1.5), D(1e-3)}, other{D(0.7), D(0.9), D(2e-3)};
    const basic_lugre<D, Sided<basic_stribeck<D>>> law{.sigma0 = D(1e5), .curve = {true, one, other}};
    Contact contact{law};
    for (int i = 0; i < 3; ++i) contact.step(D(1), D(1));
    EXPECT_NEAR(contact.step(D(1), D(1)).force.d[0], 1, 1e-12);  // F = Fc far above vs
    for (int i = 0; i < 3; ++i) contact.step(D(-1), D(1));
    EXPECT_NEAR(contact.step(D(-1), D(1)).force.v, -0.7, 1e-12);
    EXPECT_EQ(law.curve.static_level(D(-1)).v, 0.9);
    EXPECT_EQ(law.curve.peak().v, 1.5);
    EXPECT_EQ(law.curve.floor().v, 0.7);
    EXPECT_EQ(law.curve.zone().high.v, 0.02);
}

TEST(GearLaw, BrokenRulesAreReported) {
    const auto text = [](GearFriction law) {
        std::string all;
        for (const auto& one : sentences(law)) all += one + "\n";
        return all;
    };
    EXPECT_EQ(text(drive), "");
    GearFriction law = drive;
    law.load_on = LoadOn::all;
    EXPECT_NE(text(law).find("load_on = 1: must be curve"), std::string::npos) << text(law);
    law = drive;
    law.curve.ks = 0.05;
    EXPECT_EQ(text(law), "ks = 0.05: must be >= kc (or set allow_rising)\n");
    law.curve.allow_rising = true;
    EXPECT_EQ(text(law), "");
    law = drive;
    law.curve.kc = -1;
    EXPECT_NE(text(law).find("kc = -1: must be a finite number >= 0"), std::string::npos) << text(law);
    law.curve.kc = law.curve.ks = unset<double>();
    EXPECT_EQ(text(law), "kc is not given (nan): must be a finite number >= 0\n");
    law = drive;
    law.curve.Fs = 0.5;
    EXPECT_NE(text(law).find("Fs = 0.5 N: must be >= Fc"), std::string::npos);
}

// ---- runs ------------------------------------------------------------------------------------------------------------------------

TEST(GearLaw, SetupWithoutLoadHasLoadZero) {
    EXPECT_EQ((bristle::Setup{.law = joint}.load.piece(0).value(0.0)), 0);
    EXPECT_EQ((bristle::Setup{.law = c95}.load.piece(0).value(0.0)), 1);
}

// A joint of 1 kg under a force, while the transmitted load steps and swings.
bristle::Setup loaded_joint(const AnyLaw& law, const Input& load) {
    bristle::Setup setup{.law = law, .rig = ForcedMass{1}, .input = Input::sine(0.3, 4, 5, 0), .load = load};
    setup.run.duration = 2;
    setup.run.samples = 201;
    setup.run.rtol = setup.run.atol = 1e-9;
    return setup;
}

// Oracle: dz/dt, dv/dt and dx/dt of laws/gear.hpp, written out in long double, by classical Runge-Kutta of 1 us.
// Tolerance: 1e-6 of the range of x; the step of the oracle resolves sigma0 |v|/g <= 2e5 1/s to better than 1e-7.
TEST(GearLaw, RunUnderALoadStepEqualsRungeKutta) {
    const bristle::Setup setup = loaded_joint(joint, Input::steps({{0, 0.5}, {0.7, 6}, {1.3, 1}}));
    const Result adaptive = simulate(setup);
    ASSERT_EQ(adaptive.status, Status::done) << adaptive.message;
    EXPECT_LE(std::abs(adaptive.energy.residual()), 1e-7 * adaptive.energy.scale);
    struct State {
        wide x, v, z;
    };
    const auto rates = [](wide t, wide N, const State& s) -> State {
        const wide g = 1 + 0.1L * N + (0.5L + 0.15L * N) * std::exp(-(s.v / 1e-3L) * (s.v / 1e-3L));
        const wide dz = s.v - 1e5L * std::fabs(s.v) / g * s.z;
        return {s.v, 0.3L + 4 * std::sin(5 * t) - 1e5L * s.z - 300 * dz - 0.4L * s.v, dz};
    };
    const auto plus = [](const State& s, wide h, const State& r) -> State {
        return {s.x + h * r.x, s.v + h * r.v, s.z + h * r.z};
    };
    const auto& x = adaptive.signal("x")->values;
    State s{0, 0, 0};
    const wide h = 2e-6L;
    wide worst = 0, range = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, std::fabs(s.x - wide(x[i])));
        range = std::max(range, std::fabs(s.x));
        for (int k = 0; k < 5000 && i + 1 < x.size(); ++k) {
            const wide t = 0.01L * wide(i) + h * k, N = t < 0.7L - h / 2 ? 0.5L : t < 1.3L - h / 2 ? 6 : 1;
            const State a = rates(t, N, s), b = rates(t + h / 2, N, plus(s, h / 2, a)),
                        c = rates(t + h / 2, N, plus(s, h / 2, b)), d = rates(t + h, N, plus(s, h, c));
            s = plus(plus(plus(plus(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
        }
    }
    EXPECT_GT(range, 1e-3L);
    EXPECT_LE(worst, 1e-6L * range);
}

// Every method that applies, with a load that varies as a signal. Tolerances: the coupled step of 20 us is second order for
// lugre_gear; for gear, as for stribeck, it ends a stop at the end of a step. The explicit coupling is first order: 3e-3 at
// 10 us.
TEST(GearLaw, MethodsAgreeUnderALoadSignal) {
    const Input load = Input::sine(3, 2.5, 11, 0.4);
    const auto last = [](const Result& r) { return r.signal("x")->values.back(); };
    for (const AnyLaw& law : {AnyLaw(joint), AnyLaw(drive)}) {
        bristle::Setup setup = loaded_joint(law, load);
        const Result fine = simulate(setup);
        ASSERT_EQ(fine.status, Status::done) << fine.message;
        ASSERT_TRUE(fine.signal("load"));
        EXPECT_NEAR(fine.signal("load")->values.front(), 3 + 2.5 * std::sin(0.4), 1e-12);
        setup.run.method = Method::coupled;
        setup.run.step = 2e-5;
        const Result coupled = simulate(setup);
        const double tolerance = kind_of(law) == "gear" ? 5e-5 : 1e-7;
        EXPECT_NEAR(last(coupled), last(fine), tolerance * std::abs(last(fine))) << kind_of(law);
        EXPECT_LE(std::abs(coupled.energy.residual()), 1e-12 * coupled.energy.scale);
        setup.run.method = Method::explicit_;
        setup.run.step = 1e-5;
        EXPECT_NEAR(last(simulate(setup)), last(fine), 5e-3 * std::abs(last(fine))) << kind_of(law);
        setup.run.method = Method::cvode;
        setup.run.rtol = setup.run.atol = 1e-11;
        if (has_cvode() && kind_of(law) == "lugre_gear") {
            EXPECT_NEAR(last(simulate(setup)), last(fine), 1e-7 * std::abs(last(fine)));
        }
    }
}

}  // namespace bristle::test
