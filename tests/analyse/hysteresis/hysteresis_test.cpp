// Hysteresis operators. Oracles: N13 (10), Runge-Kutta in time, Maxwell elements written out.
#include <bristle/analyse/hysteresis.hpp>
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <chrono>

#include "../../support/oracle.hpp"
#include "../laws.hpp"
#include "n13_input.hpp"

using namespace bristle;
using namespace bristle::analysis;
using namespace bristle::test;

namespace {

wide stribeck(const Stribeck& c, wide v) {
    return c.Fc + (c.Fs - c.Fc) * std::exp(-std::pow(std::fabs(v / c.vs), wide(c.alpha)));
}

AnyLuGre lugre(double alpha, double sigma1, double sigma2) {
    auto law = any(a08_stiff);
    law.sigma1 = sigma1;
    set_viscous(law, sigma2);
    law.curve.stribeck.positive.alpha = alpha;
    return law;
}

}  // namespace

// ---- phi* -------------------------------------------------------------------------------------------------------

// Oracle: N13 (10) by Runge-Kutta in path length, over the reversals of a chirp.
TEST(HysteresisLimit, OfLuGreEqualsN13Equation10) {
    auto law = any(c95);
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = {.Fc = 0.8, .Fs = 1.1, .vs = 2e-3};
    const Variation v = variation_of(Input::chirp(0, 2e-5, 0.2, 1.5, 4), 4);
    const HysteresisPath path = *hysteresis_limit(law, v, {.z0 = 4e-6, .points = 40});
    wide x = 4e-6;
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        const PathPoint &a = path.points[i - 1], &b = path.points[i];
        const wide s = b.u < a.u ? -1 : 1, g = s > 0 ? 1.5L : 1.1L;
        x = runge_kutta([&](wide, wide y) { return s - 1e5L * y / g; }, x, a.rho, b.rho, 40);
        EXPECT_NEAR(b.F, double(1e5L * x), 1e-9) << b.rho;
    }
}

TEST(HysteresisLimit, OfMaxwellSlipEqualsParallelSpringSliders) {
    const auto law = maxwell_c95();
    const Variation v = variation_of(Input::ramps({{0, 0}, {1, 4e-5}, {2, -1e-5}, {3, 2e-5}, {4, 1e-5}, {5, 6e-5}}), 5);
    const HysteresisPath path = *hysteresis_limit(law, v);
    double F[4] = {};
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        double sum = 0;
        for (int e = 0; e < 4; ++e) {  // a spring that slips at a quarter of Fs
            F[e] += 1e5 / (e + 1) * (path.points[i].u - path.points[i - 1].u);
            F[e] = std::clamp(F[e], -0.25 * 1.5, 0.25 * 1.5);
            sum += F[e];
        }
        EXPECT_NEAR(path.points[i].F, sum, 1e-8) << path.points[i].rho;  // quasi-static: 1e-9 of its slowest speed
    }
}

TEST(HysteresisLimit, OfElastoPlasticEqualsItsRateEquation) {
    const auto law = elastoplastic_c95();
    const Variation v = variation_of(Input::sine(0, 3e-5, 1, 0), 3 * pi);
    const HysteresisPath path = *hysteresis_limit(law, v, {.z0 = -4e-6, .points = 400});
    // Dupont et al.: dz/dx = 1 - alpha(z) z/z_ss, alpha = (1 + sin(pi (|z| - (zmax + zba)/2)/(zmax - zba)))/2 between
    const wide zmax = 1.5e-5L, zba = 0.5L * zmax;
    const auto slope = [&](wide s, wide z) -> wide {
        if (s * z <= zba) return s;
        const wide alpha =
            s * z >= zmax ? 1
                          : (1 + std::sin(std::numbers::pi_v<wide> * (s * z - (zmax + zba) / 2) / (zmax - zba))) / 2;
        return s * (1 - alpha * s * z / zmax);
    };
    wide z = -4e-6L;
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        const PathPoint &a = path.points[i - 1], &b = path.points[i];
        const wide s = b.u < a.u ? -1 : 1;
        z = runge_kutta([&](wide, wide y) { return slope(s, y); }, z, a.rho, b.rho, 20);
        EXPECT_NEAR(b.F, double(1e5L * z), 1e-6) << b.rho;  // second order in 16 parts of 400
    }
}

TEST(HysteresisLimit, OfStaticLawsIsTheStaticLevelAndOfSmoothLawsIsZero) {
    const Variation v = variation_of(Input::sine(0, 3e-5, 1, 0), 3 * pi);
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.3};
    set_viscous(coulomb, 0.1);
    AnyStribeck dry;
    dry.curve.stribeck.positive = c95_curve;
    const auto expect_size = [&](const AnyLaw& law, double F, double tolerance) {
        const HysteresisPath path = *hysteresis_limit(law, v);
        for (const PathPoint& p : path.points) EXPECT_NEAR(std::fabs(p.F), F, tolerance) << kind_of(law);
    };
    expect_size(coulomb, 1, 1.4e-9);  // sigma2 times 1e-9 of the speed at which it makes Fs
    expect_size(dry, 1.5, 1e-9);
    expect_size(smooth_c95(), 0, 1e-6);
    expect_size(makkar_lugre(), 0, 1e-6);
    expect_size(SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}}, 0, 1e-6);
    EXPECT_FALSE(hysteresis_limit(hysteretic_c95(), v));
}

// Oracle: N13 (10), two strokes with the static level 1.5 N: exponentials of path length, sigma0 = 1e5 N/m. Tolerance:
// rounding.
TEST(HysteresisLimit, CrossesJumpsInALine) {
    const Variation v = variation_of(Input::steps({{0, 0}, {1, 2e-5}, {2, 1e-5}}), 3);
    const HysteresisPath path = *hysteresis_limit(any(c95), v);
    const double top = 1.5 * (1 - std::exp(-2e-5 * 1e5 / 1.5)), end = -1.5 + (top + 1.5) * std::exp(-1e-5 * 1e5 / 1.5);
    EXPECT_NEAR(path.points.back().F, end, 1e-14);
    EXPECT_THROW(hysteresis_path(any(c95), v, 1), Error);
}

// ---- phi at a time scale ----------------------------------------------------------------------------------------

// N13 (7), N13 (8), N13 (9). Oracle: N13 (1), N13 (2), N13 (3) by Runge-Kutta in time.
TEST(HysteresisPath, EqualsTheLawIntegratedInTime) {
    for (const LuGre& set : {a08_stiff, c95})
        for (const double gamma : {0.005, 0.1, 10.0}) {
            const Variation v = variation_of(n13_input(), 3 * pi);
            const int points = 100;
            const HysteresisPath path = hysteresis_path(any(set), v, gamma, {.z0 = 1e-6, .points = points});
            const auto speed = [&](wide t) { return 3e-6L / gamma * std::sin(t / gamma); };
            const auto rate = [&](wide t, wide z) {
                const wide w = speed(t);
                return w - wide(set.sigma0) * std::fabs(w) * z / stribeck(set.curve, w);
            };
            wide z = 1e-6L, t = 0;
            std::size_t i = 0;
            for (const Stroke& s : v.strokes)
                for (int k = 0; k <= points; ++k, ++i) {
                    const wide next = gamma * (s.t0 + (s.t1 - s.t0) * wide(k) / points);
                    if (k > 0) z = runge_kutta(rate, z, t, next, 40);
                    t = next;
                    const wide F = set.sigma0 * z + set.sigma1 * rate(t, z) + set.sigma2 * speed(t);
                    EXPECT_NEAR(path.points[i].z, double(z), 1e-9 * 6e-6) << gamma << " at " << double(t);
                    EXPECT_NEAR(path.points[i].F, double(F), 2e-8 * set.curve.Fs) << gamma << " at " << double(t);
                }
            EXPECT_EQ(i, path.points.size());
        }
}

// Oracle: the same path integrated in time (last argument). Tolerance: 1e-6 N, 1e-6 of Fc.
TEST(HysteresisPath, ByPathLengthEqualsTheSimulation) {
    auto fading = microdamped_c95();
    fading.fade.vc = 1e-3;
    for (const AnyLaw& law : {AnyLaw(any(c95)), AnyLaw(fading), AnyLaw(Dahl{.sigma0 = 1e5, .Fc = 1})}) {
        const Variation v = variation_of(Input::ramps({{0, 0}, {1, 2e-3}, {1.5, 1.9e-3}, {2, 3e-3}, {4, 0}}), 5);
        const HysteresisOptions o{.z0 = 3e-6, .points = 50, .rtol = 1e-10};
        const HysteresisPath a = hysteresis_path(law, v, 0.7, o), b = hysteresis_path(law, v, 0.7, o, true);
        for (std::size_t i = 0; i < a.points.size(); ++i) EXPECT_NEAR(a.points[i].F, b.points[i].F, 1e-6) << i;
    }
}

// A stroke of 1 m is 70 000 times the relaxation length of the bristle: only the last part of an interval is
// integrated.
TEST(HysteresisPath, OfLongStrokesTakesBoundedTime) {
    const auto law = any(a08_stiff);
    const Variation variation = variation_of(Input::sine(0, 1, 2 * pi, 0), 5);
    HysteresisOptions options;
    options.points = 20;
    const auto begin = std::chrono::steady_clock::now();
    const HysteresisPath path = hysteresis_path(law, variation, 1, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("five seconds at 1 Hz and 1 m: %.3f s\n", seconds);
    EXPECT_LT(seconds, test::sanitized ? 60 : 10);
    // away from the reversals the bristle is at its level
    const Stribeck& curve = law.curve.stribeck.positive;
    for (const PathPoint& p : path.points) {
        const double v = 2 * pi * std::sqrt(std::max(0.0, 1 - p.u * p.u));
        if (v < 1 || p.rho == 0) continue;
        EXPECT_NEAR(std::abs(p.z) * law.sigma0, double(stribeck(curve, v)), 1e-6 * curve.Fs) << p.u;
    }
}
// A stroke just longer than the part that is integrated. Oracle: the simulation.
TEST(HysteresisPath, OfIntervalsLongerThanTheRelaxationLengthEqualsTheSimulation) {
    const auto law = any(a08_stiff);
    const Variation variation = variation_of(Input::sine(0, 1e-3, 2 * pi, 0), 1);
    HysteresisOptions options;
    options.points = 2;  // each interval is longer than twice the integrated part
    const HysteresisPath path = hysteresis_path(law, variation, 1, options),
                         solver = hysteresis_path(law, variation, 1, options, true);
    ASSERT_EQ(path.points.size(), solver.points.size());
    for (std::size_t i = 1; i + 1 < path.points.size(); ++i)
        EXPECT_NEAR(path.points[i].z, solver.points[i].z, 1e-5 * 5.88 / law.sigma0) << i;
}
// The step follows the level at the actual speed: far below vs it is Fs, however small Fc is.
TEST(HysteresisPath, OfALevelThatFallsByManyDecadesTakesBoundedTime) {
    for (const double Fc : {1e-6, 1e-10}) {
        auto law = any(a08_stiff);
        law.curve.stribeck.positive.Fc = Fc;
        const HysteresisPath slow = hysteresis_path(law, variation_of(n13_input(), 2 * pi), 1, {.max_steps = 1e5});
        // |v| <= 3e-6 m/s: within 0.3 % of the closed form of a constant level Fs over the first rise, N13 (10) from z = 0
        for (std::size_t i = 0; i <= 200; ++i) {
            const double level = 5.88, limit = level * -std::expm1(-1.47e6 * slow.points[i].u / level);
            EXPECT_NEAR(slow.points[i].z * 1.47e6, limit, 0.003 * level) << i;
        }
        // from far below vs to far above it within one interval; there the bristle is at Fc
        const Variation fast = variation_of(Input::sine(0, 1, 2 * pi, 0), 1);
        const HysteresisPath path = hysteresis_path(law, fast, 1, {.points = 20, .max_steps = 2e6});
        for (const PathPoint& p : path.points)
            if (std::abs(p.u) < 0.9 && p.rho > 0) {
                EXPECT_NEAR(std::abs(p.z) * law.sigma0, Fc, 1e-3 * Fc) << p.u;
            }
    }
}
TEST(HysteresisPath, ThrowsAboveItsStepLimitAndItsStrokeLimit) {
    const auto message_of = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const Variation v = variation_of(n13_input(), 6 * pi);
    EXPECT_NE(
        message_of([&] { hysteresis_path(any(a08_stiff), v, 1, {.max_steps = 500}); }).find("step limit 500 exceeded"),
        std::string::npos);
    EXPECT_EQ(message_of([&] { hysteresis_path(any(a08_stiff), v, 1, {.max_steps = 2e4}); }), "");
    // 2 strokes a period
    EXPECT_NE(message_of([&] { hysteresis_loop(any(a08_stiff), n13_input(), 2 * pi * 20000); }).find("40000 strokes"),
              std::string::npos);
}
TEST(HysteresisPath, AreaOfCoulombFrictionEqualsTheClosedForm) {
    // Coulomb with viscous friction: 2 L Fc + sigma2 (integral of v^2) = 4 A Fc + sigma2 A^2 omega pi/gamma a period
    AnyCoulomb law;
    law.curve.positive = {.Fc = 1, .Fs = 1.3};
    set_viscous(law, 5);
    const double A = 0.01, omega = 3;
    const Hysteresis h = hysteresis_loop(law, Input::sine(0, A, omega, 0.4), 3 * 2 * pi / omega, {.gammas = {0.5, 2}});
    ASSERT_EQ(h.paths.size(), 2u);
    for (const HysteresisPath& p : h.paths) {
        const double expected = 4 * A + 5 * A * A * omega * pi / p.gamma;
        EXPECT_NEAR(*p.area, expected, 1e-7 * expected) << p.gamma;
    }
    EXPECT_NEAR(*h.loop->area, 4 * A, 1e-7 * 4 * A);
    // LuGre: dissipation follows from the bristle too; slow enough it is the closed form
    const Hysteresis slow = hysteresis_loop(any(a08_stiff), n13_input(), 10 * pi, {.gammas = {1e4}});
    EXPECT_NEAR(*slow.paths[0].area, slow.closed_form->area(), 1e-5 * slow.closed_form->area());
}

TEST(HysteresisPath, ConvergesToTheLimitWithTheOrderOfTheCurve) {
    struct Case {
        double alpha, sigma1, sigma2;
        std::vector<double> gammas;  // |v/gamma| small enough against vs = 1 mm/s, the effect not yet lost in rounding
        double rate, rate_z;
    };
    // gamma^-alpha for z; for F the damping adds gamma^-1
    for (const Case& c : {Case{0.5, 2.42e3, 0, {1e3, 1e4, 1e5}, 0.5, 0.5}, Case{0.7, 0, 100, {1e2, 1e3, 1e4}, 0.7, 0.7},
                          Case{1, 2.42e3, 10, {1, 10, 100}, 1, 1}, Case{1.5, 0, 0, {0.3, 1, 3}, 1.5, 1.5},
                          Case{2, 2.42e3, 10, {0.1, 0.3, 1}, 1, 2}, Case{2, 0, 0, {0.1, 0.3, 1}, 2, 2}}) {
        const Hysteresis h =
            hysteresis_loop(lugre(c.alpha, c.sigma1, c.sigma2), n13_input(), 4 * pi, {.gammas = c.gammas});
        EXPECT_EQ(*h.rate_theory, c.rate);
        EXPECT_EQ(*h.rate_z_theory, c.rate_z);
        ASSERT_TRUE(h.paths.back().rate && h.paths.back().rate_z);
        EXPECT_NEAR(*h.paths.back().rate, c.rate, 0.01) << c.alpha << " " << c.sigma1;
        EXPECT_NEAR(*h.paths.back().rate_z, c.rate_z, 0.01) << c.alpha << " " << c.sigma1;
        std::printf("alpha %.1f sigma1 %4.0f sigma2 %3.0f: F %.4f %.4f (theory %.1f), z %.4f %.4f (theory %.1f)\n",
                    c.alpha, c.sigma1, c.sigma2, *h.paths[1].rate, *h.paths[2].rate, c.rate, *h.paths[1].rate_z,
                    *h.paths[2].rate_z, c.rate_z);
    }
    // a distance that is only an error of the integration has no order
    const Hysteresis lost = hysteresis_loop(lugre(2, 0, 0), n13_input(), 4 * pi, {.gammas = {1e3, 1e4}});
    EXPECT_FALSE(lost.paths[1].rate || lost.paths[1].rate_z);
}

TEST(HysteresisPath, ConvergesWithOrderOneIfTheLevelIsConstant) {
    // Fs = Fc: z is on the limit at once, F differs by the damping, gamma^-1
    auto flat = lugre(2, 2.42e3, 0);
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    const Hysteresis h = hysteresis_loop(flat, n13_input(), 4 * pi, {.gammas = {10, 100}});
    EXPECT_FALSE(h.rate_z_theory);
    EXPECT_EQ(*h.rate_theory, 1);
    EXPECT_NEAR(*h.paths[1].rate, 1, 1e-4);
    EXPECT_LT(*h.paths[0].distance_z, 1e-9 * 6e-6);
    const Hysteresis dahl =
        hysteresis_loop(Dahl{.sigma0 = 1.47e6, .Fc = 5.88}, n13_input(), 4 * pi, {.gammas = {0.001, 1000}});
    for (const HysteresisPath& p : dahl.paths) EXPECT_LT(*p.distance, 1e-8 * 5.88) << p.gamma;
}

// N13 (21) needs an upper bound of g; N13 (20) gives a lower one.
TEST(HysteresisPath, ExceedsTheBoundOfTheProofWithALowerBoundOfTheLevel) {
    const double gamma = 0.05;
    const Hysteresis h = hysteresis_loop(any(a08_stiff), n13_input(), 4 * pi, {.gammas = {gamma}});
    const double g_fast = double(stribeck(a08_stiff.curve, 3e-6L / gamma)), chi = 1 / g_fast - 1 / 5.88;
    const double most = 5.88 * (1 - std::exp(-1.5)) / 1.47e6;  // the largest |h|: at the end of the first loading
    const auto bound = [&](double M) { return M * most * chi; };
    EXPECT_LT(*h.paths[0].distance_z, bound(5.88));
    EXPECT_GT(*h.paths[0].distance_z, bound(0.1 * 2.94)) << "0.294 N is a lower bound of g as in N13 (20)";
}

// ---- the whole study --------------------------------------------------------------------------------------------

TEST(Hysteresis, OfEachLawIsFiniteAndDissipates) {
    for (const AnyLaw& law : all_laws()) {
        const bool static_law =
            std::visit([](const auto& l) { return StaticLaw<std::remove_cvref_t<decltype(l)>>; }, law);
        const Hysteresis h =
            hysteresis_loop(law, Input::sine(0, 3e-5, 1, 0), 4 * pi, {.gammas = {0.1, 10}, .points = 50, .rtol = 1e-7});
        EXPECT_EQ(h.kind, kind_of(law));
        ASSERT_EQ(h.paths.size(), 2u) << h.kind;
        for (const HysteresisPath& p : h.paths) {
            ASSERT_FALSE(p.points.empty()) << h.kind;
            for (const PathPoint& q : p.points) ASSERT_TRUE(std::isfinite(q.F)) << h.kind;
            EXPECT_GT(*p.area, 0) << h.kind;  // a period of a settled loop dissipates
        }
        EXPECT_EQ(h.limit.has_value(), h.kind != "hysteretic");
        EXPECT_FALSE(static_law && h.closed_form) << h.kind;
        EXPECT_EQ(h.reversals.size(), 4u);
        EXPECT_NEAR(h.path_length, 8 * 3e-5, 1e-17);
    }
}

TEST(Hysteresis, CanBeCancelledDuringAPath) {
    int calls = 0;
    const Hysteresis h = hysteresis_loop(any(c95), n13_input(), 2 * pi, {.gammas = {1, 2, 3, 4}}, [&](double fraction) {
        EXPECT_GE(fraction, 0);
        EXPECT_LT(fraction, 1);
        ++calls;
        return fraction < 0.6;
    });
    EXPECT_TRUE(h.cancelled);
    EXPECT_EQ(h.paths.size(), 2u);
    EXPECT_GT(calls, 20);  // within a path too
}

// Each interval between nodes takes thousands of steps: progress is called inside it too.
TEST(Hysteresis, CanBeCancelledBetweenTwoNodes) {
    const HysteresisOptions o{.gammas = {1}, .points = 2};
    const auto calls_until = [&](int most) {
        int calls = 0;
        const Hysteresis h = hysteresis_loop(any(a08_stiff), Input::sine(0, 1, 2 * pi, 0), 0.5, o,
                                             [&](double) { return ++calls < most; });
        EXPECT_EQ(h.cancelled, calls == most);
        return calls;
    };
    const int all = calls_until(1000);  // two strokes have 6 nodes: at the start of the path, and at its first node
    EXPECT_GT(all, 2);
    EXPECT_LT(all, 1000);
    EXPECT_EQ(calls_until(3), 3);
}

TEST(Hysteresis, RejectsInvalidLawsInputsAndOptions) {
    const auto law = any(c95);
    EXPECT_THROW(hysteresis_loop(AnyLuGre{}, n13_input(), 1), Error);
    EXPECT_THROW(hysteresis_loop(law, Input::constant(1), 1), Error);
    EXPECT_THROW(hysteresis_loop(law, n13_input(), 1, {.gammas = {0}}), Error);
    EXPECT_THROW(hysteresis_loop(law, n13_input(), 1, {.points = 3}), Error);
    EXPECT_THROW(hysteresis_loop(law, n13_input(), 1, {.load = 0}), Error);
    EXPECT_THROW(hysteresis_loop(law, Input::ramps({{0, 0}, {1, 1e-5}}), 1, {.period = 1}),
                 Error);  // u differs after a period
}
