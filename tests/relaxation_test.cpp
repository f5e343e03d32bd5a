// relaxation.hpp: the weights of an exact step against long double, for all sizes of x, and their derivatives.
#include "support/oracle.hpp"
#include <bristle/relaxation.hpp>
#include <gtest/gtest.h>
#include <array>
#include <vector>

namespace bristle::test {

// sum (-x)^n c(n): long double series for x < 1, where the closed forms cancel.
template <class Coefficient>
wide series(wide x, const Coefficient& c) {
    wide sum = 0, power = 1;
    for (int n = 0; n < 30; ++n, power *= -x) sum += power * c(n);
    return sum;
}
wide factorial(int n) {
    static const auto table = [] {
        std::array<wide, 40> f{1};
        for (std::size_t i = 1; i < f.size(); ++i) f[i] = f[i - 1] * wide(i);
        return f;
    }();
    return table[std::size_t(n)];
}

struct Exact {
    wide decay, gain, phi, rest, phi2, phi3;
};
Exact exact(wide x) {
    const wide gain = -std::expm1(-x), decay = std::exp(-x);
    if (x < 1) {
        const wide phi2 = series(x, [](int n) { return 1 / factorial(n + 2); });
        const wide phi3 = series(x, [](int n) { return (std::exp2(wide(n + 2)) - 2) / factorial(n + 3); });
        return {decay, gain, series(x, [](int n) { return 1 / factorial(n + 1); }), x * phi2, phi2, phi3};
    }
    const wide phi = gain / x, rest = 1 - phi;
    return {decay, gain, phi, rest, rest / x, (1 - 2 * phi - std::expm1(-2 * x) / (2 * x)) / (x * x)};
}

// Step sizes over all decades, closely spaced around the switch from series to exponential.
std::vector<double> sizes() {
    std::vector<double> x;
    for (double e = -300; e <= 3; e += e < -20 ? 10 : 0.05) x.push_back(std::pow(10, e));
    for (int i = -2000; i <= 2000; ++i) x.push_back(0.25 * (1 + i * 1e-4));
    for (const double side : {0., 1.}) x.push_back(std::nextafter(0.25, side));
    return x;
}

// Tolerance: 11 units of rounding, reached by 1 - phi just above the switch: half a unit of exp becomes two in
// phi = (1 - exp)/x and is divided by 0.115. loss = 1 - phi - gain phi/2 = 0.017 there multiplies it by seven.
template <class T>
void expect_weights() {
    wide worst[6]{};
    for (const double size : sizes()) {
        const T x = T(size);
        if (x < std::numeric_limits<T>::min()) continue;
        const auto r = relax(x);
        const Exact e = exact(x);
        const wide found[] = {r.decay, r.gain, r.phi, r.one_minus_phi, phi2(r), phi3(r)};
        const wide wanted[] = {e.decay, e.gain, e.phi, e.rest, e.phi2, e.phi3};
        for (int i = 0; i < 6; ++i) {
            // e^-1000 underflows, and so does x^2 phi2 of 1e-300
            if (wanted[i] < 4 * wide(std::numeric_limits<T>::min())) continue;
            const wide miss = rounding<T>(found[i], wanted[i]);
            ASSERT_LE(miss, i == 5 ? 100 : 11) << "weight " << i << " at x = " << size;
            worst[i] = std::max(worst[i], miss);
        }
        if (const wide l = wide(x) * x * e.phi3; l > 4 * wide(std::numeric_limits<T>::min())) {
            ASSERT_LE(rounding<T>(loss(r), l), 100) << size;
        }
    }
    for (const wide w : worst) std::printf("%.2Lf ", w);
    std::printf("units of rounding: decay gain phi 1-phi phi2 phi3\n");
}
TEST(Relaxation, WeightsEqualLongDoubleForEveryStepSize) {
    expect_weights<double>();
    expect_weights<float>();
}

TEST(Relaxation, WeightsOfAStepOfZeroLengthAreExact) {
    const auto r = relax(0.0);
    EXPECT_EQ(r.decay, 1);
    EXPECT_EQ(r.gain, 0);
    EXPECT_EQ(r.phi, 1);
    EXPECT_EQ(r.one_minus_phi, 0);
    EXPECT_EQ(phi2(r), 0.5);
    EXPECT_EQ(phi3(r), 2. / 6);
    EXPECT_EQ(loss(r), 0);
    const auto forever = relax(1e300);
    EXPECT_EQ(forever.decay, 0);
    EXPECT_EQ(forever.gain, 1);
    EXPECT_EQ(forever.one_minus_phi, 1);
}

// No weight leaves [0, 1], and each pair adds up to one.
TEST(Relaxation, WeightsLieBetween0And1AndAddUpTo1) {
    for (const double x : sizes()) {
        const auto r = relax(x);
        for (const double w : {r.decay, r.gain, r.phi, r.one_minus_phi, loss(r)}) ASSERT_TRUE(w >= 0 && w <= 1) << x;
        ASSERT_NEAR(r.decay + r.gain, 1, 0x1p-53) << x;
        ASSERT_NEAR(r.phi + r.one_minus_phi, 1, 0x1p-53) << x;
    }
}

// Oracle: d decay = -decay, d gain = decay, d phi = phi2 - phi, in long double.
TEST(Relaxation, DerivativesEqualTheClosedForms) {
    using D = Dual<double, 1>;
    for (const double x : {1e-12, 1e-6, 1e-3, 0.1, 0.2499, 0.2501, 0.7, 3.0, 50.0, 600.0}) {
        const auto r = relax(D::variable(x));
        const Exact e = exact(x);
        EXPECT_NEAR(r.decay.d[0], double(-e.decay), 4e-16 * double(e.decay)) << x;
        EXPECT_NEAR(r.gain.d[0], double(e.decay), 4e-16 * double(e.decay)) << x;
        const double slope = double(e.phi2 - e.phi);
        // a difference of two numbers up to phi: some roundings of phi
        EXPECT_NEAR(r.phi.d[0], slope, 4 * 0x1p-52 * double(e.phi)) << x;
        EXPECT_NEAR(r.one_minus_phi.d[0], -slope, 4 * 0x1p-52 * double(e.phi)) << x;
        // phi2' = (-phi' - phi2)/x by the quotient rule; by its series if that cancels
        const wide phi2_slope = x < 1 ? series(x, [](int n) { return -(n + 1) / factorial(n + 3); })
                                      : (-(e.phi2 - e.phi) - e.phi2) / wide(x);
        EXPECT_NEAR(phi2(r).d[0], double(phi2_slope), 4 * 11 * 0x1p-52 * double(e.phi2 / std::min(1.0, x) + 1)) << x;
        const wide h = 1e-5L * x, phi3_slope = (exact(x + h).phi3 - exact(x - h).phi3) / (2 * h);
        if (x > 1e-3) {
            EXPECT_NEAR(phi3(r).d[0], double(phi3_slope), 1e-8 * std::fabs(double(phi3_slope))) << x;
        }
    }
}

// relaxed() lies between its start and its target for all weights, so that no sequence of steps exceeds a bound.
TEST(Relaxation, EndLiesBetweenStartAndTarget) {
    Random random(1);
    for (long i = 0; i < draws(1'000'000); ++i) {
        const double target = random.uniform(-2, 2),
                     start = chance(random, 0.5) ? target * (1 + random.below(9) * 0x1p-52) : random.uniform(-2, 2);
        const double end = relaxed(relax(random.log_uniform(1e-20, 1e3)), start, target);
        ASSERT_TRUE(end >= std::min(start, target) && end <= std::max(start, target)) << start << " " << target;
    }
}

// Tolerance: 4 roundings of the larger end.
TEST(Relaxation, EndEqualsTheConvexCombination) {
    Random random(2);
    for (int i = 0; i < 10000; ++i) {
        const double x = random.log_uniform(1e-16, 100), z = random.uniform(-1, 1), target = random.uniform(-1, 1);
        const Exact e = exact(x);
        const wide wanted = e.decay * wide(z) + e.gain * wide(target);
        ASSERT_NEAR(relaxed(relax(x), z, target), double(wanted),
                    4 * 0x1p-52 * double(e.decay * std::fabs(wide(z)) + e.gain * std::fabs(wide(target))))
            << x;
    }
}

}  // namespace bristle::test
