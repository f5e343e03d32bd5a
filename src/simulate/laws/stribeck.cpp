#include "../methods.hpp"

BRISTLE_SIMULATE(AnyStribeck)
