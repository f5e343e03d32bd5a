// Inputs that draw energy out of a contact: the constructive half of "not passive".
//
//   shuttle             one-state laws, from a witness (the exact test of one-state laws failed there): charge z from 0 to the witness, go to
//                       and fro in a band around it at the witness's two velocities, let z back to 0. Each cycle costs
//                       int (quotient at v_plus - quotient at v_minus) dz < 0
//   maxwell_slip_cycle  elements that slip follow the level s(v) at the rate C/s without moving: let them climb to a high level at creep,
//                       let the springs push back, begin again at a low level: nearly (s2^2 - s1^2)/(2 k) from an element with nu = 1
//   hysteretic_sawtooth B05 (8): v inside (-a, 0), rising slowly and falling fast: w = v + a > 0 bends z forward while the contact moves
//                       backward. Works for all three rules of a; with min (and with a = 0 under max) z is charged forward first
//   load_cycle          a load between two values. load_on = "all": bend at the low load, raise it at rest, unbend. load_on = "curve": a z
//                       charged at the high load survives a drop of the load; shuttle with one leg at either load
// Every one starts relaxed. Energies come from integrate() (replay.hpp), not from the plan. Speeds stay within vmax [m/s].
// Nothing is returned where no energy is found, which proves nothing, or where the legs are too short for a signal in time (1e-12 of its
// length; close to the limit of passivity).
//
//   experiment_text     the counterexample as an experiment file that replays it, its law written from its own parameter table
#pragma once
#include "analyse/counterexample/witness.hpp"
#include <bristle/analyse/certificate.hpp>

#include <limits>

namespace bristle::inline analysis {

inline constexpr double any_speed = std::numeric_limits<double>::infinity();

enum class Aim {
    cycle,  // the band that gives most energy in each cycle
    power   // the narrowest band that still pays for the charge within max_legs: most energy per second
};
struct ShuttleOptions {
    Aim aim = Aim::cycle;
    int max_legs = 16000;  // what an experiment file of 1 MB holds
};
// No speed is above those of the witness. Where max_legs do not pay for the charge, a few cycles are given and the text says so.
std::optional<Counterexample> shuttle(const AnyLaw& law, const Witness& witness, const ShuttleOptions& options = {});
// A witness found by scanning z and v. Not finding one proves nothing.
std::optional<Witness> scan_for_witness(const AnyLaw& law, double load = 1, double vmax = any_speed);

std::optional<Counterexample> maxwell_slip_cycle(const AnyLaw& law, double load = 1, double vmax = any_speed);
std::optional<Counterexample> hysteretic_sawtooth(const AnyLaw& law, double load = 1, double vmax = any_speed);
std::optional<Counterexample> load_cycle(const AnyLaw& law, double load_min, double load_max, double vmax = any_speed);

// The law as the section [law] of a file, with units as remarks; more: lines that go with it.
std::string law_text(const AnyLaw& law, const std::string& more = "");

// TOML; the claim is on the signal "work": the energy supplied to the contact since the start.
std::string experiment_text(const AnyLaw& law, const Counterexample& counterexample);

}  // namespace bristle::inline analysis
