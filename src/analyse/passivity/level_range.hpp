// The curves of bristle/curve.hpp over an interval of speeds: what the level g can be while 0 <= v_low <= v <= v_high.
//
//   level_range(curve, v)   encloses g                                        [N]
//   chord_range(curve, v)   encloses g/v, where g vanishes with v; infinite at v = 0 otherwise  [N s/m]
// Each formula is written so that a speed occurs as rarely as possible: Stribeck, table and printed curves are as tight as
// rounding allows, the smooth ones tend to the range linearly with the width. v_high may be infinite.
#pragma once
#include "numerics/interval.hpp"
#include <bristle/curve.hpp>

#include <variant>

namespace bristle::inline analysis {

using numerics::infinity, numerics::Interval;

// SmoothStribeck with the conductance that K08 (44) prints: g = height/tanh(c v), without bound as v -> 0 (erratum E1).
using Resistance = std::variant<Stribeck, SmoothStribeck, SmoothStribeckPrinted, MakkarCurve, Table>;

Interval level_range(const Resistance& curve, Interval v);
Interval chord_range(const Resistance& curve, Interval v);

}  // namespace bristle::inline analysis
