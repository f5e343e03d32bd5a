// Findings of a report as sentences: those of one kind in several files are joined.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::report {

namespace {

using Kind = FindingKind;

// Findings of one kind and subject. `shown` is the first of them, or the one with the largest value.
struct Group {
    FitFinding shown;
    RunName place;  // of the first
    long line = 0;
    std::size_t count = 0;
    std::set<std::string> files;
};

// Findings on files. Others belong to the axis or the law.
bool is_of_file(Kind kind) { return kind >= Kind::row_rejected && kind <= Kind::velocity_lags; }

// The sentence gives a value of which the largest is of interest. Other sentences on rows give the first line and the number of rows.
bool has_largest(Kind kind) {
    return kind == Kind::time_gap || kind == Kind::jitter || kind == Kind::coarse_position ||
           kind == Kind::unit_suspect || kind == Kind::velocity_lags;
}

void join(Group& group, const FitFinding& finding) {
    const long rows = group.shown.count + finding.count;
    const bool larger = std::abs(finding.value) > std::abs(group.shown.value);
    if (has_largest(finding.kind) && larger) group.shown = finding;
    group.shown.count = rows;
    ++group.count;
    if (!finding.place.empty()) group.files.insert(finding.place);
}

std::vector<Group> grouped(const std::vector<FitFinding>& findings) {
    std::vector<Group> out;
    for (const FitFinding& finding : findings) {
        if (finding.kind == Kind::column_guessed || finding.kind == Kind::unit_guessed) continue;
        const auto same = std::find_if(out.begin(), out.end(), [&](const Group& group) {
            const std::string &a = group.shown.subject, &b = finding.subject;
            // the finding that counts the other rows of a file has no subject
            return is_of_file(finding.kind) && group.shown.kind == finding.kind && (a == b || a.empty() || b.empty());
        });
        if (same != out.end()) {
            join(*same, finding);
            continue;
        }
        Group group{finding, {finding.place, finding.part}, finding.line, 1, {}};
        if (!finding.place.empty()) group.files.insert(finding.place);
        out.push_back(std::move(group));
    }
    return out;
}

// The name of a run without the folder of its file, if that is unique in the record.
std::string short_name(const RunName& run, const std::vector<std::string>& files) {
    const std::string name = std::filesystem::path(run.file).filename().string();
    const auto same = std::count_if(files.begin(), files.end(), [&](const std::string& file) {
        return std::filesystem::path(file).filename() == std::filesystem::path(name);
    });
    return plain_text((same == 1 ? RunName{name, run.part} : run).text());
}

// " In 14 of 15 files, the first: axis.csv line 12. The largest value is given."; empty for a record of one file.
std::string in_files(const Group& group, const std::vector<std::string>& files) {
    if (!is_of_file(group.shown.kind)) return "";
    std::string out;
    if (files.size() > 1 && !group.files.empty()) {
        out = " In " + std::to_string(group.files.size()) + " of " + std::to_string(files.size()) + " files";
        const bool is_named =
            group.place.file.empty() || (states_place(group.shown.kind) && group.shown.place == group.place.file);
        if (!is_named)
            out += (group.files.size() > 1 ? ", the first: " : ": ") + short_name(group.place, files) +
                   (group.line > 0 ? " line " + std::to_string(group.line) : "");
        out += ".";
    }
    if (group.count > 1 && has_largest(group.shown.kind))
        out += " The largest of " + std::to_string(group.count) + " values is given.";
    return out;
}

}  // namespace

std::vector<std::string> finding_sentences(const FitReport& report) {
    std::vector<std::string> out;
    for (const Group& group : grouped(report.result.findings))
        out.push_back(sentence_of(group.shown, report.units()) + in_files(group, report.record.files));
    return out;
}

}  // namespace bristle::report
