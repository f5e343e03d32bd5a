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

// Returns "Fs = 0.8 N: must be >= Fc", or "Fs is not given (nan N): ..." if the value is NaN.
inline std::string sentence(const Problem& problem) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", problem.value);
    std::string quantity = number;
    if (std::string(problem.parameter.unit) != "1") quantity.append(" ").append(problem.parameter.unit);
    std::string text = full_name(problem.parameter);
    if (problem.value != problem.value)
        text.append(" is not given (").append(quantity).append(")");
    else
        text.append(" = ").append(quantity);
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
