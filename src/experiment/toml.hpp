// The TOML parser: text to a tree of nodes.
#pragma once
#include "experiment/experiment.hpp"
#include "experiment/node.hpp"

namespace bristle::experiment {

// Returns the file as a table. If the text is not TOML, longer than 1 MB or nested deeper than 32 levels: an empty table and a
// diagnostic.
Node parse(const std::string& text, const std::string& place, Diagnostics& diagnostics);

// How often this process has parsed TOML text.
std::size_t toml_parse_count();

}  // namespace bristle::experiment
