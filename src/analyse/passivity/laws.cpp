// Translates laws into the sides of the passivity criterion, by the form of their equations.
#include "analyse/passivity/laws.hpp"

#include "analyse/viscous.hpp"

#include <array>

namespace bristle::inline analysis::passivity {

namespace {

// The curve for v > 0 and for v < 0.
using Both = std::array<Resistance, 2>;

Both resistances(const Sided<Stribeck>& c) { return {c.positive, c.directional ? c.negative : c.positive}; }
Both resistances(const AnyCurve& c) {
    if (c.tabulated) return {c.table, c.table};
    return resistances(c.stribeck);
}
Both resistances(const AnySmooth& c) {
    if (c.printed) return {SmoothStribeckPrinted{c}, SmoothStribeckPrinted{c}};
    return {SmoothStribeck(c), SmoothStribeck(c)};
}
Both resistances(const MakkarCurve& c) { return {c, c}; }
Both resistances(const Level& c) {
    // its static level matters at v = 0 only, where nothing moves: a constant level
    return {Stribeck{c.Fc, c.Fc, 1.0}, Stribeck{c.Fc, c.Fc, 1.0}};
}

bool is_directional(const Sided<Stribeck>& c) { return c.directional; }
bool is_directional(const AnyCurve& c) { return !c.tabulated && c.stribeck.directional; }
template <class Curve>
bool is_directional(const Curve&) {
    return false;
}

template <class Law>
concept OverCurve = requires(const Law& law) {
    resistances(bristle::detail::curve_of(law));
};

// One Side for each direction that differs.
template <OverCurve Law>
std::vector<Side> both_sides(const Law& law, const Side& common) {
    const auto& curve = bristle::detail::curve_of(law);
    const Both curves = resistances(curve);
    Side forward = common, backward = common;
    forward.curve = curves[0];
    backward.curve = curves[1];
    backward.direction = -1;
    forward.sigma2 = backward.sigma2_back = viscous_slope(law, 1);
    backward.sigma2 = forward.sigma2_back = viscous_slope(law, -1);
    if (is_directional(curve) || forward.sigma2 != backward.sigma2) return {forward, backward};
    return {forward};
}

// Whether flow, damping and viscous friction of the law are those of its curve and sides, at speeds over many decades.
template <class Law>
bool has_equations_of(const Law& law, const std::vector<Side>& sides) {
    const auto equal = [](double a, double b, double scale) { return !(std::abs(a - b) > 1e-9 * std::abs(scale)); };
    const Side& forward = sides.front();
    for (int decade = -12; decade <= 6; ++decade) {
        const double v = std::pow(10, decade);
        const double faded =
            forward.vc < infinity ? forward.sigma1 * std::exp(-v / forward.vc * (v / forward.vc)) : forward.sigma1;
        if (!equal(law.damping(v), faded, forward.sigma1) || !equal(law.damping(-v), faded, forward.sigma1))
            return false;
        for (const double u : {v, -v}) {
            const auto flow = law.flow(typename Law::State{}, u, 1.0, 1.0);
            const double h = law.sigma0 * grip(bristle::detail::curve_of(law), u).conductance;
            if (!equal(flow.w, u, u) || !equal(flow.h, h, h)) return false;
        }
        const double ahead = forward.sigma2 * v, back = forward.sigma2_back * v;
        if (!equal(law.viscous(v), ahead, ahead) || !equal(law.viscous(-v), -back, back)) return false;
    }
    return true;
}

template <class Law>
std::vector<Side> sides(const Law& law) {
    if constexpr (BristleLaw<Law> && !RemembersVelocity<Law> && OverCurve<Law>) {
        Side common;
        if constexpr (requires { law.sigma1; }) common.sigma1 = law.sigma1;
        if constexpr (requires { law.fade.vc; }) common.vc = law.fade.vc;
        std::vector<Side> all = both_sides(law, common);
        if (has_equations_of(law, all)) return all;
    }
    return {};
}
std::vector<Side> sides(const AnyElastoPlastic& law) {
    Side common;
    common.sigma1 = law.sigma1;
    common.plastic = Plastic{law.kappa, law.breakaway, law.curve.floor()};
    return both_sides(law, common);
}
bool shifts(const AnyHysteretic& law) { return law.a > 0 || law.a_rule == ShiftRule::max; }
std::vector<Side> sides(const AnyHysteretic& law) {
    if (shifts(law)) return {};
    Side common;
    common.sigma1 = law.sigma1;
    return both_sides(law, common);
}
std::vector<Side> sides(const AnyMaxwellSlip& law) { return both_sides(law, {}); }

// Between two loads [N].
template <class Law>
std::vector<Side> sides_between(const Law& law, double load_min, double load_max) {
    std::vector<Side> all = sides(law_under(law, load_min));
    if (LoadInCurve<Law> && load_max > load_min) {
        const std::vector<Side> tops = sides(law_under(law, load_max));
        for (std::size_t i = 0; i < all.size(); ++i) all[i].top = tops[i].curve;
    }
    return all;
}

// Name of the viscous friction in the parameter table; "sigma2" if the law has none.
template <class Law>
std::string viscous_name(Law law) {
    std::string name = "sigma2";
    Law::parameters(law, [&](const Parameter& p, double& x) {
        if (is_viscous(law, x)) name = p.name;
    });
    return name;
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
    return std::visit(
        [&](const auto& l) {
            const bool own = viscous_slope(l, 1) != viscous_slope(l, -1);
            return (own && direction < 0 ? "negative." : "") + viscous_name(l);
        },
        law);
}

bool is_shifted(const AnyLaw& law) {
    const auto* hysteretic = std::get_if<AnyHysteretic>(&law);
    return hysteretic && shifts(*hysteretic);
}

LoadRange load_range(const AnyLaw& law, const CertifyOptions& options) {
    const bool inside = std::visit([]<class Law>(const Law&) { return LoadInCurve<Law>; }, law);
    if (inside) return {1, 1, 1, 1, options.load_max > options.load_min};
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    if (on_all) return {1, 1, options.load_min, options.load_max};
    return {options.load_min, options.load_max, 1, 1};
}

std::vector<Side> sides_of(const AnyLaw& law, const CertifyOptions& options) {
    std::vector<Side> all =
        std::visit([&](const auto& l) { return sides_between(l, options.load_min, options.load_max); }, law);
    const LoadRange load = load_range(law, options);
    for (Side& side : all) {
        side.load_min = load.curve_min;
        side.load_max = load.curve_max;
        if (load.force_varies()) side.gain = load.force_max / load.force_min;
    }
    return all;
}

}  // namespace bristle::analysis::passivity
