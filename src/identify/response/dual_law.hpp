// A law of the catalogue over dual numbers: the same numbers, with one column of derivatives per free parameter.
#pragma once
#include "identify/response/response.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace bristle::inline identification {
namespace response_detail {

using D = PassScalar;

// The law of a row over dual numbers; with a curve for each direction if the curve sticks.
template <class Law>
auto sided(const Law& law) {
    if constexpr (requires { law.curve; }) {
        using Curve = std::remove_cvref_t<decltype(law.curve)>;
        if constexpr (Curve::sticks)
            return law.over(Sided<Curve>{});
        else
            return law;
    } else
        return law;
}
template <std::size_t Row, class S = D>
using DualLaw = decltype(sided(typename std::tuple_element_t<Row, decltype(law_table<S>())>::law{}));

template <class Curve>
bool directional(const Curve& curve) {
    if constexpr (requires { curve.stribeck.directional; })
        return curve.stribeck.directional;
    else if constexpr (requires { curve.directional; })
        return curve.directional;
    else
        return false;
}

// Copies the words (enumerations, flags) that both laws have, by name.
template <class To, class From>
void copy_choices(To& to, const From& from) {
    for_each_choice(to, [&](const Choice& choice, auto& x) {
        for_each_choice(from, [&](const Choice& other, const auto& y) {
            if (std::strcmp(choice.name, other.name) == 0)
                x = static_cast<std::remove_cvref_t<decltype(x)>>(static_cast<int>(y));
        });
    });
    if constexpr (requires { to.load_on; }) to.load_on = from.load_on;
}

// The law over dual numbers: the same numbers, with their columns as derivatives.
template <std::size_t Row, class S = D, class From>
DualLaw<Row, S> dual_law(const From& from, const PassColumns& columns) {
    DualLaw<Row, S> law{};
    if constexpr (requires { law.size; }) law.size = from.size;
    if constexpr (requires { law.curve.directional; }) law.curve.directional = directional(from.curve);
    copy_choices(law, from);
    std::vector<double> values;
    From::parameters(from, [&](const Parameter&, const double& x) { values.push_back(x); });
    std::size_t i = 0;
    DualLaw<Row, S>::parameters(law, [&](const Parameter&, S& x) {
        x = S(values.at(i));
        if (const int column = columns.of_parameter.at(i); column >= 0) x.d[column] = 1;
        ++i;
    });
    return law;
}

// Deflects the bristle to the given force [N], limited to the level at rest; the limit has derivatives.
template <class Law>
void set_start_within(const Law& law, typename Law::State& state, double force, const D& load) {
    if constexpr (requires { state.z; }) {
        const auto n = loads(law, load);
        const D max_force = n.on_curve * curve_under(law, load).peak();
        const D wanted = n.on_force.v > 0 ? force / n.on_force : D(0.0);
        state.z = (wanted > max_force ? max_force : wanted < -max_force ? -max_force : wanted) / law.sigma0;
    }
}

}  // namespace response_detail
}  // namespace bristle::identification
