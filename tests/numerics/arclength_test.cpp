// Continuation of curves with known folds, zeros and ends.
#include "numerics/arclength.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace bristle::numerics {
namespace {

// u^3 - u + p = 0: an S with folds at u = +-1/sqrt 3, p = +-2/(3 sqrt 3).
CurveProblem s_curve() {
    CurveProblem c;
    c.unknowns = 2;
    c.equations = [](auto x, auto G, auto J) {
        G[0] = x[0] * x[0] * x[0] - x[0] + x[1];
        J[0] = 3 * x[0] * x[0] - 1;
        J[1] = 1;
        return true;
    };
    c.scale = {1, 1};
    c.low = {-HUGE_VAL, -1};
    c.high = {HUGE_VAL, 1};
    return c;
}
CurveProblem circle(double a, double b) {  // (u/a)^2 + (p/b)^2 = 1
    CurveProblem c;
    c.unknowns = 2;
    c.equations = [=](auto x, auto G, auto J) {
        G[0] = x[0] * x[0] / (a * a) + x[1] * x[1] / (b * b) - 1;
        J[0] = 2 * x[0] / (a * a);
        J[1] = 2 * x[1] / (b * b);
        return true;
    };
    c.scale = {a, b};
    return c;
}

TEST(Arclength, OfAnSCurveFindsTwoFoldsAndEndsOnTheWindow) {
    const CurveProblem c = s_curve();
    const ContinuationCurve walk = walk_curve(c, {0.1, 0.1});  // on the middle part, between the folds
    EXPECT_EQ(walk.forward, ContinuationEnd::window);
    EXPECT_EQ(walk.backward, ContinuationEnd::window);
    ASSERT_EQ(walk.specials.size(), 2u);
    const double u = 1 / std::sqrt(3.0), p = 2 / (3 * std::sqrt(3.0));
    for (const SpecialPoint& s : walk.specials) {
        EXPECT_EQ(s.of, SpecialPoint::fold);
        const double sign = s.point.x[0] < 0 ? -1 : 1;
        EXPECT_NEAR(s.point.x[1], sign * p, 1e-14);
        EXPECT_NEAR(s.point.x[0], sign * u, 1e-12);
    }
    EXPECT_NE(walk.specials[0].point.x[0] < 0, walk.specials[1].point.x[0] < 0);
    for (const CurvePoint& q : walk.points) EXPECT_NEAR(q.x[0] * q.x[0] * q.x[0] - q.x[0] + q.x[1], 0, 1e-14);
    EXPECT_EQ(std::abs(walk.points.front().x[1]), 1);
    EXPECT_EQ(walk.points.back().x[1], -walk.points.front().x[1]);
    // tangents point onwards all the way, also where the two ways were joined
    for (std::size_t i = 0; i + 1 < walk.points.size(); ++i) {
        const auto &a = walk.points[i], &b = walk.points[i + 1];
        EXPECT_GT(a.tangent[0] * (b.x[0] - a.x[0]) + a.tangent[1] * (b.x[1] - a.x[1]), 0) << i;
        EXPECT_LT(std::hypot(b.x[0] - a.x[0], b.x[1] - a.x[1]), 0.16) << i;
    }
}

// Scaled unknowns: an ellipse of 1e-6 by 1e3 takes the same steps as a circle.
TEST(Arclength, OfAnEllipseClosesAtEachScale) {
    std::size_t points = 0;
    for (const auto& [a, b] : {std::pair{1.0, 1.0}, std::pair{1e-6, 1e3}}) {
        const ContinuationCurve walk = walk_curve(circle(a, b), {0.6 * a, 0.8 * b});
        EXPECT_EQ(walk.forward, ContinuationEnd::closed);
        EXPECT_EQ(walk.backward, ContinuationEnd::not_walked);
        ASSERT_EQ(walk.specials.size(), 2u);
        EXPECT_NEAR(walk.specials[0].point.x[1], b, 1e-14 * b);
        EXPECT_NEAR(walk.specials[1].point.x[1], -b, 1e-14 * b);
        EXPECT_NEAR(walk.specials[0].point.x[0], 0, 1e-12 * a);
        double length = 0;  // of the polygon, against the circumference
        for (std::size_t i = 0; i + 1 < walk.points.size(); ++i)
            length += std::hypot((walk.points[i + 1].x[0] - walk.points[i].x[0]) / a,
                                 (walk.points[i + 1].x[1] - walk.points[i].x[1]) / b);
        EXPECT_NEAR(length, 2 * M_PI, 2 * M_PI * 0.1 * 0.1 / 12);  // chords of at most 0.1
        if (points > 0) {
            EXPECT_EQ(walk.points.size(), points);
        }
        points = walk.points.size();
    }
}

// p = T5(u1), u_{i+1} = sin(3 u_i): four folds, at p = +-1 and u1 = cos(k pi/5), in six unknowns.
TEST(Arclength, FindsAllFoldsOfAChebyshevCurve) {
    CurveProblem c;
    c.unknowns = 6;
    c.scale = {1, 1, 1, 1, 1, 1};
    c.low = {-1.2, -9, -9, -9, -9, -9};
    c.high = {1.2, 9, 9, 9, 9, 9};
    c.equations = [](auto x, auto G, auto J) {
        std::fill(J.begin(), J.end(), 0.0);
        const double u = x[0], q = u * u;
        G[0] = x[5] - u * (5 + q * (-20 + 16 * q));
        J[0] = -(5 + q * (-60 + 80 * q));
        J[5] = 1;
        for (std::size_t i = 1; i < 5; ++i) {
            G[i] = x[i] - std::sin(3 * x[i - 1]);
            J[6 * i + i] = 1;
            J[6 * i + i - 1] = -3 * std::cos(3 * x[i - 1]);
        }
        return true;
    };
    std::vector<double> start{0.05};
    for (int i = 1; i < 5; ++i) start.push_back(std::sin(3 * start.back()));
    start.push_back(0.2);
    const ContinuationCurve walk = walk_curve(c, start);
    ASSERT_EQ(walk.specials.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        const double u = walk.specials[k].point.x[0], from = walk.specials[0].point.x[0] < 0 ? 4 : 1;
        const double which = from == 4 ? 4 - double(k) : 1 + double(k);
        EXPECT_NEAR(u, std::cos(which * M_PI / 5), 1e-11) << k;
        EXPECT_NEAR(std::abs(walk.specials[k].point.x[5]), 1, 1e-13) << k;
    }
}

// Two parameters: the folds of u^3 - p1 u - p2 = 0 are the curve 4 p1^3 = 27 p2^2 with a cusp at the origin. In (u, p2, p1) it is
// regular, and the cusp is a fold in p1.
TEST(Arclength, OfAFoldCurvePassesThroughItsCusp) {
    CurveProblem c;
    c.unknowns = 3;  // u, p2, p1
    c.scale = {1, 1, 1};
    c.high = {HUGE_VAL, HUGE_VAL, 3};
    c.equations = [](auto x, auto G, auto J) {
        G[0] = x[0] * x[0] * x[0] - x[2] * x[0] - x[1];
        G[1] = 3 * x[0] * x[0] - x[2];
        J[0] = 3 * x[0] * x[0] - x[2], J[1] = -1, J[2] = -x[0];
        J[3] = 6 * x[0], J[4] = 0, J[5] = -1;
        return true;
    };
    const ContinuationCurve walk = walk_curve(c, {0.6, -0.4, 1});
    ASSERT_EQ(walk.specials.size(), 1u);
    for (const double x : walk.specials[0].point.x) EXPECT_NEAR(x, 0, 1e-12);
    for (const CurvePoint& q : walk.points)
        EXPECT_NEAR(4 * std::pow(q.x[2], 3), 27 * q.x[1] * q.x[1], 1e-12 * (1 + q.x[1] * q.x[1]));
    EXPECT_EQ(walk.points.front().x[2], 3);
    EXPECT_EQ(walk.points.back().x[2], 3);
    EXPECT_NEAR(walk.points.front().x[0] * walk.points.back().x[0], -1, 1e-12);  // u = +-1
}

// Watched functions: simple zeros, a pair inside one step, a minimum above zero, a jump.
TEST(Arclength, FindsZerosOfWatchedFunctionsAlsoInPairs) {
    CurveProblem c;
    c.unknowns = 1;  // the parameter alone: every p is a solution
    c.equations = [](auto, auto, auto) { return true; };
    c.scale = {1};
    c.low = {0};
    c.high = {2};
    c.watched = 4;
    c.watch = [](auto x, auto f) {
        const double p = x[0];
        f[0] = std::cos(7 * p);
        f[1] = (p - 1.234) * (p - 1.2341);
        f[2] = (p - 1.234) * (p - 1.234) + 1e-9;
        f[3] = p < 0.7 ? -1 : 1;
    };
    const ContinuationCurve walk = walk_curve(c, {0.5});
    std::vector<double> found[4];
    for (const SpecialPoint& s : walk.specials) {
        ASSERT_LT(s.of, 4u);
        found[s.of].push_back(s.point.x[0]);
        if (s.of < 2) {
            EXPECT_NEAR(s.point.watched[s.of], 0, 1e-13);
        }
    }
    ASSERT_EQ(found[0].size(), 4u);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(found[0][std::size_t(k)], (k + 0.5) * M_PI / 7, 1e-13);
    ASSERT_EQ(found[1].size(), 2u);
    EXPECT_NEAR(found[1][0], 1.234, 1e-12);
    EXPECT_NEAR(found[1][1], 1.2341, 1e-12);
    EXPECT_TRUE(found[2].empty());
    ASSERT_EQ(found[3].size(), 1u);
    EXPECT_NEAR(found[3][0], 0.7, 1e-13);
    EXPECT_EQ(walk.points.front().x[0], 0);
    EXPECT_EQ(walk.points.back().x[0], 2);
}

// A helix of 0.6 % pitch passes close to its start in each revolution.
TEST(Arclength, OfAHelixIsNotReportedAsClosed) {
    CurveProblem c;
    c.unknowns = 3;  // cos p, sin p, p
    c.equations = [](auto x, auto G, auto J) {
        G[0] = x[0] - std::cos(x[2]);
        G[1] = x[1] - std::sin(x[2]);
        J[0] = 1, J[1] = 0, J[2] = std::sin(x[2]);
        J[3] = 0, J[4] = 1, J[5] = -std::cos(x[2]);
        return true;
    };
    c.scale = {1, 1, 1e3};
    c.low = {-HUGE_VAL, -HUGE_VAL, -15};
    c.high = {HUGE_VAL, HUGE_VAL, 15};
    const ContinuationCurve walk = walk_curve(c, {1, 0, 0});
    EXPECT_EQ(walk.forward, ContinuationEnd::window);
    EXPECT_EQ(walk.points.front().x[2], -15);
    EXPECT_EQ(walk.points.back().x[2], 15);
    EXPECT_TRUE(walk.specials.empty());
}

// Equations with an error of 1e-10, like those of an integrated motion: Newton stops at this error.
TEST(Arclength, OfEquationsWithNoiseEndsOnTheWindow) {
    CurveProblem c = s_curve();
    const auto smooth = c.equations;
    c.equations = [smooth](auto x, auto G, auto J) {
        smooth(x, G, J);
        G[0] += 1e-10 * std::sin(1e12 * (x[0] + x[1]));
        return true;
    };
    const ContinuationCurve walk = walk_curve(c, {0.1, 0.1});
    EXPECT_EQ(walk.forward, ContinuationEnd::window);
    EXPECT_EQ(walk.backward, ContinuationEnd::window);
    ASSERT_EQ(walk.specials.size(), 2u);
    for (const SpecialPoint& s : walk.specials) EXPECT_NEAR(std::abs(s.point.x[1]), 2 / (3 * std::sqrt(3.0)), 1e-9);
}

// The tangents at the foot and at the top of a steep rise are equal; the distance limits the step.
TEST(Arclength, StepsDoNotJumpOverASteepRise) {
    CurveProblem c;
    c.unknowns = 2;  // u = 5/(1 + exp(-p/0.02))
    c.equations = [](auto x, auto G, auto J) {
        const double s = 1 / (1 + std::exp(-x[1] / 0.02));
        G[0] = x[0] - 5 * s;
        J[0] = 1;
        J[1] = -5 * s * (1 - s) / 0.02;
        return true;
    };
    c.scale = {1, 1};
    c.low = {-HUGE_VAL, -2};
    c.high = {HUGE_VAL, 2};
    ContinuationOptions bold;
    bold.first = bold.largest = 1.2;
    const ContinuationCurve walk = walk_curve(c, {0, -1}, bold);
    EXPECT_EQ(walk.forward, ContinuationEnd::window);
    EXPECT_NEAR(walk.points.back().x[0], 5, 1e-9);
    for (std::size_t i = 0; i + 1 < walk.points.size(); ++i) {
        const auto &a = walk.points[i].x, &b = walk.points[i + 1].x;
        EXPECT_LE(std::hypot(b[0] - a[0], b[1] - a[1]), 1.5 * 1.2) << i;
    }
}

TEST(Arclength, ReportsTheReasonOfEachEnd) {
    // undefined beyond -0.6 and 0.5
    CurveProblem edge = s_curve();
    const auto whole = edge.equations;
    edge.equations = [whole](auto x, auto G, auto J) { return x[1] <= 0.5 && x[1] >= -0.6 && whole(x, G, J); };
    const ContinuationCurve cut = walk_curve(edge, {1, 0});
    EXPECT_EQ(cut.forward, ContinuationEnd::nothing_beyond);  // past both folds, then up to 0.5
    EXPECT_NEAR(cut.points.back().x[1], 0.5, 1e-6);
    EXPECT_EQ(cut.specials.size(), 2u);
    EXPECT_EQ(cut.backward, ContinuationEnd::nothing_beyond);
    EXPECT_NEAR(cut.points.front().x[1], -0.6, 1e-6);
    ContinuationOptions few;
    few.max_points = 5;
    const ContinuationCurve short_walk = walk_curve(circle(1, 1), {0.6, 0.8}, few);
    EXPECT_EQ(short_walk.forward, ContinuationEnd::max_points);
    EXPECT_EQ(short_walk.points.size(), 11u);
    EXPECT_EQ(short_walk.start, 5u);
    ContinuationOptions cancelled;
    cancelled.progress = [](auto x) { return x[1] < 0.9; };
    EXPECT_EQ(walk_curve(circle(1, 1), {0.6, 0.8}, cancelled).forward, ContinuationEnd::cancelled);
    // sqrt|u| = -p ends in a point
    CurveProblem corner = s_curve();
    corner.equations = [](auto x, auto G, auto J) {
        G[0] = std::sqrt(std::abs(x[0])) + x[1];
        J[0] = 0.5 / std::sqrt(std::abs(x[0])) * (x[0] < 0 ? -1 : 1);
        J[1] = 1;
        return true;
    };
    const ContinuationCurve end = walk_curve(corner, {0.25, -0.5});
    EXPECT_EQ(end.forward, ContinuationEnd::no_convergence);
    EXPECT_EQ(end.backward, ContinuationEnd::window);
    EXPECT_NEAR(end.points.back().x[1], 0, 1e-3);
    // no solution near the start
    CurveProblem none = s_curve();
    none.equations = [](auto x, auto G, auto J) {
        G[0] = x[0] * x[0] + 1 + x[1] * x[1];
        J[0] = 2 * x[0];
        J[1] = 2 * x[1];
        return true;
    };
    try {
        walk_curve(none, {1, 1});
        ADD_FAILURE() << "found a solution";
    } catch (const NoCurve& no) {
        EXPECT_EQ(no.reason, NoCurve::Reason::no_solution);
    }
}

}  // namespace
}  // namespace bristle::numerics
