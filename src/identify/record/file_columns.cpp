// Comparison of the columns of several files.
#include "identify/record/file_columns.hpp"

#include <algorithm>

namespace bristle::inline identification::record_detail {

namespace {

constexpr std::size_t listed = 5;  // files with a guessed unit, by quantity

// column: its place, and its description as the rule.
RecordProblem unit_problem(RecordProblem column, const std::string& other, const std::string& unit,
                           Measurand quantity) {
    column.rule += ": names no unit, but " + other + " names " + unit + "; name it in the header, or give --" +
                   name_of(quantity) + ".unit, which applies to all files";
    return column;
}

}  // namespace

void FileColumns::check_units(const TableHead& head, const TablePlan& plan, std::vector<RecordProblem>& problems) {
    for (const ColumnPlan& channel : plan.channels) {
        if (channel.stamps) continue;  // times of day need no unit
        UnitNames& names = names_[std::size_t(channel.quantity)];
        if (channel.guessed_unit) {
            const RecordProblem column{
                head.place,       head.line,         described(head, channel.column), RecordProblemKind::unit,
                channel.quantity, channel.column + 1};
            if (!names.named.empty())
                problems.push_back(unit_problem(column, names.named, names.unit, channel.quantity));
            else if (!names.unnamed)
                names.unnamed = column;
        } else if (names.named.empty()) {
            names.named = head.place;
            names.unit = channel.unit;
            if (names.unnamed)
                problems.push_back(unit_problem(*names.unnamed, names.named, names.unit, channel.quantity));
        }
    }
}

void FileColumns::add(const TableHead& head, const TablePlan& plan) {
    files_.push_back(head.place);
    for (const ColumnPlan& channel : plan.channels) {
        const std::string& name = head.columns[channel.column].name;
        columns_.push_back({{channel.quantity, name.empty() ? std::to_string(channel.column + 1) : name, channel.unit,
                             channel.guessed_column, channel.guessed_unit, map_[channel.quantity].gain},
                            files_.size() - 1,
                            head.line});
    }
}

const std::vector<FileColumns::Partial>& FileColumns::find_partial() {
    for (const MeasurandInfo& info : measurand_table()) {
        std::vector<char> has(files_.size(), 0);
        for (const Column& column : columns_)
            if (column.use.quantity == info.quantity) has[column.file] = 1;
        const auto without = std::find(has.begin(), has.end(), 0);
        const auto files = std::size_t(std::count(has.begin(), has.end(), 0));
        if (files > 0 && files < has.size())
            partial_.push_back({info.quantity, files_[std::size_t(without - has.begin())], files});
    }
    return partial_;
}

bool FileColumns::is_partial(Measurand quantity) const {
    return std::any_of(partial_.begin(), partial_.end(), [&](const Partial& p) { return p.quantity == quantity; });
}

std::vector<ColumnUse> FileColumns::uses() const {
    std::vector<ColumnUse> uses;
    for (const MeasurandInfo& info : measurand_table()) {
        if (is_partial(info.quantity)) continue;
        const auto first = std::find_if(columns_.begin(), columns_.end(),
                                        [&](const Column& c) { return c.use.quantity == info.quantity; });
        if (first != columns_.end()) uses.push_back(first->use);
    }
    return uses;
}

FitFinding FileColumns::finding_of(FindingKind kind, const Column& column, bool with_file) const {
    FitFinding finding{.kind = kind};
    finding.set_channel(column.use.quantity);
    finding.place = with_file ? files_[column.file] + ": " + column.use.column : column.use.column;
    finding.line = column.line;
    finding.unit = column.use.unit;
    return finding;
}

std::vector<FitFinding> FileColumns::findings() const {
    std::vector<FitFinding> findings;
    std::array<std::vector<std::string>, quantities> reported{};  // names of guessed columns
    std::array<std::size_t, quantities> without_unit{};           // files
    for (const Column& column : columns_) {
        if (is_partial(column.use.quantity)) continue;
        const auto q = std::size_t(column.use.quantity);
        auto& names = reported[q];
        if (column.use.guessed_column && std::find(names.begin(), names.end(), column.use.column) == names.end()) {
            if (names.size() < listed)
                findings.push_back(finding_of(FindingKind::column_guessed, column, !names.empty()));
            names.push_back(column.use.column);
        }
        if (column.use.guessed_unit && ++without_unit[q] <= listed)
            findings.push_back(finding_of(FindingKind::unit_guessed, column, files_.size() > 1));
    }
    const auto add_others = [&](FindingKind kind, const MeasurandInfo& info, std::size_t count) {
        if (count <= listed) return;
        FitFinding finding{.kind = kind};
        finding.set_channel(info.quantity);
        finding.count = long(count - listed);
        findings.push_back(std::move(finding));
    };
    for (const MeasurandInfo& info : measurand_table()) {
        add_others(FindingKind::column_guessed, info, reported[std::size_t(info.quantity)].size());
        add_others(FindingKind::unit_guessed, info, without_unit[std::size_t(info.quantity)]);
    }
    for (const Partial& partial : partial_) {
        FitFinding finding{.kind = FindingKind::channel_dropped};
        finding.set_channel(partial.quantity);
        finding.place = partial.place;
        finding.count = long(partial.files);
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace bristle::identification::record_detail
