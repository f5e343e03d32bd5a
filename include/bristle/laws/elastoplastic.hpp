// Elasto-plastic bristle of Dupont, Hayward, Armstrong and Altpeter (2002): LuGre without drift below breakaway.
//
//   dz/dt = v (1 - alpha(z, v) z/z_ss(v)),   z_ss = sgn(v) g(v)/sigma0
//   F     = sigma0 z + sigma1 dz/dt + sigma2 v
//   alpha = 0 if sgn z != sgn v or |z| <= z_ba;  1 if |z| >= |z_ss|;  between them, with
//           y = (|z| - z_ba)/(|z_ss| - z_ba),  alpha = sin(pi y/2)^2   [the same as (1 + sin(pi (y - 1/2)))/2]
//   z_ba  = kappa |z_ss| (Breakaway::fraction, our choice) or kappa min g/sigma0 (Breakaway::constant, Dupont et al.)
//
// Sign: F has the sign of v in steady sliding.
// Step with v held: exact while elastic and beyond |z_ss|. Between them, with s = |z|/|z_ss| and r = (dz/dt)/v, the rate
// is replaced by the straight line through its values at the start and at the end of the step; that end is the root of
// one monotone equation. Second order in dt. For every dt z does not pass z_ss, D >= 0, and the energy balance closes to
// rounding.
// Passive if LuGre with the same parameters is. For plain scalars and dual numbers only: it branches and iterates, at
// most 40 times per step.
// Not modelled: reversal-point memory.
#pragma once
#include <bristle/laws/bristle_law.hpp>

namespace bristle {

enum class Breakaway { fraction, constant };

template <class T, class Curve = basic_stribeck<T>, class Extra = NoExtra>
struct basic_elastoplastic {
    using scalar = T;
    using State = BristleState<T>;
    static_assert(!TakesLoad<Curve>, "only static laws and LuGre take a curve that grows with the load");
    static_assert(Curve::sticks, "a curve that vanishes at v = 0 has no breakaway deflection");

    T sigma0 = unset<T>();
    T sigma1 = T(0);
    T sigma2 = T(0);
    Curve curve{};
    T kappa = unset<T>();
    Breakaway breakaway = Breakaway::fraction;
    T sigma2_negative = sigma2;
    LoadOn load_on = LoadOn::curve;
    [[no_unique_address]] Extra extra{};

    static constexpr Guarantees guarantees{
        .bounded = Curve::bounded, .odd = Curve::odd, .exact = false, .settles = true};

    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        detail::bristle_parameters(self, visit);
        visit(
            Parameter{"kappa", "1", "fraction of the sliding deflection that is purely elastic", bound::fraction, 0.5},
            self.kappa);
    }
    template <class Self, class Visit>
    static constexpr void choices(Self& self, Visit&& visit) {
        visit(Choice{"breakaway", "z_ba: kappa |z_ss| or kappa min g/sigma0", {"fraction", "constant"}},
              self.breakaway);
    }
    // The same law over another curve.
    template <class Other>
    constexpr basic_elastoplastic<T, Other, Extra> over(const Other& other) const {
        return {sigma0, sigma1, sigma2, other, kappa, breakaway, sigma2_negative, load_on, extra};
    }
    template <class Sink>
    constexpr void rules(Sink&& sink) const {
        detail::bristle_curve_rules(*this, sink);
    }
    // Returns z_ba/|z_ss| [1] at the level g.
    template <class S>
    S elastic_fraction(const S& g) const noexcept {
        return breakaway == Breakaway::fraction ? S(kappa) : kappa * curve.floor() / g;
    }
    template <class S>
    S viscous(const S& v) const noexcept {
        return viscous_force(*this, v);
    }
};

namespace detail {

// Returns (dz/dt)/v in the transition as a function of e = 1 - s in (0, 1 - elastic], with the elastic fraction.
template <class S>
S plastic_rate(const S& e, const S& elastic) noexcept {
    const S c = sin(S(1.57079632679489661923) * e / (S(1) - elastic));
    return e + (S(1) - e) * c * c;
}

// Returns the time [|z_ss|/|v|] from e1 to e1 exp(-delta) for a rate that is linear between r1 and r2, its end values.
template <class S>
S travel_time(const S& e1, const S& r1, const S& delta, const S& elastic) noexcept {
    const S e2 = e1 * exp(-delta), r2 = plastic_rate(e2, elastic), gap = r1 - r2;
    const S q = gap / r1;  // logarithmic mean of r1 and r2; the series avoids cancellation if they are close
    const S inverse_mean = choose(
        q < S(1e-3), [&] { return (S(1) + q * (S(1. / 2) + q * (S(1. / 3) + q * (S(1. / 4) + q * S(1. / 5))))) / r1; },
        [&] { return log(r1 / r2) / gap; });
    return (e1 - e2) * inverse_mean;
}

// Returns the delta at which travel_time = tau, limited to 600 (float: 60) against underflow of exp(-delta). The function
// is monotone and nearly linear: Newton inside a bracket, at most 40 evaluations.
template <class T>
T decrement_after(T e1, T r1, T tau, T elastic) noexcept {
    using D = Dual<T, 1>;
    T low = T(0), high = T(std::same_as<plain<T>, float> ? 60 : 600), delta = smaller(tau * r1 / e1, high);
    for (int i = 0; i < 40; ++i) {
        const D t = travel_time(D(e1), D(r1), D::variable(delta), D(elastic));
        const T residual = t.v - tau;
        if (!(abs(residual) > T(4) * T(epsilon<T>) * tau)) break;
        (residual > T(0) ? high : low) = delta;
        const T next = delta - residual / t.d[0];
        delta = next > low && next < high ? next : T(0.5) * (low + high);
    }
    return delta;
}

}  // namespace detail

// Returns dz/dt [m/s] for the side s of v, under a load > 0 on the curve.
template <class T, class Curve, class Extra, class S>
S rate_on(const basic_elastoplastic<T, Curve, Extra>& law, const S& s, const S& z, const S& v,
          const S& on_curve) noexcept {
    const S g = s * grip_on(law.curve, s, v).steady;
    const S part = s * z * law.sigma0 / (g * on_curve), elastic = law.elastic_fraction(g);
    const S rate_ratio = choose(
        part <= elastic, [&] { return S(1); },
        [&] {
            return choose(
                part >= S(1), [&] { return S(1) - part; },
                [&] { return detail::plastic_rate(S(S(1) - part), elastic); });
        });
    return v * rate_ratio;
}
template <class T, class Curve, class Extra, class S>
S rate(const basic_elastoplastic<T, Curve, Extra>& law, const S& z, const S& v, T load = 1) noexcept {
    const T on_curve = loads(law, load).on_curve;
    // without load z is 0 and stays 0
    return is_unloaded(law.sigma0, on_curve) ? S(0) : rate_on(law, side(v), z, v, S(on_curve));
}

template <class T, class Curve, class Extra, class S>
S force(const basic_elastoplastic<T, Curve, Extra>& law, const S& z, const S& v, T load = 1) noexcept {
    return loads(law, load).on_force * (law.sigma0 * z + law.sigma1 * rate(law, z, v, load) + law.viscous(v));
}

template <class S>
struct PlasticHold {
    S force;     // mean over the step [N]
    S v;         // the held velocity
    S z;         // at the end [m]
    S dz;        // over the step [m]
    S slipped;   // integral of z (v - dz/dt) dt [m^2]
    S rate_end;  // dz/dt at the end [m/s]
    S viscous;
    S on_force;
};

namespace detail {

// Plastic part of a step with v held, in units of z_ss: ds/dtau = r1 - B (s - s1) over the remaining time.
template <class S>
struct PlasticPart {
    S end, mean, slipped, rate_end;  // s at the end; mean s; integral of s (1 - ds/dtau); ds/dtau at the end
};
template <class T, class S>
PlasticPart<S> plastic_part(const S& s1, const S& left, const S& elastic) noexcept {
    S r1 = S(1) - s1, B = S(1);  // beyond z_ss: exact exponential relaxation towards it
    if (s1 < S(1)) {
        const S e1 = r1;
        r1 = plastic_rate(e1, elastic);
        // the end of the step without derivatives, then a Newton correction in S for each order of derivatives
        using P = plain<S>;
        const P found = decrement_after(P(value(e1)), P(value(r1)), P(value(left)), P(value(elastic)));
        S delta = S(found);
        if constexpr (!std::same_as<S, P>) {
            using D1 = Dual<P, 1>;
            const D1 t = travel_time(D1(P(value(e1))), D1(P(value(r1))), D1::variable(found), D1(P(value(elastic))));
            for (int order = dual_depth<S>; order > 0; --order) {
                const S residual = travel_time(e1, r1, delta, elastic) - left;
                delta = delta - (residual - S(P(value(residual)))) * S(P(1) / t.d[0]);  // the value stays
            }
        }
        const S e2 = e1 * exp(-delta);
        B = choose(
            e1 > e2, [&] { return (r1 - plastic_rate(e2, elastic)) / (e1 - e2); }, [&] { return S(0); });
    }
    const auto r = relax(S(B * left));
    const S a = r1 * left, increase = a * phi2(r), mean = s1 + increase;
    return {s1 + a * r.phi, mean, (S(1) - r1) * left * mean + r.x * (s1 * increase + a * a * phi3(r)), r1 * r.decay};
}

}  // namespace detail

template <class T, class Curve, class Extra, class S>
PlasticHold<S> hold(const basic_elastoplastic<T, Curve, Extra>& law, const BristleState<T>& state, const S& v, T dt,
                    T load = 1) noexcept {
    const auto n = loads(law, load);
    const S mu = level(law.curve, v), elastic_fraction = law.elastic_fraction(mu);
    const S z_ss = side(v) * mu * n.on_curve / law.sigma0;
    // values of a purely elastic step, replaced below if the step is not elastic
    PlasticHold<S> k{.force = S(0),
                     .v = v,
                     .z = state.z + v * dt,
                     .dz = v * dt,
                     .slipped = S(0),
                     .rate_end = v,
                     .viscous = law.viscous(v),
                     .on_force = S(n.on_force)};
    S z_mean = state.z + v * (T(0.5) * dt);
    if (is_unloaded(law.sigma0, n.on_curve)) {  // z drops to 0 at once, without a damping force
        k.z = z_mean = k.rate_end = k.dz = S(0);
        k.slipped = S(T(0.5) * state.z * state.z);
    } else if (const S s0 = state.z / z_ss, tau = v * dt / z_ss, elastic = larger(S(elastic_fraction - s0), S(0));
               tau > elastic || !(elastic > S(0))) {  // also at v = 0, for the slope from above
        const S s1 = s0 + elastic;
        const S first = elastic > S(0) ? elastic / tau : S(0);  // fraction of the step that is elastic
        const auto plastic = detail::plastic_part<T>(s1, S(tau - elastic), elastic_fraction);
        k.dz = z_ss * (plastic.end - s0);
        k.z = select(plastic.end - s0 < S(0.5), state.z + k.dz, z_ss * plastic.end);  // from the nearer end
        k.slipped = z_ss * z_ss * plastic.slipped;
        k.rate_end = v * plastic.rate_end;
        z_mean = state.z + z_ss * (first * (T(0.5) * elastic) + (S(1) - first) * (plastic.mean - s0));
    }
    k.force = n.on_force * (law.sigma0 * z_mean + law.sigma1 * k.dz / dt + k.viscous);
    return k;
}

template <class T, std::size_t N>
PlasticHold<T> without_derivatives(const PlasticHold<Dual<T, N>>& k) noexcept {
    return {k.force.v, k.v.v, k.z.v, k.dz.v, k.slipped.v, k.rate_end.v, k.viscous.v, k.on_force.v};
}

template <class T, class Curve, class Extra>
Step<T> finish(const basic_elastoplastic<T, Curve, Extra>& law, BristleState<T>& state, const PlasticHold<T>& held,
               T dt) noexcept {
    const T v = held.v;
    state.z = held.z;
    Step<T> step;
    step.force = held.force;
    step.work = step.force * v * dt;
    step.dissipation = held.on_force * (law.sigma0 * held.slipped + law.sigma1 * v * held.dz + v * held.viscous * dt);
    step.force_end = held.on_force * (law.sigma0 * state.z + law.sigma1 * held.rate_end + held.viscous);
    step.low = step.high = step.force_end;
    return step;
}

template <class T, class Curve, class Extra>
T hamiltonian(const basic_elastoplastic<T, Curve, Extra>& law, const BristleState<T>& state, T load = 1) noexcept {
    return loads(law, load).on_force * (T(0.5) * law.sigma0 * state.z * state.z);
}

using ElastoPlastic = basic_elastoplastic<double>;

}  // namespace bristle
