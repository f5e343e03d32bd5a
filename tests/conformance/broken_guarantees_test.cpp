// Guarantees that laws do not give: each missing guarantee is shown to be false by one example.
#include "samples.hpp"
#include <gtest/gtest.h>
#include <tuple>

namespace conformance {

using namespace bristle;
using namespace bristle::test;

// Erratum E1: with the conductance printed in K08 (44) a slow bristle settles at Fs/tanh(c v), far beyond Fs/sigma0.
TEST(BrokenGuarantees, PrintedSmoothCurveExceedsTheBound) {
    using Sample = samples::LuGre<double, SmoothStribeckPrinted>;
    static_assert(!Sample::Law::guarantees.bounded);
    const auto law = Sample::typical();
    Contact contact{law};
    for (int i = 0; i < 10000; ++i) contact.step(1e-6, 1);  // c v = 0.01
    EXPECT_GT(contact.state().z, 90 * law.curve.peak() / law.sigma0);
}

// Oracle: Fc + sigma2 |v| with Fc = 1 N for v > 0 and 1.2 N for v < 0, far above vs. Tolerance: rounding.
TEST(BrokenGuarantees, DirectionalCurveIsNotOdd) {
    using Sample = samples::LuGre<double, Directional<Stribeck>>;
    static_assert(!Sample::Law::guarantees.odd && !samples::Static<double, Directional<Stribeck>>::Law::guarantees.odd);
    Contact forth{Sample::typical()}, back{Sample::typical()};
    const double up = forth.step(0.1, 1).force_end, down = -back.step(-0.1, 1).force_end;
    EXPECT_NEAR(up, 1 + 0.04, 1e-12);
    EXPECT_NEAR(down, 1.2 + 0.04, 1e-12);
}

// In the second of two steps with the same v, dv/dt = 0 selects another branch.
TEST(BrokenGuarantees, HystereticStepDependsOnItsLength) {
    static_assert(!Hysteretic::guarantees.exact);
    const auto law = samples::Hysteretic<double, ShiftRule::constant>::typical();
    Contact once{law}, twice{law};
    const double one = once.step(1e-6, 0.2).force_end;
    twice.step(1e-6, 0.1);
    const double two = twice.step(1e-6, 0.1).force_end;
    EXPECT_GT(std::fabs(one - two), 0.01 * std::fabs(one));
}

// Second order in the transition, not exact: one step and a thousand steps differ by more than rounding.
TEST(BrokenGuarantees, ElastoPlasticStepDependsOnItsLength) {
    static_assert(!ElastoPlastic::guarantees.exact);
    const auto law = samples::ElastoPlastic<double, Breakaway::fraction>::typical();
    Contact once{law}, many{law};
    const double one = once.step(1e-4, 0.2).force;
    double mean = 0;
    for (int i = 0; i < 1000; ++i) mean += many.step(1e-4, 0.2e-3).force / 1000;
    EXPECT_GT(std::fabs(one - mean), 1e-5 * mean);
    EXPECT_LT(std::fabs(one - mean), 1e-1 * mean);
}

// P1 does not apply to a static law: it has no deflection.
static_assert(!Coulomb::guarantees.bounded && std::is_empty_v<Coulomb::State>);

}  // namespace conformance
