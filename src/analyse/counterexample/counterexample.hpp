// Inputs that extract energy from a contact, by construction: each refutes passivity.
//
//   function             law                                        input
//   shuttle              one state z (Dahl, LuGre, elasto-plastic)  z moves up and down in a band, at two velocities
//   maxwell_slip_cycle   Maxwell-slip                               slipping elements climb, then push the contact back
//   hysteretic_sawtooth  hysteretic, B05 (8)                        v < 0 rises slowly and falls fast
//   load_cycle           one state z, Maxwell-slip                  the load changes between two values
//
// Energy: int F v dt supplied to the contact [J]; < 0: extracted. The work of a changing load is not counted.
// The energies of a returned input are integrated along the input (replay.hpp). The formulas below are approximations.
// Sign: F has the sign of v in steady sliding.
// Every input starts at z = 0. Speeds are <= vmax [m/s]. load [N]: 1 if the parameters of the law are forces.
//
// A returned input has energy_per_cycle < 0; that of load_cycle with load_on = all has energy < 0.
// energy > 0 with energy_per_cycle < 0: too few cycles (shuttle: max_legs; Maxwell-slip: 2000, or as many as can be
// integrated) to recover the energy of the first deflection.
// Limits: std::nullopt proves nothing. It means that the law is of another kind, that no such input was found (also
// because a work budget of the thread is exhausted), or that its energy could not be integrated.
#pragma once
#include "analyse/counterexample/witness.hpp"
#include <bristle/analyse/certificate.hpp>

#include <limits>

namespace bristle::inline analysis::counterexample {

inline constexpr double any_speed = std::numeric_limits<double>::infinity();

// ---- one state z ---------------------------------------------------------------------------------------------------

enum class ShuttleBand {
    max_energy,  // the widest band: most energy per cycle
    max_power  // the narrowest band that recovers the energy of the deflection within max_legs: most energy per second
};
struct ShuttleOptions {
    ShuttleBand band = ShuttleBand::max_energy;
    // Legs of all cycles, without deflection and release; 16000 give an experiment file of 1 MB.
    // If they do not recover the energy of the deflection, the input has 10 cycles.
    int max_legs = 16000;
};

// Deflects z from 0 to a band around witness.z, moves z up and down in the band, and releases z to 0. Constant load.
//
//   energy per cycle = int (Q(z, v_plus) - Q(z, v_minus)) dz over the band < 0,   Q = F v/(dz/dt) [N]
// Q is the energy supplied per metre of z. z increases at v_plus and decreases at v_minus.
// Velocities: those of the witness. The leg away from z = 0 is made faster while the cycle keeps 90 % of its energy.
// Legs shorter than 1e-12 of the duration are lost in the rounding of time: the other leg is then made slower, or the
// input uses another z at lower speeds. std::nullopt if that does not help (close to the limit of passivity).
// No speed is above the larger speed of the witness.
std::optional<Counterexample> shuttle(const AnyLaw& law, const Witness& witness, const ShuttleOptions& options = {});

// ---- other laws ----------------------------------------------------------------------------------------------------

// Maxwell-slip with the levels s1 < s2 at two velocities of one direction:
//   1. elements slip for a short time at the velocity of s1
//   2. elements slip slowly at the velocity of s2: their forces rise to nu_i s2 with the rate C/s2 [1/s]
//   3. elements stick and push the contact back by the path length b
//   energy per cycle = -b (s2 - k b/2),   b = min nu_i (s2 - s1)/k_i,   k = sum k_i,   for load = 1
// One element: -(s2^2 - s1^2)/(2 k). Step 2 and viscous friction reduce the extracted energy.
std::optional<Counterexample> maxwell_slip_cycle(const AnyLaw& law, double load = 1, double vmax = any_speed);

// Hysteretic law with the shift a: v rises slowly from -depth to 0, depth < a, and falls back fast. While v rises,
// w = v + a > 0 deflects z forward, although the contact moves backward.
//   energy per cycle = -g(0) depth rise/2, rise: duration of the slow part [s], without viscous friction, for load = 1
// If the shift is 0 at z = 0 (rule min; rule max with a = 0), z is deflected forward first.
// Returns std::nullopt also if the shift is 0 for every z: the law is then LuGre.
std::optional<Counterexample> hysteretic_sawtooth(const AnyLaw& law, double load = 1, double vmax = any_speed);

// ---- load between two values ---------------------------------------------------------------------------------------

// Returns std::nullopt unless 0 < load_min < load_max (gear laws: 0 <= load_min). The input depends on the law and on its load_on:
//   all, one state        deflect at load_min, increase the load at rest, release, decrease the load at rest
//   all, Maxwell-slip     the same; no element slips
//   curve, one state      shuttle with one load for each leg: z that is deflected at load_max exceeds the steady state
//                         at load_min
//   curve, Maxwell-slip   maxwell_slip_cycle with s1 at load_min and s2 at load_max
// Returns std::nullopt for the hysteretic law: hysteretic_sawtooth refutes it at each load.
std::optional<Counterexample> load_cycle(const AnyLaw& law, double load_min, double load_max, double vmax = any_speed);

}  // namespace bristle::analysis::counterexample
