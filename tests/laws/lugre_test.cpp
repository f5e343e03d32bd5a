// laws/lugre.hpp: numbers of A08 and C95, microdamping, other curves, extra viscous terms, and energy extraction.
#include "../support/oracle.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

const double e = std::exp(1.0);

// ---- the model -----------------------------------------------------------------------------------------------------

// Oracle: A08 (1) and A08 (2) at v = vs, where h = sigma0 vs/(Fc + (Fs - Fc)/e).
TEST(LuGreLaw, RateAndForceEqualA08Equations1And2) {
    const double z = 7e-6, v = 1e-3, h = 1e5 * v / (1 + 0.5 / e);
    EXPECT_NEAR(rate(c95, z, v), v - h * z, 1e-18);
    EXPECT_NEAR(rate(c95, z, -v), -v - h * z, 1e-18);
    EXPECT_NEAR(force(c95, z, v), 0.7 + std::sqrt(1e5) * (v - h * z) + 0.4 * v, 1e-15);
    EXPECT_NEAR(hamiltonian(c95, {z}), 0.5 * 1e5 * z * z, 1e-20);
    EXPECT_NEAR(rate(a08_stiff, 1e-6, 2e-3), 2e-3 - 1.47e6 * 2e-3 / (2.94 * (1 + std::exp(-2.0))) * 1e-6, 1e-17);
}

// A08 (13): in stick the bristle is a spring of stiffness sigma0 (1 - r) for v > 0 and sigma0 (1 + r) for v < 0, r =
// F/Fs.
TEST(LuGreLaw, LinearisationInStickEqualsA08Equation13) {
    for (const double alpha : {0.5, 0.75, 1.0, 1.5, 2.0}) {
        LuGre law = a08_stiff;
        law.curve.alpha = alpha;
        const double z = 0.5 * 5.88 / 1.47e6;  // r = 1/2
        const auto j = jacobian(law, {z}, 0.0);
        EXPECT_EQ(j.rate_z, 0);
        EXPECT_NEAR(j.rate_v, 0.5, 1e-15) << alpha;
        EXPECT_EQ(j.force_z, 1.47e6);
        EXPECT_NEAR(j.force_v, 2.42e3 * 0.5, 1e-11) << alpha;
        EXPECT_NEAR(jacobian(law, {z}, -1e-40).rate_v, 1.5, 1e-15) << alpha;
    }
}

TEST(LuGreLaw, SmoothJacobianAtRestHasTheConductanceTerm) {
    for (const double alpha : {0.5, 0.75, 1.0, 1.5, 2.0}) {
        const SmoothLuGre law{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = {1, 1.5, 1e-3, alpha, 1e4}};
        const double z = 5e-6, h = 1e5 / (1e4 * 1.5);  // sigma0/(c Fs)
        // alpha = 1/2: g = Fs - (Fs - Fc) |v| sqrt(c/vs), so h rises from above as (Fs - Fc) sqrt(c/vs)/Fs
        const double dh = alpha == 0.5 ? h * 0.5 * std::sqrt(1e4 / 1e-3) / 1.5 : 0;
        const auto j = jacobian(law, {z}, 0.0);
        EXPECT_NEAR(j.rate_z, -h, 1e-13);
        EXPECT_NEAR(j.rate_v, 1 - dh * z, 1e-14) << alpha;
        EXPECT_NEAR(j.force_z, 1e5 - 300 * h, 1e-9);
        EXPECT_NEAR(j.force_v, 300 * (1 - dh * z) + 0.4, 1e-11) << alpha;
    }
}

// N13: a deflection beyond the peak does not grow.
TEST(LuGreLaw, DeflectionOutsideTheBoundDoesNotGrow) {
    Random random(1);
    for (int set = 0; set < 200; ++set) {
        Contact contact{c95};
        contact.set({random.sign() * random.uniform(1.5e-5, 1e-3)});
        for (int i = 0; i < 200; ++i) {
            const double before = std::fabs(contact.state().z);
            contact.step(random.sign() * random.log_uniform(1e-12, 10), random.log_uniform(1e-6, 0.1));
            ASSERT_LE(std::fabs(contact.state().z), std::max(before, 1.5e-5 * (1 + 0x1p-51)));
        }
    }
}

// ---- microdamping --------------------------------------------------------------------------------------------------

// A08 chose sigma1 for critical damping: 2 sqrt(sigma0 m) = 2.42e3 (stiff) and 108 (soft). C95: sqrt(sigma0), half of
// it.
TEST(Microdamping, GivesTheDampingRatioInStick) {
    EXPECT_DOUBLE_EQ(microdamping(1.47e6, 1.0, 1.0, 0.0), 2 * std::sqrt(1.47e6));
    EXPECT_NEAR(microdamping(1.47e6, 1.0, 1.0, 0.0), a08_stiff.sigma1, 5);
    EXPECT_NEAR(microdamping(2940.0, 1.0, 1.0, 0.0), a08_soft.sigma1, 0.5);
    EXPECT_DOUBLE_EQ(microdamping(1e5, 1.0, 0.5, 0.4), std::sqrt(1e5) - 0.4);
    EXPECT_FLOAT_EQ(microdamping(100.f, 4.f, 0.25f, 1.f), 9.f);
    static_assert(presliding_stiffness(1.5, 15e-6) == 1.5 / 15e-6);  // C95: 15 um, 1e5 N/m
}

// A08 property 4: sigma1 exp(-(v/vc)^2). The force of an undeflected bristle at v is (sigma1(v) + sigma2) v.
TEST(Microdamping, FadesWithTheSquareOfTheSpeed) {
    const MicrodampedLuGre law{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = c95_curve, .fade = {.vc = 0.02}};
    EXPECT_EQ(law.damping(0.0), 300);
    EXPECT_DOUBLE_EQ(law.damping(0.02), 300 / e);
    EXPECT_DOUBLE_EQ(law.damping(-0.04), 300 * std::exp(-4.0));
    EXPECT_NEAR(force(law, 0.0, 0.02), (300 / e + 0.4) * 0.02, 1e-14);
    // d(sigma1(v) v)/dv = sigma1 (1 - 2 (v/vc)^2) exp(-(v/vc)^2)
    EXPECT_NEAR(jacobian(law, {0}, 0.02).force_v, 300 * (1 - 2) / e + 0.4, 1e-11);
}

// P4: |v| sigma1(v) < 4 g(v); sufficient: vc < 4 sqrt(2 e) Fc/sigma1 (printed 4 sqrt(2) e). C95: 0.0295 m/s.
TEST(Microdamping, BoundOnVcEqualsTheCorrectedFormula) {
    const double vc = 4 * std::sqrt(2 * e) / std::sqrt(1e5);
    EXPECT_NEAR(vc, 0.0295, 5e-5);
    for (const double factor : {0.999, 1.001}) {
        const basic_fade<double> fade{.vc = vc * factor};
        double largest = 0;
        for (int i = 1; i < 100000; ++i) largest = std::max(largest, i * 1e-6 * std::sqrt(1e5) * fade(i * 1e-6));
        EXPECT_EQ(largest < 4 * 1.0, factor < 1) << "against Fc = 1";
    }
}

// ---- viscous terms and directions ----------------------------------------------------------------------------------

struct QuadraticDrag {
    double c = 3;
    template <class S>
    S operator()(const S& v) const noexcept {
        return v * abs(v) * c;
    }
};

// Oracle: Fc + sigma2 v + c v^2 far above vs, and its slope sigma2 + 2 c |v|. Tolerance: rounding.
TEST(ViscousTerm, AddsAnyCallableToSigma2) {
    const basic_lugre<double, Stribeck, NoFade, QuadraticDrag> law{
        .sigma0 = 1e5, .sigma1 = 300, .sigma2 = 0.4, .curve = c95_curve, .extra = {.c = 3}};
    Contact contact{law};
    EXPECT_NEAR(contact.step(0.5, 10).force_end, 1 + 0.4 * 0.5 + 3 * 0.25, 1e-13);
    EXPECT_NEAR(contact.step(-0.5, 10).force_end, -1 - 0.4 * 0.5 - 3 * 0.25, 1e-13);
    EXPECT_NEAR(contact.respond(-0.5, 1e-3).slope, 0.4 + 2 * 3 * 0.5, 1e-9);
}

// Oracle: Fc + sigma2 |v| with sigma2 = 0.4 N s/m for v > 0 and 2 N s/m for v < 0. Tolerance: rounding.
TEST(ViscousTerm, HasASeparateCoefficientForNegativeVelocity) {
    LuGre law = c95;
    law.sigma2_negative = 2;
    Contact contact{law};
    EXPECT_NEAR(contact.step(0.5, 10).force_end, 1 + 0.2, 1e-13);
    EXPECT_NEAR(contact.step(-0.5, 10).force_end, -1 - 1, 1e-13);
}

// Oracles: M05 (2) at 0.02 m/s and K08 (43) at 1e-4 m/s. Tolerance: rounding.
TEST(LuGreLaw, OverOtherCurvesSettlesOnThem) {
    Contact makkar{MakkarLuGre{.sigma0 = 1e4, .sigma2 = 0.01, .curve = {0.25, 100, 10, 0.1, 100}}};
    const double steady = 0.25 * (std::tanh(2.0) - std::tanh(0.2)) + 0.1 * std::tanh(2.0);
    EXPECT_NEAR(makkar.step(0.02, 100).force_end, steady + 0.01 * 0.02, 1e-15);
    Contact smooth{SmoothLuGre{.sigma0 = 1e5, .curve = {1, 1.5, 1e-3, 2, 1e4}}};
    const double t = std::tanh(1.0);
    EXPECT_NEAR(smooth.step(1e-4, 100).force_end, (1 + 0.5 * std::exp(-0.01 * t * t)) * t, 1e-14);
}

// ---- P3: passive or not --------------------------------------------------------------------------------------------

// Deflects z slowly, jumps to 100 m/s while F < 0 (sigma0 z above Fc (1 + sigma2/sigma1)), returns.
// Returns the smallest work of such a cycle [J], over the deflections at which the slow part ends.
double least_work_per_cycle(double fraction_of_limit) {
    LuGre law = c95;
    law.sigma2 = law.sigma2_negative = fraction_of_limit * law.sigma1 * 0.5;  // limit: sigma1 (Fs - Fc)/Fc
    const double low = (1 + law.sigma2 / law.sigma1) / 1e5, fast = 100;
    double least = INFINITY;
    for (double open = 0.3; open > 1e-4; open *= 0.8) {
        const double high = std::max(low, 1.2e-5) + (1.5e-5 - std::max(low, 1.2e-5)) * (1 - open);
        if (high <= low) continue;
        // durations from the closed form
        const double slow = 1e-6, up = 1.5e-5 / slow * std::log((1.5e-5 - low) / (1.5e-5 - high));
        const double down = 1e-5 / fast * std::log((high - 1e-5) / (low - 1e-5));
        Contact contact{law};
        contact.set({low});
        const double work = contact.step(slow, up).work + contact.step(fast, down).work;
        EXPECT_NEAR(contact.state().z, low, 1e-11) << "a closed cycle";  // g(1e-6) is 1.5 - 5e-7
        least = std::min(least, work);
    }
    return least;
}
TEST(Passivity, EnergyCanBeExtractedBelowTheLimitAndNotAboveIt) {
    EXPECT_NEAR(least_work_per_cycle(0.9), -7.0e-4, 0.05e-4);  // closed form, deflected to 0.99 of the range
    EXPECT_GT(least_work_per_cycle(0.999), least_work_per_cycle(0.9));
    EXPECT_EQ(least_work_per_cycle(1.02), INFINITY) << "F >= 0 inside the bound: no such cycle";
}

}  // namespace bristle::test
