// Passivity where a formula decides it, for all speeds.
//
//   no bristle damping             passive: A < 0 wherever r < 0 (Dahl; LuGre with sigma1 = 0)
//   P3, A08 (7), K08 (21)          LuGre over Stribeck with Fs >= Fc: iff sigma2 >= sigma1 (N_max Fs/(N_min Fc) - 1) in each direction, the load
//                                  N on the curve constant (N_max = N_min) or varying. Elasto-plastic too: beyond g it is LuGre, so large
//                                  speeds ask the same, and below g its A is positive.
//   a level that never falls       passive, for constant damping and load: r < 0 at v1 and r > 0 at v2 mean g(v1) < s < g(v2), so v1 < v2 and
//                                  A(v1) < sigma1 v1 < sigma1 v2 < A(v2). Stribeck with Fs <= Fc, smooth too; rising tables; Makkar's without hump
//   P4, A08 property 4             fading damping: if |v| sigma1(v) < 4 N_min g(v); for exp(-(v/vc)^2) if vc < 4 sqrt(2 e) N_min min g/sigma1
//   load on the force, varying     never, for levels that do not vanish with the speed: bend slightly at N_min, raise the load at rest
//                                  (no work at the port), unbend. Science of it: sup over r < 0 of F v/r is N_max s g/(g + s) at v = 0-,
//                                  inf over r > 0 is N_min s g/(g - s) at v = 0+, and g/(g +- s) -> 1 as s -> 0.
#pragma once
#include "analyse/passivity/passivity_laws.hpp"

namespace bristle::inline analysis {

struct ClosedForm {
    Verdict verdict;
    enum class By { undamped, P3, rising, P4, load } by;
    double margin = 0;  // P3: excess of sigma2 [N s/m], the smaller of the directions; P4: vc below its bound [m/s]
    double bound = 0;   // P3: the sigma2 that is needed, where it is missed most; P4: the bound of vc
    double direction = 1, sigma2 = 0;  // P3: where that is, and the sigma2 there
};

// Nothing where no formula decides.
std::optional<ClosedForm> closed_form(const AnyLaw& law, const CertifyOptions& options);

}  // namespace bristle::inline analysis
