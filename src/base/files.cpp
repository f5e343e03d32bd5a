// Scratch folders, and files that are moved to their place when complete.
#include "base/files.hpp"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bristle::inline base {

namespace fs = std::filesystem;

namespace {

// Paths of the scratch folders that exist, for remove_scratch_folders. A slot that is not used is null.
constexpr std::size_t max_scratches = 64;  // a gallery has one for each thread that draws, and one for the page
std::atomic<char*> scratches[max_scratches];
std::atomic<int> publishing = 0;
static_assert(std::atomic<char*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Returns the slot of the path; max_scratches if all are used.
std::size_t note_scratch(const std::string& path) {
    char* copy = strdup(path.c_str());
    for (std::size_t i = 0; i < max_scratches; ++i) {
        char* none = nullptr;
        if (scratches[i].compare_exchange_strong(none, copy)) return i;
    }
    std::free(copy);
    return max_scratches;
}

// Removes what a folder contains, and sub-folders down to that depth. Async-signal-safe.
void empty_folder(int folder, int depth) noexcept {
    alignas(dirent64) char entries[4096];
    for (;;) {
        const long size = syscall(SYS_getdents64, folder, entries, sizeof entries);
        if (size <= 0) return;
        for (long at = 0; at < size;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
            at += entry->d_reclen;
            const std::string_view name = entry->d_name;
            if (name == "." || name == ".." || unlinkat(folder, entry->d_name, 0) == 0 || depth == 0) continue;
            const int below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (below < 0) continue;
            empty_folder(below, depth - 1);
            close(below);
            unlinkat(folder, entry->d_name, AT_REMOVEDIR);
        }
    }
}

}  // namespace

bool remove_scratch_folders() noexcept {
    if (publishing > 0) return false;
    for (auto& slot : scratches) {
        const char* path = slot.exchange(nullptr);  // not freed: the process ends
        // other threads and gnuplot can still write files: until the folder is gone
        for (int tries = 0; path && tries < 1000 && rmdir(path) != 0 && errno != ENOENT; ++tries) {
            const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (folder < 0) break;
            empty_folder(folder, 3);
            close(folder);
        }
    }
    return true;
}

Scratch::Scratch(const fs::path& parent) {
    std::string pattern = (parent / ".bristle-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw Error("cannot write into the folder " + parent.string() + ": " + std::strerror(errno));
    path_ = pattern;
    slot_ = note_scratch(pattern);
}
Scratch::~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (slot_ < max_scratches) std::free(scratches[slot_].exchange(nullptr));
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

namespace {

struct Moves {
    std::vector<std::pair<std::string, std::string>> files;  // from, to
    std::vector<std::string> old;                            // to be removed
};

// What went wrong with a file. code: errno; 0: nothing.
struct MoveProblem {
    std::size_t file = 0;
    int code = 0;
};

// Async-signal-safe: also called by a process that was forked from one with threads.
MoveProblem carried_out(const Moves& moves) noexcept {
    for (std::size_t i = 0; i < moves.files.size(); ++i)
        if (std::rename(moves.files[i].first.c_str(), moves.files[i].second.c_str()) != 0) return {i, errno};
    for (const std::string& file : moves.old) unlink(file.c_str());
    return {};
}

// While one exists, remove_scratch_folders does nothing.
struct Publishing {
    Publishing() { ++publishing; }
    ~Publishing() { --publishing; }
};

void move_all(const Moves& moves) {
    const Publishing mark;
    MoveProblem found;
    int ends[2];
    const bool piped = pipe2(ends, O_CLOEXEC) == 0;
    const pid_t child = piped ? fork() : -1;
    if (child == 0) {
        setsid();  // signals to the group or from the terminal of this process do not reach it
        const MoveProblem problem = carried_out(moves);
        const bool written = write(ends[1], &problem, sizeof problem) == sizeof problem;
        _exit(written ? 0 : 1);
    }
    if (child < 0) found = carried_out(moves);  // no process can be started: here
    if (piped) {
        close(ends[1]);
        long size = sizeof found;
        if (child > 0)
            while ((size = read(ends[0], &found, sizeof found)) < 0 && errno == EINTR) {
            }
        close(ends[0]);
        if (size != long(sizeof found)) found = {0, EIO};
    }
    if (child > 0)
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    if (found.code != 0)
        throw Error("cannot write " + moves.files[found.file].second + ": " + std::strerror(found.code));
}

}  // namespace

void publish(const fs::path& from, const fs::path& to, const std::vector<fs::path>& old) {
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
    Moves moves;
    for (const fs::path& file : files) {
        make((to / file).parent_path());
        moves.files.emplace_back((from / file).string(), (to / file).string());
    }
    for (const fs::path& file : old)
        if (fs::is_regular_file(file, problem) &&
            std::none_of(files.begin(), files.end(), [&](const fs::path& moved) { return to / moved == file; }))
            moves.old.push_back(file.string());
    move_all(moves);
}

std::string load(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace bristle::base
