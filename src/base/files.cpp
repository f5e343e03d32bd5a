// Scratch folders, and files that are moved to their place when complete.
#include "base/files.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace bristle::inline base {

namespace fs = std::filesystem;

Scratch::Scratch(const fs::path& parent) {
    std::string pattern = (parent / ".bristle-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw Error("cannot write into the folder " + parent.string() + ": " + std::strerror(errno));
    path_ = pattern;
}
Scratch::~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

namespace {

// The folders that must be created for `folder` to exist, itself first.
std::vector<fs::path> missing_folders(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code problem;
    for (fs::path path = fs::absolute(folder, problem).lexically_normal();
         !fs::exists(fs::symlink_status(path, problem)) && path.has_relative_path(); path = path.parent_path())
        out.push_back(path);
    return out;
}

// fs::remove leaves a folder that is not empty.
void remove_empty(const std::vector<fs::path>& folders) {
    std::error_code ignored;
    for (const fs::path& folder : folders) fs::remove(folder, ignored);
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder) : created_(missing_folders(folder)) {
    try {
        make(folder);
    } catch (const Error&) {
        remove_empty(created_);
        throw;
    }
}
OutputFolder::~OutputFolder() { remove_empty(created_); }

void make(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) throw Error("cannot create the folder " + folder.string() + ": " + problem.message());
}

void save(const fs::path& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    file.close();
    if (!file) throw Error("cannot write " + path.filename().string() + ": " + std::strerror(errno ? errno : EIO));
}

void move_file(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    fs::rename(from, to, problem);
    if (problem) throw Error("cannot write " + to.string() + ": " + problem.message());
}

void publish(const fs::path& from, const fs::path& to) {
    std::vector<fs::path> files;
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(from, problem), end; !problem && entry != end; entry.increment(problem))
        if (fs::is_regular_file(entry->path(), problem)) files.push_back(entry->path().lexically_relative(from));
    if (problem) throw Error("cannot read " + from.string() + ": " + problem.message());
    // deeper files first: the page comes after its pictures
    std::stable_sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return std::distance(a.begin(), a.end()) > std::distance(b.begin(), b.end());
    });
    for (const fs::path& file : files)
        if (fs::is_directory(to / file, problem))
            throw Error("cannot write " + (to / file).string() + ": it is a folder");
    for (const fs::path& file : files) {
        make((to / file).parent_path());
        move_file(from / file, to / file);
    }
}

std::string load(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace bristle::base
