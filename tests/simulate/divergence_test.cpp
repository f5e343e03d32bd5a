// Runs that are not done: a servo that runs away, and one above the limit of Routh that friction still bounds.
#include <bristle/simulate/result.hpp>

#include <gtest/gtest.h>

#include "simulate/sliding_loop.hpp"

namespace bristle::inline simulation {
namespace {

bristle::Setup servo(double Ki, double target, double duration, double load = 1) {
    return {.law = LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}},
            .rig = PidServo{.mass = 1, .Kv = 6, .Kp = 3, .Ki = Ki, .target = target},
            .load = Input::constant(load),
            .run = {.duration = duration, .samples = 201}};
}

// Oracle: Routh: s^3 + (Kv + sigma2) s^2 + Kp s + Ki is stable for Ki < 3 (6 + 0.4) = 19.2. With 60 the pair of roots is 0.62 +- 2.9i
// 1/s, so the speed grows 1e4 times in 15 s once friction is small beside it.
TEST(Divergence, OfAServoAboveTheLimitOfRouthIsReportedWithTheGain) {
    for (const Method method : {Method::adaptive, Method::coupled}) {
        bristle::Setup s = servo(60, 5, 60);
        s.run.method = method;
        s.run.step = 1e-3;
        const Result r = simulate(s);
        EXPECT_EQ(r.status, Status::diverges) << int(method);
        EXPECT_NE(r.message.find("19.2"), std::string::npos) << r.message;
        EXPECT_TRUE(r.measures.max.empty());
    }
}

TEST(SlidingLoop, IsThatOfRouth) {
    EXPECT_FALSE(sliding_loop(servo(19.3, 1, 1))->stable);
    EXPECT_TRUE(sliding_loop(servo(19.1, 1, 1))->stable);
    EXPECT_NEAR(sliding_loop(servo(19.1, 1, 1))->largest_gain, 19.2, 1e-12);
    bristle::Setup s = servo(1, 1, 1);
    s.rig = ForcedMass{1};
    EXPECT_FALSE(sliding_loop(s));
}

// Friction is proportional to the load under load_on = all: sigma2 is 4 N s/m, so the limit is 3 (6 + 4) = 30.
TEST(Divergence, GainOfTheMessageAccountsForTheLoad) {
    bristle::Setup s = servo(60, 20, 60, 10);
    std::get<AnyLuGre>(s.law).load_on = LoadOn::all;
    const Result r = simulate(s);
    ASSERT_EQ(r.status, Status::diverges);
    EXPECT_NE(r.message.find("below 30 "), std::string::npos) << r.message;
}

// Oracle: from a small distance friction takes more energy per period than the loop supplies; the speed falls from 0.35 to 0.31 m/s over
// 120 s. Short runs, which end in the first rise, do not diverge either.
TEST(Divergence, IsNotReportedForHuntingThatFrictionBounds) {
    for (const double duration : {0.1, 0.6, 120.0}) {
        const Result r = simulate(servo(20, 0.2, duration));
        EXPECT_EQ(r.status, Status::done) << duration << ": " << r.message;
    }
}

}  // namespace
}  // namespace bristle::simulation
