// All methods for one law. The build makes one .cpp per row of the catalogue, with its number as the argument.
#pragma once
#include "simulate/adaptive.hpp"
#include "simulate/fixed.hpp"

#define BRISTLE_SIMULATE(row)                                                          \
    namespace bristle::inline simulation {                                             \
    using LawOfRow = std::variant_alternative_t<row, LawVariant>;                      \
    template Result simulate_adaptive(const LawOfRow&, const Setup&, const Progress&); \
    template Result simulate_fixed(const LawOfRow&, const Setup&, const Progress&);    \
    }
