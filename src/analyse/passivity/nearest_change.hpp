// Smallest relative change of one parameter that changes a verdict, by search.
//
// Each parameter in turn is decreased and increased in steps, and set to the other values of its unit (verdicts change at Fs = Fc).
// If the verdict changes, bisection finds the value. Not varied: parameters that are 0, which have no relative change, and points of a
// table or elements. sigma2 for v < 0 follows sigma2 while the two are equal.
// Limit: a verdict that changes and changes back between two steps is not detected.
#pragma once
#include <bristle/analyse/certificate.hpp>

#include <functional>

namespace bristle::inline analysis::passivity {

// passive(law): its verdict. now: the verdict of the law, proved or refuted. precision: relative, of the value found.
// Returns std::nullopt if no change was found.
std::optional<Change> nearest_change(const AnyLaw& law, Verdict now, double precision,
                                     const std::function<Verdict(const AnyLaw&)>& passive);

}  // namespace bristle::analysis::passivity
