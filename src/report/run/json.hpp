// What JSON reports of more than one kind share. Heavy: include it where JSON is made, nowhere else.
#pragma once
#include "report/run/outcome.hpp"
#include <nlohmann/json.hpp>

namespace bristle::report {

using Json = nlohmann::ordered_json;

// {"law.sigma2": 0.5}
Json json_of(const std::vector<experiment::Override>& overrides);

// [{text, source, measure, measured, expected, unit, holds}]
Json claims_of(const Outcome& outcome);

// One line. Infinity and NaN become null, bytes that are no UTF-8 become U+FFFD: what is printed is always JSON.
std::string text_of(const Json& json);

}  // namespace bristle::report
