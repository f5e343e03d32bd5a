#include "../methods.hpp"

BRISTLE_SIMULATE(AnyElastoPlastic)
