// All methods for one law: what each file of laws/ instantiates, so that a law is compiled once and by itself.
#pragma once
#include "cvode.hpp"
#include "fixed.hpp"

#define BRISTLE_SIMULATE(Law)                                                     \
    namespace bristle::simulate {                                                 \
    template Result simulate_adaptive(const Law&, const Setup&, const Progress&); \
    template Result simulate_fixed(const Law&, const Setup&, const Progress&);    \
    template Result simulate_cvode(const Law&, const Setup&, const Progress&);    \
    }
