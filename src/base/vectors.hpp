// std::vector<double> is compiled once, with optimisation, in vectors.cpp.
//
// Parts of the program that are compiled without optimisation (report, gallery, cli) include this file: without it they contain the
// same functions, the linker keeps the first it meets, and solvers would call those.
#pragma once
#include <vector>

extern template class std::vector<double>;
