// Friction curves: steady-state level g(v) [N], without viscous friction.
//
// A curve offers, for v in m/s (rotary: rad/s; a coefficient instead of N if a normal load is given):
//   grip(v), or grip_on(s, v) with the side s = +1 or -1 of v if the two sides differ; both values from one evaluation:
//             .steady       sgn(v) g(v); at v = 0 the limit from above   [N]
//             .conductance  |v|/g(v); exact at v = 0                     [m/(s N)]
//   static_level(s)   force at which a contact at rest breaks away towards s = +1 or -1     [N]
//   peak()    largest level over all speeds and both directions, the bound of P1            [N]
//   floor()   smallest level, if > 0 (curves that are smooth at v = 0 have no floor)         [N]
//   zone()    speeds between which the level changes: the sub-step zone                     [m/s]
// and three facts: odd (g(-v) = g(v)), bounded (no level above the peak), sticks (g > 0 as v -> 0).
// level(curve, v), steady(curve, v), conductance(curve, v) return one value of the grip.
//
// Level            Fc sliding, Fs at rest                                             Coulomb
// Stribeck         Fc + (Fs - Fc) exp(-|v/vs|^alpha)                                  A08 (4), K08 (2)
// SmoothStribeck   (Fc + (Fs - Fc) exp(-(v tanh(c v)/vs)^alpha)) tanh(c v)            K08 (43) without sigma2 v
// SmoothStribeckPrinted   conductance as printed in K08 (44): erratum E1, for study only
// MakkarCurve      g1 (tanh(g2 v) - tanh(g3 v)) + g4 tanh(g5 v)                       M05 (2) without g6 v, K08 (42)
// Table            measured points, monotone cubic between them (Fritsch and Butland 1984)
// Directional<C>   one curve for v >= 0, another for v < 0                            A08 p. 103
// GearCurve        Stribeck whose Fc and Fs grow with the transmitted load N: laws/gear.hpp
//
// A curve whose level grows with the load (TakesLoad) has  under(N): the curve at the load N [N], which offers the above;
// of the above it has only zone(), for all loads.
//
// Sign: .steady has the sign of v.
// Limits: parameters are not checked; call problems() once before the first step.
#pragma once
#include <bristle/parameters.hpp>
#include <bristle/search.hpp>

namespace bristle {

template <class T>
struct SpeedZone {
    T low, high;  // m/s, 0 <= low <= high; equal if the level is constant
};

// Curves whose level grows with the load.
template <class Curve>
concept TakesLoad = requires {
    requires Curve::takes_load;
};

template <class S>
struct Grip {
    S steady;       // sgn(v) g(v)  [N]
    S conductance;  // |v|/g(v)     [m/(s N)]
};

// Returns the grip for the side s = +1 or -1 of v, also for v slightly beyond 0. A solver needs it to keep the right-hand
// side smooth until the reversal is located. Curves that are smooth at v = 0 ignore s.
template <class Curve, class S>
Grip<S> grip_on(const Curve& curve, const S& s, const S& v) noexcept {
    if constexpr (requires { curve.grip_on(s, v); })
        return curve.grip_on(s, v);
    else
        return curve.grip(v);
}
template <class Curve, class S>
Grip<S> grip(const Curve& curve, const S& v) noexcept {
    return grip_on(curve, side(v), v);
}

// ---- Level ---------------------------------------------------------------------------------------------------------

template <class T>
struct basic_level {
    static constexpr bool odd = true, bounded = true, sticks = true;
    T Fc = unset<T>();
    T Fs = Fc;

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(Parameter{"Fc", "N", "Coulomb level: friction while sliding", bound::positive, 1}, self.Fc);
        visit(Parameter{"Fs", "N", "stiction level: force at which a contact at rest breaks away", bound::positive, 1.5,
                        "Fc"},
              self.Fs);
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        if (Fs < Fc) sink(Problem{{"Fs", "N", "", bound::positive}, double(value(Fs)), "must be >= Fc"});
    }
    template <class S>
    constexpr Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return {s * Fc, s * v / Fc};
    }
    constexpr T static_level(T) const noexcept { return Fs; }
    constexpr T peak() const noexcept { return Fs; }
    constexpr T floor() const noexcept { return Fc; }
    constexpr SpeedZone<T> zone() const noexcept { return {T(0), T(0)}; }
};

// ---- Stribeck: A08 (4), K08 (2) ------------------------------------------------------------------------------------

template <class T>
struct basic_stribeck {
    static constexpr bool odd = true, bounded = true, sticks = true;
    T Fc = unset<T>();
    T Fs = unset<T>();
    T vs = unset<T>();
    T alpha = T(2);
    bool allow_rising = false;  // accepts Fs < Fc, which occurs in measured branches

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(Parameter{"Fc", "N", "Coulomb level: friction at high speed", bound::positive, 1}, self.Fc);
        visit(Parameter{"Fs", "N", "stiction level: friction as the speed tends to zero", bound::positive, 1.5},
              self.Fs);
        visit(Parameter{"vs", "m/s", "Stribeck velocity: where the level has dropped by 63 %", bound::positive, 1e-3},
              self.vs);
        visit(Parameter{"alpha", "1", "Stribeck exponent", bound::exponent, 2}, self.alpha);
    }
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        visit(Choice{"allow_rising", "accept Fs < Fc, as some measured curves have it"}, self.allow_rising);
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        if (Fs < Fc && !allow_rising)
            sink(Problem{{"Fs", "N", "", bound::positive}, double(value(Fs)), "must be >= Fc (or set allow_rising)"});
    }
    // Returns |ratio|^alpha; without pow for the usual exponents alpha = 2 and alpha = 1 (ratio >= 0 there).
    template <class S>
    S drop(const S& ratio) const noexcept {
        return choose(
            fixed_at(alpha, T(2)), [&] { return ratio * ratio; },
            [&] {
                return choose(
                    fixed_at(alpha, T(1)), [&] { return ratio; }, [&] { return pow(abs(ratio), alpha); });
            });
    }
    // A08 (4), K08 (2)
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        const S g = Fc + (Fs - Fc) * exp(-drop(s * v * (T(1) / vs)));
        return {s * g, s * v / g};
    }
    constexpr T static_level(T) const noexcept { return Fs; }
    constexpr T peak() const noexcept { return larger(Fs, Fc); }
    constexpr T floor() const noexcept { return smaller(Fs, Fc); }
    // From 1 % of the drop of the level (0.1 vs for alpha = 2) to all but e^-10 of it, at least 10 vs.
    SpeedZone<T> zone() const noexcept {
        const T low = vs * smaller(T(0.1), pow(T(0.01), T(1) / alpha));
        return {low, select(Fs == Fc, low, vs * larger(T(10), pow(T(10), T(1) / alpha)))};
    }
};

// ---- SmoothStribeck: K08 (43) --------------------------------------------------------------------------------------

template <class T>
struct basic_smooth_stribeck {
    static constexpr bool odd = true, bounded = true, sticks = false;
    T Fc = unset<T>();
    T Fs = unset<T>();
    T vs = unset<T>();
    T alpha = T(2);
    T c = unset<T>();
    bool allow_rising = false;

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        basic_stribeck<T>::parameters(self, visit);
        visit(
            Parameter{"c", "s/m", "sharpness of the change of sign: tanh(c v) stands for sgn v", bound::positive, 1e3},
            self.c);
    }
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        basic_stribeck<T>::choices(self, visit);
    }
    constexpr basic_stribeck<T> sharp() const noexcept { return {Fc, Fs, vs, alpha, allow_rising}; }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        sharp().rules(sink);
    }
    // Returns the factor of tanh(c v) in K08 (43) [N].
    template <class S>
    S height(const S& v, const S& t) const noexcept {
        // alpha = 1/2 has a corner at v = 0; written as |v| (tanh(c v)/(v vs))^(1/2), the slope from above is finite
        const S drop = choose(
            fixed_at(alpha, T(0.5)), [&] { return abs(v) * sqrt(c * tanhc(S(c * v), t) / vs); },
            [&] { return sharp().drop(S(v * t / vs)); });
        return Fc + (Fs - Fc) * exp(-drop);
    }
    // Conductance v/(height tanh(c v)), 1/(c Fs) at v = 0: a bristle creeps under every load. It corrects K08 (44),
    // erratum E1.
    template <class S>
    Grip<S> grip(const S& v) const noexcept {
        const S t = tanh(c * v), top = height(v, t);
        return {top * t, y_over_tanh(c * v, t) / (c * top)};
    }
    constexpr T static_level(T) const noexcept { return T(0); }
    constexpr T peak() const noexcept { return sharp().peak(); }
    SpeedZone<T> zone() const noexcept {
        const auto falling = sharp().zone();
        return {smaller(falling.low, T(0.1) / c), larger(falling.high, T(10) / c)};
    }
    // Returns the creep speed [m/s] under a held force |F| < Fs, valid while it is far below vs: atanh(F/Fs)/c, from
    // K08 (43).
    T creep(T F) const noexcept { return T(0.5) * log((Fs + F) / (Fs - F)) / c; }
};

// K08 (44) as printed: the steady force is height/tanh(c v), unbounded as v -> 0. Violates P1; kept to show erratum E1.
template <class T>
struct basic_smooth_stribeck_printed : basic_smooth_stribeck<T> {
    static constexpr bool bounded = false;
    template <class S>
    Grip<S> grip(const S& v) const noexcept {
        const S t = tanh(this->c * v), top = this->height(v, t);
        const auto moving = abs(v) > S(0);
        return {select(moving, top / select(moving, t, S(1)), S(0)), v * t / top};
    }
};

// ---- Makkar: M05 (2) without g6 v; as a LuGre curve K08 (42) --------------------------------------------------------

template <class T>
struct basic_makkar_curve {
    static constexpr bool odd = true, bounded = true, sticks = false;
    static constexpr const char* viscous_name = "g6";  // M05 (2) calls the viscous coefficient gamma_6
    T g1 = unset<T>();
    T g2 = unset<T>();
    T g3 = unset<T>();
    T g4 = unset<T>();
    T g5 = unset<T>();

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(Parameter{"g1", "N", "factor of the Stribeck term", bound::nonnegative, 0.7}, self.g1);
        visit(Parameter{"g2", "s/m", "steepness of the rise of the Stribeck term", bound::nonnegative, 2e3}, self.g2);
        visit(Parameter{"g3", "s/m", "steepness of the fall of the Stribeck term", bound::nonnegative, 1e2}, self.g3);
        visit(Parameter{"g4", "N", "Coulomb level", bound::nonnegative, 1}, self.g4);
        visit(Parameter{"g5", "s/m", "sharpness of the Coulomb step", bound::nonnegative, 2e3}, self.g5);
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        if (g2 < g3)
            sink(Problem{{"g2", "s/m", "", bound::nonnegative},
                         double(value(g2)),
                         "must be >= g3, or friction drives the motion"});
    }
    // Without a Coulomb part the level tends to 0 at high speed, and h(v) = sigma0 |v|/g(v) overflows.
    template <class Sink>
    constexpr void bristle_rules(Sink&& sink) const {
        const char* rule = "must be > 0 in a bristle law";
        if (g4 <= T(0)) sink(Problem{{"g4", "N", "", bound::positive}, double(value(g4)), rule});
        if (g5 <= T(0)) sink(Problem{{"g5", "s/m", "", bound::positive}, double(value(g5)), rule});
    }
    // M05 (2) without g6 v; conductance K08 (42)
    template <class S>
    Grip<S> grip(const S& v) const noexcept {
        const S a = tanh(g2 * v), b = tanh(g3 * v), k = tanh(g5 * v);
        const S slope = g1 * (g2 * tanhc(g2 * v, a) - g3 * tanhc(g3 * v, b)) + g4 * g5 * tanhc(g5 * v, k);
        return {g1 * (a - b) + g4 * k, S(1) / slope};
    }
    constexpr T static_level(T) const noexcept { return T(0); }
    // Found by search: 18 % to 23 % below "g1 + g4", the value that M05 states for its own parameters.
    T peak() const noexcept {
        const auto [sharpest, bluntest] = sharpness();
        const auto height = [&](T v) { return grip(v).steady; };
        if (!(sharpest > T(0))) return T(0);
        return larger(detail::maximum(height, T(1e-3) / sharpest, T(50) / bluntest).value, g4);
    }
    constexpr SpeedZone<T> zone() const noexcept {
        const auto [sharpest, bluntest] = sharpness();
        return select(sharpest > T(0), SpeedZone<T>{T(0.1) / sharpest, T(10) / bluntest}, SpeedZone<T>{T(0), T(0)});
    }

  private:
    struct Sharpness {
        T sharpest, bluntest;  // largest and smallest of the sharpnesses > 0 [s/m]
    };
    constexpr Sharpness sharpness() const noexcept {
        const T most = larger(g2, g5);
        return {most, smaller(select(g3 > T(0), g3, most), select(g5 > T(0), g5, most))};
    }
};

// ---- Table ---------------------------------------------------------------------------------------------------------

// Levels g[i] measured at rising speeds v[i] >= 0, for i < size. Constant below the first and above the last point. For
// plain scalars and dual numbers only: it branches.
template <class T>
struct basic_table {
    static constexpr bool odd = true, bounded = true, sticks = true;
    static constexpr int capacity = 64;
    int size = 0;
    T v[capacity]{};  // m/s
    T g[capacity]{};  // N

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        for (int i = 0; i < self.size && i < capacity; ++i) {
            visit(Parameter{"v", "m/s", "speed of a measured point", bound::nonnegative, no_example, nullptr, "", i},
                  self.v[i]);
            visit(Parameter{"g", "N", "level at that speed", bound::positive, no_example, nullptr, "", i}, self.g[i]);
        }
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        if (size < 2 || size > capacity)
            sink(Problem{{"size", "1", "", bound::positive}, double(size), "must be 2 to 64: the number of points"});
        for (int i = 1; i < size && i < capacity; ++i)
            if (!(v[i] > v[i - 1]))
                sink(Problem{{"v", "m/s", "", bound::nonnegative, no_example, nullptr, "", i},
                             double(value(v[i])),
                             "must be larger than the speed before it"});
    }
    // Returns g(speed) [N] for speed >= 0 [m/s]; NaN if size is out of range.
    template <class S>
    S at(const S& speed) const noexcept {
        if (!sized()) return S(unset<T>());
        const S s = speed;
        if (s < S(v[0])) return S(g[0]);
        if (s >= S(v[size - 1])) return S(g[size - 1]);
        int low = 0, high = size - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (s < S(v[middle]) ? high : low) = middle;
        }
        // cubic Hermite on [v[low], v[low + 1]]
        const T width = v[low + 1] - v[low];
        const S t = (s - v[low]) / width, u = S(1) - t;
        return g[low] * (u * u * (S(1) + T(2) * t)) + g[low + 1] * (t * t * (S(1) + T(2) * u)) +
               width * (slope(low) * (t * u * u) - slope(low + 1) * (t * t * u));
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& speed) const noexcept {
        const S height = at(S(s * speed));
        return {s * height, s * speed / height};
    }
    T static_level(T) const noexcept { return at(T(0)); }
    T peak() const noexcept {  // the largest point, because each piece is monotone
        T top = g[0];
        for (int i = 1; i < size && i < capacity; ++i) top = larger(top, g[i]);
        return top;
    }
    constexpr T floor() const noexcept {
        T bottom = g[0];
        for (int i = 1; i < size && i < capacity; ++i) bottom = smaller(bottom, g[i]);
        return bottom;
    }
    constexpr SpeedZone<T> zone() const noexcept {
        if (!sized()) return {T(0), T(0)};
        return {T(0.1) * (v[0] > T(0) ? v[0] : v[1]), v[size - 1]};
    }

  private:
    constexpr bool sized() const noexcept { return size >= 2 && size <= capacity; }
    constexpr T secant(int i) const noexcept { return (g[i + 1] - g[i]) / (v[i + 1] - v[i]); }
    // Returns the slope at point i that keeps each piece monotone; 0 at an end beyond which the level is constant.
    constexpr T slope(int i) const noexcept {
        if (i == size - 1 || (i == 0 && v[0] > T(0))) return T(0);
        if (i == 0) return secant(0);
        const T before = secant(i - 1), after = secant(i);
        if (!(before * after > T(0))) return T(0);
        const T a = v[i] - v[i - 1], b = v[i + 1] - v[i];
        return T(3) * (a + b) / ((T(2) * b + a) / before + (b + T(2) * a) / after);
    }
};

// ---- Directional ---------------------------------------------------------------------------------------------------

template <class Curve>
struct Directional {
    static constexpr bool odd = false, bounded = Curve::bounded, sticks = Curve::sticks, takes_load = TakesLoad<Curve>;
    Curve positive{};  // v >= 0
    Curve negative{};  // v < 0

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        Curve::parameters(self.positive, visit);
        Curve::parameters(self.negative, detail::in_group("negative", visit));
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        positive.rules(sink);
        negative.rules(for_negative(sink));
    }
    template <class Sink>
    constexpr void bristle_rules(Sink&& sink) const requires requires(const Curve& curve) {
        curve.bristle_rules(sink);
    }
    {
        positive.bristle_rules(sink);
        negative.bristle_rules(for_negative(sink));
    }
    template <class S>
    constexpr auto under(const S& load) const noexcept requires TakesLoad<Curve> {
        return Directional<decltype(positive.under(load))>{positive.under(load), negative.under(load)};
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return choose(
            s < S(0), [&] { return bristle::grip_on(negative, s, v); },
            [&] { return bristle::grip_on(positive, s, v); });
    }
    template <class T>
    constexpr T static_level(T s) const noexcept {
        return select(s < T(0), negative.static_level(s), positive.static_level(s));
    }
    constexpr auto peak() const noexcept { return larger(positive.peak(), negative.peak()); }
    constexpr auto floor() const noexcept { return smaller(positive.floor(), negative.floor()); }
    auto zone() const noexcept {
        const auto p = positive.zone(), n = negative.zone();
        return decltype(p){smaller(p.low, n.low), larger(p.high, n.high)};
    }

  private:
    template <class Sink>
    static constexpr auto for_negative(Sink& sink) {
        return [&sink](Problem p) {
            p.parameter.group = "negative";
            sink(p);
        };
    }
};

template <class Curve, class S>
S level(const Curve& curve, const S& v) noexcept {
    return abs(grip(curve, v).steady);
}
template <class Curve, class S>
S steady(const Curve& curve, const S& v) noexcept {
    return grip(curve, v).steady;
}
template <class Curve, class S>
S conductance(const Curve& curve, const S& v) noexcept {
    return grip(curve, v).conductance;
}

using Level = basic_level<double>;
using Stribeck = basic_stribeck<double>;
using SmoothStribeck = basic_smooth_stribeck<double>;
using SmoothStribeckPrinted = basic_smooth_stribeck_printed<double>;
using MakkarCurve = basic_makkar_curve<double>;
using Table = basic_table<double>;

}  // namespace bristle
