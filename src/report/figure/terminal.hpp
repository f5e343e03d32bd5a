// Properties of the terminal of standard output.
#pragma once

namespace bristle::report {

// Columns of the terminal, between 60 and 160: COLUMNS if it is set, else the width that the terminal reports, else 80.
int terminal_columns();

}  // namespace bristle::report
