// Laws of AnyLaw as the passivity criterion takes them: form of their equations, and one Side for each direction.
#pragma once
#include "analyse/passivity/side.hpp"

#include <bristle/analyse/certificate.hpp>
#include <vector>

namespace bristle::inline analysis::passivity {

// Range of a load, as factors of the level and of the force; inside: a load inside the curve, which has no factors, varies.
struct LoadRange {
    double curve_min, curve_max;
    double force_min, force_max;
    bool inside = false;
    bool force_varies() const { return force_max > force_min; }
    bool varies() const { return curve_max > curve_min || force_varies() || inside; }
};
LoadRange load_range(const AnyLaw& law, const CertifyOptions& options);

// Returns one Side, or two if the directions differ, for laws with one state z whose equations are those of LuGre:
//   dz/dt = v - sigma0 |v|/g(v) z,  F = sigma0 z + sigma1(v) dz/dt + sigma2 v,  sigma1(v) constant or sigma1 exp(-(v/vc)^2)
// That is every BristleLaw without velocity memory over a curve of level_range.hpp whose flow(), damping() and viscous() agree with
// these formulas, rounded to double at the two loads if the load acts inside the curve; elasto-plastic laws; hysteretic laws whose shift is zero. For Maxwell-slip it returns the level of each direction.
// Empty for all other laws.
std::vector<Side> sides_of(const AnyLaw& law, const CertifyOptions& options);

// Whether the law is hysteretic and its steady state is shifted, B05 (8).
bool is_shifted(const AnyLaw& law);

// sigma0 [N/m]; 1 for laws without it.
double stiffness_of(const AnyLaw& law);
// Name of the viscous friction of a direction in files, from the parameter table: "sigma2", "g6"; "negative.sigma2" if v < 0 has its own value.
std::string viscous_key(const AnyLaw& law, double direction);

}  // namespace bristle::analysis::passivity
