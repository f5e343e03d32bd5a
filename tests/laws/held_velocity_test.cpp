// The exact step of every bristle law keeps its digits as v -> 0. Oracle: the closed form in long double, |v| from
// 1e-12 to 1 m/s, several deflections, dt from 1 us to 1 s.
//
//   z+ = z + a phi,  mean z = z + a phi2,  a = w dt - z x,  x = h dt
//   D  = sigma0 x (z^2 + 2 z a phi2 + a^2 phi3) + sigma1 v (z+ - z) + v f(v) dt,  plus sigma0 (v - w) dt mean z if w != v
#include "../conformance/samples.hpp"
#include <gtest/gtest.h>

namespace bristle::test {

wide phi(wide x) { return x == 0 ? 1 : -std::expm1(-x) / x; }
// sum (-x)^n/(n + 2)! and sum (-x)^n (2^(n+2) - 2)/(n + 3)!, for x at which the closed forms cancel
wide phi2(wide x) {
    if (x > 1) return (1 - phi(x)) / x;
    wide sum = 0, term = 0.5L;
    for (int n = 0; n < 25; ++n, term *= -x / (n + 2)) sum += term;
    return sum;
}
wide phi3(wide x) {
    if (x > 1) return (1 - 2 * phi(x) + phi(2 * x)) / (x * x);
    wide sum = 0, term = 1 / 6.0L, twos = 4;
    for (int n = 0; n < 30; ++n, term *= -x / (n + 3), twos *= 2) sum += term * (twos - 2);
    return sum;
}

// Returns w, h and sigma1(v) by the formulas of the papers.
struct Formula {
    wide w, h, target, sigma1;
};
template <class Law>
Formula formula(const Law& law, wide v, wide previous) {
    wide w = v, g, sigma1 = 0;
    if constexpr (requires { law.curve; })
        g = samples::level_formula(law.curve, v);
    else
        g = num(law.Fc);
    if constexpr (requires { law.sigma1; }) sigma1 = num(law.sigma1);
    if constexpr (requires { law.fade.vc; }) sigma1 *= std::exp(-(v / num(law.fade.vc)) * (v / num(law.fade.vc)));
    if constexpr (requires { law.a; }) w += sgn(v - previous) * num(law.a);
    return {w, num(law.sigma0) * std::fabs(w) / g, sgn(w) * g / num(law.sigma0), sigma1};
}

template <class Sample>
class HeldVelocity : public testing::Test {};
template <class T>
using Exact = testing::Types<samples::Dahl<T>, samples::LuGre<T>, samples::LuGre<T, basic_stribeck<T>, basic_fade<T>>,
                             samples::LuGre<T, basic_smooth_stribeck<T>>, samples::Hysteretic<T, ShiftRule::constant>>;
TYPED_TEST_SUITE(HeldVelocity, Exact<double>, samples::Names);

// Tolerance: in roundings of the terms that add up to the result. Weights have up to 11 (loss 100, just above x = 1/4),
// curve and flow about 4 more; one dt in a hundred here has the largest of both.
TYPED_TEST(HeldVelocity, StepEqualsLongDoubleAsVelocityTendsToZero) {
    const auto law = TypeParam::typical();
    const wide s0 = num(law.sigma0), unit = 0x1p-52L;
    wide worst_end = 0, worst_force = 0, worst_heat = 0;
    for (double exponent = -12; exponent <= 0; exponent += 0.125)
        for (const double sign : {1., -1.})
            for (const double z0 : {0.0, 1e-9, 4e-6, -4e-6, 1.19e-5})
                for (const double dt : {1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0}) {
                    const double v = sign * std::pow(10, exponent);
                    const Formula f = formula(law, v, 0);
                    const wide x = f.h * dt, a = f.w * dt - z0 * x, dz = a * phi(x), end = z0 + dz,
                               mean = z0 + a * phi2(x), viscous = samples::viscous_of(law, wide(v));
                    const wide force = s0 * mean + f.sigma1 * dz / dt + viscous;
                    const wide square = x * (wide(z0) * z0 + 2 * z0 * a * phi2(x) + a * a * phi3(x));
                    const wide heat = s0 * (square + (v - f.w) * dt * mean) + f.sigma1 * v * dz + v * viscous * dt;

                    Contact contact{law};
                    typename decltype(law)::State state{};
                    state.z = z0;
                    contact.set(state);
                    const auto step = contact.step(v, dt);

                    // the terms of z+: the rest of the start and the part of the target
                    const wide z_terms = std::fabs(z0) * std::exp(-x) + std::fabs(f.target) * x * phi(x);
                    const wide f_terms = s0 * (phi(x) * std::fabs(z0) + (1 - phi(x)) * std::fabs(f.target)) +
                                         f.sigma1 * phi(x) * f.h * (std::fabs(f.target) + std::fabs(z0)) +
                                         std::fabs(viscous);
                    const wide d_terms = s0 * (x * (wide(z0) * z0 + 2 * std::fabs(z0 * a) * phi2(x) + a * a * phi3(x)) +
                                               std::fabs((v - f.w) * dt) *
                                                   (phi(x) * std::fabs(z0) + (1 - phi(x)) * std::fabs(f.target))) +
                                         f.sigma1 * std::fabs(v) * phi(x) * x * (std::fabs(f.target) + std::fabs(z0)) +
                                         std::fabs(v * viscous * dt);
                    const wide miss_end = std::fabs(num(contact.state().z) - end) / (unit * z_terms);
                    const wide miss_force = std::fabs(num(step.force) - force) / (unit * f_terms);
                    const wide miss_heat = std::fabs(num(step.dissipation) - heat) / (unit * d_terms);
                    ASSERT_LE(miss_end, 8) << "v " << v << " z " << z0 << " dt " << dt;
                    ASSERT_LE(miss_force, 24) << "v " << v << " z " << z0 << " dt " << dt;
                    ASSERT_LE(miss_heat, 110) << "v " << v << " z " << z0 << " dt " << dt;
                    worst_end = std::max(worst_end, miss_end);
                    worst_force = std::max(worst_force, miss_force);
                    worst_heat = std::max(worst_heat, miss_heat);
                }
    std::printf("    worst, in roundings: end %.1Lf, mean force %.1Lf, dissipation %.1Lf\n", worst_end, worst_force,
                worst_heat);
}

// P2, A08 (5): the integral of z v is at least the change of z^2/2, for all positive parameters. With
// sigma1 = sigma2 = 0 the work divided by sigma0 is that integral.
TEST(P2, DeflectionIsDissipativeForAllParameters) {
    Random random(8);
    for (long set = 0; set < draws(2000); ++set) {
        auto law = samples::LuGre<double>::random(random);
        law.sigma1 = law.sigma2 = law.sigma2_negative = 0;
        law.load_on = LoadOn::curve;
        Contact contact{law};
        for (int i = 0; i < 50; ++i) {
            const double z0 = contact.state().z;
            const auto step = contact.step(random.sign() * random.log_uniform(1e-9, 10), random.log_uniform(1e-6, 0.1));
            const double z1 = contact.state().z, gained = step.work / law.sigma0, stored = 0.5 * (z1 - z0) * (z1 + z0);
            ASSERT_GE(gained, stored - 8 * 0x1p-52 * (z0 * z0 + z1 * z1));
        }
    }
}

}  // namespace bristle::test
