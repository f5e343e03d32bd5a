// A table of numbers with named columns, as comma-separated values; and the table behind a figure.
#pragma once
#include "report/figure/figure.hpp"

namespace bristle::report {

// The columns of a figure, each x once for the series that share it.
struct Table {
    struct Column {
        std::string header;  // one line of plain text, with unit
        const std::vector<double>* values;
    };
    std::vector<Column> columns;
    struct Place {
        std::size_t x, y;  // columns of a series, counted from 0
    };
    std::vector<std::vector<Place>> places;  // [panel][series]
};

// Points into the figure, which must outlive it.
Table tabulate(const Figure& figure);

// Comma-separated values: a header line, then one row per point; shorter columns end in empty cells. Numbers read back as the same
// double.
std::string csv(const Table& table);

// A cell of a table: one line, in double quotes if necessary.
std::string cell(const std::string& text);

}  // namespace bristle::report
