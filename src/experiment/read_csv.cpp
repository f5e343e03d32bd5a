// The rows of a csv input, checked one by one.
#include "experiment/parts.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace bristle::experiment {

namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return cells;
}

std::optional<double> finite_number(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    const auto x = number_in(cell);
    return x && std::isfinite(*x) ? x : std::nullopt;
}

// "F [N]" -> "N"
std::string_view unit_in(std::string_view cell) {
    const auto open = cell.find('[');
    if (open == cell.npos || !cell.ends_with(']')) return {};
    return trimmed(cell.substr(open + 1, cell.size() - open - 2));
}

class Rows {
  public:
    Rows(const std::string& place, std::span<const std::string_view> units, Diagnostics& diagnostics)
        : place_(place), units_(units), diagnostics_(diagnostics) {}

    // The first line: names with or without units (without: SI), or numbers.
    void first(const std::vector<std::string_view>& cells) {
        if (cells.size() == 2 && finite_number(cells[0]) && finite_number(cells[1])) return row(cells);
        if (cells.size() != 2)
            return diagnose("",
                            "the first line must name two columns: t [s],value [" + std::string(units_.front()) + "]");
        const auto names_unit = [](std::string_view cell) { return cell.find('[') != cell.npos; };
        if (names_unit(cells[0]) && unit_in(cells[0]) != "s")
            diagnose(cells[0], "the first column must be the time in s: t [s]");
        if (names_unit(cells[1]) && std::find(units_.begin(), units_.end(), unit_in(cells[1])) == units_.end())
            diagnose(cells[1], "the second column must be in " + listed_units());
    }
    void row(const std::vector<std::string_view>& cells) {
        if (cells.size() != 2)
            return diagnose("", "must have two columns, time and value, separated by a comma; has " +
                                    std::to_string(cells.size()) + (cells.size() < 2 ? " (is the file cut off?)" : ""));
        const auto t = finite_number(cells[0]), value = finite_number(cells[1]);
        if (!t) diagnose(cells[0], "the time must be a finite number");
        if (!value) diagnose(cells[1], "the value must be a finite number");
        if (!t || !value) return;
        if (!points.empty() && !(*t > points.back().t))
            diagnose(cells[0], "the time must be larger than in the row before");
        else if (!points.empty() && !std::isfinite((*value - points.back().value) / (*t - points.back().t)))
            diagnose(cells[1], "the slope from the row before is not finite");
        points.push_back({*t, *value});
    }
    void diagnose(std::string_view cell, std::string rule) {
        if (++count <= most) diagnostics_.push_back({place_, line, printable(cell), std::move(rule), ""});
    }

    std::vector<Point> points;
    int line = 0;
    int count = 0;                  // problems
    static constexpr int most = 5;  // reported of one file: a wrong separator is wrong in every line

  private:
    std::string listed_units() const {
        std::string text;
        for (const std::string_view unit : units_) append_item(text, "[" + std::string(unit) + "]", " or ");
        return text;
    }

    const std::string& place_;
    std::span<const std::string_view> units_;
    Diagnostics& diagnostics_;
};

}  // namespace

std::vector<Point> read_points(std::string_view text, const std::string& place, std::span<const std::string_view> units,
                               Diagnostics& diagnostics) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
    Rows rows(place, units, diagnostics);
    bool named = false;
    for (std::size_t begin = 0; begin < text.size() && rows.count < Rows::most;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(text.substr(begin, end - begin));
        begin = end + 1;
        ++rows.line;
        if (line.empty() || line.starts_with('#')) continue;
        named ? rows.row(cells_of(line)) : rows.first(cells_of(line));
        named = true;
    }
    if (rows.count == 0 && rows.points.size() < 2) rows.diagnose("", "must have at least two rows of numbers");
    if (rows.count > 0) return {};
    return std::move(rows.points);
}

}  // namespace bristle::experiment
