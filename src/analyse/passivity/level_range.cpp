// Range of each curve over an interval of speeds.
#include "analyse/passivity/level_range.hpp"

#include <type_traits>

namespace bristle::inline analysis::passivity {
namespace {

// |x|^alpha; exponents 1 and 2 without pow.
Interval raised(Interval x, double alpha) { return alpha == 2 ? square(x) : alpha == 1 ? x : pow(x, alpha); }

// Fc + (Fs - Fc) exp(-x^alpha)
template <class Curve>
Interval falling(const Curve& c, Interval x) {
    return Interval(c.Fc) + (Interval(c.Fs) - Interval(c.Fc)) * exp(-raised(x, c.alpha));
}

Interval range(const Stribeck& c, Interval v) { return falling(c, v / Interval(c.vs)); }

Interval height(const SmoothStribeck& c, Interval v, Interval t) { return falling(c, v * t / Interval(c.vs)); }
Interval direct(const SmoothStribeck& c, Interval v) {
    const Interval t = tanh(Interval(c.c) * v);
    return t * height(c, v, t);
}
// dg/dv = c (1 - t^2) height - t (Fs - Fc) exp(-x^alpha) alpha x^alpha (1/v + c (1 - t^2)/t),  x = v t/vs
Interval slope(const SmoothStribeck& c, Interval v) {
    const Interval t = tanh(Interval(c.c) * v), t_slope = Interval(c.c) * (Interval(1) - square(t));
    const Interval drop = raised(v * t / Interval(c.vs), c.alpha);
    return t_slope * height(c, v, t) - (Interval(c.Fs) - Interval(c.Fc)) * exp(-drop) * Interval(c.alpha) * drop *
                                           (t / v + Interval(std::max(0.0, t_slope.lo), t_slope.hi));
}
// K08 (44) as printed
Interval range(const SmoothStribeckPrinted& c, Interval v) {
    const Interval t = tanh(Interval(c.c) * v);
    return height(c, v, t) / t;
}

// g1 (step(g2) - step(g3)) + g4 step(g5); the hump is not negative if g2 >= g3.
template <class Step>
Interval makkar(const MakkarCurve& c, const Step& step) {
    const Interval hump = Interval(c.g1) * (step(c.g2) - step(c.g3)), rest = Interval(c.g4) * step(c.g5);
    return (c.g2 >= c.g3 ? Interval(std::max(0.0, hump.lo), hump.hi) : hump) + rest;
}
Interval direct(const MakkarCurve& c, Interval v) {
    return makkar(c, [&](double sharpness) { return tanh(Interval(sharpness) * v); });
}
Interval slope(const MakkarCurve& c, Interval v) {
    const auto step = [&](double height, double sharpness) {
        const Interval k = Interval(sharpness);
        return Interval(height) * k * (Interval(1) - square(tanh(k * v)));
    };
    return step(c.g1, c.g2) - step(c.g1, c.g3) + step(c.g4, c.g5);
}

// A smooth curve whose formula contains v more than once: if its slope has one sign, the ends give the range; otherwise the slope
// bounds the distance from the value at the middle.
template <class Curve>
    requires std::is_same_v<Curve, SmoothStribeck> || std::is_same_v<Curve, MakkarCurve> Interval range(const Curve& c,
                                                                                                        Interval v) {
        const Interval whole = direct(c, v);
        if (v.lo == v.hi || v.hi == infinity) return whole;
        const Interval rise = v.lo > 0 ? slope(c, v) : Interval(-infinity, infinity);
        const auto both = [&](Interval tight) {
            return Interval(std::max(whole.lo, tight.lo), std::min(whole.hi, tight.hi));
        };
        if (rise.lo >= 0 || rise.hi <= 0) return both(hull(direct(c, v.lo), direct(c, v.hi)));
        if (!(rise.hi - rise.lo < infinity)) return whole;
        const double middle = v.lo + (v.hi - v.lo) / 2;
        return both(direct(c, middle) + rise * (v - Interval(middle)));
    }

// One value of the monotone cubic, the same formula as in Table::at.
struct Knots {
    const Table& c;
    Interval secant(int i) const {
        return (Interval(c.g[i + 1]) - Interval(c.g[i])) / (Interval(c.v[i + 1]) - Interval(c.v[i]));
    }
    Interval slope(int i) const {
        if (i == c.size - 1 || (i == 0 && c.v[0] > 0)) return 0;
        if (i == 0) return secant(0);
        const Interval before = secant(i - 1), after = secant(i);
        if (!(before.lo * after.lo > 0 && before.hi * after.hi > 0)) return 0;
        const Interval a = Interval(c.v[i]) - Interval(c.v[i - 1]), b = Interval(c.v[i + 1]) - Interval(c.v[i]);
        return Interval(3) * (a + b) / ((Interval(2) * b + a) / before + (b + Interval(2) * a) / after);
    }
    Interval at(double v) const {
        if (v <= c.v[0]) return c.g[0];
        if (v >= c.v[c.size - 1]) return c.g[c.size - 1];
        const int i = int(std::upper_bound(c.v, c.v + c.size, v) - c.v) - 1;
        const Interval width = Interval(c.v[i + 1]) - Interval(c.v[i]), t = (Interval(v) - Interval(c.v[i])) / width,
                       u = Interval(1) - t;
        return Interval(c.g[i]) * (square(u) * (Interval(1) + Interval(2) * t)) +
               Interval(c.g[i + 1]) * (square(t) * (Interval(1) + Interval(2) * u)) +
               width * (slope(i) * (t * square(u)) - slope(i + 1) * (square(t) * u));
    }
};
Interval range(const Table& c, Interval v) {
    // monotone between the points: the range is spanned by the ends and the points inside
    const Knots knots{c};
    Interval all = hull(knots.at(v.lo), knots.at(v.hi));
    for (int i = 0; i < c.size; ++i)
        if (v.contains(c.v[i])) all = hull(all, c.g[i]);
    return all;
}

Interval slope_of(const SmoothStribeck& c, Interval v) {
    return height(c, v, tanh(Interval(c.c) * v)) * Interval(c.c) * tanh_over(Interval(c.c) * v);
}
Interval slope_of(const MakkarCurve& c, Interval v) {
    return makkar(c, [&](double sharpness) { return Interval(sharpness) * tanh_over(Interval(sharpness) * v); });
}

}  // namespace

Interval level_range(const Resistance& curve, Interval v) {
    return std::visit([&](const auto& c) { return range(c, v); }, curve);
}
Interval chord_range(const Resistance& curve, Interval v) {
    return std::visit(
        [&](const auto& c) {
            const Interval quotient = range(c, v) / v;
            using Curve = std::remove_cvref_t<decltype(c)>;
            if constexpr (std::is_same_v<Curve, SmoothStribeck> || std::is_same_v<Curve, MakkarCurve>) {
                const Interval slope = slope_of(c, v);
                return Interval(std::max(quotient.lo, slope.lo), std::min(quotient.hi, slope.hi));
            } else {
                return quotient;
            }
        },
        curve);
}

}  // namespace bristle::analysis::passivity
