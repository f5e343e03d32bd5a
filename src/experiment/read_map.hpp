// The map of a record: which columns are which quantities, what the force is, and which rows are used. One TOML file (--map), and a
// flag for each key. docs/records.md is the reference.
//
//   FitMap fit = read_map(text, "map.toml", {{"record.position.unit", "mm"}, {"use.hold_out", "0.3"}});
//   Record record = read_record(files, fit.map);
#pragma once
#include <bristle/identify/fit.hpp>
#include "experiment/experiment.hpp"

namespace bristle::experiment {

struct FitMap {
    RecordMap map;
    FitOptions options;
};
// An empty text is a map without keys. Overrides are flags: key = value, as if the file had them. "record.position" with a column stands
// for "record.position.column". Throws Unreadable with every problem at once; a problem of an override has the flag as its place.
FitMap read_map(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {});

// One key of a map, for the reader, for flags (--hold-out, --force.gain) and for docs.
struct MapKey {
    const char* key;         // "use.hold_out", "record.force", "record.force.gain"
    const char* type;        // "number", "column" ...
    const char* doc;         // one line, with the unit
    bool is_column = false;  // the value names a column
    bool accepts_list = false;
};
std::span<const MapKey> map_keys();
// Keys of each channel of [record] ("gain"), once.
std::span<const MapKey> channel_keys();

// The flag of a key: "--hold-out" for "use.hold_out", "--position" for "record.position.column".
std::string flag_of(std::string_view key);

}  // namespace bristle::experiment
