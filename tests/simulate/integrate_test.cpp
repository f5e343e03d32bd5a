// The adaptive solver: its order with and without located reversals, and motions known to many digits.
#include "simulate/integrate.hpp"

#include <gtest/gtest.h>

#include "../support/sets.hpp"

namespace bristle::inline simulation {
namespace {

using PulledLuGre = RigSystem<LuGre, false, false>;
const RigEquations a08_rig = PulledSpring{1, 2, 2}.equations();

struct Listening : NullObserver {
    std::vector<double> reversals;
    void reversal(double t) { reversals.push_back(t); }
};

// A08 fig 4 (soft set, vs = 0.1), 20 s from rest. Oracle: Taylor series of A08 (14), A08 (15), A08 (16) in quadruple
// precision.
constexpr double a08_l = 2.21435184234036, a08_v = 5.24229951138983e-3, a08_z = 1.45237727541220e-3;

// Oracle of the reversals: the same Taylor series, its first two zeros of v [s]. Tolerances follow from rtol = 1e-12.
TEST(Integrate, EqualsTheQuadruplePrecisionReferenceOfA08Fig4) {
    PulledLuGre system(test::a08_soft, a08_rig);
    Statistics statistics;
    const Tolerance<3> tolerance{.rtol = 1e-12, .atol = {1e-12, 1e-13, 1e-15}};
    Solver<PulledLuGre> solver(system, tolerance, statistics);
    solver.settle();
    Listening listening;
    ASSERT_EQ(solver.run(20, listening), Status::done);
    EXPECT_NEAR(solver.y[0], a08_l, 1e-9);
    EXPECT_NEAR(solver.y[1], a08_v, 1e-11);
    EXPECT_NEAR(solver.y[2], a08_z, 1e-12);
    ASSERT_GE(listening.reversals.size(), 2u);
    EXPECT_NEAR(listening.reversals[0], 4.746661866393, 1e-9);
    EXPECT_NEAR(listening.reversals[1], 4.859388323754, 1e-9);
}

// Returns the error at 20 s in equal steps: with a tolerance that accepts every step, the longest step is used.
double error_in_steps_of(double h, bool locate) {
    PulledLuGre system(test::a08_soft, a08_rig);
    Statistics statistics;
    const Tolerance<3> tolerance{.rtol = 1e30, .atol = {1, 1, 1}, .longest = h, .locate = locate};
    Solver<PulledLuGre> solver(system, tolerance, statistics);
    solver.settle();
    solver.h = h;
    NullObserver observer;
    EXPECT_EQ(solver.run(20, observer), Status::done);
    EXPECT_EQ(statistics.reversals, 8);
    return std::abs(solver.y[0] - a08_l);
}

// Rodas5P has order 5. Tolerance 0.2: one halving of h is not the limit.
TEST(Integrate, LocatedReversalsKeepTheOrder) {
    const double order = std::log2(error_in_steps_of(2e-3, true) / error_in_steps_of(1e-3, true));
    EXPECT_NEAR(order, 5, 0.2);
}
TEST(Integrate, UnlocatedReversalsReduceTheOrderBelow2_5) {
    // One error can be small by chance, so the order is the mean over four halvings of h.
    const double order = std::log2(error_in_steps_of(2e-3, false) / error_in_steps_of(1.25e-4, false)) / 4;
    EXPECT_LT(order, 2.5);
    EXPECT_GT(error_in_steps_of(1e-3, false), 1000 * error_in_steps_of(1e-3, true));
}

TEST(Integrate, ErrorFollowsTheTolerance) {
    double before = 1;
    for (const double rtol : {1e-5, 1e-7, 1e-9}) {
        PulledLuGre system(test::a08_soft, a08_rig);
        Statistics statistics;
        const Tolerance<3> tolerance{.rtol = rtol, .atol = {rtol, 0.1 * rtol, 2e-3 * rtol}};
        Solver<PulledLuGre> solver(system, tolerance, statistics);
        solver.settle();
        NullObserver observer;
        ASSERT_EQ(solver.run(20, observer), Status::done);
        const double error = std::abs(solver.y[0] - a08_l);
        EXPECT_LT(error, 200 * rtol);
        EXPECT_LT(error, before / 20);
        before = error;
    }
}

TEST(Integrate, ExplicitLinearisationEqualsThatOfDualNumbers) {
    // the derivatives of the rig are coded explicitly if no ledger is kept
    test::Random r(3);
    const Rig rigs[] = {PulledSpring{2, 3, 0.4}, Conveyor{2, 3, 9.81, 0.4, 0.7}, Pendulum{2, 0.5, 9.81, 0.1},
                        PidServo{2, 6, 3, 4, 1}};
    for (const Rig& rig : rigs)
        for (int draw = 0; draw < 50; ++draw) {
            RigSystem<LuGre, true, false> system(test::c95, rig.equations());
            system.input = {.offset = 1, .slope = 0.3, .amplitude = 2, .omega = 3};
            system.friction.side = r.sign();
            const Vector<4> y{r.uniform(-1, 1), r.uniform(-1e-2, 1e-2), r.uniform(-1e-5, 1e-5), r.uniform(-1, 1)};
            Linear<4, 0> fast{}, slow{};
            const double t = r.uniform(0, 2);
            system.linearise(t, y, fast);
            parts::linearise_by_duals(system, t, y, slow);
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_NEAR(fast.f[i], slow.f[i], 1e-12 * std::abs(slow.f[i]));
                EXPECT_NEAR(fast.ft[i], slow.ft[i], 1e-12 * std::abs(slow.ft[i]));
                for (std::size_t j = 0; j < 4; ++j)
                    EXPECT_NEAR(fast.J[i][j], slow.J[i][j], 1e-12 * std::abs(slow.J[i][j])) << i << j;
            }
        }
}

TEST(Input, PiecesAndCornersEqualTheirFormulas) {
    const Input ramps = Input::ramps({{1, 2}, {3, 6}, {4, 0}});
    EXPECT_EQ(ramps.next_corner(0), 1);
    EXPECT_EQ(ramps.next_corner(1), 3);
    EXPECT_EQ(ramps.next_corner(4), INFINITY);
    EXPECT_EQ(ramps.piece(0).value(0.5), 2);
    EXPECT_EQ(ramps.piece(1).value(2.0), 4);
    EXPECT_EQ(ramps.piece(3).value(3.5), 3);
    EXPECT_EQ(ramps.piece(4).value(9.0), 0);
    const Input steps = Input::steps({{1, 2}, {3, 6}});
    EXPECT_EQ(steps.piece(0).value(0.5), 0);
    EXPECT_EQ(steps.piece(1).value(2.9), 2);
    EXPECT_EQ(steps.piece(3).value(100.0), 6);
    const Input chirp = Input::chirp(0, 1, 1, 3, 2);  // at t = 1 the frequency is 2 Hz
    EXPECT_NEAR(chirp.piece(0).rate(1.0), 2 * M_PI * 2 * std::cos(2 * M_PI * 1.5), 1e-9);
    EXPECT_NEAR(chirp.period(2), 1.0 / 3, 1e-12);
}

// Tolerance: 1e-9, for random matrices that are badly conditioned.
TEST(Invert, InverseTimesMatrixIsTheIdentity) {
    test::Random r(1);
    for (int draw = 0; draw < 100; ++draw) {
        double a[4][4], b[4][4];
        for (auto& row : a)
            for (double& x : row) x = r.uniform(-1, 1);
        ASSERT_TRUE(invert(a, b));
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                double sum = 0;
                for (int k = 0; k < 4; ++k) sum += a[i][k] * b[k][j];
                EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-9);
            }
    }
}

// Oracle: a triangular matrix with known roots, transformed by a similarity.
TEST(GrowsSlowerThan, ComparesTheLargestRealPartWithTheBound) {
    test::Random r(5);
    for (int draw = 0; draw < 2000; ++draw) {
        const double real = r.uniform(-3, 3), pair = r.uniform(-3, 3), imaginary = r.uniform(-4, 4);
        double J[3][3] = {{pair, imaginary, r.uniform(-1, 1)}, {-imaginary, pair, r.uniform(-1, 1)}, {0, 0, real}};
        double K[4][4] = {};
        const double s = r.uniform(-2, 2);  // (1 + s e0 e2') J (1 - s e0 e2')
        for (int j = 0; j < 3; ++j) J[0][j] += s * J[2][j];
        for (auto& row : J) row[2] -= s * row[0];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) K[i][j] = J[i][j];
        K[3][3] = -1;
        K[3][0] = r.uniform(-1, 1);
        const double largest = std::max(real, pair), four = std::max(largest, -1.0);
        EXPECT_TRUE(grows_slower_than(largest + 1e-6, J));
        EXPECT_FALSE(grows_slower_than(largest - 1e-6, J));
        EXPECT_TRUE(grows_slower_than(four + 1e-6, K));
        EXPECT_FALSE(grows_slower_than(four - 1e-6, K));
        const double two[2][2] = {{pair, imaginary}, {-imaginary, pair}};
        EXPECT_TRUE(grows_slower_than(pair + 1e-6, two));
        EXPECT_FALSE(grows_slower_than(pair - 1e-6, two));
    }
}

}  // namespace
}  // namespace bristle::simulation
