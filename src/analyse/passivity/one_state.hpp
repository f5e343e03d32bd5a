// Passivity of laws with one state (laws.hpp): verdict, margin, nearest change, speeds and counterexample.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::passivity {

// The law must have sides (sides_of).
Finding one_state_finding(const AnyLaw& law, const CertifyOptions& options);

// Only the verdict, with fewer boxes: for searches over parameters.
Verdict one_state_verdict(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::analysis::passivity
