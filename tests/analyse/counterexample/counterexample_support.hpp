// Helpers for tests of inputs that extract energy.
#pragma once
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/counterexample/sweep.hpp"

#include <gtest/gtest.h>

namespace bristle::inline analysis::counterexample {

// Returns a witness found by scanning z and v. Not finding one proves nothing.
inline std::optional<Witness> scan_for_witness(const AnyLaw& law, double load = 1, double vmax = any_speed) {
    if (!has_one_state(law)) return {};
    const auto found = largest_contrast(law, std::span(&load, 1), vmax);
    if (!found) return {};
    return Witness{found->z, found->minus.v, found->plus.v, load};
}

// The sigma2 of P3 [N s/m].
inline double limit_of(const AnyLuGre& law) {
    const Stribeck& curve = law.curve.stribeck.positive;
    return law.sigma1 * (curve.Fs - curve.Fc) / curve.Fc;
}

// Both integrators give the same energy.
inline void expect_agreement(const Replay& r) {
    EXPECT_NEAR(r.integrated, r.simulated, r.tolerance) << "of " << r.gross << " J";
}

}  // namespace bristle::analysis::counterexample
