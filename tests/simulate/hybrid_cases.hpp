// Common parts of the tests of the hybrid model: the rig of A08, and the state and ledger of a motion at an instant.
#pragma once
#include <bristle/simulate/hybrid.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "../support/oracle.hpp"

namespace bristle::inline simulation {

using test::Random;
using test::wide;
using Mode = HybridPhase::Mode;
using Phases = std::vector<HybridPhase>;
inline constexpr long many = 100000;
inline constexpr wide pi = std::numbers::pi_v<wide>;

// A08 fig 4 with Coulomb friction: 1 kg, 2 N/m, 2 m/s, Fc 2.94 N, Fs 5.88 N.
inline Hybrid a08(double sigma2 = 0, double vp = 2) { return {1, 2, vp, {2.94, 5.88, sigma2}, {2.94, 5.88, sigma2}}; }

inline Phases motion(const Hybrid& rig, double l0, double v0, double duration) {
    return hybrid_motion(rig, l0, v0, duration, many);
}
inline double stored(const Hybrid& rig, double l, double v) { return (rig.mass * v * v + rig.stiffness * l * l) / 2; }

// State of a motion at an instant, with the ledger from t = 0.
struct Moment {
    Mode mode;
    double l, v, force, heat, supplied;
};
inline Moment moment(const Phases& phases, double t) {
    double heat = 0, supplied = 0;
    for (std::size_t i = 0;; ++i) {
        const bool last = i + 1 == phases.size();
        const auto s = phases[i].at(last ? t : std::min(t, phases[i].t1));
        if (last || t < phases[i].t1) return {phases[i].mode, s.l, s.v, s.force, heat + s.heat, supplied + s.supplied};
        heat += s.heat;
        supplied += s.supplied;
    }
}

}  // namespace bristle::simulation
