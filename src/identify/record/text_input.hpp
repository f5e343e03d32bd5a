// Text of a file as UTF-8, and its lines.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

namespace bristle::inline identification::record_detail {

// The text without byte order mark; UTF-16 is converted into `buffer`. Throws RecordError if the text is empty or binary.
std::string_view usable_text(std::string_view raw, const std::string& place, std::string& buffer);

// Lines of a text from `offset` on. Line ends: LF, CRLF (the CR stays at the end of the line), or CR alone.
class Lines {
  public:
    explicit Lines(std::string_view text, std::size_t offset = 0, long number = 0);
    bool next(std::string_view& line) {
        if (offset_ >= text_.size()) return false;
        const char* begin = text_.data() + offset_;
        const void* end = std::memchr(begin, mark_, text_.size() - offset_);
        const std::size_t size = end ? std::size_t(static_cast<const char*>(end) - begin) : text_.size() - offset_;
        line = std::string_view(begin, size);
        offset_ += size + 1;
        ++number_;
        return true;
    }
    std::size_t offset() const { return offset_; }  // of the line after the last one
    long number() const { return number_; }         // of the last line, from 1

  private:
    std::string_view text_;
    std::size_t offset_;
    long number_;
    char mark_;
};

// True if the line begins with #, % or //.
inline bool is_comment(std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

}  // namespace bristle::identification::record_detail
