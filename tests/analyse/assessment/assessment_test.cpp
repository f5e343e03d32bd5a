// Assessment of fixed steps, compared with runs with the same step.
#include <bristle/analyse/assessment.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include "../laws.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace bristle::inline analysis {
namespace {}  // namespace

// Oracles: explicit limit (sigma1 + sigma2)/sigma0 and mass factor 1 + dt (sigma1 + sigma2)/m in closed form; unique
// step limit
// 6.40 ms by an independent search over the root (coupling_limits_test). Tolerances: rounding; 5e-6 s, the digits of
// 6.404 ms.
TEST(Assessment, C95AtFiveMillisecondsIsUnstableExplicitAndStableCoupled) {
    const Assessment a = assess(test::pulled(test::any(test::c95)), {.dt = 0.005, .vmax = {}});
    EXPECT_EQ(a.certificate.passive.verdict, Verdict::refuted);
    EXPECT_EQ(a.explicit_.stable, false);
    EXPECT_EQ(a.explicit_.because, StepPassivity::adds_energy);
    EXPECT_NEAR(a.limits.explicit_limit, (test::c95.sigma1 + 0.4) / 1e5, 1e-9);
    EXPECT_NEAR(a.explicit_mass_factor.value_or(0), 1 + 0.005 * (test::c95.sigma1 + 0.4), 1e-9);
    EXPECT_EQ(a.coupled.stable, true);
    EXPECT_NEAR(a.limits.unique_limit.value_or(0), 6.404e-3, 0.005e-3);
    EXPECT_EQ(a.coupled.because, StepPassivity::as_the_law);
    EXPECT_EQ(a.exact.passive, Verdict::refuted);  // as the law
    ASSERT_TRUE(a.design);
    EXPECT_TRUE(a.design->vc_critical);
}

// From rest with a deflected bristle one explicit step adds kinetic energy, and z does not change.
TEST(Assessment, ExplicitCouplingAddsEnergyBelowItsLimitToo) {
    const double sigma0 = 1e5, d = test::c95.sigma1 + 0.4, z = 5e-6;
    for (const double dt : {1e-5, 1e-4, 1e-3}) {
        bristle::Setup s = test::pulled(test::any(test::c95), Method::explicit_, dt);
        s.rig = ForcedMass{1};
        s.start["z"] = z;
        s.run.duration = dt;
        EXPECT_EQ(assess(s).explicit_.stable, true);
        EXPECT_EQ(assess(s).explicit_.passive, Verdict::refuted);
        const Result r = simulate(s);
        const double v = r.signal("v")->values.back(), gained = 0.5 * v * v;
        EXPECT_EQ(r.signal("z")->values.back(), z);
        EXPECT_NEAR(gained, 0.5 * std::pow(dt * sigma0 * z / (1 + dt * d), 2), 1e-12 * gained);
        EXPECT_GT(gained, 0);
        // the coupled step adds no energy
        s.run.method = Method::coupled;
        const Result c = simulate(s);
        const double w = c.signal("v")->values.back(), y = c.signal("z")->values.back();
        EXPECT_LE(0.5 * w * w + 0.5 * sigma0 * y * y, 0.5 * sigma0 * z * z * (1 + 1e-14));
    }
}

TEST(Assessment, LawsWithoutBristlesOrDampingAreUnstableOrStableAtEveryStep) {
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.5};
    EXPECT_EQ(assess(test::pulled(coulomb)).explicit_.stable, false);
    const Assessment smooth = assess(test::pulled(SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}}));
    EXPECT_EQ(smooth.explicit_.stable, true);
    EXPECT_EQ(smooth.explicit_.passive, Verdict::refuted);
    EXPECT_FALSE(smooth.design);
    EXPECT_EQ(smooth.explicit_.because, StepPassivity::overstates_heat);
    EXPECT_EQ(assess(test::pulled(Dahl{.sigma0 = 1e5, .Fc = 1})).explicit_.stable, false);
    bristle::Setup given = test::pulled(test::any(test::c95));
    given.rig = Prescribed{};
    EXPECT_FALSE(assess(given).design);
    EXPECT_FALSE(assess(given).limits.unique_limit);
    EXPECT_FALSE(assess(given).explicit_.stable);  // depends on dt, which is not known
}

// A smooth static law from 50 mm/s: a mass of 10 g stops within 0.5 ms. With steps of 5 ms explicit coupling hardly
// decelerates it, and
// records far more heat than its kinetic energy of 12.5 uJ.
TEST(Assessment, ExplicitCouplingOfSmoothStaticLawsIncreasesTheMass) {
    const AnyLaw law = SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}, .sigma2 = 0.4};
    bristle::Setup s = test::pulled(law, Method::explicit_, 5e-3);
    s.rig = ForcedMass{0.01};
    s.start["v"] = 0.05;
    s.run.duration = 0.2;
    const Result slow = simulate(s);
    EXPECT_GT(slow.signal("v")->values.back(), 0.04);
    EXPECT_GT(slow.energy.dissipated, 100 * 0.5 * 0.01 * 0.05 * 0.05);
    const Assessment a = assess(s);
    EXPECT_EQ(a.explicit_.stable, true);
    EXPECT_EQ(a.explicit_.passive, Verdict::refuted);
    EXPECT_NEAR(a.explicit_mass_factor.value_or(0), 1 + 5e-3 * 15000.4 / 0.01, 1e-6);  // 1 + dt d/m, d = 15 kN s/m
    const auto warning = step_warning(s);
    ASSERT_TRUE(warning);
    EXPECT_EQ(warning->kind, StepWarning::Kind::mass_increased);
    EXPECT_EQ(warning->step, 5e-3);
    EXPECT_EQ(warning->mass_factor, *a.explicit_mass_factor);
    // in the first step, while F is nearly Fc, the change of v is smaller by that factor
    s.run.duration = s.run.step;
    const double slowed = 0.05 - simulate(s).signal("v")->values.back(), should = 5e-3 * 1.02 / 0.01;
    EXPECT_NEAR(should / slowed, 1 + 5e-3 * 15000.4 / 0.01, 2);
    s.run = {.duration = 0.2, .method = Method::coupled, .step = 5e-3};
    EXPECT_LT(std::abs(simulate(s).signal("v")->values.back()), 1e-6);
    s.run = {.duration = 0.2, .method = Method::explicit_, .step = 5e-8};
    EXPECT_FALSE(step_warning(s));
}

// Elasto-plastic and hysteretic laws do not guarantee an exact step.
TEST(Assessment, StepThatIsNotExactIsUndecidedIfTheLawIsPassive) {
    auto plastic = test::elastoplastic_c95();
    test::set_viscous(plastic, 200);
    const Assessment a = assess(test::pulled(plastic));
    EXPECT_EQ(a.certificate.passive.verdict, Verdict::proved);
    EXPECT_EQ(a.exact.passive, Verdict::undecided);
    EXPECT_EQ(a.exact.because, StepPassivity::within_error);
    AnyLuGre lugre = test::any(test::c95);
    test::set_viscous(lugre, 200);
    EXPECT_EQ(assess(test::pulled(lugre)).exact.passive, Verdict::proved);
}

TEST(Assessment, ThrowsIfItMayNotContinue) {
    int calls = 0;
    const auto no = [&] { return ++calls < 3; };
    auto law = test::makkar_lugre();
    EXPECT_THROW(assess(test::pulled(law), {.dt = {}, .vmax = {}, .should_continue = no}), Cancelled);
    EXPECT_EQ(calls, 3);
    // the result does not keep the caller's function
    EXPECT_FALSE(assess(test::pulled(law), {.dt = {}, .vmax = {}, .should_continue = [] { return true; }})
                     .options.should_continue);
}

TEST(Assessment, TakesTheStepOfEveryMethodWithAFixedStep) {
    for (const MethodInfo& method : methods()) {
        const Assessment a = assess(test::pulled(test::any(test::c95), method.method, 1e-3));
        EXPECT_EQ(a.dt.has_value(), method.fixed_step) << method.name;
    }
}

TEST(Assessment, TakesLoadsAndStepFromTheSetup) {
    bristle::Setup s = test::pulled(test::any(test::c95), Method::coupled, 1e-3);
    s.load = Input::sine(2, 0.5, 1, 0);
    const Assessment a = assess(s, {.dt = {}, .vmax = 0.01});
    EXPECT_EQ(a.dt, 1e-3);
    EXPECT_EQ(a.options.load_min, 1.5);
    EXPECT_EQ(a.options.load_max, 2.5);
    EXPECT_EQ(a.options.vmax, 0.01);
    s.load = Input::steps({{0, 1}, {2, 3}, {4, 2}});
    EXPECT_EQ(assess(s).options.load_max, 3);
    for (const double dt : {0.0, -1.0, std::nan(""), double(INFINITY)})
        EXPECT_THROW(assess(s, {.dt = dt, .vmax = {}}), Error) << dt;
}

// Gear friction: the unique step limit falls with the ratio (Fs + ks N)/(Fc + kc N): 1.5 at N = 0; at N = 5 N
// it is 1.25 for ks = kc = 0.2 and 1.75 for ks = 0.4.
TEST(Assessment, TakesTheLoadOfGearFrictionWithTheSmallerUniqueLimit) {
    for (const double ks : {0.2, 0.4}) {
        const GearLuGre law{
            .sigma0 = 1e5, .sigma1 = 300, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .kc = 0.2, .ks = ks}};
        bristle::Setup s = test::pulled(law);
        s.load = Input::ramps({{0, 0}, {1, 5}});
        EXPECT_EQ(plant_of(s).load, ks == 0.2 ? 0 : 5);
    }
}

// Oracle: the numbers of each rig; for the pendulum m l^2/r^2 = 25 kg.
TEST(Assessment, PlantHasTheMassAndSpringAtTheContact) {
    bristle::Setup s = test::pulled(test::any(test::c95));
    EXPECT_EQ(plant_of(s).mass, 1);
    EXPECT_EQ(plant_of(s).spring, 2);
    s.rig = PidServo{3, 6, 5, 4, 1};
    EXPECT_EQ(plant_of(s).mass, 3);
    EXPECT_EQ(plant_of(s).spring, 5);
    s.rig = Conveyor{2, 8, 9.81, 0.1, 0.5};
    EXPECT_EQ(plant_of(s).spring, 8);
    s.rig = Pendulum{1, 0.5, 9.81, 0.1};
    EXPECT_NEAR(plant_of(s).mass, 25, 1e-12);  // m l^2/r^2
}

// The largest friction force of C95 with another sigma1 before a mass of 1 kg at rest, under a constant force, exceeds 10 vs. Integrated
// here with Heun's method in steps of 10 ns: A08 (1), A08 (2), A08 (4).
double peak_before_breakaway(double sigma1, double force) {
    const double sigma0 = 1e5, sigma2 = 0.4, Fc = 1, Fs = 1.5, vs = 1e-3, h = 1e-8;
    double z = 0, v = 0, peak = 0;
    const auto rate = [&](double z_, double v_) {
        const double g = Fc + (Fs - Fc) * std::exp(-v_ * v_ / (vs * vs)), dz = v_ - sigma0 * std::abs(v_) / g * z_;
        return std::pair(dz, sigma0 * z_ + sigma1 * dz + sigma2 * v_);
    };
    while (v <= 10 * vs) {
        const auto [dz, F] = rate(z, v);
        peak = std::max(peak, F);
        const auto [dz2, F2] = rate(z + h * dz, v + h * (force - F));
        z += 0.5 * h * (dz + dz2);
        v += 0.5 * h * (2 * force - F - F2);
    }
    return peak;
}

// Critical damping, sigma1 = 2 sqrt(sigma0 m) - sigma2: friction rises to three times Fs. Tolerance: that of the run, rtol 1e-6.
TEST(Breakaway, OfAFastStartIsThreeTimesTheLevelAtCriticalDamping) {
    // the table of docs/sigma0.md: peak/Fs, two decimals
    for (const auto& [zeta, ratio] : {std::pair(0.2, 0.79), {0.5, 1.65}, {1.0, 2.96}, {2.0, 5.01}}) {
        auto law = test::c95;
        law.sigma1 = microdamping(1e5, 1.0, zeta, 0.4);
        const auto found = breakaway_at_fast_start(test::any(law), {.mass = 1});
        ASSERT_TRUE(found);
        const double peak = peak_before_breakaway(law.sigma1, 10 * 1.5);
        EXPECT_NEAR(found->force, peak, 1e-4 * peak);
        EXPECT_NEAR(found->without_sigma1, 1.5 + 0.4 * 0.01, 1e-12);
        EXPECT_EQ(found->is_high(), zeta >= 1);
        EXPECT_NEAR(peak / 1.5, ratio, 0.005);
    }
    EXPECT_FALSE(breakaway_at_fast_start(test::any(test::c95), {}));  // the mass is not known
    auto undamped = test::c95;
    undamped.sigma1 = 0;
    EXPECT_FALSE(breakaway_at_fast_start(test::any(undamped), {.mass = 1}));
}

TEST(StepWarning, DependsOnTheMethod) {
    const AnyLaw law = test::any(test::c95);
    EXPECT_FALSE(step_warning(test::pulled(law)));
    EXPECT_FALSE(step_warning(test::pulled(law, Method::explicit_, 1e-3)));
    const auto unstable = step_warning(test::pulled(law, Method::explicit_, 5e-3));
    ASSERT_TRUE(unstable);
    EXPECT_EQ(unstable->kind, StepWarning::Kind::unstable);
    EXPECT_NEAR(unstable->limit, 3.17e-3, 0.005e-3);
    EXPECT_FALSE(step_warning(test::pulled(law, Method::coupled, 5e-3)));
    const auto roots = step_warning(test::pulled(law, Method::coupled, 1e-2));
    ASSERT_TRUE(roots);
    EXPECT_EQ(roots->kind, StepWarning::Kind::ambiguous);
    EXPECT_NEAR(roots->limit, 6.404e-3, 0.005e-3);
    bristle::Setup given = test::pulled(law, Method::explicit_, 5e-3);
    given.rig = Prescribed{};
    EXPECT_FALSE(step_warning(given));  // nothing is coupled there
}

}  // namespace bristle::analysis
