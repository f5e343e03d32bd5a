// Rules of a set-up that is written in C++.
#include <bristle/base/error.hpp>
#include <bristle/bristle.hpp>
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/result.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bristle {
namespace {

bristle::Setup good() {
    return {.law = LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {1.0, 1.5, 1e-3}},
            .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1},
            .run = {.duration = 0.1}};
}

TEST(CheckSetup, AValidSetupHasNoProblems) { EXPECT_TRUE(problems(good()).empty()); }

TEST(CheckSetup, AllProblemsAreReportedAtOnceWithKeyValueAndRule) {
    bristle::Setup bad = good();
    bad.law = LuGre{.sigma0 = -3, .curve = {1.0, 0.5, 1e-3}};
    bad.rig = PulledSpring{.mass = 0, .stiffness = 2};  // velocity is not given
    bad.run = {.duration = 0, .method = Method::coupled};
    bad.start["theta"] = 1;
    bad.load = Input::constant(-1);
    const std::vector<std::string> expected{"law.sigma0 = -3 N/m: must be a finite number > 0",
                                            "law.Fs = 0.5 N: must be >= Fc (or set allow_rising)",
                                            "rig.mass = 0 kg: must be a finite number > 0",
                                            "rig.velocity is not given (nan m/s): must be a finite number",
                                            "load: must stay > 0 N",
                                            "run.duration = 0 s: must be >= 1e-12 s and < 1e9 s",
                                            "run.step = 0 s: must be a finite number > 0",
                                            "start.theta: there is no such state; the set-up has elongation, v, z"};
    EXPECT_EQ(problems(bad), expected);
}

TEST(CheckSetup, EveryNumberOfInputAndLoadIsChecked) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    bristle::Setup bad = good();
    bad.input = Input::steps({{0, 1}, {1, nan}, {nan, 2}, {0.5, 2}, {0.5, 3}});
    bad.load = Input::ramps({{0, 1}, {1e-9, 1e308}, {2e-9, nan}, {1e-9, 1}});
    const std::vector<std::string> points{"load.points[2]: the slope from the point before is not finite",
                                          "load.points[3]: t and value must be finite numbers",
                                          "load.points[4]: t must be larger than that of the point before it",
                                          "input.points[2]: t and value must be finite numbers",
                                          "input.points[3]: t and value must be finite numbers",
                                          "input.points[5]: t must be larger than that of the point before it"};
    EXPECT_EQ(problems(bad), points);
    bad.input = Input::sine(nan, nan, nan, nan);
    bad.load = Input::constant(nan);
    const std::vector<std::string> waves{
        "load.value = nan: must be a finite number", "input.offset = nan: must be a finite number",
        "input.amplitude = nan: must be a finite number", "input.omega = nan rad/s: must be a finite number",
        "input.phase = nan rad: must be a finite number"};
    EXPECT_EQ(problems(bad), waves);
    bad = good();
    bad.input = Input::chirp(0, 1, 1, 2, 0);
    EXPECT_EQ(problems(bad), std::vector<std::string>{"input.bend = inf rad/s^2: must be a finite number"});
}

TEST(CheckSetup, StepAndSampleTimesAreWithinTheRun) {
    bristle::Setup bad = good();
    bad.run = {.duration = 1, .method = Method::coupled, .step = 2, .sample_times = {0, 1, 1.5, -1, std::nan("")}};
    const std::vector<std::string> expected{"run.step = 2 s: must be <= run.duration",
                                            "run.sample_times[3] = 1.5 s: must be >= 0 s and <= run.duration",
                                            "run.sample_times[4] = -1 s: must be >= 0 s and <= run.duration",
                                            "run.sample_times[5] = nan s: must be >= 0 s and <= run.duration"};
    EXPECT_EQ(problems(bad), expected);
    bad.run.method = Method::adaptive;  // ignores the step
    bad.run.sample_times = {};
    EXPECT_TRUE(problems(bad).empty());
}

// The reader of experiment files reports the same rule (Read.ProductsOfARigMustStayFinite).
TEST(CheckSetup, ProductsOfARigMustStayFinite) {
    bristle::Setup bad = good();
    bad.rig = Pendulum{.mass = 1, .length = 1e200, .gravity = 9.81, .radius = 1};
    EXPECT_EQ(problems(bad),
              std::vector<std::string>{"rig: a product of these numbers is not finite; use values nearer to 1"});
}

TEST(CheckSetup, SimulateRejectsABrokenRule) {
    bristle::Setup bad = good();
    bad.start["v"] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(simulate(bad), Error);
    EXPECT_EQ(simulate(good()).status, Status::done);
}

}  // namespace
}  // namespace bristle
