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
    std::string place;  // of the first
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

// The file of a place: a run that was cut has the name "FILE part 2".
std::string file_of(const std::string& place) {
    const std::size_t at = place.rfind(" part ");
    const bool is_part =
        at != place.npos && at + 6 < place.size() && place.find_first_not_of("0123456789", at + 6) == place.npos;
    return is_part ? place.substr(0, at) : place;
}

void join(Group& group, const FitFinding& finding) {
    const long rows = group.shown.count + finding.count;
    const bool larger = std::abs(finding.value) > std::abs(group.shown.value);
    if (has_largest(finding.kind) && larger) group.shown = finding;
    group.shown.count = rows;
    ++group.count;
    if (!finding.place.empty()) group.files.insert(file_of(finding.place));
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
        Group group{finding, plain_text(finding.place), finding.line, 1, {}};
        if (!finding.place.empty()) group.files.insert(file_of(finding.place));
        out.push_back(std::move(group));
    }
    return out;
}

// The file of a place without its folder, if that is unique in the record.
std::string short_name(const std::string& place, const std::vector<std::string>& files) {
    const std::string name = std::filesystem::path(place).filename().string();
    const auto same = std::count_if(files.begin(), files.end(), [&](const std::string& file) {
        return std::filesystem::path(file).filename() == std::filesystem::path(file_of(name));
    });
    return plain_text(same == 1 ? name : place);
}

// " In 14 of 15 files, the first: axis.csv line 12. The largest value is given."; empty for a record of one file.
std::string in_files(const Group& group, const std::vector<std::string>& files, const std::string& sentence) {
    if (!is_of_file(group.shown.kind)) return "";
    std::string out;
    if (files.size() > 1 && !group.files.empty()) {
        out = " In " + std::to_string(group.files.size()) + " of " + std::to_string(files.size()) + " files";
        const bool named = sentence.find(group.place) != sentence.npos;
        if (!named)
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
    for (const Group& group : grouped(report.result.findings)) {
        const std::string sentence = sentence_of(group.shown, report.units());
        out.push_back(sentence + in_files(group, report.record.files, sentence));
    }
    return out;
}

}  // namespace bristle::report
