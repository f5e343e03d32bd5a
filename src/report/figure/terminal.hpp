// What is known of the terminal that standard output goes to.
#pragma once

namespace bristle::report {

// Columns of the terminal, between 60 and 160: COLUMNS where it is set, else what the terminal says, else 80.
int terminal_columns();

}  // namespace bristle::report
