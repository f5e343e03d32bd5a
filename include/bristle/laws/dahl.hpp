// Dahl friction: a bristle over a constant level.
//
//   dz/dt = v - (sigma0/Fc) |v| z      A08 (S3)
//   F     = sigma0 z
// From z = 0, v > 0 or v < 0 throughout: F = Fc (1 - exp(-sigma0 |x|/Fc)) sgn(v), A08 (S1), because
// dF/dx = sigma0 (1 - (F/Fc) sgn v), A08 (S2). Steady state: F = Fc sgn(v), A08 (S4).
// Rate independent (P5): a monotone change of time does not change the force-displacement curve.
// Passive for all parameters, with storage function sigma0 z^2/2.
// Sign: F has the sign of v in steady sliding. Exact for held v.
// Not modelled: the Stribeck effect, hence no stick-slip; viscous friction; reversal-point memory.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

template <class T>
struct basic_dahl {
    using scalar = T;
    using State = BristleState<T>;
    using bristle_law = void;

    T sigma0 = unset<T>();
    T Fc = unset<T>();
    LoadOn load_on = LoadOn::curve;

    static constexpr Guarantees guarantees{.bounded = true, .odd = true, .exact = true, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(Parameter{"sigma0", "N/m", "bristle stiffness", bound::positive, 1e5}, self.sigma0);
        visit(Parameter{"Fc", "N", "Coulomb level: friction while sliding", bound::positive, 1}, self.Fc);
    }
    template <class Sink>
    constexpr void rules(Sink&&) const {}
    // A08 (S3)
    template <class S>
    Flow<S> flow(const State&, const S& v, T load, T) const noexcept {
        return curve_flow(sigma0, grip(level(), v), v, load);
    }
    template <class S>
    constexpr S damping(const S&) const noexcept {
        return S(0);
    }
    template <class S>
    constexpr S viscous(const S&) const noexcept {
        return S(0);
    }
    constexpr basic_level<T> level() const noexcept { return {Fc, Fc}; }
};

using Dahl = basic_dahl<double>;

}  // namespace bristle
