// Limit of hunting of a machine: the trial axis against SciPy, and a servo with a gearbox and a torque limit against an integrator of the tests.
#include <bristle/analyse/machine_limit.hpp>
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include "../simulate/plain_referee.hpp"

namespace bristle {
namespace {

// The trial axis: 0.0012 kg m^2, Tc 0.08, Ts 0.14 N m, vs 0.5 rad/s, viscous 0.002 N m s/rad, Kp 2, Kd 0.05, law.zeta = 1.
Machine trial_axis(double Ki, double sigma0) {
    return {.bodies = {{.name = "axis", .mass = 0.0012, .rotary = true}},
            .contacts = {{.name = "bearing",
                          .first = "axis",
                          .law = LuGre{.sigma0 = sigma0,
                                       .sigma1 = 2 * std::sqrt(sigma0 * 0.0012),
                                       .sigma2 = 0.002,
                                       .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}}},
            .motors = {{.name = "motor", .body = "axis"}},
            .controllers = {{.name = "servo",
                             .motor = "motor",
                             .law = Pid{.Kp = 2, .Ki = Ki, .Kd = 0.05},
                             .reference = Input::constant(1)}},
            .run = {.duration = 5}};
}

// Oracle: SciPy, dead at 48.20 and alive at 48.25 for sigma0 = 100; 32.2 at 1000. Tolerance: 0.5 %.
TEST(MachineLimit, OfTheTrialAxisIsThatOfSciPyFromAnyStart) {
    for (const double start : {10.0, 200.0}) {
        const Limit gain = limit([](double Ki) { return trial_axis(Ki, 100); }, start, {1, 1000});
        ASSERT_EQ(gain.outcome, LimitOutcome::found);
        EXPECT_NEAR(gain.value, 48.23, 0.005 * 48.23);
        EXPECT_LT(gain.without, gain.with);
        EXPECT_LT(gain.with - gain.without, 0.005 * gain.with);
    }
    const Limit stiff = limit([](double Ki) { return trial_axis(Ki, 1000); }, 10, {1, 1000});
    ASSERT_EQ(stiff.outcome, LimitOutcome::found);
    EXPECT_NEAR(stiff.value, 32.2, 0.005 * 32.2);
}

// The same axis divided into motor and load by a compliant gearbox, with a torque limit of 1 N m and a trapezoidal move.
class GearedServo {
  public:
    static constexpr double Jm = 4e-4, Jl = 8e-4, k = 60, d = 0.01, Kp = 2, Kd = 0.05, limit = 1, sigma0 = 100,
                            sigma2 = 2e-3, Tc = 0.08, Ts = 0.14, vs = 0.5;
    static Machine machine(double Ki) {
        return {.bodies = {{.name = "motor", .mass = Jm, .rotary = true}, {.name = "load", .mass = Jl, .rotary = true}},
                .springs = {{.name = "gearbox", .first = "motor", .second = "load", .stiffness = k, .damping = d}},
                .contacts = {{.name = "guide",
                              .first = "load",
                              .law = LuGre{.sigma0 = sigma0,
                                           .sigma1 = sigma1(),
                                           .sigma2 = sigma2,
                                           .curve = {.Fc = Tc, .Fs = Ts, .vs = vs}}}},
                .motors = {{.name = "drive", .body = "motor", .limit = limit}},
                .controllers = {{.name = "servo",
                                 .motor = "drive",
                                 .law = Pid{.Kp = Kp, .Ki = Ki, .Kd = Kd},
                                 .reference = Input::trapezoid(0, 1, 8, 200, 0.05)}},
                .run = {.duration = 5}};
    }
    // The plain equations about a constant reference of 1 rad, y = xm vm xl vl z I; events: reversals of the load.
    Plain plain(double Ki) {
        return {.rates =
                    [this, Ki](double, const Vec& y, Vec& f) {
                        const double u = std::clamp(Kp * (1 - y[0]) - Kd * y[1] + y[5], -limit, limit);
                        const double shaft = k * (y[0] - y[2]) + d * (y[1] - y[3]), v = y[3];
                        const double dz = v - sigma0 * side * v / stribeck(Tc, Ts, vs, v) * y[4];
                        f = {y[1], (u - shaft) / Jm, v, (shaft - sigma0 * y[4] - sigma1() * dz - sigma2 * v) / Jl,
                             dz,   Ki * (1 - y[0])};
                    },
                .guards = [this](double, const Vec& y) { return Vec{side * y[3]}; },
                .change = [this](std::size_t, double, Vec&) { side = -side; }};
    }
    static double sigma1() { return 2 * std::sqrt(sigma0 * 0.0012); }
    int side = 1;
};

// The range of the motor angle in the last 4 s of 40 s, from a start that hunts if anything does: 0.1 rad off, the integral wound up.
double late_motion(double Ki) {
    GearedServo servo;
    const Plain plain = servo.plain(Ki);
    Vec y{0.9, 0, 0.9, 0, 0, 0.3};
    double low = INFINITY, high = -INFINITY;
    for (int part = 0; part < 400; ++part) {
        y = integrate(plain, y, 0.1, 1e-4);
        if (part < 360) continue;
        low = std::min(low, y[0]);
        high = std::max(high, y[0]);
    }
    return high - low;
}

// Oracle: the integrator of the tests dies out 3 % below the limit and hunts 3 % above it.
TEST(MachineLimit, OfAServoWithGearboxAndTorqueLimitIsConfirmedByAnIntegratorOfTheTests) {
    const Limit gain = limit(GearedServo::machine, 10, {1, 1000});
    ASSERT_EQ(gain.outcome, LimitOutcome::found);
    EXPECT_GT(gain.value, 1.1 * 48.23);  // the compliance raises the limit
    EXPECT_LT(late_motion(0.97 * gain.without), 1e-4);
    EXPECT_GT(late_motion(1.03 * gain.with), 0.02);
}

TEST(MachineLimit, RefusesWhatHasNoLimit) {
    const auto family = [](double Ki) { return trial_axis(Ki, 100); };
    EXPECT_THROW(limit(family, 10, {20, 1000}), Error);
    EXPECT_THROW(limit(
                     [](double Ki) {
                         Machine axis = trial_axis(Ki, 100);
                         axis.controllers[0].reference = Input::sine(0, 1, 1, 0);
                         return axis;
                     },
                     10, {1, 1000}),
                 Error);
    EXPECT_EQ(limit(
                  [](double Kp) {
                      Machine axis = trial_axis(0, 100);
                      std::get<Pid>(axis.controllers[0].law).Kp = Kp;
                      return axis;
                  },
                  1, {0.5, 2})
                  .outcome,
              LimitOutcome::cycle_nowhere);
    EXPECT_THROW(limit(family, 10, {1, 1000}, {}, [](double) { return false; }), Cancelled);
}

}  // namespace
}  // namespace bristle
