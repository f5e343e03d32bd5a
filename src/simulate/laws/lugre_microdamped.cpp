#include "../methods.hpp"

BRISTLE_SIMULATE(AnyMicrodamped)
