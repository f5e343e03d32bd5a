// Every law by the name that files, pages and tests use for it. The one list.
#pragma once
#include <bristle/contact.hpp>

namespace bristle {

template <class Law>
struct LawEntry {
    using law = Law;
    const char* kind;   // name in experiment files and of docs/models/<kind>.md
    const char* title;  // what it is, in a few words
};

// Calls visit(LawEntry<Law>) for each law over the scalar T.
template <class T = double, class Visit>
constexpr void for_each_law(Visit&& visit) {
    visit(LawEntry<basic_static<T, basic_level<T>>>{"coulomb", "Coulomb friction, with viscous friction and stiction"});
    visit(LawEntry<basic_static<T, basic_stribeck<T>>>{"stribeck", "static Stribeck friction"});
    visit(LawEntry<basic_static<T, basic_smooth_stribeck<T>>>{"stribeck_smooth", "smooth static Stribeck friction"});
    visit(LawEntry<basic_static<T, basic_makkar_curve<T>>>{"makkar", "Makkar's continuously differentiable friction"});
    visit(LawEntry<basic_dahl<T>>{"dahl", "Dahl's bristle"});
    visit(LawEntry<basic_lugre<T>>{"lugre", "the LuGre bristle"});
    visit(LawEntry<basic_lugre<T, basic_stribeck<T>, basic_fade<T>>>{"lugre_microdamped",
                                                                     "LuGre with fading bristle damping"});
    visit(LawEntry<basic_lugre<T, basic_smooth_stribeck<T>>>{"lugre_smooth", "LuGre over the smooth curve"});
    visit(LawEntry<basic_lugre<T, basic_makkar_curve<T>>>{"lugre_makkar", "LuGre over Makkar's curve"});
    visit(LawEntry<basic_hysteretic<T>>{"hysteretic", "LuGre with a shifted steady state (dynamic hysteresis)"});
    visit(LawEntry<basic_elastoplastic<T>>{"elastoplastic", "elasto-plastic bristle, no drift below breakaway"});
    visit(LawEntry<basic_maxwell_slip<T>>{"maxwell_slip", "generalized Maxwell-slip, with reversal-point memory"});
}

}  // namespace bristle
