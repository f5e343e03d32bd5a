// A law chosen when the program runs: the laws of the catalogue, over curves whose kind is a matter of data.
//
// Curve kinds are values here (Stribeck or table, one or two directions), so that the solver is compiled once per law and not
// once per law and curve. The laws themselves are the texts of include/bristle/laws.
#pragma once
#include <bristle/catalogue.hpp>
#include <optional>
#include <string_view>
#include <variant>

namespace bristle::simulate {

// One curve, or one for each direction.
template <class Curve>
struct Sided {
    static constexpr bool odd = false, bounded = Curve::bounded, sticks = Curve::sticks;
    bool directional = false;  // use negative for v < 0
    Curve positive{};
    Curve negative{};

    Directional<Curve> both() const { return {positive, negative}; }
    template <class Self, class Visit>
    static void parameters(Self& self, Visit&& visit) {
        Curve::parameters(self.positive, visit);
        if (self.directional) Curve::parameters(self.negative, detail::in_group("negative", visit));
    }
    template <class Sink>
    void rules(Sink&& sink) const {
        directional ? both().rules(sink) : positive.rules(sink);
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return (directional && s < S(0) ? negative : positive).grip_on(s, v);
    }
    double rest(double s) const noexcept { return (directional && s < 0 ? negative : positive).rest(s); }
    double peak() const noexcept { return directional ? both().peak() : positive.peak(); }
    double floor() const noexcept { return directional ? both().floor() : positive.floor(); }
    SpeedZone<double> zone() const noexcept { return directional ? both().zone() : positive.zone(); }
};
using AnyLevel = Sided<Level>;

// Stribeck, in one or two directions, or measured points.
struct AnyCurve {
    static constexpr bool odd = false, bounded = true, sticks = true;
    bool tabulated = false;
    Sided<Stribeck> stribeck{};
    Table table{};

    template <class Self, class Visit>
    static void parameters(Self& self, Visit&& visit) {
        self.tabulated ? Table::parameters(self.table, visit) : Sided<Stribeck>::parameters(self.stribeck, visit);
    }
    template <class Sink>
    void rules(Sink&& sink) const {
        tabulated ? table.rules(sink) : stribeck.rules(sink);
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return tabulated ? table.grip_on(s, v) : stribeck.grip_on(s, v);
    }
    double rest(double s) const noexcept { return tabulated ? table.rest(s) : stribeck.rest(s); }
    double peak() const noexcept { return tabulated ? table.peak() : stribeck.peak(); }
    double floor() const noexcept { return tabulated ? table.floor() : stribeck.floor(); }
    SpeedZone<double> zone() const noexcept { return tabulated ? table.zone() : stribeck.zone(); }
};

// The smooth curve with the conductance that is consistent, or the one K08 prints (erratum E1).
struct AnySmooth : SmoothStribeck {
    static constexpr bool bounded = false;  // not with the printed one
    bool printed = false;
    template <class S>
    Grip<S> grip(const S& v) const noexcept {
        return printed ? SmoothStribeckPrinted{*this}.grip(v) : SmoothStribeck::grip(v);
    }
};

namespace detail {
template <class Law>
struct over_any {
    using law = Law;
};
template <class Extra>
struct over_any<basic_static<double, Level, Extra>> {
    using law = basic_static<double, AnyLevel, Extra>;
};
template <class Extra>
struct over_any<basic_static<double, Stribeck, Extra>> {
    using law = basic_static<double, AnyCurve, Extra>;
};
template <class Fade, class Extra>
struct over_any<basic_lugre<double, Stribeck, Fade, Extra>> {
    using law = basic_lugre<double, AnyCurve, Fade, Extra>;
};
template <class Fade, class Extra>
struct over_any<basic_lugre<double, SmoothStribeck, Fade, Extra>> {
    using law = basic_lugre<double, AnySmooth, Fade, Extra>;
};
template <class Extra>
struct over_any<basic_hysteretic<double, Stribeck, Extra>> {
    using law = basic_hysteretic<double, AnyCurve, Extra>;
};
template <class Extra>
struct over_any<basic_elastoplastic<double, Stribeck, Extra>> {
    using law = basic_elastoplastic<double, AnyCurve, Extra>;
};
template <class Extra>
struct over_any<basic_maxwell_slip<double, Stribeck, Extra>> {
    using law = basic_maxwell_slip<double, AnyCurve, Extra>;
};
}  // namespace detail

// A law of the catalogue with its curve left open.
template <class Law>
using OverAny = typename detail::over_any<Law>::law;

using AnyCoulomb = OverAny<Coulomb>;
using AnyStribeck = OverAny<StribeckFriction>;
using AnyLuGre = OverAny<LuGre>;
using AnyMicrodamped = OverAny<MicrodampedLuGre>;
using AnySmoothLuGre = OverAny<SmoothLuGre>;
using AnyHysteretic = OverAny<Hysteretic>;
using AnyElastoPlastic = OverAny<ElastoPlastic>;
using AnyMaxwellSlip = OverAny<MaxwellSlip>;

using AnyLaw = std::variant<AnyCoulomb, AnyStribeck, SmoothFriction, Makkar, Dahl, AnyLuGre, AnyMicrodamped,
                            AnySmoothLuGre, MakkarLuGre, AnyHysteretic, AnyElastoPlastic, AnyMaxwellSlip>;

// The law of a kind (catalogue.hpp), with nothing set; nothing if there is no such kind.
inline std::optional<AnyLaw> law_of_kind(std::string_view kind) {
    std::optional<AnyLaw> found;
    for_each_law([&](const auto& entry) {
        if (kind == entry.kind) found = OverAny<typename std::remove_cvref_t<decltype(entry)>::law>{};
    });
    return found;
}
inline std::string_view kind_of(const AnyLaw& law) {
    std::string_view kind;
    for_each_law([&](const auto& entry) {
        if (std::holds_alternative<OverAny<typename std::remove_cvref_t<decltype(entry)>::law>>(law)) kind = entry.kind;
    });
    return kind;
}

}  // namespace bristle::simulate
