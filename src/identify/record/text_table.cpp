// Rows of a text table. One pass over the text; cells that are not wanted are skipped.
#include "base/text.hpp"
#include "identify/record/layout.hpp"
#include "identify/record/text_input.hpp"

#include <bristle/identify/record.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::inline identification::record_detail {

namespace {

class TextTable : public Table {
  public:
    TextTable(std::string_view text, const std::string& place) : text_(text), layout_(find_layout(text, place)) {}

    const TableHead& head() const override { return layout_.head; }

    TableCells read(std::span<const std::size_t> wanted, const Ticker& ticker) const override {
        TableCells cells;
        cells.columns.resize(wanted.size());
        const double left = double(text_.size() - layout_.offset);
        const auto expected = std::size_t(left / std::max(layout_.bytes_per_line, 1.0) * 1.02) + 16;
        for (auto& column : cells.columns) column.reserve(expected);
        cells.line.reserve(expected);
        std::vector<int> slot(layout_.width(), -1);
        for (std::size_t i = 0; i < wanted.size(); ++i) slot[wanted[i]] = int(i);
        std::vector<StampClock> clocks(wanted.size());
        std::vector<double> row(wanted.size());

        Lines lines(text_, layout_.offset, layout_.line);
        std::size_t count = 0;
        for (std::string_view line; lines.next(line);) {
            if (++count % 65536 == 0) ticker.at(double(lines.offset() - layout_.offset) / left);
            line = row_of(line, layout_.dialect.delimiter);
            if (line.empty() || is_comment(line)) continue;
            BadCell bad;
            if (!read_row(line, slot, clocks, row, bad)) {
                cells.rejected.push_back(std::uint32_t(lines.number()));
                if (cells.bad_count() <= TableCells::bad_listed) {
                    bad.line = lines.number();
                    cells.bad.push_back(std::move(bad));
                }
                continue;
            }
            if (cells.line.size() == max_rows) throw RecordError({{layout_.head.place, 0, "has more than 4e9 rows"}});
            for (std::size_t i = 0; i < row.size(); ++i) cells.columns[i].push_back(row[i]);
            cells.line.push_back(std::uint32_t(lines.number()));
        }
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (layout_.head.columns[wanted[i]].stamps) shift_to_first(cells.columns[i]);
        return cells;
    }

  private:
    // False if a wanted cell is no number, if cells are missing, or if a column that is empty elsewhere has a text.
    bool read_row(std::string_view line, const std::vector<int>& slot, std::vector<StampClock>& clocks,
                  std::vector<double>& row, BadCell& bad) const {
        CellCursor cursor(line, layout_.dialect.delimiter);
        std::size_t column = 0;
        const std::size_t width = slot.size();
        for (std::string_view cell; cursor.next(cell); ++column) {
            const int at = column < width ? slot[column] : -1;
            if (at < 0) {
                const bool annotation = !cell.empty() && (column >= width || layout_.is_blank[column]);
                if (annotation) return bad_cell(column, cell, bad);
                continue;
            }
            double x = 0;
            if (layout_.head.columns[column].stamps) {
                Stamp stamp;
                if (!read_stamp(cell, stamp)) return bad_cell(column, cell, bad);
                x = clocks[std::size_t(at)].seconds(stamp);
            } else if (!read_number(cell, layout_.dialect.decimal, x)) {
                return bad_cell(column, cell, bad);
            }
            row[std::size_t(at)] = x;
        }
        for (; column < width; ++column)  // cut off
            if (!layout_.is_blank[column]) {
                bad.column = column;
                bad.missing = true;
                return false;
            }
        return true;
    }
    static bool bad_cell(std::size_t column, std::string_view cell, BadCell& bad) {
        bad.column = column;
        bad.text = shortened(plain_text(cell.substr(0, 200)), 40);
        return false;
    }

    std::string_view text_;
    TextLayout layout_;
};

}  // namespace

std::unique_ptr<Table> open_text_table(std::string_view text, const std::string& place) {
    return std::make_unique<TextTable>(text, place);
}

}  // namespace bristle::identification::record_detail
