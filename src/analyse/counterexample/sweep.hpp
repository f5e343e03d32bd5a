// A law with one state z while velocity and load are held: z moves one way, so time and energy are integrals over z.
//
//   quotient  F v/(dz/dt): energy put in per metre of z                       [N]
//   sweep     from z1 to z2:  time = int dz/(dz/dt),  energy = int quotient dz
//   cheapest  the held velocity that sweeps with the least energy, and of those that need hardly more the fastest
//   contrast  at z: the largest quotient while z falls less the smallest while it rises. Positive: energy can be drawn by shuttling
//             around z (the exact test for one-state laws turned round: no storage function exists)
// A scan of speeds (24 a decade) with golden sections around the best: it finds, it does not prove.
// One-state laws: Dahl, LuGre and its relatives, elasto-plastic; not the hysteretic one, whose rate also depends on dv/dt.
#pragma once
#include <bristle/simulate/law.hpp>

#include <optional>
#include <span>
#include <vector>

namespace bristle::inline analysis {

struct Held {
    double v;     // m/s
    double load;  // N
};
struct Instant {
    double rate;   // dz/dt [m/s]
    double force;  // N
};
struct Sweep {
    double time = 0;    // s; infinity where the velocity does not carry z from the one end to the other
    double energy = 0;  // J
};
struct Passage {
    Held held;
    Sweep sweep;
};
struct Contrast {
    double z;     // m
    double gain;  // J drawn per metre of z; -infinity where z cannot be moved both ways
    Held minus;   // dz/dt < 0
    Held plus;    // dz/dt > 0
};

bool has_one_state(const AnyLaw& law);
// Whether z stays where it is at v = 0.
bool sticks_at_rest(const AnyLaw& law);

Instant at(const AnyLaw& law, double z, Held held);
double quotient(const AnyLaw& law, double z, Held held);
Sweep sweep(const AnyLaw& law, Held held, double from, double to);

// Speeds up to vmax; slack: how much more energy a faster one may need, as a share of the least. Nothing where none gets there.
std::optional<Passage> cheapest(const AnyLaw& law, double from, double to, double load, double vmax,
                                double slack = 0.05);

// The z at which the contrast is largest, over the given loads and speeds up to vmax, at moderate speeds where they do; nothing where
// it is positive nowhere, beyond rounding.
std::optional<Contrast> largest_contrast(const AnyLaw& law, std::span<const double> loads, double vmax);

// The contrast at that many z, evenly from 0 to the bound in one direction (1 or -1); for a picture.
std::vector<Contrast> contrasts(const AnyLaw& law, std::span<const double> loads, double vmax, double direction,
                                int points);

}  // namespace bristle::inline analysis
