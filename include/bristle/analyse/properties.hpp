// Measured properties of laws: yes, no or unclear, with the number that decides.
//
//   rate_independent   the force as a function of path length is the same at three time scales of u(t/gamma)  P5
//   warp_invariant     the same for u(t) and u(t + 0.8 sin t), a monotone change of time                       P5
//   reversal_memory    at constant speed, an inner loop closes and does not change the outer loop              P6
//   holds_at_rest      a constant force below breakaway does not displace the contact further
//   no_drift           nor does a vibration added to it: displacement per cycle
//   lag                in one direction, friction differs for rising and falling speed                         B05 2.2
//   breakaway_varies   the largest force held under a ramp depends on the rate of the ramp                     B05 2.3
//   bounded            the bristle stays within the peak of the curve; without a bristle, the force            P1: A08 property 1
//   passive            from the certificate (certificate.hpp): proved or refuted, not measured
//
// P5, rate independence: a monotone change of time does not change the force at a given path length; rate(z, k v) = k rate(z, v).
//   Dahl has it, A08 (28) and A08 (29); LuGre does not.
// P6, reversal-point memory: after an inner loop closes, the force continues on the outer loop as if the inner one had not been.
//   Maxwell-slip has it; Dahl and LuGre do not.
// All numbers are relative: forces to the peak of the curve, displacements to the deflection at that force. The inputs are scaled to
// the law: to its deflection, to the slowest and the fastest speed of its equations, to the speed at which its curve falls.
// holds_at_rest, no_drift and breakaway_varies pull a slider without mass, which cannot oscillate. Breakaway is measured without viscous
// friction, which would hold any force at some speed. A law whose rate depends on the sign of the acceleration (B05) needs a mass: the
// first two give it one that its own damping damps well.
//
// Drift per cycle of a bristle with the level g(0) under slow forces between s1 g(0) and s2 g(0), 0 <= s1 < s2 < 1:
//   (g(0)/sigma0) ln((1 - s1^2)/(1 - s2^2))          ours, from dz = (1 -+ sigma0 z/g(0)) dx for rising and falling force
// Limits: "yes" is a measurement, not a proof: none of the inputs shows the contrary.
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::inline analysis {

enum class PropertyKind {
    rate_independent,
    warp_invariant,
    reversal_memory,
    holds_at_rest,
    no_drift,
    lag,
    breakaway_varies,
    bounded,
    passive
};
const char* name_of(PropertyKind kind);  // "rate_independent" ...

enum class Holds { yes, no, unclear };
const char* name_of(Holds holds);  // "yes", "no", "unclear"

struct Property {
    PropertyKind kind;
    Holds holds = Holds::unclear;
    // measured <= noise_floor: no effect; >= effect_threshold: effect; between: unclear [1].
    // passive: sigma2 minus the required sigma2 [N s/m], 0 if no number decides; no noise floor, no threshold.
    double measured = 0, noise_floor = 0, effect_threshold = 0;
    bool memoryless = false;  // reversal_memory: the force does not depend on the past, so there is no memory
    std::optional<Finding> finding = {};  // passive: that of the certificate
};

struct LawProperties {
    std::string kind;  // of the law: "lugre"
    std::vector<Property> properties;
    const Property* find(PropertyKind which) const;  // nullptr if it is not in the table
};

struct PropertyOptions {
    double load = 1;        // N
    bool passivity = true;  // with a certificate: up to some tenths of a second a law
};

// Returns one entry for each law, in order; fewer if progress returns false. Throws Error if a law or the load is invalid.
std::vector<LawProperties> properties_of(const std::vector<AnyLaw>& laws, const PropertyOptions& options = {},
                                         const std::function<bool(double fraction)>& progress = {});

// Returns the displacement behind reversal_memory with the second of its three inner loops, for a figure: out, back, part of the way
// out, an inner loop, further out. Ramps of one speed, from 0; the inner loop begins at the fourth point and ends at the sixth.
Input nested_loops(const AnyLaw& law, double load = 1);

}  // namespace bristle::analysis
