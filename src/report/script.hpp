// A figure as text: the table behind it, and the gnuplot script that draws it.
#pragma once
#include <report/figure.hpp>

namespace bristle::report {

// The columns of a figure, each x once for the series that share it.
struct Table {
    struct Column {
        std::string header;  // with unit
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

// Comma-separated values: a header line, then one row a point; shorter columns end in empty cells. Numbers read back as the same
// double.
std::string csv(const Table& table);

// The script for NAME.svg and NAME.png, reading the table from the file data.
std::string picture_script(const Figure& figure, const Table& table, const std::string& name, const std::string& data);

// The script for a picture made of characters on standard output.
std::string terminal_script(const Figure& figure, const Table& table, const std::string& data);

}  // namespace bristle::report
