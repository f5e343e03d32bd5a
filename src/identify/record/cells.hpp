// Cells of a table: splitting of a line of text, numbers, times of day and dates.
#pragma once
#include <string_view>
#include <vector>

namespace bristle::inline identification::record_detail {

// Delimiter ' ' stands for any number of blanks and tabs.
struct Dialect {
    char delimiter = ',';
    char decimal = '.';
    friend bool operator==(const Dialect&, const Dialect&) = default;
};

// The cells of one line, from left to right. Quotes around a cell are removed; doubled quotes inside it are kept as they are.
class CellCursor {
  public:
    CellCursor(std::string_view line, char delimiter);
    // False after the last cell. An empty line has no cell.
    bool next(std::string_view& cell);

  private:
    const char *at_, *end_;
    char delimiter_;
    bool more_;
};

// The line as a table row has it: without blanks, carriage return and delimiters of another dialect at its end.
std::string_view row_of(std::string_view line, char delimiter);
std::vector<std::string_view> cells_of(std::string_view line, char delimiter);

// True if the cell is a number ("1.5", "+1,5", ".5", "1e-3", "1D-3", "nan", "inf", "true", "FALSE"). Too large: infinity.
bool read_number(std::string_view cell, char decimal, double& x);

// A time of day, a date, or both.
struct Stamp {
    long day = 0;         // days since 1970-01-01; 0 without a date
    long seconds = 0;     // whole ones since midnight; a zone can make them negative
    double fraction = 0;  // of a second; kept apart, so that differences of stamps do not lose digits
    bool has_date = false, has_time = false;
};
// "12:03:04.5", "03:04.5" (minutes and seconds, with a fraction), "2020-07-08 21:54:05", "2020-07-08T21:54:05.1Z",
// "08.07.2020 21:54:05,1", "7/8/2020 9:54:05 PM" (month first, unless it is above 12).
bool read_stamp(std::string_view cell, Stamp& stamp);

// Seconds from the first whole second. A time of day without date that falls by more than 12 h begins a new day.
class StampClock {
  public:
    double seconds(const Stamp& stamp) {
        long whole = stamp.day * 86400 + stamp.seconds + days_ * 86400;
        if (!started_) first_ = whole;
        if (started_ && !stamp.has_date && whole < last_ - 43200) {
            ++days_;
            whole += 86400;
        }
        started_ = true;
        last_ = whole;
        return double(whole - first_) + stamp.fraction;
    }

  private:
    bool started_ = false;
    long first_ = 0, last_ = 0, days_ = 0;
};
// Subtracts the first time from all.
void shift_to_first(std::vector<double>& times);

}  // namespace bristle::identification::record_detail
