// Random tables in random dialects, read back to the last bit; and cells one by one. Oracle: the numbers that were written, and strtod.
#include "identify/record/cells.hpp"
#include "record_texts.hpp"

#include <charconv>
#include <random>

namespace {

using namespace record_texts;
using namespace bristle::record_detail;

std::string shortest(double x) {
    char buffer[40];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int below(int n) { return int(engine_() % unsigned(n)); }
    bool flip() { return below(2) == 1; }
    template <class T>
    const T& one_of(const std::vector<T>& items) {
        return items[std::size_t(below(int(items.size())))];
    }
    double number() {  // of any size, with few or with all digits
        const double x = (double(engine_()) / 4294967296.0 - 0.5) * std::pow(10, below(9) - 4);
        return flip() ? x : std::round(x * 1000) / 1000;
    }

  private:
    std::mt19937 engine_;
};

struct Written {
    std::string text;
    std::vector<double> t, x, f;
};

// A table with time, position, force and other columns in random order, written in a random dialect.
Written random_table(Random& random) {
    const struct {
        const char* delimiter;
        bool comma;
    } dialects[] = {{",", false}, {";", false}, {";", true},  {"\t", false}, {"\t", true},
                    {" ", false}, {"  ", true}, {"|", false}, {", ", false}};
    const auto& dialect = dialects[random.below(9)];
    const std::string end = random.flip() ? "\n" : "\r\n";
    const bool blanks = dialect.delimiter[0] == ' ';
    const std::vector<std::vector<std::string>> names = {{"t", "time [s]", "Zeit", "t_s", "Time (s)"},
                                                         {"x", "pos [m]", "Weg", "q_m", "Position (m)"},
                                                         {"F", "Force [N]", "Kraft", "F_N", "friction (N)"}};
    std::vector<int> order = {0, 1, 2};
    for (int others = random.below(4); others > 0; --others)
        order.insert(order.begin() + random.below(int(order.size()) + 1), 3);
    Written written;
    if (random.flip()) written.text += "\xEF\xBB\xBF";
    for (int i = random.below(4); i > 0; --i)
        written.text += random.one_of<std::string>({"Device: bench", "Version 7", "exported data"}) + end;
    if (random.flip()) written.text += end;
    const std::size_t style = std::size_t(random.below(5));
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::string name = order[i] == 3 ? "other" + std::to_string(i) : names[std::size_t(order[i])][style];
        if (!blanks && random.below(4) == 0) name = '"' + name + '"';
        written.text += (i ? dialect.delimiter : "") + name;
    }
    written.text += end;
    double t = random.number();
    const int rows = 2 + random.below(60);
    for (int row = 0; row < rows; ++row) {
        t += 0.01 + 0.001 * random.below(10);
        const double numbers[] = {t, random.number(), random.number(), random.number()};
        written.t.push_back(numbers[0]), written.x.push_back(numbers[1]), written.f.push_back(numbers[2]);
        for (std::size_t i = 0; i < order.size(); ++i) {
            std::string cell = shortest(numbers[order[i]]);
            if (dialect.comma) cell = comma(cell);
            if (!blanks && random.below(8) == 0) cell = '"' + cell + '"';
            written.text += (i ? dialect.delimiter : "") + cell;
        }
        if (row + 1 < rows || random.flip()) written.text += end;
        if (random.below(10) == 0) written.text += end;
        if (random.below(20) == 0 && row + 1 < rows) written.text += "# remark" + end;
    }
    return written;
}

TEST(RandomDialect, TablesAreReadBackExactly) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        const Written written = random_table(random);
        const std::string message = message_of(written.text);
        ASSERT_EQ(message, "") << "seed " << seed << "\n" << written.text;
        const Record record = read(written.text);
        ASSERT_EQ(record.runs.size(), 1u) << "seed " << seed;
        ASSERT_EQ(record.runs[0].time, written.t) << "seed " << seed << "\n" << written.text;
        ASSERT_EQ(record.runs[0].position, written.x) << "seed " << seed << "\n" << written.text;
        ASSERT_EQ(record.runs[0].force, written.f) << "seed " << seed << "\n" << written.text;
    }
}

TEST(ReadNumber, AcceptsTheUsualForms) {
    const struct {
        const char* text;
        char decimal;
        double value;
    } cases[] = {{"1.5", '.', 1.5},      {"+1.5", '.', 1.5},      {"-.5", '.', -0.5},    {"5.", '.', 5},
                 {"1e3", '.', 1000},     {"1.5E-3", '.', 1.5e-3}, {"1.5D+3", '.', 1500}, {"1,5", ',', 1.5},
                 {"-0,25e1", ',', -2.5}, {"7", ',', 7},           {" 7 ", '.', 7},       {"true", '.', 1},
                 {"FALSE", '.', 0},      {"1e-999", '.', 0},      {",5", ',', 0.5}};
    for (const auto& [text, decimal, value] : cases) {
        double x = -1;
        EXPECT_TRUE(read_number(text, decimal, x)) << text;
        EXPECT_EQ(x, value) << text;
    }
    double x = 0;
    EXPECT_TRUE(read_number("NaN", '.', x) && std::isnan(x));
    EXPECT_TRUE(read_number("-inf", ',', x) && x == -HUGE_VAL);
    EXPECT_TRUE(read_number("1e999", '.', x) && x == HUGE_VAL);
}
TEST(ReadNumber, RefusesOtherText) {
    double x;
    for (const char* text : {"", " ", "-", "+", "+-1", "1.5.2", "1e", "1 2", "0x10", "1,5", "12:30", "abc", "1.5 N",
                             "--1", "e5", "D5", "."})
        EXPECT_FALSE(read_number(text, '.', x)) << text;
    for (const char* text : {"1.234,5", "1,234,567", "1,", "1.5", ","}) EXPECT_FALSE(read_number(text, ',', x)) << text;
}

TEST(ReadStamp, AcceptsTimesAndDates) {
    const struct {
        const char* text;
        long day, seconds;  // 2020-07-08 is day 18 451 of the Unix epoch (date -d 2020-07-08 +%s = 1594166400)
        double fraction;
    } cases[] = {{"12:03:04.5", 0, 43384, 0.5},
                 {"0:00:01,25", 0, 1, 0.25},
                 {"03:04.5", 0, 184, 0.5},
                 {"2020-07-08", 18451, 0, 0},
                 {"2020-07-08 21:54:05", 18451, 78845, 0},
                 {"2020-07-08T21:54:05.125Z", 18451, 78845, 0.125},
                 {"2020-07-08T21:54:05+02:00", 18451, 71645, 0},
                 {"08.07.2020 21:54:05,5", 18451, 78845, 0.5},
                 {"7/8/2020 9:54:05 PM", 18451, 78845, 0},
                 {"7/8/2020 12:00:00 AM", 18451, 0, 0},
                 {"28/2/2020 00:00:00", 18320, 0, 0},
                 {"2020/02/29 00:00:00", 18321, 0, 0}};
    for (const auto& [text, day, seconds, fraction] : cases) {
        Stamp stamp;
        EXPECT_TRUE(read_stamp(text, stamp)) << text;
        EXPECT_EQ(stamp.day, day) << text;
        EXPECT_EQ(stamp.seconds, seconds) << text;
        EXPECT_EQ(stamp.fraction, fraction) << text;
    }
    Stamp stamp;
    for (const char* text :
         {"", "12:30", "1.5", "25-13-2020", "2020-13-08", "12:61:00", "2020-07-08 x", "3.6.1.0", "noon", "12:00:00 N"})
        EXPECT_FALSE(read_stamp(text, stamp)) << text;
}

}  // namespace
