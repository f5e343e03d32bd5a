// Columns of a table by quantity: those that the map names, and those that are found by their names and units.
#pragma once
#include "identify/record/names.hpp"

namespace bristle::inline identification::record_detail {

// One quantity and the column that it is read from.
struct ColumnPlan {
    Measurand quantity;
    std::size_t column = 0;              // from 0
    std::optional<std::size_t> times{};  // column of factors
    double factor = 1;                   // SI per unit
    Dimension dimension = Dimension::plain;
    std::string unit{};  // of gain * column
    bool guessed_column = false, guessed_unit = false, stamps = false;
};

struct TablePlan {
    std::vector<ColumnPlan> channels;    // in the order of Measurand
    std::optional<std::size_t> where{};  // rows are used where this column is not 0
    bool rotary = false;
    bool axis_known = false;  // by a unit or a name; false: linear by default
    const ColumnPlan* find(Measurand quantity) const;
    std::vector<std::size_t> wanted() const;  // columns, each once
};

// Appends the problems; the plan is usable if there is none.
TablePlan plan_columns(const TableHead& head, const RecordMap& map, std::vector<RecordProblem>& problems);

// Problems of the map itself as sentences: signs, gains, bits.
std::vector<std::string> map_problems(const RecordMap& map);

// "column 3 'F [N]'"; from 0.
std::string described(const TableHead& head, std::size_t column);

}  // namespace bristle::identification::record_detail
