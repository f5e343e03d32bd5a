// The files of a verb: written before the result is printed, with a failure that is reported after the result.
#pragma once
#include "cli/watch.hpp"
#include "report/figure/figure.hpp"
#include <functional>

namespace bristle::cli {

// Folder of `run` and `analyse` without --out.
inline constexpr const char* default_folder = "bristle-out";

struct Files {
    report::Written written;
    std::string failure;  // one sentence; empty: none
};

// Calls `write` and keeps its Error as the failure; files that were written without pictures are kept in `written`.
// Throws Stopped after a signal.
Files write_files(const Watch& watch, const std::function<report::Written()>& write);

// Throws UsageError if files cannot be written into the folder. Call it before work that can take long.
void require_folder(const std::filesystem::path& folder);

// "wrote fig4.csv fig4.svg in bristle-out", and the note on missing pictures; empty if nothing was written.
std::string in_words(const report::Written& written, const std::string& folder);

// Prints text for people: on standard output, or on standard error if standard output carries data.
void print_note(bool data, const std::string& text);

}  // namespace bristle::cli
