// Names of columns: the quantity that a name stands for, in the languages and abbreviations of drives and data loggers.
#pragma once
#include "identify/record/table.hpp"
#include "identify/record/units.hpp"

#include <bristle/identify/record.hpp>

namespace bristle::inline identification::record_detail {

// How well a column fits a quantity by its name and unit. 0: not at all; 1: by the unit alone; 2: a word of the name; 3, 4: the whole name.
// A column that is marked as measured ("actual") has 0.5 more.
struct NameMatch {
    double score = 0;
    bool set_point = false;  // reference, goal, command: not a measurement
};
NameMatch match(const ColumnHead& column, Measurand quantity);

// The same for the quantity that fits best; std::nullopt if there is none.
struct BestMatch {
    Measurand quantity;
    NameMatch match;
};
std::optional<BestMatch> best_match(const ColumnHead& column);

// True if the name (not only the unit) stands for a quantity.
bool is_known_name(const ColumnHead& column);
// True if the name says that the axis turns: angle, torque, rpm.
bool is_rotary_name(const ColumnHead& column);

// The unit of a column for a quantity; null if it names none, or an unknown one.
const Unit* unit_of(const ColumnHead& column, Measurand quantity);

}  // namespace bristle::identification::record_detail
