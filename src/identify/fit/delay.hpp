// Delay of the force behind the motion: whether the record shows one.
//
// Static friction and a delay explain each other's residuals badly where the contact is in presliding, so two laws are asked: the static curve,
// and LuGre if the curve shows no delay. A delay is accepted if it lowers the residual clearly (information criterion).
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// Sets the delay of the context to be found, with its start value, if LuGre with a delay describes the record clearly better than LuGre
// without; does nothing if the delay is given or already to be found.
void find_delay_by_lugre(FitContext& context);

}  // namespace bristle::identification
