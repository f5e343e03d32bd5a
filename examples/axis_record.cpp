// Prints the synthetic record of axis_record.hpp as CSV: this is how examples/axis.csv was made.
#include "axis_record.hpp"

int main() { std::fputs(axis::csv().c_str(), stdout); }
