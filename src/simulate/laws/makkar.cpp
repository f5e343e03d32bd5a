#include "../methods.hpp"

BRISTLE_SIMULATE(Makkar)
