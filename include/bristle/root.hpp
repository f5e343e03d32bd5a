// One scalar root, safeguarded: Newton while it behaves, a bracket that always shrinks.
//
// trial(w) evaluates the equation and returns an object with .miss (its value), .slope (its derivative), .tolerance (when to
// stop) and .noise (what rounding may leave of it). The root lies between near and far: miss has the sign of far - near beyond it and the
// opposite sign before it. A Newton step that leaves the bracket, or the third in a row that is not half the one before, is
// replaced: first by a trial at near (the equations here are steepest there), then by sections of the bracket, geometric
// in the distance from near so that roots decades closer to near than far is are reached too.
// Converged: |miss| within its tolerance, or within its noise and no longer falling, or the step within rounding of w.
// At most max_trials evaluations; the last trial is returned even if it missed. The search is given up as soon as the
// root is known to lie closer to near than cut.
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
    for (int i = 1, slow = 0; i < max_trials && abs(now.miss) > now.tolerance; ++i) {
        (now.miss * direction > T(0) ? high : low) = at;
        if (high <= cut || (abs(now.miss) <= now.noise && abs(now.miss) > T(0.25) * before)) break;
        before = abs(now.miss);
        T next = at - now.miss * direction / now.slope;
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
        now = trial(near + direction * (at - now.miss * direction / now.slope));
        ++evaluations;
    }
    return now;
}

}  // namespace bristle::detail
