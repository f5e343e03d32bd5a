// LuGre on a pulled spring by closed formulas in long double: the oracle for equilibria, polynomials and Hopf points.
#pragma once
#include <bristle/analyse/equilibrium.hpp>

#include <algorithm>

#include "../laws.hpp"

namespace bristle::test {

inline bristle::Setup pulled(const AnyLaw& law, double mass, double stiffness, double velocity) {
    bristle::Setup s;
    s.law = law;
    s.rig = PulledSpring{mass, stiffness, velocity};
    return s;
}
inline bristle::Setup forced(const AnyLaw& law, double mass, double force) {
    bristle::Setup s;
    s.law = law;
    s.rig = ForcedMass{mass};
    s.input = Input::constant(force);
    return s;
}

struct ByHand {
    using real = long double;
    real m, k, v;  // v > 0
    real sigma0, sigma1, sigma2, Fc, Fs, vs, alpha;
    ByHand(const LuGre& l, double mass, double stiffness, double speed)
        : m(mass),
          k(stiffness),
          v(speed),
          sigma0(l.sigma0),
          sigma1(l.sigma1),
          sigma2(l.sigma2),
          Fc(l.curve.Fc),
          Fs(l.curve.Fs),
          vs(l.curve.vs),
          alpha(l.curve.alpha) {}
    real drop() const { return (Fs - Fc) * std::exp(-std::pow(v / vs, alpha)); }
    real g() const { return Fc + drop(); }                                          // A08 (4)
    real g_slope() const { return -drop() * alpha / v * std::pow(v / vs, alpha); }  // its derivative
    real h() const { return sigma0 * v / g(); }
    real F_slope() const { return g_slope() + sigma2; }
    // coefficients of A08 (27) with the corrections of erratum E4
    real a1() const { return h() + (sigma1 * v * g_slope() / g() + sigma2) / m; }
    real a2() const { return (k + h() * F_slope()) / m; }
    real a3() const { return k * h() / m; }
    real product() const { return a1() * a2() - a3(); }
};

// Random LuGre on a random spring near the loss of stability: speeds around vs, sigma2 of the size of the falling slope.
struct RandomSpring {
    LuGre law;
    double m, k, v;
    explicit RandomSpring(Random& random) {
        const Stribeck curve = random_curve(random);
        law.curve = curve;
        law.sigma0 = curve.Fs / random.log_uniform(1e-6, 1e-3);
        m = random.log_uniform(0.01, 100);
        law.sigma1 = 2 * random.log_uniform(0.01, 2) * std::sqrt(law.sigma0 * m);
        law.sigma2 = (curve.Fs - curve.Fc) / curve.vs * random.log_uniform(1e-4, 2);
        k = law.sigma0 * random.log_uniform(1e-6, 1);
        v = curve.vs * random.log_uniform(0.01, 20);
    }
    ByHand by_hand() const { return {law, m, k, v}; }
    bristle::Setup setup() const { return pulled(any(law), m, k, v); }
};

// Returns all zeros of f on a window, by a scan even in the logarithm and bisection.
template <class F>
std::vector<double> zeros(const F& f, double from, double to, int parts) {
    std::vector<double> out;
    const long double factor = std::pow(static_cast<long double>(to) / from, 1.0L / parts);
    long double a = from;
    bool under = f(a) < 0;
    for (int i = 0; i < parts; ++i) {
        long double low = a, high = a * factor;
        a = high;
        const bool below = under, above = f(high) < 0;
        under = above;
        if (below == above) continue;
        for (int k = 0; k < 80; ++k) {
            const long double middle = 0.5L * (low + high);
            ((f(middle) < 0) == below ? low : high) = middle;
        }
        out.push_back(double(low));
    }
    return out;
}
// Critical points of one kind, by rising value.
inline std::vector<CriticalPoint> of_kind(const Branch& b, CriticalPoint::Kind kind) {
    std::vector<CriticalPoint> out;
    for (const CriticalPoint& c : b.critical)
        if (c.kind == kind) out.push_back(c);
    std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.value < y.value; });
    return out;
}
// The soft set of A08 with viscous friction.
inline LuGre soft(double sigma2) {
    LuGre law = a08_soft;
    law.sigma2 = law.sigma2_negative = sigma2;
    return law;
}

}  // namespace bristle::test
