// Random laws over many decades of their parameters, for benchmarks and for tests of the solvers.
#pragma once
#include <bristle/bristle.hpp>

#include <cmath>
#include <random>
#include <string_view>

namespace draws {

struct Random {
    std::mt19937_64 engine;
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
    double decades(double low, double high) { return std::pow(10, uniform(low, high)); }
    bool chance(double p) { return uniform(0, 1) < p; }
    double sign() { return chance(0.5) ? 1 : -1; }
};

// Returns a law with its parameters from value(parameter), through its parameter table. Maxwell-slip has four equal elements.
template <class Law, class Value>
Law filled(const Value& value) {
    using T = typename Law::scalar;
    Law law{};
    bristle::set_example(law);
    Law::parameters(law, [&](const bristle::Parameter& p, auto& x) { x = T(value(p)); });
    return law;
}
// Returns a law with random parameters; m [kg] sets the scale of its damping only.
template <class Law>
Law law(Random& r, double m) {
    const double sigma0 = r.decades(2, 8), Fc = r.decades(-2, 2), vs = r.decades(-5, -0.3);
    const double sharp = r.decades(0, 2) / vs;
    return filled<Law>([&](const bristle::Parameter& p) -> double {
        const std::string_view name = p.name;
        if (name == "sigma0") return sigma0;
        if (name == "k") return 0.25 * sigma0;
        if (name == "nu") return 0.25;
        if (name == "sigma1") return r.chance(0.2) ? 0 : 2 * r.decades(-3, 1) * std::sqrt(sigma0 * m);
        if (name == "sigma2" || name == "g6") return r.chance(0.3) ? 0 : r.decades(-3, 2);
        if (name == "Fc" || name == "g4") return Fc;
        if (name == "Fs") return Fc * (r.chance(0.1) ? 1 : 1 + r.decades(-3, 1));
        if (name == "vs") return vs;
        if (name == "alpha") return r.chance(0.6) ? (r.chance(0.7) ? 2 : 1) : r.uniform(0.5, 2);
        if (name == "vc") return vs * r.decades(0, 3);
        if (name == "c" || name == "g2" || name == "g5") return sharp;
        if (name == "g3") return sharp * r.decades(-3, 0);
        if (name == "g1") return Fc * r.decades(-2, 1);
        if (name == "a") return vs * r.decades(-4, 0);
        if (name == "a_scale") return r.decades(-1, 3);
        if (name == "kappa") return r.uniform(0.01, 0.99);
        if (name == "C") return r.decades(-2, 5);
        const double example = bristle::example_of(p, 1), x = example * r.decades(-1, 1);
        return p.bound.holds(x) ? x : example;
    });
}

}  // namespace draws
