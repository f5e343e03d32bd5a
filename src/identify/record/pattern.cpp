// Search with one point of return, the last *.
#include "identify/record/pattern.hpp"

#include <string>

namespace bristle::inline identification::record_detail {

namespace {

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

}  // namespace

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

bool names_run(std::string_view pattern, const RunName& run) {
    const std::string in_folder = "*/" + std::string(pattern);
    const auto fits = [&](std::string_view name) {
        return name == pattern || name.ends_with(in_folder.substr(1)) || fits_pattern(name, pattern) ||
               fits_pattern(name, in_folder);
    };
    return fits(run.text()) || fits(run.file);
}

}  // namespace bristle::identification::record_detail
