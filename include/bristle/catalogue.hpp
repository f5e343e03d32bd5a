// Catalogue of the friction laws: each law with its name in files, docs and tests. No other list of laws exists.
//
// A new law is one more row and its include here, its header in laws/, its page docs/models/<kind>.md and its test. A law over a new
// curve also needs an overload of law_detail::open() in simulate/law.hpp.
// src/CMakeLists.txt finds the rows by an opening brace with the kind in quotes behind it and makes the .cpp files of the laws: keep that form.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/laws/gear.hpp>

#include <tuple>

namespace bristle {

template <class Law>
struct LawEntry {
    using law = Law;
    const char* kind;   // name in experiment files and of docs/models/<kind>.md
    const char* title;  // the law in a few words
};

// One LawEntry per law, over the scalar T.
template <class T = double>
constexpr auto law_table() {
    return std::tuple{
        LawEntry<basic_static<T, basic_level<T>>>{"coulomb", "Coulomb friction, with viscous friction and stiction"},
        LawEntry<basic_static<T, basic_stribeck<T>>>{"stribeck", "static Stribeck friction"},
        LawEntry<basic_static<T, basic_smooth_stribeck<T>>>{"stribeck_smooth", "smooth static Stribeck friction"},
        LawEntry<basic_static<T, basic_makkar_curve<T>>>{"makkar", "Makkar's continuously differentiable friction"},
        LawEntry<basic_dahl<T>>{"dahl", "Dahl's bristle"},
        LawEntry<basic_lugre<T>>{"lugre", "the LuGre bristle"},
        LawEntry<basic_lugre<T, basic_stribeck<T>, basic_fade<T>>>{"lugre_microdamped",
                                                                   "LuGre with fading bristle damping"},
        LawEntry<basic_lugre<T, basic_smooth_stribeck<T>>>{"lugre_smooth", "LuGre over the smooth curve"},
        LawEntry<basic_lugre<T, basic_makkar_curve<T>>>{"lugre_makkar", "LuGre over Makkar's curve"},
        LawEntry<basic_hysteretic<T>>{"hysteretic", "LuGre with a shifted steady state (dynamic hysteresis)"},
        LawEntry<basic_elastoplastic<T>>{"elastoplastic", "elasto-plastic bristle, no drift below breakaway"},
        LawEntry<basic_maxwell_slip<T>>{"maxwell_slip", "generalized Maxwell-slip, with reversal-point memory"},
        LawEntry<basic_static<T, basic_gear_curve<T>>>{"gear", "static Stribeck friction that grows with the load"},
        LawEntry<basic_lugre<T, basic_gear_curve<T>>>{"lugre_gear", "LuGre whose level grows with the load"}};
}

// Calls visit(LawEntry<Law>) for each law over the scalar T.
template <class T = double, class Visit>
constexpr void for_each_law(Visit&& visit) {
    std::apply([&](const auto&... entry) { (visit(entry), ...); }, law_table<T>());
}

}  // namespace bristle
