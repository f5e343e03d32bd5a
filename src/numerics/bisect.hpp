// Bisection: the place where a condition changes between two numbers.
#pragma once

namespace bristle::numerics {

struct Bracket {
    double holds, fails;  // ends of the interval: the condition holds at the one and not at the other
};

// Halves the interval at most `halvings` times, or until no number lies between its ends. `holds` may be the larger end.
// condition(holds) must be true and condition(fails) false; neither is evaluated.
template <class Condition>
Bracket bisect(double holds, double fails, int halvings, const Condition& condition) {
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (holds + fails);
        if (middle == holds || middle == fails) break;
        (condition(middle) ? holds : fails) = middle;
    }
    return {holds, fails};
}

}  // namespace bristle::numerics
