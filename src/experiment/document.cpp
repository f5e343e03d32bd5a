#include "experiment/document.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

// The parser is compiled here and nowhere else. Experiments nest four deep; the limit keeps its recursion, and that of the
// destructors behind it, far from the end of the stack.
// toml++ 3.3 asserts, or tells a release build to assume, that a table header begins with a letter; it then has the right
// message for [>law] where the assertion does not end the program first. Without exceptions more of them fail.
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
constexpr const char* from_command_line = "--set";

// The end of the quoted text that begins at i: the position of its last quote.
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

// What toml++ 3.3 does not survive, looked for in the text before it sees it. Keys of many dots overflow the stack when they
// are freed; letters beyond ASCII outside of quotes meet code that it believes to be unreachable. Text that no TOML parser
// accepts may be misread here, but only after the place where the parser stops.
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
            i = std::min(text.find('\n', i), text.size()) - 1;  // the line's end is looked at next
        else if (c == '.' && ++dots > max_dots)
            return Obstacle{i, "is not an experiment: a key has more than 32 dots"};
        else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos)
            dots = 0;
    }
    return {};
}

Node node_of(const toml::node& from, const std::string& place, bool lines) {
    Node node;
    node.place = place;
    node.line = lines ? static_cast<int>(from.source().begin.line) : 0;
    switch (from.type()) {
        case toml::node_type::table:
            for (const auto& [key, value] : *from.as_table()) {
                node.names.emplace_back(key.str());
                node.items.push_back(node_of(value, place, lines));
            }
            break;
        case toml::node_type::array:
            node.kind = Node::Kind::list;
            for (const toml::node& item : *from.as_array()) node.items.push_back(node_of(item, place, lines));
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

// TOML's own words for a number leave out .5 and 5., which people type on a command line.
std::optional<double> plain_number(std::string_view text) {
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return x;
}

Node value_of(const std::string& text) {
    Diagnostics ignored;
    Node table = parse("value = " + text, from_command_line, ignored);
    Node node;
    if (ignored.empty() && table.items.size() == 1 && table.find("value"))
        node = std::move(table.items.front());
    else if (const auto x = plain_number(text)) {
        node.kind = Node::Kind::number;
        node.number = *x;
    } else {
        node.kind = Node::Kind::string;
        node.text = text;
    }
    return node;
}
void set_place(Node& node) {
    node.place = from_command_line;
    node.line = 0;
    for (Node& item : node.items) set_place(item);
}

std::vector<std::string> split(const std::string& key) {
    std::vector<std::string> parts(1);
    for (const char c : key) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

// Where the last name of a path lies; sections that are missing are added. Null where something else stands in the way.
Node* section_of(Node& root, const std::vector<std::string>& path) {
    Node* section = &root;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        section = &section->member(path[i]);
        if (section->kind != Node::Kind::table) return nullptr;
        if (section->place.empty()) section->place = from_command_line;
    }
    return section;
}

// What goes from the file when the command line gives the other of two ways to say the same.
struct Alternative {
    const char *section, *one, *other;
};
constexpr Alternative alternatives[] = {
    {"law", "sigma1", "zeta"}, {"input", "frequency", "omega"}, {"load", "frequency", "omega"}};

void drop_from_file(Node& table, std::string_view name) {
    if (const Node* node = table.find(name); node && node->place != from_command_line) table.remove(name);
}
void drop_alternative(Node& root, const std::vector<std::string>& path) {
    for (const auto& [section, one, other] : alternatives) {
        if (path.size() != 2 || path[0] != section) continue;
        if (path[1] == one) drop_from_file(root.member(section), other);
        if (path[1] == other) drop_from_file(root.member(section), one);
    }
    // a load is a number of the law or a section of its own
    if (path == std::vector<std::string>{"law", "load"}) drop_from_file(root, "load");
    if (path[0] == "load" && root.find("law")) drop_from_file(root.member("law"), "load");
}

}  // namespace

const Node* Node::find(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : &items[static_cast<std::size_t>(found - names.begin())];
}
Node& Node::member(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return items[static_cast<std::size_t>(found - names.begin())];
    names.emplace_back(name);
    return items.emplace_back();
}
void Node::remove(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return;
    items.erase(items.begin() + (found - names.begin()));
    names.erase(found);
}

const char* in_words(Node::Kind kind) {
    switch (kind) {
        case Node::Kind::boolean:
            return "true or false";
        case Node::Kind::integer:
            return "a whole number";
        case Node::Kind::number:
            return "a number";
        case Node::Kind::string:
            return "a string";
        case Node::Kind::date:
            return "a date or time";
        case Node::Kind::list:
            return "a list";
        case Node::Kind::table:
            return "a section";
    }
    return "";
}

std::string printable(std::string_view text, std::size_t longest) {
    std::string clean;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        // not in the middle of a character of several bytes
        if (clean.size() >= longest && (c & 0xC0) != 0x80) return clean + "...";
        // control characters: below a space, delete, and those that begin with C2 in UTF-8
        const bool two = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        clean += c < 0x20 || c == 0x7F || two ? '?' : text[i];
        if (two) ++i;
    }
    return clean;
}

std::string quantity(double value, const char* unit) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", value);
    std::string text = number;
    if (*unit && std::string_view(unit) != "1") text.append(" ").append(unit);
    return text;
}

std::string written(const Node& node) {
    switch (node.kind) {
        case Node::Kind::boolean:
            return node.number != 0 ? "true" : "false";
        case Node::Kind::integer:
        case Node::Kind::number:
            return quantity(node.number, "");
        case Node::Kind::string:
            return '"' + printable(node.text) + '"';
        case Node::Kind::list: {
            std::string text;
            for (std::size_t i = 0; i < node.items.size() && text.size() < 40; ++i)
                text.append(i == 0 ? "" : ", ").append(written(node.items[i]));
            return "[" + printable(text) + "]";
        }
        default:
            return "";
    }
}

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
    try {
        root = node_of(toml::parse(text, place), place, true);
    } catch (const toml::parse_error& error) {
        return refuse(static_cast<int>(error.source().begin.line),
                      "is not TOML: " + printable(std::string(error.description()), 300) +
                          " (numbers stand without units and with a decimal point, words in quotes, a key only once)");
    }
    root.line = 0;
    return root;
}

void apply(Node& root, const std::vector<Override>& overrides, Diagnostics& diagnostics) {
    for (const auto& [key, value] : overrides) {
        const auto refuse = [&](const char* rule) {
            diagnostics.push_back({from_command_line, 0, printable(key), rule, ""});
        };
        const auto path = split(key);
        if (std::find(path.begin(), path.end(), "") != path.end() || path.size() > 8) {
            refuse("is not a key; write section.key=value, as in law.sigma2=0.3");
            continue;
        }
        if (path[0] == "claim") {
            refuse("claims belong to the file and cannot be set from the command line");
            continue;
        }
        Node* section = section_of(root, path);
        if (!section) {
            refuse("lies in something that is not a section");
            continue;
        }
        Node& node = section->member(path.back());
        node = value_of(value);
        set_place(node);
        drop_alternative(root, path);
    }
}

}  // namespace bristle::experiment
