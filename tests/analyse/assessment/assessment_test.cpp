// What a step size does to a set-up: sentences and verdicts, checked against runs with that step.
#include <bristle/analyse/assessment.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include "../laws.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace bristle::inline analysis {
namespace {

bristle::Setup pulled(const AnyLaw& law, Method method = Method::adaptive, double step = 0) {
    bristle::Setup s;
    s.law = law;
    s.rig = PulledSpring{1, 2, 0.1};
    s.run = {.duration = 1, .method = method, .step = step};
    return s;
}
bool says(const std::string& text, const char* words) { return text.find(words) != text.npos; }

}  // namespace

TEST(Assessment, C95AtFiveMilliseconds) {
    const Assessment a = assess(pulled(test::any(test::c95)), {.dt = 0.005, .vmax = {}});
    EXPECT_EQ(a.certificate.passive.verdict, Verdict::refuted);
    EXPECT_EQ(a.explicit_.stable, false);
    EXPECT_TRUE(says(a.explicit_.text, "At dt = 5 ms it drifts: the limit is 3.17 ms")) << a.explicit_.text;
    EXPECT_EQ(a.coupled.stable, true);
    EXPECT_TRUE(says(a.coupled.text, "Only one velocity solves its equation up to dt = 6.4 ms"))
        << a.coupled.text;                         // largest_unique_step of C95 and 1 kg
    EXPECT_EQ(a.exact.passive, Verdict::refuted);  // as the law
    ASSERT_TRUE(a.design);
    EXPECT_TRUE(a.design->vc_critical);
    const Assessment slow = assess(pulled(test::any(test::c95)), {.dt = 0.01, .vmax = {}});
    EXPECT_TRUE(says(slow.coupled.text, "more than one velocity can solve")) << slow.coupled.text;
}

// From rest with a bent bristle one explicit step makes kinetic energy, and the bristle keeps its own.
TEST(Assessment, ExplicitCouplingMakesEnergyBelowItsLimitToo) {
    const double sigma0 = 1e5, d = test::c95.sigma1 + 0.4, z = 5e-6;
    for (const double dt : {1e-5, 1e-4, 1e-3}) {
        bristle::Setup s = pulled(test::any(test::c95), Method::explicit_, dt);
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
        // the coupled step keeps what there is
        s.run.method = Method::coupled;
        const Result c = simulate(s);
        const double w = c.signal("v")->values.back(), y = c.signal("z")->values.back();
        EXPECT_LE(0.5 * w * w + 0.5 * sigma0 * y * y, 0.5 * sigma0 * z * z * (1 + 1e-14));
    }
}

TEST(Assessment, LawsWithoutBristlesOrDamping) {
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.5};
    EXPECT_EQ(assess(pulled(coulomb)).explicit_.stable, false);
    const Assessment smooth = assess(pulled(SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}}));
    EXPECT_EQ(smooth.explicit_.stable, true);
    EXPECT_EQ(smooth.explicit_.passive, Verdict::refuted);
    EXPECT_FALSE(smooth.design);
    const Assessment dahl = assess(pulled(Dahl{.sigma0 = 1e5, .Fc = 1}));
    EXPECT_FALSE(says(dahl.explicit_.text, "sigma1")) << dahl.explicit_.text;  // it has none
    EXPECT_EQ(assess(pulled(Dahl{.sigma0 = 1e5, .Fc = 1})).explicit_.stable, false);
    bristle::Setup given = pulled(test::any(test::c95));
    given.rig = Prescribed{};
    EXPECT_FALSE(assess(given).design);
    EXPECT_FALSE(assess(given).limits.unique_limit);
    EXPECT_FALSE(assess(given).explicit_.stable);  // depends on dt, which is not known
}

// A smooth static law from 50 mm/s: a mass of 10 g stops in half a millisecond. With steps of 5 ms explicit coupling hardly brakes it, and
// books far more heat than the 12.5 uJ that there are.
TEST(Assessment, ExplicitCouplingOfSmoothStaticLawsIsStableAndWrong) {
    const AnyLaw law = SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}, .sigma2 = 0.4};
    bristle::Setup s = pulled(law, Method::explicit_, 5e-3);
    s.rig = ForcedMass{0.01};
    s.start["v"] = 0.05;
    s.run.duration = 0.2;
    const Result slow = simulate(s);
    EXPECT_GT(slow.signal("v")->values.back(), 0.04);
    EXPECT_GT(slow.energy.dissipated, 100 * 0.5 * 0.01 * 0.05 * 0.05);
    const Assessment a = assess(s);
    EXPECT_EQ(a.explicit_.stable, true);
    EXPECT_EQ(a.explicit_.passive, Verdict::refuted);
    EXPECT_TRUE(says(a.explicit_.text, "7.5e+03 times as heavy")) << a.explicit_.text;  // 1 + 5 ms 15 kN s/m/10 g
    const auto told = step_warning(s);
    ASSERT_TRUE(told);
    EXPECT_TRUE(says(*told, "times as heavy")) << *told;
    // in the first step, while F is nearly Fc: so many times slower than it should be
    s.run.duration = s.run.step;
    const double slowed = 0.05 - simulate(s).signal("v")->values.back(), should = 5e-3 * 1.02 / 0.01;
    EXPECT_NEAR(should / slowed, 1 + 5e-3 * 15000.4 / 0.01, 2);
    s.run = {.duration = 0.2, .method = Method::coupled, .step = 5e-3};
    EXPECT_LT(std::abs(simulate(s).signal("v")->values.back()), 1e-6);
    s.run = {.duration = 0.2, .method = Method::explicit_, .step = 5e-8};
    EXPECT_FALSE(step_warning(s));
}

TEST(Assessment, TwoTimesThatDifferAreToldApart) {
    const Assessment a = assess(pulled(test::any(test::c95)), {.dt = 0.00317, .vmax = {}});
    EXPECT_TRUE(says(a.explicit_.text, "At dt = 3.17 ms it drifts: the limit is 3.166 ms")) << a.explicit_.text;
}

// Elasto-plastic and hysteretic laws do not promise an exact step.
TEST(Assessment, OnlyExactStepsAreCalledExact) {
    auto plastic = test::elastoplastic_c95();
    test::set_viscous(plastic, 200);
    const Assessment a = assess(pulled(plastic));
    EXPECT_EQ(a.certificate.passive.verdict, Verdict::proved);
    EXPECT_EQ(a.exact.passive, Verdict::undecided);
    EXPECT_TRUE(says(a.exact.text, "not exact for this law")) << a.exact.text;
    AnyLuGre lugre = test::any(test::c95);
    test::set_viscous(lugre, 200);
    EXPECT_EQ(assess(pulled(lugre)).exact.passive, Verdict::proved);
}

TEST(Assessment, CanBeStopped) {
    int asked = 0;
    const auto no = [&] { return ++asked < 3; };
    auto law = test::makkar_lugre();
    EXPECT_THROW(assess(pulled(law), {.dt = {}, .vmax = {}, .should_continue = no}), Error);
    EXPECT_EQ(asked, 3);
    EXPECT_NO_THROW(assess(pulled(law), {.dt = {}, .vmax = {}, .should_continue = [] { return true; }}));
}

TEST(Assessment, TakesLoadsAndStepFromTheSetup) {
    bristle::Setup s = pulled(test::any(test::c95), Method::coupled, 1e-3);
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

TEST(Assessment, PlantAtTheContact) {
    bristle::Setup s = pulled(test::any(test::c95));
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

TEST(UnwiseStep, IsToldForTheMethodThatIsUsed) {
    const AnyLaw law = test::any(test::c95);
    EXPECT_FALSE(step_warning(pulled(law)));
    EXPECT_FALSE(step_warning(pulled(law, Method::explicit_, 1e-3)));
    const auto drifts = step_warning(pulled(law, Method::explicit_, 5e-3));
    ASSERT_TRUE(drifts);
    EXPECT_TRUE(says(*drifts, "3.17 ms") && says(*drifts, "coupled")) << *drifts;
    EXPECT_FALSE(step_warning(pulled(law, Method::coupled, 5e-3)));
    const auto roots = step_warning(pulled(law, Method::coupled, 1e-2));
    ASSERT_TRUE(roots);
    EXPECT_TRUE(says(*roots, "more than one velocity")) << *roots;
    bristle::Setup given = pulled(law, Method::explicit_, 5e-3);
    given.rig = Prescribed{};
    EXPECT_FALSE(step_warning(given));  // nothing is coupled there
}

}  // namespace bristle::inline analysis
