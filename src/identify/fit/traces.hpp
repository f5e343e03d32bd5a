// Rows of a fitted law, for pictures and tables.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// One trace per run (per file of static points). law: with its rows.
std::vector<FitTrace> traces_of(const FitContext& context, const FittedLaw& law);

}  // namespace bristle::identification
