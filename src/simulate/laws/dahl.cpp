#include "../methods.hpp"

BRISTLE_SIMULATE(Dahl)
