#include "../methods.hpp"

BRISTLE_SIMULATE(MakkarLuGre)
