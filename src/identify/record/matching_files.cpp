// Patterns of file names: * any text, ? one character, [a-z] one of a set, [!a-z] none of it.
#include <bristle/base/error.hpp>
#include <bristle/identify/record.hpp>

#include "base/text.hpp"

#include <algorithm>

namespace bristle::inline identification {

namespace {

namespace fs = std::filesystem;

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != text.npos; }

// Compares one character with the set at pattern[at] = '['; moves `at` behind the set. A set without end is the character [.
bool in_set(std::string_view pattern, std::size_t& at, char c) {
    std::size_t i = at + 1;
    const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (inverted) ++i;
    const std::size_t close = pattern.find(']', i + 1);
    if (close == pattern.npos) {
        ++at;
        return c == '[';
    }
    bool found = false;
    for (; i < close; ++i) {
        if (i + 2 < close && pattern[i + 1] == '-') {
            found = found || (pattern[i] <= c && c <= pattern[i + 2]);
            i += 2;
        } else {
            found = found || pattern[i] == c;
        }
    }
    at = close + 1;
    return found != inverted;
}

// Linear search with one point of return: time grows with the product of the lengths at most.
bool fits_pattern(std::string_view name, std::string_view pattern) {
    std::size_t n = 0, p = 0, star = pattern.npos, mark = 0;
    while (n < name.size()) {
        std::size_t next = p;
        bool same = false;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = n;
            continue;
        }
        if (p < pattern.size()) {
            if (pattern[p] == '[')
                same = in_set(pattern, next, name[n]);
            else {
                same = pattern[p] == '?' || pattern[p] == name[n];
                ++next;
            }
        }
        if (same) {
            p = next;
            ++n;
        } else if (star != pattern.npos) {
            p = star + 1;
            n = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

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
