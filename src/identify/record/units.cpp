// The table of units and the search in it.
#include "identify/record/units.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace bristle::inline identification::record_detail {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double inch = 0.0254, foot = 0.3048, pound = 4.4482216152605,
                 standard_gravity = 9.80665;  // m, m, N, m/s^2; exact

constexpr Unit all_units[] = {
    {"s", "sec secs second seconds sek", Dimension::time, 1},
    {"ms", "msec millisecond milliseconds", Dimension::time, 1e-3},
    {"us", "usec microsecond microseconds", Dimension::time, 1e-6},
    {"ns", "nsec nanosecond nanoseconds", Dimension::time, 1e-9},
    {"min", "minute minutes", Dimension::time, 60},
    {"h", "hr hour hours", Dimension::time, 3600},

    {"m", "meter meters metre metres", Dimension::length, 1},
    {"cm", "centimeter centimeters", Dimension::length, 1e-2},
    {"mm", "millimeter millimeters millimetre millimetres", Dimension::length, 1e-3},
    {"um", "micron microns micrometer micrometers", Dimension::length, 1e-6},
    {"nm", "nanometer nanometers", Dimension::length, 1e-9},
    {"km", "kilometer kilometers", Dimension::length, 1e3},
    {"in", "inch inches", Dimension::length, inch},
    {"ft", "foot feet", Dimension::length, foot},

    {"rad", "radian radians", Dimension::angle, 1},
    {"mrad", "milliradian milliradians", Dimension::angle, 1e-3},
    {"urad", "", Dimension::angle, 1e-6},
    {"deg", "degree degrees", Dimension::angle, pi / 180},
    {"rev", "revolution revolutions turn turns revs", Dimension::angle, 2 * pi},

    {"m/s", "ms-1 m/sec mps", Dimension::linear_velocity, 1},
    {"cm/s", "cms-1 cm/sec", Dimension::linear_velocity, 1e-2},
    {"mm/s", "mms-1 mm/sec", Dimension::linear_velocity, 1e-3},
    {"um/s", "ums-1 um/sec", Dimension::linear_velocity, 1e-6},
    {"nm/s", "nms-1", Dimension::linear_velocity, 1e-9},
    {"m/min", "", Dimension::linear_velocity, 1.0 / 60},
    {"mm/min", "", Dimension::linear_velocity, 1e-3 / 60},
    {"km/h", "kmh kph", Dimension::linear_velocity, 1 / 3.6},
    {"in/s", "ins-1 in/sec ips inch/s", Dimension::linear_velocity, inch},
    {"ft/s", "ft/sec", Dimension::linear_velocity, foot},

    {"rad/s", "rads-1 rad/sec", Dimension::rotary_velocity, 1},
    {"mrad/s", "", Dimension::rotary_velocity, 1e-3},
    {"deg/s", "degs-1 deg/sec dps", Dimension::rotary_velocity, pi / 180},
    {"rev/s", "rps turn/s turns/s", Dimension::rotary_velocity, 2 * pi},
    {"rpm", "r/min rev/min 1/min min-1 U/min tr/min", Dimension::rotary_velocity, pi / 30},

    {"m/s^2", "m/s2 ms-2 m/s/s", Dimension::linear_acceleration, 1},
    {"mm/s^2", "mm/s2 mms-2", Dimension::linear_acceleration, 1e-3},
    {"g", "gn", Dimension::linear_acceleration, standard_gravity},
    {"rad/s^2", "rad/s2 rads-2", Dimension::rotary_acceleration, 1},
    {"deg/s^2", "deg/s2", Dimension::rotary_acceleration, pi / 180},

    {"N", "newton newtons", Dimension::force, 1},
    {"mN", "", Dimension::force, 1e-3},
    {"uN", "", Dimension::force, 1e-6},
    {"kN", "", Dimension::force, 1e3},
    {"MN", "", Dimension::force, 1e6},
    {"kgf", "kp", Dimension::force, standard_gravity},
    {"lbf", "lb lbs", Dimension::force, pound},
    {"kip", "kips klbf", Dimension::force, 1000 * pound},

    {"N m", "Nm newtonmeter newtonmeters", Dimension::torque, 1},
    {"mN m", "mNm", Dimension::torque, 1e-3},
    {"uN m", "uNm", Dimension::torque, 1e-6},
    {"kN m", "kNm", Dimension::torque, 1e3},
    {"N cm", "Ncm", Dimension::torque, 1e-2},
    {"N mm", "Nmm", Dimension::torque, 1e-3},
    {"kgf cm", "kgfcm", Dimension::torque, standard_gravity * 1e-2},
    {"lbf in", "lbfin lbin inlb inlbf", Dimension::torque, pound* inch},
    {"lbf ft", "lbfft lbft ftlb ftlbf", Dimension::torque, pound* foot},

    {"A", "amp amps ampere amperes", Dimension::current, 1},
    {"mA", "", Dimension::current, 1e-3},
    {"uA", "", Dimension::current, 1e-6},
    {"V", "volt volts", Dimension::voltage, 1},
    {"mV", "", Dimension::voltage, 1e-3},
    {"uV", "", Dimension::voltage, 1e-6},
    {"kV", "", Dimension::voltage, 1e3},

    {"%", "percent pct prozent", Dimension::relative, 1},
    {"permille", "0/00", Dimension::relative, 1},
    {"counts", "count cnt cts inc incs increment increments pulse pulses tick ticks digit digits qc lsb bit bits",
     Dimension::count, 1},
    {"1", "", Dimension::plain, 1},
};

// Letters and digits only, besides / and %: blanks and product signs are removed, micro becomes u, a degree sign "deg". Bytes of
// Latin-1 (B5, B0, B2) are understood as well as UTF-8.
std::string normalised(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view two = text.substr(i, 2);
        if (two == "\xC2\xB5" || two == "\xCE\xBC") {
            out += 'u';
            ++i;
        } else if (two == "\xC2\xB0" || two == "\xC2\xBA") {
            out += "deg";
            ++i;
        } else if (two == "\xC2\xB2") {
            out += '2';
            ++i;
        } else if (two == "\xC2\xB7") {
            ++i;
        } else if (text.substr(i, 3) == "\xE2\x8B\x85") {
            i += 2;
        } else if (text[i] == '\xB5') {
            out += 'u';
        } else if (text[i] == '\xB0') {
            out += "deg";
        } else if (text[i] == '\xB2') {
            out += '2';
        } else if (text[i] == '-') {
            if (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') out += '-';  // s-1
        } else if (text[i] != ' ' && text[i] != '*' && text[i] != '^' && text[i] != '.' && text[i] != '\t') {
            out += text[i];
        }
    }
    return out;
}

// Every spelling of every unit, normalised.
struct Spelling {
    std::string text, lower_case;
    const Unit* unit;
};
std::vector<Spelling> all_spellings() {
    std::vector<Spelling> spellings;
    const auto add = [&](std::string text, const Unit& unit) {
        std::string small = lower_case(text);
        spellings.push_back({std::move(text), std::move(small), &unit});
    };
    for (const Unit& unit : all_units) {
        add(normalised(unit.symbol), unit);
        const std::string_view others = unit.spellings;
        for (std::size_t begin = 0; begin < others.size();) {
            const std::size_t end = std::min(others.find(' ', begin), others.size());
            add(std::string(others.substr(begin, end - begin)), unit);
            begin = end + 1;
        }
    }
    return spellings;
}
const std::vector<Spelling>& spellings() {
    static const std::vector<Spelling> all = all_spellings();
    return all;
}

constexpr std::size_t longest = 24;  // of a unit's text

}  // namespace

const Unit* find_unit_exactly(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || text.size() > longest) return nullptr;
    const std::string wanted = normalised(text);
    for (const Spelling& spelling : spellings())
        if (spelling.text == wanted) return spelling.unit;
    return nullptr;
}

const Unit* find_unit(std::string_view text) {
    if (const Unit* unit = find_unit_exactly(text)) return unit;
    text = trimmed(text);
    if (text.empty() || text.size() > longest) return nullptr;
    const std::string wanted = lower_case(normalised(text));
    const Unit* found = nullptr;
    for (const Spelling& spelling : spellings()) {
        if (spelling.lower_case != wanted || spelling.unit == found) continue;
        if (found) return nullptr;  // NM: nm or N m
        found = spelling.unit;
    }
    return found;
}

bool fits(const Unit& unit, Measurand quantity) {
    const Dimension d = unit.dimension;
    if (d == Dimension::plain) return true;
    switch (quantity) {
        case Measurand::time:
            return d == Dimension::time;
        case Measurand::position:
            return d == Dimension::length || d == Dimension::angle;
        case Measurand::velocity:
            return d == Dimension::linear_velocity || d == Dimension::rotary_velocity;
        case Measurand::acceleration:
            return d == Dimension::linear_acceleration || d == Dimension::rotary_acceleration;
        case Measurand::force:
        case Measurand::load:
            return d == Dimension::force || d == Dimension::torque;
        case Measurand::current:
            return d == Dimension::current;
        case Measurand::voltage:
            return d == Dimension::voltage;
    }
    return false;
}

std::string known_units(Measurand quantity) {
    std::string text;
    for (const Unit& unit : all_units)
        if (unit.dimension != Dimension::plain && fits(unit, quantity)) append_item(text, unit.symbol);
    return text;
}

Axis axis_of(Dimension dimension) {
    switch (dimension) {
        case Dimension::length:
        case Dimension::linear_velocity:
        case Dimension::linear_acceleration:
        case Dimension::force:
            return Axis::linear;
        case Dimension::angle:
        case Dimension::rotary_velocity:
        case Dimension::rotary_acceleration:
        case Dimension::torque:
            return Axis::rotary;
        default:
            return Axis::unknown;
    }
}

}  // namespace bristle::identification::record_detail
