// v -> F passive or not: the finding for each kind of law.
//
//   static laws         F v >= 0 at every speed
//   one bristle         a closed form, or the exact criterion by interval arithmetic (passivity_closed, passivity_criterion)
//   Maxwell-slip        a constant level: passive, storage sum F_i^2/(2 k_i). A level s1 at some speed lower than s2 at rest: not. All
//                       elements slip at s1, climb to s2 at v = 0+, where neither motion nor viscous friction costs anything, and
//                       push back by d = min_i nu_i (s2 - s1)/k_i, however slowly, so that no element slips backward; an instant
//                       at the speed of s1 begins again. Each time gives d (s2 - d sum k_i/2) > 0, less what the instant costs,
//                       which goes to 0 with its length. A load that varies on the curve does the same; on the force, as for one
//                       bristle. A level lowest at rest is decided only by an example.
//   hysteretic          not passive while it shifts: a sawtooth of v inside (-a, 0)
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis {

Finding passivity(const AnyLaw& law, const CertifyOptions& options);

// Whether speeds and loads of an input stay within the options.
bool within(const Counterexample& example, const CertifyOptions& options);

// The verdict for laws with one bristle and nothing else, quickly: what searches over parameters ask.
Verdict bristle_verdict(const AnyLaw& law, const CertifyOptions& options);

// Whether the level of Maxwell-slip is the same at all speeds up to vmax (proved), lower than at rest at some (refuted), or
// lowest at rest (undecided).
Verdict level_verdict(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::inline analysis
