// v -> F passive or not: the finding for each kind of law.
//
//   static laws         F v >= 0 at every speed
//   one bristle         a closed form, or the exact criterion by interval arithmetic (passivity_closed, passivity_criterion)
//   Maxwell-slip        a constant level: passive, storage sum F_i^2/(2 k_i). A level lower at some speed than at rest: not. With n elements,
//                       s1 < s2 the two levels and d_i = nu_i (s2 - s1)/k_i: climb to s2 at v = 0+, go back by max d_i, forward by
//                       max d_i - min d_i while the level is s1. This draws sum nu_i (d_i (s2 - s1)/2 + s1 min d_j) > 0 each time.
//                       A load that varies on the curve does the same; on the force, as for one bristle. A level lowest at rest
//                       is decided only by an example.
//   hysteretic          not passive while it shifts: a sawtooth of v inside (-a, 0)
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::analyse {

Finding passivity(const simulate::AnyLaw& law, const CertifyOptions& options);

// The verdict for laws with one bristle and nothing else, quickly: what searches over parameters ask.
Verdict bristle_verdict(const simulate::AnyLaw& law, const CertifyOptions& options);

// Whether the level of Maxwell-slip is the same at all speeds up to vmax (proved), lower than at rest at some (refuted), or
// lowest at rest (undecided).
Verdict level_verdict(const simulate::AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::analyse
