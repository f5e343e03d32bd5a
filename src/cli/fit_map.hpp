// The map of a fit: its keys as options of the program, and the file with these options applied.
#pragma once
#include "experiment/read_map.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bristle::cli {

// A key of the map as an option.
struct MapFlag {
    std::string name;   // "--inertia", "--force.gain"
    std::string key;    // "model.inertia", "record.force.gain"
    std::string value;  // "VALUE", "COLUMN"
    std::string doc;    // one line
    std::string group;  // heading in the help; empty: not listed, because each column has the same keys
};
std::vector<MapFlag> map_flags();

using MapSettings = std::vector<std::pair<std::string, std::string>>;
// Reads the map, with each key=value set after it; commas separate the items of a list. map_file is empty if there is none. Throws
// UsageError if the file cannot be read, experiment::Unreadable with all problems of its content.
experiment::FitMap read_fit_map(const std::string& map_file, const MapSettings& settings);

}  // namespace bristle::cli
