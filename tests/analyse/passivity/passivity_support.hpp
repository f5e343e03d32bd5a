// Oracle of the passivity tests: the exact one-state criterion on a grid, with rate and force of the law; and random laws of every kind,
// passive or not. It shares no formula with src/analyse/passivity.
#pragma once
#include "analyse/counterexample/witness.hpp"
#include <bristle/analyse/certificate.hpp>

#include "../laws.hpp"

namespace bristle::test {

struct Quotient {
    double rate = 0, value = 0;  // dz/dt [m/s] and F v/(dz/dt) [N]
};
// Laws with one bristle, at an instant.
inline Quotient quotient(const AnyLaw& law, double z, double v, double load) {
    return std::visit(
        [&](const auto& l) -> Quotient {
            if constexpr (requires { rate(l, z, v, load); }) {
                const double r = rate(l, z, v, load);
                return {r, force(l, z, v, load) * v / r};
            } else {
                return {};
            }
        },
        law);
}

inline double sigma0_of(const AnyLaw& law) {
    return std::visit(
        [](const auto& l) -> double {
            if constexpr (requires { l.sigma0; }) return l.sigma0;
            return 1;
        },
        law);
}

// The smallest U - L over a grid of z, where L is the largest quotient with dz/dt < 0 and U the smallest with dz/dt > 0, at speeds up
// to vmax and the given loads; in units of |U| + |L| + sigma0 |z|. Below 0: not passive. The grid does not
// detect violations in a narrow range of z or v.
struct Corridor {
    double narrowest = 1;
    double z = 0;
};
inline Corridor corridor(const AnyLaw& law, double vmax, std::vector<double> loads = {1.0}, int levels = 120,
                         int speeds = 400) {
    const auto [sigma0, peak] = std::visit(
        [&](const auto& l) -> std::pair<double, double> {
            if constexpr (requires {
                              l.sigma0;
                              l.curve;
                          }) {
                const double most = bristle::loads(l, loads.back()).on_curve;
                return {l.sigma0, most * curve_under(l, loads.back()).peak()};
            } else {
                return {1, 0};
            }
        },
        law);
    std::vector<double> velocities;
    for (int i = 0; i <= speeds; ++i)
        for (const double side : {1.0, -1.0}) velocities.push_back(side * vmax * std::pow(10, -9 + 9.0 * i / speeds));
    Corridor found;
    for (int i = 1; i < 2 * levels; ++i) {
        // half of them equally spaced, half towards 0
        const double fraction = i < levels ? double(i) / levels : std::pow(10, -5.0 * (i - levels) / levels);
        for (const double z : {peak * fraction / sigma0, -peak * fraction / sigma0}) {
            double L = -1e300, U = 1e300;
            for (const double v : velocities)
                for (const double load : loads) {
                    const auto [r, q] = quotient(law, z, v, load);
                    if (r < 0) L = std::max(L, q);
                    if (r > 0) U = std::min(U, q);
                }
            if (L < -1e299 || U > 1e299) continue;
            const double width = (U - L) / (std::abs(U) + std::abs(L) + sigma0 * std::abs(z));
            if (width < found.narrowest) found = {width, z};
        }
    }
    return found;
}

// Random laws, some passive, some not.
inline AnyLaw draw_bristle_law(Random& random, int kind) {
    const auto spread = [&](auto law) {
        set_viscous(law, law.sigma1 * random.log_uniform(1e-3, 3));
        return AnyLaw(law);
    };
    switch (kind) {
        case 0: {  // any Stribeck exponent that the rules allow, from a very wide curve to a step
            auto law = random_lugre(random, random.uniform(0, 2));
            if (random.below(2)) law.curve.stribeck.positive.alpha = random.log_uniform(0.15, 7.9);
            return law;
        }
        case 1: {  // some are beyond the bound of P4
            auto law = random_microdamped(random);
            law.fade.vc *= random.log_uniform(1e-3, 1);
            return law;
        }
        case 2: {
            auto law = random_smooth(random);
            law.curve.c *= random.log_uniform(1e-2, 1);
            return spread(law);
        }
        case 3: {
            auto law = random_smooth(random);
            law.curve.printed = true;
            return law;
        }
        case 4:
            return spread(random_makkar(random));
        case 5:
            return spread(random_elastoplastic(random));
        case 6: {
            auto law = random_sided(random, random.sign());
            law.sigma2 *= random.uniform(0.3, 3);
            return law;
        }
        case 7: {
            auto law = random_lugre(random, random.uniform(0, 1.5));
            law.curve.tabulated = true;
            Table& table = law.curve.table;
            table.size = 6;
            for (int i = 0; i < table.size; ++i) {
                table.v[i] = i == 0 ? 0 : law.curve.stribeck.positive.vs * std::pow(3, i - 2);
                table.g[i] = law.curve.stribeck.positive.Fc * random.uniform(0.8, 2);
            }
            return law;
        }
        default: {  // a level that rises with the speed
            auto law = random_lugre(random, 0);
            auto& curve = law.curve.stribeck.positive;
            std::swap(curve.Fc, curve.Fs);
            curve.allow_rising = true;
            return law;
        }
    }
}
inline constexpr int bristle_kinds = 9;

}  // namespace bristle::test
