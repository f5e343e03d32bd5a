#include "../methods.hpp"

BRISTLE_SIMULATE(AnyCoulomb)
