// The finding for laws with one bristle: verdict, margin, nearest change, speeds, and the input that draws energy.
#pragma once
#include "analyse/passivity/passivity.hpp"

namespace bristle::inline analysis {

Finding bristle_passivity(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::inline analysis
