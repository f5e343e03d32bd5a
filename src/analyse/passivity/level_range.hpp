// Range of the level of a curve over an interval of speeds 0 <= v.lo <= v.hi, by interval arithmetic.
//
//   level_range(curve, v)   encloses g(v)                                                          [N]
//   chord_range(curve, v)   encloses g(v)/v if g vanishes with v; infinite at v = 0 otherwise      [N s/m]
// Each formula contains v as few times as possible: ranges of Stribeck, table and printed curves are as tight as rounding
// allows, those of the smooth curves tend to the true range linearly with the width of v. v.hi may be infinite.
#pragma once
#include "numerics/interval.hpp"
#include <bristle/curve.hpp>

#include <variant>

namespace bristle::inline analysis::passivity {

using numerics::infinity, numerics::Interval;

// SmoothStribeckPrinted: conductance as K08 (44) prints it, so that g = height/tanh(c v) has no bound as v -> 0 (erratum E1).
using Resistance = std::variant<Stribeck, SmoothStribeck, SmoothStribeckPrinted, MakkarCurve, Table>;

Interval level_range(const Resistance& curve, Interval v);
Interval chord_range(const Resistance& curve, Interval v);

}  // namespace bristle::analysis::passivity
