// All methods for one law. The build makes .cpp files with a few rows of the catalogue each, their numbers as the arguments.
#pragma once
#include "simulate/adaptive.hpp"
#include "simulate/fixed.hpp"

#define BRISTLE_SIMULATE(row)                                                                                          \
    namespace bristle::inline simulation {                                                                             \
    template Result simulate_adaptive(const std::variant_alternative_t<row, LawVariant>&, const Setup&,                \
                                      const Progress&);                                                                \
    template Result simulate_fixed(const std::variant_alternative_t<row, LawVariant>&, const Setup&, const Progress&); \
    }
