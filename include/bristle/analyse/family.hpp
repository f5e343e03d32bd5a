// Families: a Setup as a function of one parameter or of two. Continuation and maps evaluate a family at many values.
//
//   const Family by_speed = family_of(setup, "rig.velocity");
//   const Family by_hand = [](double k) { return Setup{.law = law, .rig = PulledSpring{1, k, 0.1}}; };
// A family throws Error for a value that breaks a rule. It is called from several threads.
#pragma once
#include <bristle/simulate/setup.hpp>

#include <functional>
#include <string_view>

namespace bristle::inline analysis {

// Interval of a parameter, in its unit.
struct Window {
    double from, to;
};

using Family = std::function<Setup(double)>;
using Family2 = std::function<Setup(double, double)>;

// Returns the set-up as a function of the number at a key of <bristle/simulate/keyed.hpp>: "rig.velocity", "law.sigma2",
// "law.negative.Fc", "load". Throws Error if the set-up has no such number.
Family family_of(const Setup& setup, std::string_view key);
Family2 family_of(const Setup& setup, std::string_view first, std::string_view second);

// How the continuation of a curve ended.
enum class BranchEnd {
    window,          // on the edge of the window
    closed,          // back at the start: the curve is closed
    nothing_beyond,  // the set-up breaks a rule beyond, or has no such solution
    no_convergence,  // Newton's method fails at the smallest step
    max_points,      // limit on the number of points
    cancelled        // by progress
};
const char* name_of(BranchEnd end);  // "window" ...

}  // namespace bristle::analysis
