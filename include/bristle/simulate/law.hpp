// A law chosen at run time: the laws of the catalogue, over curves whose kind is data.
//
// The kind of the curve is a value here (Stribeck or table, one or two directions), so that the solver is compiled once
// per law and not once per law and curve. The laws themselves are those of include/bristle/laws.
#pragma once
#include <bristle/catalogue.hpp>
#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <variant>

namespace bristle::inline simulation {

// One curve, or one for each direction; over any scalar.
template <class Curve>
struct Sided {
    static constexpr bool odd = false, bounded = Curve::bounded, sticks = Curve::sticks, takes_load = TakesLoad<Curve>;
    bool directional = false;  // use negative for v < 0
    Curve positive{};
    Curve negative{};

    constexpr Directional<Curve> both() const noexcept { return {positive, negative}; }
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        Curve::parameters(self.positive, visit);
        if (self.directional) Curve::parameters(self.negative, detail::in_group("negative", visit));
    }
    // A word holds for both directions: with two it is visited twice.
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        for_each_choice(self.positive, visit);
        if (self.directional) for_each_choice(self.negative, visit);
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        directional ? both().rules(sink) : positive.rules(sink);
    }
    template <class S>
    constexpr auto under(const S& load) const noexcept requires TakesLoad<Curve> {
        return Sided<decltype(positive.under(load))>{directional, positive.under(load), negative.under(load)};
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return (directional && s < S(0) ? negative : positive).grip_on(s, v);
    }
    template <class T>
    constexpr auto static_level(const T& s) const noexcept {
        return (directional && s < T(0) ? negative : positive).static_level(s);
    }
    constexpr auto peak() const noexcept { return directional ? both().peak() : positive.peak(); }
    constexpr auto floor() const noexcept { return directional ? both().floor() : positive.floor(); }
    auto zone() const noexcept { return directional ? both().zone() : positive.zone(); }
};
using AnyLevel = Sided<Level>;
using AnyGear = Sided<GearCurve>;

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
    template <class Self, class Visit>
    static void choices(Self& self, Visit&& visit) {
        visit(Choice{"curve", "Fc, Fs, vs and alpha, or measured points", {"stribeck", "table"}, true}, self.tabulated);
        if (!self.tabulated) for_each_choice(self.stribeck, visit);
    }
    template <class Sink>
    void rules(Sink&& sink) const {
        tabulated ? table.rules(sink) : stribeck.rules(sink);
    }
    template <class S>
    Grip<S> grip_on(const S& s, const S& v) const noexcept {
        return tabulated ? table.grip_on(s, v) : stribeck.grip_on(s, v);
    }
    double static_level(double s) const noexcept {
        return tabulated ? table.static_level(s) : stribeck.static_level(s);
    }
    double peak() const noexcept { return tabulated ? table.peak() : stribeck.peak(); }
    double floor() const noexcept { return tabulated ? table.floor() : stribeck.floor(); }
    SpeedZone<double> zone() const noexcept { return tabulated ? table.zone() : stribeck.zone(); }
};

// The smooth curve with the consistent conductance, or with that printed in K08 (44) (erratum E1).
struct AnySmooth : SmoothStribeck {
    static constexpr bool bounded = false;  // not bounded if printed
    bool printed = false;
    template <class Self, class Visit>
    static void choices(Self& self, Visit&& visit) {
        SmoothStribeck::choices(self, visit);
        visit(Choice{"conductance", "consistent with the level, or as K08 (44) prints it", {"consistent", "printed"}},
              self.printed);
    }
    template <class S>
    Grip<S> grip(const S& v) const noexcept {
        return printed ? SmoothStribeckPrinted{*this}.grip(v) : SmoothStribeck::grip(v);
    }
};

namespace law_detail {

// Returns the curve of AnyLaw that represents a curve of the core.
inline AnyLevel open(const Level& c) { return {false, c, c}; }
inline AnyLevel open(const Directional<Level>& c) { return {true, c.positive, c.negative}; }
inline AnyCurve open(const Stribeck& c) { return {false, {false, c, c}, {}}; }
inline AnyCurve open(const Directional<Stribeck>& c) { return {false, {true, c.positive, c.negative}, {}}; }
inline AnyCurve open(const Table& c) { return {true, {}, c}; }
inline AnySmooth open(const SmoothStribeck& c) { return {c, false}; }
inline AnySmooth open(const SmoothStribeckPrinted& c) { return {c, true}; }
inline MakkarCurve open(const MakkarCurve& c) { return c; }
inline AnyGear open(const GearCurve& c) { return {false, c, c}; }
inline AnyGear open(const Directional<GearCurve>& c) { return {true, c.positive, c.negative}; }
inline AnyLevel open(const AnyLevel& c) { return c; }
inline AnyCurve open(const AnyCurve& c) { return c; }
inline AnySmooth open(const AnySmooth& c) { return c; }
inline AnyGear open(const AnyGear& c) { return c; }

template <class Law>
concept OverOpenable = requires(const Law& law) {
    law.over(open(law.curve));
};

// Returns the law over the run-time curve. The static smooth law has no conductance and keeps its curve.
template <class Law>
auto opened(const Law& law) {
    if constexpr (OverOpenable<Law> && !std::same_as<Law, SmoothFriction>)
        return law.over(open(law.curve));
    else
        return law;
}

template <class Table>
struct variant_of;
template <class... Entry>
struct variant_of<std::tuple<Entry...>> {
    using type = std::variant<decltype(opened(typename Entry::law{}))...>;
};
template <class Law, class Variant>
inline constexpr bool is_in = false;
template <class Law, class... Held>
inline constexpr bool is_in<Law, std::variant<Held...>> = (std::same_as<Law, Held> || ...);

}  // namespace law_detail

// A law of the catalogue over its run-time curve.
template <class Law>
using OverAny = decltype(law_detail::opened(Law{}));

using AnyCoulomb = OverAny<Coulomb>;
using AnyStribeck = OverAny<StribeckFriction>;
using AnyLuGre = OverAny<LuGre>;
using AnyMicrodamped = OverAny<MicrodampedLuGre>;
using AnySmoothLuGre = OverAny<SmoothLuGre>;
using AnyHysteretic = OverAny<Hysteretic>;
using AnyElastoPlastic = OverAny<ElastoPlastic>;
using AnyMaxwellSlip = OverAny<MaxwellSlip>;
using AnyGearFriction = OverAny<GearFriction>;
using AnyGearLuGre = OverAny<GearLuGre>;

// One alternative per row of the catalogue, in its order.
using LawVariant = law_detail::variant_of<decltype(law_table())>::type;

// Any law of the catalogue, by value:  AnyLaw law = LuGre{...};  also over a table or with directions.
struct AnyLaw : LawVariant {
    AnyLaw() = default;
    template <class Law>
        requires(!std::derived_from<Law, LawVariant>)
    AnyLaw(const Law& law) : LawVariant(checked(law)) {}

  private:
    template <class Law>
    static auto checked(const Law& law) {
        static_assert(
            law_detail::is_in<decltype(law_detail::opened(law)), LawVariant>,
            "AnyLaw holds the laws of the catalogue over double, with the curve Level, Stribeck, "
            "SmoothStribeck, MakkarCurve, GearCurve or Table, or Directional<Level>, Directional<Stribeck> or "
            "Directional<GearCurve>, and without an extra viscous term");
        return law_detail::opened(law);
    }
};

// The law of a kind (catalogue.hpp) with no parameter set; std::nullopt if there is no such kind.
inline std::optional<AnyLaw> law_of_kind(std::string_view kind) {
    std::optional<AnyLaw> found;
    for_each_law([&](const auto& entry) {
        if (kind == entry.kind) found = AnyLaw(typename std::remove_cvref_t<decltype(entry)>::law{});
    });
    return found;
}
// Returns the name of the law's kind in the catalogue.
inline std::string_view kind_of(const AnyLaw& law) {
    return std::apply([&](const auto&... entry) { return std::array{entry.kind...}[law.index()]; }, law_table());
}
// Returns the name of the kind of a law, as a type: kind_of<LuGre>().
template <class Law>
constexpr std::string_view kind_of() {
    static_assert(law_detail::is_in<OverAny<Law>, LawVariant>, "a law of the catalogue over double");
    std::string_view found;
    for_each_law([&](const auto& entry) {
        if constexpr (std::same_as<OverAny<typename std::remove_cvref_t<decltype(entry)>::law>, OverAny<Law>>)
            found = entry.kind;
    });
    return found;
}

// True if the law has no state: its force follows from the velocity alone.
inline bool is_static(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return StaticLaw<Law>; }, law);
}
// True for a law of several elements in parallel (Maxwell-slip).
inline bool has_elements(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return HasElements<Law>; }, law);
}
// True if Fs acts at rest only, so that a sliding contact shows Fc alone (Coulomb).
inline bool has_stiction_at_rest_only(const AnyLaw& law) { return std::holds_alternative<AnyCoulomb>(law); }
// True if the damping of the bristle fades with the speed (lugre_microdamped).
inline bool has_fading_damping(const AnyLaw& law) { return std::holds_alternative<AnyMicrodamped>(law); }
// The same of the law of a kind; false if there is no such kind.
inline bool kind_is_static(std::string_view kind) {
    const auto law = law_of_kind(kind);
    return law && is_static(*law);
}
inline bool kind_has_elements(std::string_view kind) {
    const auto law = law_of_kind(kind);
    return law && has_elements(*law);
}

// Returns the load under which the parameters of the law are forces [N]: 1; 0 if the load acts inside the curve (gear laws).
inline double neutral_load_of(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return neutral_load<Law>; }, law);
}
// True if the law accepts a load that does not fall below low [N]: > 0, gear laws >= 0.
inline bool accepts_load(const AnyLaw& law, double low) { return low > 0 || (low == 0 && neutral_load_of(law) == 0); }

}  // namespace bristle::simulation
