// Input of N13 section 6, for the stiff set of A08.
#pragma once
#include <bristle/simulate/input.hpp>

#include <numbers>

namespace bristle::test {

inline constexpr double pi = std::numbers::pi;

// u = 3e-6 (1 - cos t) [m]
inline Input n13_input() { return Input::sine(3e-6, 3e-6, 1, -pi / 2); }

}  // namespace bristle::test
