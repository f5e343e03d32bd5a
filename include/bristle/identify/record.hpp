// Measured record: one or several runs of an axis in SI units, and the map that tells how columns of files become one.
//
//   Record record = read_record({"axis.csv"}, {});   columns and units from the header; throws RecordError with all problems
//   record.runs[0].position;                         m (or rad), one number per row
//
// Files: text tables (any delimiter, decimal comma, lines before the table, units in brackets or in a second row, quotes,
// byte order mark, CRLF, times of day) and JSON tables (a list of objects or of lists of numbers). Several files are several
// runs of one axis; each run begins with its own unknown state. A table of speed and force without time is a measured curve.
// Problems are never repaired silently: rows that cannot be used are left out and reported with their line.
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/base/progress.hpp>
#include <bristle/identify/finding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bristle::inline identification {

enum class Measurand { time, position, velocity, acceleration, force, current, voltage, load };
inline constexpr std::size_t quantities = 8;
// Name in maps and flags ("position"), and the SI unit of a linear and of a rotary axis ("m", "rad").
struct MeasurandInfo {
    Measurand quantity;
    const char* name;
    const char* linear_unit;
    const char* rotary_unit;
    const char* doc;  // one line
};
std::span<const MeasurandInfo> measurand_table();
const char* name_of(Measurand quantity);

// A number that is not used, given, or found by the fit.
struct Setting {
    enum class Kind { absent, given, find };
    Kind kind = Kind::absent;
    double value = 0;
    static Setting given(double x) { return {Kind::given, x}; }
    static Setting find() { return {Kind::find, 0}; }
    friend bool operator==(const Setting&, const Setting&) = default;
};

// A column of a table: by its name in the header, or by its number.
struct ColumnName {
    std::string name{};      // a name that the header lacks may be a number from 1, as options give it
    std::size_t number = 0;  // from 1; 0: by its name
    ColumnName() = default;
    ColumnName(std::string text) : name(std::move(text)) {}
    ColumnName(const char* text) : name(text) {}
    static ColumnName numbered(std::size_t n) {
        ColumnName out;
        out.number = n;
        return out;
    }
    bool empty() const { return name.empty() && number == 0; }
    friend bool operator==(const ColumnName&, const ColumnName&) = default;
};

// How a column becomes a quantity: raw number -> signed integer of `bits` -> times `gain` and the column `times`
// -> from `unit` to SI -> times `sign` -> over the gear -> unwrapped.
struct Channel {
    ColumnName column{};  // empty: found by the names of its quantity
    std::string unit{};   // of gain * column; empty: from the header; "1" for a plain number
    double sign = 1;      // +1 or -1
    double gain = 1;      // unit per number of the column
    double gear = 1;      // motions are divided by it, forces multiplied
    double wrap = 0;      // period of a position that wraps around, in unit; 0: it does not
    int bits = 0;         // the column is a signed integer of that many bits, stored as unsigned; 0: a plain number
    ColumnName times{};   // another column, by which each number is multiplied
    Setting delay{};      // s by which the channel lags; of force, current and voltage only
    bool used() const { return !column.empty() || gain != 1 || sign != 1 || !unit.empty(); }
};

struct RecordMap {
    std::array<Channel, quantities> channels{};  // by Measurand
    std::string table{};                         // key of the table in JSON files; empty: the only list
    ColumnName where{};                          // column: rows are used where its number is not 0
    std::optional<double> from{}, to{};          // rows are used between these times [s]
    Channel& operator[](Measurand q) { return channels[std::size_t(q)]; }
    const Channel& operator[](Measurand q) const { return channels[std::size_t(q)]; }
};

// One run. Channels that were not measured are empty, the others have the same length. Time rises strictly; it is empty in a
// measured curve (speed and force in any order).
struct MeasuredRun {
    RunName name;
    std::vector<double> time, position, velocity, acceleration, force, current, voltage, load;
    std::vector<std::uint8_t> used;   // 0: the row gives motion but is not compared (map: from, to, where)
    std::vector<std::uint32_t> line;  // in the file, from 1; in JSON: number of the entry
    std::size_t size() const { return line.size(); }
    const std::vector<double>& channel(Measurand q) const;
    std::vector<double>& channel(Measurand q);
};

// The column and unit that a quantity was read from, as the first file names them.
struct ColumnUse {
    Measurand quantity;
    std::string column, unit;
    bool guessed_column = false, guessed_unit = false;
    double gain = 1;  // that the map gives
};

struct Record {
    std::vector<MeasuredRun> runs;
    bool rotary = false;             // rad and N m instead of m and N
    std::vector<ColumnUse> columns;  // in the order of Measurand
    std::vector<FitFinding> findings;
    bool is_curve() const { return !runs.empty() && runs.front().time.empty(); }
    std::size_t rows() const {
        std::size_t sum = 0;
        for (const MeasuredRun& run : runs) sum += run.size();
        return sum;
    }
};

enum class RecordProblemKind {
    map,              // the map contradicts itself, or names no file
    no_file,          // the file does not exist
    unreadable,       // a folder, or a file that cannot be opened or read
    empty,            // the file is empty
    not_text,         // a binary file
    no_table,         // no table of at least two columns of numbers, or no valid JSON
    no_column,        // a channel has no column, or several columns fit
    no_other_column,  // the same for the factor of a channel, or for the column of `where`
    not_numbers,      // most cells of a column are no numbers
    unit,             // the unit of a channel is missing, not known or not suitable
    cell,             // a cell is not a number
    too_few_rows,     // too few rows can be used
    different_axes,   // linear and rotary channels, or files of different kinds
    not_listed        // `count` further problems
};

// A problem of a file or of the map.
struct RecordProblem {
    std::string file{};  // as messages name it; empty: of the map, or of the files together
    long line = 0;       // in the file, from 1; 0: none
    std::string rule{};  // column, value, rule and what to do
    RecordProblemKind kind = RecordProblemKind::map;
    std::optional<Measurand> channel{};  // that the problem concerns
    std::size_t column = 0;              // in the file, from 1; 0: none
    std::size_t count = 1;               // of not_listed: problems
    // The same rule is broken for the same channel and column, in any line and file.
    bool is_same_as(const RecordProblem& other) const {
        return kind == other.kind && channel == other.channel && column == other.column;
    }
    std::string sentence() const;  // "axis.csv:5: column 3 'F [N]': 'off' is not a number"
};
// what() has one sentence per problem, each in a line of its own.
struct RecordError : Error {
    explicit RecordError(std::vector<RecordProblem> all);
    std::vector<RecordProblem> problems;
};

// Reads files as one record. Throws RecordError with all problems.
Record read_record(const std::vector<std::filesystem::path>& files, const RecordMap& map,
                   const Progress& progress = {});
// The same from texts, each with the name that messages use for it.
struct RecordText {
    std::string name, text;
};
Record read_record(const std::vector<RecordText>& texts, const RecordMap& map, const Progress& progress = {});

// Expands patterns (* ? [a-z] in the last part of a path); names are sorted with numbers by value (2.csv before 10.csv). Throws Error
// if a pattern matches no file.
std::vector<std::filesystem::path> matching_files(const std::vector<std::string>& patterns);

}  // namespace bristle::identification
