// Inputs that extract energy from a contact: constructive refutations of passivity.
//
//   shuttle             one-state laws, from a witness (the exact one-state criterion failed there): deflect z from 0 to the witness, move it
//                       through a band around it at the two velocities of the witness, release z to 0. Each cycle costs
//                       int (quotient at v_plus - quotient at v_minus) dz < 0
//   maxwell_slip_cycle  slipping elements follow the level s(v) at the rate C/s without motion: they climb to a high level in slow motion,
//                       push the contact back, and start again at a low level: nearly (s2^2 - s1^2)/(2 k) from an element with nu = 1
//   hysteretic_sawtooth B05 (8): v inside (-a, 0), rising slowly and falling fast: w = v + a > 0 deflects z forward while the contact
//                       moves backward. For all three rules of a; with min (and with a = 0 under max) z is deflected forward first
//   load_cycle          a load between two values. load_on = "all": deflect at the low load, raise it at rest, release. load_on = "curve":
//                       a z that is deflected at the high load remains when the load drops; shuttle with one leg at either load
// Every input starts at z = 0. Energies come from integrate() (replay.hpp), not from the plan. Speeds stay within vmax [m/s].
// Each function returns std::nullopt if no energy is found, which proves nothing, or if the legs are too short for a signal in time
// (1e-12 of its length; close to the limit of passivity).
#pragma once
#include "analyse/counterexample/witness.hpp"
#include <bristle/analyse/certificate.hpp>

#include <limits>

namespace bristle::inline analysis::counterexample {

inline constexpr double any_speed = std::numeric_limits<double>::infinity();

enum class Aim {
    cycle,  // the band with the most energy per cycle
    power   // the narrowest band that recovers the energy of the deflection within max_legs: most energy per second
};
struct ShuttleOptions {
    Aim aim = Aim::cycle;
    int max_legs = 16000;  // an experiment file of 1 MB
};
// No speed is above those of the witness. If max_legs do not recover the energy of the deflection, the input has a few cycles only.
std::optional<Counterexample> shuttle(const AnyLaw& law, const Witness& witness, const ShuttleOptions& options = {});

std::optional<Counterexample> maxwell_slip_cycle(const AnyLaw& law, double load = 1, double vmax = any_speed);
std::optional<Counterexample> hysteretic_sawtooth(const AnyLaw& law, double load = 1, double vmax = any_speed);
std::optional<Counterexample> load_cycle(const AnyLaw& law, double load_min, double load_max, double vmax = any_speed);

}  // namespace bristle::analysis::counterexample
