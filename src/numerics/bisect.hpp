// Bisection: the place where a condition changes between two numbers.
#pragma once
#include <bristle/search.hpp>

#include <limits>

namespace bristle::numerics {

using bristle::detail::narrow;  // bisection in place, with any rule for its end and its middle

struct Bracket {
    double holds, fails;  // ends of the interval: the condition holds at the one and not at the other
    double middle() const { return bristle::detail::midpoint(holds, fails); }
};

// Halves the interval at most `halvings` times, or until no number lies between its ends. `holds` may be the larger end.
// condition(holds) must be true and condition(fails) false; neither is evaluated.
template <class Condition>
Bracket bisect(double holds, double fails, int halvings, const Condition& condition) {
    narrow(
        holds, fails, [&] { return halvings-- > 0; }, condition);
    return {holds, fails};
}
inline constexpr int to_rounding = std::numeric_limits<int>::max();  // halvings: until no number lies between the ends

}  // namespace bristle::numerics
