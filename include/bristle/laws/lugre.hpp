// LuGre bristle friction over any curve; one state; real-time safe.
//
//   dz/dt = v - h(v) z,  h(v) = sigma0 |v|/g(v)               A08 (1); A08 (16)
//   F     = sigma0 z + sigma1 dz/dt + f(v),  f(v) = sigma2 v  A08 (2); A08 (17)
// Steady sliding: F_ss(v) = sgn(v) g(v) + f(v), A08 (3).
// Curve g: Stribeck, A08 (4), by default; SmoothStribeck gives the smooth LuGre of K08 section VI, MakkarCurve K08 (42),
// Table measured points, Directional<C> a separate curve for v < 0.
// Velocity-dependent microdamping (A08 property 4): fade = {.vc = ...} gives sigma1 exp(-(v/vc)^2).
// Extra viscous term: any callable with f(0) = 0 and f(v) v >= 0 as the template argument Extra, added to sigma2 v.
//
// Sign: F has the sign of v in steady sliding; the plant subtracts it: m dv/dt = F_ext - F.
// Exact for held v. Passive iff sigma2 >= sigma1 (Fs - Fc)/Fc, A08 (7); with fade if |v| sigma1(v) < 4 g(v).
// Not modelled: reversal-point memory (see maxwell_slip.hpp), zero drift under vibration (see elastoplastic.hpp),
// dependence on position, temperature and dwell time.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

// Constant sigma1.
struct NoFade {
    template <class S>
    constexpr S operator()(const S&) const noexcept {
        return S(1);
    }
    template <class Self, class Visit>
    static constexpr void parameters(Self&, Visit&&) {}
};
// sigma1 exp(-(v/vc)^2), A08 after property 4. Passive if vc < 4 sqrt(2 e) Fc/sigma1 (printed there as 4 sqrt(2) e).
template <class T>
struct basic_fade {
    T vc = unset<T>();
    template <class S>
    S operator()(const S& v) const noexcept {
        const S ratio = v / vc;
        return exp(-(ratio * ratio));
    }
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(Parameter{"vc", "m/s", "speed at which the bristle damping has faded by 63 %", bound::positive, 0.03},
              self.vc);
    }
};
template <class T, class Curve = basic_stribeck<T>, class Fade = NoFade, class Extra = NoExtra>
struct basic_lugre {
    using scalar = T;
    using State = BristleState<T>;
    using bristle_law = void;
    static_assert(Curve::sticks || Curve::odd, "smooth curves that differ by direction make the force jump at v = 0");

    T sigma0 = unset<T>();
    T sigma1 = T(0);
    T sigma2 = T(0);
    Curve curve{};
    [[no_unique_address]] Fade fade{};
    T sigma2_negative = sigma2;
    LoadOn load_on = LoadOn::curve;
    [[no_unique_address]] Extra extra{};

    static constexpr Guarantees guarantees{
        .bounded = Curve::bounded, .odd = Curve::odd, .exact = true, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        detail::bristle_parameters(self, visit);
        Fade::parameters(self.fade, detail::inside("fade.", visit));
    }
    // The same law over another curve.
    template <class Other>
    constexpr basic_lugre<T, Other, Fade, Extra> over(const Other& other) const {
        return {sigma0, sigma1, sigma2, other, fade, sigma2_negative, load_on, extra};
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        detail::bristle_curve_rules(*this, sink);
    }
    // A08 (1)
    template <class S>
    Flow<S> flow(const State&, const S& v, T load, T) const noexcept {
        return curve_flow(sigma0, grip(curve, v), v, load);
    }
    template <class S>
    S damping(const S& v) const noexcept {
        return sigma1 * fade(v);
    }
    template <class S>
    S viscous(const S& v) const noexcept {
        return viscous_force(*this, v);
    }
};

using LuGre = basic_lugre<double>;
template <class Curve>
using LuGreOver = basic_lugre<double, Curve>;
using MicrodampedLuGre = basic_lugre<double, Stribeck, basic_fade<double>>;
using SmoothLuGre = LuGreOver<SmoothStribeck>;
using MakkarLuGre = LuGreOver<MakkarCurve>;

}  // namespace bristle
