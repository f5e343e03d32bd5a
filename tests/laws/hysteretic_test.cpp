// laws/hysteretic.hpp: the branch rule, the shift rules and their order, and the energy that can be extracted.
#include "../support/oracle.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

Hysteretic b05(ShiftRule rule, double a = 2e-6, double a_scale = 1) {
    return {.sigma0 = 1e5,
            .sigma1 = std::sqrt(1e5),
            .sigma2 = 0.4,
            .curve = c95_curve,
            .a = a,
            .a_rule = rule,
            .a_scale = a_scale};
}

// ---- branch --------------------------------------------------------------------------------------------------------

TEST(HystereticLaw, WithoutShiftEqualsLuGre) {
    Random random(1);
    Contact shifted{b05(ShiftRule::constant, 0)};
    Contact lugre{c95};
    for (int i = 0; i < 2000; ++i) {
        const double v = random.sign() * random.log_uniform(1e-9, 1), dt = random.log_uniform(1e-6, 0.1);
        const auto a = shifted.step(v, dt), b = lugre.step(v, dt);
        ASSERT_NEAR(a.force, b.force, 4e-15 * (std::fabs(b.force) + 320 * std::fabs(v) + 1));
        ASSERT_NEAR(shifted.state().z, lugre.state().z, 1e-20);
    }
}

// B05 (8): w = v + a while v rises, v - a while it falls; our choice: w = v while v is held.
TEST(HystereticLaw, BranchFollowsTheSignOfTheAcceleration) {
    const auto law = b05(ShiftRule::constant);
    const double v = 1e-6, z_ss = 1.5e-5 * (1 - 1e-6 / 3);  // g(1 um/s) = 1.5 - 5e-7 N
    const auto z_after = [&](double previous) {
        Contact contact{law};
        contact.set({0, previous});
        contact.step(v, 2);
        EXPECT_EQ(contact.state().v, v) << "stores the velocity";
        return contact.state().z;
    };
    EXPECT_NEAR(z_after(0), z_ss * (1 - std::exp(-3e-6 * 2 / z_ss)), 1e-17);      // w = 3 um/s
    EXPECT_NEAR(z_after(v), z_ss * (1 - std::exp(-1e-6 * 2 / z_ss)), 1e-17);      // held
    EXPECT_NEAR(z_after(2e-6), -z_ss * (1 - std::exp(-1e-6 * 2 / z_ss)), 1e-17);  // w = -1 um/s
}

// Oracle: B05 (8), w - sigma0 |w| z/g(v) with w = v + b a. Tolerance: rounding.
TEST(HystereticLaw, RateUsesTheBranchAndTheShiftAtItsDeflection) {
    const double z = -5e-6, v = 1e-4, g = 1 + 0.5 * std::exp(-0.01);
    struct Case {
        ShiftRule rule;
        double shift;
    };
    for (const auto& [rule, shift] : {Case{ShiftRule::constant, 2e-6}, {ShiftRule::min, 2e-6}, {ShiftRule::max, 5e-6}})
        for (const double b : {-1.0, 0.0, 1.0}) {
            const double w = v + b * shift;
            EXPECT_NEAR(rate(b05(rule), z, v, 1.0, b), w - 1e5 * w * z / g, 1e-18);
        }
    EXPECT_NEAR(rate(b05(ShiftRule::min), 1e-6, v, 1.0, 1.0), (v + 1e-6) * (1 - 0.1 / g), 1e-18) << "min(a, |z|)";
    EXPECT_EQ(rate(b05(ShiftRule::max), z, v), rate(c95, z, v)) << "held: no shift";
}

// Oracle: A08 (3) at v = -vs: -(Fc + (Fs - Fc)/e) - sigma2 |v|. Tolerance: rounding.
TEST(HystereticLaw, HeldVelocitySettlesOnTheCurve) {
    for (const ShiftRule rule : {ShiftRule::constant, ShiftRule::min, ShiftRule::max}) {
        Contact contact{b05(rule)};
        for (int i = 0; i < 5; ++i) contact.step(-1e-3, 1);
        EXPECT_NEAR(contact.step(-1e-3, 1).force_end, -(1 + 0.5 / std::exp(1.0)) - 0.4e-3, 1e-13);
    }
}

// ---- order ---------------------------------------------------------------------------------------------------------

// v rises throughout, so b = 1; the shift depends on |z|. Error of z. Oracle: Runge-Kutta of B05 (8).
double error_with(ShiftRule rule, int steps) {
    const wide end = 1, a = 2e-6L, scale = 0.4L;
    const auto v = [](wide t) { return 1e-6L * (1 + t + 0.3L * t * t); };
    const auto slope = [&](wide t, wide z) {
        const wide drawn = scale * std::fabs(z),
                   shift = rule == ShiftRule::min ? std::min(a, drawn) : std::max(a, drawn);
        const wide w = v(t) + shift, g = 1 + 0.5L * std::exp(-(v(t) / 1e-3L) * (v(t) / 1e-3L));
        return w - 1e5L * std::fabs(w) * z / g;
    };
    const double from = rule == ShiftRule::min ? 1e-6 : 6e-6;  // z at which the shift depends on z
    Contact contact{b05(rule, 2e-6, 0.4)};
    contact.set({from, 0});
    for (int i = 0; i < steps; ++i) contact.step(double(v((i + 0.5L) * end / steps)), double(end / steps));
    return std::fabs(double(num(contact.state().z) - runge_kutta(slope, from, 0, end, 5000)));
}
// Tolerance 0.3: the order is the mean over two halvings of dt.
TEST(HystereticLaw, MinAndMaxRulesAreOfSecondOrderInDt) {
    for (const ShiftRule rule : {ShiftRule::min, ShiftRule::max}) {
        const double coarse = error_with(rule, 10), fine = error_with(rule, 40);
        const double order = 0.5 * std::log2(coarse / fine);
        std::printf("    order %.2f, error %.1e of 1.5e-5 m\n", order, fine);
        EXPECT_NEAR(order, 2, 0.3);
        EXPECT_LT(fine, 1e-9);
    }
}

// ---- energy --------------------------------------------------------------------------------------------------------

// Not passive: a sawtooth inside (-a, 0), rising in 40 s and falling at once, keeps w = v + a > 0, z > 0 and F v < 0.
// Oracle: with z at Fs/sigma0 every cycle extracts Fs V/2 * 40 s = 3.0e-5 J.
TEST(HystereticLaw, SawtoothInsideTheShiftExtractsEnergyInEveryCycle) {
    Contact contact{b05(ShiftRule::constant)};
    const int n = 4000;
    double taken = 0;
    for (int cycle = 0; cycle < 6; ++cycle) {
        taken = 0;
        double stored = contact.stored();
        for (int i = 0; i < n; ++i) taken -= contact.step(-1e-6 + 1e-6 * (i + 0.5) / n, 40.0 / n).work;
        stored -= contact.stored();
        if (cycle == 5) {
            EXPECT_NEAR(stored, 0, 1e-9) << "the stored energy does not change";
        }
    }
    EXPECT_NEAR(taken, 3.0e-5, 0.03e-5);
}

}  // namespace bristle::test
