// Which words may have been meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle::experiment {

// Those of the words that are spelt most like this one, nearest first; empty where none is like it. A word that contains
// it, or an id of the same paper ("astrom2008/..."), is near as well.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& words, std::size_t most);

}  // namespace bristle::experiment
