// The boundary of stick-slip in two parameters. Oracles: folds by continuation in one parameter, and simulation on both
// sides.
#include "cycle_support.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <chrono>

namespace bristle::inline analysis {
namespace {

Family2 shipped_family2(const char* id, const char* first, const char* second) {
    return [=](double p, double q) { return shipped_setup(id, {{first, number(p)}, {second, number(q)}}); };
}

CycleBoundary timed(const char* name, const Family2& family, double first, double second, Window a, Window b) {
    const auto begin = std::chrono::steady_clock::now();
    const CycleBoundary boundary = cycle_boundary(family, first, second, a, b);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%s: %zu points in %.2f s; %s\n", name, boundary.points.size(), seconds, name_of(boundary.outcome));
    if (!boundary.points.empty())
        std::printf("  from (%.6g, %.6g) to (%.6g, %.6g)\n", boundary.points.front().first,
                    boundary.points.front().second, boundary.points.back().first, boundary.points.back().second);
    return boundary;
}

// Returns the other parameter where the curve passes a value of one, by the parabola through the three nearest points.
double at(const CycleBoundary& boundary, double BoundaryPoint::*along, double value, double BoundaryPoint::*other) {
    const auto& p = boundary.points;
    std::size_t i = 1;
    for (std::size_t k = 1; k + 1 < p.size(); ++k)
        if (std::abs(p[k].*along - value) < std::abs(p[i].*along - value)) i = k;
    double sum = 0;
    for (std::size_t a = i - 1; a <= i + 1; ++a) {
        double weight = 1;
        for (std::size_t b = i - 1; b <= i + 1; ++b)
            if (a != b) weight *= (value - p[b].*along) / (p[a].*along - p[b].*along);
        sum += weight * (p[a].*other);
    }
    return sum;
}

// Simulated 2 % on either side of the boundary, along the first parameter.
void expect_extinction(const Family2& family, const BoundaryPoint& p) {
    EXPECT_TRUE(ends_in_stick_slip(family(p.first * 0.98, p.second))) << p.first << " " << p.second;
    EXPECT_FALSE(ends_in_stick_slip(family(p.first * 1.02, p.second))) << p.first << " " << p.second;
}

// Returns a start on the cycle of the boundary: where there are two cycles, it lies between them.
bristle::Setup from(const BoundaryPoint& p, bristle::Setup setup) {
    const auto names = state_names(setup.law, setup.rig);
    for (std::size_t i = 0; i < names.size(); ++i) setup.start[names[i].name] = p.state[i];
    return setup;
}

TEST(CycleBoundary, InSpeedAndSigma2PassesThroughTheFoldsOfBoth) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("astrom2008/fig7_c", "rig.velocity", "law.sigma2");
    const CycleBoundary boundary = timed("velocity, sigma2", family, 2, 0.2, {0.6, 4}, {0.1, 1});
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    EXPECT_GE(boundary.points.size(), 40u);
    const CycleBranch damping = follow(shipped_family("astrom2008/fig6_b", "law.sigma2"), 0.2, 0.15, 0.3);
    ASSERT_FALSE(damping.folds.empty());
    const double fold = damping.folds.front().parameter;
    EXPECT_NEAR(at(boundary, &BoundaryPoint::first, 2, &BoundaryPoint::second), fold, 1e-5 * fold);
    int sides = 0;
    for (std::size_t i = 0; i < boundary.points.size(); i += std::max<std::size_t>(1, boundary.points.size() / 8)) {
        const BoundaryPoint& p = boundary.points[i];
        ++sides;
        if (p.kind == BoundaryPoint::Kind::extinction) {  // found in the speed, from the start of the file
            expect_extinction(family, p);
            continue;
        }
        // at low speed the flip is 0.1 % before the fold
        EXPECT_TRUE(ends_in_stick_slip(from(p, family(p.first, p.second * 0.995)))) << p.first << " " << p.second;
        // near the cusp with the next fold the motion ends in the cycle between both
        if (p.first > 2.3) continue;
        EXPECT_FALSE(ends_in_stick_slip(from(p, family(p.first, p.second * 1.001)))) << p.first << " " << p.second;
    }
    EXPECT_GE(sides, 4);
}

TEST(CycleBoundary, InSpeedAndStiffnessSeparatesStickSlipFromSliding) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("astrom2008/fig7_c", "rig.velocity", "rig.stiffness");
    const CycleBoundary boundary = timed("velocity, stiffness", family, 2, 2, {1, 4}, {1, 4});
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    EXPECT_GE(boundary.points.size(), 20u);
    const CycleBranch speed = follow(shipped_family("astrom2008/fig7_c", "rig.velocity"), 2, 1.5, 2.5);
    ASSERT_FALSE(speed.folds.empty());
    EXPECT_NEAR(at(boundary, &BoundaryPoint::second, 2, &BoundaryPoint::first), speed.folds.front().parameter, 2e-5);
    for (std::size_t i = 2; i + 2 < boundary.points.size(); i += boundary.points.size() / 4) {
        const BoundaryPoint& p = boundary.points[i];
        if (p.kind == BoundaryPoint::Kind::extinction) {
            expect_extinction(family, p);
            continue;
        }
        EXPECT_TRUE(ends_in_stick_slip(from(p, family(p.first * 0.995, p.second)))) << p.first << " " << p.second;
        if (p.second > 2.2) continue;  // near the cusp, as above
        EXPECT_FALSE(ends_in_stick_slip(from(p, family(p.first * 1.001, p.second)))) << p.first << " " << p.second;
    }
}

// Small enough for sanitizers. Oracle: the fold of fixed-step Runge-Kutta, between 2.129 and 2.13 m/s at 2 N/m.
TEST(CycleBoundary, OfASmallWindowIsTheFoldOfRungeKutta) {
    const Family2 family = shipped_family2("astrom2008/fig7_c", "rig.velocity", "rig.stiffness");
    const CycleBoundary boundary = cycle_boundary(family, 2.1, 2, {2.09, 2.15}, {1.95, 2.05}, 2);
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    ASSERT_GE(boundary.points.size(), 3u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::fold);
        EXPECT_NEAR(p.first, 2.129, 0.01);  // Runge-Kutta: 2.129..2.13 at 2 N/m
    }
    EXPECT_GE(boundary.grid.size(), 30u);  // near the fold a motion can be undecided
    for (const BoundaryGridPoint& g : boundary.grid)
        if (std::abs(g.first - 2.129) > 0.01) {
            EXPECT_EQ(g.has_cycle, g.first < 2.129) << g.first << " " << g.second;
        }
}

// Hunting ends where it meets the growing oscillation of a loop that is unstable without friction. Oracle: Routh-Hurwitz,
// Kp < Ki m/(Kv + sigma2).
TEST(CycleBoundary, InServoGainsIsCloseToRouthHurwitzWithoutFriction) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("benitez2005/fig5", "rig.Ki", "rig.Kp");
    const CycleBoundary boundary = timed("Ki, Kp", family, 4, 3, {2, 8}, {0.3, 4});
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    EXPECT_GE(boundary.points.size(), 40u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_LT(p.second, p.first / 6.4);  // friction stabilises slightly
        EXPECT_GT(p.second, 0.9 * p.first / 6.4);
    }
    const BoundaryPoint& p = boundary.points[boundary.points.size() / 2];
    const auto swing = [&](double Kp) {
        const auto end = lasting(from(p, family(p.first, Kp)), 600, 60).result;
        return 0.5 * (end.measures.max.at("x") - end.measures.min.at("x"));
    };
    EXPECT_LT(swing(p.second * 1.001), p.amplitude);
    EXPECT_GT(swing(p.second * 0.99), 1.2 * p.amplitude);  // grows slowly without bound
}

// Shooting cannot follow the cycle of C95 to its end, so the boundary consists of extinctions.
TEST(CycleBoundary, OfC95ConsistsOfExtinctions) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    const auto begin = std::chrono::steady_clock::now();
    const CycleBoundary boundary = cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {1, 4}, 4);
    std::printf("%zu points in %.2f s: %s\n", boundary.points.size(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                name_of(boundary.outcome));
    ASSERT_EQ(boundary.points.size(), 4u);
    for (const BoundaryGridPoint& g : boundary.grid)  // the location is tested below
        if (std::abs(g.first - 0.17) > 0.02) {
            EXPECT_EQ(g.has_cycle, g.first < 0.17) << g.first << " " << g.second;
        }
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::extinction);
        EXPECT_TRUE(ends_in_stick_slip(family(p.first * 0.999, p.second), 100)) << p.first << " " << p.second;
        EXPECT_FALSE(ends_in_stick_slip(family(p.first * 1.001, p.second), 100)) << p.first << " " << p.second;
    }
}

// Hunting exists for all gains of the window.
TEST(CycleBoundary, DoesNotExistIfThereIsACycleEverywhere) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const CycleBoundary boundary =
        cycle_boundary(shipped_family2("benitez2005/fig5", "rig.Kp", "rig.Kv"), 3, 6, {2, 10}, {3, 10}, 3);
    EXPECT_FALSE(boundary.exists) << boundary.points.size() << " points, the first " << boundary.points[0].first;
    EXPECT_EQ(boundary.outcome, BoundaryOutcome::cycle_everywhere) << name_of(boundary.outcome);
    EXPECT_EQ(boundary.grid.size(), 27u);
}

TEST(CycleBoundary, IsFoundFromStartValuesWithoutACycle) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("astrom2008/fig6_c", "rig.velocity", "law.sigma2");
    ASSERT_FALSE(limit_cycle(family(2, 0.5)).exists);
    const CycleBoundary boundary = cycle_boundary(family, 2, 0.5, {1, 3}, {0.4, 0.6}, 5);
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    ASSERT_GE(boundary.points.size(), 3u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::extinction);
        EXPECT_TRUE(limit_cycle(family(p.first * 0.998, p.second)).stable) << p.first << " " << p.second;
        EXPECT_FALSE(limit_cycle(family(p.first * 1.002, p.second)).exists) << p.first << " " << p.second;
    }
    EXPECT_GE(boundary.grid.size(), 40u);
    for (const BoundaryGridPoint& g : boundary.grid)  // simulation from rest agrees far from the boundary
        if (g.first > 1.6) {
            EXPECT_FALSE(g.has_cycle) << g.first << " " << g.second;
            EXPECT_FALSE(ends_in_stick_slip(family(g.first, g.second))) << g.first << " " << g.second;
        }
}

TEST(CycleBoundary, AlongTheRowsHasAPointForEachOfNineColumns) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const Family2 family = shipped_family2("benitez2005/fig4", "rig.stiffness", "rig.velocity");
    const CycleBoundary boundary = cycle_boundary(family, 2, 0.1, {1, 4}, {0.01, 1}, 3);
    ASSERT_TRUE(boundary.exists) << name_of(boundary.outcome);
    for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(std::any_of(boundary.points.begin(), boundary.points.end(), [&](const BoundaryPoint& p) {
            return std::abs(p.first - (1 + 3 * i / 8.0)) < 1e-9;
        })) << i;
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_TRUE(limit_cycle(family(p.first, p.second * 0.999)).stable) << p.first << " " << p.second;
        EXPECT_FALSE(limit_cycle(family(p.first, p.second * 1.001)).exists) << p.first << " " << p.second;
    }
}

// After progress has returned false it is not called again.
TEST(CycleBoundary, IsCancelledByProgress) {
    const Family2 family = shipped_family2("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    for (const double fraction : {0.0, 0.1, 0.5, 0.7}) {
        int after = 0;
        bool cancelled = false;
        const CycleBoundary boundary = cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {1, 4}, 3, {}, [&](double now) {
            after += cancelled;
            if (now >= fraction && !cancelled) {
                cancelled = true;
                return false;
            }
            return true;
        });
        EXPECT_TRUE(cancelled);
        EXPECT_EQ(after, 0) << fraction;
        EXPECT_EQ(boundary.outcome, BoundaryOutcome::cancelled) << fraction;
    }
}

// Fs < Fc in a corner of the window.
TEST(CycleBoundary, OmitsGridPointsThatBreakARule) {
    const Family2 family = shipped_family2("benitez2005/fig4", "law.Fs", "law.Fc");
    const CycleBoundary boundary = cycle_boundary(family, 1.5, 1, {1.1, 2}, {0.5, 1.3}, 3);
    EXPECT_TRUE(boundary.exists) << name_of(boundary.outcome);
    for (const BoundaryGridPoint& g : boundary.grid) EXPECT_GE(g.first, g.second);
}

TEST(CycleBoundary, ThrowsForAWindowWithoutItsStart) {
    const Family2 family = shipped_family2("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.2, 0.5}, {1, 4}), Error);
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {4, 1}), Error);
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {2, 2}), Error);
}

TEST(CycleBoundary, DoesNotExistIfThereIsACycleNowhere) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows cover the same code";
    const CycleBoundary boundary = cycle_boundary(shipped_family2("astrom2008/fig6_c", "rig.velocity", "law.sigma2"),
                                                  2.5, 0.5, {2, 3}, {0.4, 0.6}, 2);
    EXPECT_FALSE(boundary.exists);
    EXPECT_EQ(boundary.outcome, BoundaryOutcome::cycle_nowhere) << name_of(boundary.outcome);
    EXPECT_EQ(boundary.grid.size(), 18u);
}

}  // namespace
}  // namespace bristle::analysis
