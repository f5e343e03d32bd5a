// Text of unknown origin (titles, names, messages) made fit for a terminal, a picture or a table; and numbers as text.
#pragma once
#include <string>
#include <string_view>

namespace bristle::inline base {

// One line of valid UTF-8. Line breaks and tabs become blanks; other control characters and marks that turn the writing
// direction are left out, so that no terminal acts upon them; broken bytes become U+FFFD.
std::string plain_text(std::string_view text);

// The same for several lines: line breaks stay.
std::string plain_lines(std::string_view text);

// How many characters a UTF-8 text has.
std::size_t letters(std::string_view text);

// The text, or its beginning with an ellipsis where it has more characters than that.
std::string shortened(const std::string& text, std::size_t most);

// The text with blanks up to that many characters, at least one.
std::string padded(const std::string& text, std::size_t width);

// "1 claim", "2 claims"
std::string counted(std::size_t count, const char* one, const char* many);

// The shortest text that reads back as the same number.
std::string exact(double x);

// A number for reading: that many digits, without trailing zeros.
std::string readable(double x, int digits = 6);

// µ, m, k ...: the power of 1000 that leaves one to three digits before the point; none for numbers that are short anyway.
struct Prefix {
    const char* letter;
    double factor;
};
Prefix prefix_for(double largest, double short_from = 1e-2);

// "14.3 mm/s": a number for reading, with a prefix to its unit.
std::string in_units(double x, const std::string& unit, int digits = 4);

}  // namespace bristle::inline base
