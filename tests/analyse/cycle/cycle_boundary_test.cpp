// The boundary of stick-slip in two parameters: on it lie the folds that continuation in one parameter finds, and
// simulation tells its two sides width.
#include "cycle_support.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <chrono>

namespace bristle::inline analysis {
namespace {

Family2 family2_of(const char* id, const char* first, const char* second) {
    return [=](double p, double q) { return shipped_setup(id, {{first, number(p)}, {second, number(q)}}); };
}

CycleBoundary timed(const char* name, const Family2& family, double first, double second, Window a, Window b) {
    const auto begin = std::chrono::steady_clock::now();
    const CycleBoundary boundary = cycle_boundary(family, first, second, a, b);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%s: %zu points in %.2f s; %s\n", name, boundary.points.size(), seconds, boundary.message.c_str());
    if (!boundary.points.empty())
        std::printf("  from (%.6g, %.6g) to (%.6g, %.6g)\n", boundary.points.front().first,
                    boundary.points.front().second, boundary.points.back().first, boundary.points.back().second);
    return boundary;
}

// Where the curve passes a value of one parameter: the other one, by the parabola through the three nearest points.
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

// A start on the cycle of the boundary: between the stable and the unstable cycle where there are two.
bristle::Setup from(const BoundaryPoint& p, bristle::Setup setup) {
    const auto names = state_names(setup.law, setup.rig);
    for (std::size_t i = 0; i < names.size(); ++i) setup.start[names[i].name] = p.state[i];
    return setup;
}

TEST(CycleBoundary, InSpeedAndDampingItPassesThroughTheFoldsOfBoth) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("astrom2008/fig7_c", "rig.velocity", "law.sigma2");
    const CycleBoundary boundary = timed("velocity, sigma2", family, 2, 0.2, {0.6, 4}, {0.1, 1});
    ASSERT_TRUE(boundary.exists) << boundary.message;
    EXPECT_GE(boundary.points.size(), 40u);
    const CycleBranch damping = follow(family_of("astrom2008/fig6_b", "law.sigma2"), 0.2, 0.15, 0.3);
    ASSERT_FALSE(damping.folds.empty());
    const double fold = damping.folds.front().parameter;
    EXPECT_NEAR(at(boundary, &BoundaryPoint::first, 2, &BoundaryPoint::second), fold, 1e-5 * fold);
    int sides = 0;
    for (std::size_t i = 0; i < boundary.points.size(); i += std::max<std::size_t>(1, boundary.points.size() / 8)) {
        const BoundaryPoint& p = boundary.points[i];
        ++sides;
        if (p.kind == BoundaryPoint::Kind::extinction) {  // seen in the speed, from the file's start
            EXPECT_TRUE(ends_in_stick_slip(family(p.first * 0.98, p.second))) << p.first << " " << p.second;
            EXPECT_FALSE(ends_in_stick_slip(family(p.first * 1.02, p.second))) << p.first << " " << p.second;
            continue;
        }
        // at low speed the cycle flips a thousandth before it folds
        EXPECT_TRUE(ends_in_stick_slip(from(p, family(p.first, p.second * 0.995)))) << p.first << " " << p.second;
        // towards the cusp with the next fold the two are so close that the cycle between them takes the motion up
        if (p.first > 2.3) continue;
        EXPECT_FALSE(ends_in_stick_slip(from(p, family(p.first, p.second * 1.001)))) << p.first << " " << p.second;
    }
    EXPECT_GE(sides, 4);
}

TEST(CycleBoundary, InSpeedAndStiffness) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("astrom2008/fig7_c", "rig.velocity", "rig.stiffness");
    const CycleBoundary boundary = timed("velocity, stiffness", family, 2, 2, {1, 4}, {1, 4});
    ASSERT_TRUE(boundary.exists) << boundary.message;
    EXPECT_GE(boundary.points.size(), 20u);
    const CycleBranch speed = follow(family_of("astrom2008/fig7_c", "rig.velocity"), 2, 1.5, 2.5);
    ASSERT_FALSE(speed.folds.empty());
    EXPECT_NEAR(at(boundary, &BoundaryPoint::second, 2, &BoundaryPoint::first), speed.folds.front().parameter, 2e-5);
    for (std::size_t i = 2; i + 2 < boundary.points.size(); i += boundary.points.size() / 4) {
        const BoundaryPoint& p = boundary.points[i];
        if (p.kind == BoundaryPoint::Kind::extinction) {
            EXPECT_TRUE(ends_in_stick_slip(family(p.first * 0.98, p.second))) << p.first << " " << p.second;
            EXPECT_FALSE(ends_in_stick_slip(family(p.first * 1.02, p.second))) << p.first << " " << p.second;
            continue;
        }
        EXPECT_TRUE(ends_in_stick_slip(from(p, family(p.first * 0.995, p.second)))) << p.first << " " << p.second;
        if (p.second > 2.2) continue;  // towards the cusp, as above: beyond the fold another cycle takes it up
        EXPECT_FALSE(ends_in_stick_slip(from(p, family(p.first * 1.001, p.second)))) << p.first << " " << p.second;
    }
}

// Small enough for sanitizers.
TEST(CycleBoundary, OfASmallWindowIsWalkedThrough) {
    const Family2 family = family2_of("astrom2008/fig7_c", "rig.velocity", "rig.stiffness");
    const CycleBoundary boundary = cycle_boundary(family, 2.1, 2, {2.09, 2.15}, {1.95, 2.05}, 2);
    ASSERT_TRUE(boundary.exists) << boundary.message;
    ASSERT_GE(boundary.points.size(), 3u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::fold);
        EXPECT_NEAR(p.first, 2.129, 0.01);  // Runge-Kutta: 2.129..2.13 at 2 N/m
    }
    EXPECT_GE(boundary.grid.size(), 30u);  // beside the fold motions may not tell
    for (const BoundaryGridPoint& look : boundary.grid)
        if (std::abs(look.first - 2.129) > 0.01) {
            EXPECT_EQ(look.lives, look.first < 2.129) << look.first << " " << look.second;
        }
}

// Hunting ends where it meets the large swings of a loop that is unstable without friction: Kp < Ki m/(Kv + sigma2).
TEST(CycleBoundary, InTheGainsOfAServo) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("benitez2005/fig5", "rig.Ki", "rig.Kp");
    const CycleBoundary boundary = timed("Ki, Kp", family, 4, 3, {2, 8}, {0.3, 4});
    ASSERT_TRUE(boundary.exists) << boundary.message;
    EXPECT_GE(boundary.points.size(), 40u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_LT(p.second, p.first / 6.4);  // friction helps a little
        EXPECT_GT(p.second, 0.9 * p.first / 6.4);
    }
    const BoundaryPoint& p = boundary.points[boundary.points.size() / 2];
    const auto swing = [&](double Kp) {
        const auto end = lasting(from(p, family(p.first, Kp)), 600, 60).result;
        return 0.5 * (end.measures.max.at("x") - end.measures.min.at("x"));
    };
    EXPECT_LT(swing(p.second * 1.001), p.amplitude);
    EXPECT_GT(swing(p.second * 0.99), 1.2 * p.amplitude);  // grows, slowly, without end
}

// Where shooting cannot follow the cycle to its death, motions are followed instead.
TEST(CycleBoundary, OfC95IsSeenByFollowingMotions) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    const auto begin = std::chrono::steady_clock::now();
    const CycleBoundary boundary = cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {1, 4}, 4);
    std::printf("%zu points in %.2f s: %s\n", boundary.points.size(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                boundary.message.c_str());
    ASSERT_EQ(boundary.points.size(), 4u);
    for (const BoundaryGridPoint& look : boundary.grid)  // the place itself is tested below
        if (std::abs(look.first - 0.17) > 0.02) {
            EXPECT_EQ(look.lives, look.first < 0.17) << look.first << " " << look.second;
        }
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::extinction);
        EXPECT_TRUE(ends_in_stick_slip(family(p.first * 0.999, p.second), 100)) << p.first << " " << p.second;
        EXPECT_FALSE(ends_in_stick_slip(family(p.first * 1.001, p.second), 100)) << p.first << " " << p.second;
    }
}

// A cycle that lives everywhere has no boundary, least of all one at the file's own value.
TEST(CycleBoundary, OfHuntingIsNotAtTheFilesOwnGain) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const CycleBoundary boundary =
        cycle_boundary(family2_of("benitez2005/fig5", "rig.Kp", "rig.Kv"), 3, 6, {2, 10}, {3, 10}, 3);
    EXPECT_FALSE(boundary.exists) << boundary.points.size() << " points, the first " << boundary.points[0].first;
    EXPECT_NE(boundary.message.find("stick-slip was found at all 27 places"), std::string::npos) << boundary.message;
}

// Without a cycle at the file's values.
TEST(CycleBoundary, IsFoundFromAFileWithoutACycle) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("astrom2008/fig6_c", "rig.velocity", "law.sigma2");
    ASSERT_FALSE(limit_cycle(family(2, 0.5)).exists);
    const CycleBoundary boundary = cycle_boundary(family, 2, 0.5, {1, 3}, {0.4, 0.6}, 5);
    ASSERT_TRUE(boundary.exists) << boundary.message;
    ASSERT_GE(boundary.points.size(), 3u);
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_EQ(p.kind, BoundaryPoint::Kind::extinction);
        EXPECT_TRUE(limit_cycle(family(p.first * 0.998, p.second)).stable) << p.first << " " << p.second;
        EXPECT_FALSE(limit_cycle(family(p.first * 1.002, p.second)).exists) << p.first << " " << p.second;
    }
    EXPECT_GE(boundary.grid.size(), 40u);
    for (const BoundaryGridPoint& look : boundary.grid)  // simulation, from rest, has the same opinion far from the boundary
        if (look.first > 1.6) {
            EXPECT_FALSE(look.lives) << look.first << " " << look.second;
            EXPECT_FALSE(ends_in_stick_slip(family(look.first, look.second))) << look.first << " " << look.second;
        }
}

// A boundary along the rows is seen as well, without gaps: one point for each of nine columns.
TEST(CycleBoundary, RunsAlongTheRowsToo) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const Family2 family = family2_of("benitez2005/fig4", "rig.stiffness", "rig.velocity");
    const CycleBoundary boundary = cycle_boundary(family, 2, 0.1, {1, 4}, {0.01, 1}, 3);
    ASSERT_TRUE(boundary.exists) << boundary.message;
    for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(std::any_of(boundary.points.begin(), boundary.points.end(), [&](const BoundaryPoint& p) {
            return std::abs(p.first - (1 + 3 * i / 8.0)) < 1e-9;
        })) << i;
    for (const BoundaryPoint& p : boundary.points) {
        EXPECT_TRUE(limit_cycle(family(p.first, p.second * 0.999)).stable) << p.first << " " << p.second;
        EXPECT_FALSE(limit_cycle(family(p.first, p.second * 1.001)).exists) << p.first << " " << p.second;
    }
}

// Stopped once is stopped for good, and said.
TEST(CycleBoundary, StopsWhenAsked) {
    const Family2 family = family2_of("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    for (const double fraction : {0.0, 0.1, 0.5, 0.7}) {
        int after = 0;
        bool said = false;
        const CycleBoundary boundary = cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {1, 4}, 3, {}, [&](double now) {
            after += said;
            if (now >= fraction && !said) {
                said = true;
                return false;
            }
            return true;
        });
        EXPECT_TRUE(said);
        EXPECT_EQ(after, 0) << fraction;
        EXPECT_EQ(boundary.message, "stopped") << fraction;
    }
}

// Fs < Fc in a corner of the window: nothing is known there, and the rest is as it is.
TEST(CycleBoundary, ACornerThatBreaksARuleIsLeftOut) {
    const Family2 family = family2_of("benitez2005/fig4", "law.Fs", "law.Fc");
    const CycleBoundary boundary = cycle_boundary(family, 1.5, 1, {1.1, 2}, {0.5, 1.3}, 3);
    EXPECT_TRUE(boundary.exists) << boundary.message;
    for (const BoundaryGridPoint& look : boundary.grid) EXPECT_GE(look.first, look.second);
}

TEST(CycleBoundary, RefusesAWindowWithoutItsStart) {
    const Family2 family = family2_of("benitez2005/fig4", "rig.velocity", "rig.stiffness");
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.2, 0.5}, {1, 4}), Error);
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {4, 1}), Error);
    EXPECT_THROW(cycle_boundary(family, 0.1, 2, {0.05, 0.5}, {2, 2}), Error);
}

TEST(CycleBoundary, SaysSoWhereThereIsNone) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the small windows walk through the same code";
    const CycleBoundary boundary =
        cycle_boundary(family2_of("astrom2008/fig6_c", "rig.velocity", "law.sigma2"), 2.5, 0.5, {2, 3}, {0.4, 0.6}, 2);
    EXPECT_FALSE(boundary.exists);
    EXPECT_EQ(boundary.message,
              "no boundary: stick-slip was found at none of 18 places of the window that were looked at");
}

}  // namespace
}  // namespace bristle::inline analysis
