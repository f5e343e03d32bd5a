#include "../methods.hpp"

BRISTLE_SIMULATE(AnyLuGre)
