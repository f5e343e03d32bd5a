// Range of inputs, and which of them are constant.
#include <bristle/simulate/input.hpp>

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

}  // namespace
}  // namespace bristle
