// Laws chosen at run time, with the parameters of C95 or random ones, for tests of passivity.
#pragma once
#include <bristle/simulate/setup.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../support/sets.hpp"
#include "simulate/c95_law.hpp"

namespace bristle::test {

template <class Law>
void set_viscous(Law& law, double sigma2) {
    law.sigma2 = law.sigma2_negative = sigma2;
}

inline AnyLuGre any(const LuGre& law) {
    AnyLuGre out;
    out.sigma0 = law.sigma0;
    out.sigma1 = law.sigma1;
    set_viscous(out, law.sigma2);
    out.curve.stribeck.positive = law.curve;
    return out;
}

namespace c95_like {
template <class Law>
Law bristle_c95() {
    Law law;
    law.sigma0 = c95.sigma0;
    law.sigma1 = c95.sigma1;
    set_viscous(law, c95.sigma2);
    if constexpr (requires { law.curve.stribeck; }) law.curve.stribeck.positive = c95_curve;
    return law;
}
}  // namespace c95_like

inline AnyMicrodamped microdamped_c95() {
    auto law = c95_like::bristle_c95<AnyMicrodamped>();
    law.fade.vc = 0.1;
    return law;
}
inline AnySmoothLuGre smooth_c95() {
    auto law = c95_like::bristle_c95<AnySmoothLuGre>();
    static_cast<SmoothStribeck&>(law.curve) = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e5};
    return law;
}
inline AnyHysteretic hysteretic_c95() {
    auto law = c95_like::bristle_c95<AnyHysteretic>();
    law.a = 2e-6;
    return law;
}
inline AnyElastoPlastic elastoplastic_c95() {
    auto law = c95_like::bristle_c95<AnyElastoPlastic>();
    law.kappa = 0.5;
    return law;
}
inline MakkarLuGre makkar_lugre() {  // M05's combined set
    MakkarLuGre law{.sigma0 = 1e5, .sigma1 = 300, .curve = {.25, 100, 10, .1, 100}};
    set_viscous(law, 0.01);
    return law;
}
inline AnyMaxwellSlip maxwell_c95() {
    AnyMaxwellSlip law;
    law.size = 4;
    for (int i = 0; i < law.size; ++i) {
        law.k[i] = 1e5 / (i + 1);
        law.nu[i] = 0.25;
    }
    law.C = 10;
    set_viscous(law, 0.4);
    law.curve.stribeck.positive = c95_curve;
    return law;
}

// A table of 24 points along a Stribeck curve.
inline Table tabulated(const Stribeck& curve) {
    Table table;
    table.size = 24;
    for (int i = 0; i < table.size; ++i) {
        table.v[i] = i == 0 ? 0 : curve.vs * std::pow(10, -1.5 + 0.12 * i);
        table.g[i] = level(curve, table.v[i]);
    }
    return table;
}

// One of every kind, and those with a table, with two sides, with every word changed.
inline std::vector<AnyLaw> all_laws() {
    std::vector<AnyLaw> laws;
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.3};
    set_viscous(coulomb, 0.1);
    laws.push_back(coulomb);
    coulomb.curve.directional = true;
    coulomb.curve.negative = {.Fc = 0.7, .Fs = 0.8};
    laws.push_back(coulomb);
    AnyStribeck stribeck;
    stribeck.curve.stribeck.positive = {.Fc = 1, .Fs = 0.5, .vs = 1e-3, .alpha = 1.3, .allow_rising = true};
    set_viscous(stribeck, 0.1);
    laws.push_back(stribeck);
    laws.push_back(SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}});
    laws.push_back(Makkar{.curve = {.25, 100, 10, .1, 100}, .sigma2 = 0.01});
    laws.push_back(Dahl{.sigma0 = 1e5, .Fc = 1.0 / 3});
    AnyLuGre lugre = any(c95);
    laws.push_back(lugre);
    lugre.sigma2_negative = 0.1;
    lugre.curve.stribeck.directional = true;
    lugre.curve.stribeck.negative = {.Fc = 0.8, .Fs = 1.1, .vs = 2e-3, .alpha = 1};
    laws.push_back(lugre);
    AnyLuGre table = any(c95);
    table.curve.tabulated = true;
    table.curve.table = tabulated(c95_curve);
    table.sigma2_negative = 0.2;
    laws.push_back(table);
    laws.push_back(microdamped_c95());
    laws.push_back(smooth_c95());
    laws.push_back(makkar_lugre());
    laws.push_back(elastoplastic_c95());
    auto plastic = elastoplastic_c95();
    plastic.breakaway = Breakaway::constant;
    plastic.load_on = LoadOn::all;
    laws.push_back(plastic);
    for (const ShiftRule rule : {ShiftRule::constant, ShiftRule::min, ShiftRule::max}) {
        auto hysteretic = hysteretic_c95();
        hysteretic.a_rule = rule;
        hysteretic.a_scale = 0.3;
        laws.push_back(hysteretic);
    }
    laws.push_back(maxwell_c95());
    for_each_law([&](const auto& entry) {  // kinds that are not above: the examples of their tables
        const AnyLaw law = c95_law(entry.kind);
        if (std::none_of(laws.begin(), laws.end(), [&](const AnyLaw& l) { return l.index() == law.index(); }))
            laws.push_back(law);
    });
    return laws;
}

// Every number of a law by name; those for v < 0 only where they differ from those for v > 0.
inline std::map<std::string, double> numbers_of(const AnyLaw& law) {
    std::map<std::string, double> plain, negative;
    std::visit(
        [&]<class Law>(const Law& l) {
            Law::parameters(l, [&](const Parameter& p, const double& x) {
                const std::string name = p.index < 0 ? p.name : std::string(p.name) + std::to_string(p.index);
                (*p.group ? negative : plain)[name] = x;
            });
            plain["load_on"] = double(l.load_on);
        },
        law);
    for (const auto& [name, x] : negative)
        if (!plain.contains(name) || plain.at(name) != x) plain["negative." + name] = x;
    return plain;
}

// A law under a mass pulled as in C95, for one second.
inline bristle::Setup pulled(const AnyLaw& law, Method method = Method::adaptive, double step = 0) {
    bristle::Setup s;
    s.law = law;
    s.rig = PulledSpring{1, 2, 0.1};
    s.run = {.duration = 1, .method = method, .step = step};
    return s;
}

// ---- random laws ---------------------------------------------------------------------------------------------------------

inline Stribeck random_curve(Random& random) {
    const double Fc = random.log_uniform(0.1, 100);
    return {.Fc = Fc,
            .Fs = Fc * random.uniform(1.1, 3),
            .vs = random.log_uniform(1e-4, 0.1),
            .alpha = random.below(2) ? 2 : random.uniform(1, 2)};
}
// sigma1 such that bristle damping makes as much force as the level at a speed not too far from vs (C95: 5 vs, A08: 0.5 and 2 vs).
template <class Law>
void random_bristle(Random& random, Law& law, double peak, double vs) {
    law.sigma0 = peak / random.log_uniform(1e-6, 1e-3);
    law.sigma1 = peak / (vs * random.log_uniform(0.3, 30));
}
// LuGre with sigma2 at a multiple of the limit of P3.
inline AnyLuGre random_lugre(Random& random, double margin) {
    AnyLuGre law;
    const Stribeck curve = law.curve.stribeck.positive = random_curve(random);
    random_bristle(random, law, curve.Fs, curve.vs);
    set_viscous(law, margin * law.sigma1 * (curve.Fs - curve.Fc) / curve.Fc);
    return law;
}
// Fading at ten to a hundred times the bound of P4.
inline AnyMicrodamped random_microdamped(Random& random) {
    AnyMicrodamped law;
    law.curve.stribeck.positive = random_curve(random);
    random_bristle(random, law, law.curve.peak(), law.curve.stribeck.positive.vs);
    law.fade.vc = random.log_uniform(10, 100) * 4 * std::sqrt(2 * std::exp(1.0)) * law.curve.floor() / law.sigma1;
    return law;
}
inline AnySmoothLuGre random_smooth(Random& random) {
    AnySmoothLuGre law;
    const Stribeck curve = random_curve(random);
    static_cast<SmoothStribeck&>(law.curve) = {
        .Fc = curve.Fc, .Fs = curve.Fs, .vs = curve.vs, .alpha = 2, .c = random.log_uniform(30, 1000) / curve.vs};
    random_bristle(random, law, curve.Fs, curve.vs);
    set_viscous(law, 0.5 * law.sigma1 * (curve.Fs - curve.Fc) / curve.Fc);
    return law;
}
inline MakkarLuGre random_makkar(Random& random) {
    const double size = random.log_uniform(0.1, 100), sharp = random.log_uniform(10, 1000);
    MakkarLuGre law{.curve = {.25 * size, sharp, 0.1 * sharp, .1 * size, sharp}};
    random_bristle(random, law, law.curve.peak(), 1 / sharp);
    set_viscous(law, random.uniform(0, 0.3) * law.sigma1);
    return law;
}
inline AnyLuGre random_tabulated(Random& random) {
    AnyLuGre law = random_lugre(random, random.uniform(0, 0.7));
    law.curve.tabulated = true;
    law.curve.table = tabulated(law.curve.stribeck.positive);
    return law;
}
inline AnyElastoPlastic random_elastoplastic(Random& random) {
    const AnyLuGre like = random_lugre(random, random.uniform(0, 0.7));
    AnyElastoPlastic law;
    law.sigma0 = like.sigma0;
    law.sigma1 = like.sigma1;
    set_viscous(law, like.sigma2);
    law.curve = like.curve;
    law.kappa = random.uniform(0.1, 0.9);
    law.breakaway = random.below(2) ? Breakaway::fraction : Breakaway::constant;
    return law;
}
// Outside P3 in one direction only.
inline AnyLuGre random_sided(Random& random, double direction) {
    AnyLuGre law = random_lugre(random, 0.5);
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = law.curve.stribeck.positive;
    law.curve.stribeck.negative.vs *= 2;
    (direction > 0 ? law.sigma2_negative : law.sigma2) *= 4;
    return law;
}

}  // namespace bristle::test
