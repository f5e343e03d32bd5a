// Messages of `bristle fit`: columns of the record, problems of several files.
#include "cli/fit_problems.hpp"

#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/locate.hpp"

#include <algorithm>
#include <sstream>

namespace bristle::cli {

namespace fs = std::filesystem;

namespace {

// A line of a message without the file that it begins with, and without the number of a line there; std::nullopt if it begins with none.
std::optional<std::string> rule_of(const std::string& line, const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        const std::string name = plain_text(file.string());
        if (!line.starts_with(name + ":")) continue;
        std::size_t at = name.size() + 1;
        const std::size_t digits = line.find_first_not_of("0123456789", at);
        if (digits != line.npos && digits > at && line[digits] == ':') at = digits + 1;
        return line.substr(at);
    }
    return {};
}

}  // namespace

void check_measured_channel(const Record& record, const FitModel& model, const std::vector<fs::path>& files) {
    const bool of_voltage = model.measured == Measured::voltage;
    const Measurand wanted = of_voltage ? Measurand::voltage : Measurand::force;
    if (record.runs.empty() || !record.runs.front().channel(wanted).empty()) return;
    std::string columns, hint;
    for (const ColumnUse& use : record.columns) {
        const std::string column = plain_text(use.column);
        append_item(columns, std::string(identification::name_of(use.quantity)) + " '" + column + "'");
        if (of_voltage || (use.quantity != Measurand::current && use.quantity != Measurand::voltage)) continue;
        const char* unit = use.quantity == Measurand::current ? "A" : "V";
        hint += "; the " + std::string(identification::name_of(use.quantity)) + " can be used as the force: --force '" +
                column + "' --force.gain NUMBER --force.unit " + (record.rotary ? "'N m' (N m per " : "N (N per ") +
                unit + ")";
        if (use.quantity == Measurand::voltage) hint += ", or as it is: --measured voltage --gain NUMBER";
    }
    const std::string name = identification::name_of(wanted);
    throw UsageError("fit: " + (files.empty() ? "" : plain_text(files.front().string()) + ": ") +
                     "no column is known as " + name + "; columns in use: " + columns + hint + "; give one: --" + name +
                     " COLUMN (name or number)");
}

std::string joined_problems(const std::string& message, const std::vector<fs::path>& files) {
    struct Problem {
        std::string line;
        std::optional<std::string> rule;
        std::size_t others = 0;
    };
    std::vector<Problem> all;
    std::istringstream in(message);
    for (std::string line; std::getline(in, line);) {
        const auto rule = rule_of(line, files);
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const Problem& one) { return rule && one.rule == rule; });
        if (same == all.end())
            all.push_back({line, rule});
        else
            ++same->others;
    }
    std::string out;
    for (const Problem& one : all)
        append_item(out,
                    one.line + (one.others == 0 ? ""
                                                : " (and " + counted(one.others, "more file", "more files") +
                                                      " with the same problem)"),
                    "\n");
    return out;
}

std::string name_of_output(const std::vector<fs::path>& files) {
    const fs::path& first = files.front();
    if (files.size() == 1) return safe_stem(first.stem().string());
    std::error_code problem;
    fs::path folder = fs::absolute(first.has_parent_path() ? first.parent_path() : fs::path("."), problem);
    folder = folder.lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // of a path that ends with a slash
    const std::string name = folder.filename().string();
    return safe_stem(problem || name.empty() ? first.stem().string() : name);
}

}  // namespace bristle::cli
