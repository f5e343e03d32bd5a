// encoder.hpp: velocity from the time between counts, and the contact that moves with it.
#include "support/oracle.hpp"

#include <gtest/gtest.h>
#include <numbers>

namespace bristle::test {
namespace {

constexpr double count = 2 * std::numbers::pi / 16384, dt = 1 / 20e3;  // rad, s

// The angle that the encoder shows.
double shown(double angle) { return std::floor(angle / count) * count; }

// Largest relative error of a constant velocity from the third count and 20 samples on, and the largest lag.
struct Errors {
    double velocity = 0, lag = 0;
};
Errors errors_at(double v, double phase, double seconds) {
    Encoder encoder{count};
    Errors out;
    int counts = 0;
    double last = shown(phase * count);
    for (int i = 0; i < int(seconds / dt); ++i) {
        const double x = shown(phase * count + v * i * dt), w = encoder.velocity(x, dt);
        counts += x != last;
        last = x;
        if (counts < 3 || i < 24) continue;
        out.velocity = std::max(out.velocity, std::abs(w / v - 1));
        out.lag = std::max(out.lag, encoder.lag());
    }
    EXPECT_GE(counts, 3) << v;
    return out;
}

// At 0.05 rad/s a count takes 7.67 ms, which is 153 samples: the period is known to 1/153. The lag grows to 1.5 periods until the next count.
TEST(Encoder, AConstantVelocityIsWithinItsErrorAfterThreeCounts) {
    for (const double phase : {0.0, 0.3, 0.77}) {
        for (const double v : {0.05, -0.05}) {
            const Errors found = errors_at(v, phase, 1);
            EXPECT_LT(found.velocity, 1.0 / 153 + 1e-4) << v;
            EXPECT_NEAR(found.lag, 1.5 * count / 0.05, 2 * dt);
        }
        // 5 %: two edges are 20 samples apart, each known to one sample; 1e-9: rounding of the angle
        for (const double v : {0.005, 0.3, 1.0, 3.3, 7.67, 11.0, 50.0, 300.0})
            EXPECT_LT(errors_at(v, phase, 1).velocity, 0.05 + 1e-9) << v;
    }
}

TEST(Encoder, BelowOneCountPerTimeoutTheVelocityIsZero) {
    Encoder encoder{count, 0.02};
    const double v = 0.9 * count / 0.02;
    for (int i = 0; i < 20000; ++i) EXPECT_NEAR(encoder.velocity(shown(v * i * dt), dt), 0, 1e-12) << i;
}

// After the last count |v| is at most one count over the time since then, and 0 after the timeout.
TEST(Encoder, VelocityFallsAfterTheLastCount) {
    Encoder encoder{count, 0.1};
    double x = 0;
    for (int i = 0; i < 2000; ++i) encoder.velocity(x = shown(0.05 * i * dt), dt);
    double since = encoder.lag() - 0.5 * count / 0.05;  // age of the last count, to a sample
    for (int i = 0; i < 2100; ++i) {
        const double v = encoder.velocity(x, dt);
        since += dt;
        EXPECT_LE(v, count / (since - 2 * dt));
        EXPECT_TRUE(since <= 0.1 + 2 * dt || v == 0) << since;
    }
    EXPECT_GT(encoder.lag(), 0.1);
}

// A reversal crosses the same edge twice: no distance. Tolerance: rounding of the angle, 1e-16 rad in 50 us.
TEST(Encoder, AReversalAtAnEdgeGivesNoVelocity) {
    Encoder encoder{count};
    for (int i = 0; i < 2000; ++i) encoder.velocity(shown(0.05 * i * dt), dt);
    double x = shown(0.05 * 1999 * dt);
    for (int i = 0; i < 40; ++i) EXPECT_NEAR(encoder.velocity(x += (i % 2 ? count : -count), dt), 0, 1e-12);
}

TEST(Encoder, InvalidInputGivesNaNAndKeepsTheState) {
    Encoder encoder{count}, untouched{count};
    for (int i = 0; i < 2000; ++i) {
        const double x = shown(0.05 * i * dt);
        for (const auto& [bad, step] : {std::pair(std::nan(""), dt), {INFINITY, dt}, {x, 0.0}, {x, -dt}, {x, INFINITY}})
            EXPECT_TRUE(std::isnan(encoder.velocity(bad, step)));
        ASSERT_EQ(encoder.velocity(x, dt), untouched.velocity(x, dt));
    }
    for (Encoder wrong : {Encoder{0}, Encoder{-1}, Encoder{std::nan("")}, Encoder{1, 0}})
        EXPECT_TRUE(std::isnan(wrong.velocity(0, dt)));
    encoder.reset();
    EXPECT_EQ(encoder.velocity(1, dt), 0);
    EXPECT_EQ(encoder.lag(), 0);
}

// Oracle: steady sliding at 0.05 rad/s, g(v) + sigma2 v, A08 (3). The difference quotient of the shown angle is 0 in 152 of 153 samples.
TEST(Contact, StepToWithAnEncoderHasTheFrictionOfTheMotion) {
    const LuGre law{.sigma0 = 1000, .sigma1 = 1, .sigma2 = 0.2, .curve = {.Fc = 1, .Fs = 1.5, .vs = 0.1, .alpha = 2}};
    Contact joint{law};
    Encoder encoder{count};
    const double steady = 1 + 0.5 * std::exp(-0.25) + 0.2 * 0.05;
    for (int i = 0; i < 20000; ++i) {
        const double force = joint.step_to(encoder, shown(0.05 * i * dt), dt).force;
        if (i <= 4000) continue;
        ASSERT_NEAR(force, steady, 0.01 * steady) << i;
    }
    const auto before = joint.state();
    EXPECT_TRUE(std::isnan(joint.step_to(encoder, std::nan(""), dt).force));
    EXPECT_TRUE(std::isnan(joint.step_to(encoder, 0, dt, -1).force));
    EXPECT_TRUE(same_bytes(before, joint.state()));
}

}  // namespace
}  // namespace bristle::test
