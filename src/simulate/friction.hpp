// A law in the form for the solver: smooth equations while its mode is frozen, and guards that detect its end.
//
//   Friction<Law> f{law};
//   f.answer(z, c, load)             rates of its states z and the friction force [N], in the present mode; any scalar
//   f.stored_power(z, rate, load)    d/dt of the stored energy at constant load         [W]
//   f.stored(z, load)                the stored energy                                   [J]
//   f.guards()                       number of guards of the present mode
//   f.guard(i, z, at)                > 0 while the mode is valid; the mode ends where a guard passes through zero
//   f.watches(i)                     quantity that guard i measures, which gives its tolerance for rounding
//   f.cross(i, z, at)                guard i has passed zero: sets the next mode
//   f.settle(z, at)                  sets the mode that is valid at this moment
//   f.held()                         the contact does not accelerate: c is constant and F is the holding force
//   f.held_rate(z, c, force, force_rate, load)   rates of the states while held
// c is the velocity of the contact [m/s]. A mode also depends on the rig (Moment): on the force that would keep c
// constant, or on dc/dt if the motion is prescribed.
//
// Modes: all laws: the side of c (guard 0). Dry static laws: slip in one of two directions, or held. Hysteretic:
// dc/dt > 0, < 0, or held, and the side of w. Maxwell-slip: stick or slip of each element. Kinks in the second
// derivative only (elasto-plastic, the min and max rules of a) are left to the error control.
#pragma once
#include <bristle/contact.hpp>

#include <array>
#include <limits>

namespace bristle::inline simulation {

// Motion and forces at the contact at an instant.
struct Moment {
    double c, load;
    bool free;    // false: the motion is prescribed
    double hold;  // free: the friction force that would keep c constant [N]
    double rise;  // prescribed: dc/dt [m/s^2]
    // free: d(hold)/dt at constant c and constant load factor [N/s]; NaN: not given (machines). If needs_hold_rate().
    double hold_rate = std::numeric_limits<double>::quiet_NaN();
};

// Quantity that a guard measures.
enum class Watch { velocity, force, other };

template <class S, std::size_t n>
struct Answer {
    std::array<S, n> rate;
    S force;
};

// Returns the side of c: its sign; at c = 0 the direction in which c will change, given the friction force at rest [N].
inline double side_at(const Moment& at, double force_at_rest) {
    if (at.c != 0) return at.c < 0 ? -1 : 1;
    return (at.free ? at.hold - force_at_rest : at.rise) < 0 ? -1 : 1;
}

// Common part of laws without a held mode: one guard, the side of c.
struct OneSide {
    double side = 1;
    int guards() const { return 1; }
    static constexpr Watch watches(int) { return Watch::velocity; }
    static constexpr bool held() { return false; }
    void flip() { side = -side; }
};

// A law with one bristle and its elastic energy, sigma0 z^2/2.
template <class Law>
struct OneSpring {
    static constexpr std::size_t states = 1;
    const Law& law;
    template <class S>
    S stored_power(const std::array<S, 1>& z, const std::array<S, 1>& rate, const S& load) const {
        return loads(law, load).on_force * law.sigma0 * z[0] * rate[0];
    }
    template <class S>
    S stored(const std::array<S, 1>& z, const S& load) const {
        return loads(law, load).on_force * (0.5 * law.sigma0) * z[0] * z[0];
    }
};

template <class Law>
struct Friction;

// ---- one bristle: LuGre and its relatives, Dahl, elasto-plastic -----------------------------------------------------

// A law whose dz/dt is not that of a bristle over its curve has  rate_on(law, side, z, v, load on the curve) [m/s].
template <class Law>
concept HasRateOn = requires(const Law& law, double x) {
    rate_on(law, x, x, x, x);
};
template <class Law>
concept OneBristle = (BristleLaw<Law> && !RemembersVelocity<Law>) || HasRateOn<Law>;

template <OneBristle Law>
struct Friction<Law> : OneSide, OneSpring<Law> {
    using OneSpring<Law>::law;
    explicit Friction(const Law& l) : OneSpring<Law>{l} {}

    // A08 (16), A08 (17)
    template <class S>
    Answer<S, 1> answer(const std::array<S, 1>& z, const S& c, const S& load) const {
        const auto n = loads(law, load);
        const S s = S(side);
        S rate, damping;
        if constexpr (HasRateOn<Law>)
            rate = rate_on(law, s, z[0], c, n.on_curve);
        else
            rate = c - grip_on(curve_under(law, load), s, c).conductance * (law.sigma0 / n.on_curve) * z[0];
        if constexpr (requires { law.damping(c); })
            damping = law.damping(c);
        else
            damping = S(law.sigma1);
        return {{rate}, n.on_force * (law.sigma0 * z[0] + damping * rate + viscous_on(law, s, c))};
    }
    double guard(int, const std::array<double, 1>&, const Moment& at) const { return side * at.c; }
    void cross(int, const std::array<double, 1>& z, const Moment& at) { settle(z, at); }
    void settle(const std::array<double, 1>& z, const Moment& at) {
        side = side_at(at, at.c != 0 ? 0 : answer(z, at.c, at.load).force);
    }
};

// ---- no bristle, smooth at c = 0 -------------------------------------------------------------------------------------

template <class Law>
struct StaticFriction {
    static constexpr std::size_t states = 0;
    const Law& law;
    double side = 1;
    explicit StaticFriction(const Law& l) : law(l) {}

    template <class S>
    Answer<S, 0> answer(const std::array<S, 0>&, const S& c, const S& load) const {
        const auto n = loads(law, load);
        return {{},
                n.on_force *
                    (n.on_curve * grip_on(curve_under(law, load), S(side), c).steady + viscous_on(law, S(side), c))};
    }
    template <class S>
    S stored_power(const std::array<S, 0>&, const std::array<S, 0>&, const S&) const {
        return S(0);
    }
    template <class S>
    S stored(const std::array<S, 0>&, const S&) const {
        return S(0);
    }
    void flip() { side = -side; }
};

template <StaticLaw Law>
struct Friction<Law> : StaticFriction<Law> {
    using StaticFriction<Law>::StaticFriction, StaticFriction<Law>::side;
    int guards() const { return 1; }
    static constexpr Watch watches(int) { return Watch::velocity; }
    static constexpr bool held() { return false; }
    double guard(int, const std::array<double, 0>&, const Moment& at) const { return side * at.c; }
    void cross(int, const std::array<double, 0>& z, const Moment& at) { settle(z, at); }
    void settle(const std::array<double, 0>& z, const Moment& at) {
        side = side_at(at, at.c != 0 ? 0 : this->answer(z, at.c, at.load).force);
    }
};

// ---- no bristle, dry: slip with a fixed sign, a located stop, stick while the holding force suffices -----------------

template <SticksExactly Law>
struct Friction<Law> : StaticFriction<Law> {
    using StaticFriction<Law>::StaticFriction, StaticFriction<Law>::side, StaticFriction<Law>::law;
    bool stuck = false;
    int guards() const { return stuck ? 2 : 1; }
    Watch watches(int) const { return stuck ? Watch::force : Watch::velocity; }
    bool held() const { return stuck; }
    template <class S>
    std::array<S, 0> held_rate(const std::array<S, 0>&, const S&, const S&, const S&, const S&) const {
        return {};
    }
    double guard(int i, const std::array<double, 0>&, const Moment& at) const {
        if (!stuck) return side * at.c;
        return i == 0 ? holding_force(law, 1.0, at.load) - at.hold : at.hold + holding_force(law, -1.0, at.load);
    }
    void cross(int i, const std::array<double, 0>& z, const Moment& at) {
        if (!stuck) return settle(z, at);
        stuck = false;
        side = i == 0 ? 1 : -1;
    }
    void settle(const std::array<double, 0>&, const Moment& at) {
        stuck = at.free && at.c == 0 && at.hold <= holding_force(law, 1.0, at.load) &&
                -at.hold <= holding_force(law, -1.0, at.load);
        if (!stuck) side = side_at(at, 0);
    }
};

// ---- hysteretic, B05 (8): the branch is the sign of dc/dt ------------------------------------------------------------

template <BristleLaw Law>
    requires RemembersVelocity<Law>
struct Friction<Law> : OneSpring<Law> {
    using State = std::array<double, 1>;
    using OneSpring<Law>::law;
    double side = 1, w_side = 1, z_side = 1;
    double branch = 1;  // sign of dc/dt; 0: dc/dt = 0 (prescribed motion)
    bool stuck = false;
    bool follows_force = true;  // free: dc/dt follows from the forces
    explicit Friction(const Law& l) : OneSpring<Law>{l} {}

    template <class S>
    S shifted(const S& z, const S& c, double b) const {
        return c + b * law.shift(z);
    }
    // B05 (8) on branch b
    template <class S>
    S rate(const S& z, const S& c, const S& on_curve, double b, double sign_of_w) const {
        const S w = shifted(z, c, b), g = side * grip_on(law.curve, S(side), c).steady * on_curve;
        return w - law.sigma0 * (sign_of_w * w) * z / g;
    }
    template <class S>
    Answer<S, 1> answer(const std::array<S, 1>& z, const S& c, const S& load) const {
        const auto n = loads(law, load);
        const S r = rate(z[0], c, n.on_curve, branch, w_side);
        return {{r}, n.on_force * (law.sigma0 * z[0] + law.sigma1 * r + viscous_on(law, S(side), c))};
    }
    // c held: the branch balances the forces, so the rate follows from the force. Without sigma1 the force does not depend on the
    // branch: the rate is that at which the forces stay balanced (force_rate [N/s]: at constant load factor).
    bool needs_hold_rate() const { return law.sigma1 == 0; }
    template <class S>
    std::array<S, 1> held_rate(const std::array<S, 1>& z, const S& c, const S& force, const S& force_rate,
                               const S& load) const {
        const S factor = loads(law, load).on_force;
        if (law.sigma1 == 0) return {force_rate / (factor * law.sigma0)};
        return {(force / factor - law.sigma0 * z[0] - viscous_on(law, S(side), c)) / law.sigma1};
    }
    // Returns how much dz/dt on branch b exceeds the rate that holds c, as a force [N]; without sigma1 as a rate [m/s].
    double excess(double b, double z, const Moment& at) const {
        if (law.sigma1 > 0) return force_on(b, z, at) - at.hold;
        const double w = shifted(z, at.c, b);
        return rate(z, at.c, loads(law, at.load).on_curve, b, w < 0 ? -1 : 1) -
               held_rate(State{z}, at.c, at.hold, at.hold_rate, at.load)[0];
    }
    // Returns the force on branch b, for every mode [N].
    double force_on(double b, double z, const Moment& at) const {
        const auto n = loads(law, at.load);
        const double w = shifted(z, at.c, b), r = rate(z, at.c, n.on_curve, b, w < 0 ? -1 : 1);
        return n.on_force * (law.sigma0 * z + law.sigma1 * r + viscous_on(law, side, at.c));
    }
    // With the min rule the shift, and with it the jump that holds c, vanishes at z = 0: a moment that long steps miss.
    int guards() const { return stuck ? (law.a_rule == ShiftRule::min ? 3 : 2) : branch != 0 ? 3 : 2; }
    Watch watches(int i) const {
        if (stuck) return i < 2 && law.sigma1 > 0 ? Watch::force : Watch::other;
        return i == 2 && follows_force ? Watch::force : i < 2 ? Watch::velocity : Watch::other;
    }
    bool held() const { return stuck; }
    double guard(int i, const State& z, const Moment& at) const {
        if (stuck) return i == 2 ? z_side * z[0] : i == 0 ? excess(1, z[0], at) : -excess(-1, z[0], at);
        if (i == 0) return side * at.c;
        if (i == 1) return w_side * shifted(z[0], at.c, branch);
        return branch * (at.free ? at.hold - answer(z, at.c, at.load).force : at.rise);
    }
    void cross(int i, const State& z, const Moment& at) {
        if (stuck && i == 2) {
            const double passed = z_side;
            settle(z, at);
            z_side = -passed;
        } else if (stuck) {
            stuck = false;
            branch = i == 0 ? 1 : -1;
            w_side = shifted(z[0], at.c, branch) < 0 ? -1 : 1;
        } else if (i == 0) {
            side = -side;
        } else if (i == 1) {
            w_side = -w_side;
        } else {
            // dc/dt = 0: held, unless the other branch is valid at once
            stuck = at.free && branch * excess(-branch, z[0], at) <= 0;
            z_side = z[0] < 0 ? -1 : 1;
            if (stuck) return;
            branch = -branch;
            w_side = shifted(z[0], at.c, branch) < 0 ? -1 : 1;
        }
    }
    void settle(const State& z, const Moment& at) {
        if (at.c != 0) side = at.c < 0 ? -1 : 1;
        follows_force = at.free;
        if (at.free) {
            const bool rises = at.hold > force_on(1, z[0], at), falls = at.hold < force_on(-1, z[0], at);
            stuck = !rises && !falls && excess(1, z[0], at) >= 0 && excess(-1, z[0], at) <= 0;
            if (rises != falls) branch = rises ? 1 : -1;  // unchanged if both are valid
        } else {
            branch = at.rise > 0 ? 1 : at.rise < 0 ? -1 : 0;
        }
        if (at.c == 0) side = branch < 0 ? -1 : 1;
        w_side = shifted(z[0], at.c, branch) < 0 ? -1 : 1;
        z_side = z[0] < 0 ? -1 : 1;
    }
    void flip() { side = -side; }
};

// ---- Maxwell-slip: every element sticks or slips ---------------------------------------------------------------------

template <class Curve, class Extra>
struct Friction<basic_maxwell_slip<double, Curve, Extra>> {
    using Law = basic_maxwell_slip<double, Curve, Extra>;
    static constexpr std::size_t states = max_elements;
    using State = std::array<double, states>;
    const Law& law;
    double side = 1;
    std::array<bool, states> slips{};
    explicit Friction(const Law& l) : law(l) {}
    std::size_t count() const { return std::size_t(law.count()); }

    template <class S>
    Answer<S, states> answer(const std::array<S, states>& F, const S& c, const S& load) const {
        const auto n = loads(law, load);
        const S level = side * grip_on(law.curve, S(side), c).steady * n.on_curve;
        Answer<S, states> out{};
        S sum = viscous_on(law, S(side), c);
        for (std::size_t i = 0; i < count(); ++i) {
            out.rate[i] = slips[i] ? S(law.C * (law.nu[i] * side - F[i] / level)) : S(law.k[i] * c);
            sum = sum + F[i];
        }
        out.force = n.on_force * sum;
        return out;
    }
    template <class S>
    S stored_power(const std::array<S, states>& F, const std::array<S, states>& rate, const S& load) const {
        S sum = S(0);
        for (std::size_t i = 0; i < count(); ++i) sum = sum + F[i] * rate[i] * (1 / law.k[i]);
        return loads(law, load).on_force * sum;
    }
    template <class S>
    S stored(const std::array<S, states>& F, const S& load) const {
        S sum = S(0);
        for (std::size_t i = 0; i < count(); ++i) sum = sum + F[i] * F[i] * (0.5 / law.k[i]);
        return loads(law, load).on_force * sum;
    }
    int guards() const { return 1 + law.count(); }
    static constexpr Watch watches(int i) { return i == 0 ? Watch::velocity : Watch::force; }
    static constexpr bool held() { return false; }
    double guard(int i, const State& F, const Moment& at) const {
        if (i == 0) return side * at.c;
        const auto e = std::size_t(i - 1);
        if (slips[e]) return 1;
        return law.nu[e] * level(at) - side * F[e];
    }
    void cross(int i, const State& F, const Moment& at) {
        if (i == 0)
            settle(F, at);
        else
            slips[std::size_t(i - 1)] = true;
    }
    // At a sign change of c all elements stick.
    void settle(const State& F, const Moment& at) {
        double sum = 0;
        for (std::size_t i = 0; i < count(); ++i) sum += F[i];
        side = side_at(at, loads(law, at.load).on_force * sum);
        for (std::size_t i = 0; i < count(); ++i) slips[i] = at.c != 0 && side * F[i] >= law.nu[i] * level(at);
    }
    void flip() { side = -side; }

  private:
    double level(const Moment& at) const {
        return side * grip_on(law.curve, side, at.c).steady * loads(law, at.load).on_curve;
    }
};

}  // namespace bristle::simulation
