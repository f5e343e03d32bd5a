// Exact one-state criterion (side.hpp), decided by subdivision with interval arithmetic. Proved is a proof; refuted comes with a point.
//
// First A <= 0 is tried for all speeds with s > g: then sigma0 z^2/2 is a storage function, A08 (6), and one variable is enough.
// Otherwise the range of s is covered by boxes. On each, the highest A with r < 0 and the lowest with r > 0 are bounded by subdividing
// [0, vmax], best bound first:
//   - the first bound is not above the second: the box has a storage function (one constant c)
//   - a point has them in the wrong order, beyond rounding: refuted
//   - otherwise the box is halved
// Not covered, because the criterion holds there: s below the smallest level (r > 0 at every speed), s above the largest sigma1(v) v
// (A < 0), s above the largest level (never reached), and, for levels that vanish with the speed, a neighbourhood of s = 0.
#pragma once
#include "analyse/passivity/side.hpp"
#include "analyse/counterexample/witness.hpp"

#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::passivity {

// Point of a refutation: A at (s, v_minus) with r < 0 is above A at (s, v_plus) with r > 0. s [N], speeds [m/s]; v_minus < 0: motion
// against the direction of the side.
struct WrongOrder {
    double s, v_minus, v_plus;
    double excess;  // lower bound of the difference [N]
};
struct Decision {
    Verdict verdict = Verdict::undecided;
    std::optional<WrongOrder> where;
    long boxes = 0;  // bounded in all
};

inline constexpr long max_boxes = 100'000;
inline constexpr long search_boxes = 10'000;  // for each step of a search, where an undecided step costs one digit

// For |v| <= vmax [m/s]; infinity: all speeds.
Decision decide(const Side& side, double vmax, long budget = max_boxes);

// With the storage function sigma0 z^2/2 only: K08 (20).
struct PlainDecision {
    Verdict verdict = Verdict::undecided;
    double speed = infinity;  // a speed at which it fails [m/s]
};
PlainDecision decide_plain(const Side& side, double vmax, long budget = max_boxes);

// Upper bound of the level up to vmax, at the largest load; lower bound between two speeds, at the smallest load [N].
double highest_level(const Side& side, double vmax);
double lowest_level(const Side& side, double from, double to);

// Returns a better point for speeds up to vmax (finite): the largest excess on a grid, with the largest v_plus that reduces the excess
// by at most a quarter, since a slow v_plus takes long.
WrongOrder strengthen(const Side& side, const WrongOrder& where, double vmax);

// The point as a witness of the law under a constant load [N].
counterexample::Witness witness_of(const Side& side, const WrongOrder& where, double sigma0, double load);

}  // namespace bristle::analysis::passivity
