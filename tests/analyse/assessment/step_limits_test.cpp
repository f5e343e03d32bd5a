// Step limits, compared with powers of the linear map and with runs just below and above; design values, compared with
// certificates.
#include <bristle/analyse/certificate.hpp>
#include <bristle/analyse/step_limits.hpp>
#include <bristle/simulate/result.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../../simulate/cases.hpp"

namespace bristle::inline analysis {
namespace {

// Oracle: (sigma1 + sigma2)/sigma0, sqrt(sigma0/m), 2/sqrt(sigma0/m), and for the unique step limit the dt at which
// 2 m/dt + sigma2 = max over w of d/dw[(Fs - g(w)) Psi], Psi = 1 - phi(x) + sigma1/(sigma0 dt) (1 - e^-x), x = sigma0
// w dt/g.
TEST(StepLimits, OfC95EqualTheClosedForms) {
    const StepLimits limits = step_limits(c95_law("lugre"), {.mass = 1});
    EXPECT_NEAR(limits.explicit_limit, 3.17e-3, 0.005e-3);  // (sigma1 + sigma2)/sigma0
    EXPECT_NEAR(*limits.unique_limit, 6.404e-3, 0.005e-3);
    EXPECT_NEAR(*limits.resonance, std::sqrt(1e5), 1e-9);
    EXPECT_NEAR(*limits.resolving_step, 2 / std::sqrt(1e5), 1e-12);
    EXPECT_FALSE(step_limits(c95_law("lugre"), {}).unique_limit);
}

// The largest absolute eigenvalue of the step of a mass at rest, by powers of the map itself. velocity(v, z): at the end of the step.
double growth(double m, double sigma0, double dt, const std::function<double(double v, double z)>& velocity) {
    double v = 1, z = 0.3 * std::sqrt(m / sigma0), log_size = 0;
    constexpr int steps = 4000;
    for (int i = 0; i < steps; ++i) {
        const double next = velocity(v, z);
        z += dt * v;
        v = next;
        const double size = std::hypot(v, z * std::sqrt(sigma0 / m));
        log_size += std::log(size);
        v /= size;
        z /= size;
    }
    return std::exp(log_size / steps);
}
double explicit_growth(double m, double sigma0, double d, double dt) {
    return growth(m, sigma0, dt, [=](double v, double z) { return (m * v - dt * sigma0 * z) / (m + dt * d); });
}
// Oracle: growth() of the linear map crosses 1 within 2 % of the limit (sigma1 + sigma2)/sigma0.
TEST(StepLimits, ExplicitLimitIsThatOfTheLinearMapForEveryMass) {
    for (const double mass : {0.01, 1.0, 100.0}) {
        const double limit = step_limits(c95_law("lugre"), {.mass = mass}).explicit_limit, d = std::sqrt(1e5) + 0.4;
        EXPECT_LT(explicit_growth(mass, 1e5, d, 0.98 * limit), 1) << mass;
        EXPECT_GT(explicit_growth(mass, 1e5, d, 1.02 * limit), 1) << mass;
    }
}

// Everything from the start of the step. Oracle: powers of the map at 0.98 and 1.02 of the limit, for oscillating and
// overdamped masses.
double plain_growth(double m, double sigma0, double d, double dt) {
    return growth(m, sigma0, dt, [=](double v, double z) { return v - dt * (sigma0 * z + d * v) / m; });
}
TEST(StepLimits, PlainLimitIsThatOfItsLinearMap) {
    const double d = std::sqrt(1e5) + 0.4;
    for (const double mass : {1e-4, 0.01, 0.1, 0.2, 0.24, 0.26, 1.0, 100.0}) {
        const double limit = *step_limits(c95_law("lugre"), {.mass = mass}).plain_limit;
        EXPECT_LT(plain_growth(mass, 1e5, d, 0.98 * limit), 1) << mass;
        EXPECT_GT(plain_growth(mass, 1e5, d, 1.02 * limit), 1) << mass;
    }
    // 0.1 kg is unstable at 1 ms, 0.01 kg at 0.1 ms
    EXPECT_LT(*step_limits(c95_law("lugre"), {.mass = 0.1}).plain_limit, 1e-3);
    EXPECT_LT(*step_limits(c95_law("lugre"), {.mass = 0.01}).plain_limit, 1e-4);
    EXPECT_FALSE(step_limits(c95_law("lugre"), {}).plain_limit);
    EXPECT_EQ(*step_limits(c95_law("coulomb"), {.mass = 1}).plain_limit, 0);
    // a smooth static law: v+ = v (1 - dt slope/m)
    const AnyLaw smooth = SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}};
    EXPECT_NEAR(*step_limits(smooth, {.mass = 3}).plain_limit, 2 * 3 / 1.5e4, 1e-12);
}

// Under half the Coulomb level: explicit coupling comes to rest below its limit and not above; coupled at every step.
double speed_left(double step, Method method) {
    bristle::Setup s;
    s.law = c95_law("lugre");
    s.rig = ForcedMass{1};
    s.input = Input::constant(0.5);
    s.run = {.duration = 4, .method = method, .step = step, .samples = 1001};
    const auto r = simulate(s);
    double most = 0;
    const auto& v = r.signal("v")->values;
    for (std::size_t i = v.size() / 2; i < v.size(); ++i) most = std::max(most, std::abs(v[i]));
    return most;
}
TEST(StepLimits, RunsComeToRestBelowTheLimitOnly) {
    const double limit = step_limits(c95_law("lugre"), {.mass = 1}).explicit_limit;
    EXPECT_LT(speed_left(0.9 * limit, Method::explicit_), 1e-9);
    EXPECT_GT(speed_left(1.1 * limit, Method::explicit_), 1e-4);
    EXPECT_LT(speed_left(10 * limit, Method::coupled), 1e-9);
}

// Oracle: d/sigma0 with d = sigma1 + sigma2; Maxwell-slip has d = sigma2 = 0.4 N s/m and sigma0 = 1e5 N/m. Tolerance:
// rounding.
TEST(StepLimits, StaticAndMaxwellSlipLawsHaveTheLimitsThatApply) {
    EXPECT_EQ(step_limits(c95_law("coulomb"), {.mass = 1}).explicit_limit, 0);
    EXPECT_EQ(step_limits(c95_law("stribeck_smooth"), {.mass = 1}).explicit_limit, INFINITY);
    EXPECT_EQ(step_limits(c95_law("dahl"), {.mass = 1}).explicit_limit, 0);  // no damping
    EXPECT_FALSE(step_limits(c95_law("coulomb"), {.mass = 1}).resonance);
    EXPECT_FALSE(step_limits(c95_law("maxwell_slip"), {.mass = 1}).unique_limit);
    EXPECT_NEAR(step_limits(c95_law("maxwell_slip"), {.mass = 1}).explicit_limit, 0.4 / 1e5, 1e-12);
}

TEST(Design, OfC95EqualsTheClosedForms) {
    const auto d = design(c95_law("lugre"), {.mass = 1});
    ASSERT_TRUE(d);
    const double scale = 2 * std::sqrt(1e5);
    EXPECT_NEAR(d->zeta, (std::sqrt(1e5) + 0.4) / scale, 1e-12);
    EXPECT_NEAR(*d->zeta_max, 0.4 / scale * 3, 1e-9);  // A08 (8) with Fc/(Fs - Fc) = 2
    EXPECT_NEAR(*d->sigma1_critical, scale - 0.4, 1e-9);
    EXPECT_NEAR(*d->vc_critical, 4 * std::sqrt(2 * std::numbers::e) / (scale - 0.4), 1e-9);
    EXPECT_FALSE(design(c95_law("coulomb"), {.mass = 1}));
    EXPECT_FALSE(design(c95_law("lugre"), {}));
    AnyLaw level = c95_law("lugre");
    std::get<AnyLuGre>(level).curve.stribeck.positive.Fs = 1;
    EXPECT_FALSE(design(level, {.mass = 1})->zeta_max);
}

TEST(Design, IsGivenOnlyIfItsFormulasHold) {
    // levels that vanish with the speed: their minimum is 0
    EXPECT_FALSE(design(c95_law("lugre_smooth"), {.mass = 1}));
    EXPECT_FALSE(design(MakkarLuGre{.sigma0 = 1e5, .sigma1 = 300, .curve = {.25, 100, 10, .1, 100}}, {.mass = 1}));
    // a level that rises needs no sigma2
    AnyLaw rising = c95_law("lugre");
    std::get<AnyLuGre>(rising).curve.stribeck.positive = {.Fc = 1.5, .Fs = 1, .vs = 1e-3, .allow_rising = true};
    const auto up = design(rising, {.mass = 1});
    ASSERT_TRUE(up);
    EXPECT_FALSE(up->zeta_max);
    EXPECT_NEAR(*up->vc_critical, 4 * std::sqrt(2 * std::numbers::e) / *up->sigma1_critical, 1e-5 * *up->vc_critical);
    // sigma2 = 700 alone is more than critical: 2 sqrt(1e5) = 632
    AnyLaw thick = c95_law("lugre");
    auto& viscous = std::get<AnyLuGre>(thick);
    viscous.sigma2 = viscous.sigma2_negative = 700;
    const auto over = design(thick, {.mass = 1});
    ASSERT_TRUE(over);
    EXPECT_FALSE(over->sigma1_critical || over->vc_critical);
    EXPECT_GT(over->zeta, 1);
    // A08 (8) and A08 property 4 hold for LuGre under a constant load only
    for (const char* kind : {"hysteretic", "elastoplastic"}) {
        const auto other = design(c95_law(kind), {.mass = 1});
        EXPECT_FALSE(other && (other->zeta_max || other->vc_critical)) << kind;
    }
    const auto varying = design(c95_law("lugre"), {.mass = 1, .load_varies = true});
    ASSERT_TRUE(varying);
    EXPECT_FALSE(varying->zeta_max || varying->vc_critical);
}

// Oracle: the certificate. Just beyond the bound on zeta the law is not passive.
TEST(Design, LawWithTheDesignValuesIsPassive) {
    const auto verdict = [](const AnyLaw& law) { return certify(law, {}).passive.verdict; };
    for (const double mass : {0.1, 1.0, 30.0}) {
        AnyLaw plain = c95_law("lugre"), faded = c95_law("lugre_microdamped");
        const auto d = design(plain, {.mass = mass});
        ASSERT_TRUE(d && d->zeta_max && d->sigma1_critical && d->vc_critical);
        auto& law = std::get<AnyLuGre>(plain);
        const double scale = 2 * std::sqrt(1e5 * mass);
        law.sigma1 = 0.999 * *d->zeta_max * scale - law.sigma2;
        EXPECT_EQ(verdict(plain), Verdict::proved) << mass;
        law.sigma1 = 1.001 * *d->zeta_max * scale - law.sigma2;
        EXPECT_EQ(verdict(plain), Verdict::refuted) << mass;
        auto& fading = std::get<AnyMicrodamped>(faded);
        fading.sigma1 = *d->sigma1_critical;
        fading.fade.vc = 0.999 * *d->vc_critical;
        EXPECT_EQ(verdict(faded), Verdict::proved) << mass;
    }
}

}  // namespace
}  // namespace bristle::analysis
