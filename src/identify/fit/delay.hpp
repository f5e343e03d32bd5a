// Delay of the force behind the motion: whether the record shows one.
//
// The residual of a static curve is mostly presliding and hides a delay of a few samples. Two laws are therefore compared with and without
// a delay: the static curve (context.cpp), then LuGre if the curve shows no delay. A delay is accepted if it lowers the residual clearly (information criterion).
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// A quick fit: LuGre (Stribeck friction for static points) on the fitted rows of the short record, from two starts.
FittedLaw rough_fit(const FitContext& context);

// Sets the delay of the context to be found, with its start value, if LuGre with a delay describes the record clearly better than the
// rough fit without; the rough fit is then the one with the delay. Does nothing if the delay is given or already to be found.
void find_delay_by_lugre(FitContext& context, FittedLaw& rough);

}  // namespace bristle::identification
