// Which law has which property: a table made by measuring, with the number behind every yes and no.
//
//   rate_independent   the force against the way does not depend on the speed: u(t/gamma) at three scales     P5
//   warp_invariant     nor on a change of speed on the way: u(t) against u along t + 0.8 sin t                P5
//   reversal_memory    an inner loop, at one speed, closes and leaves no trace on the outer one               P6
//   holds_at_rest      a constant force below breakaway moves the contact no further
//   no_drift           nor does a vibration on top of it: displacement per cycle (what the elasto-plastic law is for)
//   lag                in one direction, friction at a speed differs between rising and falling speed         B05 2.2
//   breakaway_varies   the largest force held under a ramp depends on its rate                                B05 2.3
//   bounded            the bristle stays within the peak of the curve; without a bristle, the force           P1
//   passive            from the certificate (certificate.hpp): proved or refuted, not measured
// All numbers are relative, so that they can be compared: forces to the peak of the curve, displacements to the
// deflection at that force. The inputs are scaled to the law: to its deflection, to the slowest and the fastest of the
// speeds that stand in its equations, and to the speed at which its curve falls.
// holds_at_rest, no_drift and breakaway_varies pull a slider without mass, so that nothing rings; breakaway is measured
// without viscous friction, which would hold any force at some speed. The law of B05 needs a mass (its branch is the
// sign of the acceleration): the first two give it one that its own damping holds well.
//
// Slow drift of a bristle with the level g(0) under forces between s1 g(0) and s2 g(0), 0 <= s1 < s2 < 1, a cycle:
//   (g(0)/sigma0) ln((1 - s1^2)/(1 - s2^2))          ours, from dz = (1 -+ sigma0 z/g(0)) dx up and down
// A yes is a measurement, not a proof: no input that was tried shows the contrary.
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::inline analysis {

enum class Holds { yes, no, unclear };
const char* name_of(Holds holds);  // "yes", "no", "unclear"

struct Property {
    std::string name;      // as above
    std::string question;  // that holds answers
    Holds holds = Holds::unclear;
    // What was measured [1], and what to compare it with: up to nothing it is rounding or tolerance, from something
    // on it is an effect, between them the answer is unclear. For passive: sigma2 beyond what is needed [N s/m], 0 if
    // no number decides.
    double measured = 0, nothing = 0, something = 0;
    std::string text;  // how it was measured
};

struct LawProperties {
    std::string kind, title;  // of the law
    std::vector<Property> properties;
    const Property* find(std::string_view name) const;  // null if there is none
};

struct PropertyOptions {
    double load = 1;        // N
    bool passivity = true;  // ask for a certificate too: up to some tenths of a second a law
};

// Throws Error for a law that breaks a rule. Stopped by progress, it returns the laws that are done.
std::vector<LawProperties> properties_of(const std::vector<AnyLaw>& laws, const PropertyOptions& options = {},
                                         const std::function<bool(double share)>& progress = {});

// The displacement behind reversal_memory with its middle inner loop, for a picture: out, back, half-way out, an inner
// loop, and on. Straight lines at one speed, from 0; the inner loop begins at the fourth point and ends at the sixth.
Input nested_loops(const AnyLaw& law, double load = 1);

}  // namespace bristle::inline analysis
