// Words that stand for others.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace bristle::inline base {

using WordPair = std::pair<std::string_view, std::string_view>;

// Returns the second word of the pair whose first one is the word; the word itself if there is none.
template <std::size_t n>
std::string_view looked_up(const std::array<WordPair, n>& table, std::string_view word) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const WordPair& pair) { return pair.first == word; });
    return found == table.end() ? word : found->second;
}

}  // namespace bristle::base
