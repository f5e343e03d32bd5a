// Equations of a rig with one contact, for the solver: states, their rates in the present mode, and the powers of the
// energy ledger as quadratures.
//
// RigSystem         y = (q, v, z..., I)
//   q' = drift + sense v,   M v' = pull(q, v, I) + u(t) - ratio F,   z' = rate(z, c),   I' = q - target,
//   c = ratio v + belt(t)
//   held: v' = -belt'/ratio, and F is the holding force
// PrescribedSystem  y = (x, z...)
//   x' = c(t) given,   z' = rate(z, c)
// Quadratures: supplied power (puller, force, controller, belt, and changes of the load on deflected bristles),
// dissipated power F c - dH/dt at constant load, and the power F c of the motion at the contact [W].
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/rig.hpp>

#include <algorithm>
#include <cmath>

#include "simulate/friction.hpp"

namespace bristle::inline simulation {

template <std::size_t N>
using Vector = std::array<double, N>;
// Number of states of a system whose size is known at run time.
inline constexpr std::size_t any_size = std::size_t(-1);

// Linearisation at the start of a step: f, J = df/dy, df/dt, and the same for the quadratures.
template <std::size_t N, std::size_t Q>
struct Linear {
    Vector<N> f, ft;
    double J[N][N];
    Vector<Q> w, wt;
    std::array<Vector<N>, Q> W;
};

namespace parts {

template <std::size_t n, class To, class From>
std::array<To, n> part(const From& y, std::size_t first) {
    std::array<To, n> out;
    for (std::size_t i = 0; i < n; ++i) out[i] = y[first + i];
    return out;
}

// Linearises system.rates by dual numbers over all states and time.
template <class System, std::size_t N, std::size_t Q>
void linearise_by_duals(const System& system, double t, const Vector<N>& y, Linear<N, Q>& out) {
    using D = Dual<double, N + 1>;
    std::array<D, N> u, f;
    std::array<D, Q> w;
    for (std::size_t i = 0; i < N; ++i) u[i] = D::variable(y[i], i);
    system.rates(D::variable(t, N), u, f, w);
    for (std::size_t i = 0; i < N; ++i) {
        out.f[i] = f[i].v;
        out.ft[i] = f[i].d[N];
        for (std::size_t j = 0; j < N; ++j) out.J[i][j] = f[i].d[j];
    }
    for (std::size_t i = 0; i < Q; ++i) {
        out.w[i] = w[i].v;
        out.wt[i] = w[i].d[N];
        for (std::size_t j = 0; j < N; ++j) out.W[i][j] = w[i].d[j];
    }
}

}  // namespace parts

// Returns the power of a changing load on deflected bristles: dH/dN dN/dt [W].
template <class F, class S, std::size_t n>
S load_power(const F& friction, const std::array<S, n>& z, const Piece& load, const S& t) {
    if (friction.law.load_on == LoadOn::curve || (load.slope == 0 && load.amplitude == 0)) return S(0);
    return friction.stored(z, S(1)) * load.rate(t);
}

template <class Law, bool Integral, bool Ledger>
struct RigSystem {
    static constexpr std::size_t n = Friction<Law>::states, states = 2 + n + Integral, quadratures = Ledger ? 3 : 0,
                                 contact = 2;  // index of the first state of the contact
    static constexpr std::size_t N = states;
    static constexpr bool dry = SticksExactly<Law>;
    RigEquations rig;
    Friction<Law> friction;
    Piece input, load{.offset = 1};

    RigSystem(const Law& law, const RigEquations& r) : rig(r), friction(law) {}

    template <class S>
    S contact_velocity(const S& t, const S& v) const {
        return rig.ratio * v + rig.belt(t);
    }
    // Returns the friction force under which c is constant [N].
    template <class S>
    S hold(const S& t, const S& pull) const {
        return (pull + input.value(t) + rig.inertia / rig.ratio * rig.belt_rate(t)) * (1 / rig.ratio);
    }
    // Returns d(hold)/dt at constant c and constant load factor [N/s]; 0 if the law does not need it.
    template <class S>
    S hold_rate(const S& t, const std::array<S, N>& y, const S& force) const {
        if constexpr (requires { friction.needs_hold_rate(); })
            if (friction.needs_hold_rate()) return hold_rate_of(t, y, force);
        return S(0);
    }
    // Apart, so that moment() stays inlined.
    template <class S>
    [[gnu::noinline]] S hold_rate_of(const S& t, const std::array<S, N>& y, const S& force) const {
        const S belt_rate = rig.belt_rate(t), q_rate = rig.drift + rig.sense * y[1];
        S pull_rate = rig.kq * q_rate - rig.kv / rig.ratio * belt_rate;
        if (rig.ks != 0) pull_rate = pull_rate + rig.ks * cos(y[0]) * q_rate;
        if constexpr (Integral) pull_rate = pull_rate + rig.kI * (y[0] - rig.target);
        const S belt_bend = belt_rate * (-1 / rig.belt_time);
        const S sum = (pull_rate + input.rate(t) + rig.inertia / rig.ratio * belt_bend) * (1 / rig.ratio);
        return friction.law.load_on == LoadOn::all ? S(sum - force * load.rate(t) / load.value(t)) : sum;
    }
    // Computes f and the quadratures for any scalar, so that the same text is evaluated and differentiated. With a pulled
    // spring: A08 (14), A08 (15), A08 (16).
    template <class S>
    void rates(const S& t, const std::array<S, N>& y, std::array<S, N>& f, std::array<S, quadratures>& w) const {
        const S &q = y[0], &v = y[1], integral = Integral ? y[N - 1] : S(0);
        const auto z = parts::part<n, S>(y, contact);
        const S c = contact_velocity(t, v), N_load = load.value(t), pull = rig.pull(q, v, integral);
        Answer<S, n> a;
        if (friction.held()) {
            a.force = hold(t, pull);
            if constexpr (requires { friction.held_rate(z, c, a.force, a.force, N_load); })
                a.rate = friction.held_rate(z, c, a.force, hold_rate(t, y, a.force), N_load);
            f[1] = rig.belt_rate(t) * (-1 / rig.ratio);
        } else {
            a = friction.answer(z, c, N_load);
            f[1] = (pull + input.value(t) - rig.ratio * a.force) * (1 / rig.inertia);
        }
        f[0] = rig.drift + rig.sense * v;
        for (std::size_t i = 0; i < n; ++i) f[contact + i] = a.rate[i];
        if constexpr (Integral) f[N - 1] = q - rig.target;
        if constexpr (Ledger) {
            w[0] = rig.supplied(q, v, integral, S(input.value(t))) + rig.belt(t) * a.force +
                   load_power(friction, z, load, t);
            w[2] = a.force * c;
            w[1] = w[2] - friction.stored_power(z, a.rate, N_load);
        }
    }

    // Only the law is differentiated by dual numbers, in its own variables; the rig is linear apart from sin q.
    void linearise(double t, const Vector<N>& y, Linear<N, quadratures>& out) const {
        if (Ledger || friction.held() || load.slope != 0 || load.amplitude != 0)
            return parts::linearise_by_duals(*this, t, y, out);
        using D = Dual<double, n + 1>;
        std::array<D, n> z;
        for (std::size_t i = 0; i < n; ++i) z[i] = D::variable(y[contact + i], i);
        const auto a = friction.answer(z, D::variable(contact_velocity(t, y[1]), n), D(load.offset));
        const double by_mass = 1 / rig.inertia, belt_rate = rig.belt_rate(t);
        const double integral = Integral ? y[N - 1] : 0.0;
        for (auto& row : out.J)
            for (double& x : row) x = 0;
        out.f[0] = rig.drift + rig.sense * y[1];
        out.J[0][1] = rig.sense;
        out.ft[0] = 0;
        out.f[1] = (rig.pull(y[0], y[1], integral) + input.value(t) - rig.ratio * a.force.v) * by_mass;
        out.J[1][0] = (rig.kq + (rig.ks == 0 ? 0 : rig.ks * std::cos(y[0]))) * by_mass;
        out.J[1][1] = (rig.kv - rig.ratio * rig.ratio * a.force.d[n]) * by_mass;
        out.ft[1] = (input.rate(t) - rig.ratio * a.force.d[n] * belt_rate) * by_mass;
        for (std::size_t i = 0; i < n; ++i) {
            out.J[1][contact + i] = -rig.ratio * a.force.d[i] * by_mass;
            out.f[contact + i] = a.rate[i].v;
            out.ft[contact + i] = a.rate[i].d[n] * belt_rate;
            out.J[contact + i][1] = rig.ratio * a.rate[i].d[n];
            for (std::size_t j = 0; j < n; ++j) out.J[contact + i][contact + j] = a.rate[i].d[j];
        }
        if constexpr (Integral) {
            out.f[N - 1] = y[0] - rig.target;
            out.ft[N - 1] = 0;
            out.J[N - 1][0] = 1;
            out.J[1][N - 1] = rig.kI * by_mass;
        }
    }

    template <class Y>
    [[gnu::always_inline]] Moment moment(double t, const Y& y) const {
        const double pull = rig.pull(y[0], y[1], Integral ? y[N - 1] : 0.0);
        Moment at{contact_velocity(t, y[1]), load.value(t), true, hold(t, pull), 0};
        if constexpr (requires { friction.needs_hold_rate(); })
            if (friction.needs_hold_rate()) at.hold_rate = hold_rate_of(t, parts::part<N, double>(y, 0), at.hold);
        return at;
    }
    // Returns the energy stored in rig and contact [J].
    template <class Y>
    double stored(double t, const Y& y) const {
        return rig.stored(y[0], y[1]) + friction.stored(parts::part<n, double>(y, contact), double(load.value(t)));
    }
    // Sets the contact velocity to exactly zero after a reversal has been located.
    template <class Y>
    void stop(double t, Y& y) const {
        y[1] = -rig.belt(t) / rig.ratio;
    }
};

template <class Law, bool Ledger>
struct PrescribedSystem {
    static constexpr std::size_t n = Friction<Law>::states, states = 1 + n, quadratures = Ledger ? 3 : 0, contact = 1;
    static constexpr std::size_t N = states;
    static constexpr bool dry = false;  // no mass to hold
    Friction<Law> friction;
    bool displacement;  // the input is a displacement, not a velocity
    Piece input, load{.offset = 1};

    PrescribedSystem(const Law& law, bool is_displacement) : friction(law), displacement(is_displacement) {}

    template <class S>
    S contact_velocity(const S& t) const {
        return displacement ? input.rate(t) : input.value(t);
    }
    template <class S>
    void rates(const S& t, const std::array<S, N>& y, std::array<S, N>& f, std::array<S, quadratures>& w) const {
        const auto z = parts::part<n, S>(y, contact);
        const S c = contact_velocity(t), N_load = load.value(t);
        const auto a = friction.answer(z, c, N_load);
        f[0] = c;
        for (std::size_t i = 0; i < n; ++i) f[contact + i] = a.rate[i];
        if constexpr (Ledger) {
            w[2] = a.force * c;
            w[0] = w[2] + load_power(friction, z, load, t);
            w[1] = w[2] - friction.stored_power(z, a.rate, N_load);
        }
    }
    void linearise(double t, const Vector<N>& y, Linear<N, quadratures>& out) const {
        parts::linearise_by_duals(*this, t, y, out);
    }
    template <class Y>
    Moment moment(double t, const Y&) const {
        const auto c = contact_velocity(Dual<double, 1>::variable(t));
        return {c.v, load.value(t), false, 0, c.d[0] != 0 ? c.d[0] : rise_after(t)};
    }
    // Returns the sign of the change of c shortly after t, if dc/dt = 0 at t; 0 if c is constant.
    double rise_after(double t) const {
        if (input.amplitude == 0 && input.jerk == 0) return 0;
        const double fastest = input.amplitude == 0 ? 1
                                                    : std::max(std::abs(input.omega + 2 * input.bend * t),
                                                               std::sqrt(std::abs(input.bend)));
        return contact_velocity(t + 1e-3 / fastest) - contact_velocity(t);
    }
    template <class Y>
    double stored(double t, const Y& y) const {
        return friction.stored(parts::part<n, double>(y, contact), double(load.value(t)));
    }
    template <class Y>
    void stop(double, Y&) const {}
};

}  // namespace bristle::simulation
