// The functions of std::vector<double> for all parts of the program.
#include "base/vectors.hpp"

template class std::vector<double>;
