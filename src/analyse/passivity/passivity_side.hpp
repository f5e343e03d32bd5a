// One direction of a one-state law, as the passivity criterion sees it: intervals of force and speed in, bounds out.
//
// For z > 0 write s = sigma0 z, and r = dz/dt. The quotient that a storage slope H' has to pass, less the slope of sigma0 z^2/2, is
//   A = F v/r - s = sigma1(v) v - (s^2 + sigma2 v g)/(s - g)         v > 0, LuGre over a level g
//   A = sigma1 v + (sigma2 v + s (1 - rho))/rho,  rho = r/v           v > 0, r > 0, elasto-plastic (beyond g as LuGre)
//   A = - s^2/(g + s) - (sigma1(v) + sigma2 g/(g + s)) |v|            v < 0: r < 0
// The criterion asks for sup of A where r < 0 (s > g, or v < 0) <= inf of A where r > 0 (0 < v, s < g). The third line is never
// positive and A > sigma1(v) v wherever r > 0, so a storage slope s + c(s) with c >= 0 can be taken and the third line forgotten.
// sigma0 does not matter. z < 0 is the same with the level and viscous friction of the other direction.
//
// Loads. On the curve: A falls as g = N mu grows, on both sides, so r < 0 is worst at the smallest load and r > 0 at the largest.
// On the force, varying: F v/r is multiplied by N, so gain (s + A) of r < 0 is compared with s + A of r > 0, gain = N_max/N_min.
// Now the third line counts.
#pragma once
#include "analyse/passivity/level_range.hpp"

#include <bristle/laws/elastoplastic.hpp>
#include <optional>

namespace bristle::inline analysis {

struct Plastic {
    double kappa;
    Breakaway breakaway;
    double floor;  // of the curve, both directions [N]
};

// A straight line slope (s - pivot), taken off A before it is bounded over a box of s: with the slope that A has, bounds tend to A with
// the square of the width. slope >= 0; any value gives true bounds.
struct Tilt {
    double slope = 0, pivot = 0;
    // Lower bound of -slope (s - pivot).
    Interval least(Interval s) const { return Interval(slope) * (Interval(pivot) - Interval(s.hi)); }
};

struct Side {
    Resistance curve;
    double sigma1 = 0, sigma2 = 0;
    double vc = infinity;               // sigma1 exp(-(v/vc)^2)
    double load_min = 1, load_max = 1;  // on the curve
    double gain = 1;                    // varying load on the force: largest over smallest
    double sigma2_back = 0;             // viscous friction of the other direction, for gain > 1
    std::optional<Plastic> plastic;
    double direction = 1;  // of the speeds v > 0

    // Whether the level vanishes with the speed: the bristle then leaks at rest.
    bool leaks() const {
        return std::holds_alternative<SmoothStribeck>(curve) || std::holds_alternative<MakkarCurve>(curve);
    }
    Interval damping(Interval v) const;  // sigma1(v)
    Interval push(Interval v) const;     // sigma1(v) v

    // Bounds of A - tilt over s x v, with the gain worked in; -infinity and +infinity where there is no such point.
    double highest_falling(Interval s, Interval v, Tilt tilt = {}) const;  // r < 0, v > 0
    double highest_back(Interval s, Interval v,
                        Tilt tilt = {}) const;  // r < 0, against the direction at speeds v; gain > 1
    double lowest_rising(Interval s, Interval v, Tilt tilt = {}) const;  // r > 0

    // A itself at a point, enclosed; at v = 0 its limit. Nothing where r has the other sign or the sign cannot be told.
    std::optional<Interval> falling_at(double s, double v) const;
    std::optional<Interval> back_at(double s, double v) const;
    std::optional<Interval> rising_at(double s, double v) const;

    // dA/ds, roughly, with the gain worked in; LuGre.
    double slope_of_falling(double s, double v) const;
    double slope_of_back(double s, double v) const;
    double slope_of_rising(double s, double v) const;

    // Whether A <= 0 for all v of a box and all s up to s_max: there sigma0 z^2/2 will do as a storage.
    bool plain_storage_works(Interval v, double s_max) const;
};

}  // namespace bristle::inline analysis
