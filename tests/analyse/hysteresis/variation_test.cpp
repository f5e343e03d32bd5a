// Path length (N13 2.1): total variation, u as a function of path length, reversals.
#include <bristle/analyse/hysteresis.hpp>
#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <numbers>

#include "../../support/oracle.hpp"

using namespace bristle;
using namespace bristle::analysis;

namespace {

constexpr double pi = std::numbers::pi;

// Oracle: the integral of |u'| by the midpoint rule in long double, without use of the reversals.
test::wide path_length_by_quadrature(const Input& u, double t, int n) {
    test::wide sum = 0;
    double from = 0;
    while (from < t) {
        const double to = std::min(t, u.next_corner(from));
        const auto piece = u.piece(from);
        const double h = (to - from) / n;
        for (int i = 0; i < n; ++i) sum += std::fabs(test::wide(piece.rate(from + (i + 0.5) * h))) * h;
        from = to;
    }
    return sum;
}

double value_of(const Input& u, double t) { return u.piece(t).value(t); }

std::vector<std::pair<const char*, Input>> inputs() {
    return {{"sine", Input::sine(1e-6, 3e-6, 2.5, 0.7)},
            {"falling angle", Input::sine(1e-6, -3e-6, -2.5, 0.7)},
            {"chirp up", Input::chirp(0, 2e-6, 0.2, 1.5, 10)},
            {"chirp down through rest", Input::chirp(0, 2e-6, 1, -1, 10)},
            {"ramps", Input::ramps({{1, 0}, {2, 3e-6}, {3, 4e-6}, {5, 4e-6}, {6, -1e-6}, {9, 2e-6}})}};
}

}  // namespace

TEST(Variation, PathLengthEqualsTheIntegralOfTheSpeed) {
    for (const auto& [name, u] : inputs()) {
        const Variation v = variation_of(u, 10);
        for (const double t : {0.3, 1.7, 4.4, 5.5, 8.2, 10.0}) {
            const auto expected = double(path_length_by_quadrature(u, t, 20'000));
            EXPECT_NEAR(v.rho(t), expected, 2e-7 * v.total()) << name << " at " << t;  // kinks of |u'|: (T/20000)^2
        }
    }
}

// Oracle: N13 lemma 1, psi(rho(t)) = u(t). Tolerance: rounding of the total path length.
TEST(Variation, PsiOfThePathLengthEqualsTheDisplacement) {
    for (const auto& [name, u] : inputs()) {
        const Variation v = variation_of(u, 10);
        for (int i = 0; i <= 1000; ++i) {
            const double t = 0.01 * i;
            EXPECT_NEAR(v.psi(v.rho(t)), value_of(u, t), 1e-15 * v.total()) << name << " at " << t;
        }
    }
}

TEST(Variation, PsiHasSlopePlusOrMinusOne) {
    for (const auto& [name, u] : inputs()) {
        const Variation v = variation_of(u, 10);
        const double d = 1e-5 * v.total();
        int steep = 0;
        for (int i = 0; i < 1000; ++i) {
            const double rho = v.total() * (i + 0.5) / 1000;
            const double slope = (v.psi(rho + d) - v.psi(rho - d)) / (2 * d);
            if (std::fabs(slope - v.slope(rho)) < 1e-9) ++steep;
            EXPECT_EQ(std::fabs(v.slope(rho)), 1) << name;
            EXPECT_GE(v.slope(rho) * v.velocity(rho), 0) << name;
        }
        EXPECT_GE(steep, 1000 - int(v.reversals.size())) << name;  // all but the intervals that contain a reversal
    }
}

// Oracle: rho(time(rho)) = rho. Tolerance: rounding of the total path length.
TEST(Variation, TimeInvertsThePathLength) {
    for (const auto& [name, u] : inputs()) {
        const Variation v = variation_of(u, 10);
        for (int i = 0; i <= 500; ++i) {
            const double rho = v.total() * i / 500;
            EXPECT_NEAR(v.rho(v.time(rho)), rho, 2e-15 * v.total()) << name << " at " << rho;
        }
    }
}

// N13 lemma 2
TEST(Variation, DoesNotDependOnTheTimeScale) {
    for (const auto& [name, u] : inputs())
        for (const double gamma : {1e-3, 0.37, 5e4}) {
            const Variation a = variation_of(u, 10), b = variation_of(time_scaled(u, gamma), 10 * gamma);
            ASSERT_EQ(a.reversals.size(), b.reversals.size()) << name;
            EXPECT_NEAR(a.total(), b.total(), 1e-14 * a.total()) << name;
            for (std::size_t i = 0; i < a.reversals.size(); ++i) {
                EXPECT_NEAR(a.reversals[i].rho, b.reversals[i].rho, 1e-14 * a.total()) << name;
                EXPECT_NEAR(a.reversals[i].t * gamma, b.reversals[i].t, 1e-13 * 10 * gamma) << name;
            }
            for (int i = 0; i < 200; ++i) {
                const double rho = a.total() * (i + 0.37) / 200;  // on no corner of the ramps
                EXPECT_NEAR(a.psi(rho), b.psi(rho), 2e-14 * a.total()) << name;
                // near a reversal v is the root of a difference that rounding limits to 1e-8
                EXPECT_NEAR(a.velocity(rho), b.velocity(rho) * gamma, 1e-6 * 2e-5) << name;
            }
        }
}

TEST(Variation, ReversalsOfASineEqualTheClosedForm) {
    const double amplitude = 3e-6, omega = 2.5, phase = 0.7;
    const Variation v = variation_of(Input::sine(1e-6, amplitude, omega, phase), 10);
    // theta runs from 0.7 to 25.7: pi/2 + n pi for n = 0 ... 7
    ASSERT_EQ(v.reversals.size(), 8u);
    for (std::size_t n = 0; n < 8; ++n) {
        const Reversal& r = v.reversals[n];
        EXPECT_EQ(r.maximum, n % 2 == 0);
        EXPECT_NEAR(r.t, (pi / 2 + double(n) * pi - phase) / omega, 1e-14);
        EXPECT_NEAR(r.u, 1e-6 + (r.maximum ? amplitude : -amplitude), 1e-21);
        EXPECT_NEAR(r.rho, amplitude * (1 - std::sin(phase)) + 2 * amplitude * double(n), 1e-19);
    }
    EXPECT_NEAR(v.total(),
                amplitude * (1 - std::sin(phase) + 14 + 1 - std::fabs(std::sin(phase + 25))) +
                    (std::sin(phase + 25) > 0 ? 2 * amplitude * std::sin(phase + 25) : 0),
                1e-18);
}

TEST(Variation, ReversalsOfAChirpAreTheSignChangesOfItsRate) {
    for (const auto& u :
         {Input::chirp(0, 2e-6, 0.2, 1.5, 10), Input::chirp(0, 2e-6, 1, -1, 10), Input::chirp(0, -1, -0.9, 2, 10)}) {
        const Variation v = variation_of(u, 10);
        // oracle: sign changes on a fine grid
        std::vector<double> expected;
        const auto piece = u.piece(0);
        for (int i = 0; i < 1'000'000; ++i)
            if (piece.rate(1e-5 * (i + 0.3)) * piece.rate(1e-5 * (i + 1.3)) < 0) expected.push_back(1e-5 * (i + 0.8));
        ASSERT_EQ(v.reversals.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(v.reversals[i].t, expected[i], 0.5e-5);
    }
}

TEST(Variation, ReversalsOfANearlyConstantFrequencyKeepTheirDigits) {
    const Variation v = variation_of(Input::chirp(0, 1, 100, 100 + 1e-9, 10), 0.1);
    ASSERT_EQ(v.reversals.size(), 20u);
    for (std::size_t n = 0; n < 20;
         ++n)  // a quarter and every half of 10 ms; the chirp moves them by less than 1e-14 s
        EXPECT_NEAR(v.reversals[n].t, 0.0025 + 0.005 * double(n), 1e-14);
}

TEST(Variation, AJumpAddsItsHeightToThePathLength) {
    const Variation v = variation_of(Input::steps({{0, 1}, {1, 3}, {2, 2}, {3, 2}, {4, 5}}), 10);
    EXPECT_TRUE(v.jumps());
    EXPECT_EQ(v.total(), 6);
    ASSERT_EQ(v.reversals.size(), 2u);
    EXPECT_EQ(v.reversals[0].u, 3);
    EXPECT_EQ(v.reversals[1].u, 2);
    EXPECT_EQ(v.rho(0.5), 0);
    EXPECT_EQ(v.rho(1), 2);
    EXPECT_EQ(v.psi(1.5), 2.5);
    EXPECT_EQ(v.psi(2.5), 2.5);
    EXPECT_EQ(v.time(1.5), 1);
    EXPECT_TRUE(std::isinf(v.velocity(1.5)));
}

TEST(Variation, IntervalsOfRestAddNeitherPathLengthNorReversals) {
    const Variation v = variation_of(Input::ramps({{0, 0}, {1, 2}, {4, 2}, {5, 3}}), 10);
    EXPECT_EQ(v.total(), 3);
    EXPECT_TRUE(v.reversals.empty());  // u rises before and after the rest
    EXPECT_EQ(v.rho(2), 2);
    EXPECT_EQ(v.time(2), 4);
    EXPECT_TRUE(variation_of(Input::constant(4), 1).strokes.empty());
}

TEST(Variation, RejectsInvalidDurationsTooManyReversalsAndConstantInputs) {
    EXPECT_THROW(variation_of(Input::sine(0, 1, 1, 0), 0), Error);
    EXPECT_THROW(variation_of(Input::sine(0, 1, 1, 0), std::nan("")), Error);
    EXPECT_THROW(variation_of(Input::sine(0, 1, 1e9, 0), 10), Error);
    EXPECT_THROW(variation_of(Input::constant(1), 1).psi(0), Error);
}
