#include "analyse/passivity/passivity_laws.hpp"

#include <array>

namespace bristle::inline analysis {

namespace {

// The curve towards +1 and towards -1.
using Both = std::array<Resistance, 2>;

Both resistances(const AnyCurve& c) {
    if (c.tabulated) return {c.table, c.table};
    return {c.stribeck.positive, c.stribeck.directional ? c.stribeck.negative : c.stribeck.positive};
}
Both resistances(const AnySmooth& c) {
    if (c.printed) return {SmoothStribeckPrinted{c}, SmoothStribeckPrinted{c}};
    return {SmoothStribeck(c), SmoothStribeck(c)};
}
Both resistances(const MakkarCurve& c) { return {c, c}; }

bool two_sided(const AnyCurve& c) { return !c.tabulated && c.stribeck.directional; }
bool two_sided(const AnySmooth&) { return false; }
bool two_sided(const MakkarCurve&) { return false; }

template <class Law>
concept OverCurve = requires(const Law& law) {
    resistances(law.curve);
};

template <OverCurve Law>
    requires(!StaticLaw<Law>)
std::vector<Side> sides(const Law& law) {
    Side side;
    if constexpr (requires { law.sigma1; }) side.sigma1 = law.sigma1;
    if constexpr (requires { law.fade.vc; }) side.vc = law.fade.vc;
    if constexpr (requires { law.kappa; }) side.plastic = Plastic{law.kappa, law.breakaway, law.curve.floor()};
    const Both curves = resistances(law.curve);
    Side forward = side, backward = side;
    forward.curve = curves[0];
    backward.curve = curves[1];
    backward.direction = -1;
    forward.sigma2 = backward.sigma2_back = law.sigma2;
    backward.sigma2 = forward.sigma2_back = law.sigma2_negative;
    if (two_sided(law.curve) || law.sigma2 != law.sigma2_negative) return {forward, backward};
    return {forward};
}
std::vector<Side> sides(const Dahl& law) {
    Side side;
    side.curve = Stribeck{law.Fc, law.Fc, 1.0};
    return {side};
}
template <StaticLaw Law>
std::vector<Side> sides(const Law&) {
    return {};
}

}  // namespace

double stiffness_of(const AnyLaw& law) {
    return std::visit(
        [](const auto& l) -> double {
            if constexpr (requires { l.sigma0; }) return l.sigma0;
            return 1;
        },
        law);
}

std::string viscous_key(const AnyLaw& law, double direction) {
    const bool own = std::visit(
        [](const auto& l) {
            if constexpr (requires { l.sigma2_negative; }) return l.sigma2 != l.sigma2_negative;
            return false;
        },
        law);
    const char* name = std::holds_alternative<MakkarLuGre>(law) ? "g6" : "sigma2";
    return own && direction < 0 ? std::string("negative.") + name : name;
}

bool shifts(const AnyHysteretic& law) { return law.a > 0 || law.a_rule == ShiftRule::max; }

LoadRange load_range(const AnyLaw& law, const CertifyOptions& options) {
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    if (on_all) return {1, 1, options.load_min, options.load_max};
    return {options.load_min, options.load_max, 1, 1};
}

std::vector<Side> sides_of(const AnyLaw& law, const CertifyOptions& options) {
    if (const auto* hysteretic = std::get_if<AnyHysteretic>(&law); hysteretic && shifts(*hysteretic)) return {};
    std::vector<Side> all = std::visit([](const auto& l) { return sides(l); }, law);
    const LoadRange load = load_range(law, options);
    for (Side& side : all) {
        side.load_min = load.curve_min;
        side.load_max = load.curve_max;
        if (load.force_varies()) side.gain = load.force_max / load.force_min;
    }
    return all;
}

}  // namespace bristle::inline analysis
