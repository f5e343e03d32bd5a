// Static laws: passive iff F v >= 0 at every speed. Only Makkar's curve can be negative, where g2 < g3.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis {

Finding static_passivity(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::inline analysis
