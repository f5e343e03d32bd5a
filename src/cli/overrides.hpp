// --set key=value, and the runs that several values give.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::cli {

// The overrides of one run.
struct Choice {
    std::vector<experiment::Override> all;
    std::vector<experiment::Override> varied;  // those whose key was given several values
};

inline constexpr std::size_t max_runs = 64;

// One choice for each run: every combination of the values, the last key varies fastest. Commas inside brackets or quotes belong
// to a value. Throws UsageError with all problems.
std::vector<Choice> choices(const std::vector<std::string>& overrides);

// The text without blanks at its ends.
std::string trimmed(const std::string& text);

}  // namespace bristle::cli
