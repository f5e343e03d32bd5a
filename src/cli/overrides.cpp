// Combinations of the values of --set.
#include "cli/arguments.hpp"
#include "cli/overrides.hpp"
#include <algorithm>

namespace bristle::cli {

std::string trimmed(const std::string& text) {
    constexpr const char* blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

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
        Setting setting{trimmed(text.substr(0, equals)), {}};
        if (equals != text.npos)
            for (const std::string& part : parts(text.substr(equals + 1))) setting.values.push_back(trimmed(part));
        if (const std::string problem = problem_of(setting, settings); !problem.empty())
            problems += (problems.empty() ? "--set " : "\n--set ") + text + ": " + problem;
        runs = std::min(runs * std::max<std::size_t>(setting.values.size(), 1), max_runs + 1);
        settings.push_back(std::move(setting));
    }
    if (runs > max_runs)
        problems += (problems.empty() ? "" : "\n") + std::string("--set: these values make more than ") +
                    std::to_string(max_runs) + " runs; give fewer values";
    if (!problems.empty()) throw UsageError(problems);

    std::vector<Choice> all(1);
    for (const Setting& setting : settings) {
        std::vector<Choice> longer;
        for (const Choice& choice : all)
            for (const std::string& value : setting.values) {
                longer.push_back(choice);
                longer.back().all.push_back({setting.key, value});
                if (setting.values.size() > 1) longer.back().varied.push_back({setting.key, value});
            }
        all = std::move(longer);
    }
    return all;
}

}  // namespace bristle::cli
