// The unique step limit of the coupled equation, and the root that is used above it.
#include <bristle/bristle.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/sets.hpp"

namespace bristle {
namespace {

using test::a08_soft;
using test::a08_stiff;
using test::c95;
using test::Random;

// Returns F_mean of LuGre with w held, in long double: r + (g - r) Psi + sigma2 w, r = sigma0 z, x = sigma0 w dt/g,
// Psi = 1 - phi(x) + sigma1/(sigma0 dt) (1 - e^-x), the exact step of A08 (1), A08 (2), A08 (4).
long double mean_force(const LuGre& law, long double z, long double w, long double dt) {
    const long double u = std::pow(std::abs(w) / law.curve.vs, static_cast<long double>(law.curve.alpha));
    const long double g = law.curve.Fc + (law.curve.Fs - law.curve.Fc) * std::exp(-u), s = w < 0 ? -1 : 1;
    const long double x = law.sigma0 * std::abs(w) / g * dt, phi = x > 0 ? -std::expm1(-x) / x : 1;
    const long double psi = 1 - phi - law.sigma1 / (law.sigma0 * dt) * std::expm1(-x);
    const long double r = law.sigma0 * z;
    return r + (s * g - r) * psi + law.sigma2 * w;
}
long double miss(const LuGre& law, double mass, double z, double v, double force, long double w, long double dt) {
    return 2 * mass / dt * (w - v) + mean_force(law, z, w, dt) - force;
}

// True if 2 m w/dt + F_mean rises for all w and z at both ends of its range: then the root is unique.
bool rises_everywhere(const LuGre& law, double mass, double dt) {
    for (const double end : {-1.0, 1.0}) {
        const double z = end * law.curve.peak() / law.sigma0;
        long double before = -INFINITY;
        for (int i = 0; i <= 40000; ++i) {  // logarithmic in w, from 1e-4 to 1e3 vs
            const long double w = law.curve.vs * std::pow(10.0L, -4 + 7.0L * i / 40000);
            const long double now = 2 * mass / dt * w + mean_force(law, z, w, dt);
            if (now < before) return false;
            before = now;
        }
    }
    return true;
}

// Oracle: the dt at which 2 m/dt + sigma2 = max over w of d/dw[(Fs - g(w)) Psi], a one-dimensional maximum computed
// independently in double precision; in closed form 2 m/dt = (sigma0 dt/2 + sigma1) L, L = max d/dw[w (Fs - g)/g].
// Tolerance: half a unit of the last digit of the independent numbers.
TEST(LargestUniqueStep, OfThePublishedSetsEqualsTheIndependentNumbers) {
    EXPECT_NEAR(largest_unique_step(Mass{1.0}, c95), 6.40e-3, 0.005e-3);
    EXPECT_NEAR(largest_unique_step(Mass{1.0}, a08_soft), 61.7e-3, 0.05e-3);
    EXPECT_NEAR(largest_unique_step(Mass{1.0}, a08_stiff), 0.92e-3, 0.005e-3);
    // the closed sufficient condition, without sigma2
    EXPECT_NEAR(surely_unique_step(c95, softening(c95), 2.0), 4.73e-3, 0.01e-3);
    EXPECT_NEAR(surely_unique_step(a08_soft, softening(a08_soft), 2.0), 13.1e-3, 0.05e-3);
    EXPECT_NEAR(surely_unique_step(a08_stiff, softening(a08_stiff), 2.0), 0.585e-3, 0.002e-3);
}

TEST(LargestUniqueStep, HasAUniqueRootBelowItAndSeveralAboveIt) {
    for (const LuGre& law : {c95, a08_soft, a08_stiff}) {
        const double limit = largest_unique_step(Mass{1.0}, law);
        EXPECT_TRUE(rises_everywhere(law, 1.0, 0.999 * limit)) << limit;
        EXPECT_FALSE(rises_everywhere(law, 1.0, 1.001 * limit)) << limit;
    }
}

TEST(LargestUniqueStep, GrowsWithMassAndIsInfiniteForAConstantLevel) {
    double before = 0;
    for (const double mass : {0.01, 0.1, 1.0, 10.0}) {
        const double limit = largest_unique_step(Mass{mass}, c95);
        EXPECT_GT(limit, before);
        before = limit;
    }
    EXPECT_EQ(largest_unique_step(Mass{1.0}, Dahl{.sigma0 = 1e5, .Fc = 1}), INFINITY);
    LuGre flat = c95;
    flat.curve.Fs = flat.curve.Fc;
    EXPECT_EQ(largest_unique_step(Mass{1.0}, flat), INFINITY);
    // static Stribeck, alpha = 2: 2 m/dt > max|g'| = (Fs - Fc) sqrt(2/e)/vs
    const StribeckFriction law{.curve = test::c95_curve};
    EXPECT_NEAR(largest_unique_step(Mass{1.0}, law), 2 / (0.5 * std::sqrt(2 / std::exp(1.0)) / 1e-3), 1e-9);
}

TEST(LargestUniqueStep, IsNaNForInvalidInputAndZeroForInfiniteSlope) {
    for (const double bad : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
        EXPECT_TRUE(std::isnan(largest_unique_step(Mass{bad}, c95))) << bad;
    EXPECT_TRUE(std::isnan(largest_unique_step(Mass{1.0}, c95, NAN)));
    EXPECT_TRUE(std::isnan(largest_unique_step(Mass{1.0}, c95, 0.0, 0.0)));
    // g falls with infinite slope at v = 0: no step has a unique root for every force
    EXPECT_EQ(largest_unique_step(Mass{1.0}, StribeckFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .alpha = 0.5}}),
              0.0);
}

TEST(FallBound, BoundsTheSlopeForLawsWithProvedUniqueness) {
    // oracle: - dF_mean/dw by differences of the law's mean force, over speeds, deflections and steps
    Random r(3);
    for (int draw = 0; draw < 300; ++draw) {
        LuGre law = c95;
        law.curve = {.Fc = 1, .Fs = r.uniform(1, 3), .vs = r.log_uniform(1e-4, 0.1), .alpha = r.uniform(0.5, 2)};
        law.sigma1 = r.uniform(0, 600);
        law.sigma2 = law.sigma2_negative = 0;
        const double dt = r.log_uniform(1e-6, 0.1), bound = fall_bound(law, softening(law), dt);
        for (int k = 0; k < 200; ++k) {
            const double w = r.log_uniform(1e-4, 30) * law.curve.vs, z = r.uniform(-1, 1) * law.curve.Fs / law.sigma0,
                         d = 1e-4 * w;
            const double fall = double(mean_force(law, z, w - d, dt) - mean_force(law, z, w + d, dt)) / (2 * d);
            ASSERT_LE(fall, bound * (1 + 1e-6) + 1e-9)
                << "w/vs = " << w / law.curve.vs << ", alpha = " << law.curve.alpha;
        }
    }
    static_assert(proves_uniqueness<LuGre> && proves_uniqueness<Dahl> && proves_uniqueness<StribeckFriction>);
    static_assert(!proves_uniqueness<MicrodampedLuGre> && !proves_uniqueness<ElastoPlastic> &&
                  !proves_uniqueness<MaxwellSlip>);
}

// Oracle: a spring adds to the slope of the equation, so the limit rises; 1 % excludes rounding.
TEST(LargestUniqueStep, GrowsWithASpringInTheDrive) {
    EXPECT_GT(largest_unique_step(Mass{1.0}, c95, 1e4), 1.01 * largest_unique_step(Mass{1.0}, c95));
}

// Returns all roots, by a scan over w with points at every scale.
std::vector<double> roots(const LuGre& law, double mass, double z, double v, double force, double dt,
                          int points = 2000) {
    std::vector<double> found;
    const double scale = 1e-5 * law.curve.vs,
                 far = std::asinh(
                     10 *
                     (std::abs(v) + dt / mass * (std::abs(force) + law.curve.Fs) + law.sigma1 * std::abs(z) / mass) /
                     scale);
    const auto f = [&](long double w) { return miss(law, mass, z, v, force, w, dt); };
    long double before = -far;
    for (int i = 1 - points; i <= points; ++i) {
        const long double a = scale * std::sinh(before), b = scale * std::sinh(far * i / points);
        before = far * i / points;
        if ((f(a) < 0) == (f(b) < 0)) continue;
        long double low = a, high = b;
        for (int k = 0; k < 60; ++k) (((f((low + high) / 2) < 0) == (f(a) < 0)) ? low : high) = (low + high) / 2;
        found.push_back(double(low));
    }
    return found;
}
double nearest(const std::vector<double>& all, double w) {
    return *std::min_element(all.begin(), all.end(),
                             [&](double a, double b) { return std::abs(a - w) < std::abs(b - w); });
}
// Returns the root followed from dt -> 0 in small stages: at each stage the root nearest to the last one.
double continued(const LuGre& law, double mass, double z, double v, double force, double dt) {
    double w = v;
    const int stages = 120;
    for (int i = 0; i <= stages; ++i)
        w = nearest(roots(law, mass, z, v, force, dt * std::pow(10.0, -3 + 3.0 * i / stages), 200), w);
    return w;
}
double taken(const LuGre& law, double mass, double z, double v, double force, double dt) {
    const LuGre::State state{z};
    const detail::StepEquation<LuGre, double> equation{law, state, force, 0, v, 0, 1, dt, dt / (2 * mass)};
    int evaluations = 0;
    return detail::solve_continued(equation, surely_unique_step(law, softening(law), 2 * mass), v, evaluations).w;
}

TEST(SeveralRoots, SlowMassStaysInStickAndFastMassInSlip) {
    // C95 at 20 ms has three roots; the force is chosen so that stick and slip are both solutions
    const double dt = 20e-3, z = 1.4e-5, slow = 1e-6, fast = 0.03;
    const double force = 1.25;
    ASSERT_EQ(roots(c95, 1.0, z, slow, force, dt).size(), 1u + 2u);
    const auto from_slow = roots(c95, 1.0, z, slow, force, dt);
    EXPECT_NEAR(taken(c95, 1.0, z, slow, force, dt), from_slow.front(), 1e-9);
    const auto from_fast = roots(c95, 1.0, z, fast, force, dt);
    EXPECT_NEAR(taken(c95, 1.0, z, fast, force, dt), from_fast.back(), 1e-9);
}

TEST(SeveralRoots, StepUsesTheRootContinuedFromSmallSteps) {
    Random r(5);
    int several = 0, agree = 0, wrong = 0;
    for (int draw = 0; draw < 6000 && several < 60; ++draw) {
        LuGre law = c95;
        law.curve.Fs = r.uniform(1.2, 3);
        law.sigma1 = r.uniform(0, 1) * std::sqrt(law.sigma0);
        const double sure = surely_unique_step(law, softening(law), 2.0), dt = sure * r.log_uniform(1.5, 20);
        const double z = r.uniform(0.5, 1) * law.curve.Fs / law.sigma0, v = r.log_uniform(1e-6, 3e-2);
        const double force = r.uniform(law.curve.Fc, law.curve.Fs);
        const auto all = roots(law, 1.0, z, v, force, dt, 500);
        const double w = taken(law, 1.0, z, v, force, dt);
        // every root that is used solves the equation
        ASSERT_NEAR(w, nearest(all, w), 1e-7 * (std::abs(w) + std::abs(v)));
        if (all.size() < 3) continue;
        ++several;
        const double want = continued(law, 1.0, z, v, force, dt);
        std::abs(w - want) <= 1e-6 * (std::abs(w) + std::abs(want)) ? ++agree : ++wrong;
    }
    std::printf("%d draws with several roots: the continued one in %d\n", several, agree);
    EXPECT_GE(several, 30);
    EXPECT_LE(wrong, several / 20);  // six step sizes are followed: a fold between two of them can be missed
}

}  // namespace
}  // namespace bristle
