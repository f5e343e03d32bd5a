// Rules of a set-up that is written in C++.
#include <bristle/base/error.hpp>
#include <bristle/bristle.hpp>
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/result.hpp>

#include <gtest/gtest.h>

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
                                            "load: must be finite and stay > 0 N",
                                            "run.duration = 0 s: must be >= 1e-12 s and < 1e9 s",
                                            "run.step = 0 s: must be a finite number > 0",
                                            "start.theta: there is no such state; the set-up has elongation, v, z"};
    EXPECT_EQ(problems(bad), expected);
}

TEST(CheckSetup, SimulateRejectsABrokenRule) {
    bristle::Setup bad = good();
    bad.start["v"] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(simulate(bad), Error);
    EXPECT_EQ(simulate(good()).status, Status::done);
}

}  // namespace
}  // namespace bristle
