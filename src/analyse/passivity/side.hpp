// One direction of a one-state law in the passivity criterion: bounds over intervals of force and speed.
//
// For z > 0 write s = sigma0 z [N] and r = dz/dt [m/s]. A storage function H exists iff its slope separates two sets of quotients F v/r,
// those with r < 0 below and those with r > 0 above: dH/dt <= F v, the power balance K08 (18). Relative to sigma0 z^2/2 they are
//   A = F v/r - s = sigma1(v) v - (s^2 + sigma2 v g)/(s - g)         v > 0, LuGre over a level g
//   A = sigma1 v + (sigma2 v + s (1 - rho))/rho,  rho = r/v           v > 0, r > 0, elasto-plastic (beyond g as LuGre)
//   A = - s^2/(g + s) - (sigma1(v) + sigma2 g/(g + s)) |v|            v < 0: r < 0
// Criterion: sup of A with r < 0 (s > g, or v < 0) <= inf of A with r > 0 (0 < v, s < g). The third line is never positive and
// A > sigma1(v) v wherever r > 0, so a slope s + c(s) with c >= 0 is possible and the third line needs no check.
// A does not depend on sigma0. z < 0 is the same with the level and viscous friction of the other direction.
//
// Load on the curve or inside it: A decreases as g grows with N, for both signs of r, so r < 0 is worst at the smallest load and r > 0
// at the largest.
// Load on the force, varying: F v/r is multiplied by N, so gain (s + A) of r < 0 is compared with s + A of r > 0, gain = N_max/N_min.
// Then the third line needs a check.
#pragma once
#include "analyse/passivity/level_range.hpp"

#include <bristle/laws/elastoplastic.hpp>
#include <optional>

namespace bristle::inline analysis::passivity {

struct Plastic {
    double kappa;
    Breakaway breakaway;
    double floor;  // of the curve, both directions [N]
};

// Line slope (s - pivot), subtracted from A before it is bounded over a box of s. With the slope of A, bounds tend to A with the
// square of the width. slope >= 0; every value gives valid bounds.
struct Tilt {
    double slope = 0, pivot = 0;
    // Lower bound of -slope (s - pivot).
    Interval least(Interval s) const { return Interval(slope) * (Interval(pivot) - Interval(s.hi)); }
};

struct Side {
    Resistance curve;
    // load inside the curve, varying: the curve at the largest load; the member curve is then that at the smallest
    std::optional<Resistance> top;
    double sigma1 = 0, sigma2 = 0;
    double vc = infinity;               // sigma1 exp(-(v/vc)^2)
    double load_min = 1, load_max = 1;  // on the curve
    double gain = 1;                    // load on the force: largest over smallest
    double sigma2_back = 0;             // viscous friction of the other direction, for gain > 1
    std::optional<Plastic> plastic;
    double direction = 1;  // of the speeds v > 0

    // Whether the level vanishes with the speed: then the bristle relaxes at rest.
    bool leaks() const {
        return std::holds_alternative<SmoothStribeck>(curve) || std::holds_alternative<MakkarCurve>(curve);
    }
    // Level at the smallest and at the largest load [N].
    Interval low_level(Interval v) const { return Interval(load_min) * level_range(curve, v); }
    Interval high_level(Interval v) const { return Interval(load_max) * level_range(top ? *top : curve, v); }
    Interval damping(Interval v) const;  // sigma1(v)
    Interval push(Interval v) const;     // sigma1(v) v

    // Bounds of A - tilt over s x v, including the gain; -infinity or +infinity if there is no such point.
    double highest_falling(Interval s, Interval v, Tilt tilt = {}) const;  // r < 0, v > 0
    double highest_back(Interval s, Interval v,
                        Tilt tilt = {}) const;  // r < 0, against the direction at speeds v; gain > 1
    double lowest_rising(Interval s, Interval v, Tilt tilt = {}) const;  // r > 0

    // Enclosure of A at a point; at v = 0 its limit. std::nullopt if r has the other sign or its sign is not certain.
    std::optional<Interval> falling_at(double s, double v) const;
    std::optional<Interval> back_at(double s, double v) const;
    std::optional<Interval> rising_at(double s, double v) const;

    // Approximate dA/ds, including the gain; LuGre.
    double slope_of_falling(double s, double v) const;
    double slope_of_back(double s, double v) const;
    double slope_of_rising(double s, double v) const;

    // Whether A <= 0 for all v of a box and all s up to s_max: then sigma0 z^2/2 is a storage function, K08 (20).
    bool plain_storage_works(Interval v, double s_max) const;
};

}  // namespace bristle::analysis::passivity
