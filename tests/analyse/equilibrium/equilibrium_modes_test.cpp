// Stick and slip as oscillators, and the half waves of a held mass. Oracles: A08 (13), A08 (20), A08 (22) with the
// corrections of erratum E4.
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <cmath>

#include "../../simulate/cases.hpp"
#include "numerics/linear.hpp"
#include "equilibrium_support.hpp"

namespace bristle::inline analysis {
namespace {

using test::forced, test::pulled;

TEST(LinearModes, EqualA08_20AndA08_22) {
    const LinearModes modes = linear_modes(pulled(test::any(test::a08_soft), 1, 2, 2));
    EXPECT_EQ(modes.speed, 2);
    EXPECT_DOUBLE_EQ(modes.slip.omega, std::sqrt(2.0));
    EXPECT_NEAR(modes.slip.damping, -2.94 / 0.1 * std::exp(-20.0), 1e-20);  // F_ss' with the sign that A08 (20) lacks
    EXPECT_DOUBLE_EQ(modes.stick->omega, std::sqrt(2942.0));
    EXPECT_DOUBLE_EQ(modes.stick->ratio, 108 / (2 * std::sqrt(2942.0)));
    EXPECT_DOUBLE_EQ(modes.stiffness_ratio, 1471);
    EXPECT_DOUBLE_EQ(modes.frequency_ratio, std::sqrt(1471.0));
    LuGre viscous = test::a08_soft;
    viscous.sigma2 = viscous.sigma2_negative = 0.5;
    const LinearModes m4 =
        linear_modes(pulled(test::any(viscous), 4, 2, -2));  // negative velocity; 4 kg: the 1/m of erratum E4
    EXPECT_DOUBLE_EQ(m4.slip.omega, std::sqrt(0.5));
    EXPECT_NEAR(m4.slip.ratio, (0.5 - 29.4 * std::exp(-20.0)) / (2 * std::sqrt(8.0)), 1e-16);
    EXPECT_DOUBLE_EQ(m4.stick->damping, 108.5);
    // A08 (22) itself: an integrator and this oscillator
    const double A[] = {0, -1, 0, 0.5, -108.5 / 4, -2940 / 4.0, 0, 1, 0};
    const auto found = numerics::eigenvalues(A, 3);
    EXPECT_NEAR(found[0].real(), 0, 1e-12);
    EXPECT_NEAR((found[1] * found[2]).real(), m4.stick->stiffness / 4, 1e-10);
    EXPECT_NEAR(-(found[1] + found[2]).real(), m4.stick->damping / 4, 1e-12);
    EXPECT_FALSE(linear_modes(pulled(c95_law("stribeck"), 1, 2, 1)).stick.has_value());
    bristle::Setup pid;
    pid.law = test::any(test::c95);
    pid.rig = PidServo{1, 1, 1, 1, 0};
    EXPECT_THROW(linear_modes(pid), Error);
}

TEST(HalfWaves, EqualA08_13ForBothSignsOfTheVelocity) {
    LuGre law = test::a08_stiff;
    law.sigma1 = 242;
    law.sigma2 = law.sigma2_negative = 10;
    const HalfWaves w = half_waves(forced(test::any(law), 2, 0), 0.3);
    EXPECT_DOUBLE_EQ(w.positive.omega, std::sqrt(0.7 * 1.47e6 / 2));
    EXPECT_DOUBLE_EQ(w.negative.omega, std::sqrt(1.3 * 1.47e6 / 2));
    EXPECT_DOUBLE_EQ(w.positive.damping, 0.7 * 242 + 10);
    EXPECT_DOUBLE_EQ(w.negative.damping, 1.3 * 242 + 10);
    law.sigma1 = law.sigma2 = law.sigma2_negative = 0;
    EXPECT_NEAR(half_waves(forced(test::any(law), 2, 0), 0.3).shift, 4 * 0.3 / (1 - 0.09), 1e-14);
    // elastic below breakaway: no drift
    EXPECT_EQ(half_waves(forced(c95_law("elastoplastic"), 1, 0), 0.3).positive.omega, std::sqrt(1e5));
    EXPECT_THROW(half_waves(forced(test::any(law), 2, 0), 1), Error);
    AnyLuGre sided = test::any(law);  // holds less in the negative direction
    sided.curve.stribeck.directional = true;
    sided.curve.stribeck.negative = {.Fc = 1, .Fs = 2, .vs = 1e-3};
    EXPECT_THROW(half_waves(forced(sided, 2, 0), -0.5), Error);
    EXPECT_DOUBLE_EQ(half_waves(forced(sided, 2, 0), 0.25).negative.stiffness, 1.47e6 * (1 + 0.25 * 5.88 / 2));
    EXPECT_THROW(half_waves(forced(c95_law("hysteretic"), 2, 0), 0.1), Error);
    EXPECT_THROW(half_waves(forced(c95_law("lugre_smooth"), 2, 0), 0.1), Error);
}

}  // namespace
}  // namespace bristle::analysis
