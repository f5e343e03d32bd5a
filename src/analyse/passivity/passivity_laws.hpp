// The laws of AnyLaw as the passivity criterion takes them.
#pragma once
#include "analyse/passivity/passivity_side.hpp"

#include <bristle/analyse/certificate.hpp>
#include <vector>

namespace bristle::inline analysis {

// A load between two values, as a law lets it act.
struct LoadRange {
    double curve_min, curve_max;  // factor of the level
    double force_min, force_max;  // factor of the force
    bool force_varies() const { return force_max > force_min; }
    bool varies() const { return curve_max > curve_min || force_varies(); }
};
LoadRange load_range(const AnyLaw& law, const CertifyOptions& options);

// The one direction, or both where they differ, of a law with one bristle; also the level of each direction of Maxwell-slip.
// Empty for static laws and for a hysteretic law whose shift is not zero.
std::vector<Side> sides_of(const AnyLaw& law, const CertifyOptions& options);

// sigma0; 1 for laws without it.
double stiffness_of(const AnyLaw& law);
// What files call the viscous friction in a direction: "sigma2", "g6", "negative.sigma2" where it has a value of its own.
std::string viscous_key(const AnyLaw& law, double direction);

// Whether the steady state of a hysteretic law is shifted at all.
bool shifts(const AnyHysteretic& law);

}  // namespace bristle::inline analysis
