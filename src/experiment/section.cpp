// Values of one section by key, each checked for its kind and bounds.
#include "experiment/section.hpp"
#include "experiment/spelling.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

std::string is_not(const std::string& wanted, const Node& node) {
    return "must be " + wanted + ", is " + in_words(node.kind);
}

// One line of plain text: line breaks and tabs become blanks. std::nullopt if there are other control characters.
std::optional<std::string> plain(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\t' || c == '\r') c = ' ';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return {};
    }
    return text;
}

// The value as a message shows it, without a unit; empty if there is none.
std::string value_of(const Node* node) {
    return !node ? "" : node->is_number() ? quantity(node->number, "") : written(*node);
}

bool finite_number(const Node& node) { return node.is_number() && std::isfinite(node.number); }

}  // namespace

std::string described(const Parameter& p) {
    std::string text = p.doc;
    if (*p.unit && std::string_view(p.unit) != "1") text.append(", in ").append(p.unit);
    return text.append("; ").append(p.bound.rule);
}

std::string listed(const Words& words, const char* last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == words.size() ? last : ", ").append(words[i]);
    return text;
}

std::string suggestion(std::string_view word, const Words& words) {
    const auto near = nearest(word, words, 1);
    return near.empty() ? "" : "; did you mean " + near[0] + "?";
}

std::string Section::full(std::string_view key) const {
    return path_.empty() ? std::string(key) : key.empty() ? path_ : path_ + "." + std::string(key);
}

const Node* Section::find(std::string_view key) {
    if (keys_ == Keys::checked && std::find(known_.begin(), known_.end(), key) == known_.end())
        known_.emplace_back(key);
    return node_ ? node_->find(key) : nullptr;
}

Section Section::below(std::string_view key) {
    const Node* node = find(key);
    const bool section = !node || node->kind == Node::Kind::table;
    if (!section) diagnose(key, is_not("a section: [" + full(key) + "]", *node));
    Section below(section ? node : nullptr, full(key), diagnostics_, keys_);
    below.reported_ = !section;
    return below;
}

std::optional<double> Section::number(std::string_view key) {
    const Node* node = find(key);
    if (!node) return {};
    if (!node->is_number())
        diagnose(key, is_not("a number", *node));
    else if (!std::isfinite(node->number))
        diagnose(key, "must be a finite number");
    else
        return node->number;
    return {};
}

std::optional<double> Section::number(const Key& key) {
    const Parameter& p = key.parameter;
    if (!find(p.name)) {
        if (!key.otherwise) missing(p.name, described(p));
        return key.otherwise;
    }
    const auto x = number(std::string_view(p.name));
    if (!x || p.bound.holds(*x)) return x;
    diagnose(p.name, p.bound.rule, p.unit);
    return {};
}

std::optional<std::string> Section::text(std::string_view key) {
    const Node* node = find(key);
    if (!node) return {};
    if (node->kind != Node::Kind::string)
        diagnose(key, is_not("a string", *node));
    else if (auto clean = plain(node->text))
        return clean;
    else
        diagnose(key, "must be plain text, without control characters");
    return {};
}

std::optional<bool> Section::yes_or_no(std::string_view key) {
    const Node* node = find(key);
    if (!node) return {};
    if (node->kind == Node::Kind::boolean) return node->number != 0;
    diagnose(key, is_not("true or false", *node));
    return {};
}

const Node* Section::list(std::string_view key) {
    const Node* node = find(key);
    if (!node || node->kind == Node::Kind::list) return node;
    diagnose(key, is_not("a list", *node));
    return nullptr;
}

std::optional<std::vector<std::pair<double, double>>> Section::pairs(std::string_view key) {
    const Node* node = list(key);
    if (!node) return {};
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const auto& [kind, number, text, items, names, place, line] = node->items[i];
        if (kind == Node::Kind::list && items.size() == 2 && finite_number(items[0]) && finite_number(items[1]))
            pairs.emplace_back(items[0].number, items[1].number);
        else
            diagnose_item(key, i, "must be two finite numbers, as in [0.1, 2.5]");
    }
    if (pairs.size() < node->items.size()) return {};
    return pairs;
}

std::optional<std::size_t> Section::choice(std::string_view key, const Words& words) {
    if (!find(key)) {
        missing(key, "one of " + listed(words));
        return {};
    }
    const auto word = text(key);
    if (!word) return {};
    const auto found = std::find(words.begin(), words.end(), *word);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    diagnose(key, "must be " + listed(words) + suggestion(*word, words));
    return {};
}
std::optional<std::size_t> Section::choice(std::string_view key, const Words& words, std::size_t otherwise) {
    return find(key) ? choice(key, words) : otherwise;
}

std::optional<std::size_t> Section::kind(const Words& kinds) {
    if (there()) return choice("kind", kinds);
    missing("a section [" + path_ + "] with kind = " + listed(kinds));
    return {};
}

void Section::report(Diagnostic::Kind kind, const Node* at, std::string key, std::string rule, std::string value,
                     const char* unit) {
    diagnostics_.push_back(
        {at ? at->place : "", at ? at->line : 0, std::move(key), std::move(rule), std::move(value), unit, kind});
}
void Section::diagnose(std::string rule) {
    if (reported_) return;
    reported_keys_.emplace_back();
    report(Diagnostic::Kind::broken, node_, path_, std::move(rule), "", "");
}
void Section::missing(std::string what) {
    if (reported_) return;
    reported_keys_.emplace_back();
    report(Diagnostic::Kind::missing, node_, path_, std::move(what), "", "");
}
void Section::diagnose(std::string_view key, std::string rule, const char* unit) {
    const Node* node = node_ ? node_->find(key) : nullptr;
    diagnose_of(key, std::move(rule), value_of(node), node && node->is_number() ? unit : "");
}
void Section::diagnose_of(std::string_view key, std::string rule, std::string value, const char* unit) {
    const Node* node = node_ ? node_->find(key) : nullptr;
    reported_keys_.emplace_back(key);
    report(Diagnostic::Kind::broken, node ? node : node_, printable(full(key)), std::move(rule), std::move(value),
           unit);
}
void Section::missing(std::string_view key, std::string what) {
    const Node* node = node_ ? node_->find(key) : nullptr;
    reported_keys_.emplace_back(key);
    report(Diagnostic::Kind::missing, node ? node : node_, printable(full(key)), std::move(what), value_of(node), "");
}
void Section::diagnose_item(std::string_view key, std::size_t index, std::string rule) {
    const Node* node = node_ ? node_->find(key) : nullptr;
    if (!node || index >= node->items.size()) return diagnose(key, std::move(rule));
    const Node& item = node->items[index];
    const std::string name = full(key) + "[" + std::to_string(index + 1) + "]";
    reported_keys_.emplace_back(key);
    report(Diagnostic::Kind::broken, &item, printable(name), std::move(rule), written(item), "");
}

bool Section::is_reported(std::string_view key) const {
    return reported_ || std::any_of(reported_keys_.begin(), reported_keys_.end(),
                                    [&](const std::string& one) { return one.empty() || one == key; });
}

void Section::close() {
    if (!node_ || keys_ == Keys::unchecked) return;
    const Words known(known_.begin(), known_.end());
    constexpr int most = 20;  // of a file that is not an experiment not every key is listed
    int unknown = 0;
    for (const std::string& name : node_->names) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end() || ++unknown > most) continue;
        const std::string near = suggestion(name, known);
        diagnose(name, "is not a key here" + (near.empty() ? ";" : near) + " known: " + listed(known, ", "));
    }
    if (unknown > most) diagnose("has " + std::to_string(unknown - most) + " more unknown keys");
}

}  // namespace bristle::experiment
