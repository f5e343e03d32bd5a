// std::vector<double> is compiled once, with optimisation, in vectors.cpp.
//
// Parts of the program that are compiled without optimisation (report, gallery, cli) include this file: without it they contain the
// same functions, the linker keeps the first it meets, and solvers would call those. Programs of the tests are not optimised and do not
// include it. The standard leaves such an instantiation open; libstdc++ and libc++ have it.
#pragma once
#include <vector>

extern template class std::vector<double>;
