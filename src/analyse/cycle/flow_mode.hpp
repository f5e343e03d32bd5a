// The discrete mode of a contact: copied to another set-up, and compared to identify the guard that was passed.
#pragma once
#include "simulate/friction.hpp"

namespace bristle::inline analysis::cycle {

// The right-hand side can jump at a change of mode.
template <class Law>
inline constexpr bool jumps = SticksExactly<Law> || RemembersVelocity<Law> || HasElements<Law>;

template <class Friction>
void take_mode(Friction& to, const Friction& from) {
    to.side = from.side;
    if constexpr (requires { to.stuck; }) to.stuck = from.stuck;
    if constexpr (requires { to.slips; }) to.slips = from.slips;
    if constexpr (requires { to.branch; }) {
        to.branch = from.branch;
        to.w_side = from.w_side;
        to.z_side = from.z_side;
        to.follows_force = from.follows_force;
    }
}

// Returns the guard of mode `before` whose zero leads to mode `after`; -1 if the modes are equal.
template <class Friction>
int passed_guard(const Friction& before, const Friction& after) {
    if constexpr (requires { before.branch; }) {
        if (before.stuck) {
            if (after.stuck) return after.z_side != before.z_side ? 2 : -1;
            return after.branch > 0 ? 0 : 1;
        }
        if (after.stuck || after.branch != before.branch) return 2;
        return after.side != before.side ? 0 : after.w_side != before.w_side ? 1 : -1;
    } else if constexpr (requires { before.slips; }) {
        if (after.side != before.side) return 0;
        for (std::size_t i = 0; i < before.slips.size(); ++i) {
            if (before.slips[i] && !after.slips[i]) return 0;
            if (!before.slips[i] && after.slips[i]) return int(i) + 1;
        }
        return -1;
    } else if constexpr (requires { before.stuck; }) {
        if (before.stuck) return after.stuck ? -1 : after.side > 0 ? 0 : 1;
        return after.stuck || after.side != before.side ? 0 : -1;
    } else {
        return after.side != before.side ? 0 : -1;
    }
}

// Applies one change of mode, the one at guard `passed`. Elements that begin to slip together do so one by one.
template <class Friction>
void pass_guard(Friction& before, int passed, const Friction& after) {
    if constexpr (requires { before.slips; }) {
        if (passed > 0) {
            before.slips[std::size_t(passed - 1)] = true;
            return;
        }
    }
    take_mode(before, after);
}

}  // namespace bristle::analysis::cycle
