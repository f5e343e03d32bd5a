#include "../methods.hpp"

BRISTLE_SIMULATE(AnyMaxwellSlip)
