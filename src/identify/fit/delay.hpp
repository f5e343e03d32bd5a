// Beginning of a fit: the prepared record, a rough fit of LuGre, and the delay of the force behind the motion.
//
// The residual of a static curve is mostly presliding. It hides a delay of a few samples, and a long presliding looks like a delay.
// A delay that the static curve shows (context.cpp) is therefore kept only if laws with presliding describe the record clearly better with it.
// If the static curve shows none, LuGre with and without a delay are compared. Clearly: by an information criterion with the number of
// independent rows.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// A quick fit: LuGre (Stribeck friction for static points) on the fitted rows of the short record, from two starts.
FittedLaw rough_fit(const FitContext& context);
// The same of another law. lugre: the rough fit of LuGre, from which other bristle laws start too.
FittedLaw rough_fit(const FitContext& context, std::string_view kind, const FittedLaw& lugre);

struct Beginning {
    FitContext context;  // its delay is to be found, with a start value, or given
    FittedLaw rough;
};
Beginning begin_fit(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                    const std::function<bool()>& should_continue);

}  // namespace bristle::identification
