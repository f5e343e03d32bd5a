// laws/static.hpp: values by formula, stick at rest, slopes, both load conventions.
#include "../support/oracle.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

const double e = std::exp(1.0);

// Oracles: Fc sgn v + sigma2 v, A08 (3), K08 (43), M05 (2). Tolerance: rounding.
TEST(StaticLaws, ForcesEqualTheirFormulas) {
    const Coulomb coulomb{.curve = {.Fc = 2, .Fs = 3}, .sigma2 = 0.5};
    EXPECT_EQ(force(coulomb, 4.0), 4);
    EXPECT_EQ(force(coulomb, -4.0), -4);

    const StribeckFriction stribeck{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}, .sigma2 = 0.4};
    EXPECT_DOUBLE_EQ(force(stribeck, 1e-3), 1 + 0.5 / e + 0.4e-3);  // A08 (3)
    EXPECT_DOUBLE_EQ(force(stribeck, -0.1), -1.04);

    const SmoothFriction smooth{.curve = {1, 1.5, 1e-3, 2, 1e4}, .sigma2 = 0.4};
    const double t = std::tanh(2.0);
    EXPECT_DOUBLE_EQ(force(smooth, 2e-4), (1 + 0.5 * std::exp(-0.04 * t * t)) * t + 0.4 * 2e-4);  // K08 (43)

    const Makkar makkar{.curve = {0.25, 100, 10, 0.1, 100}, .sigma2 = 0.01};
    EXPECT_NEAR(force(makkar, 0.01), 0.25 * (std::tanh(1.0) - std::tanh(0.1)) + 0.1 * std::tanh(1.0) + 1e-4, 1e-16);
    EXPECT_EQ(force(makkar, 0.0), 0);
}

// All work is dissipated at once; no energy is stored.
TEST(StaticLaws, DissipateAllWork) {
    Contact contact{StribeckFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}, .sigma2 = 0.4}};
    const auto step = contact.step(-0.1, 0.02);
    EXPECT_DOUBLE_EQ(step.work, 1.04 * 0.1 * 0.02);
    EXPECT_EQ(step.dissipation, step.work);
    EXPECT_EQ(contact.stored(), 0);
}

TEST(StaticLaws, StickOnlyIfTheLevelAtRestIsPositive) {
    static_assert(SticksExactly<Coulomb> && SticksExactly<StribeckFriction> &&
                  SticksExactly<basic_static<double, Table>>);
    static_assert(!SticksExactly<SmoothFriction> && !SticksExactly<Makkar> && !SticksExactly<LuGre>);
    const StribeckFriction law{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}, .sigma2 = 0.4};
    EXPECT_EQ(holding_force(law, 1.0), 1.5);
    EXPECT_EQ(holding_force(law, -1.0, 2.0), 3);
    EXPECT_EQ(holding_force(law, 1.0, 0.0), 0);
}

// Oracle: d/dv of A08 (3): -(Fs - Fc) 2 v/vs^2 exp(-(v/vs)^2) + sigma2; of the smooth law at rest: c Fs + sigma2.
TEST(StaticLaws, SlopesEqualTheirFormulas) {
    const StribeckFriction law{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}, .sigma2 = 0.4};
    EXPECT_NEAR(slope(law, 1e-3), -0.5 * 2e3 / e + 0.4, 1e-11);
    EXPECT_NEAR(slope(law, -1e-3), -0.5 * 2e3 / e + 0.4, 1e-11);
    const SmoothFriction smooth{.curve = {1, 1.5, 1e-3, 2, 1e4}, .sigma2 = 0.4};
    EXPECT_NEAR(slope(smooth, 0.0), 1.5e4 + 0.4, 1e-11);
    const Makkar makkar{.curve = {0.25, 100, 10, 0.1, 100}, .sigma2 = 0.01};
    EXPECT_NEAR(slope(makkar, 0.0), 0.25 * 90 + 10 + 0.01, 1e-14);
}

// M05 section III: the whole law is a coefficient, multiplied by M g. LoadOn::all is K08 (1).
TEST(StaticLaws, LoadMultipliesTheCurveOrTheWholeForce) {
    Makkar law{.curve = {0.25, 100, 10, 0.1, 100}, .sigma2 = 0.01};
    const double mu = 0.25 * (std::tanh(20.0) - std::tanh(2.0)) + 0.1 * std::tanh(20.0);
    EXPECT_NEAR(force(law, 0.2, 9.81), 9.81 * mu + 0.002, 1e-15);
    law.load_on = LoadOn::all;
    EXPECT_NEAR(force(law, 0.2, 9.81), 9.81 * (mu + 0.002), 1e-15);
    EXPECT_EQ(force(law, 0.2, 0.0), 0);
}

TEST(StaticLaws, ViscousTermHasASeparateCoefficientForNegativeVelocity) {
    Coulomb law{.curve = {.Fc = 2}, .sigma2 = 0.5, .sigma2_negative = 1};
    EXPECT_EQ(force(law, 4.0), 4);
    EXPECT_EQ(force(law, -4.0), -6);
}

// F v >= 0 for every speed and every set that the rules permit.
TEST(StaticLaws, ForceTimesVelocityIsNotNegative) {
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        MakkarCurve curve{.g1 = random.log_uniform(0.01, 10), .g3 = random.log_uniform(0.1, 100), .g4 = 0, .g5 = 0};
        curve.g2 = curve.g3 * random.log_uniform(1, 100);
        const double v = random.sign() * random.log_uniform(1e-9, 10);
        ASSERT_TRUE(usable(Makkar{.curve = curve}));
        ASSERT_GE(force(Makkar{.curve = curve}, v) * v, 0);
    }
}

}  // namespace bristle::test
