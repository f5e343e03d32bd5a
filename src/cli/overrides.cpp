// Combinations of the values of --set.
#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/overrides.hpp"
#include <algorithm>

namespace bristle::cli {

namespace {

std::vector<std::string> parts(const std::string& values) {
    std::vector<std::string> all(1);
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const char c = values[i];
        if (quote) {
            if (c == '\\' && quote == '"' && i + 1 < values.size())
                all.back() += values[i++];  // the next character is part of the text
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth <= 0) {
            all.emplace_back();
            continue;
        }
        all.back() += values[i];
    }
    return all;
}

struct Setting {
    std::string key;
    std::vector<std::string> values;
};

// The problem of a setting, as the end of a sentence; empty if there is none.
std::string problem_of(const Setting& setting, const std::vector<Setting>& before) {
    if (setting.key.empty() || setting.values.empty()) return "give key=value, as in law.sigma2=0.5";
    if (std::find(setting.values.begin(), setting.values.end(), "") != setting.values.end())
        return setting.values.size() > 1 ? "a value is missing beside a comma" : "a value is missing";
    for (const Setting& other : before)
        if (other.key == setting.key) return "this key is given twice; commas separate several values of one key";
    return "";
}

}  // namespace

std::vector<Choice> choices(const std::vector<std::string>& overrides) {
    std::vector<Setting> settings;
    std::string problems;
    std::size_t runs = 1;
    for (const std::string& text : overrides) {
        const auto equals = text.find('=');
        Setting setting{std::string(trimmed(text.substr(0, equals))), {}};
        if (equals != text.npos)
            for (const std::string& part : parts(text.substr(equals + 1))) setting.values.emplace_back(trimmed(part));
        if (const std::string problem = problem_of(setting, settings); !problem.empty())
            append_item(problems, "--set " + text + ": " + problem, "\n");
        runs = std::min(runs * std::max<std::size_t>(setting.values.size(), 1), max_runs + 1);
        settings.push_back(std::move(setting));
    }
    if (runs > max_runs)
        append_item(problems,
                    "--set: these values make more than " + std::to_string(max_runs) + " runs; give fewer values",
                    "\n");
    if (!problems.empty()) throw UsageError(problems);

    std::vector<Choice> all(1);
    for (const Setting& setting : settings) {
        std::vector<experiment::Override> values;  // each parsed once
        for (const std::string& value : setting.values) values.emplace_back(setting.key, value);
        std::vector<Choice> longer;
        for (const Choice& choice : all)
            for (const experiment::Override& value : values) {
                longer.push_back(choice);
                longer.back().all.push_back(value);
                if (values.size() > 1) longer.back().varied.push_back(value);
            }
        all = std::move(longer);
    }
    return all;
}

}  // namespace bristle::cli
