// Edit distance between words.
#include "experiment/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace bristle::experiment {

namespace {

// The number of letters to insert, delete, change or swap with their neighbour to turn one word into the other.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& words, std::size_t most) {
    constexpr std::size_t longest = 100;  // longer than any name; the time grows with the square
    if (word.empty() || word.size() > longest) return {};
    std::vector<std::pair<std::size_t, std::string>> close;
    for (const std::string_view other : words) {
        std::size_t n = edits(word, other);
        if (n >= std::max(word.size(), other.size())) continue;  // no letter in common
        if (word.size() > 2 && other.find(word) != other.npos) n = 1;
        if (const auto slash = word.find('/'); slash != word.npos && other.starts_with(word.substr(0, slash + 1)))
            n = std::min(n, std::size_t{2});
        if (n <= std::max<std::size_t>(2, word.size() / 3)) close.emplace_back(n, other);
    }
    std::stable_sort(close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> found;
    for (std::size_t i = 0; i < std::min(most, close.size()); ++i) found.push_back(close[i].second);
    return found;
}

}  // namespace bristle::experiment
