// Detection of the layout. Each dialect splits a sample of lines (start, middle and end of the file); the one that gives most
// numbers in the fewest other columns is taken. The lines above the first row are then searched for names and units.
#include "identify/record/layout.hpp"
#include "base/text.hpp"
#include "identify/record/names.hpp"
#include "identify/record/text_input.hpp"
#include "identify/record/units.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

namespace bristle::inline identification::record_detail {

namespace {

constexpr std::size_t longest_line = 1 << 18;  // bytes; 1000 columns of numbers need less

struct Sample {
    std::vector<std::string_view> lines;
    double bytes_per_line = 1;
};

// Lines that are not empty and no comments: the first 600 (at most 256 kB), and 200 each of middle and end.
Sample sample_of(std::string_view text) {
    Sample sample;
    std::size_t bytes = 0, count = 0;
    const auto take = [&](std::size_t begin, std::size_t max_lines, std::size_t max_bytes) {
        Lines lines(text, begin);
        std::size_t taken = 0;
        for (std::string_view line; taken < max_lines && lines.offset() < begin + max_bytes && lines.next(line);) {
            ++count;
            bytes += line.size() + 1;
            if (trimmed(line).empty() || is_comment(line)) continue;
            sample.lines.push_back(line);
            ++taken;
        }
        return lines.offset();
    };
    const auto line_begin = [&](std::size_t from) {  // of the line after `from`
        const std::size_t end = text.find_first_of("\r\n", from);
        return end == text.npos ? text.size() : end + 1;
    };
    const std::size_t after = take(0, 600, 1 << 18);
    if (text.size() > 4 * after) {
        take(line_begin(text.size() / 2), 200, 1 << 16);
        take(line_begin(text.size() - text.size() / 16), 200, 1 << 16);
    }
    sample.bytes_per_line = count == 0 ? 1 : double(bytes) / double(count);
    return sample;
}

bool is_number(std::string_view cell, char decimal) {
    double x;
    Stamp stamp;
    return read_number(cell, decimal, x) || read_stamp(cell, stamp);
}

// What a dialect makes of the sample.
struct Trial {
    Dialect dialect{};
    double score = 0;
    std::size_t width = 0;
    std::vector<char> numeric, solid, blank, stamps;  // by column: some numbers, mostly numbers, nothing, times
    std::size_t numeric_count() const { return std::size_t(std::count(numeric.begin(), numeric.end(), 1)); }
};

Trial trial_of(const Sample& sample, Dialect dialect) {
    Trial trial;
    trial.dialect = dialect;
    std::map<std::size_t, std::size_t> numbers;  // by width: cells that are numbers
    std::vector<std::vector<std::string_view>> rows;
    rows.reserve(sample.lines.size());
    bool quotes = false;
    for (const std::string_view line : sample.lines) {
        rows.push_back(cells_of(line, dialect.delimiter));
        const auto& cells = rows.back();
        quotes = quotes || line.find('"') != line.npos;
        numbers[cells.size()] += std::size_t(
            std::count_if(cells.begin(), cells.end(), [&](auto cell) { return is_number(cell, dialect.decimal); }));
    }
    if (dialect.delimiter == ',' && dialect.decimal == ',' && !quotes) return trial;
    for (const auto& [width, count] : numbers)
        if (trial.width == 0 || count > numbers[trial.width]) trial.width = width;
    if (trial.width == 0) return trial;
    std::vector<std::size_t> filled(trial.width), good(trial.width), stamps(trial.width);
    std::size_t total = 0;
    for (const auto& cells : rows) {
        // a row without any number is a header
        if (cells.size() != trial.width ||
            std::none_of(cells.begin(), cells.end(), [&](auto cell) { return is_number(cell, dialect.decimal); }))
            continue;
        ++total;
        for (std::size_t i = 0; i < trial.width; ++i) {
            if (cells[i].empty()) continue;
            double x;
            Stamp stamp;
            const bool number = read_number(cells[i], dialect.decimal, x);
            const bool time = !number && read_stamp(cells[i], stamp);
            filled[i] += 1;
            good[i] += number || time;
            stamps[i] += time;
        }
    }
    std::size_t sum = 0, used = 0;
    for (std::size_t i = 0; i < trial.width; ++i) {
        const bool numeric = good[i] > 0 && 10 * good[i] >= 3 * filled[i] && 10 * good[i] >= total;
        trial.numeric.push_back(numeric);
        trial.solid.push_back(numeric && 10 * good[i] >= 6 * filled[i]);
        trial.blank.push_back(!numeric && 10 * filled[i] <= total);
        trial.stamps.push_back(numeric && 2 * stamps[i] > good[i]);
        sum += numeric ? good[i] : 0;
        used += !trial.blank.back();
    }
    if (used == 0) return trial;
    const double fraction = double(trial.numeric_count()) / double(used);
    trial.score = double(sum) * fraction * fraction * (trial.numeric_count() < 2 ? 0.01 : 1);
    return trial;
}

Trial best_trial(const Sample& sample) {
    Trial best;
    for (const char delimiter : {';', '\t', '|', ',', ' '})
        for (const char decimal : {'.', ','}) {
            Trial trial = trial_of(sample, {delimiter, decimal});
            if (trial.score > best.score * (1 + 1e-9)) best = std::move(trial);
        }
    return best;
}

// A line above the first row.
struct Above {
    std::string_view line;
    std::size_t offset;
    long number;  // from 1
};

class HeadSearch {
  public:
    HeadSearch(std::string_view text, const Trial& trial, TextLayout& layout)
        : text_(text), trial_(trial), layout_(layout) {}

    void find() {
        find_first_row();
        step_back_over_broken_rows();
        find_names();
    }

  private:
    std::vector<std::string_view> cells(std::string_view line) const {
        return cells_of(line, trial_.dialect.delimiter);
    }
    std::size_t numbers(const std::vector<std::string_view>& cells) const {
        return std::size_t(std::count_if(cells.begin(), cells.end(),
                                         [&](auto cell) { return is_number(cell, trial_.dialect.decimal); }));
    }
    bool is_row(std::string_view line) const {
        const auto c = cells(line);
        if (c.size() != trial_.width) return false;
        std::size_t filled = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            if (!trial_.numeric[i] || c[i].empty()) continue;
            const bool number = is_number(c[i], trial_.dialect.decimal);
            if (trial_.solid[i] && !number) return false;
            filled += number;
        }
        return 2 * filled >= trial_.numeric_count();
    }

    // The first row that another row follows within two lines, or the only one.
    void find_first_row() {
        Lines lines(text_);
        std::string_view line;
        std::size_t pending_above = 0;  // size of above_ at the last row that none has followed yet
        int since = -1;                 // lines since that row
        Above pending{};
        for (std::size_t offset = 0; lines.next(line); offset = lines.offset()) {
            if (trimmed(line).empty()) continue;
            const bool row = !is_comment(line) && is_row(line);
            if (row && since >= 0) break;
            if (row) {
                pending = {line, offset, lines.number()};
                pending_above = above_.size();
                since = 0;
            } else if (since >= 0 && !is_comment(line) && ++since > 2) {
                since = -1;
            }
            above_.push_back({line, offset, lines.number()});
            while (above_.size() > kept_) {
                above_.pop_front();
                if (pending_above > 0) --pending_above;
            }
        }
        if (since < 0) {  // no two rows near each other: all lines are rows, most of them bad
            above_.clear();
            pending = {{}, 0, 1};
        } else {
            above_.resize(pending_above);
        }
        first_ = pending;
    }

    // Rows with a cell that is no number directly above the first good row belong to the table.
    void step_back_over_broken_rows() {
        while (!above_.empty()) {
            const Above& last = above_.back();
            if (is_comment(last.line)) break;
            const auto c = cells(last.line);
            const std::size_t n = numbers(c);
            if (n == 0 || 2 * n < trial_.numeric_count() || c.size() < 2 || c.size() > trial_.width + 3) break;
            const auto first = std::find(trial_.numeric.begin(), trial_.numeric.end(), 1) - trial_.numeric.begin();
            if (std::size_t(first) >= c.size() || !is_number(c[std::size_t(first)], trial_.dialect.decimal)) break;
            first_ = last;
            above_.pop_back();
        }
        layout_.offset = first_.offset;
        layout_.line = first_.number - 1;
    }

    static bool is_rule(std::string_view line) { return line.find_first_not_of("-=+|_ \t\r,;:") == line.npos; }

    static std::string_view without_marker(std::string_view line) {
        line = trimmed(line);
        if (!is_comment(line)) return line;
        line.remove_prefix(line.starts_with("//") ? 2 : 1);
        while (line.starts_with('#') || line.starts_with('%')) line.remove_prefix(1);
        return line;
    }

    // Cells of a line with names. In a table with blanks, "Time [s]" is one name.
    std::vector<std::string> names_in(std::string_view line) const {
        std::vector<std::string> names;
        const std::string_view plain = is_comment(line) ? without_marker(line) : line;
        for (const std::string_view cell : cells(plain)) {
            const bool unit = trial_.dialect.delimiter == ' ' && !names.empty() && !cell.empty() &&
                              (cell.front() == '[' || cell.front() == '(') && names.size() >= 1;
            if (unit && !names.back().ends_with(']') && !names.back().ends_with(')'))
                names.back().append(" ").append(cell);
            else
                names.emplace_back(cell);
        }
        // a comment sign in a column of its own, or a delimiter at the end of each row
        while (names.size() > trial_.width && trimmed(names.back()).empty()) names.pop_back();
        while (names.size() < trial_.width && !names.empty() && trial_.blank[names.size()]) names.emplace_back();
        // "2020-07-08 12:00:00" between blanks is two columns with one name
        if (trial_.dialect.delimiter == ' ' && names.size() + 1 == trial_.width)
            if (const auto date = date_column()) names.insert(names.begin() + std::ptrdiff_t(*date), "date");
        return names;
    }
    // A column with dates whose right neighbour has times of day.
    std::optional<std::size_t> date_column() const {
        const auto c = cells(first_.line);
        Stamp a, b;
        for (std::size_t i = 0; i + 1 < c.size(); ++i)
            if (read_stamp(c[i], a) && !a.has_time && read_stamp(c[i + 1], b) && !b.has_date) return i;
        return {};
    }

    static std::string_view without_brackets(std::string_view cell) {
        cell = trimmed(cell);
        if (cell.size() > 2 &&
            ((cell.front() == '[' && cell.back() == ']') || (cell.front() == '(' && cell.back() == ')')))
            cell = trimmed(cell.substr(1, cell.size() - 2));
        return cell;
    }
    // Units of a row that has nothing but units; empty if it is another row.
    std::vector<std::string> units_in(std::string_view line) const {
        for (const std::string_view text : {line, without_marker(line)}) {
            std::vector<std::string> units;
            bool all = true, any = false;
            for (const std::string_view raw : cells(text)) {
                const std::string_view cell = without_brackets(raw);
                const bool none = cell.empty() || cell == "-";
                all = all && (none || find_unit(cell));
                any = any || (!none && find_unit(cell));
                units.emplace_back(none ? std::string_view() : cell);
            }
            while (units.size() < trial_.width) units.emplace_back();
            if (all && any && units.size() <= trial_.width + 1) return units;
        }
        return {};
    }

    // Lines between the names and the first good row are rows with a fault.
    void begin_after(long head) {
        for (const Above& above : above_) {
            if (above.number <= head || is_rule(above.line) || is_comment(above.line)) continue;
            layout_.offset = above.offset;
            layout_.line = above.number - 1;
            return;
        }
    }

    void find_names() {
        std::vector<std::string> units, names;
        long line = 0;
        std::size_t best = 0;
        for (std::size_t i = 0; i < above_.size() && i < 10; ++i) {
            const Above& above = above_[above_.size() - 1 - i];
            if (is_rule(above.line)) continue;
            auto here = units.empty() && names.empty() ? units_in(above.line) : std::vector<std::string>();
            if (!here.empty()) {
                units = std::move(here);
                unit_line_ = above.number;
                continue;
            }
            auto found = names_in(above.line);
            if (found.size() != trial_.width) {
                if (line == 0 && layout_.head.note.empty() && found.size() > 1 && !is_comment(above.line))
                    layout_.head.note = "line " + std::to_string(above.number) + " has " +
                                        std::to_string(found.size()) + " names for " + std::to_string(trial_.width) +
                                        " columns";
                continue;
            }
            std::size_t digits = 0, known = 1, filled = 0;
            for (const std::string& name : found) {
                filled += !trimmed(name).empty();
                digits += is_number(name, trial_.dialect.decimal);
                known += is_known_name(column_head(name));
            }
            if (2 * digits >= found.size() || 2 * filled < trial_.numeric_count()) continue;
            if (known > best && (names.empty() || is_comment(above.line))) {
                best = known;
                names = std::move(found);
                line = above.number;
                begin_after(std::max(line, unit_line_));
            }
            if (!is_comment(above.line)) break;
        }
        if (names.empty() && !units.empty()) {  // "ms;rpm;%" is all there is
            names = units;
            line = unit_line_;
        }
        if (!names.empty()) layout_.head.note.clear();
        layout_.head.line = line;
        for (std::size_t i = 0; i < trial_.width; ++i) {
            ColumnHead column = i < names.size() ? column_head(names[i]) : ColumnHead{};
            if (i < units.size() && !units[i].empty()) {
                column.unit = plain_text(units[i]);
                column.weak_unit = false;
            }
            column.numeric = trial_.numeric[i];
            column.stamps = trial_.stamps[i];
            layout_.head.columns.push_back(std::move(column));
        }
    }

    static constexpr std::size_t kept_ = 16;  // lines above the first row
    std::string_view text_;
    const Trial& trial_;
    TextLayout& layout_;
    std::deque<Above> above_;
    Above first_{};
    long unit_line_ = 0;
};

}  // namespace

TextLayout find_layout(std::string_view text, const std::string& place) {
    const Sample sample = sample_of(text);
    for (const std::string_view line : sample.lines)
        if (line.size() > longest_line)
            throw RecordError({{place, 0,
                                "has a line of " + std::to_string(line.size()) +
                                    " bytes; a row of a table has at most " + std::to_string(longest_line),
                                RecordProblemKind::no_table}});
    const Trial trial = best_trial(sample);
    if (trial.width > max_columns)
        throw RecordError({{place, 0,
                            "has " + std::to_string(trial.width) + " columns; at most " + std::to_string(max_columns) +
                                " are read; export only the columns that are needed",
                            RecordProblemKind::no_table}});
    if (trial.numeric_count() == 0)
        throw RecordError(
            {{place, 0, "has no table of numbers (columns separated by comma, semicolon, tab, blanks or |)",
              RecordProblemKind::no_table}});
    if (trial.numeric_count() == 1)
        throw RecordError({{place, 0,
                            "has one column of numbers only; a record needs a motion and a force"
                            " (columns separated by comma, semicolon, tab, blanks or |)",
                            RecordProblemKind::no_table}});
    TextLayout layout;
    layout.dialect = trial.dialect;
    layout.bytes_per_line = sample.bytes_per_line;
    layout.is_blank = trial.blank;
    layout.head.place = place;
    HeadSearch(text, trial, layout).find();
    return layout;
}

}  // namespace bristle::identification::record_detail
