// The equations of a rig with one bristle, for a solver: y = (q, v, z) or (q, v, z, I), the side of the contact's velocity
// held fixed, and the two powers of the energy ledger as quadratures.
//
//   q' = drift + sense v,   M v' = pull(q, v, I) + u(t) - ratio F,   z' = rate(z, c),   I' = q - target,   c = ratio v + belt(t)
//   supplied power: what puller, force, controller and belt do;   dissipated power: F c - dH/dt
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/rig.hpp>

#include <array>

namespace bristle::simulate {

template <std::size_t N>
using Vector = std::array<double, N>;

// Rate and force of a one-bristle law at an instant, from one evaluation of its curve, on the side s of v = 0.
template <class S>
struct Instant {
    S rate, force;
};
template <BristleLaw Law, class S>
Instant<S> instant(const Law& law, const S& s, const S& z, const S& v, const S& load) {
    const bool on_all = law.load_on == LoadOn::all;
    const S on_curve = on_all ? S(1) : load, on_force = on_all ? load : S(1);
    const S h = grip_on(detail::curve_of(law), s, v).conductance * (law.sigma0 / on_curve);
    const S rate = v - h * z;
    S viscous = S(0);
    if constexpr (requires { law.sigma2; }) viscous = viscous_on(law, s, v);
    return {rate, on_force * (law.sigma0 * z + law.damping(v) * rate + viscous)};
}

// Where the linearisation of a step is needed: f, J = df/dy, df/dt and the same of the quadratures.
template <std::size_t N, std::size_t Q>
struct Linear {
    Vector<N> f, ft;
    double J[N][N];
    Vector<Q> w, wt;
    std::array<Vector<N>, Q> W;
};

template <class Law, std::size_t N, bool Ledger>
struct BristleSystem {
    static constexpr std::size_t states = N, quadratures = Ledger ? 2 : 0;
    const Law& law;
    const Rig& rig;
    Piece input, load;
    double side;

    // f and the quadratures, generic in the scalar: the same text is evaluated and differentiated.
    template <class S>
    void rates(const S& t, const std::array<S, N>& y, std::array<S, N>& f, std::array<S, quadratures>& w) const {
        const S &q = y[0], &v = y[1], &z = y[2], integral = N == 4 ? y[N - 1] : S(0);
        const S belt = rig.belt(t), c = rig.ratio * v + belt, u = input.value(t);
        const auto [rate, force] = instant(law, S(side), z, c, load.value(t));
        const S pull = rig.pull(q, v, integral);
        f[0] = rig.drift + rig.sense * v;
        f[1] = (pull + u - rig.ratio * force) * (1 / rig.inertia);
        f[2] = rate;
        if constexpr (N == 4) f[N - 1] = q - rig.target;
        if constexpr (Ledger) {
            const double N_force = law.load_on == LoadOn::all ? value(load.value(t)) : 1.0;
            w[0] = rig.supplied(q, v, integral, u) + belt * force;
            w[1] = force * c - N_force * law.sigma0 * z * rate;
        }
    }
    void rates(double t, const Vector<N>& y, Vector<N>& f, Vector<quadratures>& w) const { rates<double>(t, y, f, w); }

    void linearise(double t, const Vector<N>& y, Linear<N, quadratures>& out) const {
        using D = Dual<double, N + 1>;
        std::array<D, N> u, f;
        std::array<D, quadratures> w;
        for (std::size_t i = 0; i < N; ++i) u[i] = D::variable(y[i], i);
        rates<D>(D::variable(t, N), u, f, w);
        for (std::size_t i = 0; i < N; ++i) {
            out.f[i] = f[i].v;
            out.ft[i] = f[i].d[N];
            for (std::size_t j = 0; j < N; ++j) out.J[i][j] = f[i].d[j];
        }
        for (std::size_t i = 0; i < quadratures; ++i) {
            out.w[i] = w[i].v;
            out.wt[i] = w[i].d[N];
            for (std::size_t j = 0; j < N; ++j) out.W[i][j] = w[i].d[j];
        }
    }
    // Where the law has its kink.
    double contact_velocity(double t, const Vector<N>& y) const { return rig.ratio * y[1] + rig.belt(t); }
    // At a zero of the contact's velocity: puts v there exactly and takes the side it moves to.
    template <class Full>
    void turn(double t, Full& y) {
        y[1] = -rig.belt(t) / rig.ratio;
        Vector<N> x, f;
        Vector<quadratures> w;
        for (std::size_t i = 0; i < N; ++i) x[i] = y[i];
        rates(t, x, f, w);
        const double rise = rig.ratio * f[1] + rig.belt_rate(t);
        side = rise < 0 ? -1 : 1;
    }
};

}  // namespace bristle::simulate
