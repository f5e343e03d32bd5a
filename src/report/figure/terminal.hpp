// Properties of the terminal of standard output.
#pragma once
#include <cstddef>

namespace bristle::report {

// Columns of the terminal, between 60 and 160: COLUMNS if it is set, else the width that the terminal reports, else 80.
int terminal_columns();
// Width of sentences and tables: one column less than the terminal has, between 60 and 110.
std::size_t text_columns();

}  // namespace bristle::report
