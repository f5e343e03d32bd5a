// The options of `bristle fit`.
#pragma once
#include "cli/arguments.hpp"

namespace CLI {
class App;
}

namespace bristle::cli {

// Adds the verb to the program. `out` must outlive the parsing.
CLI::App* add_fit(CLI::App& app, Fit& out);
// Checks the options after parsing and collects the keys of the map. Throws UsageError.
void complete(Fit& fit, const CLI::App& verb);

}  // namespace bristle::cli
