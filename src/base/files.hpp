// Files that appear complete or not at all: they are made in a folder of our own beside their place, and moved there.
#pragma once
#include <bristle/base/error.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::inline base {

// A folder of our own inside another, removed with all that is left in it. Throws Error if there can be none.
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

// The folders that would have to be made for this one to exist, itself first: what is to be removed if it is not wanted after all.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder);

// Each throws Error with one sentence.
void make(const std::filesystem::path& folder);
void save(const std::filesystem::path& path, const std::string& text);
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Moves every file below a folder to the same place below another; those in sub-folders come first. Nothing is moved where a folder stands
// in the place of a file.
void publish(const std::filesystem::path& from, const std::filesystem::path& to);

std::string load(const std::filesystem::path& path);

}  // namespace bristle::inline base
