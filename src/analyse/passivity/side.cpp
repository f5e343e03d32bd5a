// Bounds of the one-state criterion over boxes of force and speed.
#include "analyse/passivity/side.hpp"

namespace bristle::inline analysis::passivity {
namespace {

// Lower bound of (s^2 + sigma2 v g)/(s - g) + tilt (s - pivot) over s in a box with s > g, for numbers g < s.hi and v < infinity.
// With d = s - g it is (1 + tilt) d + (g^2 + sigma2 v g)/d + (2 + tilt) g - tilt pivot: convex, least at
// d = sqrt((g^2 + sigma2 v g)/(1 + tilt)).
double least_cost(double sigma2, double g, double v, Interval s, Tilt tilt = {}) {
    const Interval viscous = Interval(sigma2) * Interval(v) * Interval(g), k(tilt.slope), lean = Interval(1) + k;
    const Interval least = sqrt(numerics::square(Interval(g)) + viscous), d = least / sqrt(lean),
                   best = Interval(g) + d;
    const auto at = [&](double x) {
        return (numerics::square(Interval(x)) + viscous) / (Interval(x) - Interval(g)) +
               k * (Interval(x) - Interval(tilt.pivot));
    };
    if (s.hi <= best.lo) return at(s.hi).lo;
    if (s.lo >= best.hi) return at(s.lo).lo;
    return (Interval(2) * least * sqrt(lean) + (Interval(2) + k) * Interval(g) - k * Interval(tilt.pivot)).lo;
}
// Divided by v, for v up to infinity, and without the tilt.
double least_cost_per_speed(double sigma2, double g, double v, Interval s) {
    if (v < infinity) return v > 0 ? std::max(0.0, (Interval(least_cost(sigma2, g, v, s)) / Interval(v)).lo) : infinity;
    return s.hi < infinity ? (Interval(sigma2) * Interval(g) / (Interval(s.hi) - Interval(g))).lo : 0;
}

// Lower bound of (s^2 + sigma2 v g)/(g - s) - tilt (s - pivot) over s in a box with s < g. With d = g - s it is
// (1 + tilt) d + (g^2 + sigma2 v g)/d - (2 + tilt) g + tilt pivot: least at the same d.
double least_rise(Interval viscous, double g, Interval s, Tilt tilt) {
    const Interval k(tilt.slope), lean = Interval(1) + k,
                                  least = sqrt(numerics::square(Interval(g)) + viscous * Interval(g));
    const Interval best = Interval(g) - least / sqrt(lean);
    const auto at = [&](double x) {
        return (numerics::square(Interval(x)) + viscous * Interval(g)) / (Interval(g) - Interval(x)) -
               k * (Interval(x) - Interval(tilt.pivot));
    };
    if (s.lo >= best.hi) return at(s.lo).lo;
    if (s.hi <= best.lo) return at(s.hi).lo;
    return (Interval(2) * least * sqrt(lean) - (Interval(2) + k) * Interval(g) + k * Interval(tilt.pivot)).lo;
}

// NaN from rounding or overflow is no bound: it must not prove anything.
double from_above(double bound) { return std::isnan(bound) ? infinity : bound; }
double from_below(double bound) { return std::isnan(bound) ? -infinity : bound; }

constexpr Interval half_pi{1.5707963267948965, 1.5707963267948968};

// (dz/dt)/v of the elasto-plastic law at p = s/g in (elastic, 1).
Interval plastic_rate(Interval p, Interval elastic) {
    const Interval missing = Interval(1) - p, quarter = half_pi * missing / (Interval(1) - elastic);
    const Interval rate =
        missing + p * numerics::square(numerics::sin({std::max(0.0, quarter.lo), std::min(quarter.hi, half_pi.hi)}));
    return {rate.lo, std::min(1.0, rate.hi)};
}
Interval elastic_fraction(const Plastic& plastic, Interval level) {
    if (plastic.breakaway == Breakaway::fraction) return plastic.kappa;
    return Interval(plastic.kappa) * Interval(plastic.floor) / level;
}

}  // namespace

Interval Side::damping(Interval v) const {
    if (vc == infinity) return sigma1;
    return Interval(sigma1) * exp(-numerics::square(v / Interval(vc)));
}
Interval Side::push(Interval v) const {
    if (vc == infinity) return Interval(sigma1) * v;
    // increases up to vc/sqrt(2), then decreases to 0
    const auto at = [&](double x) { return x == infinity ? Interval(0) : Interval(x) * damping(x); };
    Interval range = hull(at(v.lo), at(v.hi));
    const double fastest = vc * std::sqrt(0.5);
    if (v.lo <= fastest * (1 + 1e-12) && v.hi >= fastest * (1 - 1e-12))
        range.hi = std::max(range.hi, (Interval(sigma1) * Interval(vc) * exp(-0.5) * sqrt(Interval(0.5))).hi);
    return range;
}

double Side::highest_falling(Interval s, Interval v, Tilt tilt) const {
    const double g = low_level(v).lo;
    if (!(g < s.hi)) return -infinity;
    // gain (s + A) - s - tilt (s - pivot) = gain (A - lean (s - pivot)) + (gain - 1) pivot,  lean = (tilt + 1)/gain - 1
    const Interval lean =
        gain == 1 ? Interval(tilt.slope) : (Interval(tilt.slope) + Interval(1)) / Interval(gain) - Interval(1);
    const Tilt leant{lean.lo, tilt.pivot};
    const double pushed = (Interval(push(v).hi) - Interval(least_cost(sigma2, g, v.lo, s, leant))).hi;
    // for one g and one damping A is linear in v: its extremes lie at the ends
    const double sigma = damping(v).hi;
    const auto at = [&](double end) {
        return (Interval(sigma) * Interval(end) - Interval(least_cost(sigma2, g, end, s, leant))).hi;
    };
    const double straight = v.hi < infinity                                         ? std::max(at(v.lo), at(v.hi))
                            : sigma <= least_cost_per_speed(sigma2, g, infinity, s) ? at(v.lo)
                                                                                    : infinity;
    const double A = std::min(pushed, straight);
    if (gain == 1) return from_above(A);
    const Interval rounded = (Interval(leant.slope) - lean) * (s - Interval(tilt.pivot));  // of the lean
    return from_above(
        (Interval(gain) * (Interval(A) + rounded) + (Interval(gain) - Interval(1)) * Interval(tilt.pivot)).hi);
}
double Side::highest_back(Interval s, Interval v, Tilt tilt) const {
    // gain (s g/(g + s) - damping and viscous terms) - s - tilt (s - pivot), concave in s
    const Interval g = level_range(curve, v), lean = Interval(1) + Interval(tilt.slope);
    const double damped = (Interval(push(v).lo) +
                           Interval(sigma2_back) * Interval(v.lo) * Interval(g.lo) / (Interval(g.lo) + Interval(s.hi)))
                              .lo;
    const auto at = [&](Interval x) {
        return from_above((Interval(gain) * (x * (Interval(g.hi) / (Interval(g.hi) + x)) - Interval(damped)) -
                           lean * x + Interval(tilt.slope) * Interval(tilt.pivot))
                              .hi);
    };
    const Interval best = Interval(g.hi) * (sqrt(Interval(gain) / lean) - Interval(1));
    if (s.hi <= best.lo) return at(s.hi);
    if (s.lo >= best.hi) return at(s.lo);
    return at({std::max(s.lo, best.lo), std::min(s.hi, best.hi)});
}
double Side::lowest_rising(Interval s, Interval v, Tilt tilt) const {
    const double g = high_level(v).hi;
    if (!(g > s.lo)) return infinity;
    const Interval pushed = push(v).lo, viscous = Interval(sigma2) * Interval(v.lo);
    if (plastic) {
        const double p = (Interval(s.lo) / Interval(g)).lo,
                     elastic = elastic_fraction(*plastic, level_range(curve, v)).hi;
        if (p <= elastic) return from_below((pushed + viscous + tilt.least(s)).lo);
        const Interval rho = plastic_rate(p, elastic).hi;
        return from_below((pushed + viscous / rho + Interval(s.lo) * (Interval(1) - rho) / rho + tilt.least(s)).lo);
    }
    if (g == infinity) return from_below((pushed + viscous + tilt.least(s)).lo);
    return from_below((pushed + Interval(least_rise(viscous, g, s, tilt))).lo);
}

std::optional<Interval> Side::falling_at(double s, double v) const {
    const Interval g = low_level(v);
    if (!(g.hi < s)) return {};
    const Interval A =
        push(v) - (numerics::square(Interval(s)) + Interval(sigma2) * Interval(v) * g) / (Interval(s) - g);
    return gain == 1 ? A : Interval(gain) * A + (Interval(gain) - Interval(1)) * Interval(s);
}
std::optional<Interval> Side::back_at(double s, double v) const {
    const Interval g = level_range(curve, v), fraction = g / (g + Interval(s));
    return Interval(gain) * (Interval(s) * fraction - push(v) - Interval(sigma2_back) * Interval(v) * fraction) -
           Interval(s);
}
std::optional<Interval> Side::rising_at(double s, double v) const {
    const Interval g = high_level(v);
    if (!(g.lo > s)) return {};
    const Interval viscous = Interval(sigma2) * Interval(v);
    if (plastic) {
        const Interval p = Interval(s) / g, elastic = elastic_fraction(*plastic, level_range(curve, v));
        if (p.hi <= elastic.lo) return push(v) + viscous;
        if (p.lo <= elastic.hi) return {};
        const Interval rho = plastic_rate(p, elastic);
        return push(v) + (viscous + Interval(s) * (Interval(1) - rho)) / rho;
    }
    return push(v) + (numerics::square(Interval(s)) + viscous * g) / (g - Interval(s));
}

double Side::slope_of_falling(double s, double v) const {
    const double g = low_level(v).lo, d = s - g;
    return gain * (s * s + sigma2 * v * g - 2 * s * d) / (d * d) + (gain - 1);
}
double Side::slope_of_back(double s, double v) const {
    const double g = level_range(curve, v).lo;
    return gain * g * (g + sigma2_back * v) / ((g + s) * (g + s)) - 1;
}
double Side::slope_of_rising(double s, double v) const {
    const double g = high_level(v).lo, d = g - s;
    return (s * s + sigma2 * v * g + 2 * s * d) / (d * d);
}

// K08 (20): F v - d/dt (sigma0 z^2/2) >= 0
bool Side::plain_storage_works(Interval v, double s_max) const {
    const Interval s(0, s_max);
    const double g = low_level(v).lo;
    if (!(g < s_max)) return true;
    if (push(v).hi <= least_cost(sigma2, g, v.lo, s)) return true;
    const double sigma = damping(v).hi;
    if (sigma <= least_cost_per_speed(sigma2, g, v.hi, s)) return true;
    // v -> 0 with a level that vanishes: the cost per speed is at least 2 (k + sqrt(k^2 + sigma2 k)), k = g/v
    const Interval k = (Interval(load_min) * chord_range(curve, v)).lo;
    return sigma <= (Interval(2) * (k + sqrt(numerics::square(k) + Interval(sigma2) * k))).lo;
}

}  // namespace bristle::analysis::passivity
