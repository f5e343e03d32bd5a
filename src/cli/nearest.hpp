// Which words may have been meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle::cli {

// Those of the words that are spelt most like this one, nearest first; empty where none is like it. A word that contains
// it, or whose part before or after the '/' is it, is near as well.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& words, std::size_t most);

}  // namespace bristle::cli
