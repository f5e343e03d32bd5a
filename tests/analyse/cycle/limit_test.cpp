// Limits of hunting and stick-slip along one number, found from any start value.
#include <bristle/analyse/limit.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/keyed.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::inline analysis {
namespace {

// A rotary servo under PID control with a damping ratio of 1 in stick.
bristle::Setup trial_axis(double sigma0, double Ki) {
    constexpr double inertia = 0.0012, sigma2 = 0.002;  // kg m^2, N m s/rad
    const LuGre law{.sigma0 = sigma0,
                    .sigma1 = 2 * std::sqrt(sigma0 * inertia) - sigma2,
                    .sigma2 = sigma2,
                    .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}};
    return {.law = law,
            .rig = PidServo{.mass = inertia, .Kv = 0.05, .Kp = 2, .Ki = Ki, .target = 1},
            .run = {.duration = 10}};
}
// sigma1 follows sigma0, as law.zeta in a file.
Family by_gain(double sigma0) {
    return [=](double Ki) { return trial_axis(sigma0, Ki); };
}

// Oracle: solve_ivp of SciPy with the equations of LuGre and PID: the motion settles at 48.20 and hunts at 48.25; 32.2 at sigma0 = 1000 N m/rad.
// Tolerance: 0.5 %, the resolution of these simulations at 1000 N m/rad.
TEST(Limit, OfTheTrialAxisEqualsTheKnownGainFromAStartWithoutHunting) {
    const Limit soft = limit(by_gain(100), 10, {1, 1e4});
    ASSERT_EQ(soft.outcome, LimitOutcome::found);
    EXPECT_NEAR(soft.value, 48.225, 0.005 * 48.225);
    EXPECT_LT(soft.without, soft.value);
    EXPECT_GT(soft.with, soft.value);
    EXPECT_FALSE(soft.grows);
    EXPECT_EQ(soft.starts, 9) << "its own and eight around it";
    const Limit stiff = limit(by_gain(1000), 10, {1, 1e4});
    ASSERT_EQ(stiff.outcome, LimitOutcome::found);
    EXPECT_NEAR(stiff.value, 32.2, 0.005 * 32.2);
}

// Oracle: the same limit; the start must not matter. 70 hunts, 200 is above the limit of Routh (86.7), where motions grow.
// Tolerance: the accuracy of cycle_extinction near a fold, 1e-4.
TEST(Limit, IsTheSameFromAStartThatHuntsAndFromOneThatGrows) {
    const double from_rest = limit(by_gain(100), 10, {1, 1e4}).value;
    EXPECT_NEAR(limit(by_gain(100), 70, {1, 1e4}).value, from_rest, 2e-4 * from_rest);
    EXPECT_NEAR(limit(by_gain(100), 200, {1, 1e4}).value, from_rest, 2e-4 * from_rest);
}

// Both neighbours are simulated: their motions from rest confirm the limit. Oracle: the runs themselves, over 40 s.
TEST(Limit, NeighboursSettleAndHuntInARun) {
    const Limit found = limit(by_gain(100), 10, {1, 1e4});
    const auto last_swing = [](double Ki, const std::vector<double>& from) {
        bristle::Setup s = trial_axis(100, Ki);
        s.run.duration = 40;
        s.run.samples = 4001;
        s.start = {{"x", from[0]}, {"v", from[1]}, {"z", from[2]}, {"integral", from[3]}};
        const Result r = simulate(s);
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (std::size_t i = 3000; i < 4001; ++i) {
            low = std::min(low, r.signal("x")->values[i]);
            high = std::max(high, r.signal("x")->values[i]);
        }
        return high - low;
    };
    const Cycle cycle = limit_cycle(trial_axis(100, found.with));
    ASSERT_TRUE(cycle.exists);
    EXPECT_GT(last_swing(found.with, cycle.state), 0.9 * 2 * cycle.amplitude);
    EXPECT_LT(last_swing(found.without, cycle.state), 1e-3 * cycle.amplitude);
}

// Oracle: more damping ends hunting, so the limit lies above the start and its neighbour without hunting above the limit.
TEST(Limit, InTheDampingHasItsNeighbourWithoutHuntingAbove) {
    const Limit found = limit(trial_axis(100, 70), "rig.Kv");
    ASSERT_EQ(found.outcome, LimitOutcome::found);
    EXPECT_GT(found.value, 0.05);
    EXPECT_GT(found.without, found.value);
    EXPECT_LT(found.with, found.value);
}

// Oracle: a level that does not fall with the speed has no stick-slip (A08).
TEST(Limit, OfALevelThatDoesNotFallIsCycleNowhere) {
    const LuGre law{.sigma0 = 1e4, .sigma1 = 100, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1, .vs = 1e-2}};
    const bristle::Setup pulled{
        .law = law, .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1}, .run = {.duration = 40}};
    const Limit found = limit(pulled, "rig.velocity", 0.05, 0.2);
    EXPECT_EQ(found.outcome, LimitOutcome::cycle_nowhere);
    EXPECT_DOUBLE_EQ(found.lowest, 0.05);
    EXPECT_DOUBLE_EQ(found.highest, 0.2);
}

TEST(Limit, RejectsAStartOfZeroAWindowAcrossZeroAndAnUnknownKey) {
    EXPECT_THROW(limit(trial_axis(100, 0), "rig.Ki"), Error);
    EXPECT_THROW(limit(trial_axis(100, 10), "rig.Ki", -1, 100), Error);
    EXPECT_THROW(limit(trial_axis(100, 10), "rig.Kx"), Error);
}

TEST(Limit, ThrowsCancelledIfProgressReturnsFalse) {
    EXPECT_THROW(limit(trial_axis(100, 10), "rig.Ki", {}, [](double) { return false; }), Cancelled);
}

// A run and the shooting method give the same cycle of hunting. Oracle: solve_ivp of SciPy: 0.387771 s, 26.217 mrad.
// Tolerance: rtol 1e-8 of a run of 40 s for the period; amplitude: from the samples, half of 1e-3.
TEST(Hunting, OfARunHasThePeriodAndAmplitudeOfTheWholeCycle) {
    bristle::Setup s = trial_axis(100, 70);
    s.run.duration = 40;
    s.run.rtol = s.run.atol = 1e-8;
    s.run.samples = 40001;
    const Result r = simulate(s);
    ASSERT_TRUE(r.measures.period && r.measures.amplitude);
    EXPECT_NEAR(*r.measures.period, 0.387771, 2e-5);
    EXPECT_NEAR(*r.measures.amplitude, 26.217e-3, 1e-5);
    const Cycle cycle = limit_cycle(s);
    EXPECT_NEAR(cycle.period, *r.measures.period, 2e-5);
    EXPECT_NEAR(cycle.amplitude, *r.measures.amplitude, 1e-5);
}

}  // namespace
}  // namespace bristle::analysis
