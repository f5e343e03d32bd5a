// Where a one-state law gives out energy: a deflection z and two velocities between which to shuttle around it.
//
//   dz/dt < 0 at (z, v_minus),  dz/dt > 0 at (z, v_plus),  F v/(dz/dt) at v_minus > F v/(dz/dt) at v_plus
// To go up by dz at v_plus costs dz times the second quotient, to come back at v_minus returns dz times the first; the
// difference is drawn from the contact, as often as one likes. Where dz/dt = 0 and F v < 0 at one velocity, both are that one.
#pragma once

namespace bristle::inline analysis {

struct Witness {
    double z;        // deflection, inside the invariant set [m]
    double v_minus;  // dz/dt < 0 there [m/s]
    double v_plus;   // dz/dt > 0 there [m/s]
    double load;     // N
};

}  // namespace bristle::inline analysis
