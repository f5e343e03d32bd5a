// The words of a list that are spelled most like another word.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle::experiment {

// At most `most` words with a small edit distance, nearest first; empty if there is none. A word that contains `word`, or an id of
// the same paper ("astrom2008/..."), counts as near.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& words, std::size_t most);

}  // namespace bristle::experiment
