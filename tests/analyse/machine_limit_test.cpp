// Limit of hunting of a machine: the trial axis against SciPy, and a servo with a gearbox and a torque limit against an integrator of the tests.
#include <bristle/analyse/machine_limit.hpp>
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <optional>

#include "../simulate/plain_referee.hpp"

namespace bristle {
namespace {

// The trial axis: 0.0012 kg m^2, Tc 0.08, Ts 0.14 N m, vs 0.5 rad/s, viscous 0.002 N m s/rad, Kp 2, Kd 0.05, law.zeta = 1.
LuGre bearing(double sigma0) {
    return {.sigma0 = sigma0,
            .sigma1 = 2 * std::sqrt(sigma0 * 0.0012),
            .sigma2 = 0.002,
            .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}};
}
Machine trial_axis(double Ki, double sigma0) {
    return {.bodies = {{.name = "axis", .mass = 0.0012, .rotary = true}},
            .contacts = {{.name = "bearing", .first = "axis", .law = bearing(sigma0)}},
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

// The range of the first state in the last 4 s of 40 s, by the integrator of the tests from y.
double late_range(const Plain& plain, Vec y) {
    double low = INFINITY, high = -INFINITY;
    for (int part = 0; part < 400; ++part) {
        y = integrate(plain, y, 0.1, 1e-4);
        if (part < 360) continue;
        low = std::min(low, y[0]);
        high = std::max(high, y[0]);
    }
    return high - low;
}

// The trial axis under a load, which scales the whole force of its contact: F = N (sigma0 z + sigma1 dz/dt + sigma2 v).
namespace loaded_axis {

constexpr double Ki = 48.23, sigma0 = 100;

Machine machine(const Input& load) {
    Machine axis = trial_axis(Ki, sigma0);
    LuGre law = bearing(sigma0);
    law.load_on = LoadOn::all;
    axis.contacts[0].law = law;
    axis.contacts[0].load = load;
    return axis;
}
// The equation of motion divided by N: the same motion, with the neutral load.
Machine divided(double N) {
    Machine axis = trial_axis(Ki / N, sigma0);
    axis.bodies[0].mass /= N;
    Pid& pid = std::get<Pid>(axis.controllers[0].law);
    pid.Kp /= N;
    pid.Kd /= N;
    return axis;
}
// Motion of the angle that is left after 36 s, from 0.1 rad off with the integral wound up.
double late_motion(double N) {
    int side = 1;
    const LuGre law = bearing(sigma0);
    const Plain plain{.rates =
                          [&](double, const Vec& y, Vec& f) {
                              const double v = y[1], e = 1 - y[0];
                              const double dz = v - sigma0 * side * v / stribeck(0.08, 0.14, 0.5, v) * y[2];
                              const double F = N * (sigma0 * y[2] + law.sigma1 * dz + law.sigma2 * v);
                              f = {v, (2 * e - 0.05 * v + y[3] - F) / 0.0012, dz, Ki * e};
                          },
                      .guards = [&](double, const Vec& y) { return Vec{side * y[1]}; },
                      .change = [&](std::size_t, double, Vec&) { side = -side; }};
    return late_range(plain, {0.9, 0, 0, 0.3 * N});
}

}  // namespace loaded_axis

// Oracles: SciPy for N = 1, which hunts for Ki above 48.23 (the trial axis); the same axis with everything else divided by N, whose limit
// is not over an input; and simulations by the integrator of the tests on both sides. Tolerance: the accuracy of both limits.
TEST(MachineLimit, OverALoadIsThatOfTheAxisDividedByTheLoad) {
    const auto loaded = [](double N) { return loaded_axis::machine(Input::constant(N)); };
    const Limit load = limit(loaded, 0.3, {0.05, 20}), divided = limit(loaded_axis::divided, 0.3, {0.05, 20});
    ASSERT_EQ(load.outcome, LimitOutcome::found);
    ASSERT_EQ(divided.outcome, LimitOutcome::found);
    EXPECT_NEAR(load.value, 1, 0.01);
    EXPECT_NEAR(load.value, divided.value, 2e-3 * divided.value);
    EXPECT_LT(std::abs(load.with - load.without), 2e-3 * load.with);
    EXPECT_LT(loaded_axis::late_motion(0.95 * load.without), 1e-4);
    EXPECT_GT(loaded_axis::late_motion(1.05 * load.with), 0.02);
}

// A load that is small before 0.1 s, which ends hunting: a motion that is continued at another load has this time behind it.
TEST(MachineLimit, OverALoadThatStepsIsThatOfTheLastLoad) {
    const auto stepped = [](double N) { return loaded_axis::machine(Input::steps({{0, 0.05}, {0.1, N}})); };
    const Limit load = limit(stepped, 0.3, {0.05, 20});
    ASSERT_EQ(load.outcome, LimitOutcome::found);
    EXPECT_NEAR(load.value, 1, 0.01);
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

// Motion of the motor that is left after 36 s, from a start that hunts if anything does: 0.1 rad off, the integral wound up.
double late_motion(double Ki) {
    GearedServo servo;
    const Plain plain = servo.plain(Ki);
    return late_range(plain, {0.9, 0, 0.9, 0, 0, 0.3});
}

// Oracle: the integrator of the tests dies out 3 % below the limit and hunts 3 % above it.
TEST(MachineLimit, OfAServoWithGearboxAndTorqueLimitIsConfirmedByAnIntegratorOfTheTests) {
    const Limit gain = limit(GearedServo::machine, 10, {1, 1000});
    ASSERT_EQ(gain.outcome, LimitOutcome::found);
    EXPECT_GT(gain.value, 1.1 * 48.23);  // the compliance raises the limit
    EXPECT_LT(late_motion(0.97 * gain.without), 1e-4);
    EXPECT_GT(late_motion(1.03 * gain.with), 0.02);
}

// A motor and a load with a gap of 3 mrad between them. At rest the load can stand inside the gap, where no torque acts.
Machine servo_with_gap(double Ki) {
    return {
        .bodies = {{.name = "motor", .mass = 4e-4, .rotary = true}, {.name = "load", .mass = 8e-4, .rotary = true}},
        .springs =
            {{.name = "gearbox", .first = "motor", .second = "load", .stiffness = 60, .damping = 0.02, .gap = 0.003}},
        .contacts = {{.name = "bearing",
                      .first = "load",
                      .law = LuGre{.sigma0 = 100,
                                   .sigma1 = 2 * 0.5 * std::sqrt(100 * 8e-4),
                                   .sigma2 = 0.002,
                                   .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}}},
        .motors = {{.name = "drive", .body = "motor", .limit = 1}},
        .controllers = {{.name = "servo",
                         .motor = "drive",
                         .law = Pid{.Kp = 2, .Ki = Ki, .Kd = 0.05, .filter = 1e-3},
                         .reference = Input::trapezoid(0, 1, 10, 300, 0.1)}},
        .run = {.duration = 3}};
}
// The largest range of the motor angle in the last tenth of 400 s, from the integrals 0, +-0.42 and +-1 N m.
double late_motion_with_gap(double Ki) {
    double largest = 0;
    for (const double I : {0.0, 0.42, -0.42, 1.0, -1.0}) {
        Machine machine = servo_with_gap(Ki);
        machine.controllers[0].start = I;
        machine.run.duration = 400;
        const Result run = simulate(machine);
        EXPECT_EQ(run.status, Status::done);
        const auto& x = run.signal("motor.x")->values;
        const auto [low, high] = std::minmax_element(x.end() - long(x.size() / 10), x.end());
        largest = std::max(largest, *high - *low);
        if (largest > 0.02) break;
    }
    return largest;
}

// Oracle: the limit is a property of the machine, not of the value in the file; and simulations of 400 s at both neighbours from integrals of three times
// the friction and of the limit of the motor. Tolerance: the accuracy of the limit.
TEST(MachineLimit, OfAServoWithGapIsTheSameFromEveryStartValue) {
    std::optional<double> known;
    for (const double start : {20.0, 98.0}) {
        const Limit gain = limit(servo_with_gap, start);
        ASSERT_EQ(gain.outcome, LimitOutcome::found) << start;
        EXPECT_EQ(gain.starts, 5);
        EXPECT_LE(gain.with - gain.without, 2e-2 * gain.with) << start;
        EXPECT_NEAR(gain.value, known.value_or(gain.value), 1e-3 * gain.value) << start;
        if (!known) {
            EXPECT_LT(late_motion_with_gap(gain.without), 1e-3);
            EXPECT_GT(late_motion_with_gap(gain.with), 0.02);
        }
        known = known.value_or(gain.value);
    }
}

// With one run for each motion hunting cannot repeat, so no value above the limit of 48.23 decides.
TEST(MachineLimit, UndecidedHasTheValuesAtWhichMotionsSettle) {
    const Limit gain = limit(
        [](double Ki) {
            Machine axis = trial_axis(Ki, 100);
            axis.run.duration = 20;
            return axis;
        },
        10, {1, 1000}, {.patience = 1});
    ASSERT_EQ(gain.outcome, LimitOutcome::undecided);
    ASSERT_TRUE(gain.settles);
    EXPECT_GE(gain.settles->from, gain.lowest);
    EXPECT_LE(gain.settles->from, 10);
    EXPECT_GE(gain.settles->to, 10);
    EXPECT_LT(gain.settles->to, 48.2);
    EXPECT_FALSE(gain.persists);
}

// The trial axis beside a sliding body whose controller has no integral: only the axis hunts.
TEST(MachineLimit, NamesTheControllerThatHuntsAndTheNumberOfStarts) {
    const Limit gain = limit(
        [](double Ki) {
            Machine machine = trial_axis(Ki, 100);
            machine.bodies.push_back({.name = "slide", .mass = 1});
            machine.motors.push_back({.name = "coil", .body = "slide"});
            machine.controllers.insert(
                machine.controllers.begin(),
                {.name = "first", .motor = "coil", .law = Pid{.Kp = 100, .Kd = 20}, .reference = Input::constant(1)});
            return machine;
        },
        40, {30, 60});
    ASSERT_EQ(gain.outcome, LimitOutcome::found);
    EXPECT_EQ(gain.controller, "servo");
    EXPECT_EQ(gain.starts, 3);
}

TEST(MachineLimit, BuildsTheMachineOfAValueOnce) {
    std::map<double, int> built;
    const Limit gain = limit(
        [&](double Ki) {
            ++built[Ki];
            return trial_axis(Ki, 100);
        },
        40, {30, 60});
    ASSERT_EQ(gain.outcome, LimitOutcome::found);
    EXPECT_GT(built.size(), 5u);
    for (const auto& [Ki, times] : built) EXPECT_EQ(times, 1) << Ki;
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
