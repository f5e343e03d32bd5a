// The keys of a map as options, and the map of a fit from its file.
#include "cli/fit_map.hpp"

#include "base/text.hpp"
#include "cli/locate.hpp"

#include <algorithm>

namespace bristle::cli {

namespace {

// Heading of an option in the help, by the section of its key. The keys of a column (record.force.gain) have none.
std::string group_of(const std::string& key) {
    if (key.starts_with("record.")) return std::count(key.begin(), key.end(), '.') > 1 ? "" : "Columns";
    if (key.starts_with("model.")) return "Model";
    return key.starts_with("use.") ? "Rows" : "Fit";
}

bool takes_a_list(const std::string& key) {
    const auto keys = experiment::map_keys();
    return std::any_of(keys.begin(), keys.end(),
                       [&](const experiment::MapKey& one) { return one.accepts_list && key == one.key; });
}

// a,b as a list of texts; other texts as TOML.
experiment::Override list_override(const std::string& key, const std::string& value) {
    if (value.find(',') == value.npos || value.find_first_of("[\"'\\") != value.npos) return {key, value};
    experiment::Node list;
    list.kind = experiment::Node::Kind::list;
    for (std::size_t from = 0; from <= value.size();) {
        const std::size_t to = std::min(value.find(',', from), value.size());
        list.items.push_back(
            experiment::text_node(std::string(trimmed(std::string_view(value).substr(from, to - from)))));
        from = to + 1;
    }
    return {key, value, std::move(list)};
}

}  // namespace

std::vector<MapFlag> map_flags() {
    std::vector<MapFlag> out;
    for (const experiment::MapKey& one : experiment::map_keys())
        out.push_back(
            {experiment::flag_of(one.key), one.key, one.is_column ? "COLUMN" : "VALUE", one.doc, group_of(one.key)});
    return out;
}

experiment::FitMap read_fit_map(const std::string& map_file, const MapSettings& settings) {
    std::vector<experiment::Override> overrides;
    for (const auto& [key, value] : settings)
        overrides.push_back(takes_a_list(key) ? list_override(key, value) : experiment::Override(key, value));
    return experiment::read_map(map_file.empty() ? "" : contents(map_file), map_file.empty() ? "map" : map_file,
                                overrides);
}

}  // namespace bristle::cli
