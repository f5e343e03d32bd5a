#include "../methods.hpp"

BRISTLE_SIMULATE(SmoothFriction)
