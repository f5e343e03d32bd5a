// What a step size does to a set-up: sentences and verdicts, checked against runs with that step.
#include <bristle/analyse/assessment.hpp>
#include <bristle/simulate/error.hpp>
#include <bristle/simulate/result.hpp>

#include "laws.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace bristle::analyse {
namespace {

using namespace simulate;

Setup pulled(const AnyLaw& law, Method method = Method::adaptive, double step = 0) {
    Setup s;
    s.law = law;
    s.type = RigType::pulled_spring;
    s.rig = Rig::pulled_spring(1, 2, 0.1);
    s.run = {.duration = 1, .method = method, .step = step};
    return s;
}
bool says(const std::string& text, const char* words) { return text.find(words) != text.npos; }

}  // namespace

TEST(Assessment, C95AtFiveMilliseconds) {
    const Assessment a = assess(pulled(test::any(test::c95)), {.dt = 0.005, .vmax = {}});
    EXPECT_EQ(a.certificate.passive.verdict, Verdict::refuted);
    EXPECT_EQ(a.explicit_.stable, false);
    EXPECT_TRUE(says(a.explicit_.text, "At dt = 5 ms explicit coupling drifts: the limit is 3.17 ms"))
        << a.explicit_.text;
    EXPECT_EQ(a.coupled.stable, true);
    EXPECT_TRUE(says(a.coupled.text, "one root up to dt = 6.4 ms")) << a.coupled.text;  // science section 5
    EXPECT_EQ(a.exact.passive, Verdict::refuted);                                       // as the law
    ASSERT_TRUE(a.design);
    EXPECT_NEAR(a.design->sigma2_passive, 0.5 * std::sqrt(1e5), 1e-9);
    const Assessment slow = assess(pulled(test::any(test::c95)), {.dt = 0.01, .vmax = {}});
    EXPECT_TRUE(says(slow.coupled.text, "several roots")) << slow.coupled.text;
}

// From rest with a bent bristle one explicit step makes kinetic energy, and the bristle keeps its own.
TEST(Assessment, ExplicitCouplingMakesEnergyBelowItsLimitToo) {
    const double sigma0 = 1e5, d = test::c95.sigma1 + 0.4, z = 5e-6;
    for (const double dt : {1e-5, 1e-4, 1e-3}) {
        simulate::Setup s = pulled(test::any(test::c95), Method::explicit_, dt);
        s.type = RigType::forced_mass;
        s.rig = Rig::forced_mass(1);
        s.start["z"] = z;
        s.run.duration = dt;
        EXPECT_EQ(assess(s).explicit_.stable, true);
        EXPECT_EQ(assess(s).explicit_.passive, Verdict::refuted);
        const Result r = simulate::simulate(s);
        const double v = r.signal("v")->values.back(), gained = 0.5 * v * v;
        EXPECT_EQ(r.signal("z")->values.back(), z);
        EXPECT_NEAR(gained, 0.5 * std::pow(dt * sigma0 * z / (1 + dt * d), 2), 1e-12 * gained);
        EXPECT_GT(gained, 0);
        // the coupled step keeps what there is
        s.run.method = Method::coupled;
        const Result c = simulate::simulate(s);
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
    EXPECT_FALSE(smooth.design);
    EXPECT_EQ(assess(pulled(Dahl{.sigma0 = 1e5, .Fc = 1})).explicit_.stable, false);
    simulate::Setup given = pulled(test::any(test::c95));
    given.type = RigType::prescribed;
    EXPECT_FALSE(assess(given).design);
    EXPECT_FALSE(assess(given).limits.unique_limit);
    EXPECT_FALSE(assess(given).explicit_.stable);  // depends on dt, which is not known
}

TEST(Assessment, TakesLoadsAndStepFromTheSetup) {
    simulate::Setup s = pulled(test::any(test::c95), Method::coupled, 1e-3);
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
    simulate::Setup s = pulled(test::any(test::c95));
    EXPECT_EQ(plant_of(s).mass, 1);
    EXPECT_EQ(plant_of(s).spring, 2);
    s.type = RigType::pid_servo;
    s.rig = Rig::pid_servo(3, 6, 5, 4, 1);
    EXPECT_EQ(plant_of(s).mass, 3);
    EXPECT_EQ(plant_of(s).spring, 5);
    s.type = RigType::conveyor;
    s.rig = Rig::conveyor(2, 8, 0.1, 0.5);
    EXPECT_EQ(plant_of(s).spring, 8);
    s.type = RigType::pendulum;
    s.rig = Rig::pendulum(1, 0.5, 9.81, 0.1);
    EXPECT_NEAR(plant_of(s).mass, 25, 1e-12);  // m l^2/r^2
}

TEST(UnwiseStep, IsToldForTheMethodThatIsUsed) {
    const AnyLaw law = test::any(test::c95);
    EXPECT_FALSE(unwise_step(pulled(law)));
    EXPECT_FALSE(unwise_step(pulled(law, Method::explicit_, 1e-3)));
    const auto drifts = unwise_step(pulled(law, Method::explicit_, 5e-3));
    ASSERT_TRUE(drifts);
    EXPECT_TRUE(says(*drifts, "3.17 ms") && says(*drifts, "coupled")) << *drifts;
    EXPECT_FALSE(unwise_step(pulled(law, Method::coupled, 5e-3)));
    const auto roots = unwise_step(pulled(law, Method::coupled, 1e-2));
    ASSERT_TRUE(roots);
    EXPECT_TRUE(says(*roots, "several roots")) << *roots;
    simulate::Setup given = pulled(law, Method::explicit_, 5e-3);
    given.type = RigType::prescribed;
    EXPECT_FALSE(unwise_step(given));  // nothing is coupled there
}

}  // namespace bristle::analyse
