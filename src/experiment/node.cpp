// Access to the members of a node, and nodes as text for messages.
#include "experiment/node.hpp"
#include "base/text.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <utility>

namespace bristle::experiment {

const Node* Node::find(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : &items[static_cast<std::size_t>(found - names.begin())];
}
Node* Node::find(std::string_view name) { return const_cast<Node*>(std::as_const(*this).find(name)); }
Node& Node::member(std::string_view name) {
    if (Node* found = find(name)) return *found;
    names.emplace_back(name);
    return items.emplace_back();
}
void Node::remove(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return;
    items.erase(items.begin() + (found - names.begin()));
    names.erase(found);
}

Node text_node(std::string text) {
    Node out;
    out.kind = Node::Kind::string;
    out.text = std::move(text);
    return out;
}

bool is_same_value(const Node& a, const Node& b) {
    if (a.is_number() && b.is_number()) return a.number == b.number;
    return a.kind == b.kind && a.number == b.number && a.text == b.text && a.names == b.names &&
           std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same_value);
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

std::string printable(std::string_view text, std::size_t longest) { return shortened(plain_text(text), longest); }

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

}  // namespace bristle::experiment
