// Motors and controllers of a machine: closed forms without friction, and servo axes against the integrator of plain_referee.hpp.
#include <bristle/base/error.hpp>

#include "plain_referee.hpp"

namespace bristle::inline simulation {
namespace {

double final_of(const Result& run, const char* name) { return run.measures.final.at(name); }

// A constant command behind a lag T on a free mass: v = F/m (t - T (1 - exp(-t/T))).
// Oracle: this closed form. Tolerance: 1e-9, rtol 1e-10.
TEST(MachineDrives, MotorWithLagAcceleratesAMassAsInClosedForm) {
    const double m = 2, T = 0.05, gain = 3, u = 0.7;
    const Machine machine{
        .bodies = {{.name = "slide", .mass = m}},
        .motors = {{.name = "coil", .body = "slide", .gain = gain, .lag = T, .command = Input::constant(u)}},
        .run = {.duration = 0.4, .rtol = 1e-10, .atol = 1e-10}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    const double t = 0.4, F = gain * u, v = F / m * (t - T * (1 - std::exp(-t / T)));
    EXPECT_NEAR(final_of(run, "slide.v"), v, 1e-9);
    EXPECT_NEAR(final_of(run, "coil.F"), F * (1 - std::exp(-t / T)), 1e-9);
    EXPECT_NEAR(run.energy.supplied, 0.5 * m * v * v, 1e-9);
}

// A cascade far from its target: the velocity loop sees its limit w, so v = w (1 - exp(-Kv t/m)).
// Oracle: this closed form. Tolerance: 1e-9.
TEST(MachineDrives, SpeedLimitOfACascadeHoldsTheVelocity) {
    const double m = 2, Kv = 30, w = 0.2;
    const Machine machine{.bodies = {{.name = "slide", .mass = m}},
                          .motors = {{.name = "motor", .body = "slide"}},
                          .controllers = {{.name = "drive",
                                           .motor = "motor",
                                           .law = Cascade{.Kx = 5, .Kv = Kv, .speed_limit = w},
                                           .reference = Input::constant(10)}},
                          .run = {.duration = 0.5, .rtol = 1e-10, .atol = 1e-10}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    EXPECT_NEAR(final_of(run, "slide.v"), w * (1 - std::exp(-Kv * 0.5 / m)), 1e-9);
    EXPECT_LE(run.measures.max.at("slide.v"), w);
}

// Feedforward of inertia and viscous friction follows an S-curve without error. Oracle: the equation of motion. Tolerance: 1e-10 m.
TEST(MachineDrives, FeedforwardOfInertiaAndViscousFrictionLeavesNoTrackingError) {
    const double m = 2, b = 3;
    const Machine machine{
        .bodies = {{.name = "slide", .mass = m}},
        .springs = {{.name = "oil", .first = "slide", .stiffness = 0, .damping = b}},
        .motors = {{.name = "motor", .body = "slide"}},
        .controllers = {{.name = "servo",
                         .motor = "motor",
                         .law = Pid{.Kp = 400, .Kd = 40},
                         .reference = Input::s_curve(0, 0.3, {.speed = 0.5, .acceleration = 4, .jerk = 80}, 0.1),
                         .inertia = m,
                         .viscous = b}},
        .run = {.duration = 1.5, .rtol = 1e-9, .atol = 1e-9}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    EXPECT_LE(run.measures.max.at("servo.e"), 1e-10);
    EXPECT_GE(run.measures.min.at("servo.e"), -1e-10);
    EXPECT_NEAR(final_of(run, "slide.x"), 0.3, 1e-10);
}

// ---- servo axes against the integrator of the tests ---------------------------------------------------------------------

// The trial axis (inertia 0.0012 kg m^2, Tc 0.08, Ts 0.14 N m, vs 0.5 rad/s, viscous 0.002) divided into motor and load by a compliant gearbox;
// PID with a filter on its derivative, a torque limit of 1 N m with anti-windup, a trapezoidal move.
// Oracle: the integrator, h = 2e-5 s. Tolerance: 1e-5 of the range, through the events of limit and reversals.
class CompliantServo {
  public:
    static constexpr double Jm = 4e-4, Jl = 8e-4, k = 60, d = 0.01, Kp = 2, Ki = 40, Kd = 0.05, T = 2e-3,
                            tracking = 0.03, limit = 1, sigma0 = 100, sigma1 = 0.3, sigma2 = 2e-3, Tc = 0.08, Ts = 0.14,
                            vs = 0.5;
    static Machine machine() {
        return {.bodies = {{.name = "motor", .mass = Jm, .rotary = true}, {.name = "load", .mass = Jl, .rotary = true}},
                .springs = {{.name = "gearbox", .first = "motor", .second = "load", .stiffness = k, .damping = d}},
                .contacts = {{.name = "guide",
                              .first = "load",
                              .law = LuGre{.sigma0 = sigma0,
                                           .sigma1 = sigma1,
                                           .sigma2 = sigma2,
                                           .curve = {.Fc = Tc, .Fs = Ts, .vs = vs}}}},
                .motors = {{.name = "drive", .body = "motor", .limit = limit}},
                .controllers = {{.name = "servo",
                                 .motor = "drive",
                                 .law = Pid{.Kp = Kp, .Ki = Ki, .Kd = Kd, .filter = T},
                                 .reference = Input::trapezoid(0, 1.5, speed, acceleration, begin),
                                 .tracking = tracking}},
                .run = {.duration = 1.2, .rtol = 1e-10, .atol = 1e-10}};
    }
    // y = xm vm xl vl z I D
    Plain plain() {
        return {.rates = [this](double t, const Vec& y, Vec& f) { rates(t, y, f); },
                .guards =
                    [this](double t, const Vec& y) {
                        const double u = command(t, y);
                        return Vec{side * y[3],
                                   saturated == 0 ? limit - u : saturated * u - limit,
                                   saturated == 0 ? limit + u : 1,
                                   begin - t,
                                   ramp_end - t,
                                   brake - t,
                                   end - t};
                    },
                .change =
                    [this](std::size_t i, double, Vec&) {
                        if (i == 0) side = -side;
                        if (i == 1) saturated = saturated == 0 ? 1 : 0;
                        if (i == 2) saturated = -1;
                        saturations += i == 1 || i == 2;
                        reversals += i == 0;
                    }};
    }
    int side = 1, saturated = 0, saturations = 0, reversals = 0;

  private:
    static constexpr double speed = 20, acceleration = 4000, begin = 0.05, ramp = speed / acceleration,
                            ramp_end = begin + ramp, brake = begin + 1.5 / speed, end = brake + ramp;
    static double reference(double t) {
        if (t < begin) return 0;
        if (t < ramp_end) return 0.5 * acceleration * (t - begin) * (t - begin);
        if (t < brake) return speed * (t - begin - 0.5 * ramp);
        return t < end ? 1.5 - 0.5 * acceleration * (end - t) * (end - t) : 1.5;
    }
    static double reference_rate(double t) {
        return t < begin || t >= end ? 0
               : t < ramp_end        ? acceleration * (t - begin)
               : t < brake           ? speed
                                     : acceleration * (end - t);
    }
    static double command(double t, const Vec& y) { return Kp * (reference(t) - y[0]) + y[5] + y[6]; }
    void rates(double t, const Vec& y, Vec& f) const {
        const double u = command(t, y), applied = saturated == 0 ? u : saturated * limit;
        const double shaft = k * (y[0] - y[2]) + d * (y[1] - y[3]), v = y[3];
        const double dz = v - sigma0 * side * v / stribeck(Tc, Ts, vs, v) * y[4];
        const double friction = sigma0 * y[4] + sigma1 * dz + sigma2 * v;
        f = {y[1],
             (applied - shaft) / Jm,
             v,
             (shaft - friction) / Jl,
             dz,
             Ki * (reference(t) - y[0]) - (u - applied) / tracking,
             (Kd * (reference_rate(t) - y[1]) - y[6]) / T};
    }
};

TEST(MachineDrives, CompliantServoWithATorqueLimitAgreesTo1em5) {
    const Result run = simulate(CompliantServo::machine());
    ASSERT_EQ(run.status, Status::done) << run.message;
    CompliantServo referee;
    const Vec y = integrate(referee.plain(), Vec(7, 0.0), 1.2, 2e-5);
    EXPECT_GE(referee.saturations, 2);
    EXPECT_GE(referee.reversals, 1);
    const auto &low = run.measures.min, &high = run.measures.max;
    const auto near = [&](const char* name, double value) {
        EXPECT_NEAR(final_of(run, name), value, 1e-5 * (high.at(name) - low.at(name))) << name;
    };
    near("motor.x", y[0]);
    near("motor.v", y[1]);
    near("load.x", y[2]);
    near("load.v", y[3]);
    near("guide.z", y[4]);
    near("servo.I", y[5]);
    EXPECT_LE(high.at("drive.F") - 1, 1e-10);  // rtol
    EXPECT_GE(high.at("servo.u"), 1.05);
    EXPECT_LE(part_residual(run), 1e-9);
}

// Cascade with a speed limit, feedforward, a motor with lag and limit; Coulomb friction with Fs > Fc; steps of the reference.
// Oracle: the integrator, h = 2e-5 s. Tolerance: 1e-5 of the range.
class LaggingCascade {
  public:
    static constexpr double m = 3, Kx = 20, Kv = 120, Ki = 900, w_max = 0.25, lag = 4e-3, gain = 2, limit = 40,
                            jump = 0.800007, Fc = 5, Fs = 7, viscous = 4, tracking = Kv / Ki;
    static Machine machine() {
        return {.bodies = {{.name = "slide", .mass = m}},
                .contacts = {{.name = "guide", .first = "slide", .law = Coulomb{.curve = {.Fc = Fc, .Fs = Fs}}}},
                .motors = {{.name = "motor", .body = "slide", .gain = gain, .limit = limit, .lag = lag}},
                .controllers = {{.name = "drive",
                                 .motor = "motor",
                                 .law = Cascade{.Kx = Kx, .Kv = Kv, .Ki = Ki, .speed_limit = w_max},
                                 .reference = Input::steps({{0, 0.1}, {jump, -0.05}}),
                                 .viscous = viscous}},
                .run = {.duration = 1.6, .rtol = 1e-10, .atol = 1e-10}};
    }
    // y = x v I F; starts held, both limits active
    Plain plain() {
        return {.rates = [this](double, const Vec& y, Vec& f) { rates(y, f); },
                .guards =
                    [this](double t, const Vec& y) {
                        const double u = command(y), w = Kx * (reference() - y[0]), bound = limit / gain;
                        return Vec{slip == 0 ? Fs - y[3] : slip * y[1],
                                   slip == 0 ? Fs + y[3] : 1,
                                   fast == 0 ? w_max - w : fast * w - w_max,
                                   fast == 0 ? w_max + w : 1,
                                   full == 0 ? bound - u : full * u - bound,
                                   full == 0 ? bound + u : 1,
                                   stepped ? 1 : jump - t};
                    },
                .change = [this](std::size_t i, double, Vec& y) { change(i, y); }};
    }
    int slip = 0, fast = 1, full = 1, events = 0, stops = 0;
    bool stepped = false;

  private:
    double reference() const { return stepped ? -0.05 : 0.1; }  // by mode: no step of the integrator crosses the jump
    double wanted(const Vec& y) const { return fast == 0 ? Kx * (reference() - y[0]) : fast * w_max; }
    double command(const Vec& y) const { return Kv * (wanted(y) - y[1]) + y[2]; }
    void rates(const Vec& y, Vec& f) const {
        const double u = command(y), applied = full == 0 ? u : full * limit / gain;
        f = {y[1], slip == 0 ? 0 : (y[3] - slip * Fc) / m, Ki * (wanted(y) - y[1]) - (u - applied) / tracking,
             (gain * applied - y[3]) / lag};
    }
    void change(std::size_t i, Vec& y) {
        ++events;
        if (i == 0 && slip != 0) {
            y[1] = 0;
            slip = std::abs(y[3]) <= Fs ? 0 : y[3] > 0 ? 1 : -1;
            stops += slip == 0;
        } else if (i <= 1) {
            slip = i == 0 ? 1 : -1;
        }
        if (i == 2) fast = fast == 0 ? 1 : 0;
        if (i == 3) fast = -1;
        if (i == 4) full = full == 0 ? 1 : 0;
        if (i == 5) full = -1;
        if (i == 6) {
            stepped = true;
            const double w = Kx * (reference() - y[0]);
            fast = w > w_max ? 1 : w < -w_max ? -1 : 0;
            const double u = command(y);
            full = u > limit / gain ? 1 : u < -limit / gain ? -1 : 0;
        }
    }
};

TEST(MachineDrives, CascadeWithLimitsAndALagAgreesTo1em5) {
    const Result run = simulate(LaggingCascade::machine());
    ASSERT_EQ(run.status, Status::done) << run.message;
    LaggingCascade referee;
    const Vec y = integrate(referee.plain(), Vec(4, 0.0), 1.6, 2e-5);
    EXPECT_GE(referee.events, 7);
    EXPECT_GE(referee.stops, 1);
    const auto &low = run.measures.min, &high = run.measures.max;
    const auto near = [&](const char* name, double value) {
        EXPECT_NEAR(final_of(run, name), value, 1e-5 * (high.at(name) - low.at(name))) << name;
    };
    near("slide.x", y[0]);
    near("slide.v", y[1]);
    near("drive.I", y[2]);
    near("motor.F", y[3]);
    EXPECT_LE(part_residual(run), 1e-9);
}

// A step asks for more than the motor gives; with anti-windup the overshoot is smaller. Oracle: what anti-windup is for, and the limit.
TEST(MachineDrives, AntiWindupReducesTheOvershootOfAStep) {
    Machine machine{.bodies = {{.name = "slide", .mass = 1}},
                    .motors = {{.name = "motor", .body = "slide", .limit = 1}},
                    .controllers = {{.name = "servo",
                                     .motor = "motor",
                                     .law = Pid{.Kp = 40, .Ki = 60, .Kd = 12},
                                     .reference = Input::constant(1)}},
                    .run = {.duration = 10}};
    const Result with = simulate(machine);
    machine.controllers[0].tracking = std::numeric_limits<double>::infinity();
    const Result without = simulate(machine);
    ASSERT_EQ(with.status, Status::done) << with.message;
    ASSERT_EQ(without.status, Status::done) << without.message;
    EXPECT_LT(with.measures.max.at("slide.x") - 1, 0.5 * (without.measures.max.at("slide.x") - 1));
}

// A run in two halves is the whole run. Oracle: the whole run. Tolerance: 1e-7 of the range, rtol 1e-10.
TEST(MachineDrives, AContinuedRunIsTheWholeRun) {
    Machine machine = CompliantServo::machine();
    machine.motors[0].lag = 1e-3;
    machine.forces = {{.name = "shake", .body = "load", .value = Input::chirp(0.01, 0.02, 5, 20, 1.2)}};
    const Result whole = simulate(machine);
    machine.run.duration = 0.5;
    const Result half = simulate(machine);
    machine = continued(machine, half);
    machine.run.duration = 0.7;
    const Result rest = simulate(machine);
    ASSERT_EQ(rest.status, Status::done) << rest.message;
    for (const char* name : {"motor.x", "motor.v", "load.x", "load.v", "guide.z", "servo.I", "servo.D", "drive.F"})
        EXPECT_NEAR(final_of(rest, name), final_of(whole, name),
                    1e-7 * (whole.measures.max.at(name) - whole.measures.min.at(name)))
            << name;
    machine = CompliantServo::machine();
    machine.run.duration = 0.1;  // during the move
    EXPECT_THROW(continued(machine, simulate(machine)), Error);
}

// ---- measures ----------------------------------------------------------------------------------------------------------

// The trial axis held at 1 rad.
Machine trial_axis(double Ki, double duration) {
    return {.bodies = {{.name = "axis", .mass = 0.0012, .rotary = true}},
            .contacts = {{.name = "bearing",
                          .first = "axis",
                          .law = LuGre{.sigma0 = 100,
                                       .sigma1 = 2 * std::sqrt(100 * 0.0012),
                                       .sigma2 = 0.002,
                                       .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}}},
            .motors = {{.name = "motor", .body = "axis"}},
            .controllers = {{.name = "servo",
                             .motor = "motor",
                             .law = Pid{.Kp = 2, .Ki = Ki, .Kd = 0.05},
                             .reference = Input::constant(1)}},
            .run = {.duration = duration}};
}

// Oracle: SciPy (T = 0.387771 s, half peak to peak 26.217 mrad at Ki = 70, from another start). Tolerance: 1e-3, the run's distance
// from its limit cycle after 30 s.
TEST(MachineDrives, HuntingPeriodAndAmplitudeAreThoseOfTheWholeCycle) {
    const Result run = simulate(trial_axis(70, 30));
    ASSERT_EQ(run.status, Status::done) << run.message;
    ASSERT_EQ(run.servos.size(), 1U);
    const ServoMeasures& servo = run.servos[0];
    ASSERT_TRUE(servo.period && servo.amplitude);
    EXPECT_NEAR(*servo.period, 0.387771, 1e-3 * 0.387771);
    EXPECT_NEAR(*servo.amplitude, 26.217e-3, 1e-3 * 26.217e-3);
    EXPECT_FALSE(servo.settling_time || servo.stuck_error);
}

// Below the limit of 48.23 the axis comes to rest at its target: no period. Oracle: SciPy's limit.
TEST(MachineDrives, AnAxisAtRestHasNoPeriodButAStuckErrorAndASettlingTime) {
    const Result run = simulate(trial_axis(20, 30));
    ASSERT_EQ(run.status, Status::done) << run.message;
    const ServoMeasures& servo = run.servos.at(0);
    EXPECT_FALSE(servo.period || servo.amplitude);
    ASSERT_TRUE(servo.stuck_error && servo.settling_time);
    EXPECT_NEAR(*servo.stuck_error, run.measures.final.at("servo.e"), 1e-15);
    EXPECT_LT(std::abs(*servo.stuck_error), 0.02);
}

// A PD servo without friction: e = exp(-a t) of a double pole, so |e| < 2 % from the root of (1 + a t) exp(-a t) = 0.02 on.
// Oracle: this closed form. Tolerance: 1e-8.
TEST(MachineDrives, SettlingTimeIsThatOfTheClosedForm) {
    const double a = 10;
    Machine machine{.bodies = {{.name = "slide", .mass = 1}},
                    .motors = {{.name = "motor", .body = "slide"}},
                    .controllers = {{.name = "servo",
                                     .motor = "motor",
                                     .law = Pid{.Kp = a * a, .Kd = 2 * a},
                                     .reference = Input::steps({{0.3, 0.5}})}},
                    .run = {.duration = 3, .rtol = 1e-10, .atol = 1e-10}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    double t = 0.6;
    for (int i = 0; i < 50; ++i) t -= ((1 + a * t) * std::exp(-a * t) - 0.02) / (-a * a * t * std::exp(-a * t));
    ASSERT_TRUE(run.servos.at(0).settling_time);
    EXPECT_NEAR(*run.servos[0].settling_time, t, 1e-8);
    EXPECT_FALSE(run.servos[0].tracking_error || run.servos[0].quadrant_glitch || run.servos[0].stuck_error);
}

// A PD servo follows a sine without friction with an error of known amplitude.
// Oracle: the transfer function s^2/(s^2 + Kd s + Kp) with the velocity error fed back, (m s^2)/(m s^2 + Kd s + Kp). Tolerance: 1e-6.
TEST(MachineDrives, TrackingErrorOfASineIsThatOfTheTransferFunction) {
    const double Kp = 400, Kd = 40, w = 6, A = 0.2, m = 1;
    Machine machine{.bodies = {{.name = "slide", .mass = m, .v = A * w}},
                    .motors = {{.name = "motor", .body = "slide"}},
                    .controllers = {{.name = "servo",
                                     .motor = "motor",
                                     .law = Pid{.Kp = Kp, .Kd = Kd},
                                     .reference = Input::sine(0, A, w, 0)}},
                    .run = {.duration = 6, .rtol = 1e-10, .atol = 1e-10}};
    const double real = Kp - m * w * w, imaginary = Kd * w, steady = A * m * w * w / std::hypot(real, imaginary);
    // start on the steady motion: e = Im(G A exp(i w t)), G = -m w^2/(real + i imaginary)
    const double angle = std::atan2(imaginary, real);
    machine.bodies[0].x = -steady * std::sin(angle);
    machine.bodies[0].v += steady * w * std::cos(angle);
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    ASSERT_TRUE(run.servos.at(0).tracking_error && run.servos[0].quadrant_glitch);
    EXPECT_NEAR(*run.servos[0].tracking_error, steady, 1e-6 * steady);
    EXPECT_FALSE(run.servos[0].settling_time || run.servos[0].period);
}

// With feedforward and an integral the error is small but after reversals, where the friction changes its sign.
// Oracle: the largest |e| of 60001 samples from each reversal of cos(w t) until |cos(w t)| = 1/2. Tolerance: 1e-3, because e
// changes by that from one sample to the next.
TEST(MachineDrives, QuadrantGlitchIsTheLargestErrorAfterReversals) {
    const double w = 6, A = 0.2, pi = 3.14159265358979323846;
    const Machine machine{
        .bodies = {{.name = "slide", .mass = 1, .v = A * w}},
        .contacts = {{.name = "guide", .first = "slide", .law = Coulomb{.curve = {.Fc = 2, .Fs = 2}}}},
        .motors = {{.name = "motor", .body = "slide"}},
        .controllers = {{.name = "servo",
                         .motor = "motor",
                         .law = Pid{.Kp = 400, .Ki = 4000, .Kd = 40},
                         .reference = Input::sine(0, A, w, 0),
                         .inertia = 1}},
        .run = {.duration = 6, .rtol = 1e-9, .atol = 1e-9, .samples = 60001}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    const auto &t = run.signal("t")->values, &e = run.signal("servo.e")->values;
    double largest = 0, overall = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double phase = std::fmod(w * t[i] + 0.5 * pi, pi);  // 0 at a reversal
        if (w * t[i] > 0.5 * pi && phase < pi / 6) largest = std::max(largest, std::abs(e[i]));
        overall = std::max(overall, std::abs(e[i]));
    }
    EXPECT_NEAR(run.servos.at(0).quadrant_glitch.value_or(0), largest, 1e-3 * largest);
    EXPECT_NEAR(run.servos[0].tracking_error.value_or(0), overall, 1e-3 * overall);
}

TEST(MachineDrives, EachBrokenRuleIsASentence) {
    const double inf = std::numeric_limits<double>::infinity();
    const Machine machine{
        .bodies = {{.name = "arm", .mass = 1, .rotary = true}},
        .motors = {{.name = "m1", .body = "leg", .gain = 0, .limit = -1, .lag = -2},
                   {.name = "m2", .body = "arm", .command = Input::constant(3)}},
        .controllers = {{.name = "a", .motor = "m3"},
                        {.name = "b", .motor = "m2", .sensor = "eye", .law = Cascade{.Kx = 1, .Kv = -4}},
                        {.name = "c",
                         .motor = "m2",
                         .law = Pid{.Kp = 0, .Ki = 1},
                         .reference = Input::trapezoid(0, 1, 0, 1),
                         .limit = 5},
                        {.name = "d", .motor = "m1", .law = Pid{.Kp = 1}, .inertia = inf, .start = 2}},
        .run = {.duration = 1}};
    const auto found = problems(machine);
    for (const char* text :
         {"m1.body: there is no body \"leg\"", "m1.gain: must not be 0", "m1.limit = -1 N", "m1.lag = -2 s",
          "m2: 2 controllers command this motor", "m2.command: a controller commands",
          "a.motor: there is no motor \"m3\"", "a.Kp", "b.sensor: there is no body \"eye\"", "b.Kv = -4 N m s/rad",
          "c.reference: speed, acceleration and jerk", "c.tracking: is needed", "d.inertia", "d.start: has no effect"})
        EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const std::string& p) {
            return p.find(text) != std::string::npos;
        })) << text;
    EXPECT_THROW(simulate(machine), std::exception);
}

}  // namespace
}  // namespace bristle::simulation
