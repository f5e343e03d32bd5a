// A value of a TOML file and its place in the file. All reading works on the tree of these nodes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle::experiment {

struct Node {
    enum class Kind { boolean, integer, number, string, date, list, table };
    Kind kind = Kind::table;
    double number = 0;               // boolean (0 or 1), integer, number
    std::string text;                // string
    std::vector<Node> items;         // list, table
    std::vector<std::string> names;  // table: the name of each item
    std::string place;               // file, or place_of_overrides
    int line = 0;                    // 0 for --set

    bool is_number() const { return kind == Kind::integer || kind == Kind::number; }
    const Node* find(std::string_view name) const;  // null if this is no table or has no such member
    Node* find(std::string_view name);
    Node& member(std::string_view name);  // of a table; added if it is missing
    void remove(std::string_view name);
};

Node text_node(std::string text);

// True if two values are equal wherever they stand; 2 and 2.0 are equal.
bool is_same_value(const Node& a, const Node& b);
// "a string", "a section"
const char* in_words(Node::Kind kind);
// The value as a message shows it: short, one line, without control characters.
std::string written(const Node& node);
// A name or a text for a message: one line of at most `longest` characters.
std::string printable(std::string_view text, std::size_t longest = 60);

}  // namespace bristle::experiment
