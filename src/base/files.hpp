// Files that are written completely or not at all: written into a scratch folder in the same place, then moved.
#pragma once
#include <bristle/base/error.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::inline base {

// A scratch folder inside another, removed with its content by the destructor. Throws Error if it cannot be created.
class Scratch {
  public:
    explicit Scratch(const std::filesystem::path& parent);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::size_t slot_ = 0;  // in the list for remove_scratch_folders
};

// A folder for output, created with its parents by the constructor. The destructor removes those of them that are new and empty.
// Throws Error if it cannot be created.
class OutputFolder {
  public:
    explicit OutputFolder(const std::filesystem::path& folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

  private:
    std::vector<std::filesystem::path> created_;  // the innermost first
};

// Each throws Error with one sentence if it fails.
void make(const std::filesystem::path& folder);
void save(const std::filesystem::path& path, std::string_view text);
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Moves every file below a folder to the same place below another, files in sub-folders first, then removes the files `old` that are not
// among those moved. A process of its own does this, which no signal to this one ends: if this process is killed, `to` has all files of
// before or all of now. Throws Error and moves nothing if a folder has the name of a file.
void publish(const std::filesystem::path& from, const std::filesystem::path& to,
             const std::vector<std::filesystem::path>& old = {});

// Removes all scratch folders of this process. For a signal handler that ends the process: calls async-signal-safe functions only.
// Returns false and removes nothing while files are being published, which takes milliseconds.
bool remove_scratch_folders() noexcept;

// The content of a file; empty if it cannot be read.
std::string load(const std::filesystem::path& path);

}  // namespace bristle::base
