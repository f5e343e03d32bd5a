// The stick-slip cycle of Method::hybrid. Every stick phase ends in the same state, elongation Fs/k and v = 0, so the
// motion from there either returns to it or there is no such cycle.
#include <bristle/base/error.hpp>
#include <bristle/simulate/hybrid.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/cycle/cycle_build.hpp"
#include "numerics/bisect.hpp"

namespace bristle::inline analysis::cycle {

namespace {

// Calls use(t) with a sign change of rate between a and b, by bisection; does not call it if there is none.
template <class F>
void at_change(double a, double b, const F& rate, const auto& use) {
    const double sign = rate(a);
    if (!(sign * rate(b) < 0)) return;
    use(numerics::bisect(a, b, 60, [&](double t) { return rate(t) * sign > 0; }).middle());
}

}  // namespace

Cycle hybrid_stick_slip(const Setup& setup, int max_points) {
    constexpr long max_phases = 100;  // of slip before the next stick
    const Hybrid rig = hybrid_of(setup);
    const double vp = rig.velocity, s = vp < 0 ? -1 : 1, k = rig.stiffness;
    const Hybrid::Side& side = s > 0 ? rig.positive : rig.negative;
    Cycle cycle;
    cycle.stick_speed = stick_speed(setup);
    cycle.reason = NoCycle::slip_does_not_stop;
    const auto phases = hybrid_motion(rig, s * std::max(side.Fs, side.Fc) / k, 0, 1e300, max_phases);
    double l_low = phases[0].l0, l_high = l_low, v_low = 0, v_high = 0, heat = 0, t = 0, stuck = 0;
    const int samples = std::max(8, max_points / 8);
    cycle.states.resize(2);
    for (const HybridPhase& phase : phases) {
        if (!std::isfinite(phase.length) || phase.t1 >= 1e300) return cycle;
        const bool sticks = phase.mode == HybridPhase::Mode::stick;
        const auto take = [&](double at) {
            const auto p = phase.at(at);
            l_low = std::min(l_low, p.l);
            l_high = std::max(l_high, p.l);
            v_low = std::min(v_low, p.v);
            v_high = std::max(v_high, p.v);
        };
        const auto l_rate = [&](double at) { return vp - phase.v(at); };
        const auto v_rate = [&](double at) {
            const auto p = phase.at(at);
            return k * p.l - p.force;
        };
        const auto slow = [&](double at) { return std::abs(phase.v(at)) - cycle.stick_speed; };
        for (int i = 0; i < samples; ++i) {
            const double a = phase.t0 + phase.length * i / samples, b = phase.t0 + phase.length * (i + 1) / samples;
            const auto p = phase.at(a);
            cycle.t.push_back(t + a - phase.t0);
            cycle.states[0].push_back(p.l);
            cycle.states[1].push_back(p.v);
            take(a);
            if (sticks) continue;
            at_change(a, b, l_rate, take);
            at_change(a, b, v_rate, take);
            const bool begins = slow(a) < 0, ends = slow(b) < 0;
            if (begins && ends) stuck += b - a;
            at_change(a, b, slow, [&](double at) { stuck += begins ? at - a : b - at; });
        }
        take(phase.t1);
        heat += phase.at(phase.t1).heat;
        t += phase.length;
        if (!sticks) continue;
        // the end of stick is the state at the start: the cycle is closed
        stuck += phase.length;
        cycle.t.push_back(t);
        cycle.states[0].push_back(phase.l1);
        cycle.states[1].push_back(0);
        cycle.exists = cycle.stable = true;
        cycle.source = CycleSource::closed_form;
        cycle.motion = MotionEnd::this_cycle;
        cycle.period = t;
        cycle.amplitude = 0.5 * (l_high - l_low);
        cycle.velocity_amplitude = 0.5 * (v_high - v_low);
        cycle.fastest = std::max(v_high, -v_low);
        cycle.stick_fraction = stuck / t;
        cycle.energy = heat;
        cycle.multipliers = {0};
        cycle.state = {phases[0].l0, 0};
        return cycle;
    }
    return cycle;
}

}  // namespace bristle::analysis::cycle
