// Text of unknown origin (titles, names, messages) made safe for terminals, pictures and tables; numbers as text.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace bristle::inline base {

// One line of valid UTF-8. Line breaks and tabs become blanks; other control characters and marks that change the writing
// direction are removed; invalid bytes become U+FFFD.
std::string plain_text(std::string_view text);

// The same for several lines: line breaks are kept.
std::string plain_lines(std::string_view text);

// The number of characters of a UTF-8 text.
std::size_t letters(std::string_view text);

// The text, or its first characters with an ellipsis if it has more than `most`.
std::string shortened(const std::string& text, std::size_t most);

// The text, filled with blanks to `width` characters; at least one blank is added.
std::string padded(const std::string& text, std::size_t width);

// The text without blanks, tabs and line breaks at both ends.
std::string_view trimmed(std::string_view text);

// The text with A to Z in lower case.
std::string lower_case(std::string_view text);

// Appends an item, after the separator unless the list is empty.
void append_item(std::string& list, std::string_view item, std::string_view separator = ", ");

// Appends the text in lines of at most `width` characters, broken at blanks, each with an indent, and a line break after the last.
// Lines after the first have `hang` more blanks.
void append_wrapped(std::string& out, std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t hang = 0);
// The same with these beginnings of the first and of the other lines, such as "# ". They count as part of the width.
void append_wrapped(std::string& out, std::string_view text, std::size_t width, std::string_view first,
                    std::string_view others);

// "1 claim", "2 claims"
std::string counted(std::size_t count, const char* one, const char* many);

// The number that the whole text is, also "inf" and "nan"; std::nullopt if it is none. Without sign + and without blanks.
std::optional<double> number_in(std::string_view text);

// The shortest text that reads back as the same number.
std::string exact(double x);

// A number for people: at most `digits` significant digits, without trailing zeros.
std::string readable(double x, int digits = 6);

// Digits with which `readable` gives different texts for numbers that differ: at least min_digits, at most 17.
int distinguishing_digits(std::initializer_list<double> numbers, int min_digits);

// µ, m, k ...: the power of 1000 that leaves one to three digits before the point; none from `short_from` to 1e4.
struct Prefix {
    const char* letter;
    double factor;
};
Prefix prefix_for(double largest, double short_from = 1e-2);

// "14.3 mm/s": a number for people, with a prefix to its unit.
std::string in_units(double x, const std::string& unit, int digits = 4);

}  // namespace bristle::base
