// A table of numbers in a file, before its columns have a meaning: head first, then the columns that are needed.
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/base/progress.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::inline identification::record_detail {

struct ColumnHead {
    std::string name{};      // with the text of its unit, one line of plain text; empty if the table has no names
    std::string bare{};      // without it
    std::string unit{};      // empty: none named
    bool weak_unit = false;  // after an underscore (t_s): part of the name if it does not fit the quantity
    bool numeric = false;    // most of its cells are numbers or times
    bool stamps = false;     // times of day or dates, given in seconds from the first row
};

struct TableHead {
    std::string place;  // file, as messages name it
    long line = 0;      // of the names; 0: none
    std::vector<ColumnHead> columns;
    std::string note{};  // why there are no names, for messages; empty: nothing to say
};

// A row that was left out because of one of its cells.
struct BadCell {
    long line = 0;
    std::size_t column = 0;  // from 0
    std::string text{};      // of the cell, shortened
    bool missing = false;    // the row has too few cells
};

struct TableCells {
    std::vector<std::vector<double>> columns;  // as wanted; NaN and infinity are kept
    std::vector<std::uint32_t> line;           // of each row in the file, from 1; in JSON: number of the entry
    std::vector<std::uint32_t> rejected;       // lines of all rows that were left out, as `line`
    std::vector<BadCell> bad;                  // the first `bad_listed` of them
    std::size_t bad_count() const { return rejected.size(); }
    std::size_t other_bad_count() const { return bad_count() - bad.size(); }
    static constexpr std::size_t bad_listed = 5;
};

// Reports progress between two fractions and throws Cancelled.
class Ticker {
  public:
    explicit Ticker(const Progress& progress, double begin = 0, double end = 1)
        : progress_(progress), begin_(begin), end_(end) {}
    void at(double fraction) const {
        if (progress_ && !progress_(begin_ + fraction * (end_ - begin_))) throw Cancelled();
    }
    Ticker part(double begin, double end) const {
        return Ticker(progress_, begin_ + begin * (end_ - begin_), begin_ + end * (end_ - begin_));
    }

  private:
    const Progress& progress_;
    double begin_, end_;
};

inline constexpr std::size_t max_columns = 1000;
inline constexpr std::size_t max_rows = std::numeric_limits<std::uint32_t>::max();

class Table {
  public:
    virtual ~Table() = default;
    virtual const TableHead& head() const = 0;
    // Reads columns (numbers from 0, each once). Rows with a wanted cell that is not a number are left out and listed.
    virtual TableCells read(std::span<const std::size_t> wanted, const Ticker& ticker) const = 0;
};

// Both keep a reference to the text. Each throws RecordError if there is no table.
std::unique_ptr<Table> open_text_table(std::string_view text, const std::string& place);
// key: of the table, as in "entries" or "run.entries"; empty: the only list of objects or of lists.
std::unique_ptr<Table> open_json_table(std::string_view text, const std::string& place, const std::string& key);

// True if the text begins like JSON.
bool looks_like_json(std::string_view text);

// Splits the text of a column's name: "Position [mm]" -> "Position", "mm"; "qm_m" -> "qm", "m" (weak).
ColumnHead column_head(std::string_view text);

}  // namespace bristle::identification::record_detail
