// laws/dahl.hpp: the first-loading curve and rate independence.
#include "../support/oracle.hpp"
#include <gtest/gtest.h>
#include <vector>

namespace bristle::test {

const Dahl dahl{.sigma0 = 1e5, .Fc = 1.2};

// Oracle: A08 (S1), F = Fc (1 - exp(-sigma0 |x|/Fc)) on first loading, for steps of any size and any speed.
TEST(DahlLaw, FirstLoadingEqualsA08EquationS1) {
    Random random(1);
    for (const double sign : {1., -1.}) {
        Contact contact{dahl};
        wide x = 0;
        for (int i = 0; i < 500; ++i) {
            const double v = sign * random.log_uniform(1e-9, 1e-2), dt = random.log_uniform(1e-6, 1e-4);
            const auto step = contact.step(v, dt);
            x += wide(v) * dt;
            const double F = double(1.2L * -std::expm1(-1e5L * std::fabs(x) / 1.2L)) * sign;
            ASSERT_NEAR(step.force_end, F, 1e-14) << "after " << double(x) << " m";
        }
        EXPECT_GT(std::fabs(contact.state().z), 0.1 * 1.2e-5);
    }
}

// Moves between reversal points in random strides at random speeds; returns the force at each reversal point.
template <class Law>
std::vector<double> forces_along(const Law& law, unsigned long seed, double slowest, double fastest) {
    Random random(seed);
    Contact contact{law};
    std::vector<double> forces;
    double x = 0;
    for (const double reversal : {1e-5, -2e-5, 3e-6, -1e-6, 4e-5, 3.2e-5, 3.9e-5}) {
        const double leg = reversal - x;
        double gone = 0;
        while (gone < 1) {
            const double stride = std::min(1 - gone, random.uniform(0.001, 0.2)),
                         v = random.log_uniform(slowest, fastest);
            contact.step(std::copysign(v, leg), std::fabs(leg) * stride / v);
            gone = gone + stride > 1 - 1e-12 ? 1 : gone + stride;
        }
        x = reversal;
        forces.push_back(law.sigma0 * contact.state().z);
    }
    return forces;
}

// P5: a monotone change of time does not change the force over displacement. The time is random here.
TEST(DahlLaw, IsRateIndependentAndLuGreIsNot) {
    const auto slow = forces_along(dahl, 2, 1e-6, 1e-5), fast = forces_along(dahl, 3, 1e-4, 10);
    const auto lugre_slow = forces_along(c95, 2, 1e-6, 1e-5), lugre_fast = forces_along(c95, 3, 1e-4, 10);
    double apart = 0;
    for (std::size_t i = 0; i < slow.size(); ++i) {
        EXPECT_NEAR(slow[i], fast[i], 1e-12) << "rounding of some fifty strides each";
        apart = std::max(apart, std::fabs(lugre_slow[i] - lugre_fast[i]));
    }
    EXPECT_GT(apart, 0.1);
}

// Oracle: F = -Fc + (F0 + Fc) exp(-sigma0 s/Fc) over the distance s after the reversal, from A08 (S3).
TEST(DahlLaw, UnloadingEqualsTheMirroredExponential) {
    Contact contact{dahl};
    const double F0 = contact.step(1e-3, 1e-2).force_end;
    for (int i = 1; i <= 20; ++i) {
        const double F = contact.step(-1e-3, 1e-3).force_end;
        EXPECT_NEAR(F, -1.2 + (F0 + 1.2) * std::exp(-1e5 * 1e-6 * i / 1.2), 1e-14);
    }
}

TEST(DahlLaw, JacobianAtRestIsTheLimitFromAbove) {
    for (const double z : {0.0, 6e-6, -6e-6}) {
        const auto j = jacobian(dahl, {z}, 0.0);
        EXPECT_EQ(j.rate_z, 0);
        EXPECT_DOUBLE_EQ(j.rate_v, 1 - 1e5 * z / 1.2);
        EXPECT_EQ(j.force_z, 1e5);
        EXPECT_EQ(j.force_v, 0);
    }
}

}  // namespace bristle::test
