// Runs that are not done: a servo that runs away, and one above the limit of Routh that friction still bounds.
#include <bristle/simulate/machine.hpp>

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

// The axis with Kp 2, Kd 0.05, viscous 0.002 and 0.0012 kg m^2. Oracle: Routh: it is stable for Ki < 2 (0.05 + 0.002)/0.0012 = 86.7.
Machine axis(double Ki, double reference, double limit = std::numeric_limits<double>::infinity()) {
    return {.bodies = {{.name = "axis", .mass = 0.0012, .rotary = true}},
            .contacts = {{.name = "bearing",
                          .first = "axis",
                          .law = LuGre{.sigma0 = 100,
                                       .sigma1 = 0.69,
                                       .sigma2 = 0.002,
                                       .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}}},
            .motors = {{.name = "motor", .body = "axis", .limit = limit}},
            .controllers = {{.name = "servo",
                             .motor = "motor",
                             .law = Pid{.Kp = 2, .Ki = Ki, .Kd = 0.05},
                             .reference = Input::constant(reference)}},
            .run = {.duration = 5}};
}

TEST(Divergence, OfAMachineAboveTheLimitOfRouthIsReported) {
    for (const double Ki : {100.0, 200.0, 400.0})
        for (const Method method : {Method::adaptive, Method::coupled}) {
            Machine machine = axis(Ki, 1);
            machine.run.method = method;
            machine.run.step = 1e-3;
            const Result r = simulate(machine);
            EXPECT_EQ(r.status, Status::diverges) << Ki << ": " << r.message;
            EXPECT_NE(r.message.find("reduce"), std::string::npos) << r.message;
            EXPECT_TRUE(r.measures.max.empty());
        }
}

// Oracle: the same, below the limit; above it from a start so small that friction bounds the motion; and with a limit of the motor, beyond
// which the command does not grow.
TEST(Divergence, OfAMachineIsNotReportedForHuntingOrALimitedMotor) {
    for (Machine machine : {axis(80, 1), axis(88, 1e-3), axis(200, 1, 0.5)})
        for (const Method method : {Method::adaptive, Method::coupled}) {
            machine.run.method = method;
            machine.run.step = 1e-3;
            const Result r = simulate(machine);
            EXPECT_EQ(r.status, Status::done) << r.message;
        }
}

}  // namespace
}  // namespace bristle::simulation
