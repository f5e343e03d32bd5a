// contact.hpp: steps by position, static laws at rest, response without a change of state, rejected positions.
// Requirements for every law (bad input, states, loads, energy) are tested in conformance/.
#include "support/oracle.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

TEST(Contact, StepToUsesTheDifferenceQuotientOfPositionsAsVelocity) {
    Contact by_position{c95}, by_velocity{c95};
    double x = 3.0;
    EXPECT_EQ(by_position.step_to(x, 1e-3).force, 0) << "the first position gives no velocity";
    for (const double v : {1e-3, 2e-3, -5e-4, 0.0}) {
        const double before = x;
        x += v * 1e-3;
        const auto a = by_position.step_to(x, 1e-3), b = by_velocity.step((x - before) / 1e-3, 1e-3);
        EXPECT_EQ(a.force, b.force);
        EXPECT_EQ(a.force_end, b.force_end);
        EXPECT_EQ(a.work, b.work);
    }
    EXPECT_EQ(by_position.state().z, by_velocity.state().z);
}

TEST(Contact, ResetDeletesThePositionOfStepTo) {
    Contact contact{c95};
    contact.step_to(1, 1e-3);
    contact.step_to(1.1, 1e-3);
    contact.reset();
    EXPECT_EQ(contact.step_to(5, 1e-3).force, 0);
    EXPECT_EQ(contact.state().z, 0);
}

// A rejected position is not stored: the next valid one continues from the last valid one.
TEST(Contact, StepToRejectsInvalidPositionsAndKeepsTheLastValidOne) {
    for (const double bad : {std::nan(""), double(INFINITY)}) {
        Contact contact{c95}, untouched{c95};
        for (Contact<LuGre>* c : {&contact, &untouched}) {
            c->step_to(0, 1e-3);
            c->step_to(1e-6, 1e-3);
        }
        const auto before = contact.state();
        EXPECT_TRUE(std::isnan(contact.step_to(bad, 1e-3).force));
        EXPECT_TRUE(std::isnan(contact.step_to(2e-6, 0).force));
        EXPECT_TRUE(std::isnan(contact.step_to(2e-6, -1e-3).force));
        EXPECT_TRUE(same_bytes(before, contact.state()));
        EXPECT_EQ(contact.step_to(2e-6, 1e-3).force, untouched.step_to(2e-6, 1e-3).force);
    }
    Contact first{c95};
    EXPECT_TRUE(std::isnan(first.step_to(std::nan(""), 1e-3).force));
    EXPECT_EQ(first.step_to(7, 1e-3).force, 0) << "still the first position";
}

// A contact that is initialised at compile time, before any constructor runs, is equal to one that is built at run time.
template <auto law>
constinit Contact at_compile_time{law};
template <auto law>
void expect_same_motion() {
    Contact at_run_time{law};
    Motion a, b;
    for (int i = 0; i < 300; ++i) {
        const double force = 2 * std::sin(0.05 * i);
        a = advance(Mass{1.0}, at_compile_time<law>, a, force, 5e-3);
        b = advance(Mass{1.0}, at_run_time, b, force, 5e-3);
        ASSERT_EQ(a.x, b.x) << i;
    }
    EXPECT_NE(a.x, 0);
}
TEST(Contact, CanBeConstantInitialised) {
    constexpr Stribeck curve{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3};
    expect_same_motion<LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = curve}>();
    expect_same_motion<Dahl{.sigma0 = 1e5, .Fc = 1}>();
    expect_same_motion<ElastoPlastic{.sigma0 = 1e5, .sigma1 = 316.2, .curve = curve, .kappa = 0.7}>();
    expect_same_motion<StribeckFriction{.curve = curve, .sigma2 = 0.4}>();
}

// Oracle: the exact step of LuGre in long double. Tolerance: rounding of forces of order 1 N.
TEST(Contact, MeanAndEndForceEqualTheClosedForm) {
    // z from 0 at 1 mm/s for 5 ms: x = sigma0 v dt/g, g = 1 + 0.5/e
    Contact contact{c95};
    const wide v = 1e-3, dt = 5e-3, g = 1 + 0.5L * std::exp(-1.0L), x = 1e5L * v * dt / g;
    const wide z = g / 1e5L * -std::expm1(-x), mean = g / 1e5L * (1 + std::expm1(-x) / x);
    const wide s1 = std::sqrt(1e5), s2 = 0.4;
    const auto step = contact.step(1e-3, 5e-3);
    EXPECT_NEAR(step.force, double(1e5L * mean + s1 * z / dt + s2 * v), 1e-14);
    EXPECT_NEAR(step.force_end, double(1e5L * z + s1 * v * std::exp(-x) + s2 * v), 1e-14);
    EXPECT_NEAR(step.work, step.force * 5e-6, 1e-20);
    EXPECT_NEAR(contact.stored(), double(0.5L * 1e5L * z * z), 1e-20);
    EXPECT_EQ(step.low, step.force_end);
    EXPECT_EQ(step.high, step.force_end);
    EXPECT_FALSE(step.stuck);
}

TEST(Contact, DryStaticLawAtRestReturnsStuckAndTheHoldingInterval) {
    Contact contact{Coulomb{.curve = {.Fc = 1, .Fs = 1.5}, .sigma2 = 0.1}};
    for (const double zero : {0.0, -0.0}) {
        const auto rest = contact.step(zero, 1e-3, 2);
        EXPECT_TRUE(rest.stuck);
        EXPECT_EQ(rest.force, 0);
        EXPECT_EQ(rest.force_end, 0);
        EXPECT_EQ(rest.work, 0);
        EXPECT_EQ(rest.dissipation, 0);
        EXPECT_EQ(rest.low, -3);
        EXPECT_EQ(rest.high, 3);
    }
    const auto sliding = contact.step(1e-300, 1e-3, 2);
    EXPECT_FALSE(sliding.stuck);
    EXPECT_EQ(sliding.force, 2);
}

TEST(Contact, DirectionalStaticLawHasOneHoldingForcePerDirection) {
    basic_static<double, Directional<Stribeck>> law{
        .curve = {.positive = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}, .negative = {.Fc = 2, .Fs = 2.5, .vs = 1e-3}}};
    law.load_on = LoadOn::all;
    Contact contact{law};
    const auto rest = contact.step(0, 1e-3, 10);
    EXPECT_TRUE(rest.stuck);
    EXPECT_EQ(rest.low, -25);
    EXPECT_EQ(rest.high, 15);
}

TEST(Contact, SmoothStaticLawDoesNotStick) {
    Contact contact{Makkar{.curve = {.g1 = 0.25, .g2 = 100, .g3 = 10, .g4 = 0.1, .g5 = 100}, .sigma2 = 0.01}};
    const auto rest = contact.step(0, 1e-3);
    EXPECT_FALSE(rest.stuck);
    EXPECT_EQ(rest.force, 0);
    EXPECT_EQ(rest.low, 0);
}

TEST(Contact, RespondPredictsStepAndKeepsTheState) {
    Contact contact{c95};
    contact.step(1e-4, 0.05);
    const auto before = contact.state();
    const auto response = contact.respond(-2e-4, 1e-3);
    EXPECT_TRUE(same_bytes(before, contact.state()));
    EXPECT_EQ(response.force, contact.step(-2e-4, 1e-3).force) << "step() with the same v and dt";
}

// Oracle: F_mean = sigma0 z + (sigma0 dt/2 + sigma1)(1 - sigma0 z/Fs) v + sigma2 v for v -> 0+.
TEST(Contact, ResponseAtRestHasTheSlopeForVelocityFromAbove) {
    const double dt = 1e-3;
    for (const double z : {0.0, 7e-6, -7e-6}) {
        Contact contact{c95};
        contact.set({z});
        const auto response = contact.respond(0, dt);
        EXPECT_DOUBLE_EQ(response.force, 1e5 * z);
        const double slope = (1e5 * dt / 2 + std::sqrt(1e5)) * (1 - 1e5 * z / 1.5) + 0.4;
        EXPECT_NEAR(response.slope, slope, 1e-12 * slope) << z;
    }
}

// Both load conventions, K08 (1): a held velocity settles at N mu + sigma2 v, or N (mu + sigma2 v).
TEST(Contact, LoadScalesTheCurveOrTheWholeForce) {
    LuGre law = c95;
    Contact on_curve{law};
    law.load_on = LoadOn::all;
    Contact on_all{law};
    for (int i = 0; i < 100; ++i) {
        on_curve.step(0.1, 1, 7);
        on_all.step(0.1, 1, 7);
    }
    EXPECT_NEAR(on_curve.step(0.1, 1, 7).force, 7 * 1 + 0.04, 1e-13);
    EXPECT_NEAR(on_all.step(0.1, 1, 7).force, 7 * (1 + 0.04), 1e-13);
    EXPECT_NEAR(on_all.stored(7), 7 * 0.5 * 1e5 * std::pow(1 / 1e5, 2), 1e-18);
    EXPECT_NEAR(on_curve.stored(7), 0.5 * 1e5 * std::pow(7 / 1e5, 2), 1e-16);
}

TEST(Contact, FiniteVelocityWhoseForceOverflowsIsRejected) {
    Contact contact{c95};
    contact.step(1e-5, 0.1);
    const auto before = contact.state();
    EXPECT_TRUE(std::isnan(contact.step(1e308, 1e-3, 1).work));
    EXPECT_TRUE(same_bytes(before, contact.state()));
}

}  // namespace bristle::test
