// The finding for laws with one bristle: verdict, margin, nearest change, speeds, and the input that draws energy.
#pragma once
#include "passivity.hpp"

namespace bristle::analyse {

Finding bristle_passivity(const simulate::AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::analyse
