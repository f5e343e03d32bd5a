// Files whose names match patterns.
#include <bristle/base/error.hpp>
#include <bristle/identify/record.hpp>

#include "base/text.hpp"
#include "identify/record/pattern.hpp"

#include <algorithm>

namespace bristle::inline identification {

namespace {

namespace fs = std::filesystem;
using record_detail::fits_pattern;

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != text.npos; }

// Names in the order in which people count: 2.csv before 10.csv.
bool natural_less(const std::string& a, const std::string& b) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            const auto number = [&](const std::string& s, std::size_t& at) {
                while (at + 1 < s.size() && s[at] == '0' && digit(s[at + 1])) ++at;
                const std::size_t begin = at;
                while (at < s.size() && digit(s[at])) ++at;
                return std::string_view(s).substr(begin, at - begin);
            };
            const std::string_view x = number(a, i), y = number(b, j);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
        } else {
            if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i, ++j;
        }
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

}  // namespace

std::vector<fs::path> matching_files(const std::vector<std::string>& patterns) {
    std::vector<fs::path> files;
    std::string problems;
    for (const std::string& pattern : patterns) {
        const fs::path path(pattern);
        std::error_code problem;
        if (fs::exists(path, problem)) {  // a name may contain [ and ?
            files.push_back(path);
            continue;
        }
        const std::string name = path.filename().string();
        const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        const std::string shown = plain_text(pattern);
        if (!is_pattern(name)) {
            append_item(problems, shown + ": there is no such file", "\n");
            continue;
        }
        std::vector<std::string> names;
        for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
            const std::string found = entry->path().filename().string();
            std::error_code ignored;
            const bool hidden = found.starts_with('.') && !name.starts_with('.');
            if (!hidden && fits_pattern(found, name) && !fs::is_directory(entry->path(), ignored))
                names.push_back(found);
        }
        if (problem)
            append_item(problems,
                        shown + ": cannot read the folder " + plain_text(folder.string()) + ": " + problem.message(),
                        "\n");
        else if (names.empty())
            append_item(problems, shown + ": no file has such a name", "\n");
        std::sort(names.begin(), names.end(), natural_less);
        for (const std::string& found : names)
            files.push_back(path.has_parent_path() ? path.parent_path() / found : fs::path(found));
    }
    if (!problems.empty()) throw Error(problems);
    return files;
}

}  // namespace bristle::identification
