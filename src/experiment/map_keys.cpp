// The keys of a map: one table for the reader, the flags and docs/records.md.
#include "experiment/read_map.hpp"

#include <algorithm>
#include <deque>

namespace bristle::experiment {

namespace {

constexpr const char* map_column = "column";
constexpr const char* map_setting = "number, \"find\" or \"none\"";
constexpr const char* map_number = "number";
constexpr const char* map_whole = "whole number";
constexpr const char* map_word = "word";

constexpr MapKey plain_map_keys[] = {
    {"record.table", "text", "key of the table in JSON files; not needed if there is only one list"},
    {"model.measured", map_word, "what the force is: friction (default), actuator, or voltage"},
    {"model.inertia", map_setting, "moving mass [kg] or inertia [kg m^2]; none by default"},
    {"model.armature", map_setting, "inertia of the motor at the axis [kg or kg m^2]; none by default"},
    {"model.gravity", map_setting, "factor of sin(position) [N or N m]; none by default"},
    {"model.gravity_cos", map_setting,
     "factor of cos(position) [N or N m], if the axis does not hang at 0; none by default"},
    {"model.offset", map_setting, "constant part of the force [N or N m]; found by default"},
    {"model.gain", map_setting, "force per voltage [N/V or N m/V]; for measured = \"voltage\""},
    {"model.back_emf", map_setting, "voltage per velocity [V s/m or V s/rad]; for measured = \"voltage\""},
    {"model.gap", map_setting, "backlash in series with the friction [m or rad]; none by default"},
    {"model.delay", map_setting, "lag of the force behind the motion [s]; found by default"},
    {"model.load", map_setting, "constant normal load [N] if no column has it"},
    {"model.ripple", "true or false", "look for friction that varies periodically with position; true by default"},
    {"model.directions", map_word, "auto (default), same, or own: one curve per direction"},
    {"model.output", map_word, "what is compared: force (default) or position"},
    {"model.segment", map_number,
     "length of the parts that are simulated [s]; for output = \"position\"; 1 by default"},
    {"use.from", map_number, "rows before this time [s] are not compared"},
    {"use.to", map_number, "rows after this time [s] are not compared"},
    {"use.min_speed", map_number, "rows with a smaller speed [m/s or rad/s] are not compared; 0 by default"},
    {"use.where", map_column, "rows are compared where this column is not 0", true},
    {"use.hold_out", "number, text or list",
     "rows that test the fit: fraction at the end of each run, \"second half\", \"none\", or files; 0.3 by default",
     false, true},
    {"fit.law", "word or list", "kinds of laws to compare; all by default", false, true},
    {"fit.bandwidth", map_number, "of the filter on motion and force [Hz]; chosen by default; 0: no filter"},
    {"fit.starts", map_whole, "starts of the search; 5 by default"},
    {"fit.errors", map_word, "standard errors: correlated (default), runs, or bootstrap"},
    {"fit.resamples", map_whole, "of the bootstrap; 400 by default"},
    {"fit.seed", map_whole, "of random numbers; 1 by default"},
    {"fit.loss", map_word, "squares (default) or huber"},
};

constexpr MapKey channel_key_table[] = {
    {"column", "text or number", "name in the header, or number from 1; found by its name if absent"},
    {"unit", "text", "unit of gain * column; from the header if absent"},
    {"sign", "1 or -1", "direction of the column; 1 by default"},
    {"gain", map_number, "unit per number of the column; 1 by default"},
    {"gear", map_number, "motions are divided by it, forces multiplied; 1 by default"},
    {"wrap", map_number, "period of a position that wraps around, in its unit"},
    {"bits", map_whole, "the column is a signed integer of that many bits, stored as unsigned"},
    {"times", map_column, "column by which each number is multiplied", true},
    {"delay", map_setting, "lag of force, current or voltage behind the motion [s]"},
};

// Channels with each of their keys, then the other keys.
struct AllMapKeys {
    std::deque<std::string> texts;  // keys and docs of channels
    std::vector<MapKey> keys;
    AllMapKeys() {
        const auto keep = [&](std::string text) { return texts.emplace_back(std::move(text)).c_str(); };
        for (const MeasurandInfo& info : measurand_table()) {
            const std::string channel = std::string("record.") + info.name;
            const std::string unit = std::string(info.linear_unit) == info.rotary_unit
                                         ? std::string(info.linear_unit)
                                         : std::string(info.linear_unit) + " or " + info.rotary_unit;
            keys.push_back({keep(channel), "column or section",
                            keep(std::string("column of the ") + info.name + ": " + info.doc + " [" + unit + "]"),
                            true});
            for (MapKey one : channel_key_table) {
                one.key = keep(channel + "." + one.key);
                one.doc = keep(std::string(info.name) + ": " + one.doc);
                keys.push_back(one);
            }
        }
        keys.insert(keys.end(), std::begin(plain_map_keys), std::end(plain_map_keys));
    }
};

}  // namespace

std::span<const MapKey> map_keys() {
    static const AllMapKeys all;
    return all.keys;
}
std::span<const MapKey> channel_keys() { return channel_key_table; }

std::string flag_of(std::string_view key) {
    std::string flag(key.substr(std::min(key.find('.') + 1, key.size())));
    if (flag.ends_with(".column")) flag.resize(flag.size() - 7);
    if (key == "model.load") flag = key;  // --load is a column
    std::replace(flag.begin(), flag.end(), '_', '-');
    return "--" + flag;
}

}  // namespace bristle::experiment
