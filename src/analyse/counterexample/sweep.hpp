// A law with one state z while velocity and load are held: z is monotone, so time and energy are integrals over z.
//
//   quotient  F v/(dz/dt): energy put in per metre of z                       [N]
//   sweep     from z1 to z2:  time = int dz/(dz/dt),  energy = int quotient dz
//   cheapest  the fastest held velocity whose sweep needs at most a little more than the least energy
//   contrast  at z: the largest quotient while z decreases less the smallest while it increases. Positive: shuttling around z extracts
//             energy (no storage function exists: the exact one-state criterion fails)
// Method: scan of speeds (24 a decade) with golden sections around the best. A contrast that is not found proves nothing.
// One-state laws: Dahl, LuGre and its relatives, elasto-plastic; not the hysteretic one, whose rate also depends on dv/dt.
#pragma once
#include <bristle/simulate/law.hpp>

#include <optional>
#include <span>
#include <vector>

namespace bristle::inline analysis::counterexample {

struct Held {
    double v;     // m/s
    double load;  // N
};
struct Instant {
    double rate;   // dz/dt [m/s]
    double force;  // N
};
struct Sweep {
    double time = 0;    // s; infinity if the velocity does not carry z from one end to the other
    double energy = 0;  // J
};
struct Passage {
    Held held;
    Sweep sweep;
};
struct Contrast {
    double z;     // m
    double gain;  // energy extracted per metre of z [J/m]; -infinity if z cannot be moved both ways
    Held minus;   // dz/dt < 0
    Held plus;    // dz/dt > 0
};

bool has_one_state(const AnyLaw& law);
// Whether z is constant at v = 0.
bool sticks_at_rest(const AnyLaw& law);

Instant at(const AnyLaw& law, double z, Held held);
double quotient(const AnyLaw& law, double z, Held held);
Sweep sweep(const AnyLaw& law, Held held, double from, double to);

// Speeds up to vmax. slack: additional energy that a faster one may need, as a fraction of the least. Returns std::nullopt if no speed
// carries z from one end to the other.
std::optional<Passage> cheapest(const AnyLaw& law, double from, double to, double load, double vmax,
                                double slack = 0.05);

// Returns the largest contrast over z, the given loads and speeds up to vmax, at moderate speeds if these suffice; std::nullopt if it is
// positive nowhere, beyond rounding.
std::optional<Contrast> largest_contrast(const AnyLaw& law, std::span<const double> loads, double vmax);

// Returns the contrast at equally spaced z from 0 to the bound in one direction (1 or -1), for a figure.
std::vector<Contrast> contrasts(const AnyLaw& law, std::span<const double> loads, double vmax, double direction,
                                int points);

}  // namespace bristle::analysis::counterexample
