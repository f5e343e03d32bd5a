// Linearisation, characteristic polynomial and one Runge-Kutta step; a pulled mass (A08) and a port-Hamiltonian block (K08), written
// out from the papers.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "../support/oracle.hpp"

namespace bristle::test {

template <std::size_t n>
using State = std::array<double, n>;
template <std::size_t n>
using Matrix = std::array<State<n>, n>;

template <std::size_t n, class Rates>
Matrix<n> differentiate(const Rates& rates, const State<n>& y) {
    Matrix<n> a{};
    for (std::size_t j = 0; j < n; ++j) {
        State<n> low = y, high = y;
        low[j] *= 1 - 1e-5;
        high[j] *= 1 + 1e-5;
        for (std::size_t i = 0; i < n; ++i) a[i][j] = (rates(high)[i] - rates(low)[i]) / (high[j] - low[j]);
    }
    return a;
}

// s^3 + a1 s^2 + a2 s + a3 of a matrix, from its invariants.
struct Cubic {
    double a1, a2, a3;
    double margin() const { return a1 * a2 - a3; }
    // Returns the largest real part of its roots (Weierstrass iteration).
    double fastest_growth() const {
        using C = std::complex<double>;
        const double size = 1 + std::fabs(a1) + std::sqrt(std::fabs(a2)) + std::cbrt(std::fabs(a3));
        C r[3] = {C(size, 0), size * C(-0.4, 0.9), size * C(-0.4, -0.9)};
        for (int pass = 0; pass < 2000; ++pass)
            for (int i = 0; i < 3; ++i)
                r[i] -= (((r[i] + a1) * r[i] + a2) * r[i] + a3) / ((r[i] - r[(i + 1) % 3]) * (r[i] - r[(i + 2) % 3]));
        return std::max({r[0].real(), r[1].real(), r[2].real()});
    }
};
inline Cubic characteristic(const Matrix<3>& a) {
    const auto det = [&](unsigned i, unsigned j, unsigned k, unsigned l) {
        return a[i][k] * a[j][l] - a[i][l] * a[j][k];
    };
    return {-(a[0][0] + a[1][1] + a[2][2]), det(0, 1, 0, 1) + det(0, 2, 0, 2) + det(1, 2, 1, 2),
            -(a[0][0] * det(1, 2, 1, 2) - a[0][1] * det(1, 2, 0, 2) + a[0][2] * det(1, 2, 0, 1))};
}

// One step of the classical Runge-Kutta method.
template <std::size_t n, class Rates>
void advance(State<n>& y, double dt, const Rates& rates) {
    const auto shifted = [&](const State<n>& k, double h) {
        State<n> s = y;
        for (std::size_t i = 0; i < n; ++i) s[i] += h * k[i];
        return s;
    };
    const auto a = rates(y), b = rates(shifted(a, dt / 2)), c = rates(shifted(b, dt / 2)), d = rates(shifted(c, dt));
    for (std::size_t i = 0; i < n; ++i) y[i] += dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
}

// A08 (14), A08 (15), A08 (16), A08 (17): a mass pulled through a spring.
struct PulledMass {
    LuGre law;
    double m, k, vp;
    State<3> operator()(const State<3>& y) const {
        const auto [l, v, z] = y;
        return {vp - v, (k * l - force(law, z, v)) / m, rate(law, z, v)};
    }
    double steady_force(double v) const { return steady(law.curve, v) + law.sigma2 * v; }
    State<3> equilibrium() const { return {steady_force(vp) / k, vp, steady(law.curve, vp) / law.sigma0}; }
    Cubic polynomial() const { return characteristic(differentiate(*this, equilibrium())); }
    double h() const { return law.sigma0 * vp / level(law.curve, vp); }
    double level_slope() const { return (law.curve.Fc - level(law.curve, vp)) / law.curve.vs; }  // alpha = 1
    double force_slope() const { return level_slope() + law.sigma2; }
    // (sigma1 g' v + f' g)/g, the bracket in the a1 of A08
    double bracket() const { return law.sigma1 * vp * level_slope() / level(law.curve, vp) + law.sigma2; }
};
// A08 (18), A08 (19): the same in slip, without the bristle.
inline Matrix<2> slip_matrix(const PulledMass& r) {
    const auto rates = [&](const State<2>& y) {
        return State<2>{r.vp - y[1], (r.k * y[0] - r.steady_force(y[1])) / r.m};
    };
    return differentiate<2>(rates, {r.equilibrium()[0], r.vp});
}
inline LuGre soft(double sigma2, double vs = 0.1) {
    return {.sigma0 = 2940, .sigma1 = 108, .sigma2 = sigma2, .curve = {.Fc = 2.94, .Fs = 5.88, .vs = vs, .alpha = 1}};
}

// K08 (3), K08 (4), K08 (14): the port-Hamiltonian LuGre block under a normal load, from the law K08 (1).
struct Block {
    LuGre law{.sigma0 = 400, .sigma1 = 3, .sigma2 = 2, .curve = {0.6, 0.9, 0.02}, .load_on = LoadOn::all};
    double load = 7, z, v;
    explicit Block(Random& r) : z(r.sign() * r.uniform(0.1, 1) * 0.9 / 400), v(r.sign() * r.log_uniform(1e-3, 1)) {}
    double k0() const { return law.sigma0 * load; }
    double g0() const { return conductance(law.curve, v) / load; }
    double S() const { return (law.sigma1 + law.sigma2) * load; }
    double P() const { return -law.sigma1 * load * g0() / 2; }
    double rate_of_z() const { return rate(law, z, v, load); }
    double friction() const { return force(law, z, v, load); }
    // K08 (33), K08 (34) with a mass, states (p, z): [J - R] dH + (1, 0) u
    State<2> flow(const State<2>& dH, double u, bool with_R = true) const {
        const double G = 1 + P(), R = with_R ? 1 : 0;
        return {-R * S() * dH[0] + (-G - R * P()) * dH[1] + u, (G - R * P()) * dH[0] - R * g0() * dH[1]};
    }
};
inline std::vector<Block> blocks() {
    Random r(8);
    std::vector<Block> all;
    for (int i = 0; i < 200; ++i) all.emplace_back(r);
    return all;
}
inline constexpr double close = 1e-12;  // some roundings

}  // namespace bristle::test
