#include "../methods.hpp"

BRISTLE_SIMULATE(AnySmoothLuGre)
