// Holding forces of contacts at rest. Oracles: closed forms of one and two contacts, the conditions of the solution on random problems.
#include "simulate/machine/holding.hpp"

#include "../support/sets.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::inline simulation {
namespace {

using At = Holding::At;

HoldingProblem problem(std::vector<double> A, std::vector<double> r, std::vector<double> limit) {
    HoldingProblem out{.n = r.size(), .A = std::move(A), .r = std::move(r), .low = limit, .high = limit};
    for (double& x : out.low) x = -x;
    return out;
}

// Oracle: a body of 2 kg under an external force of 6 N, so r = 3 m/s^2 and A = 1/2. It is held by 6 N; a limit of 4 N leaves 1 m/s^2.
TEST(Holding, OfOneContactHoldsUpToItsLimit) {
    const Holding held = hold_contacts(problem({0.5}, {3}, {10}), {0});
    EXPECT_NEAR(held.F[0], 6, 1e-12);
    EXPECT_EQ(held.at[0], At::inside);
    EXPECT_EQ(held.acceleration[0], 0);
    const Holding slips = hold_contacts(problem({0.5}, {3}, {4}), {0});
    EXPECT_EQ(slips.F[0], 4);
    EXPECT_EQ(slips.at[0], At::high);
    EXPECT_NEAR(slips.acceleration[0], 1, 1e-12);
    const Holding back = hold_contacts(problem({0.5}, {-3}, {4}), {0});
    EXPECT_EQ(back.at[0], At::low);
    EXPECT_NEAR(back.acceleration[0], -1, 1e-12);
}

// Oracle: two equal contacts on one body share 6 N; the split nearest to (5, 0) is (5.5, 0.5), and both must hold 3 N if neither may
// exceed 3 N.
TEST(Holding, OfTwoContactsOnOneBodyIsTheSplitNearestToTheStart) {
    const std::vector<double> A{0.5, 0.5, 0.5, 0.5};
    const Holding shared = hold_contacts(problem(A, {3, 3}, {10, 10}), {5, 0});
    EXPECT_NEAR(shared.F[0], 5.5, 1e-12);
    EXPECT_NEAR(shared.F[1], 0.5, 1e-12);
    const Holding full = hold_contacts(problem(A, {3, 3}, {3, 3}), {5, 0});
    EXPECT_NEAR(full.F[0], 3, 1e-12);
    EXPECT_NEAR(full.F[1], 3, 1e-12);
    EXPECT_EQ(full.acceleration[0], 0);
}

// Oracle: the conditions that define the solution; A = J M^-1 J' of random bodies, also singular. Tolerance: 1e-7 of the sizes, ten times
// the limit at which hold_contacts() calls a motion contradictory.
TEST(Holding, MeetsItsConditionsOnRandomProblems) {
    test::Random random(51);
    for (long draw = 0; draw < test::draws(3000); ++draw) {
        const std::size_t n = std::size_t(1 + random.below(6)), bodies = std::size_t(1 + random.below(5));
        std::vector<double> J(n * bodies), A(n * n), r(n), limit(n), start(n);
        for (double& x : J) x = random.uniform(-1, 1);
        std::vector<double> acceleration(bodies);
        for (double& a : acceleration) a = random.uniform(-3, 3);
        for (std::size_t i = 0; i < n; ++i) {
            limit[i] = random.log_uniform(0.1, 10);
            start[i] = random.uniform(-1, 1) * limit[i];
            for (std::size_t b = 0; b < bodies; ++b) r[i] += J[i * bodies + b] * acceleration[b];
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t b = 0; b < bodies; ++b) A[i * n + j] += J[i * bodies + b] * J[j * bodies + b];
        }
        const HoldingProblem given = problem(A, r, limit);
        const Holding found = hold_contacts(given, start);
        for (std::size_t i = 0; i < n; ++i) {
            double c = r[i], size = std::abs(r[i]);
            for (std::size_t j = 0; j < n; ++j) {
                c -= A[i * n + j] * found.F[j];
                size += std::abs(A[i * n + j] * found.F[j]);
            }
            const double small = 1e-7 * size;
            EXPECT_LE(std::abs(found.F[i]), limit[i] * (1 + 1e-12));
            if (found.F[i] < limit[i]) {
                EXPECT_LE(c, small) << draw;
            }
            if (found.F[i] > -limit[i]) {
                EXPECT_GE(c, -small) << draw;
            }
            EXPECT_NEAR(found.acceleration[i], c, small) << draw;
        }
    }
}

// Oracle: one body with two contacts: the second is held by the first; of two bodies it is free. for rows at an angle of 60 degrees
// 1 - cos^2 = 3/4 is left.
TEST(Holding, FreedomIsThePartThatOtherContactsDoNotDetermine) {
    const auto of = [](double cosine) { return problem({1, cosine, cosine, 1}, {0, 0}, {1, 1}); };
    EXPECT_NEAR(freedom(of(1), 1, {0}), 0, 1e-12);
    EXPECT_NEAR(freedom(of(0), 1, {0}), 1, 1e-12);
    EXPECT_NEAR(freedom(of(0.5), 1, {0}), 0.75, 1e-12);
    EXPECT_EQ(freedom(of(0.5), 1, {}), 1);
}

// Oracle: F = P g of least norm sum A_ii F_i^2 for A = [4 2; 2 1]: F = (g1/8, g1/4), which solves both rows for g = (2, 1) g2; by hand.
TEST(HoldingInverse, GivesTheSolutionOfLeastWeightedNorm) {
    const std::vector<double> P = holding_inverse({4, 2, 2, 1}, 2);
    const double g[] = {2, 1}, F[] = {P[0] * g[0] + P[1] * g[1], P[2] * g[0] + P[3] * g[1]};
    EXPECT_NEAR(4 * F[0] + 2 * F[1], 2, 1e-14);
    EXPECT_NEAR(2 * F[0] + F[1], 1, 1e-14);
    EXPECT_NEAR(F[0], 0.25, 1e-14);
    EXPECT_NEAR(F[1], 0.5, 1e-14);
}

}  // namespace
}  // namespace bristle::simulation
