// Passivity of static laws: passive iff F v >= 0 at every speed.
//
// The level of every curve is >= 0 by its rules, except that of Makkar with g2 < g3, which interval arithmetic decides. A static law over
// a curve that is not known here is undecided.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::passivity {

Finding static_finding(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::analysis::passivity
