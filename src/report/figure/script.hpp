// A figure as text: the gnuplot script that draws it.
#pragma once
#include "report/figure/table.hpp"

namespace bristle::report {

// The script for NAME.svg and NAME.png, reading the table from the file data.
std::string picture_script(const Figure& figure, const Table& table, const std::string& name, const std::string& data);

// The script for a picture of characters, `columns` wide, in the file out.
std::string terminal_script(const Figure& figure, const Table& table, const std::string& data, const std::string& out,
                            int columns);

}  // namespace bristle::report
