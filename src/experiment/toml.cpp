// TOML text to a tree of nodes, with toml++.
#include "experiment/toml.hpp"

#include <algorithm>
#include <atomic>

// toml++ is compiled here and nowhere else. Experiments nest four deep; the limit of 32 keeps the recursion of the parser and of
// its destructors far from the end of the stack.
// toml++ 3.3 asserts (a release build: assumes) that a table header begins with a letter. For [>law] it has the right message
// behind that assertion, so the assertion is switched off. Without exceptions more assertions fail.
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 32
#define TOML_ASSERT(condition) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace bristle::experiment {

namespace {

constexpr std::size_t max_text = 1u << 20;  // bytes
constexpr int max_dots = 32;                // of one key
std::atomic<std::size_t> parse_count = 0;

// Returns the position of the last quote of the quoted text that begins at i.
std::size_t end_of_quote(std::string_view text, std::size_t i) {
    const char quote = text[i];
    const std::string three(3, quote);
    const bool lines = text.substr(i, 3) == three;
    for (i += lines ? 3 : 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (lines && text.substr(i, 3) == three)  // one or two more quotes may belong to the text
            return i + 2 + (text.substr(i + 3, 1) == three.substr(2)) + (text.substr(i + 3, 2) == three.substr(1));
        else if (!lines && (text[i] == quote || text[i] == '\n'))
            return i;
    }
    return text.size();
}

// Text at which toml++ 3.3 crashes, found before it is parsed. Keys with many dots overflow the stack when they are freed;
// letters beyond ASCII outside of quotes reach code that is marked as unreachable. Text that is not TOML may be misread here,
// but only after the place at which the parser stops.
struct Obstacle {
    std::size_t at;
    const char* rule;
};
std::optional<Obstacle> obstacle_in(std::string_view text) {
    int dots = 0;
    for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < text.size(); ++i) {
        const char c = text[i];
        if (static_cast<unsigned char>(c) >= 0x80) return Obstacle{i, "is not TOML: letters beyond ASCII need quotes"};
        if (c == '"' || c == '\'')
            i = end_of_quote(text, i);
        else if (c == '#')
            i = std::min(text.find('\n', i), text.size()) - 1;  // the next character is the end of the line
        else if (c == '.' && ++dots > max_dots)
            return Obstacle{i, "is not an experiment: a key has more than 32 dots"};
        else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos)
            dots = 0;
    }
    return {};
}

Node node_of(const toml::node& from, const std::string& place) {
    Node node;
    node.place = place;
    node.line = static_cast<int>(from.source().begin.line);
    switch (from.type()) {
        case toml::node_type::table:
            for (const auto& [key, value] : *from.as_table()) {
                node.names.emplace_back(key.str());
                node.items.push_back(node_of(value, place));
            }
            break;
        case toml::node_type::array:
            node.kind = Node::Kind::list;
            for (const toml::node& item : *from.as_array()) node.items.push_back(node_of(item, place));
            break;
        case toml::node_type::string:
            node.kind = Node::Kind::string;
            node.text = from.as_string()->get();
            break;
        case toml::node_type::integer:
            node.kind = Node::Kind::integer;
            node.number = static_cast<double>(from.as_integer()->get());
            break;
        case toml::node_type::floating_point:
            node.kind = Node::Kind::number;
            node.number = from.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            node.kind = Node::Kind::boolean;
            node.number = from.as_boolean()->get() ? 1 : 0;
            break;
        default:
            node.kind = Node::Kind::date;
    }
    return node;
}

}  // namespace

Node parse(const std::string& text, const std::string& place, Diagnostics& diagnostics) {
    Node root;
    root.place = place;
    const auto refuse = [&](int line, std::string rule) {
        diagnostics.push_back({place, line, "", std::move(rule), ""});
        return root;
    };
    if (text.size() > max_text) return refuse(0, "must not be longer than 1 MB; long inputs belong in a csv file");
    if (const auto obstacle = obstacle_in(text)) {
        const auto before = text.begin() + static_cast<std::ptrdiff_t>(obstacle->at);
        return refuse(1 + static_cast<int>(std::count(text.begin(), before, '\n')), obstacle->rule);
    }
    ++parse_count;
    try {
        root = node_of(toml::parse(text, place), place);
    } catch (const toml::parse_error& error) {
        return refuse(static_cast<int>(error.source().begin.line),
                      "is not TOML: " + printable(std::string(error.description()), 300) +
                          " (write numbers without units and with a decimal point, words in quotes, each key once)");
    }
    root.line = 0;
    return root;
}

std::size_t toml_parse_count() { return parse_count; }

}  // namespace bristle::experiment
