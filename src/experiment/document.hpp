// An experiment file, parsed once: a tree of values with typed access by key.
//
//   Document file(text, "my.toml");              throws Unreadable if the text is not TOML
//   file.apply({{"law.sigma2", "0.3"}});         --set
//   file.set("rig.velocity", 0.3);               the same for a number, without text
//   Experiment e = read(file);                   throws Unreadable with every problem at once
#pragma once
#include "experiment/experiment.hpp"
#include "experiment/node.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace bristle::experiment {

// The points of csv files that were read without a problem, by path and units. Thread-safe.
class CsvFiles {
  public:
    using Points = std::shared_ptr<const std::vector<Point>>;
    Points find(const std::string& key) const;  // null if there are none
    void keep(const std::string& key, Points points);

  private:
    mutable std::mutex mutex_;
    std::map<std::string, Points> points_;
};

// Copies share the points of csv files and nothing else.
class Document {
  public:
    // name: as messages call the file. folder: of csv files that it names. Throws Unreadable if the text is not TOML.
    Document(const std::string& text, std::string name, std::filesystem::path folder = {},
             const std::vector<Override>& overrides = {});

    // Sets each key=value and removes the alternative that it replaces (law.zeta for law.sigma1). A key that cannot be set is
    // reported by read(), together with the problems of the file.
    void apply(const std::vector<Override>& overrides);
    // The same for one number.
    void set(std::string_view key, double value);
    // The number at a key such as "law.sigma2"; std::nullopt if there is none.
    std::optional<double> number_at(std::string_view key) const;

    const Node& root() const { return root_; }
    const std::string& name() const { return name_; }
    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<Override>& overrides() const { return overrides_; }  // all that apply() was given
    // Those that gave a section a value that it did not have before.
    const std::vector<Override>& changes() const { return changes_; }
    const Diagnostics& diagnostics() const { return diagnostics_; }  // keys that could not be set
    CsvFiles& csv_files() const { return *csv_files_; }

  private:
    // Returns true if a value of a section changes.
    bool put(std::string_view key, Node value);

    std::string name_;
    std::filesystem::path folder_;
    Node root_;
    std::vector<Override> overrides_, changes_;
    Diagnostics diagnostics_;
    std::shared_ptr<CsvFiles> csv_files_ = std::make_shared<CsvFiles>();
};

}  // namespace bristle::experiment
