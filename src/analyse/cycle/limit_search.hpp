// Search of a limit at factors of 2, and what its evaluated values say; for rigs and machines.
#pragma once
#include <bristle/analyse/limit.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "numerics/bisect.hpp"

namespace bristle::inline analysis {

enum class Motions { settle, hunt, grow, undecided };
inline bool persists(Motions motions) { return motions == Motions::hunt || motions == Motions::grow; }

using MotionsByValue = std::map<double, Motions>;  // of the values that were evaluated
inline bool any_undecided(const MotionsByValue& known) {
    return std::any_of(known.begin(), known.end(), [](const auto& one) { return one.second == Motions::undecided; });
}
// Returns the smallest and the largest value whose motions persist, or settle.
inline std::optional<Window> window_of(const MotionsByValue& known, bool persisting) {
    std::optional<Window> out;
    for (const auto& [p, here] : known)
        if (persisting ? persists(here) : here == Motions::settle) out = Window{out ? out->from : p, p};
    return out;
}
// Returns the limit with its outcome and with the evaluated values, which must not be empty.
inline Limit closed(Limit limit, LimitOutcome outcome, const MotionsByValue& known) {
    limit.outcome = outcome;
    limit.lowest = known.begin()->first;
    limit.highest = known.rbegin()->first;
    if (outcome == LimitOutcome::undecided) {
        limit.persists = window_of(known, true);
        limit.settles = window_of(known, false);
    }
    return limit;
}

struct Neighbours {
    double without, with;
};

// Returns the first pair of evaluated values between which the motions change, from start on by factors of 2 up to `end`, or to the last
// value that the family accepts.
template <class Evaluations>
std::optional<Neighbours> change_between(Evaluations& motions, double start, double end) {
    const double factor = std::abs(end) > std::abs(start) ? 2 : 0.5;
    std::optional<double> settled, persisting;  // the last value of each kind
    double before = start;
    int undecided = 0;  // values in a row
    for (double p = start;; before = p, p *= factor) {
        bool last = factor > 1 ? std::abs(p) >= std::abs(end) : std::abs(p) <= std::abs(end);
        if (last) p = end;
        if (!motions.is_valid(p)) {
            p = numerics::bisect(before, p, 30, [&](double q) { return motions.is_valid(q); }).holds;
            last = true;
        }
        const Motions here = motions(p);
        if (here == Motions::settle) settled = p;
        if (persists(here)) persisting = p;
        if (settled && persisting) return Neighbours{*settled, *persisting};
        undecided = here == Motions::undecided ? undecided + 1 : 0;
        if (last || undecided == 2) return {};
    }
}

}  // namespace bristle::analysis
