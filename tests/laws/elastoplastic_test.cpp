// laws/elastoplastic.hpp: the transition of Dupont et al., order of the step, no drift below breakaway, slopes.
#include "../support/oracle.hpp"
#include <gtest/gtest.h>
#include <numbers>

namespace bristle::test {

const ElastoPlastic law{.sigma0 = 1e5, .sigma1 = std::sqrt(1e5), .sigma2 = 0.4, .curve = c95_curve, .kappa = 0.6};

// ---- oracle: the model as printed by Dupont et al. (2002) ---------------------------------------------------------

wide level_of(wide v) { return 1 + 0.5L * std::exp(-(v / 1e-3L) * (v / 1e-3L)); }

// alpha(z, v) = (1 + sin(pi (|z| - (zmax + zba)/2)/(zmax - zba)))/2 between z_ba and z_ss
wide alpha_of(wide z, wide v, wide kappa) {
    const wide zmax = level_of(v) / 1e5L, zba = kappa * zmax, size = std::fabs(z);
    if (sgn(z) != sgn(v) || size <= zba) return 0;
    if (size >= zmax) return 1;
    return (1 + std::sin(std::numbers::pi_v<wide> * (size - (zmax + zba) / 2) / (zmax - zba))) / 2;
}
wide rate_of(wide z, wide v) { return v * (1 - alpha_of(z, v, 0.6L) * z / (sgn(v) * level_of(v) / 1e5L)); }

TEST(ElastoPlasticLaw, RateEqualsTheFormulaOfDupontInAllZones) {
    for (const double v : {1e-5, -1e-5, 1e-3, -0.1})
        for (double z = -1.6e-5; z < 1.6e-5; z += 0.7e-7)
            ASSERT_NEAR(rate(law, z, v), double(rate_of(z, v)), 4e-15 * std::fabs(v)) << "z " << z << " v " << v;
}

// Oracle: rate v (1 - alpha z/z_ss) of Dupont et al. with kappa = 0.6: alpha = 0, 1/2 and 1. Tolerance: rounding.
TEST(ElastoPlasticLaw, TransitionIsElasticBelowZbaAndSlidesAtZss) {
    const double z_ss = 1.0 / 1e5;  // v far above vs
    EXPECT_EQ(rate(law, 0.6 * z_ss * (1 - 1e-15), 0.1), 0.1) << "elastic up to z_ba";
    EXPECT_NEAR(rate(law, z_ss, 0.1), 0, 1e-17) << "sliding at z_ss";
    EXPECT_NEAR(rate(law, 0.8 * z_ss, 0.1), 0.1 * (1 - 0.5 * 0.8), 1e-16) << "alpha = 1/2 halfway";
    EXPECT_EQ(rate(law, -z_ss, 0.1), 0.1) << "elastic after a reversal";
    EXPECT_NEAR(rate(law, 1.2 * z_ss, 0.1), 0.1 * (1 - 1.2), 1e-16) << "LuGre beyond z_ss";
}

TEST(ElastoPlasticLaw, ConstantBreakawayDeflectionIsAnOption) {
    ElastoPlastic constant = law;
    constant.breakaway = Breakaway::constant;  // Dupont et al.: below the lowest level, kappa Fc/sigma0
    const double z_ba = 0.6 * 1e-5, slow = 1e-6;
    EXPECT_EQ(rate(constant, z_ba * (1 - 1e-12), slow), slow);
    EXPECT_LT(rate(constant, 1.2 * z_ba, slow), slow * (1 - 1e-3));
    EXPECT_EQ(rate(law, 1.2 * z_ba, slow), slow) << "still elastic at low speed, as a fraction of z_ss";
}

// ---- the step ------------------------------------------------------------------------------------------------------

// v(t) held at its middle over each step; returns the error of z at the end. Oracle: Runge-Kutta of the same equation.
double error_with(int steps, double from, bool held) {
    const auto v = [&](wide t) { return held ? 1e-3L : 1e-3L * (1.2L + std::sin(40 * t)); };
    const wide end = 0.03;
    Contact contact{law};
    contact.set({from});
    for (int i = 0; i < steps; ++i) contact.step(double(v((i + 0.5L) * end / steps)), double(end / steps));
    const wide exact = runge_kutta([&](wide t, wide z) { return rate_of(z, v(t)); }, from, 0, end, 20000);
    return std::fabs(double(num(contact.state().z) - exact));
}
// Tolerance: the order is 2 only as dt -> 0; the transition starts inside a step.
TEST(ElastoPlasticLaw, StepIsOfSecondOrderInDt) {
    for (const bool held : {true, false}) {
        const double coarse = error_with(40, 2e-6, held), fine = error_with(80, 2e-6, held),
                     finer = error_with(160, 2e-6, held);
        std::printf("    error ratios %.2f %.2f, finest %.1e m\n", coarse / fine, fine / finer, finer);
        const double order = 0.5 * std::log2(coarse / finer);
        EXPECT_NEAR(order, 2, 0.35) << (held ? "held" : "varying");
        EXPECT_LT(finer, 1e-8);
    }
}

TEST(ElastoPlasticLaw, StepIsExactWhileElasticAndBeyondZss) {
    Contact contact{law};
    const auto elastic = contact.step(1e-4, 0.05);  // 5 um, below 0.6 * 15 um
    EXPECT_DOUBLE_EQ(contact.state().z, 5e-6);
    EXPECT_DOUBLE_EQ(elastic.force, 1e5 * 2.5e-6 + (std::sqrt(1e5) + 0.4) * 1e-4);
    EXPECT_NEAR(elastic.dissipation, std::sqrt(1e5) * 1e-4 * 5e-6 + 0.4 * 1e-8 * 0.05, 1e-20);
    contact.set({1.4e-5});  // beyond 1e-5 at high speed: relaxes as LuGre does
    contact.step(0.1, 1e-4);
    EXPECT_NEAR(contact.state().z, 1e-5 + 0.4e-5 * std::exp(-1.0), 1e-19);
}

TEST(ElastoPlasticLaw, DeflectionDoesNotPassZss) {
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const double v = random.sign() * random.log_uniform(1e-8, 10), z_ss = double(level_of(v)) / 1e5;
        Contact contact{law};
        contact.set({random.uniform(-1, 1) * z_ss});
        contact.step(v, random.log_uniform(1e-7, 10));
        ASSERT_LE(contact.state().z * (v < 0 ? -1 : 1), z_ss * (1 + 0x1p-51));
    }
}

// ---- no drift ------------------------------------------------------------------------------------------------------

// Moves the contact so slowly that its force becomes F; returns the displacement [m].
template <class Law>
double push_to(Contact<Law>& contact, double F) {
    const double dt = 1;
    double low = -1e-3, high = 1e-3;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        Contact<Law> trial = contact;
        (trial.step(middle, dt).force_end < F ? low : high) = middle;
    }
    contact.step(high, dt);
    return high * dt;
}
// An oscillating load below breakaway: LuGre drifts in every cycle, the elasto-plastic bristle does not.
TEST(ElastoPlasticLaw, DoesNotDriftBelowBreakawayWhereLuGreDoes) {
    const auto drift = [](const auto& some_law) {
        Contact contact{some_law};
        double drifted = 0;
        for (int cycle = -10; cycle < 50; ++cycle) {
            if (cycle == 0) drifted = 0;  // sigma1 dz/dt depends on the first loading to 0.3 N
            drifted += push_to(contact, 0.75) + push_to(contact, 0.3);
        }
        return drifted;
    };
    EXPECT_LT(std::fabs(drift(law)), 1e-14) << "kappa Fs = 0.9 N";
    EXPECT_GT(drift(c95), 1e-5);
}

// ---- slopes --------------------------------------------------------------------------------------------------------

// Mean force over a step, differentiated: in the elastic zone, in the transition, beyond z_ss, and across both limits.
TEST(ElastoPlasticLaw, SlopeOfTheMeanForceEqualsDifferencesInAllZones) {
    struct Zone {
        const char* name;
        double z, v, dt;
    };
    for (const auto& [name, z, v, dt] : {Zone{"elastic", 1e-6, 1e-4, 1e-2},
                                         {"into the transition", 8e-6, 2e-4, 1e-2},
                                         {"transition", 1.1e-5, 1e-4, 1e-2},
                                         {"to the end", 1.1e-5, 1e-3, 0.1},
                                         {"beyond", 1.4e-5, 2e-3, 1e-3},
                                         {"unloading", 1.1e-5, -1e-4, 1e-2},
                                         {"turning round", 1.1e-5, -1e-3, 0.1},
                                         {"backwards", -1.1e-5, -1e-4, 1e-2}}) {
        Contact contact{law};
        contact.set({z});
        const auto F = [&](double u) { return contact.respond(u, dt).force; };
        const double h = 1e-4 * std::fabs(v), narrow = (F(v + h) - F(v - h)) / (2 * h),
                     broad = (F(v + 2 * h) - F(v - 2 * h)) / (4 * h), slope = (4 * narrow - broad) / 3;
        EXPECT_NEAR(contact.respond(v, dt).slope, slope, 1e-7 * std::fabs(slope) + 1e-6) << name;
    }
}

// Oracle: (sigma0 dt/2 + sigma1) (1 - alpha z/z_ss) + sigma2 for v -> 0+, in each zone.
TEST(ElastoPlasticLaw, SlopeAtRestIsTheLimitFromAbove) {
    const double dt = 1e-3, z_ss = 1.5e-5;
    for (const double s : {-0.9, 0.0, 0.5, 0.8, 0.95}) {
        const double r = s <= 0.6 ? 1 : 1 - double(alpha_of(wide(s * z_ss), 1e-30L, 0.6L)) * s;
        const double slope = (1e5 * dt / 2 + std::sqrt(1e5)) * r + 0.4;
        Contact contact{law};
        contact.set({s * z_ss});
        EXPECT_NEAR(contact.respond(0, dt).slope, slope, 1e-9 * slope) << s;
        EXPECT_NEAR(contact.respond(1e-30, dt).slope, slope, 1e-9 * slope) << s;
        EXPECT_NEAR(jacobian(law, {s * z_ss}, 0.0).rate_v, r, 1e-14) << s;
    }
}

}  // namespace bristle::test
