// --set key=value: what it says, and the runs that several values make.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::cli {

// The overrides of one run.
struct Choice {
    std::vector<experiment::Override> all;
    std::vector<experiment::Override> varied;  // those whose key was given several values
};

inline constexpr std::size_t max_runs = 64;

// One choice for each run: every combination of the values given, the last key running fastest. Commas inside brackets or
// quotes belong to a value. Throws UsageError with all that is wrong.
std::vector<Choice> choices(const std::vector<std::string>& overrides);

}  // namespace bristle::cli
