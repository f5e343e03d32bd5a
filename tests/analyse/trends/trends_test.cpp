// Trends of breakaway, lag and drift. Oracles: Runge-Kutta and closed forms.
#include <bristle/analyse/trends.hpp>
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "../../support/oracle.hpp"
#include "../laws.hpp"

using namespace bristle;
using namespace bristle::analysis;
using namespace bristle::test;

namespace {

constexpr wide pi = std::numbers::pi_v<wide>;

// C95, 1 kg: x, v, z under a force, by Runge-Kutta with a fixed step.
struct Block {
    wide x = 0, v = 0, z = 0;
};
wide level(wide v) { return 1 + 0.5L * std::exp(-(v / 1e-3L) * (v / 1e-3L)); }
wide bend(wide v, wide z) { return v - 1e5L * std::fabs(v) * z / level(v); }
wide friction(wide v, wide z) { return 1e5L * z + wide(c95.sigma1) * bend(v, z) + 0.4L * v; }
template <class Force>
void advance_by_runge_kutta(Block& m, const Force& force, wide t, wide h) {
    const auto f = [&](wide at, const Block& y) { return Block{y.v, force(at) - friction(y.v, y.z), bend(y.v, y.z)}; };
    const auto moved = [](const Block& y, wide a, const Block& k) {
        return Block{y.x + a * k.x, y.v + a * k.v, y.z + a * k.z};
    };
    const Block a = f(t, m), b = f(t + h / 2, moved(m, h / 2, a)), c = f(t + h / 2, moved(m, h / 2, b)),
                d = f(t + h, moved(m, h, c));
    m = moved(moved(moved(moved(m, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

}  // namespace

// B05 fig 3: from 1.432 N at 1 N/s to 1.007 N at 50 N/s.
TEST(BreakawayTrend, FallsWithTheRateAsInB05Fig3) {
    const std::vector<double> rates{1, 2, 5, 10, 20, 35, 50};
    const Trend trend = breakaway_against_rate({any(c95), hysteretic_c95()}, rates);
    ASSERT_EQ(trend.rows.size(), rates.size());
    ASSERT_EQ(trend.columns.size(), 2u);
    EXPECT_EQ(trend.columns[0].law, 0u);
    EXPECT_EQ(trend.columns[1].law, 1u);
    EXPECT_EQ(trend.columns[0].quantity, TrendQuantity::breakaway_force);
    EXPECT_EQ(trend.axis, TrendAxis::force_rate);
    EXPECT_NEAR(trend.rows.front().values[0], 1.432, 5e-4);
    EXPECT_NEAR(trend.rows.back().values[0], 1.007, 5e-4);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const Trend::Row& row = trend.rows[i];
        EXPECT_EQ(row.at, rates[i]);
        if (i > 0 && rates[i] < 50) {
            EXPECT_LT(row.values[0], trend.rows[i - 1].values[0]);
        }
        // by Runge-Kutta: the largest friction before 10 vs
        Block m;
        wide most = 0;
        const wide h = 2e-5L / std::sqrt(wide(rates[i]));
        for (int k = 0; m.v < 0.01L; ++k) {
            advance_by_runge_kutta(
                m, [&](wide t) { return rates[i] * t; }, k * h, h);
            most = std::max(most, friction(m.v, m.z));
        }
        EXPECT_NEAR(row.values[0], double(most), 1e-5) << rates[i];
        EXPECT_NEAR(row.values[1], double(most), 1e-3) << rates[i];  // the shift of 2e-6 m/s has a small effect
        std::printf("%4.0f N/s: %.5f N, by Runge-Kutta %.5f N; hysteretic %.5f N\n", rates[i], row.values[0],
                    double(most), row.values[1]);
    }
}

TEST(BreakawayTrend, RisesAgainAbove35NewtonPerSecond) {
    // lower bound: sliding at 10 vs, Fc + sigma2 10 vs. At high rates sigma1 adds to it, beyond the figure of B05.
    const Trend trend = breakaway_against_rate({any(c95)}, {35, 50, 200, 1000});
    EXPECT_NEAR(trend.rows[0].values[0], 1.004, 1e-4);
    for (std::size_t i = 1; i < trend.rows.size(); ++i)
        EXPECT_GT(trend.rows[i].values[0], trend.rows[i - 1].values[0]) << trend.rows[i].at;
}

TEST(BreakawayTrend, OfAStaticLawIsItsLargestForce) {
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.3};
    EXPECT_THROW(breakaway_against_rate({coulomb}, {1}), Error);  // it has no Stribeck velocity
    const Trend trend = breakaway_against_rate({coulomb}, {0.1, 10, 1000}, {.mass = 2, .breakaway_speed = 0.01});
    for (const Trend::Row& row : trend.rows) EXPECT_NEAR(row.values[0], 1.3, 1e-9) << row.at;
    // unless viscous friction at the breakaway speed makes the force larger
    set_viscous(coulomb, 100);
    const Trend viscous = breakaway_against_rate({coulomb}, {0.1, 10}, {.breakaway_speed = 0.01});
    for (const Trend::Row& row : viscous.rows) EXPECT_NEAR(row.values[0], 1 + 100 * 0.01, 1e-9) << row.at;
}

TEST(LagTrend, WidensWithTheFrequencyAsInB05Fig2) {
    const std::vector<double> omegas{1, 10, 25};
    const Trend trend = lag_against_frequency({any(c95)}, omegas);
    ASSERT_EQ(trend.rows.size(), 3u);
    ASSERT_EQ(trend.columns.size(), 2u);
    for (std::size_t i = 0; i < omegas.size(); ++i) {
        const wide omega = omegas[i], period = 2 * pi / omega;
        const auto speed = [&](wide t) { return 1.1e-3L + 1e-3L * std::sin(omega * t); };
        const auto rate = [&](wide t, wide z) { return bend(speed(t), z); };
        // two periods of settling (the relaxation time is 14 ms), then 800 points of the third
        const int n = 800;
        wide z = runge_kutta(rate, level(1.1e-3L) / 1e5L, 0, 1.75L * period, 40'000), t = 1.75L * period;
        std::vector<wide> F{friction(speed(t), z)};
        for (int k = 1; k <= n; ++k, t = (1.75L + wide(k - 1) / n) * period) {
            const wide from = (1.75L + wide(k - 1) / n) * period, to = (1.75L + wide(k) / n) * period;
            z = runge_kutta(rate, z, from, to, 20);
            F.push_back(friction(speed(to), z));
        }
        wide widest = 0;
        for (int k = 0; k <= n / 2; ++k) widest = std::max(widest, F[std::size_t(k)] - F[std::size_t(n - k)]);
        const double mean = double(F[n / 4] - F[3 * n / 4]);
        EXPECT_NEAR(trend.rows[i].values[0], mean, 1e-6) << omegas[i];
        EXPECT_NEAR(trend.rows[i].values[1], double(widest), 2e-4 * double(widest)) << omegas[i];
        EXPECT_GT(trend.rows[i].values[0], 0);  // friction is lower for falling speed
        if (i > 0) {
            EXPECT_GT(trend.rows[i].values[1], trend.rows[i - 1].values[1]);
        }
        std::printf("%3.0f rad/s: %.6f N at the mean speed, at most %.6f N; Runge-Kutta %.6f, %.6f N\n", omegas[i],
                    trend.rows[i].values[0], trend.rows[i].values[1], mean, double(widest));
    }
}

// A lagging force is below a level that rises with speed.
TEST(LagTrend, IsNegativeForARisingCurve) {
    auto law = any(c95);
    law.curve.stribeck.positive = {.Fc = 1.5, .Fs = 1, .vs = 1e-3, .allow_rising = true};
    const Trend trend = lag_against_frequency({law}, {1});
    EXPECT_LT(trend.rows[0].values[0], -1e-3);
    EXPECT_LE(trend.rows[0].values[1], trend.rows[0].values[0]);
}

// Oracle: a static law and Dahl in steady sliding have the same force for rising and falling speed. Tolerance: 1e-9 of
// Fc.
TEST(LagTrend, IsZeroIfTheForceIsAFunctionOfSpeed) {
    AnyStribeck dry;
    dry.curve.stribeck.positive = c95_curve;
    const Trend trend = lag_against_frequency({dry, Dahl{.sigma0 = 1e5, .Fc = 1}}, {0.1, 100});
    for (const Trend::Row& row : trend.rows)
        for (const double width : row.values) EXPECT_NEAR(width, 0, 1e-9) << row.at;
}

TEST(DriftTrend, OfLuGreEqualsTheClosedFormAndOfElastoPlasticIsZero) {
    // slow vibration: ln((1 - s1^2)/(1 - s2^2)) deflections a cycle for LuGre; 0 for the elasto-plastic law below its breakaway
    // deflection, half of Fs/sigma0
    const std::vector<double> amplitudes{0.05, 0.1, 0.15, 0.2};
    const Trend trend = drift_against(VibrationAxis::amplitude, {any(c95), elastoplastic_c95()}, amplitudes,
                                      {.bias = 0.3, .frequency = 0.2});
    ASSERT_EQ(trend.rows.size(), 4u);
    EXPECT_EQ(trend.axis, TrendAxis::amplitude);
    EXPECT_EQ(trend.columns[1].quantity, TrendQuantity::drift_per_cycle);
    for (const Trend::Row& row : trend.rows) {
        const double s1 = (0.3 - row.at) / 1.5, s2 = (0.3 + row.at) / 1.5;
        const double expected = 1.5e-5 * std::log((1 - s1 * s1) / (1 - s2 * s2));
        EXPECT_NEAR(row.values[0], expected, 1e-3 * expected) << row.at;
        EXPECT_NEAR(row.values[1], 0, 1e-9 * 1.5e-5) << row.at;
        std::printf("amplitude %.2f N: lugre %.6e m, slow limit %.6e m; elastoplastic %.1e m\n", row.at, row.values[0],
                    expected, row.values[1]);
    }
}

// The start is in equilibrium with the lowest force.
TEST(DriftTrend, OfTheFirstCycleEqualsTheClosedForm) {
    const Trend trend = drift_against(VibrationAxis::bias, {any(c95)}, {0.5},
                                      {.bias = 0, .amplitude = 0.3, .frequency = 0.1, .settling = 0, .cycles = 1});
    const double s1 = 0.2 / 1.5, s2 = 0.8 / 1.5, expected = 1.5e-5 * std::log((1 - s1 * s1) / (1 - s2 * s2));
    EXPECT_NEAR(trend.rows[0].values[0], expected, 2e-3 * expected);
}

TEST(DriftTrend, GrowsWithBiasAndEqualsRungeKuttaAtHighFrequency) {
    const Trend bias = drift_against(VibrationAxis::bias, {any(c95), elastoplastic_c95()}, {0, 0.2, 0.4, 0.8},
                                     {.bias = 0, .amplitude = 0.2, .frequency = 0.2});
    EXPECT_NEAR(bias.rows[0].values[0], 0, 1e-8 * 1.5e-5);  // symmetric force
    for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(bias.rows[i].values[0], bias.rows[i - 1].values[0]);
    EXPECT_NEAR(bias.rows[2].values[1], 0,
                1e-9 * 1.5e-5);                        // at most 0.6 N; elastic up to 0.75 N
    EXPECT_GT(bias.rows[3].values[1], 1e-3 * 1.5e-5);  // 1 N: beyond the elastic range
    // by Runge-Kutta at a frequency at which inertia and damping count
    const Trend fast = drift_against(VibrationAxis::frequency, {any(c95)}, {5, 20},
                                     {.bias = 0.4, .amplitude = 0.2, .settling = 2, .cycles = 3});
    for (const Trend::Row& row : fast.rows) {
        Block m{.z = 0.2e-5L};
        const wide period = 1 / wide(row.at);
        const int n = 8000;
        wide from = 0;
        for (int k = 0; k < 5 * n; ++k) {
            if (k == 2 * n) from = m.x;
            advance_by_runge_kutta(
                m, [&](wide t) { return 0.4L - 0.2L * std::cos(2 * pi * row.at * t); }, period * k / n, period / n);
        }
        EXPECT_NEAR(row.values[0], double((m.x - from) / 3), 1e-5 * 1.5e-5) << row.at;
        std::printf("%2.0f Hz: %.6e m a cycle, by Runge-Kutta %.6e m\n", row.at, row.values[0],
                    double((m.x - from) / 3));
    }
}

TEST(Trends, ColumnsReferToTheLawsInOrder) {
    const Trend trend =
        drift_against(VibrationAxis::bias, {any(c95), elastoplastic_c95(), any(a08_soft)}, {}, {.amplitude = 0.1});
    ASSERT_EQ(trend.columns.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(trend.columns[i].law, i);
    EXPECT_TRUE(trend.rows.empty());
}

TEST(Trends, CanBeCancelled) {
    std::vector<double> fractions;
    const auto progress = [&](double fraction) {
        fractions.push_back(fraction);
        return fractions.size() < 4;
    };
    const Trend trend = breakaway_against_rate({any(c95), hysteretic_c95()}, {20, 50, 100}, {}, progress);
    EXPECT_TRUE(trend.cancelled);
    EXPECT_EQ(trend.rows.size(), 1u);  // the second row had one of its two laws
    ASSERT_EQ(fractions.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(fractions[i], double(i) / 6, 1e-12);
}

TEST(Trends, RejectInvalidLawsValuesAndOptions) {
    EXPECT_THROW(breakaway_against_rate({}, {1}), Error);
    EXPECT_THROW(breakaway_against_rate({any(c95)}, {0}), Error);
    EXPECT_THROW(breakaway_against_rate({any(c95)}, {1}, {.mass = 0}), Error);
    EXPECT_THROW(breakaway_against_rate({AnyLuGre{}}, {1}, {.breakaway_speed = 1}), Error);
    EXPECT_THROW(lag_against_frequency({any(c95)}, {1}, {.mean = 1e-3, .amplitude = 1e-3}), Error);
    EXPECT_THROW(lag_against_frequency({any(c95)}, {-1}), Error);
    EXPECT_THROW(drift_against(VibrationAxis::frequency, {any(c95)}, {0}, {.amplitude = 0.1}), Error);
    EXPECT_THROW(drift_against(VibrationAxis::bias, {any(c95)}, {std::nan("")}, {.amplitude = 0.1}), Error);
    EXPECT_THROW(drift_against(VibrationAxis::bias, {any(c95)}, {0.1}, {.amplitude = 0.1, .cycles = 0}), Error);
}
