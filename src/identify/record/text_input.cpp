// Checks that a file is text, and conversion from UTF-16.
#include "identify/record/text_input.hpp"

#include <bristle/identify/record.hpp>

#include <algorithm>

namespace bristle::inline identification::record_detail {

namespace {

struct Signature {
    std::string_view bytes;
    const char* what;
};
using namespace std::string_view_literals;
constexpr Signature signatures[] = {{"MATLAB 5.0"sv, "a MATLAB file"},
                                    {"PK\x03\x04"sv, "a spreadsheet or zip file"},
                                    {"\x89HDF"sv, "an HDF5 file"},
                                    {"TDSm"sv, "a TDMS file"},
                                    {"PAR1"sv, "a Parquet file"},
                                    {"\x1F\x8B"sv, "a compressed file"},
                                    {"\xD0\xCF\x11\xE0"sv, "a spreadsheet"},
                                    {"%PDF"sv, "a PDF file"}};

void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xC0 | (code >> 6));
        out += char(0x80 | (code & 0x3F));
    } else {
        out += char(0xE0 | (code >> 12));
        out += char(0x80 | ((code >> 6) & 0x3F));
        out += char(0x80 | (code & 0x3F));
    }
}

// Characters beyond the basic plane do not occur in numbers and units; they become '?'.
void from_utf16(std::string_view raw, bool little, std::string& out) {
    out.clear();
    out.reserve(raw.size() / 2 + 16);
    for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
        const unsigned a = static_cast<unsigned char>(raw[i]), b = static_cast<unsigned char>(raw[i + 1]);
        const unsigned code = little ? a | b << 8 : a << 8 | b;
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? '?' : code);
    }
}

}  // namespace

std::string_view usable_text(std::string_view raw, const std::string& place, std::string& buffer) {
    if (raw.empty()) throw RecordError({{place, 0, "the file is empty", RecordProblemKind::empty}});
    for (const auto& [bytes, what] : signatures)
        if (raw.starts_with(bytes))
            throw RecordError({{place, 0, std::string("is ") + what + ", not text; export the record as CSV or JSON",
                                RecordProblemKind::not_text}});
    if (raw.starts_with("\xFF\xFE") || raw.starts_with("\xFE\xFF")) {
        from_utf16(raw.substr(2), raw.starts_with("\xFF\xFE"), buffer);
        raw = buffer;
    } else if (raw.starts_with("\xEF\xBB\xBF")) {
        raw.remove_prefix(3);
    }
    if (raw.find_first_not_of(" \t\r\n") == raw.npos)
        throw RecordError({{place, 0, "the file is empty", RecordProblemKind::empty}});
    constexpr std::size_t inspected = 65536;
    const std::string_view start = raw.substr(0, inspected);
    const auto control = std::count_if(start.begin(), start.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
    if (start.find('\0') != start.npos || std::size_t(control) * 100 > start.size())
        throw RecordError(
            {{place, 0, "is binary, not text; export the record as CSV or JSON", RecordProblemKind::not_text}});
    return raw;
}

Lines::Lines(std::string_view text, std::size_t offset, long number)
    : text_(text), offset_(offset), number_(number), mark_('\n') {
    constexpr std::size_t inspected = 1 << 20;
    const std::string_view start = text.substr(0, inspected);
    if (start.find('\n') == start.npos && start.find('\r') != start.npos) mark_ = '\r';
}

}  // namespace bristle::identification::record_detail
