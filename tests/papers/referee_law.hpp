// Laws of the referee: the parameters of a law, and its equations written independently from the papers and docs/models.
// No function of bristle is called; its types are read for their parameters only.
#pragma once
#include <algorithm>
#include <array>
#include <bristle/simulate/setup.hpp>
#include <cmath>
#include <vector>

namespace referee {

constexpr int max_states = 16;

// A08 (4), or measured points (v, g): g constant beyond both ends, and between them a cubic that keeps each piece
// monotone.
struct Curve {
    double Fc = 0, Fs = 0, vs = 0, alpha = 2;  // vs = 0: Fc at every speed
    std::vector<double> v, g, slope;

    double operator()(double speed) const {
        if (v.empty()) return vs == 0 ? Fc : Fc + (Fs - Fc) * std::exp(-drop(speed / vs));
        if (speed <= v.front()) return g.front();
        if (speed >= v.back()) return g.back();
        const auto i = std::size_t(std::upper_bound(v.begin(), v.end(), speed) - v.begin()) - 1;
        // Newton's form of the cubic with two values and two slopes
        const double w = v[i + 1] - v[i], s = speed - v[i], secant = (g[i + 1] - g[i]) / w;
        const double second = (secant - slope[i]) / w, third = (slope[i] + slope[i + 1] - 2 * secant) / (w * w);
        return g[i] + s * (slope[i] + s * (second + third * (s - w)));
    }
    double least() const { return v.empty() ? std::min(Fc, Fs) : *std::min_element(g.begin(), g.end()); }
    double most() const { return v.empty() ? std::max(Fc, Fs) : *std::max_element(g.begin(), g.end()); }
    double drop(double r) const { return alpha == 2 ? r * r : alpha == 1 ? std::abs(r) : std::pow(std::abs(r), alpha); }

    // Fritsch and Butland: the slope at a point is a weighted harmonic mean of the secants beside it, zero at an extreme;
    // zero at an end beyond which the curve is constant, the secant if it begins at v = 0.
    void fit() {
        const std::size_t n = v.size();
        slope.assign(n, 0);
        if (v[0] == 0) slope[0] = (g[1] - g[0]) / v[1];
        for (std::size_t i = 1; i + 1 < n; ++i) {
            const double left = v[i] - v[i - 1], right = v[i + 1] - v[i];
            const double a = (g[i] - g[i - 1]) / left, b = (g[i + 1] - g[i]) / right;
            const double weight = (left + 2 * right) / (3 * (left + right));  // of the secant on the left
            if (a * b > 0) slope[i] = a * b / (weight * b + (1 - weight) * a);
        }
    }
};

// Discrete state of a law, constant during a step.
struct Memory {
    int side = 0;                          // the last direction of motion
    int branch = 0;                        // hysteretic: sign of dv/dt; 0: v is held
    std::array<bool, max_states> slips{};  // Maxwell-slip
};

struct Friction {
    double F = 0;
    std::array<double, max_states> dz{};
    int branch = 0;  // hysteretic: the branch that was used
};

struct Law {
    enum Kind { outside, smooth_static, makkar, lugre, lugre_smooth, lugre_makkar, hysteretic, elastoplastic, maxwell };
    enum Shift { constant, smaller, larger };
    Kind kind = outside;
    int states = 0;
    bool load_on_all = false;
    double sigma0 = 0, sigma1 = 0, sigma2[2]{};  // for v >= 0 and v < 0
    Curve curve[2];
    double vc = 0;         // microdamping; 0: none
    double c = 0;          // smooth
    bool printed = false;  // K08 (44)
    double g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0;
    double a = 0, a_scale = 1;
    Shift shift = constant;
    double kappa = 0;
    bool constant_breakaway = false;
    std::array<double, max_states> k{}, nu{};
    double C = 0;

    const Curve& on(double v) const { return curve[v < 0]; }
    double viscous(double v) const { return sigma2[v < 0] * v; }
    double level(double v) const { return on(v)(std::abs(v)); }

    // K08 (43): the factor of tanh(c v).
    double height(double v) const {
        const Curve& s = curve[0];
        return s.Fc + (s.Fs - s.Fc) * std::exp(-s.drop(v * std::tanh(c * v) / s.vs));
    }
    // M05 (2) without g6 v.
    double humps(double v) const { return g1 * (std::tanh(g2 * v) - std::tanh(g3 * v)) + g4 * std::tanh(g5 * v); }
    // Returns |v|/g(v), or the conductance that replaces it.
    double conductance(double v) const {
        switch (kind) {
            case lugre_smooth:
                if (printed) return v * std::tanh(c * v) / height(v);
                return v == 0 ? 1 / (c * curve[0].Fs) : v / (height(v) * std::tanh(c * v));
            case lugre_makkar:
                return v == 0 ? 1 / (g1 * (g2 - g3) + g4 * g5) : v / humps(v);
            default:
                return std::abs(v) / level(v);
        }
    }
    // B05 (8): dz/dt on branch b.
    double shifted_rate(double z, double v, double N, double b) const {
        const double w = v + b * shift_at(z);
        return w - std::abs(w) * sigma0 * z / (N * level(v));
    }
    double shift_at(double z) const {
        const double drawn = a_scale * std::abs(z);
        return shift == constant ? a : shift == smaller ? std::min(a, drawn) : std::max(a, drawn);
    }
    // Dupont et al. 2002, with z_ba a fraction of |z_ss| or of the smallest |z_ss|.
    double elastoplastic_rate(double z, double v, double N) const {
        const double z_ss = N * level(v) / sigma0;
        const double z_ba =
            kappa * (constant_breakaway ? N * std::min(curve[0].least(), curve[1].least()) / sigma0 : z_ss);
        const double deflection = std::abs(z);
        double alpha = 0;
        if (z * v > 0 && deflection > z_ba) {
            const double middle = (z_ss + z_ba) / 2, pi = 3.14159265358979323846;
            alpha = deflection >= z_ss ? 1 : (1 + std::sin(pi * (deflection - middle) / (z_ss - z_ba))) / 2;
        }
        return v * (1 - alpha * deflection / z_ss);
    }
    // Makes sticking elements slip that have reached their limit.
    bool reaches(int i, const double* F, double v, double load, int side) const {
        return side * F[i] >= nu[std::size_t(i)] * (load_on_all ? 1 : load) * level(v);
    }

    // Returns the force and the rates. rise: dv/dt of the contact as a function of F, for the hysteretic law:
    // rise(F) = free ? base - F * pull : base.
    struct Rise {
        bool free;
        double base, pull;
        double operator()(double F) const { return free ? base - F * pull : base; }
    };
    Friction operator()(const double* z, double v, double load, const Rise& rise, const Memory& memory) const {
        const double N = load_on_all ? 1 : load, factor = load_on_all ? load : 1;
        Friction out;
        double inner = 0;  // the force without the factor
        switch (kind) {
            case smooth_static:
                inner = N * height(v) * std::tanh(c * v) + viscous(v);
                break;
            case makkar:
                inner = N * humps(v) + viscous(v);
                break;
            case lugre:
            case lugre_smooth:
            case lugre_makkar: {
                const double damping = vc > 0 ? sigma1 * std::exp(-(v / vc) * (v / vc)) : sigma1;
                out.dz[0] = v - sigma0 * conductance(v) / N * z[0];
                inner = sigma0 * z[0] + damping * out.dz[0] + viscous(v);
                break;
            }
            case elastoplastic:
                out.dz[0] = elastoplastic_rate(z[0], v, N);
                inner = sigma0 * z[0] + sigma1 * out.dz[0] + viscous(v);
                break;
            case hysteretic:
                return with_branch(z[0], v, N, factor, rise, memory);
            case maxwell: {
                const double s = N * (memory.side < 0 ? curve[1] : curve[0])(std::abs(v));
                inner = viscous(v);
                for (std::size_t i = 0; i < std::size_t(states); ++i) {
                    out.dz[i] = memory.slips[i] ? C * (nu[i] * memory.side - z[i] / s) : k[i] * v;
                    inner += z[i];
                }
                break;
            }
            case outside:
                break;
        }
        out.F = factor * inner;
        return out;
    }
    // Branch rule: dv/dt > 0 if that follows with b = 1, dv/dt < 0 if that follows with b = -1; otherwise v is held and F
    // is the holding force.
    Friction with_branch(double z, double v, double N, double factor, const Rise& rise, const Memory& memory) const {
        const auto on_branch = [&](int b) {
            Friction out;
            out.branch = b;
            out.dz[0] = shifted_rate(z, v, N, b);
            out.F = factor * (sigma0 * z + sigma1 * out.dz[0] + viscous(v));
            return out;
        };
        if (!rise.free) return on_branch(memory.branch);
        const Friction up = on_branch(1), down = on_branch(-1);
        const bool rises = rise(up.F) > 0, falls = rise(down.F) < 0;
        if (rises && falls) return memory.branch < 0 ? down : up;
        if (rises || sigma1 == 0) return up;
        if (falls) return down;
        Friction held;
        held.F = rise.base / rise.pull;
        held.dz[0] = (held.F / factor - sigma0 * z - viscous(v)) / sigma1;
        return held;
    }
    // Returns the energy of the bristles, and its rate at constant load.
    double stored_power(const double* z, const Friction& f, double load) const {
        const double factor = load_on_all ? load : 1;
        if (kind != maxwell) return states == 0 ? 0 : factor * sigma0 * z[0] * f.dz[0];
        double sum = 0;
        for (std::size_t i = 0; i < std::size_t(states); ++i) sum += z[i] * f.dz[i] / k[i];
        return factor * sum;
    }
    // Returns the larger Stribeck velocity; 0 for a law without one.
    double stribeck_speed() const { return std::max(curve[0].vs, curve[1].vs); }
    // Scales for tolerances: a speed and a level.
    double typical_speed() const {
        if (kind == makkar || kind == lugre_makkar) return std::max(g2, g5) > 0 ? 1 / std::max(g2, g5) : 1e-3;
        const double vs = !curve[0].v.empty() ? curve[0].v[1]
                          : curve[0].vs > 0   ? std::min(curve[0].vs, curve[1].vs)
                                              : 1e-3;
        return c > 0 ? std::min(vs, 1 / c) : vs;
    }
    double typical_level(double load) const {
        const double N = load_on_all ? 1 : load;
        if (kind == makkar || kind == lugre_makkar) return N * std::max(g1 + g4, 1e-3);
        return N * curve[0].most();
    }
};

// ---- the parameters of bristle's laws --------------------------------------------------------------------------------

namespace reading {

namespace sim = bristle::simulation;

inline Curve stribeck(const auto& from) {
    Curve out;
    out.Fc = from.Fc;
    out.Fs = from.Fs;
    out.vs = from.vs;
    out.alpha = from.alpha;
    return out;
}
inline void curves(Law& law, const sim::AnyCurve& from) {
    if (from.tabulated) {
        law.curve[0].v.assign(from.table.v, from.table.v + from.table.size);
        law.curve[0].g.assign(from.table.g, from.table.g + from.table.size);
        law.curve[0].fit();
        law.curve[1] = law.curve[0];
    } else {
        law.curve[0] = stribeck(from.stribeck.positive);
        law.curve[1] = from.stribeck.directional ? stribeck(from.stribeck.negative) : law.curve[0];
    }
}
inline void humps(Law& law, const bristle::MakkarCurve& from) {
    law.g1 = from.g1;
    law.g2 = from.g2;
    law.g3 = from.g3;
    law.g4 = from.g4;
    law.g5 = from.g5;
}

}  // namespace reading

inline Law law_of(const bristle::AnyLaw& any) {
    namespace sim = bristle::simulation;
    Law law;
    std::visit(
        [&]<class From>(const From& from) {
            law.load_on_all = from.load_on == bristle::LoadOn::all;
            if constexpr (requires { from.sigma0; }) law.sigma0 = from.sigma0;
            if constexpr (requires { from.sigma1; }) law.sigma1 = from.sigma1;
            if constexpr (requires { from.sigma2; }) {
                law.sigma2[0] = from.sigma2;
                law.sigma2[1] = from.sigma2_negative;
            }
            law.states = 1;
            if constexpr (std::is_same_v<From, sim::AnyCoulomb> || std::is_same_v<From, sim::AnyStribeck>) {
                law.states = 0;
            } else if constexpr (std::is_same_v<From, bristle::SmoothFriction>) {
                law.kind = Law::smooth_static;
                law.states = 0;
                law.curve[0] = law.curve[1] = reading::stribeck(from.curve);
                law.c = from.curve.c;
            } else if constexpr (std::is_same_v<From, bristle::Makkar>) {
                law.kind = Law::makkar;
                law.states = 0;
                reading::humps(law, from.curve);
            } else if constexpr (std::is_same_v<From, bristle::Dahl>) {  // A08 (S3)
                law.kind = Law::lugre;
                law.curve[0].Fc = law.curve[0].Fs = from.Fc;
                law.curve[1] = law.curve[0];
            } else if constexpr (std::is_same_v<From, sim::AnyLuGre>) {
                law.kind = Law::lugre;
                reading::curves(law, from.curve);
            } else if constexpr (std::is_same_v<From, sim::AnyMicrodamped>) {
                law.kind = Law::lugre;
                reading::curves(law, from.curve);
                law.vc = from.fade.vc;
            } else if constexpr (std::is_same_v<From, sim::AnySmoothLuGre>) {
                law.kind = Law::lugre_smooth;
                law.curve[0] = law.curve[1] = reading::stribeck(from.curve);
                law.c = from.curve.c;
                law.printed = from.curve.printed;
            } else if constexpr (std::is_same_v<From, bristle::MakkarLuGre>) {
                law.kind = Law::lugre_makkar;
                reading::humps(law, from.curve);
            } else if constexpr (std::is_same_v<From, sim::AnyHysteretic>) {
                law.kind = Law::hysteretic;
                reading::curves(law, from.curve);
                law.a = from.a;
                law.a_scale = from.a_scale;
                law.shift = from.a_rule == bristle::ShiftRule::constant ? Law::constant
                            : from.a_rule == bristle::ShiftRule::min    ? Law::smaller
                                                                        : Law::larger;
            } else if constexpr (std::is_same_v<From, sim::AnyElastoPlastic>) {
                law.kind = Law::elastoplastic;
                reading::curves(law, from.curve);
                law.kappa = from.kappa;
                law.constant_breakaway = from.breakaway == bristle::Breakaway::constant;
            } else if constexpr (std::is_same_v<From, sim::AnyMaxwellSlip>) {
                law.kind = Law::maxwell;
                law.states = from.size;
                reading::curves(law, from.curve);
                std::copy_n(from.k, from.size, law.k.begin());
                std::copy_n(from.nu, from.size, law.nu.begin());
                law.C = from.C;
            } else {
                law.states = 0;  // outside: the referee has no equations for it
            }
        },
        any);
    return law;
}

}  // namespace referee
