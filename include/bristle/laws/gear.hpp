// Gear friction: Stribeck friction whose level grows with the transmitted load; static, or under a LuGre bristle.
//
//   g(v, N) = Fc + kc N + (Fs - Fc + (ks - kc) N) exp(-|v/vs|^alpha)
// N >= 0 [N, rotary N m]: magnitude of the load that the teeth transmit, made by the caller from the motor torque tau_m and
// the external torque tau_e at the joint. Models of servos, named M3 to M5:
//   M3   Fb + k |tau_e - tau_m|                               N = |tau_e - tau_m|, Fs = Fc = Fb, ks = kc = k
//   M4   M3 + (F_st + k_st |tau_e - tau_m|) exp(-|v/vs|^alpha)    Fs = Fc + F_st, ks = kc + k_st
//   M5   |k_e tau_e - k_m tau_m| instead of k |tau_e - tau_m|: driving and back-driving differ.
//        N = |(k_e/k_m) tau_e - tau_m|, kc = k_m; the Stribeck pair must have the same ratio k_e/k_m.
// GearFriction   F = sgn(v) g(v, N) + sigma2 v, as laws/static.hpp. Breaks away at Fs + ks N.
// GearLuGre      dz/dt = v - sigma0 |v|/g(v, N) z,  F = sigma0 z + sigma1 dz/dt + sigma2 v, as laws/lugre.hpp.
// At N = 0 they are StribeckFriction and LuGre, bit by bit.
//
// N does not scale the force and does not enter the stored energy sigma0 z^2/2: a change of N between steps does no work.
// A bristle deflected under a large N relaxes towards the lower level once it moves; at rest it stays deflected.
// Passive if sigma2 >= sigma1 ((Fs + ks N_max)/(Fc + kc N_min) - 1) for N between N_min and N_max.
// Sign: F has the sign of v. Exact for held v and N.
// Not modelled: terms in N^2 (M6), different ratios k_e/k_m of level and Stribeck term.
#pragma once
#include <bristle/laws/lugre.hpp>
#include <bristle/laws/static.hpp>

namespace bristle {

template <class T>
struct basic_gear_curve {
    static constexpr bool odd = true, bounded = true, sticks = true, takes_load = true;
    T Fc = unset<T>();
    T Fs = unset<T>();
    T vs = unset<T>();
    T alpha = T(2);
    T kc = unset<T>();
    T ks = kc;
    bool allow_rising = false;  // accepts Fs < Fc and ks < kc

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        basic_stribeck<T>::parameters(self, visit);
        visit(Parameter{"kc", "1", "rise of the Coulomb level with the transmitted load", bound::nonnegative, 0.1},
              self.kc);
        visit(Parameter{"ks", "1", "rise of the stiction level with the transmitted load", bound::nonnegative, 0.15,
                        "kc"},
              self.ks);
    }
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        visit(Choice{"allow_rising", "accept Fs < Fc and ks < kc, as some measured curves have them"},
              self.allow_rising);
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        under(T(0)).rules(sink);
        if (ks < kc && !allow_rising)
            sink(
                Problem{{"ks", "1", "", bound::nonnegative}, double(value(ks)), "must be >= kc (or set allow_rising)"});
    }
    // Returns the Stribeck curve at the load N >= 0 [N]; N may be a dual number over T.
    template <class S>
    constexpr auto under(const S& N) const noexcept {
        using R = std::remove_cvref_t<decltype(Fc + kc * N)>;
        return basic_stribeck<R>{R(Fc + kc * N), R(Fs + ks * N), R(vs), R(alpha), allow_rising};
    }
    // For all loads.
    SpeedZone<T> zone() const noexcept {
        const auto falling = basic_stribeck<T>{T(1), T(2), vs, alpha}.zone();
        return {falling.low, select(Fs == Fc && ks == kc, falling.low, falling.high)};
    }
};

using GearCurve = basic_gear_curve<double>;
using GearFriction = basic_static<double, GearCurve>;
using GearLuGre = basic_lugre<double, GearCurve>;

}  // namespace bristle
