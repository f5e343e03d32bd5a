#include "../methods.hpp"

BRISTLE_SIMULATE(AnyHysteretic)
