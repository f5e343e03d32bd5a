// Range of inputs, which of them are constant, and moves.
#include <bristle/simulate/check.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

TEST(Input, IsConstantIfAllItsValuesAreEqual) {
    for (const Input& input : {Input::constant(3), Input::sine(3, 0, 1, 0), Input::sine(0, 3, 0, 1), Input::steps({}),
                               Input::steps({{0, 3}}), Input::steps({{-1, 2}, {0, 3}}), Input::steps({{0, 3}, {1, 3}}),
                               Input::steps({{1, 0}}), Input::ramps({{1, 3}}), Input::ramps({{0, 3}, {1, 3}})})
        EXPECT_TRUE(input.is_constant()) << int(input.kind) << " with " << input.points.size() << " points";
    for (const Input& input : {Input::sine(3, 1, 1, 0), Input::chirp(0, 1, 0, 1, 1), Input::steps({{1, 5}}),
                               Input::steps({{0, 3}, {1, 2}}), Input::ramps({{0, 3}, {1, 2}})})
        EXPECT_FALSE(input.is_constant()) << int(input.kind) << " with " << input.points.size() << " points";
}

TEST(Input, RangeIsThatOfTimesFromZeroOn) {
    const auto expect = [](const Input& input, double low, double high) {
        EXPECT_EQ(input.range().low, low);
        EXPECT_EQ(input.range().high, high);
    };
    expect(Input::steps({{1, 5}}), 0, 5);
    expect(Input::steps({{-2, 9}, {-1, 2}, {1, 5}}), 2, 5);
    expect(Input::ramps({{-1, 9}, {1, 5}}), 5, 7);
    expect(Input::sine(1, 2, 3, 4), -1, 3);
    expect(Input::sine(1, 2, 0, 4), 1 + 2 * std::sin(4.0), 1 + 2 * std::sin(4.0));
}

TEST(Input, SineTakesRadiansPerSecondAndChirpHertz) {
    constexpr double pi = 3.14159265358979323846;
    EXPECT_NEAR(Input::sine(0, 1, 2 * pi, 0).period(1), 1, 1e-15);
    EXPECT_NEAR(Input::chirp(0, 1, 1, 1, 5).period(5), 1, 1e-15);
}

// Oracle: the closed form of a trapezoid. Tolerance: rounding.
TEST(Input, TrapezoidReachesItsSpeedAndStopsAtItsTarget) {
    const Input move = Input::trapezoid(1, -2, 1.5, 5, 0.2);  // 0.3 s to 1.5, 2 s in all and 0.3 s
    const double begin = 0.2, ramp = 0.3, whole = 3 / 1.5 + ramp;
    EXPECT_NEAR(move_time(-3, {.speed = 1.5, .acceleration = 5}), whole, 1e-15);
    const auto at = [&](double t) { return move.piece(t).value(t); };
    EXPECT_EQ(at(0.1), 1);
    EXPECT_NEAR(at(begin + 0.1), 1 - 0.5 * 5 * 0.01, 1e-15);
    EXPECT_NEAR(at(begin + 1), 1 - 1.5 * (1 - 0.15), 1e-15);
    EXPECT_NEAR(move.piece(begin + 1).rate(begin + 1), -1.5, 1e-15);
    EXPECT_EQ(at(begin + whole + 1), -2);
    EXPECT_EQ(move.next_corner(0), begin);
    EXPECT_NEAR(move.next_corner(begin), begin + ramp, 1e-15);
    EXPECT_EQ(move.range().low, -2);
    EXPECT_EQ(move.range().high, 1);
    EXPECT_FALSE(move.is_constant());
    EXPECT_TRUE(Input::trapezoid(1, 1, 1, 1).is_constant());
}

// All shapes of an S-curve: with and without constant speed, with and without constant acceleration.
// Oracle: continuity, the limits, and the distance as the integral of the speed by Simpson's rule, exact on each piece.
TEST(Input, SCurveKeepsItsLimitsAndReachesItsTarget) {
    const MoveLimits limits{.speed = 2, .acceleration = 8, .jerk = 40};  // speed needs 0.45 s; 8/40 s of it with jerk
    for (const double distance : {5.0, 0.95, 0.6, 0.7, 0.1, 1e-6, -3.0, -0.02}) {
        SCOPED_TRACE(distance);
        const Input move = Input::s_curve(0.5, 0.5 + distance, limits, 1);
        double t = 1, x = 0.5, v = 0, a = 0, fastest = 0, strongest = 0;
        while (std::isfinite(move.next_corner(t))) {
            const double end = move.next_corner(t), h = end - t, middle = 0.5 * (t + end);
            const Piece piece = move.piece(t);
            EXPECT_NEAR(piece.value(t), x, 1e-12);
            EXPECT_NEAR(piece.rate(t), v, 1e-12);
            EXPECT_NEAR(piece.second_rate(t), a, 1e-12);
            EXPECT_LE(std::abs(piece.jerk), 40);
            x += h / 6 * (piece.rate(t) + 4 * piece.rate(middle) + piece.rate(end));
            v = piece.rate(end);
            a = piece.second_rate(end);
            fastest = std::max(fastest, std::abs(v));
            strongest = std::max(strongest, std::abs(a));
            t = end;
        }
        EXPECT_NEAR(t - 1, move_time(distance, limits), 1e-12);
        EXPECT_NEAR(x, 0.5 + distance, 1e-12);
        EXPECT_EQ(move.piece(t).value(t), 0.5 + distance);
        EXPECT_NEAR(v, 0, 1e-12);
        EXPECT_LE(fastest, 2 + 1e-12);
        EXPECT_LE(strongest, 8 + 1e-12);
        // no faster move: one of the limits is reached for a large part of the way
        const double d = std::abs(distance);
        if (d >= 0.9) {
            EXPECT_NEAR(fastest, 2, 1e-12);
        }
        if (d >= 2 * 8 * 8 * 8 / (40.0 * 40)) {
            EXPECT_NEAR(strongest, 8, 1e-12);
        }
    }
}

TEST(Input, MovesGoFromTargetToTarget) {
    const Input moves = Input::moves(0, {{0.5, 1}, {3, 0.2}}, {.speed = 1, .acceleration = 4});
    EXPECT_EQ(moves.piece(2.5).value(2.5), 1);
    EXPECT_EQ(moves.piece(5).value(5.0), 0.2);
    EXPECT_EQ(broken_rule(moves, 1), nullptr);
    const Input hasty = Input::moves(0, {{0.5, 1}, {1.5, 0.2}}, {.speed = 1, .acceleration = 4});  // 1.25 s each
    EXPECT_NE(broken_rule(hasty, 1), nullptr);
    EXPECT_NE(broken_rule(Input::trapezoid(0, 1, 0, 1).limits), nullptr);
}

}  // namespace
}  // namespace bristle
