// One section of an experiment file while it is read. Each question for a key makes that key known; close() complains about
// all others. Problems go to one list, so that a file with ten of them is told ten times at once.
#pragma once
#include "experiment/document.hpp"

namespace bristle::experiment {

// A number that a section takes: its row of the table, and its default.
struct Key {
    Parameter parameter;
    std::optional<double> otherwise{};  // nothing: it has to be given
};

class Section {
  public:
    // node may be null: a section that is not there. path: "law", "law.negative", "claim[2]"; "" for the whole file.
    Section(const Node* node, std::string path, Diagnostics& diagnostics)
        : node_(node), path_(std::move(path)), diagnostics_(diagnostics) {}

    bool there() const { return node_ != nullptr; }
    bool has(std::string_view key) const { return node_ && node_->find(key); }
    // Null where the key is not there. The key is known from now on.
    const Node* find(const std::string& key);
    // A section below this one; one that is not a section is told.
    Section below(const std::string& key);

    // Nothing where the key is missing or holds something else; something else is told.
    std::optional<double> number(const std::string& key);
    std::optional<std::string> text(const std::string& key);  // one line, without control characters
    std::optional<bool> yes_or_no(const std::string& key);
    const Node* list(const std::string& key);
    // Pairs of numbers: [[a, b], ...]. Nothing where it is missing or anything is wrong with them.
    std::optional<std::vector<std::pair<double, double>>> pairs(const std::string& key);
    // A number within its bounds. Nothing if it is not; told, and told too if it is missing and has no default.
    std::optional<double> number(const Key& key);
    // One of a few words. Nothing if it is another one, which is told with the words that would do.
    std::optional<std::size_t> choice(const std::string& key, const std::vector<std::string>& words);
    std::optional<std::size_t> choice(const std::string& key, const std::vector<std::string>& words,
                                      std::size_t otherwise);

    // About the section as a whole, unless that was told.
    void diagnose(std::string rule);
    // At the key where it is there, else at the section; value as the file has it, or as it was worked out.
    void diagnose(const std::string& key, std::string rule, const char* unit = "");
    void diagnose_of(const std::string& key, std::string rule, std::string value);
    void diagnose_item(const std::string& key, std::size_t index, std::string rule);  // index from 0
    void missing(const std::string& key, const std::string& what);
    // Complains about each key that nobody asked for.
    void close();

    Diagnostics& diagnostics() { return diagnostics_; }

  private:
    std::string full(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

    const Node* node_;
    std::string path_;
    std::vector<std::string> known_;
    Diagnostics& diagnostics_;
    bool told_ = false;  // something else stands where the section belongs
};

// "bristle stiffness, in N/m; must be a finite number > 0"
std::string described(const Parameter& parameter);
// "a, b or c"
std::string listed(const std::vector<std::string>& words, const char* last = " or ");
// "; did you mean Fc?" where a word is near, else nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace bristle::experiment
