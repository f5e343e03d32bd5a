// Closed hysteresis loop. Oracles: N13 (24), N13 (29) and N13 (30), written out.
#include <bristle/analyse/hysteresis.hpp>
#include <gtest/gtest.h>

#include "../../support/oracle.hpp"
#include "../laws.hpp"
#include "n13_input.hpp"

using namespace bristle;
using namespace bristle::analysis;
using namespace bristle::test;

TEST(ClosedFormLoop, AreaEqualsTheIntegralBetweenItsBranches) {
    const auto loop = *closed_form_loop(any(a08_stiff), 0, 6e-6);
    EXPECT_NEAR(loop.c(), 1.5, 1e-15);
    // oracle: N13 (29) and N13 (30) written out, integrated by Simpson's rule in long double
    const wide g = 5.88L, s = 1.47e6L, a = 2 / (1 + std::exp(-1.5L));
    const auto gap = [&](wide u) {
        return g * (1 - a * std::exp(-s * u / g)) - g * (-1 + a * std::exp(-s * (6e-6L - u) / g));
    };
    wide area = 0;
    const int n = 1000;
    for (int i = 0; i <= n; ++i) area += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * gap(6e-6L * i / n) * 6e-6L / (3 * n);
    EXPECT_NEAR(loop.area(), double(area), 1e-12 * loop.area());
    EXPECT_NEAR(loop.area(), 1.0805e-5, 0.5e-9);  // five digits, by hand
}

// Oracles: the symmetry of N13 comment 2; tip g(0) tanh(c/2) of N13 (29), c = 1.5. Tolerance: rounding.
TEST(ClosedFormLoop, IsSymmetricAboutItsCentre) {
    const auto loop = *closed_form_loop(any(a08_stiff), -1e-6, 5e-6);
    for (int i = 0; i <= 100; ++i) {
        const double away = 3e-6 * i / 100;
        EXPECT_NEAR(loop.rising(2e-6 + away), -loop.falling(2e-6 - away), 1e-14 * loop.level);
    }
    EXPECT_NEAR(loop.rising(5e-6), loop.falling(5e-6), 1e-14 * loop.level);
    EXPECT_NEAR(loop.rising(-1e-6), loop.falling(-1e-6), 1e-14 * loop.level);
    EXPECT_NEAR(loop.rising(5e-6), 5.88 * std::tanh(0.75), 1e-14 * loop.level);
}

TEST(ClosedFormLoop, EqualsTheLoopThatThePeriodsConvergeTo) {
    const Hysteresis h = hysteresis_loop(any(a08_stiff), n13_input(), 6 * pi, {.gammas = {}});
    ASSERT_TRUE(h.closed_form && h.loop && h.period);
    EXPECT_NEAR(*h.period, 2 * pi, 1e-15);
    EXPECT_LT(*h.closed_form_error, 1e-13 * 5.88);
    for (const PathPoint& p : h.loop->points) {
        const bool rises = p.rho < 6e-6;
        const double expected = rises ? h.closed_form->rising(p.u) : h.closed_form->falling(p.u);
        EXPECT_NEAR(p.F, expected, 1e-13 * 5.88) << p.rho;
    }
    // Simpson's rule is of fourth order: twice the points, a sixteenth of the error of the area
    const auto error = [&](int points) {
        const Hysteresis fine = hysteresis_loop(any(a08_stiff), n13_input(), 6 * pi, {.gammas = {}, .points = points});
        return std::fabs(*fine.loop->area / h.closed_form->area() - 1);
    };
    EXPECT_LT(error(200), 1e-8);
    EXPECT_NEAR(error(200) / error(400), 16, 0.5);
    ASSERT_EQ(h.periods.size(), 6u);
    const double c = 1.5;
    for (const HysteresisPeriod& period : h.periods) {  // e^{-2ck} |h(0)| sigma0 from N13 (24), x0 = 0
        const double expected = 5.88 * std::tanh(c / 2) * std::exp(-2 * c * period.k);
        EXPECT_NEAR(period.distance, expected, 1e-13 * 5.88) << period.k;
        if (period.k > 0) {
            EXPECT_NEAR(*period.ratio, std::exp(-2 * c), 1e-13 / std::exp(-2 * c * period.k)) << period.k;
        }
    }
    EXPECT_NEAR(*h.contraction, std::exp(-2 * c), 1e-15);
}

// Oracle: the closed form N13 (29), N13 (30), which contains umin and umax only.
TEST(ClosedFormLoop, DoesNotDependOnThePhaseOfTheWave) {
    const auto loop_from = [&](double phase) {
        return hysteresis_loop(any(a08_stiff), Input::sine(3e-6, 3e-6, 1, phase), 4 * pi, {.gammas = {}});
    };
    for (const double phase : {0.0, 1.0, 2.5}) {
        const Hysteresis h = loop_from(phase);
        ASSERT_TRUE(h.closed_form);
        EXPECT_NEAR(h.closed_form->area(), *h.loop->area, 1e-8 * h.closed_form->area());  // as above
        EXPECT_NEAR(h.closed_form->umin, 0, 1e-20);
        for (const PathPoint& p : h.loop->points) {
            const double up = std::fabs(p.F - h.closed_form->rising(p.u)),
                         down = std::fabs(p.F - h.closed_form->falling(p.u));
            EXPECT_LT(std::min(up, down), 1e-12) << phase << " at " << p.rho;
        }
    }
}

TEST(ClosedFormLoop, ExistsForLawsWithOneStaticLevelOnly) {
    auto sided = any(c95);
    sided.curve.stribeck.directional = true;
    sided.curve.stribeck.negative = {.Fc = 1, .Fs = 1.2, .vs = 1e-3};
    EXPECT_FALSE(closed_form_loop(sided, 0, 1e-5));
    EXPECT_FALSE(closed_form_loop(smooth_c95(), 0, 1e-5));
    EXPECT_FALSE(closed_form_loop(maxwell_c95(), 0, 1e-5));
    EXPECT_TRUE(closed_form_loop(Dahl{.sigma0 = 1e5, .Fc = 1}, 0, 1e-5));
    // the load multiplies the level, or the whole force
    auto law = any(c95);
    EXPECT_NEAR(closed_form_loop(law, 0, 1e-5, 3)->level, 4.5, 1e-14);
    EXPECT_NEAR(closed_form_loop(law, 0, 1e-5, 3)->sigma0, 1e5, 1e-9);
    law.load_on = LoadOn::all;
    EXPECT_NEAR(closed_form_loop(law, 0, 1e-5, 3)->level, 4.5, 1e-14);
    EXPECT_NEAR(closed_form_loop(law, 0, 1e-5, 3)->sigma0, 3e5, 1e-9);
}
