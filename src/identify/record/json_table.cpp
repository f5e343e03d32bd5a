// JSON tables: a list of objects, or a list of lists of numbers. Read as a stream of events, twice: first the lists and their
// columns, then the wanted columns. Memory grows with the wanted numbers only.
#include "base/text.hpp"
#include "identify/record/cells.hpp"
#include "identify/record/table.hpp"

#include <bristle/identify/record.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace bristle::inline identification::record_detail {

namespace {

using json = nlohmann::json;

// One list that can be a table.
struct Candidate {
    std::string path;                // "entries", "run.entries"; "" for the whole file
    std::vector<std::string> names;  // of objects
    std::vector<std::size_t> filled, good,
        stamps;  // by column: values, numbers among them, times of day and dates among them
    std::size_t rows = 0;
    bool objects = false;
    bool is_numeric(std::size_t i) const { return 2 * good[i] > filled[i]; }
    bool has_stamps(std::size_t i) const { return 2 * stamps[i] > filled[i]; }
};

// A value in a row: a number, a text, or neither.
struct JsonCell {
    std::optional<double> number{};
    std::string_view text{};
};

// Receives the values of JSON text and reports those of tables: row begins, cell, row ends. A table is a list whose first item is an
// object or a list; lists inside its rows are cells that are not numbers.
template <class Receiver>
class TableEvents : public nlohmann::json_sax<json> {
  public:
    explicit TableEvents(Receiver& receiver) : receiver_(receiver) {}

    bool null() override { return value({}); }
    bool boolean(bool x) override { return value({.number = x ? 1.0 : 0.0}); }
    bool number_integer(number_integer_t x) override { return value({.number = double(x)}); }
    bool number_unsigned(number_unsigned_t x) override { return value({.number = double(x)}); }
    bool number_float(number_float_t x, const string_t&) override { return value({.number = x}); }
    bool string(string_t& text) override { return value({.text = text}); }
    bool binary(binary_t&) override { return value({}); }

    bool start_object(std::size_t) override { return start(true); }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override { return start(false); }
    bool end_array() override { return end(); }
    bool key(string_t& name) override {
        if (table_depth_ == 0)
            key_ = name.substr(0, 100);
        else if (depth_ == table_depth_ + 1)
            receiver_.key(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_position = position;
        return false;
    }

    std::optional<std::size_t> error_position{};

  private:
    bool start(bool object) {
        ++depth_;
        if (table_depth_ == 0) {
            const bool first_item = !open_.empty() && open_.back().list && open_.back().items == 0;
            if (first_item) {
                table_depth_ = depth_ - 1;
                receiver_.begin_table(path(), object);
            } else {
                if (!open_.empty()) ++open_.back().items;
                open_.push_back({!object, 0, open_.empty() || open_.back().list ? std::string() : key_});
                return true;
            }
        }
        if (depth_ == table_depth_ + 1)
            receiver_.begin_row(object);
        else if (depth_ == table_depth_ + 2)
            receiver_.cell({});
        return true;
    }
    bool end() {
        if (table_depth_ > 0 && depth_ == table_depth_ + 1) receiver_.end_row();
        if (table_depth_ > 0 && depth_ == table_depth_) {
            receiver_.end_table();
            table_depth_ = 0;
        }
        if (table_depth_ == 0 && !open_.empty()) open_.pop_back();
        --depth_;
        return true;
    }
    bool value(const JsonCell& x) {
        if (table_depth_ == 0) {
            if (!open_.empty()) ++open_.back().items;
        } else if (depth_ == table_depth_) {
            receiver_.begin_row(false);  // an item that is no row
            receiver_.end_row();
        } else if (depth_ == table_depth_ + 1) {
            receiver_.cell(x);
        }
        return true;
    }
    std::string path() const {
        std::string text;
        for (const Open& open : open_)
            if (!open.key.empty()) append_item(text, open.key, ".");
        return text;
    }

    struct Open {
        bool list;
        std::size_t items;
        std::string key;
    };
    Receiver& receiver_;
    std::vector<Open> open_;  // objects and lists around; those inside a table are only counted
    std::size_t depth_ = 0, table_depth_ = 0;
    std::string key_;
};

// First pass: tables, their columns and the number of their rows.
struct Survey {
    std::vector<Candidate> tables;
    std::string at{};
    std::size_t column = 0;
    bool counted = true;

    void begin_table(std::string path, bool objects) {
        tables.emplace_back();
        tables.back().path = std::move(path);
        tables.back().objects = objects;
    }
    void end_table() {}
    void begin_row(bool object) {
        Candidate& t = tables.back();
        counted = object == t.objects && t.rows < inspected;
        column = 0;
        ++t.rows;
    }
    void key(const std::string& name) {
        if (!counted) return;
        std::vector<std::string>& names = tables.back().names;
        if (column >= names.size() || names[column] != name)
            column = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
        if (column == names.size() && names.size() < max_columns) names.push_back(name);
    }
    void cell(const JsonCell& x) {
        if (!counted) return;
        Candidate& t = tables.back();
        if (column > max_columns) return;
        if (t.filled.size() <= column) {
            t.filled.resize(column + 1);
            t.good.resize(column + 1);
            t.stamps.resize(column + 1);
        }
        Stamp stamp;
        ++t.filled[column];
        t.good[column] += x.number.has_value();
        t.stamps[column] += read_stamp(x.text, stamp);
        ++column;
    }
    void end_row() {}
    static constexpr std::size_t inspected = 1000;  // rows in which columns are looked for
};

// Second pass: the wanted columns of one table.
struct Extraction {
    const Candidate& table;
    std::size_t wanted_table;
    std::span<const int> slot;  // by column: index in the row, -1 if it is not wanted
    TableCells& cells;
    const Ticker& ticker;
    std::size_t tables = 0, rows = 0, column = 0;
    bool inside = false, right_form = true;
    std::vector<double> row;
    std::vector<char> got;
    std::vector<std::size_t> column_of;  // of each wanted
    std::vector<StampClock> clocks;      // of each wanted

    void begin_table(const std::string&, bool) { inside = tables++ == wanted_table; }
    void end_table() { inside = false; }
    void begin_row(bool object) {
        if (!inside) return;
        right_form = object == table.objects;
        column = 0;
        std::fill(got.begin(), got.end(), 0);
        if (++rows % 4096 == 0) ticker.at(double(rows) / double(std::max(table.rows, rows)));
    }
    void key(const std::string& name) {
        if (!inside) return;
        if (column >= table.names.size() || table.names[column] != name)
            column = std::size_t(std::find(table.names.begin(), table.names.end(), name) - table.names.begin());
    }
    void cell(const JsonCell& x) {
        if (!inside) return;
        if (right_form && column < slot.size() && slot[column] >= 0) {
            const auto at = std::size_t(slot[column]);
            Stamp stamp;
            if (!table.has_stamps(column) && x.number) {
                row[at] = *x.number;
                got[at] = 1;
            } else if (table.has_stamps(column) && read_stamp(x.text, stamp)) {
                row[at] = clocks[at].seconds(stamp);
                got[at] = 1;
            }
        }
        ++column;
    }
    void end_row() {
        if (!inside) return;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (got[i]) continue;
            cells.rejected.push_back(std::uint32_t(rows));
            if (cells.bad_count() <= TableCells::bad_listed) cells.bad.push_back({long(rows), column_of[i], "", true});
            return;
        }
        for (std::size_t i = 0; i < row.size(); ++i) cells.columns[i].push_back(row[i]);
        cells.line.push_back(std::uint32_t(rows));
    }
};

// Line from 1, and character in it from 0, of a position in the text.
long line_of(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, position);
    return std::count(before.begin(), before.end(), '\n') + 1;
}
std::size_t character_of(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, position);
    return before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
}

class JsonTable : public Table {
  public:
    JsonTable(std::string_view text, const std::string& place, const std::string& key) : text_(text) {
        join_lines();
        Survey survey;
        TableEvents<Survey> events(survey);
        const bool whole = json::sax_parse(text_.begin(), text_.end(), &events);
        if (!whole) {
            const std::size_t position = events.error_position.value_or(text_.size());
            const bool cut = position >= text_.size();
            throw RecordError({{place, line_of(text_, position),
                                "character " + std::to_string(character_of(text_, position)) + ": is not valid JSON" +
                                    (cut ? "; the file ends too early (is it cut off?)" : ""),
                                RecordProblemKind::no_table}});
        }
        choose(survey.tables, place, key);
        head_.place = place;
        for (std::size_t i = 0; i < table_.good.size(); ++i) {
            ColumnHead column = i < table_.names.size() ? column_head(table_.names[i]) : ColumnHead{};
            column.stamps = table_.has_stamps(i);
            column.numeric = table_.is_numeric(i) || column.stamps;
            head_.columns.push_back(std::move(column));
        }
        if (head_.columns.size() > max_columns)
            throw RecordError(
                {{place, 0,
                  "has more than " + std::to_string(max_columns) + " columns; keep only those that are needed",
                  RecordProblemKind::no_table}});
    }

    const TableHead& head() const override { return head_; }

    TableCells read(std::span<const std::size_t> wanted, const Ticker& ticker) const override {
        TableCells cells;
        cells.columns.resize(wanted.size());
        for (auto& column : cells.columns) column.reserve(table_.rows);
        cells.line.reserve(table_.rows);
        std::vector<int> slot(head_.columns.size(), -1);
        for (std::size_t i = 0; i < wanted.size(); ++i) slot[wanted[i]] = int(i);
        Extraction extraction{.table = table_,
                              .wanted_table = index_,
                              .slot = slot,
                              .cells = cells,
                              .ticker = ticker,
                              .row = std::vector<double>(wanted.size()),
                              .got = std::vector<char>(wanted.size()),
                              .column_of = {wanted.begin(), wanted.end()},
                              .clocks = std::vector<StampClock>(wanted.size())};
        TableEvents<Extraction> events(extraction);
        json::sax_parse(text_.begin(), text_.end(), &events);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (head_.columns[wanted[i]].stamps) shift_to_first(cells.columns[i]);
        return cells;
    }

  private:
    // One object per line: made a list of objects.
    void join_lines() {
        const std::size_t end = text_.find('\n');
        const std::size_t next = end == text_.npos ? end : text_.find_first_not_of(" \t\r\n", end);
        if (!text_.starts_with('{') || next == text_.npos || text_[next] != '{') return;
        if (trimmed(text_.substr(0, end)).back() != '}') return;
        joined_.reserve(text_.size() + 3);
        joined_ = "[";
        joined_ += trimmed(text_);
        for (std::size_t at = joined_.find('\n'); at != joined_.npos; at = joined_.find('\n', at + 1)) {
            const std::size_t k = joined_.find_first_not_of(" \t\r", at + 1);
            if (k != joined_.npos && joined_[k] != '\n') joined_[at] = ',';  // not before an empty line
        }
        joined_ += "]";
        text_ = joined_;
    }
    // Motion and force are numbers; a table of dates and one number is none.
    static bool usable(const Candidate& c) {
        std::size_t numeric = 0;
        for (std::size_t i = 0; i < c.good.size(); ++i) numeric += c.is_numeric(i);
        return numeric >= 2;
    }
    static std::string listed(const std::vector<Candidate>& tables) {
        std::string text;
        for (std::size_t i = 0; i < tables.size() && i < 8; ++i)
            append_item(text, '"' + shortened(plain_text(tables[i].path), 40) + '"');
        return text;
    }
    void choose(const std::vector<Candidate>& all, const std::string& place, const std::string& key) {
        std::vector<std::size_t> fit;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (key.empty() ? usable(all[i]) : all[i].path == key) fit.push_back(i);
        const std::string shown = '"' + shortened(plain_text(key), 40) + '"';
        if (fit.empty() && !key.empty())
            throw RecordError({{place, 0,
                                "table = " + shown + ": the file has no list with this key" +
                                    (all.empty() ? "" : "; lists: " + listed(all)),
                                RecordProblemKind::no_table}});
        if (fit.empty())
            throw RecordError(
                {{place, 0, "has no table: a list of objects, or of lists, with at least two numbers each",
                  RecordProblemKind::no_table}});
        if (fit.size() > 1) {
            std::vector<Candidate> several;
            for (const std::size_t i : fit) several.push_back(all[i]);
            throw RecordError({{place, 0, "has several tables: " + listed(several) + "; give one: --table KEY",
                                RecordProblemKind::no_table}});
        }
        if (!usable(all[fit.front()]))
            throw RecordError({{place, 0, "table = " + shown + ": must have at least two columns of numbers",
                                RecordProblemKind::no_table}});
        index_ = fit.front();
        table_ = all[index_];
    }

    std::string_view text_;
    std::string joined_;
    TableHead head_;
    Candidate table_;
    std::size_t index_ = 0;
};

}  // namespace

bool looks_like_json(std::string_view text) {
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    if (at == text.npos) return false;
    if (text[at] == '{') return true;
    if (text[at] != '[') return false;
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    return next != text.npos && (text[next] == '{' || text[next] == '[');
}

std::unique_ptr<Table> open_json_table(std::string_view text, const std::string& place, const std::string& key) {
    return std::make_unique<JsonTable>(text, place, key);
}

}  // namespace bristle::identification::record_detail
