#include <cli/nearest.hpp>
#include <algorithm>
#include <numeric>
#include <utility>

namespace bristle::cli {

namespace {

// Letters to insert, remove or replace on the way from one word to the other.
std::size_t steps_between(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& words, std::size_t most) {
    constexpr std::size_t longest = 100;  // no name has so many letters, and time grows with them
    if (word.empty() || word.size() > longest) return {};
    std::vector<std::pair<std::size_t, std::string>> close;
    for (const std::string& other : words) {
        std::size_t steps = steps_between(word, other);
        if (word.size() > 2 && other.find(word) != other.npos) steps = 1;
        if (const auto slash = word.find('/'); slash != word.npos && other.starts_with(word.substr(0, slash + 1)))
            steps = std::min(steps, std::size_t{2});
        if (steps <= std::max<std::size_t>(2, word.size() / 3)) close.emplace_back(steps, other);
    }
    std::stable_sort(close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> found;
    for (std::size_t i = 0; i < std::min(most, close.size()); ++i) found.push_back(close[i].second);
    return found;
}

}  // namespace bristle::cli
