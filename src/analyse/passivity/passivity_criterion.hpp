// Decides the exact one-state criterion by subdivision with interval arithmetic: proved is a proof, refuted comes with a point.
//
// Where A <= 0 for all speeds with s > g (plain storage sigma0 z^2/2: one variable is enough) nothing more is asked. Otherwise the
// range of s is covered by boxes; on each, the highest A with r < 0 and the lowest with r > 0 are bounded by subdividing
// [0, vmax], best bound first. A box on which the first is not above the second has a storage (one constant c); one with a
// point where they are in the wrong order, to the last rounding, refutes; other boxes are halved.
// Left out with reason: s below the smallest level (r > 0 at every speed), s above the largest sigma1(v) v (A < 0), s above
// the largest level (never reached); for levels that vanish with the speed a neighbourhood of s = 0, by a closed form.
#pragma once
#include "analyse/passivity/passivity_side.hpp"
#include "analyse/counterexample/witness.hpp"

#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis {

// A at (s, v_minus) with r < 0 is above A at (s, v_plus) with r > 0. v_minus < 0: motion against the direction of the side.
struct WrongOrder {
    double s, v_minus, v_plus;
    double excess;  // by how much, at least [N]
};
struct Decision {
    Verdict verdict = Verdict::undecided;
    std::optional<WrongOrder> where;
    long boxes = 0;  // how many were bounded
};

inline constexpr long max_boxes = 100'000;
inline constexpr long search_boxes = 10'000;  // for each step of a search, where an open question only costs a digit

// For speeds up to vmax (infinity: all).
Decision decide(const Side& side, double vmax, long budget = max_boxes);

// With the storage sigma0 z^2/2 and no other; speed is one at which it fails.
struct PlainDecision {
    Verdict verdict = Verdict::undecided;
    double speed = infinity;
};
PlainDecision decide_plain(const Side& side, double vmax, long budget = max_boxes);

// The largest level up to vmax, at the largest load, from above; the smallest between two speeds, at the smallest load, from below.
double highest_level(const Side& side, double vmax);
double lowest_level(const Side& side, double from, double to);

// From one point a better one for speeds up to vmax (finite): the largest excess of a grid, and of the speeds v_plus the largest that
// costs at most a quarter of it, since a slow one takes for ever.
WrongOrder strengthen(const Side& side, const WrongOrder& where, double vmax);

// The point as a witness of the law, held at a load.
Witness witness_of(const Side& side, const WrongOrder& where, double sigma0, double load);

}  // namespace bristle::inline analysis
