// Text for terminals, pictures and tables, and numbers as text.
#include "base/text.hpp"
#include <bristle/describe.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace bristle::inline base {

namespace {

constexpr std::string_view replacement = "\uFFFD";

// The first character of a text: its code and its size in bytes; size 0 if it is not valid UTF-8.
struct Character {
    char32_t code;
    std::size_t size;
};
Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || size > text.size()) return {0, 0};
    char32_t code = lead & (0xffu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {0, 0};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < smallest[size] || code > 0x10ffff || surrogate) return {0, 0};
    return {code, size};
}

// Control characters, marks that change the writing direction, and characters that XML does not allow.
bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0x2028 || c == 0x2029 || c == 0xfffe || c == 0xffff;
}

}  // namespace

std::string plain_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto [code, size] = first_of(text);
        if (size == 0)
            out += replacement;
        else if (code == '\n' || code == '\r' || code == '\t')
            out += ' ';
        else if (!is_control(code))
            out += text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

std::string plain_lines(std::string_view text) {
    std::string out;
    for (;;) {
        const auto end = text.find('\n');
        out += plain_text(text.substr(0, end));
        if (end == text.npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

std::size_t letters(std::string_view text) {
    // bytes that begin a character
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t most) {
    if (letters(text) <= most) return text;
    std::string out;
    for (std::size_t at = 0, count = 0; at < text.size(); ++at) {
        if ((text[at] & 0xc0) != 0x80 && ++count >= most) break;
        out += text[at];
    }
    return out + "…";
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t length = letters(text);
    return text + std::string(length < width ? width - length : 1, ' ');
}

std::string_view trimmed(std::string_view text) {
    constexpr const char* blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

void append_item(std::string& list, std::string_view item, std::string_view separator) {
    if (!list.empty()) list.append(separator);
    list.append(item);
}

void append_wrapped(std::string& out, std::string_view text, std::size_t width, std::size_t indent, std::size_t hang) {
    append_wrapped(out, text, width, std::string(indent, ' '), std::string(indent + hang, ' '));
}

void append_wrapped(std::string& out, std::string_view text, std::size_t width, std::string_view first,
                    std::string_view others) {
    std::size_t begin = letters(first), column = begin;
    out.append(first);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const std::string_view word = text.substr(from, to - from);
        if (column > begin && column + 1 + letters(word) > width) {
            out.append("\n").append(others);
            column = begin = letters(others);
        } else if (column > begin) {
            out += ' ';
            ++column;
        }
        out += word;
        column += letters(word);
        from = to + 1;
    }
    out += '\n';
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::optional<double> number_in(std::string_view text) {
    double x = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, x);
    if (problem != std::errc() || stop != end) return {};
    return x;
}

std::string exact(double x) {
    std::array<char, 32> digits;
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}

Prefix prefix_for(double largest, double short_from) {
    constexpr std::array<Prefix, 4> smaller{{{"m", 1e3}, {"µ", 1e6}, {"n", 1e9}, {"p", 1e12}}};
    constexpr std::array<Prefix, 3> larger{{{"k", 1e-3}, {"M", 1e-6}, {"G", 1e-9}}};
    if (largest > 0 && largest < short_from)
        for (const Prefix& prefix : smaller)
            if (largest * prefix.factor >= 1) return prefix;
    if (largest >= 1e4)
        for (const Prefix& prefix : larger)
            if (largest * prefix.factor < 1e3) return prefix;
    return {"", 1};
}

std::string readable(double x, int digits) { return quantity(x, "", digits); }

int distinguishing_digits(std::initializer_list<double> numbers, int min_digits) {
    constexpr int max_digits = 17;  // distinguish all doubles
    const auto look_equal = [&](int digits) {
        for (auto a = numbers.begin(); a != numbers.end(); ++a)
            for (auto b = numbers.begin(); b != a; ++b)
                if (*a != *b && readable(*a, digits) == readable(*b, digits)) return true;
        return false;
    };
    int digits = min_digits;
    while (digits < max_digits && look_equal(digits)) ++digits;
    return digits;
}

std::string in_units(double x, const std::string& unit, int digits) {
    const Prefix prefix = prefix_for(std::abs(x), 0.1);
    return readable(x * prefix.factor, digits) + " " + prefix.letter + unit;
}

}  // namespace bristle::base
