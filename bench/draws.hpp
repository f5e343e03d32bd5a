// Random coupled steps far from usual ones: parameters, state, force, mass and dt over many decades, with frequent corner
// cases (rest, z at its limit, no damping). Each step is checked as well as counted.
#pragma once
#include "problems.hpp"
#include "support/random_law.hpp"

namespace draws {

template <class Law>
struct Draw {
    typename Law::State state{};
    bristle::Motion motion{};
    double mass = 0, force = 0, dt = 0;  // kg, N, s
};

template <class Law>
Draw<Law> draw(Random& r, const Law& law, double m) {
    const auto zone = bristle::detail::curve_of(law).zone();
    const double peak = curve_under(law, bristle::neutral_load<Law>).peak(),
                 typical = zone.high > 0 ? zone.high / 10 : 1e-3;
    const auto level = [&] { return r.chance(0.1) ? 0 : r.sign() * (r.chance(0.3) ? 1 : r.uniform(0, 1)); };
    Draw<Law> d;
    d.mass = m;
    d.dt = r.decades(-6, -1);
    d.motion.v = r.chance(0.1) ? 0 : r.sign() * (r.chance(0.5) ? typical * r.decades(-3, 2) : r.decades(-9, 2));
    d.force = r.chance(0.1) ? 0 : r.sign() * peak * (r.chance(0.5) ? r.uniform(0, 2) : r.decades(-6, 3));
    if (r.chance(0.5)) d.motion.a = r.sign() * r.decades(-3, 2) * peak / m;
    if (r.chance(0.2)) d.motion.j = r.sign() * r.decades(-3, 2) * peak / m / d.dt;
    if constexpr (requires { d.state.z; }) d.state.z = level() * peak / law.sigma0;
    if constexpr (requires { d.state.v; }) d.state.v = d.motion.v;
    const double direction = r.sign();
    if constexpr (requires { d.state.F; })
        for (int i = 0; i < law.size; ++i) {
            const auto k = static_cast<std::size_t>(i);
            // an element sticks, or slips in the direction of its force, which is common to all slipping elements
            const double fraction = level();
            const bool slips = fraction * direction > 0.5 && r.chance(0.5);
            d.state.F[k] = fraction * peak * law.nu[k];
            d.state.slipping[k] = static_cast<signed char>(!slips ? 0 : fraction > 0 ? 1 : -1);
        }
    return d;
}

struct Verdict {
    int evaluations = 0;
    bool finite = false, ambiguous = false;
    double velocity = 0;  // error of the held velocity against (v + v+)/2 or v+, relative to |v| + |v+| (one step only)
    double force = 0;     // error of the force against the law at that velocity, relative to its terms (one step only)
    double energy = 0;    // residual, relative to kinetic + stored at both ends + |work| + |dissipation|
    bool right() const { return finite && velocity < 1e-8 && force < 1e-9 && energy < 1e-12; }
};

template <class Law>
Verdict judge(const bristle::Contact<Law>& prepared, const Draw<Law>& d, int substeps) {
    using std::abs;
    auto contact = prepared;
    contact.set(d.state);
    const double H0 = contact.stored(), v0 = d.motion.v;
    const auto s = bristle::advance(bristle::Mass{d.mass}, contact, d.motion, d.force, d.dt, {.substeps = substeps});
    const double H1 = contact.stored(), K0 = d.mass * v0 * v0 / 2, K1 = d.mass * s.v * s.v / 2;
    Verdict out{.evaluations = s.evaluations, .ambiguous = s.ambiguous};
    out.finite = std::isfinite(s.x) && std::isfinite(s.v) && std::isfinite(s.force) && std::isfinite(s.dissipation) &&
                 std::isfinite(H1);
    const double size = K0 + K1 + H0 + H1 + abs(s.work) + abs(s.dissipation);
    out.energy = size > 0 ? abs((K1 - K0) + (H1 - H0) + s.dissipation + s.numerical - s.work) / size : 0;
    const bool one_step = substeps == 1;
    if (one_step && !s.stuck) {
        const double w = s.x / d.dt, expected = s.numerical > 0 ? s.v : (v0 + s.v) / 2;
        // rounding of forces that may cancel counts if it changes the velocity by more than the rounding of v
        const double peak = curve_under(contact.law(), bristle::neutral_load<Law>).peak();
        const double noise = 16 * 2.3e-16 * d.dt / d.mass * (abs(d.force) + abs(s.force) + peak);
        out.velocity = abs(w - expected) / (abs(v0) + abs(s.v) + 1e8 * noise + 1e-300);
        // not if the root lies within a jump of the force: a branch of the hysteretic law, or a stop of Maxwell-slip
        constexpr bool branches = requires { d.state.v; }
        , elements = requires { d.state.F; };
        if (!branches && !(elements && w == 0)) {
            const double F = hold(contact.law(), d.state, w, d.dt).force;
            out.force = abs(F - s.force) / (abs(F) + abs(s.force) + peak);
        }
    }
    return out;
}

}  // namespace draws
