// Units of record columns: the one table of spellings, dimensions and factors to SI.
#pragma once
#include <bristle/identify/record.hpp>

#include <string>
#include <string_view>

namespace bristle::inline identification::record_detail {

enum class Dimension {
    time,
    length,
    angle,
    linear_velocity,
    rotary_velocity,
    linear_acceleration,
    rotary_acceleration,
    force,
    torque,
    current,
    voltage,
    relative,  // %, per cent of a rated value: has no size without a gain
    count,     // increments of an encoder or converter: likewise
    plain      // "1": a number that is in SI already
};

struct Unit {
    const char* symbol;     // as messages and docs write it
    const char* spellings;  // other spellings, separated by blanks, after normalised()
    Dimension dimension;
    double factor;  // SI = factor * number
};

// The unit of a text such as "mm/s", "N m", "N*m", "µm", "°"; null if it is not known. Upper and lower case are compared first; if no
// unit fits, a spelling that fits one unit regardless of case is accepted ("RPM").
const Unit* find_unit(std::string_view text);
// The same with upper and lower case as written.
const Unit* find_unit_exactly(std::string_view text);

// True if numbers in this unit can be the quantity.
bool fits(const Unit& unit, Measurand quantity);
// Known units of a quantity for messages: "m, mm, um, ... rad, deg".
std::string known_units(Measurand quantity);

enum class Axis { unknown, linear, rotary };
Axis axis_of(Dimension dimension);

}  // namespace bristle::identification::record_detail
