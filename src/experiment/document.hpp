// An experiment file as a tree: what the TOML says, and where it says it. All reading after the parser works on this.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::experiment {

using Diagnostics = std::vector<Diagnostic>;

struct Node {
    enum class Kind { boolean, integer, number, string, date, list, table };
    Kind kind = Kind::table;
    double number = 0;               // boolean (0 or 1), integer, number
    std::string text;                // string
    std::vector<Node> items;         // list, table
    std::vector<std::string> names;  // table: the name of each item
    std::string place;               // file or "--set"
    int line = 0;                    // 0 for --set

    bool is_number() const { return kind == Kind::integer || kind == Kind::number; }
    const Node* find(std::string_view name) const;  // null if it is no table or has no such member
    Node& member(std::string_view name);            // of a table; added if it is not there
    void remove(std::string_view name);
};

// "a string", "a section"
const char* in_words(Node::Kind kind);
// The value as a message shows it: short, one line, without control characters.
std::string written(const Node& node);
std::string printable(std::string_view text, std::size_t longest = 60);
// "%.9g", with the unit unless it is 1.
std::string quantity(double value, const char* unit);

// An empty table and a diagnostic where the text is no TOML, too long, or nested deeper than any experiment.
Node parse(const std::string& text, const std::string& place, Diagnostics& diagnostics);
// Puts each key=value of the command line in its place; alternatives that it replaces (zeta for sigma1) go.
void apply(Node& root, const std::vector<Override>& overrides, Diagnostics& diagnostics);

}  // namespace bristle::experiment
