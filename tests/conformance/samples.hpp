// Laws of the conformance suite: for each a typical parameter set, random ones, and its steady force by the formulas of
// the papers, in long double.
#pragma once
#include "table_sample.hpp"
#include <bristle/bristle.hpp>
#include <string>

namespace samples {

// ---- curves: a random one, and the level by the formula of the paper -----------------------------------------------

template <class T>
void draw(Random& r, basic_level<T>& c) {
    c.Fc = T(r.log_uniform(0.1, 10));
    c.Fs = c.Fc * T(r.uniform(1, 3));
}
template <class T>
wide level_formula(const basic_level<T>& c, wide) {
    return num(c.Fc);
}

// alpha: a third each 2, 1, anything usual
template <class C>
void draw_stribeck(Random& r, C& c) {
    using T = decltype(c.Fc);
    c.Fc = T(r.log_uniform(0.1, 10));
    c.Fs = chance(r, 0.2) ? c.Fc : c.Fc * T(r.uniform(1, 3));
    c.vs = T(r.log_uniform(1e-4, 1e-1));
    const int kind = r.below(3);
    c.alpha = kind == 0 ? T(2) : kind == 1 ? T(1) : T(r.uniform(0.5, 2));
}
template <class T>
void draw(Random& r, basic_stribeck<T>& c) {
    draw_stribeck(r, c);
}
template <class T>
wide level_formula(const basic_stribeck<T>& c, wide v) {  // A08 (4)
    return num(c.Fc) + (num(c.Fs) - num(c.Fc)) * std::exp(-std::pow(std::fabs(v / num(c.vs)), num(c.alpha)));
}

template <class T>
void draw(Random& r, basic_gear_curve<T>& c) {
    draw_stribeck(r, c);
    c.kc = chance(r, 0.1) ? T(0) : T(r.log_uniform(1e-3, 1));
    c.ks = chance(r, 0.2) ? c.kc : c.kc * T(r.uniform(1, 3));
}
// M4 of laws/gear.hpp, at the load N.
template <class T>
wide level_formula(const basic_gear_curve<T>& c, wide v, wide N) {
    return num(c.Fc) + num(c.kc) * N +
           std::exp(-std::pow(std::fabs(v / num(c.vs)), num(c.alpha))) *
               (num(c.Fs) - num(c.Fc) + (num(c.ks) - num(c.kc)) * N);
}
template <class T>
wide level_formula(const basic_gear_curve<T>& c, wide v) {
    return level_formula(c, v, 0);
}

template <class T>
void draw(Random& r, basic_smooth_stribeck<T>& c) {
    draw_stribeck(r, c);
    c.c = T(r.log_uniform(10, 1e5));
}
template <class T>
wide level_formula(const basic_smooth_stribeck<T>& c, wide v) {  // K08 (43)
    const wide t = std::tanh(num(c.c) * std::fabs(v));
    return t * (num(c.Fc) + (num(c.Fs) - num(c.Fc)) * std::exp(-std::pow(std::fabs(v) * t / num(c.vs), num(c.alpha))));
}
template <class T>
wide level_formula(const basic_smooth_stribeck_printed<T>& c, wide v) {  // K08 (44) as printed
    const wide t = std::tanh(num(c.c) * std::fabs(v));
    return level_formula(static_cast<const basic_smooth_stribeck<T>&>(c), v) / (t * t);
}

template <class T>
void draw(Random& r, basic_makkar_curve<T>& c) {
    c.g1 = T(r.log_uniform(0.01, 10));
    c.g3 = T(r.log_uniform(1, 100));
    c.g2 = c.g3 * T(r.log_uniform(1, 100));
    c.g4 = T(r.log_uniform(0.01, 10));
    c.g5 = T(r.log_uniform(10, 1e4));
}
template <class T>
wide level_formula(const basic_makkar_curve<T>& c, wide v) {  // M05 (2)
    const wide s = std::fabs(v);
    return num(c.g1) * (std::tanh(num(c.g2) * s) - std::tanh(num(c.g3) * s)) + num(c.g4) * std::tanh(num(c.g5) * s);
}

// Speeds at which steady friction is compared; the sample tables have their points there.
inline constexpr double speeds[] = {1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0};

template <class T>
void draw(Random& r, basic_table<T>& c) {
    c.size = 0;
    for (const double v : speeds) {
        c.v[c.size] = T(v);
        c.g[c.size++] = T(r.log_uniform(0.5, 3));
    }
}
template <class T>
wide level_formula(const basic_table<T>& c, wide v) {  // only at its points
    for (int i = 0; i < c.size; ++i)
        if (num(c.v[i]) == std::fabs(v)) return num(c.g[i]);
    return std::numeric_limits<wide>::quiet_NaN();
}

template <class C>
void draw(Random& r, Directional<C>& c) {
    draw(r, c.positive);
    draw(r, c.negative);
}
template <class C>
wide level_formula(const Directional<C>& c, wide v) {
    return v < 0 ? level_formula(c.negative, v) : level_formula(c.positive, v);
}

// The C95 set, or the closest one for the curve.
template <class T>
void typical(basic_level<T>& c) {
    c = {.Fc = T(1), .Fs = T(1.5)};
}
template <class T>
void typical(basic_stribeck<T>& c) {
    c = {.Fc = T(1), .Fs = T(1.5), .vs = T(1e-3)};
}
template <class T>
void typical(basic_gear_curve<T>& c) {
    c = {.Fc = T(1), .Fs = T(1.5), .vs = T(1e-3), .alpha = T(2), .kc = T(0.1), .ks = T(0.15)};
}
template <class T>
void typical(basic_smooth_stribeck<T>& c) {
    c = {.Fc = T(1), .Fs = T(1.5), .vs = T(1e-3), .alpha = T(2), .c = T(1e4)};
}
template <class T>
void typical(basic_smooth_stribeck_printed<T>& c) {
    typical(static_cast<basic_smooth_stribeck<T>&>(c));
}
template <class T>
void typical(basic_makkar_curve<T>& c) {
    c = {.g1 = T(0.25), .g2 = T(100), .g3 = T(10), .g4 = T(0.1), .g5 = T(100)};
}
template <class T>
void typical(basic_table<T>& c) {
    const double g[] = {1.5, 1.45, 1.2, 1.0, 1.05, 1.1};
    c.size = 0;
    for (const double v : speeds) {
        c.v[c.size] = T(v);
        c.g[c.size] = T(g[c.size]);
        ++c.size;
    }
}
template <class C>
void typical(Directional<C>& c) {
    typical(c.positive);
    typical(c.negative);
    c.negative.Fc = c.negative.Fc * decltype(c.negative.Fc)(1.2);
}

template <template <class> class Family, class Curve>
inline constexpr bool is_of = false;
template <template <class> class Family, class T>
inline constexpr bool is_of<Family, Family<T>> = true;

template <class Curve>
inline constexpr const char* curve_name = is_of<basic_level, Curve>                     ? "coulomb"
                                          : is_of<basic_stribeck, Curve>                ? "stribeck"
                                          : is_of<basic_smooth_stribeck, Curve>         ? "smooth"
                                          : is_of<basic_smooth_stribeck_printed, Curve> ? "smooth_printed"
                                          : is_of<basic_makkar_curve, Curve>            ? "makkar"
                                          : is_of<basic_table, Curve>                   ? "table"
                                          : is_of<basic_gear_curve, Curve>              ? "gear"
                                                                                        : "directional";

// ---- laws ----------------------------------------------------------------------------------------------------------

template <class Law>
wide viscous_formula(const Law& law, wide v) {
    return (v < 0 ? num(law.sigma2_negative) : num(law.sigma2)) * v;
}

// Half of the random laws use LoadOn::all, unless the load acts inside the curve.
template <class Law>
void draw_rest(Random& r, Law& law) {
    using T = typename Law::scalar;
    if constexpr (requires { law.sigma2; }) {
        law.sigma2 = chance(r, 0.3) ? T(0) : T(r.log_uniform(1e-3, 100));
        law.sigma2_negative = law.sigma2;
    }
    law.load_on = chance(r, 0.5) && !LoadInCurve<Law> ? LoadOn::all : LoadOn::curve;
}
template <class Law>
void draw_bristle(Random& r, Law& law) {
    using T = typename Law::scalar;
    law.sigma0 = T(r.log_uniform(1e2, 1e7));
    if constexpr (requires { law.sigma1; })
        law.sigma1 = chance(r, 0.2) ? T(0) : T(2 * std::sqrt(double(num(law.sigma0))) * r.uniform(0, 1));
    draw_rest(r, law);
}

template <class T, class Curve>
struct Static {
    using Law = basic_static<T, Curve>;
    static std::string name() { return std::string("static_") + curve_name<Curve>; }
    static Law typical() {
        Law law;
        samples::typical(law.curve);
        law.sigma2 = law.sigma2_negative = T(0.4);
        return law;
    }
    static Law random(Random& r) {
        Law law;
        draw(r, law.curve);
        draw_rest(r, law);
        return law;
    }
    static wide steady(const Law& law, wide v) { return sgn(v) * level_formula(law.curve, v); }
};

template <class T>
struct Dahl {
    using Law = basic_dahl<T>;
    static std::string name() { return "dahl"; }
    static Law typical() { return {.sigma0 = T(1e5), .Fc = T(1.2)}; }
    static Law random(Random& r) {
        Law law;
        draw_bristle(r, law);
        law.Fc = T(r.log_uniform(0.1, 10));
        return law;
    }
    static wide steady(const Law& law, wide v) { return sgn(v) * num(law.Fc); }
};

// Extra term: a drag with v^3, on top of sigma2 v.
struct CubicDrag {
    template <class S>
    S operator()(const S& v) const noexcept {
        return v * v * v;
    }
};

template <class T, class Curve = basic_stribeck<T>, class Fade = NoFade, class Extra = NoExtra>
struct LuGre {
    using Law = basic_lugre<T, Curve, Fade, Extra>;
    static std::string name() {
        return std::string("lugre_") + curve_name<Curve> + (std::same_as<Fade, NoFade> ? "" : "_microdamped") +
               (std::same_as<Extra, NoExtra> ? "" : "_extra");
    }
    static Law typical() {
        Law law;
        law.sigma0 = T(1e5);
        law.sigma1 = T(316.22776601683795);
        law.sigma2 = law.sigma2_negative = T(0.4);
        samples::typical(law.curve);
        if constexpr (requires { law.fade.vc; }) law.fade.vc = T(0.02);
        return law;
    }
    static Law random(Random& r) {
        Law law;
        draw_bristle(r, law);
        draw(r, law.curve);
        if constexpr (requires { law.fade.vc; }) law.fade.vc = T(r.log_uniform(1e-4, 1));
        return law;
    }
    static wide steady(const Law& law, wide v) { return sgn(v) * level_formula(law.curve, v); }
};

template <class T, ShiftRule rule>
struct Hysteretic {
    using Law = basic_hysteretic<T>;
    static std::string name() {
        return rule == ShiftRule::constant ? "hysteretic"
               : rule == ShiftRule::min    ? "hysteretic_min"
                                           : "hysteretic_max";
    }
    static Law typical() {
        Law law;
        law.sigma0 = T(1e5);
        law.sigma1 = T(316.22776601683795);
        law.sigma2 = law.sigma2_negative = T(0.4);
        samples::typical(law.curve);
        law.a = T(2e-6);
        law.a_rule = rule;
        return law;
    }
    static Law random(Random& r) {
        Law law;
        draw_bristle(r, law);
        draw(r, law.curve);
        law.a = T(r.log_uniform(1e-7, 1e-4));
        law.a_rule = rule;
        return law;
    }
    static wide steady(const Law& law, wide v) { return sgn(v) * level_formula(law.curve, v); }
};

template <class T, Breakaway kind, class Curve = basic_stribeck<T>>
struct ElastoPlastic {
    using Law = basic_elastoplastic<T, Curve>;
    static std::string name() { return kind == Breakaway::fraction ? "elastoplastic" : "elastoplastic_constant"; }
    static Law typical() {
        Law law;
        law.sigma0 = T(1e5);
        law.sigma1 = T(316.22776601683795);
        law.sigma2 = law.sigma2_negative = T(0.4);
        samples::typical(law.curve);
        law.kappa = T(0.7);
        law.breakaway = kind;
        return law;
    }
    static Law random(Random& r) {
        Law law;
        draw_bristle(r, law);
        draw(r, law.curve);
        law.kappa = T(r.uniform(0.05, 0.95));
        law.breakaway = kind;
        return law;
    }
    static wide steady(const Law& law, wide v) { return sgn(v) * level_formula(law.curve, v); }
};

template <class T, class Curve = basic_stribeck<T>>
struct MaxwellSlip {
    using Law = basic_maxwell_slip<T, Curve>;
    static std::string name() { return "maxwell_slip"; }
    static Law typical() {
        Law law;
        law.size = 4;
        const double k[] = {4e4, 3e4, 2e4, 1e4}, nu[] = {0.125, 0.25, 0.25, 0.375};
        for (int i = 0; i < 4; ++i) {
            law.k[i] = T(k[i]);
            law.nu[i] = T(nu[i]);
        }
        law.C = T(50);
        samples::typical(law.curve);
        law.sigma2 = law.sigma2_negative = T(0.4);
        return law;
    }
    static Law random(Random& r) {
        Law law;
        law.size = 1 + r.below(16);
        double nu[16], sum = 0;
        for (int i = 0; i < law.size; ++i) sum += nu[i] = r.uniform(0.1, 1);
        for (int i = 0; i < law.size; ++i) {
            law.k[i] = T(r.log_uniform(1e2, 1e7));
            law.nu[i] = T(nu[i] / sum);
        }
        law.C = T(r.log_uniform(0.1, 1e4));
        draw(r, law.curve);
        draw_rest(r, law);
        return law;
    }
    static wide steady(const Law& law, wide v) {
        wide sum = 0;
        for (int i = 0; i < law.size; ++i) sum += num(law.nu[i]);
        return sgn(v) * level_formula(law.curve, v) * sum;
    }
};

// Returns f(v), independently; viscous(v) of a law that has no sigma2_negative, which its own test checks.
template <class Law>
wide viscous_of(const Law& law, wide v) {
    wide f = 0;
    if constexpr (requires { law.sigma2_negative; })
        f += viscous_formula(law, v);
    else
        f += num(law.viscous(typename Law::scalar(v)));
    if constexpr (requires { law.extra; })
        if constexpr (std::same_as<std::remove_cvref_t<decltype(law.extra)>, CubicDrag>) f += v * v * v;
    return f;
}

// Returns the level under the load N, of the load on the curve or inside it [N].
template <class Sample>
wide loaded_level(const typename Sample::Law& law, wide v, wide N) {
    if constexpr (LoadInCurve<typename Sample::Law>)
        return level_formula(law.curve, v, N);
    else
        return N * std::fabs(Sample::steady(law, v));
}

// The sample of a law of the catalogue: with the formulas above, or from its parameter table.
template <class Law>
struct sample_of {
    using type = FromTable<Law>;
};
template <class T, class Curve>
struct sample_of<basic_static<T, Curve>> {
    using type = Static<T, Curve>;
};
template <class T>
struct sample_of<basic_dahl<T>> {
    using type = Dahl<T>;
};
template <class T, class Curve, class Fade>
struct sample_of<basic_lugre<T, Curve, Fade>> {
    using type = LuGre<T, Curve, Fade>;
};
template <class T>
struct sample_of<basic_hysteretic<T>> {
    using type = Hysteretic<T, ShiftRule::constant>;
};
template <class T>
struct sample_of<basic_elastoplastic<T>> {
    using type = ElastoPlastic<T, Breakaway::fraction>;
};
template <class T>
struct sample_of<basic_maxwell_slip<T>> {
    using type = MaxwellSlip<T>;
};
template <template <class...> class List, class Table, class... More>
struct listed;
template <template <class...> class List, class... Entry, class... More>
struct listed<List, std::tuple<Entry...>, More...> {
    using type = List<typename sample_of<typename Entry::law>::type..., More...>;
};

// Every law of the catalogue, and some of them with other curves and options.
template <class T, template <class...> class List>
using All =
    typename listed<List, decltype(law_table<T>()), Static<T, Directional<basic_stribeck<T>>>, LuGre<T, basic_table<T>>,
                    LuGre<T, Directional<basic_stribeck<T>>>, LuGre<T, basic_smooth_stribeck_printed<T>>,
                    LuGre<T, basic_stribeck<T>, NoFade, CubicDrag>, Hysteretic<T, ShiftRule::min>,
                    Hysteretic<T, ShiftRule::max>, ElastoPlastic<T, Breakaway::constant>>::type;

// Some laws that use every kind of code: faults that sanitizers detect do not depend on the scalar, and sanitized builds
// are slow.
template <class T, template <class...> class List>
using Few = List<Static<T, basic_stribeck<T>>, LuGre<T>, LuGre<T, basic_table<T>>, Hysteretic<T, ShiftRule::min>,
                 ElastoPlastic<T, Breakaway::constant>, MaxwellSlip<T>>;
#ifdef __SANITIZE_ADDRESS__
template <class T, template <class...> class List>
using Enough = Few<T, List>;
#else
template <class T, template <class...> class List>
using Enough = All<T, List>;
#endif

// Returns the name of a law in test names.
struct Names {
    template <class Sample>
    static std::string GetName(int) {
        return Sample::name();
    }
};

}  // namespace samples
