// The step of the two-link example: its energy balance, its order, and joints in stick.
// Oracle: the textbook form of the arm, M05 (1): M(q) q'' + Vm(q, q') q' + G(q) = tau, written here independently.
#include "../examples/two_link.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>

#include "support/sets.hpp"

namespace {

using namespace two_link;
using Matrix = std::array<Pair, 2>;

// A joint without friction.
struct Free {
    struct Response {
        double force = 0, slope = 0;
    };
    struct Step {
        double dissipation = 0;
    };
    Response respond(double, double) const { return {}; }
    Step step(double, double) { return {}; }
    double stored() const { return 0; }
};

using Rubbing = bristle::Contact<bristle::LuGre>;

bristle::LuGre friction(double Fc, double Fs) {
    return {.sigma0 = 1e4, .sigma1 = 60, .sigma2 = 0.2, .curve = {.Fc = Fc, .Fs = Fs, .vs = 0.02}};
}

// ---- the textbook arm ----------------------------------------------------------------------------------------------

Matrix textbook_M(const Arm& a, const Pair& q) {
    const double c = std::cos(q[1]), b = a.m2 * a.l1 * a.l2, d = a.m2 * a.l2 * a.l2;
    return {Pair{(a.m1 + a.m2) * a.l1 * a.l1 + d + 2 * b * c, d + b * c}, Pair{d + b * c, d}};
}
Matrix textbook_Vm(const Arm& a, const Pair& q, const Pair& v) {
    const double h = -a.m2 * a.l1 * a.l2 * std::sin(q[1]);
    return {Pair{h * v[1], h * (v[0] + v[1])}, Pair{-h * v[0], 0}};
}
Pair textbook_G(const Arm& a, const Pair& q) {
    const double tip = a.m2 * a.gravity * a.l2 * std::sin(q[0] + q[1]);
    return {(a.m1 + a.m2) * a.gravity * a.l1 * std::sin(q[0]) + tip, tip};
}
Pair textbook_acceleration(const Arm& a, const Pair& q, const Pair& v, const Pair& tau) {
    const Matrix M = textbook_M(a, q), C = textbook_Vm(a, q, v);
    const Pair G = textbook_G(a, q),
               r{tau[0] - G[0] - C[0][0] * v[0] - C[0][1] * v[1], tau[1] - G[1] - C[1][0] * v[0] - C[1][1] * v[1]};
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    return {(M[1][1] * r[0] - M[0][1] * r[1]) / det, (M[0][0] * r[1] - M[1][0] * r[0]) / det};
}
// Classical Runge-Kutta; returns q1, q2, v1, v2 after n steps.
std::array<double, 4> textbook_run(const Arm& arm, std::array<double, 4> y, const Pair& tau, double dt, int n) {
    const auto f = [&](const std::array<double, 4>& s) {
        const Pair a = textbook_acceleration(arm, {s[0], s[1]}, {s[2], s[3]}, tau);
        return std::array<double, 4>{s[2], s[3], a[0], a[1]};
    };
    const auto along = [](std::array<double, 4> s, double h, const std::array<double, 4>& k) {
        for (std::size_t i = 0; i < 4; ++i) s[i] += h * k[i];
        return s;
    };
    for (int j = 0; j < n; ++j) {
        const auto k1 = f(y), k2 = f(along(y, dt / 2, k1)), k3 = f(along(y, dt / 2, k2)), k4 = f(along(y, dt, k3));
        for (std::size_t i = 0; i < 4; ++i) y[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
}

// ---- tests ---------------------------------------------------------------------------------------------------------

// Passivity property of such arms: x'(M' - 2 Vm)x = 0. It relates M and Vm of the oracle.
TEST(TwoLink, OracleMatrixMdotMinus2VmIsSkew) {
    const Arm arm;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> any(-3, 3);
    for (int i = 0; i < 1000; ++i) {
        const Pair q{any(random), any(random)}, v{any(random), any(random)};
        const double h = 1e-5;  // central difference: error about 1e-10
        const Matrix M0 = textbook_M(arm, {q[0] - h * v[0], q[1] - h * v[1]}),
                     M1 = textbook_M(arm, {q[0] + h * v[0], q[1] + h * v[1]}), C = textbook_Vm(arm, q, v);
        const auto n = [&](std::size_t r, std::size_t c) { return (M1[r][c] - M0[r][c]) / (2 * h) - 2 * C[r][c]; };
        EXPECT_NEAR(n(0, 0), 0, 1e-8);
        EXPECT_NEAR(n(1, 1), 0, 1e-8);
        EXPECT_NEAR(n(0, 1) + n(1, 0), 0, 1e-8);
    }
}

// Oracle: M(q) and G(q) of the textbook; G also as the slope of the potential by central differences, hence 1e-8.
TEST(TwoLink, ArmEqualsTheTextbookMatrices) {
    const Arm arm{.m1 = 1.3, .m2 = 0.7, .l1 = 0.5, .l2 = 0.35, .gravity = 9.81};
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> any(-3, 3);
    for (int i = 0; i < 1000; ++i) {
        const Pair q{any(random), any(random)}, v{any(random), any(random)}, p = arm.momentum(q, v);
        const Matrix M = textbook_M(arm, q);
        EXPECT_NEAR(p[0], M[0][0] * v[0] + M[0][1] * v[1], 1e-13);
        EXPECT_NEAR(p[1], M[1][0] * v[0] + M[1][1] * v[1], 1e-13);
        const Pair back = arm.velocity(q, p);
        EXPECT_NEAR(back[0], v[0], 1e-12);
        EXPECT_NEAR(back[1], v[1], 1e-12);
        EXPECT_NEAR(arm.kinetic(q, p), 0.5 * (p[0] * v[0] + p[1] * v[1]), 1e-12);
        const double h = 1e-5;
        const Pair G = textbook_G(arm, q);
        EXPECT_NEAR((arm.potential({q[0] + h, q[1]}) - arm.potential({q[0] - h, q[1]})) / (2 * h), G[0], 1e-8);
        EXPECT_NEAR((arm.potential({q[0], q[1] + h}) - arm.potential({q[0], q[1] - h})) / (2 * h), G[1], 1e-8);
    }
}

// Divided differences lose digits; the discrete gradient does not, down to equal arguments.
TEST(TwoLink, DiscreteGradientOfTheCosineIsExact) {
    for (const double a : {-2.7, -0.4, 0.0, 1e-9, 0.3, 3.1})
        for (double gap = 1.0; gap > 1e-18; gap *= 0.1) {
            const long double b = static_cast<long double>(a + gap), x = static_cast<long double>(a);
            const long double exact = b == x ? -sinl(x) : -sinl((b + x) / 2) * sinl((b - x) / 2) / ((b - x) / 2);
            EXPECT_NEAR(cosine_slope(a, a + gap), double(exact), 4e-16) << a << " " << gap;
        }
}

TEST(TwoLink, EnergyBalanceClosesForAnyStateTorqueAndStep) {
    const unsigned seed = 20240517;
    RecordProperty("seed", int(seed));
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const Arm arm;
    int lost = 0, most = 0;
    double worst = 0;
    const int draws = int(bristle::test::draws(20000));
    for (int i = 0; i < draws; ++i) {
        std::array joints{Rubbing{friction(9, 12)}, Rubbing{friction(2.5, 3.3)}};
        joints[0].set({12 / 1e4 * unit(random)});
        joints[1].set({3.3 / 1e4 * unit(random)});
        const double fast = std::pow(10, 3 * unit(random) - 2), dt = std::pow(10, 1.5 * unit(random) - 3.5);
        Motion m;
        m.q = {3 * unit(random), 3 * unit(random)};
        m.p = arm.momentum(m.q, {fast * unit(random), fast * unit(random)});
        const Pair tau{30 * unit(random), 8 * unit(random)};
        const Motion before = m;
        const double K0 = arm.kinetic(m.q, m.p), V0 = arm.potential(m.q), S0 = joints[0].stored() + joints[1].stored();
        const Moved done = step(arm, m, joints, tau, dt);
        most = std::max(most, done.trials);
        if (!done.found) {
            ++lost;
            EXPECT_EQ(m.q, before.q);
            EXPECT_EQ(m.p, before.p);
            continue;
        }
        const double K1 = arm.kinetic(m.q, m.p), V1 = arm.potential(m.q), S1 = joints[0].stored() + joints[1].stored();
        const double residual = K1 - K0 + V1 - V0 + S1 - S0 + done.heat - done.work;
        // the two terms of V may cancel, their rounding does not
        const double V_size = arm.first() + arm.second();
        const double size = K0 + K1 + V_size + S0 + S1 + std::abs(done.heat) + std::abs(done.work);
        worst = std::max(worst, std::abs(residual) / size);
        ASSERT_LE(std::abs(residual), 1e-12 * size) << "draw " << i << ", dt " << dt;
    }
    std::printf("seed %u: %d draws, largest residual %.1e, most trials %d, not found %d\n", seed, draws, worst, most,
                lost);
    EXPECT_EQ(lost, 0);
}

TEST(TwoLink, WithoutFrictionEnergyIsConserved) {
    const Arm arm;
    for (const double dt : {1e-3, 1e-2}) {
        std::array<Free, 2> joints;
        Motion m;
        m.q = {2.0, -1.0};  // rotates through, chaotically
        m.p = arm.momentum(m.q, {1.0, -3.0});
        const double H0 = arm.kinetic(m.q, m.p) + arm.potential(m.q);
        for (int i = 0; i < 5000; ++i) {
            ASSERT_TRUE(step(arm, m, joints, {0, 0}, dt).found);
            ASSERT_NEAR(arm.kinetic(m.q, m.p) + arm.potential(m.q), H0, 1e-12 * (arm.first() + arm.second()));
        }
    }
}

TEST(TwoLink, ConvergesWithOrder2ToTheTextbookEquations) {
    const Arm arm;
    const Pair q{0.8, 0.5}, v{0.5, -1.0}, tau{3, -0.5};
    const auto exact =
        textbook_run(arm, {q[0], q[1], v[0], v[1]}, tau, 1e-4, 10000);  // fourth order: error below 1e-13
    const auto error = [&](int n) {
        std::array<Free, 2> joints;
        Motion m{q, arm.momentum(q, v)};
        for (int i = 0; i < n; ++i) EXPECT_TRUE(step(arm, m, joints, tau, 1.0 / n).found);
        const Pair u = arm.velocity(m.q, m.p);
        return std::max({std::abs(m.q[0] - exact[0]), std::abs(m.q[1] - exact[1]), std::abs(u[0] - exact[2]),
                         std::abs(u[1] - exact[3])});
    };
    const double coarse = error(400), fine = error(800), finest = error(1600);
    EXPECT_LT(finest, 1e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05);
    EXPECT_NEAR(std::log2(fine / finest), 2.0, 0.05);
}

// Gravity below breakaway: after the first deflection the arm is at rest, for every step size.
TEST(TwoLink, JointHeldBelowBreakawayDoesNotDrift) {
    const Arm arm;
    for (const double dt : {1e-3, 5e-3, 1e-2}) {
        std::array joints{Rubbing{friction(9, 12)}, Rubbing{friction(2.5, 3.3)}};
        Motion m;
        m.q = {0.5, 0.2};  // gravity pulls with 7.5 and 1.9 N m
        const auto run = [&](double seconds) {
            for (double t = 0; t < seconds; t += dt) ASSERT_TRUE(step(arm, m, joints, {0, 0}, dt).found);
        };
        run(10);
        const Pair settled = m.q;
        EXPECT_NEAR(settled[0], 0.5, 5e-3);
        run(10);
        EXPECT_NEAR(m.q[0], settled[0], 1e-14) << "dt " << dt;
        EXPECT_NEAR(m.q[1], settled[1], 1e-14) << "dt " << dt;
    }
}

}  // namespace
