// Cells as numbers and times. read_number is called for each cell of a file: no allocation, std::from_chars.
#include "identify/record/cells.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace bristle::inline identification::record_detail {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// from_chars for the whole text. Too large: infinity; too small: 0.
bool whole_number(const char* begin, const char* end, double& x) {
    const auto [stop, problem] = std::from_chars(begin, end, x);
    if (stop != end || problem == std::errc::invalid_argument) return false;
    if (problem == std::errc::result_out_of_range) {
        const bool small =
            std::string_view(begin, std::size_t(end - begin)).find_first_of("eE") != std::string_view::npos &&
            std::string_view(begin, std::size_t(end - begin)).find("-", 1) != std::string_view::npos;
        x = small ? 0 : std::numeric_limits<double>::infinity() * (*begin == '-' ? -1 : 1);
    }
    return true;
}

bool same_word(std::string_view cell, std::string_view word) {
    return cell.size() == word.size() &&
           std::equal(cell.begin(), cell.end(), word.begin(), [](char a, char b) { return (a | 0x20) == b; });
}

// Decimal comma, exponent with D: rewritten into a buffer. A comma needs a digit on its right.
bool rewritten_number(std::string_view cell, char decimal, double& x) {
    char buffer[64];
    if (cell.size() > sizeof buffer) return false;
    bool digits = false;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        char c = cell[i];
        if (decimal == ',' && c == '.') return false;  // 1.234,5: the point would group digits
        if (decimal == ',' && c == ',') {
            if (i + 1 == cell.size() || !is_digit(cell[i + 1])) return false;
            c = '.';
        } else if ((c == 'd' || c == 'D') && digits) {
            c = 'e';
        }
        digits = digits || is_digit(c);
        buffer[i] = c;
    }
    return whole_number(buffer, buffer + cell.size(), x);
}

}  // namespace

CellCursor::CellCursor(std::string_view line, char delimiter)
    : at_(line.data()), end_(line.data() + line.size()), delimiter_(delimiter), more_(!line.empty()) {
    if (delimiter == ' ')
        while (at_ < end_ && is_blank(*at_)) ++at_;
    more_ = at_ < end_;
}

bool CellCursor::next(std::string_view& cell) {
    if (!more_) return false;
    const char* begin = at_;
    while (begin < end_ && is_blank(*begin) && *begin != delimiter_) ++begin;
    const char* stop = begin;
    if (begin < end_ && *begin == '"') {  // to the closing quote
        const char* close = begin + 1;
        while (close < end_ && (*close != '"' || (close + 1 < end_ && close[1] == '"'))) close += *close == '"' ? 2 : 1;
        if (close < end_) stop = close + 1;
    }
    if (delimiter_ == ' ') {
        while (stop < end_ && !is_blank(*stop)) ++stop;
        at_ = stop;
        while (at_ < end_ && is_blank(*at_)) ++at_;
        more_ = at_ < end_;
    } else {
        while (stop < end_ && *stop != delimiter_) ++stop;
        more_ = stop < end_;
        at_ = stop + more_;
    }
    while (stop > begin && is_blank(stop[-1])) --stop;
    if (stop - begin >= 2 && *begin == '"' && stop[-1] == '"') ++begin, --stop;
    cell = std::string_view(begin, std::size_t(stop - begin));
    return true;
}

std::string_view row_of(std::string_view line, char delimiter) {
    while (!line.empty()) {
        const char c = line.back();
        const bool foreign = (c == ',' || c == ';') && c != delimiter;  // 1;2;3,,
        if (c != '\r' && c != ' ' && !(c == '\t' && delimiter != '\t') && !foreign) break;
        line.remove_suffix(1);
    }
    if (line.size() > 2 && line.front() == '"' &&
        line.back() == '"') {  // "1;2;3": a row that a spreadsheet took for a cell
        const std::string_view inner = line.substr(1, line.size() - 2);
        if (inner.find('"') == inner.npos && inner.find(delimiter) != inner.npos) line = inner;
    }
    if (delimiter == '|') {  // | 1 | 2 |
        while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
        if (line.starts_with('|')) line.remove_prefix(1);
        if (line.ends_with('|')) line.remove_suffix(1);
    }
    return line;
}

std::vector<std::string_view> cells_of(std::string_view line, char delimiter) {
    std::vector<std::string_view> cells;
    CellCursor cursor(row_of(line, delimiter), delimiter);
    for (std::string_view cell; cursor.next(cell);) cells.push_back(cell);
    return cells;
}

bool read_number(std::string_view cell, char decimal, double& x) {
    const char *begin = cell.data(), *end = begin + cell.size();
    if (begin == end) return false;
    if (is_blank(*begin) || is_blank(end[-1])) {
        cell = trimmed(cell);
        if (cell.empty()) return false;
        begin = cell.data(), end = begin + cell.size();
    }
    if (*begin == '+') {
        ++begin;
        if (begin == end || *begin == '-' || *begin == '+') return false;
    }
    if (decimal == '.' && whole_number(begin, end, x)) return true;
    const std::string_view rest(begin, std::size_t(end - begin));
    const char first = *begin;
    if (is_digit(first) || first == '-' || first == '.' || first == ',') return rewritten_number(rest, decimal, x);
    if (same_word(rest, "true")) return x = 1, true;
    if (same_word(rest, "false")) return x = 0, true;
    return decimal == ',' && whole_number(begin, end, x);  // nan, inf
}

namespace {

// Digits at the front of a text, taken off; at most max_digits of them. -1 if there is none.
long take_digits(std::string_view& text, std::size_t max_digits = 9) {
    std::size_t n = 0;
    long value = 0;
    while (n < text.size() && n < max_digits && is_digit(text[n])) value = 10 * value + (text[n++] - '0');
    text.remove_prefix(n);
    return n == 0 ? -1 : value;
}
bool take(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

// Days since 1970-01-01 of a date of the Gregorian calendar (Hinnant, days_from_civil).
long days_from_civil(long y, long m, long d) {
    y -= m <= 2;
    const long era = (y >= 0 ? y : y - 399) / 400;
    const long yoe = y - era * 400;
    const long doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

bool take_date(std::string_view& text, Stamp& stamp) {
    std::string_view rest = text;
    const long a = take_digits(rest, 4);
    if (a < 0 || rest.empty()) return false;
    const char mark = rest.front();
    if (mark != '-' && mark != '/' && mark != '.') return false;
    rest.remove_prefix(1);
    const long b = take_digits(rest, 2);
    if (b < 0 || !take(rest, mark)) return false;
    const long c = take_digits(rest, 4);
    if (c < 0) return false;
    long year = a, month = b, day = c;
    if (a <= 31) {
        year = c < 100 ? c + 2000 : c;
        const bool day_first = mark == '.' || a > 12;
        day = day_first ? a : b;
        month = day_first ? b : a;
    }
    if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    stamp.day = days_from_civil(year, month, day);
    stamp.has_date = true;
    text = rest;
    return true;
}

// h:mm:ss with a fraction, or mm:ss.f
bool take_time(std::string_view& text, Stamp& stamp) {
    std::string_view rest = text;
    const long a = take_digits(rest, 3);
    if (a < 0 || !take(rest, ':')) return false;
    const long b = take_digits(rest, 2);
    if (b < 0 || b > 59) return false;
    const bool three = take(rest, ':');
    const long c = three ? take_digits(rest, 2) : 0;
    if (c < 0 || c > 60) return false;
    double fraction = 0;
    const bool has_fraction =
        !rest.empty() && (rest.front() == '.' || rest.front() == ',') && rest.size() > 1 && is_digit(rest[1]);
    if (has_fraction) {
        char buffer[24] = "0.";
        std::size_t n = 2;
        rest.remove_prefix(1);
        while (!rest.empty() && is_digit(rest.front())) {
            if (n < sizeof buffer) buffer[n++] = rest.front();
            rest.remove_prefix(1);
        }
        std::from_chars(buffer, buffer + n, fraction);
    }
    if (!three && !has_fraction) return false;  // 12:30: hours or minutes?
    stamp.seconds = three ? a * 3600 + b * 60 + c : a * 60 + b;
    stamp.fraction = fraction;
    stamp.has_time = true;
    text = rest;
    return true;
}

// AM, PM, Z, +02:00
void take_zone(std::string_view& text, Stamp& stamp) {
    text = trimmed(text);
    const auto word = text.size() == 2 ? text : std::string_view();
    if (same_word(word, "pm") && stamp.seconds < 12 * 3600) stamp.seconds += 12 * 3600;
    if (same_word(word, "am") && stamp.seconds >= 12 * 3600) stamp.seconds -= 12 * 3600;
    if (same_word(word, "am") || same_word(word, "pm")) return text.remove_prefix(2);
    if (take(text, 'Z')) return;
    std::string_view rest = text;
    const bool plus = take(rest, '+');
    if (!plus && !take(rest, '-')) return;
    const long hours = take_digits(rest, 2);
    take(rest, ':');
    const long minutes = rest.empty() ? 0 : take_digits(rest, 2);
    if (hours < 0 || minutes < 0) return;
    stamp.seconds -= (plus ? 1 : -1) * (hours * 3600 + minutes * 60);
    text = rest;
}

}  // namespace

bool read_stamp(std::string_view cell, Stamp& stamp) {
    stamp = {};
    cell = trimmed(cell);
    if (cell.size() < 5 || cell.size() > 48 || !is_digit(cell.front())) return false;
    if (take_date(cell, stamp)) {
        if (cell.empty()) return true;
        if (!take(cell, 'T')) {
            const std::size_t before = cell.size();
            cell = trimmed(cell);
            if (cell.size() == before && !take(cell, '-')) return false;
        }
    }
    if (!take_time(cell, stamp)) return false;
    take_zone(cell, stamp);
    return cell.empty();
}

void shift_to_first(std::vector<double>& times) {
    if (times.empty()) return;
    const double first = times.front();
    for (double& t : times) t -= first;
}

}  // namespace bristle::identification::record_detail
