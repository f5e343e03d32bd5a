// Rules of a set-up. simulate() and the analyses check them before they compute.
#pragma once
#include <bristle/simulate/setup.hpp>

#include <string>
#include <vector>

namespace bristle::inline simulation {

// The numbers of Run with unit and range; the reader of experiment files uses the same rows.
namespace run_table {
inline constexpr Parameter duration{
    "duration", "s", "length of the run", {1e-12, 1e9, true, "must be >= 1e-12 s and < 1e9 s"}};
inline constexpr Parameter rtol{"rtol", "1", "relative tolerance", {1e-13, 1, true, "must be >= 1e-13 and < 1"}};
inline constexpr Parameter atol{"atol",
                                "1",
                                "absolute tolerance, as a factor on the nominal size of each state",
                                {1e-20, 1, true, "must be >= 1e-20 and < 1"}};
inline constexpr Parameter step{"step", "s", "fixed step of coupled and explicit", bound::positive};
inline constexpr const char* step_rule = "must be <= run.duration";
inline constexpr Parameter samples{"samples",
                                   "1",
                                   "rows of the output, evenly spaced from 0 to duration",
                                   {2, 1000001, true, "must be a whole number from 2 to 1000000"}};
inline constexpr Parameter stick_speed{"stick_speed", "m/s", "speed below which the contact counts as stuck",
                                       bound::positive};
}  // namespace run_table

// Returns the rule that point i of steps, ramps or moves breaks; nullptr if there is none.
const char* broken_rule(const Input& input, std::size_t i);
const char* broken_rule(const MoveLimits& limits);
// Returns the rule that products of the numbers of a rig break, each of them within its range; nullptr if there is none.
const char* broken_rule(const Rig& rig);

// Every broken rule as a sentence, "law.sigma0 = -3 N/m: must be a finite number > 0"; empty: the set-up can be simulated.
std::vector<std::string> problems(const Setup& setup);

// Throws Error with all problems, one per line.
void check(const Setup& setup);

}  // namespace bristle::simulation
