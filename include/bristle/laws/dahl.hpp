// Dahl friction: the bristle alone, with a constant level.
//
//   dz/dt = v - (sigma0/Fc) |v| z      A08 (S3)
//   F     = sigma0 z
// First loading from z = 0: F = Fc (1 - exp(-sigma0 |x|/Fc)) sgn(v), A08 (S1). Rate independent: any monotone change of
// time leaves the force-displacement curve as it is (P5). Passive for all parameters, storage sigma0 z^2/2.
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
        visit(Parameter{"sigma0", "N/m", "bristle stiffness", bound::positive}, self.sigma0);
        visit(Parameter{"Fc", "N", "Coulomb level: friction while sliding", bound::positive}, self.Fc);
    }
    template <class Sink>
    constexpr void rules(Sink&&) const {}
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
