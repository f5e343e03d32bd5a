// Outlook of a record: the parameters that it determines, judged before any law is fitted to all of its rows.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// rough: rough_fit() of the context; LuGre (Stribeck friction for static points) is fitted again if rows are held out, because the outlook
// is that of the whole record. Errors come from its residuals and derivatives on all rows. If Fc is not determined, the law is fitted once
// more with Fs = Fc.
Outlook outlook_of(const FitContext& context, const FittedLaw& rough);

}  // namespace bristle::identification
