// Messages of `bristle fit`: problems of several files.
#include "cli/fit_problems.hpp"

#include "base/text.hpp"
#include "cli/locate.hpp"

#include <algorithm>
#include <set>

namespace bristle::cli {

namespace fs = std::filesystem;

std::string joined_problems(const std::vector<RecordProblem>& problems) {
    struct Group {
        const RecordProblem* first;
        std::size_t lines;            // further lines of its file
        std::set<std::string> files;  // other files
    };
    std::vector<Group> groups;
    std::size_t not_listed = 0;
    for (const RecordProblem& one : problems) {
        if (one.kind == RecordProblemKind::not_listed) {
            not_listed += one.count;
            continue;
        }
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return !one.file.empty() && !group.first->file.empty() && group.first->is_same_as(one);
        });
        if (same == groups.end())
            groups.push_back({&one, 0, {}});
        else if (same->first->file == one.file)
            ++same->lines;
        else
            same->files.insert(one.file);
    }
    std::string out;
    for (const Group& group : groups) {
        std::string others;
        if (group.lines > 0) append_item(others, counted(group.lines, "more line", "more lines"));
        if (!group.files.empty()) append_item(others, counted(group.files.size(), "more file", "more files"), " and ");
        append_item(
            out, group.first->sentence() + (others.empty() ? "" : " (and " + others + " with the same problem)"), "\n");
    }
    if (not_listed > 0)
        append_item(out, counted(not_listed, "more problem is", "more problems are") + " not listed", "\n");
    return out;
}

std::string name_of_output(const std::vector<fs::path>& files) {
    const fs::path& first = files.front();
    if (files.size() == 1) return safe_stem(first.stem().string());
    std::error_code problem;
    fs::path folder = fs::absolute(first.has_parent_path() ? first.parent_path() : fs::path("."), problem);
    folder = folder.lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // of a path that ends with a slash
    const std::string name = folder.filename().string();
    return safe_stem(problem || name.empty() ? first.stem().string() : name);
}

}  // namespace bristle::cli
