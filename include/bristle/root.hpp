// Safeguarded Newton search for one scalar root inside a bracket.
//
// trial(w) evaluates the equation and returns an object with .residual (its value), .slope (its derivative), .tolerance
// (the search ends below it) and .noise (bound on the rounding error of the residual). The root lies between near and
// far: the residual has the sign of far - near beyond the root and the opposite sign before it.
//
// Steps. 1 Newton's step, unless it leaves the bracket or is the third slow one in a row. Then
//        2 near itself, once (the equations of the coupled step are steepest there);
//        3 a section of the bracket, geometric in the distance from near, so that a root many decades closer to near
//          than far is found.
// Ends.  A |residual| <= tolerance. B |residual| <= noise and no longer falling. C the step is within rounding of w.
//        D the root lies closer to near than cut. E nothing is left between the ends. F max_trials.
// A, B and C: converged. Returns the last trial in every case. Dual numbers: one evaluation more than max_trials.
#pragma once
#include <bristle/scalar.hpp>

namespace bristle::detail {

inline constexpr int max_trials = 40;

// Bracket of a root, as distances from near.
template <class T>
struct RootBracket {
    T low, high;
    bool tried_near;

    // The residuals at the ends are known to differ in sign: only the inside is worth a trial.
    bool has_inside(const T& at) const noexcept { return at > low && at < high; }
    bool has(const T& at) const noexcept { return at >= low && at <= high; }
    void narrow_to(const T& at, bool beyond_root) noexcept { (beyond_root ? high : low) = at; }
    // Returns the next trial in place of Newton's step: steps 2 and 3.
    T section() noexcept {
        constexpr double first = 0.01;  // next to near, where no geometric mean exists: two decades at a time
        constexpr double wide = 4;      // high/low below which the arithmetic mean serves: 25 % above the geometric one
        if (low == T(0) && !tried_near) {
            tried_near = true;
            return T(0);
        }
        if (low == T(0)) return T(first) * high;
        return high > T(wide) * low ? sqrt(low * high) : T(0.5) * (low + high);
    }
};

template <class T, class Trial>
auto find_root(const Trial& trial, T near, T far, T start, int& evaluations, T cut = T(0)) noexcept {
    constexpr double falling = 0.25;   // of the residual before; Newton gains more until it meets rounding errors
    constexpr double slow_step = 0.5;  // of the step before: no faster than bisection
    constexpr int max_slow_steps = 2;  // in a row
    const T direction = far < near ? T(-1) : T(1);
    RootBracket<T> bracket{T(0), abs(far - near), false};
    T at = (start - near) * direction;
    if (!bracket.has_inside(at)) {
        at = T(0);
        bracket.tried_near = true;
    }
    auto now = trial(near + direction * at);
    ++evaluations;
    T step_before = bracket.high, residual_before = std::numeric_limits<plain<T>>::infinity();
    int slow_steps = 0;
    for (int trials = 1; trials < max_trials && abs(now.residual) > now.tolerance; ++trials) {  // ends A and F
        bracket.narrow_to(at, now.residual * direction > T(0));
        if (bracket.high <= cut) break;                                                                 // end D
        if (abs(now.residual) <= now.noise && abs(now.residual) > T(falling) * residual_before) break;  // end B
        residual_before = abs(now.residual);
        T next = at - now.residual * direction / now.slope;                 // step 1
        if (abs(next - at) <= T(2 * epsilon<T>) * (at + abs(near))) break;  // end C
        slow_steps = abs(next - at) > T(slow_step) * step_before ? slow_steps + 1 : 0;
        if (!bracket.has_inside(next) || slow_steps > max_slow_steps) {
            next = bracket.section();  // steps 2 and 3
            slow_steps = 0;
        }
        if (!bracket.has(next)) break;  // end E
        step_before = abs(next - at);
        at = next;
        now = trial(near + direction * at);
        ++evaluations;
    }
    // derivatives of the root (T a dual number): one more Newton step, by the implicit function theorem
    if constexpr (!Real<T>) {
        now = trial(near + direction * (at - now.residual * direction / now.slope));
        ++evaluations;
    }
    return now;
}

}  // namespace bristle::detail
