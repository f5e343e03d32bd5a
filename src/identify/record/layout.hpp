// Layout of a text table: delimiter, decimal mark, width, names and units, first row. Found from a sample of lines.
#pragma once
#include "identify/record/cells.hpp"
#include "identify/record/table.hpp"

namespace bristle::inline identification::record_detail {

struct TextLayout {
    Dialect dialect;
    TableHead head;
    std::size_t offset = 0;      // of the first row in the text
    long line = 0;               // before the first row
    double bytes_per_line = 1;   // about
    std::vector<char> is_blank;  // by column: 1 if its cells are empty
    std::size_t width() const { return head.columns.size(); }
};

// Throws Error if the text has no table of at least two columns of numbers.
TextLayout find_layout(std::string_view text, const std::string& place);

}  // namespace bristle::identification::record_detail
