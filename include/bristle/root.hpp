// Safeguarded Newton search for one scalar root inside a bracket.
//
// trial(w) evaluates the equation and returns an object with .residual (its value), .slope (its derivative), .tolerance
// (the search ends below it) and .noise (bound on the rounding error of the residual). The root lies between near and
// far: the residual has the sign of far - near beyond the root and the opposite sign before it.
// A Newton step is replaced if it leaves the bracket, or if it is the third in a row above half of its predecessor:
// first by a trial at near (the equations of the coupled step are steepest there), then by sections of the bracket.
// The sections are geometric in the distance from near, so that a root many decades closer to near than far is found.
// Converged: |residual| <= tolerance; or |residual| <= noise and no longer falling; or the step is within rounding of w.
// At most max_trials evaluations (dual numbers: one more). Returns the last trial, also if it has not converged.
// The search ends early if the root lies closer to near than cut.
#pragma once
#include <bristle/scalar.hpp>

namespace bristle::detail {

inline constexpr int max_trials = 40;

template <class T, class Trial>
auto find_root(const Trial& trial, T near, T far, T start, int& evaluations, T cut = T(0)) noexcept {
    const T direction = far < near ? T(-1) : T(1);
    T low = T(0), high = abs(far - near), at = (start - near) * direction;  // distances from near
    bool tried_near = !(at > low && at < high);
    if (tried_near) at = T(0);
    auto now = trial(near + direction * at);
    ++evaluations;
    T stride = high, before = std::numeric_limits<plain<T>>::infinity();
    for (int i = 1, slow = 0; i < max_trials && abs(now.residual) > now.tolerance; ++i) {
        (now.residual * direction > T(0) ? high : low) = at;
        if (high <= cut || (abs(now.residual) <= now.noise && abs(now.residual) > T(0.25) * before)) break;
        before = abs(now.residual);
        T next = at - now.residual * direction / now.slope;
        if (abs(next - at) <= T(2 * epsilon<T>) * (at + abs(near))) break;  // no closer number to try
        slow = abs(next - at) > T(0.5) * stride ? slow + 1 : 0;
        if (!(next > low && next < high) || slow > 2) {
            if (!tried_near && low == T(0)) {
                next = T(0);
                tried_near = true;
            } else if (low == T(0)) {
                next = T(0.01) * high;
            } else {
                next = high > T(4) * low ? sqrt(low * high) : T(0.5) * (low + high);
            }
            slow = 0;
        }
        if (!(next >= low && next <= high)) break;  // nothing left between the ends
        stride = abs(next - at);
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
