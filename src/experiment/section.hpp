// One section of a file while it is read. Each lookup marks its key as known; close() reports all other keys. Problems are
// collected in one list and reported together.
#pragma once
#include "experiment/experiment.hpp"
#include "experiment/node.hpp"

namespace bristle::experiment {

// Names to choose from. They refer to text that outlives the list: tables, and lists that the caller holds.
using Words = std::vector<std::string_view>;

// A number that a section takes: its row of the table, and its default.
struct Key {
    Parameter parameter;
    std::optional<double> otherwise{};  // std::nullopt: required
    const char* default_doc = nullptr;  // the default in words, if it is not a number
    int rate = 0;                       // of an input: the unit is that of the signal per s^rate
};

class Section {
  public:
    enum class Keys { checked, unchecked };  // unchecked: close() reports nothing, for a file that was checked before

    // node: null if the section is missing. path: "law", "law.negative", "claim[2]"; "" for the whole file.
    Section(const Node* node, std::string path, Diagnostics& diagnostics, Keys keys = Keys::checked)
        : node_(node), path_(std::move(path)), diagnostics_(diagnostics), keys_(keys) {}

    bool there() const { return node_ != nullptr; }
    bool has(std::string_view key) const { return node_ && node_->find(key); }
    // Null if the key is missing. Marks the key as known.
    const Node* find(std::string_view key);
    // A section below this one; reports a value that is not a section.
    Section below(std::string_view key);

    // Each returns std::nullopt (or null) if the key is missing or has a value of another kind, and reports the latter.
    std::optional<double> number(std::string_view key);
    std::optional<std::string> text(std::string_view key);  // one line, without control characters
    std::optional<bool> yes_or_no(std::string_view key);
    const Node* list(std::string_view key);
    // Pairs of numbers: [[a, b], ...]. std::nullopt if they are missing or one is wrong.
    std::optional<std::vector<std::pair<double, double>>> pairs(std::string_view key);
    // A number within its bounds, or its default. Reports a number out of bounds, and a missing one without default.
    std::optional<double> number(const Key& key);
    // The index of one of a few words. Reports another word, with the words allowed.
    std::optional<std::size_t> choice(std::string_view key, const Words& words);
    std::optional<std::size_t> choice(std::string_view key, const Words& words, std::size_t otherwise);
    // The same for the key `kind`. Reports a missing section too.
    std::optional<std::size_t> kind(const Words& kinds);

    // Reports a problem of the section as a whole, unless something else than a section is in its place.
    void diagnose(std::string rule);
    // Reports a problem at the key, or at the section if the key is missing; with the value of the file, or the one given.
    void diagnose(std::string_view key, std::string rule, const char* unit = "");
    void diagnose_of(std::string_view key, std::string rule, std::string value, const char* unit = "");
    void diagnose_item(std::string_view key, std::size_t index, std::string rule);  // index from 0
    // Reports that the section, or its key, is missing. what: the description of it.
    void missing(std::string what);
    void missing(std::string_view key, std::string what);
    // Reports each key that was not looked up.
    void close();

    Diagnostics& diagnostics() { return diagnostics_; }
    // True if a problem was reported at the key, or of the section as a whole.
    bool is_reported(std::string_view key) const;

    // The key with the path of the section: law.sigma0.
    std::string full(std::string_view key) const;

  private:
    void report(Diagnostic::Kind kind, const Node* at, std::string key, std::string rule, std::string value,
                const char* unit);

    const Node* node_;
    std::string path_;
    std::vector<std::string> known_, reported_keys_;  // "" in reported_keys_: the section as a whole
    Diagnostics& diagnostics_;
    Keys keys_;
    bool reported_ = false;  // something else than a section is in its place
};

// "bristle stiffness, in N/m; must be a finite number > 0"
std::string described(const Parameter& parameter);
// "a, b or c"
std::string listed(const Words& words, const char* last = " or ");
// "; did you mean Fc?" if a word is near, else "".
std::string suggestion(std::string_view word, const Words& words);

}  // namespace bristle::experiment
