// Witness against passivity of a one-state law: a deflection z and two velocities between which to shuttle around it.
//
//   dz/dt < 0 at (z, v_minus),  dz/dt > 0 at (z, v_plus),  F v/(dz/dt) at v_minus > F v/(dz/dt) at v_plus
// To increase z by dz at v_plus costs dz times the second quotient; to decrease it at v_minus returns dz times the first. The
// difference is extracted from the contact in each repetition. If dz/dt = 0 and F v < 0 at one velocity, both are that one.
#pragma once

namespace bristle::inline analysis::counterexample {

struct Witness {
    double z;        // deflection, inside the invariant set [m]
    double v_minus;  // dz/dt < 0 there [m/s]
    double v_plus;   // dz/dt > 0 there [m/s]
    double load;     // N
};

}  // namespace bristle::analysis::counterexample
