// Passivity of one-state laws where a formula decides it, for all speeds. A, r, s: see side.hpp.
//
//   undamped   no bristle damping (Dahl; LuGre with sigma1 = 0): passive, because A < 0 wherever r < 0
//   P3         A08 (7), K08 (21). LuGre over Stribeck with Fs >= Fc: passive iff sigma2 >= sigma1 (N_max Fs/(N_min Fc) - 1) in each
//              direction, for a load on the curve between N_min and N_max. Load inside the curve: sigma2 >= sigma1
//              ((Fs + ks N_max)/(Fc + kc N_min) - 1), by the same proof. Elasto-plastic too: beyond g its equations are those of LuGre,
//              so large speeds require the same, and below g its A is positive.
//   rising     level that never falls, constant damping and load: passive. r < 0 at v1 and r > 0 at v2 mean g(v1) < s < g(v2), so
//              v1 < v2 and A(v1) < sigma1 v1 < sigma1 v2 < A(v2). Stribeck with Fs <= Fc, smooth too; rising tables; Makkar's without Stribeck term
//   P4         A08 property 4. Fading damping: passive if |v| sigma1(v) < 4 N_min g(v); for exp(-(v/vc)^2) if
//              vc < 4 sqrt(2 e) N_min min g/sigma1
//   load       load on the force, varying, and a level that does not vanish with the speed: never passive. Deflect slightly at N_min,
//              raise the load at rest (no work at the port), release: sup over r < 0 of F v/r is N_max s g/(g + s) at v = 0-,
//              inf over r > 0 is N_min s g/(g - s) at v = 0+, and g/(g +- s) -> 1 as s -> 0.
#pragma once
#include "analyse/passivity/laws.hpp"

namespace bristle::inline analysis::passivity {

struct ClosedForm {
    Verdict verdict;
    enum class By { undamped, P3, rising, P4, load } by;
    double margin = 0;  // P3: sigma2 minus required sigma2 [N s/m], smaller of the directions; P4: bound minus vc [m/s]
    double bound = 0;   // P3: required sigma2 in that direction [N s/m]; P4: bound of vc [m/s]
    double direction = 1, sigma2 = 0;  // P3: that direction, and its sigma2 [N s/m]
};

// Returns std::nullopt if no formula decides.
std::optional<ClosedForm> closed_form(const AnyLaw& law, const CertifyOptions& options);

// P4: the bound of vc [m/s] for damping sigma1 exp(-(v/vc)^2) [N s/m] and levels >= floor [N].
double fading_bound(double floor, double sigma1);
double fading_bound(const std::vector<Side>& sides);

}  // namespace bristle::analysis::passivity
