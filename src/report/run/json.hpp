// JSON of runs, and parts that other JSON reports share. Except for signals, JSON is an object until the
// program writes it. Slow to compile.
#pragma once
#include "report/run/outcome.hpp"
#include <nlohmann/json.hpp>

namespace bristle::report {

using Json = nlohmann::ordered_json;

Json number_or_null(std::optional<double> x);  // null also for infinity and NaN

// {"law.sigma2": 0.5}
Json json_of(const std::vector<experiment::Override>& overrides);

// Text of one run: {experiment, final, signals, events, measures, energy, statistics, claims}; of several: {"runs": [...]}. One line
// for each member, and for each signal. Signals are written without a copy of their values.
std::string run_text(const std::vector<Outcome>& outcomes);

// [{text, source, measure, measured, expected, unit, holds}]
Json claims_of(const Outcome& outcome);

// One line of valid JSON: infinity and NaN become null, bytes that are not UTF-8 become U+FFFD.
std::string text_of(const Json& json);
// One line for each member or item, and for each item of the members named in `spread`.
std::string lines_of(const Json& json, std::initializer_list<std::string_view> spread = {});

}  // namespace bristle::report
