// Values of an experiment file by key, and the changes that --set and analyses make to them.
#include "base/text.hpp"
#include "experiment/document.hpp"
#include "experiment/path.hpp"
#include "experiment/toml.hpp"

#include <algorithm>

namespace bristle::experiment {

namespace {

Node number_node(double x) {
    Node node;
    node.kind = Node::Kind::number;
    node.number = x;
    return node;
}

void set_place(Node& node) {
    node.place = place_of_overrides;
    node.line = 0;
    for (Node& item : node.items) set_place(item);
}

// The item of a list of sections with that name, or with that number as in [2]. Null if there is none.
template <class N>
N* item_of(N& list, std::string_view name) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Node* own = list.items[i].find("name");
        if ((own && own->text == name) || name == "[" + std::to_string(i + 1) + "]") return &list.items[i];
    }
    return nullptr;
}

// The section that holds the last name of a path; missing sections are added. A part of a machine is found by its name or its number.
// Null if there is no such part, or if a value is in the way.
Node* section_of(Node& root, const Path& path) {
    Node* section = &root;
    for (std::size_t i = 0; i + 1 < path.size; ++i) {
        section =
            section->kind == Node::Kind::list ? item_of(*section, path.names[i]) : &section->member(path.names[i]);
        const bool list = section && section->kind == Node::Kind::list && i + 2 < path.size;
        if (!section || (section->kind != Node::Kind::table && !list)) return nullptr;
        if (section->place.empty()) section->place = place_of_overrides;
    }
    return section;
}
// Why a path has no section.
std::string reason_of(const Node& root, const Path& path) {
    const Node* list = root.find(path.names[0]);
    if (!list || list->kind != Node::Kind::list || path.size < 3) return "lies in something that is not a section";
    std::string names;
    for (const Node& item : list->items)
        if (const Node* name = item.find("name")) append_item(names, printable(name->text));
    return "the file has no " + printable(path.names[0]) + " of this name" + (names.empty() ? "" : "; it has " + names);
}

// Two keys for the same number: the one from the command line removes the other of the file.
constexpr std::pair<const char*, const char*> alternatives[] = {
    {"sigma0", "presliding"}, {"sigma1", "zeta"}, {"frequency", "omega"}};

void drop_from_file(Node* table, std::string_view name) {
    const Node* node = table ? table->find(name) : nullptr;
    if (node && node->place != place_of_overrides) table->remove(name);
}
void drop_alternative(Node& root, Node& section, const Path& path) {
    for (const auto& [one, other] : alternatives) {
        if (path.last() == one) drop_from_file(&section, other);
        if (path.last() == other) drop_from_file(&section, one);
    }
    // a load is a number of the law or a section of its own
    if (path.is("law", "load")) drop_from_file(&root, "load");
    if (path.names[0] == "load") drop_from_file(root.find("law"), "load");
}

}  // namespace

Node parsed_value(const std::string& text) {
    Diagnostics ignored;
    Node table = parse("value = " + text, place_of_overrides, ignored);
    if (ignored.empty() && table.items.size() == 1 && table.find("value")) return std::move(table.items.front());
    // TOML does not accept .5 and 5., which are usual on a command line
    if (const auto x = number_in(text)) return number_node(*x);
    Node node;
    node.kind = Node::Kind::string;
    node.text = text;
    return node;
}

CsvFiles::Points CsvFiles::find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = points_.find(key);
    return found == points_.end() ? nullptr : found->second;
}
void CsvFiles::keep(const std::string& key, Points points) {
    const std::lock_guard lock(mutex_);
    points_[key] = std::move(points);
}

Document::Document(const std::string& text, std::string name, std::filesystem::path folder,
                   const std::vector<Override>& overrides)
    : name_(std::move(name)), folder_(std::move(folder)) {
    Diagnostics diagnostics;
    root_ = parse(text, name_, diagnostics);
    if (!diagnostics.empty()) throw Unreadable(diagnostics);
    apply(overrides);
}

void Document::apply(const std::vector<Override>& overrides) {
    for (const Override& one : overrides)
        if (put(one.key, one.value)) changes_.push_back(one);
    overrides_.insert(overrides_.end(), overrides.begin(), overrides.end());
}

void Document::set(std::string_view key, double value) { put(key, number_node(value)); }

bool Document::put(std::string_view key, Node value) {
    const auto refuse = [&](std::string rule) {
        diagnostics_.push_back({place_of_overrides, 0, printable(key), std::move(rule), ""});
        return false;
    };
    const Path path(key);
    if (!path.sound) return refuse("is not a key; write section.key=value, as in law.sigma2=0.3");
    if (path.names[0] == "claim") return refuse("claims belong to the file and cannot be set from the command line");
    Node* section = section_of(root_, path);
    if (!section) return refuse(reason_of(root_, path));
    set_place(value);
    const Node* before = section->find(path.last());
    const bool changes = section != &root_ && !(before && is_same_value(*before, value));
    section->member(path.last()) = std::move(value);
    drop_alternative(root_, *section, path);
    return changes;
}

std::optional<double> Document::number_at(std::string_view key) const {
    const Path path(key);
    const Node* node = path.sound ? &root_ : nullptr;
    for (std::size_t i = 0; node && i < path.size; ++i)
        node = node->kind == Node::Kind::list ? item_of(*node, path.names[i]) : node->find(path.names[i]);
    return node && node->is_number() ? std::optional(node->number) : std::nullopt;
}

}  // namespace bristle::experiment
