// Messages of `bristle fit`: columns of the record, problems of several files.
#include "cli/fit_problems.hpp"

#include "base/text.hpp"
#include "cli/locate.hpp"

#include <algorithm>
#include <set>

namespace bristle::cli {

namespace fs = std::filesystem;

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
    throw Error((files.empty() ? "" : plain_text(files.front().string()) + ": ") + "no column is known as " + name +
                "; columns in use: " + columns + hint + "; give one: --" + name + " COLUMN (name or number)");
}

std::string joined_problems(const std::vector<RecordProblem>& problems) {
    struct Group {
        const RecordProblem* first;
        std::size_t lines;            // further lines of its file
        std::set<std::string> files;  // other files
    };
    std::vector<Group> groups;
    for (const RecordProblem& one : problems) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return !one.file.empty() && !group.first->file.empty() && group.first->rule == one.rule;
        });
        if (same == groups.end())
            groups.push_back({&one, 0, {}});
        else if (same->first->file == one.file)
            ++same->lines;
        else
            same->files.insert(one.file);
    }
    std::string out;
    for (const Group& group : groups) {
        std::string others;
        if (group.lines > 0) append_item(others, counted(group.lines, "more line", "more lines"));
        if (!group.files.empty()) append_item(others, counted(group.files.size(), "more file", "more files"), " and ");
        append_item(
            out, group.first->sentence() + (others.empty() ? "" : " (and " + others + " with the same problem)"), "\n");
    }
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
