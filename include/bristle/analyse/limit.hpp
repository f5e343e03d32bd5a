// Limit of stick-slip or hunting along one number of a set-up, from any start value and several starts of the motion.
//
//   const Limit gain = limit(servo, "rig.Ki");   // gain.without: largest gain found without hunting, gain.with: hunting
//
// The search evaluates values at factors of 2 from the value of the set-up: upward first if the set-up has no cycle there, otherwise
// downward first. It takes the first change in the first direction that has one. At each value it follows the motions from the nine starts of
// limit_cycle. The cycle is then followed to its fold between the two values; if it cannot be followed, its motion is continued in small steps
// (cycle_extinction). Both neighbours are simulated in the end.
// A direction ends after two values in a row that do not decide: motions that are too slow there are slower still beyond.
// Limits: a cycle that none of these motions reaches is not found, nor is a change and its reverse within a factor of 2.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <optional>
#include <string>

namespace bristle::inline analysis {

enum class LimitOutcome {
    found,
    cycle_nowhere,     // the motions settle at every evaluated value
    cycle_everywhere,  // a cycle, or a motion that grows, at every evaluated value
    no_valid_start,    // the family does not accept the start value
    undecided          // motions do not decide at the limit, or at a value without which none is found
};
const char* name_of(LimitOutcome outcome);  // "found" ...

struct Limit {
    LimitOutcome outcome = LimitOutcome::undecided;
    // If found, in the unit of the number:
    double value = 0;  // where the cycle disappears
    // Closest evaluated value at which the motions from all starts settle: 0.1 to 5 % beyond the limit, or up to a factor of 2 if motions nearer to it
    // take too long to settle.
    double without = 0;
    double with = 0;       // neighbour with a stable cycle, or with a motion that grows
    bool grows = false;    // at `with` the speed grows without bound: the loop is unstable while sliding
    double period = 0;     // of the cycle at `with` [s]; 0 if the motion grows
    double amplitude = 0;  // of the cycle at `with`: half the peak-to-peak of the position [m]; 0 if the motion grows
    std::string controller = {};  // of a machine: the one with this amplitude, that of its sensor [m] or [rad]
    int starts = 0;               // number of starts from which the motions at a value are followed
    // Smallest and largest value that was evaluated.
    double lowest = 0, highest = 0;
    // Undecided: the smallest and the largest value at which a motion persists (a cycle, or one that grows), and at which all motions settle.
    std::optional<Window> persists = {}, settles = {};
};

// Returns the window of a search without one: four decades on both sides of the start. Throws Error if that is 0.
Window limit_window(double start);

// Returns the limit in the window. start and window have the same sign and are not zero. The search also ends at the last value that the
// family accepts. Throws Error for Method::hybrid and for a rig without autonomous motion; Cancelled.
Limit limit(const Family& family, double start, Window window, const CycleOptions& options = {},
            const Progress& progress = {});
// The same in a number of the set-up, from its present value p. Without a window: limit_window(p).
Limit limit(const Setup& setup, std::string_view parameter, const CycleOptions& options = {},
            const Progress& progress = {});
Limit limit(const Setup& setup, std::string_view parameter, double from, double to, const CycleOptions& options = {},
            const Progress& progress = {});

}  // namespace bristle::analysis
