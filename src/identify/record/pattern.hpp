// Patterns of names: * any text, ? one character, [a-z] one of a set, [!a-z] none of it.
#pragma once
#include <string_view>

namespace bristle::inline identification::record_detail {

// True if the whole name fits the pattern. Time grows at most with the product of the lengths.
bool fits_pattern(std::string_view name, std::string_view pattern);

// Name of the file of a run: without the " part 2" of a run that is cut by a gap.
std::string_view file_of_run(std::string_view run);

// True if the pattern, or the same text as a plain name, fits the name of a run or of its file, with or without its folders.
bool names_run(std::string_view pattern, std::string_view run);

}  // namespace bristle::identification::record_detail
