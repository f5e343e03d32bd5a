// Columns of all files of one record: agreement of their units, channels that a file lacks, and findings about guesses.
#pragma once
#include "identify/record/columns.hpp"

namespace bristle::inline identification::record_detail {

class FileColumns {
  public:
    explicit FileColumns(const RecordMap& map) : map_(map) {}

    // Appends one problem per column without unit of which another file names a unit: read in SI it could be wrong by a factor of 1000.
    void check_units(const TableHead& head, const TablePlan& plan, std::vector<RecordProblem>& problems);

    // Adds the columns of a file that is read.
    void add(const TableHead& head, const TablePlan& plan);

    // A channel that only some of the files have.
    struct Partial {
        Measurand quantity;
        std::string place;      // first file without it
        std::size_t files = 0;  // without it
    };
    const std::vector<Partial>& find_partial();  // call once, after the last file

    // Columns of the channels that all files have, with names and units of the first file, in the order of Measurand.
    std::vector<ColumnUse> uses() const;
    // column_guessed, unit_guessed and channel_dropped.
    std::vector<FitFinding> findings() const;

  private:
    struct Column {
        ColumnUse use;
        std::size_t file;  // index in files_
        long line;         // of its names
    };
    bool is_partial(Measurand quantity) const;
    FitFinding finding_of(FindingKind kind, const Column& column, bool with_file) const;

    const RecordMap& map_;
    std::vector<std::string> files_;
    std::vector<Column> columns_;  // in the order of the files
    std::vector<Partial> partial_;
    struct UnitNames {
        std::string named, unit;               // first file that names a unit
        std::optional<RecordProblem> unnamed;  // place and column of the first file that names none
    };
    std::array<UnitNames, quantities> names_{};
};

}  // namespace bristle::identification::record_detail
