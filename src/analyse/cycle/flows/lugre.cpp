#include "../flow_run.hpp"

BRISTLE_FLOW(simulate::AnyLuGre)
