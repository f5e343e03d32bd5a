// The smallest relative change of one parameter that turns a verdict around.
//
// Each parameter in turn is made smaller and larger in steps, and set to the others of its unit (Fs = Fc is a place where verdicts
// change); where the verdict has turned, the place is found by bisection. Parameters that are 0 have no relative change and points
// of a table are too many: both are left as they are. sigma2 for v < 0 follows sigma2 while the two are equal.
// A search: a change that turns the verdict and back again between two steps is passed over.
#pragma once
#include <bristle/analyse/certificate.hpp>

#include <functional>

namespace bristle::inline analysis {

// passive(law): the verdict; now: that of the law as it is, proved or refuted. precision: relative, of the place.
std::optional<Change> nearest_change(const AnyLaw& law, Verdict now, double precision,
                                     const std::function<Verdict(const AnyLaw&)>& passive);

}  // namespace bristle::inline analysis
