// curve.hpp: levels against the formulas of the papers, limits, conductances, tables between their points, directions.
#include "support/oracle.hpp"
#include "conformance/samples.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

const double e = std::exp(1.0);

// ---- A08 (4) -------------------------------------------------------------------------------------------------------

TEST(StribeckCurve, EqualsA08Equation4) {
    const Stribeck gauss{.Fc = 1, .Fs = 1.5, .vs = 1e-3};  // C95, alpha = 2
    EXPECT_DOUBLE_EQ(level(gauss, 0.0), 1.5);
    EXPECT_DOUBLE_EQ(level(gauss, 1e-3), 1 + 0.5 / e);
    EXPECT_DOUBLE_EQ(level(gauss, -2e-3), 1 + 0.5 / std::pow(e, 4));
    EXPECT_EQ(level(gauss, 1.0), 1);

    const Stribeck stiff{.Fc = 2.94, .Fs = 5.88, .vs = 1e-3, .alpha = 1};  // A08 fig 2
    EXPECT_DOUBLE_EQ(level(stiff, 1e-3), 2.94 * (1 + 1 / e));
    EXPECT_DOUBLE_EQ(level(stiff, -3e-3), 2.94 * (1 + std::exp(-3.0)));

    const Stribeck root{.Fc = 1, .Fs = 3, .vs = 4e-3, .alpha = 0.5};
    EXPECT_DOUBLE_EQ(level(root, 1e-3), 1 + 2 / std::sqrt(e));
}

TEST(StribeckCurve, SteadyForceHasTheSignOfVelocityAndAtRestTheLimitFromAbove) {
    const Stribeck curve{.Fc = 1, .Fs = 1.5, .vs = 1e-3};
    EXPECT_DOUBLE_EQ(steady(curve, -1e-3), -(1 + 0.5 / e));
    EXPECT_EQ(steady(curve, 0.0), 1.5);
    EXPECT_EQ(conductance(curve, 0.0), 0);
    EXPECT_EQ(curve.static_level(1), 1.5);
    EXPECT_EQ(curve.static_level(-1), 1.5);
}

TEST(StribeckCurve, RisingCurveHasItsPeakAtHighSpeed) {
    const Stribeck rising{.Fc = 2, .Fs = 1.5, .vs = 1e-3, .allow_rising = true};
    EXPECT_EQ(rising.peak(), 2);
    EXPECT_EQ(rising.floor(), 1.5);
    EXPECT_EQ(rising.static_level(1), 1.5);
    EXPECT_LT(level(rising, 1e-4), level(rising, 1e-3));
}

// |v| g'(v) -> 0 also if g' is infinite at v = 0 (alpha < 1): the slope of the conductance is finite, 1/Fs.
TEST(StribeckCurve, ConductanceHasAFiniteSlopeAtRestForEveryExponent) {
    using D = Dual<double, 1>;
    for (const double alpha : {0.5, 0.75, 1.0, 1.5, 2.0}) {
        const Stribeck curve{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .alpha = alpha};
        EXPECT_DOUBLE_EQ(conductance(curve, D::variable(0.0)).d[0], 1 / 1.5) << alpha;
        EXPECT_NEAR(conductance(curve, D::variable(1e-300)).d[0], 1 / 1.5, 1e-15) << alpha;
    }
}

// ---- Coulomb -------------------------------------------------------------------------------------------------------

TEST(LevelCurve, IsFcInSlidingAndFsAtRest) {
    const Level level_curve{.Fc = 2, .Fs = 3};
    EXPECT_EQ(steady(level_curve, 5.0), 2);
    EXPECT_EQ(steady(level_curve, -5.0), -2);
    EXPECT_EQ(level_curve.static_level(1), 3);
    EXPECT_EQ(level_curve.peak(), 3);
    EXPECT_EQ((Level{.Fc = 2}.Fs), 2) << "Fs defaults to Fc";
}

// ---- K08 (43), erratum E1 ------------------------------------------------------------------------------------------

const SmoothStribeck smooth{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .alpha = 2, .c = 1e4};

// Oracle: K08 (43) in long double. Tolerance: two roundings.
TEST(SmoothCurve, EqualsK08Equation43) {
    for (const double v : {1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 5e-3, 1.0}) {
        const wide t = std::tanh(1e4L * v), ratio = v / 1e-3L * t;
        const double F = double((1 + 0.5L * std::exp(-ratio * ratio)) * t);
        EXPECT_NEAR(steady(smooth, v), F, 4e-16 * F) << v;
        EXPECT_EQ(steady(smooth, -v), -steady(smooth, v));
    }
    EXPECT_EQ(steady(smooth, 0.0), 0);
    EXPECT_EQ(smooth.static_level(1), 0) << "a smooth contact holds no force at rest";
    EXPECT_NEAR(steady(smooth, 1.0), 1, 1e-15);
}

// Erratum E1: v/(mu tanh(c v)) is positive at rest, 1/(c Fs).
TEST(SmoothCurve, ConductanceAtRestIsOneOverCFs) {
    EXPECT_DOUBLE_EQ(conductance(smooth, 0.0), 1 / (1e4 * 1.5));
    EXPECT_NEAR(conductance(smooth, 1e-12), 1 / (1e4 * 1.5), 1e-19);
}

// Erratum E1: as printed in K08 (44), a bristle settles at mu/tanh(c v): 100 Fs at c v = 0.01, unbounded as v -> 0.
TEST(SmoothCurve, PrintedConductanceGivesAnUnboundedSteadyForce) {
    const SmoothStribeckPrinted printed{{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .alpha = 2, .c = 1e4}};
    const double v = 1e-6;                                             // c v = 0.01
    EXPECT_NEAR(steady(printed, v) / 1.5, 1 / std::tanh(0.01), 1e-4);  // exp(-(1e-3 0.01)^2) = 1 - 1e-10
    EXPECT_NEAR(steady(printed, v) / 1.5, 100, 0.01);
    EXPECT_GT(steady(printed, 1e-9), 1e4 * printed.peak());
    EXPECT_FALSE(SmoothStribeckPrinted::bounded);
    EXPECT_TRUE(SmoothStribeck::bounded);
    LuGreOver<SmoothStribeckPrinted> law{.sigma0 = 1e5, .curve = printed};
    Contact contact{law};
    EXPECT_NEAR(contact.step(v, 1e6).force_end, 150, 0.02) << "a bristle that settles there violates P1";
}

// K08 (43): a held force F < Fs creeps at atanh(F/Fs)/c, if v << vs.
TEST(SmoothCurve, HeldForceCreepsAtAtanhOverC) {
    for (const double F : {0.1, 0.75, 1.4}) {
        EXPECT_NEAR(smooth.creep(F), std::atanh(F / 1.5) / 1e4, 1e-19);
        const SmoothStribeck sharp{.Fc = 1, .Fs = 1.5, .vs = 1, .alpha = 2, .c = 1e4};
        EXPECT_NEAR(steady(sharp, sharp.creep(F)), F, 1e-7 * F);  // (v/vs)^2 of 1e-8
    }
}

// C1 for alpha > 1/2; at alpha = 1/2 the slope of the level jumps at v = 0, and the one from above is used.
TEST(SmoothCurve, SlopesAtRestAreTheLimitsFromAbove) {
    using D = Dual<double, 1>;
    for (const double alpha : {0.5, 0.75, 1.0, 1.5, 2.0}) {
        const SmoothStribeck curve{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .alpha = alpha, .c = 1e4};
        const auto grip = bristle::grip(curve, D::variable(0.0));
        EXPECT_DOUBLE_EQ(grip.steady.d[0], 1.5e4) << alpha;
        // oracle: d(1/(c g))/dv with g = Fs - (Fs - Fc) |v| sqrt(c/vs) near 0 for alpha = 1/2
        const double slope = alpha == 0.5 ? 0.5 * std::sqrt(1e4 / 1e-3) / (1e4 * 1.5 * 1.5) : 0;
        EXPECT_NEAR(grip.conductance.d[0], slope, 1e-15) << alpha;
    }
}

// ---- M05 (2) -------------------------------------------------------------------------------------------------------

const MakkarCurve combined{.g1 = 0.25, .g2 = 100, .g3 = 10, .g4 = 0.1, .g5 = 100};  // M05 figs 18-21

// Oracle: M05 (2) without its viscous term, in long double; at v = 0 the conductance is 1/(g1 (g2 - g3) + g4 g5).
TEST(MakkarCurveLevel, EqualsM05Equation2) {
    for (const double v : {1e-9, 1e-4, 1e-2, 0.1, 1.0}) {
        const wide V = v, F = 0.25L * (std::tanh(100 * V) - std::tanh(10 * V)) + wide(0.1) * std::tanh(100 * V);
        EXPECT_NEAR(steady(combined, v), double(F), 1e-16) << v;
        EXPECT_EQ(steady(combined, -v), -steady(combined, v));
    }
    EXPECT_DOUBLE_EQ(conductance(combined, 0.0), 1 / (0.25 * 90 + 0.1 * 100));
}

// Oracle: a dense scan. M05 states a static level of about g1 + g4; the peaks of its own sets are 18 % and 23 % lower.
TEST(MakkarCurveLevel, PeakEqualsTheMaximumOfADenseScan) {
    struct Set {
        MakkarCurve curve;
        double below;  // the peak, as a fraction of g1 + g4
    };
    for (const auto& [curve, below] :
         {Set{combined, 0.177}, Set{{.g1 = 0.25, .g2 = 100, .g3 = 10, .g4 = 0, .g5 = 0}, 0.231}}) {
        wide top = 0;
        for (int i = 1; i < 200000; ++i) top = std::max(top, samples::level_formula(curve, i * 1e-6L));
        EXPECT_NEAR(curve.peak(), double(top), 1e-10);
        EXPECT_NEAR(1 - curve.peak() / (curve.g1 + curve.g4), below, 1e-3);
    }
    EXPECT_EQ((MakkarCurve{.g1 = 0, .g2 = 0, .g3 = 0, .g4 = 0.1, .g5 = 100}.peak()), 0.1) << "approached, not reached";
    EXPECT_EQ((MakkarCurve{.g1 = 0, .g2 = 0, .g3 = 0, .g4 = 0, .g5 = 0}.peak()), 0);
}

TEST(MakkarCurveLevel, PeakOfRandomSetsIsNotBelowTheCurve) {
    Random random(3);
    for (int set = 0; set < 300; ++set) {
        MakkarCurve curve;
        samples::draw(random, curve);
        const double peak = curve.peak();
        for (int i = 0; i < 300; ++i) {
            const double v = random.log_uniform(1e-6, 10);
            ASSERT_LE(steady(curve, v), peak * (1 + 0x1p-51)) << v;
        }
    }
}

// ---- measured points -----------------------------------------------------------------------------------------------

Table table(std::initializer_list<std::pair<double, double>> points) {
    Table t;
    for (const auto& [v, g] : points) {
        t.v[t.size] = v;
        t.g[t.size++] = g;
    }
    return t;
}
const Table measured = table({{1e-3, 1.5}, {2e-3, 1.2}, {1e-2, 1.0}, {5e-2, 1.0}, {0.1, 1.3}, {0.5, 1.1}});

TEST(TableCurve, PassesThroughItsPointsAndIsConstantOutside) {
    for (int i = 0; i < measured.size; ++i) {
        EXPECT_DOUBLE_EQ(level(measured, measured.v[i]), measured.g[i]);
        EXPECT_DOUBLE_EQ(steady(measured, -measured.v[i]), -measured.g[i]);
    }
    EXPECT_EQ(level(measured, 0.0), 1.5);
    EXPECT_EQ(level(measured, 1e-5), 1.5);
    EXPECT_EQ(level(measured, 100.0), 1.1);
    EXPECT_EQ(measured.peak(), 1.5);
    EXPECT_EQ(measured.floor(), 1.0);
    EXPECT_EQ(measured.static_level(-1), 1.5);
}

TEST(TableCurve, IsMonotoneBetweenPoints) {
    Random random(4);
    for (int set = 0; set < 200; ++set) {
        Table t;
        t.size = 2 + random.below(Table::capacity - 1);
        double v = chance(random, 0.5) ? 0 : random.log_uniform(1e-4, 1e-2);
        for (int i = 0; i < t.size; ++i, v += random.log_uniform(1e-4, 1)) {
            t.v[i] = v;
            t.g[i] = i && chance(random, 0.2) ? t.g[i - 1] : random.log_uniform(0.1, 10);
        }
        ASSERT_TRUE(usable(t));
        for (int i = 0; i + 1 < t.size; ++i) {
            double last = t.g[i];
            const double up = t.g[i + 1] - t.g[i];
            for (int k = 1; k <= 50; ++k) {
                const double now = level(t, t.v[i] + (t.v[i + 1] - t.v[i]) * k / 50);
                ASSERT_GE((now - last) * up, -1e-15 * std::fabs(up)) << "set " << set << " piece " << i;
                if (up == 0) {
                    ASSERT_DOUBLE_EQ(now, t.g[i]);
                }
                last = now;
            }
        }
    }
}

// Oracle: central differences with a relative step of 1e-7. Tolerance: 1e-5, above their rounding error.
TEST(TableCurve, SlopeByDualNumbersEqualsTheDifferenceQuotient) {
    using D = Dual<double, 1>;
    for (const double v : {1.5e-3, 4e-3, 7e-2, 0.3, -4e-3}) {
        const double h = 1e-7 * std::fabs(v), difference = (level(measured, v + h) - level(measured, v - h)) / (2 * h);
        EXPECT_NEAR(level(measured, D::variable(v)).d[0], difference, 1e-5 * std::fabs(difference)) << v;
    }
}

// ---- both directions -----------------------------------------------------------------------------------------------

TEST(DirectionalCurve, UsesSeparateParametersForNegativeVelocity) {
    const Directional<Stribeck> curve{.positive = {.Fc = 1, .Fs = 1.5, .vs = 1e-3},
                                      .negative = {.Fc = 2, .Fs = 2.5, .vs = 1e-2, .alpha = 1}};
    EXPECT_DOUBLE_EQ(steady(curve, 1e-3), 1 + 0.5 / e);
    EXPECT_DOUBLE_EQ(steady(curve, -1e-2), -2 - 0.5 / e);
    EXPECT_EQ(steady(curve, 0.0), 1.5);
    EXPECT_EQ(curve.static_level(1.0), 1.5);
    EXPECT_EQ(curve.static_level(-1.0), 2.5);
    EXPECT_EQ(curve.peak(), 2.5);
    EXPECT_EQ(curve.floor(), 1);
    EXPECT_FALSE(curve.odd);
}

// ---- all of them ---------------------------------------------------------------------------------------------------

template <class Curve>
class EveryCurve : public testing::Test {};
using Curves = testing::Types<Level, Stribeck, SmoothStribeck, MakkarCurve, Table, Directional<Stribeck>,
                              Directional<SmoothStribeck>, SmoothStribeckPrinted>;
TYPED_TEST_SUITE(EveryCurve, Curves);

// Tolerance: 4 roundings, over thirteen decades of speed; no level above the peak if the curve is bounded.
TYPED_TEST(EveryCurve, ConductanceTimesLevelEqualsSpeed) {
    Random random(5);
    for (int i = 0; i < 20000; ++i) {
        TypeParam curve;
        samples::draw(random, curve);
        const double v = random.sign() * random.log_uniform(1e-12, 10), g = level(curve, v);
        // Makkar's level is a difference of two tanh: some roundings of g1 + g4
        double lost = 4;
        if constexpr (std::same_as<TypeParam, MakkarCurve>)
            lost *= 1 + (curve.g1 + curve.g4) / g * std::tanh(curve.g2 * std::fabs(v));
        ASSERT_NEAR(conductance(curve, v) * g, std::fabs(v), lost * 0x1p-52 * std::fabs(v)) << v;
        if constexpr (TypeParam::bounded && !std::same_as<TypeParam, MakkarCurve>) {
            ASSERT_LE(g, curve.peak() * (1 + 0x1p-52));
        }
    }
}

// The zone contains the speeds at which the level of a sticking curve changes: at most 2 % of the change lies outside.
TYPED_TEST(EveryCurve, ZoneContainsTheSpeedsAtWhichTheLevelChanges) {
    TypeParam curve;
    samples::typical(curve);
    const auto zone = curve.zone();
    EXPECT_LE(zone.low, zone.high);
    EXPECT_GE(zone.low, 0);
    if constexpr (TypeParam::sticks) {
        const double range = level(curve, 1e-300) - level(curve, 1e9);
        EXPECT_NEAR(level(curve, 1e-300), level(curve, zone.low), 0.02 * std::fabs(range));
        EXPECT_NEAR(level(curve, 1e9), level(curve, zone.high), 0.02 * std::fabs(range));
    }
}
TEST(Stribeck, ZoneContainsTheDropForEveryExponent) {
    for (const double alpha : {0.5, 0.7, 1.0, 1.5, 2.0}) {
        const Stribeck curve{.Fc = 1, .Fs = 2, .vs = 1e-3, .alpha = alpha};
        EXPECT_LE(2 - level(curve, curve.zone().low), 0.0101) << alpha;
        EXPECT_LE(level(curve, curve.zone().high) - 1, 1e-4) << alpha;
    }
    const auto usual = Stribeck{.Fc = 1, .Fs = 2, .vs = 1e-3}.zone();  // alpha = 2: 1 % of the drop at 0.1 vs
    EXPECT_NEAR(usual.low, 1e-4, 1e-16);
    EXPECT_NEAR(usual.high, 1e-2, 1e-14);
}

}  // namespace bristle::test
