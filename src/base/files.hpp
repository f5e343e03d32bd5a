// Files that appear complete or not at all: written in a temporary folder beside their place, then moved there.
#pragma once
#include <bristle/base/error.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::inline base {

// Temporary folder inside another one, removed with its contents. Throws Error if it cannot be created.
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
};

// Returns the folders that must be created so that this folder exists, the folder itself first.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder);

// Each function throws Error with one sentence if it fails.
void make(const std::filesystem::path& folder);
void save(const std::filesystem::path& path, const std::string& text);
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Moves every file below a folder to the same place below another one; files in sub-folders first. Moves none if a folder
// has the place of a file.
void publish(const std::filesystem::path& from, const std::filesystem::path& to);

std::string load(const std::filesystem::path& path);

}  // namespace bristle::inline base
