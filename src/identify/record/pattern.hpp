// Patterns of names: * any text, ? one character, [a-z] one of a set, [!a-z] none of it.
#pragma once
#include <bristle/identify/finding.hpp>

#include <string_view>

namespace bristle::inline identification::record_detail {

// True if the whole name fits the pattern. Time grows at most with the product of the lengths.
bool fits_pattern(std::string_view name, std::string_view pattern);

// True if the pattern, or the same text as a plain name, fits the name of a run or of its file, with or without its folders.
bool names_run(std::string_view pattern, const RunName& run);

}  // namespace bristle::identification::record_detail
