// Broken rules as sentences. Uses std::string: for set-up and tools, not for a control loop.
#pragma once
#include <bristle/parameters.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace bristle {

// Returns the name of a parameter with its group and index: "negative.Fc", "k[3]", "sigma0".
inline std::string full_name(const Parameter& p) {
    std::string name = p.group;
    if (!name.empty()) name.append(".");
    name.append(p.name);
    if (p.index >= 0) name.append("[").append(std::to_string(p.index)).append("]");
    return name;
}

// "-3 N/m": at most that many significant digits, without trailing zeros; no unit if it is "" or "1".
inline std::string quantity(double value, const char* unit, int digits = 9) {
    char number[40];
    std::snprintf(number, sizeof number, "%.*g", digits, value + 0.0);  // + 0.0: no "-0"
    std::string text = number;
    if (*unit && std::string(unit) != "1") text.append(" ").append(unit);
    return text;
}

// Returns "Fs = 0.8 N: must be >= Fc", or "Fs is not given (nan N): ..." if the value is NaN.
inline std::string sentence(const Problem& problem) {
    const std::string value = quantity(problem.value, problem.parameter.unit);
    std::string text = full_name(problem.parameter);
    if (problem.value != problem.value)
        text.append(" is not given (").append(value).append(")");
    else
        text.append(" = ").append(value);
    return text.append(": ").append(problem.rule);
}

// Returns one sentence for each broken rule of a curve or law; empty if there is none.
template <class Object>
std::vector<std::string> sentences(const Object& object) {
    std::vector<std::string> all;
    problems(object, [&](const Problem& p) { all.push_back(sentence(p)); });
    return all;
}

}  // namespace bristle
