// Decision on passivity of v -> F, for each form of law.
//
//   static laws    F v >= 0 at every speed (static_law.hpp)
//   one state      a closed form, or the exact criterion by interval arithmetic (one_state.hpp)
//   Maxwell-slip   A constant level: passive, storage function sum F_i^2/(2 k_i). A level s1 at some speed lower than s2 at rest: not
//                  passive. All elements slip at s1, climb to s2 at v = 0+, where neither motion nor viscous friction costs energy, and
//                  push back by d = min_i nu_i (s2 - s1)/k_i, so slowly that no element slips backward. A short time at the speed of
//                  s1 starts the next cycle. Each cycle supplies d (s2 - d sum k_i/2) > 0, less the energy of the short time, which
//                  tends to 0 with its length. A load that varies on the curve has the same effect; on the force, as for one state.
//                  A level that is lowest at rest: refuted by an example only.
//   hysteretic     not passive if it shifts: sawtooth of v inside (-a, 0), B05 (8)
//   all others     search over inputs: refuted by an example only
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::passivity {

Finding finding_of(const AnyLaw& law, const CertifyOptions& options);

// Whether the level of Maxwell-slip is the same at all speeds up to vmax (proved), lower than at rest at some (refuted), or
// lowest at rest (undecided).
Verdict level_verdict(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::analysis::passivity
