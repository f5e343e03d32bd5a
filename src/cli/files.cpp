// Files of a verb, and sentences about them.
#include "cli/files.hpp"
#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "base/text.hpp"
#include <cstdio>

namespace bristle::cli {

Files write_files(const Watch& watch, const std::function<report::Written()>& write) {
    Files out;
    try {
        out.written = write();
    } catch (const report::Undrawn& problem) {
        out = {problem.written, problem.what()};
    } catch (const Error& problem) {
        out.failure = problem.what();
    }
    watch.check(!out.written.files.empty());
    return out;
}

void require_folder(const std::filesystem::path& folder) try {
    report::check_folder(folder);
} catch (const Error& problem) {
    throw UsageError(problem.what());
}

std::string in_words(const report::Written& written, const std::string& folder) {
    std::string out;
    for (const auto& file : written.files) out.append(" ").append(plain_text(file.filename().string()));
    if (!out.empty()) out = "wrote" + out + " in " + plain_text(folder) + "\n";
    return written.note.empty() ? out : out + written.note + "\n";
}

void print_note(bool data, const std::string& text) {
    if (data)
        std::fputs(text.c_str(), stderr);
    else
        print(text);
}

}  // namespace bristle::cli
