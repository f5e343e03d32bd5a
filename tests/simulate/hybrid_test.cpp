// The hybrid stick/slip model: against an integration of our own, the geometry of A08's sidebar, and the energy ledger.
#include <bristle/simulate/hybrid.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "../support/oracle.hpp"

namespace bristle::simulate {
namespace {

using test::Random;
using test::wide;
using Mode = HybridPhase::Mode;
using Phases = std::vector<HybridPhase>;
constexpr long many = 100000;
constexpr wide pi = std::numbers::pi_v<wide>;

// A08 fig 4 without its bristles: 1 kg, 2 N/m, 2 m/s, Fc 2.94 N, Fs 5.88 N.
Hybrid a08(double sigma2 = 0, double vp = 2) { return {1, 2, vp, {2.94, 5.88, sigma2}, {2.94, 5.88, sigma2}}; }

Phases motion(const Hybrid& rig, double l0, double v0, double duration) {
    return hybrid_motion(rig, l0, v0, duration, many);
}
double stored(const Hybrid& rig, double l, double v) { return (rig.mass * v * v + rig.stiffness * l * l) / 2; }

// A moment of a motion, with the ledger from t = 0 on.
struct Moment {
    Mode mode;
    double l, v, force, heat, supplied;
};
Moment moment(const Phases& phases, double t) {
    double heat = 0, supplied = 0;
    for (std::size_t i = 0;; ++i) {
        const bool last = i + 1 == phases.size();
        const auto s = phases[i].at(last ? t : std::min(t, phases[i].t1));
        if (last || t < phases[i].t1) return {phases[i].mode, s.l, s.v, s.force, heat + s.heat, supplied + s.supplied};
        heat += s.heat;
        supplied += s.supplied;
    }
}

// ---- an integration that knows nothing of closed forms ----

struct Integration {
    struct State {
        wide l, v, heat, supplied;
    };
    Hybrid rig;
    State y;
    int side;  // sgn v in slip, 0 in stick
    wide t = 0, step;
    std::vector<wide> switches{};

    Integration(const Hybrid& of, wide l, wide v, wide longest_step)
        : rig(of),
          y{l, v, 0, 0},
          side(v > 0   ? 1
               : v < 0 ? -1
                       : at_rest(l)),
          step(longest_step) {}

    int at_rest(wide l) const {
        const wide pull = rig.stiffness * l;
        return pull > rig.positive.Fs ? 1 : pull < -rig.negative.Fs ? -1 : 0;
    }
    State rate(const State& s) const {
        const auto& friction = side < 0 ? rig.negative : rig.positive;
        const wide F = side == 0 ? rig.stiffness * s.l : side * wide(friction.Fc) + friction.sigma2 * s.v;
        return {rig.velocity - s.v, (rig.stiffness * s.l - F) / rig.mass, F * s.v,
                wide(rig.stiffness) * rig.velocity * s.l};
    }
    State moved(wide h) const {
        const auto add = [](const State& a, wide w, const State& b) {
            return State{a.l + w * b.l, a.v + w * b.v, a.heat + w * b.heat, a.supplied + w * b.supplied};
        };
        const State a = rate(y), b = rate(add(y, h / 2, a)), c = rate(add(y, h / 2, b)), d = rate(add(y, h, c));
        return add(add(add(add(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    // Beyond the end of the mode?
    bool over(const State& s) const {
        if (side != 0) return side * s.v < 0;
        const wide pull = rig.stiffness * s.l;
        return pull > rig.positive.Fs || pull < -rig.negative.Fs;
    }
    void to(wide end) {
        while (t < end) {
            const wide h = std::min(step, end - t);
            const State next = moved(h);
            if (!over(next)) {
                y = next;
                t += h;
                continue;
            }
            wide low = 0, high = h;
            for (int i = 0; i < 70; ++i) (over(moved((low + high) / 2)) ? high : low) = (low + high) / 2;
            y = moved(high);
            t += high;
            y.v = 0;
            side = side == 0 ? (rig.velocity > 0 ? 1 : -1) : at_rest(y.l);
            switches.push_back(t);
        }
    }
};

struct Case {
    const char* name;
    Hybrid rig;
    double l0, v0, duration;
};
const Case cases[] = {
    {"from rest", a08(), 0, 0, 20},
    {"outside", a08(), 4, -1, 15},
    {"far outside", a08(), -12, 7, 15},
    {"inner circle", a08(), 1.6, 2.9, 15},
    {"pulled back", a08(0, -2), 0.3, 1.5, 15},
    {"not pulled, let go", a08(0, 0), 20, 0, 30},
    {"not pulled, thrown", a08(0, 0), 0, -15, 30},
    {"spiral that sticks", a08(0.2), 0, 0, 20},
    {"spiral that does not return", a08(0.9), 0, 0, 20},
    {"spiral, not pulled", a08(0.3, 0), -14, 2, 20},
    {"spiral, pulled back", a08(0.3, -1), 2, 6, 20},
    {"nearly undamped", a08(1e-7), 1, 0, 20},
    {"just below critical", a08(2 * std::sqrt(2.) * (1 - 1e-9)), 3, 9, 8},
    {"critical", a08(2 * std::sqrt(2.)), 3, 9, 8},
    {"just above critical", a08(2 * std::sqrt(2.) * (1 + 1e-9)), -3, 9, 8},
    {"above critical", a08(3.1), -9, 9, 8},
    {"overdamped", a08(9), -9, 4, 12},
    {"overdamped, pulled back", a08(9, -0.5), 4, 3, 12},
    {"overdamped, not pulled, pushed into stick", a08(9, 0), -6, 1, 12},
    {"strongly overdamped", a08(80), -9, 4, 12},
    {"two sides", {1.3, 2.1, 0.7, {1, 1.5, 0.1}, {0.4, 0.5, 0.6}}, -6, 0, 25},
    {"two sides, weak hold behind", {1, 2, 0.3, {0.2, 6, 0}, {0.1, 0.1, 0}}, 0, 0, 40},
    {"no friction but viscous", {1, 2, 0.3, {0, 0, 0.5}, {0, 0, 0.2}}, 5, 0, 10},
};

TEST(Hybrid, AgreesWithAnIntegrationThatLocatesItsSwitches) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        // steps of 2e-4 of the fastest time scale: an error of 1e-15 each unit of it
        const wide rate =
            std::max(std::sqrt(wide(c.rig.stiffness / c.rig.mass)), wide(c.rig.positive.sigma2 / c.rig.mass));
        Integration oracle(c.rig, c.l0, c.v0, 2e-4L / rate);
        const Phases phases = motion(c.rig, c.l0, c.v0, c.duration);
        constexpr int samples = 60;
        for (int i = 1; i <= samples; ++i) {
            const double t = c.duration * i / samples;
            oracle.to(t);
            const Moment now = moment(phases, t);
            EXPECT_NEAR(now.l, double(oracle.y.l), 1e-11) << t;
            EXPECT_NEAR(now.v, double(oracle.y.v), 1e-11) << t;
            EXPECT_NEAR(now.heat, double(oracle.y.heat), 1e-10) << t;
            EXPECT_NEAR(now.supplied, double(oracle.y.supplied), 1e-10) << t;
            EXPECT_EQ(int(now.mode), oracle.side == 0 ? 0 : oracle.side > 0 ? 1 : 2) << t;
        }
        ASSERT_EQ(phases.size(), oracle.switches.size() + 1);
        for (std::size_t i = 0; i < oracle.switches.size(); ++i)
            EXPECT_NEAR(phases[i].t1, double(oracle.switches[i]), 1e-11) << i;
    }
}

// ---- A08: circles, the limit cycle, what lies inside it ----

TEST(Hybrid, SlipWithoutDampingKeepsTheCircleOfS8) {
    const Hybrid rig = a08();
    const auto circle = [](double l, double v, double lc, double vp) {
        return (v - vp) * (v - vp) + 2 * (l - lc) * (l - lc);
    };
    long slips = 0;
    for (const double v0 : {-3., 4., 9.}) {
        for (const HybridPhase& p : motion(rig, 5, v0, 20)) {
            if (p.mode == Mode::stick) continue;
            const double lc = p.mode == Mode::slip_positive ? 1.47 : -1.47, size = circle(p.l0, p.v0, lc, 2);
            for (int i = 1; i <= 10; ++i) {
                const auto s = p.at(p.t0 + (p.t1 - p.t0) * i / 10);
                EXPECT_NEAR(circle(s.l, s.v, lc, 2), size, 1e-13 * size);
            }
            ++slips;
        }
    }
    EXPECT_GE(slips, 9);
}

TEST(Hybrid, SpiralShrinksByTheSameFactorEachTurn) {
    // about ((Fc + sigma2 vp)/k, vp), by exp(-2 pi zeta/sqrt(1 - zeta^2)); this start never meets v = 0
    const Hybrid rig = a08(0.2);
    const wide zeta = 0.2L / (2 * std::sqrt(2.L)), root = std::sqrt(1 - zeta * zeta);
    const double turn = double(2 * pi / (std::sqrt(2.L) * root));
    const Phases phases = motion(rig, 1.67, 3.5, 6 * turn);
    ASSERT_EQ(phases.size(), 1u);
    for (int i = 1; i <= 6; ++i) {
        const auto s = phases[0].at(i * turn);
        EXPECT_NEAR(s.v - 2, double(1.5L * std::exp(-2 * pi * i * zeta / root)), 1e-13);
        EXPECT_NEAR(s.l, 1.67, 1e-13);
    }
}

wide period_of(const Hybrid& rig) {
    const wide k = rig.stiffness, m = rig.mass, vp = std::fabs(rig.velocity);
    const auto& side = rig.velocity > 0 ? rig.positive : rig.negative;
    const wide drop = wide(side.Fs) - side.Fc;
    return 2 * drop / (k * vp) + std::sqrt(m / k) * (pi + 2 * std::atan(vp * std::sqrt(k * m) / drop));
}

TEST(Hybrid, LimitCycleHasThePeriodAndEnergyOfItsClosedForm) {
    for (const Hybrid& rig :
         {a08(), a08(0, 0.01), a08(0, 300), a08(0, -2), Hybrid{1, 1, 1, {1, 1 + 1e-9, 0}, {1, 1, 0}},
          Hybrid{3, 70, 0.2, {1, 1.01, 0}, {9, 9, 0}}, Hybrid{3, 70, -0.2, {9, 9, 4}, {1, 2.5, 0}}}) {
        const double T = double(period_of(rig)), vp = std::abs(rig.velocity), k = rig.stiffness;
        const auto& side = rig.velocity > 0 ? rig.positive : rig.negative;
        const double s = rig.velocity > 0 ? 1 : -1;
        const auto cycle = hybrid_cycle(rig);
        ASSERT_TRUE(cycle);
        EXPECT_NEAR(cycle->period, T, 1e-14 * T);
        EXPECT_NEAR(cycle->energy, side.Fc * vp * T, 1e-14 * side.Fc * vp * T);

        // the same from the motion: begin to begin of stick, over twenty cycles
        const Phases phases = motion(rig, 0, 0, 25 * T);
        std::vector<std::size_t> sticks;
        double peak = 0;
        for (std::size_t i = 1; i < phases.size(); ++i)
            if (phases[i].mode == Mode::stick) sticks.push_back(i);
        ASSERT_GE(sticks.size(), 21u);
        const HybridPhase &first = phases[sticks[0]], &last = phases[sticks[20]];
        EXPECT_NEAR(last.t0 - first.t0, 20 * T, 1e-12 * 20 * T);
        EXPECT_NEAR(first.l0, s * (2 * side.Fc - side.Fs) / k, 1e-13 * side.Fs / k);
        EXPECT_NEAR(first.at(first.t1).l, s * side.Fs / k, 1e-13 * side.Fs / k);
        EXPECT_NEAR(cycle->l_begin, s * (2 * side.Fc - side.Fs) / k, 1e-15 * side.Fs / k);
        EXPECT_NEAR(cycle->l_end, s * side.Fs / k, 1e-15 * side.Fs / k);
        EXPECT_NEAR(cycle->stick, first.t1 - first.t0, 1e-12 * T);
        EXPECT_NEAR(cycle->stick + cycle->slip, T, 1e-14 * T);

        double heat = 0, supplied = 0;
        for (std::size_t i = sticks[0]; i < sticks[20]; ++i) {
            const auto end = phases[i].at(phases[i].t1);
            heat += end.heat;
            supplied += end.supplied;
        }
        EXPECT_NEAR(heat, 20 * side.Fc * vp * T, 1e-12 * 20 * side.Fc * vp * T);
        EXPECT_NEAR(supplied, 20 * side.Fc * vp * T, 1e-12 * 20 * side.Fc * vp * T);

        // the top of the circle: where the spring force equals Fc
        const HybridPhase& slip = phases[sticks[0] + 1];
        for (int i = 0; i <= 20000; ++i)
            peak = std::max(peak, s * slip.at(slip.t0 + (slip.t1 - slip.t0) * i / 20000).v);
        EXPECT_NEAR(s * cycle->v_peak, peak, 1e-6 * peak);
        EXPECT_GE(s * cycle->v_peak, peak * (1 - 1e-14));
    }
    EXPECT_FALSE(hybrid_cycle(a08(0, 0)));
    EXPECT_FALSE(hybrid_cycle(a08(0.1)));
    EXPECT_FALSE(hybrid_cycle({1, 1, 1, {0.1, 2, 0}, {0.1, 0.5, 0}}));  // thrown back beyond what holds there
}

TEST(Hybrid, ClockDoesNotDriftOverManyCycles) {
    const Hybrid rig{1, 2, 2, {2.94, 3.1, 0}, {2.94, 3.1, 0}};
    const wide T = period_of(rig);
    constexpr long cycles = 40000;
    const Phases phases = motion(rig, 3.1 / 2, 0, double(T * (cycles + 0.5L)));
    const HybridPhase& last = phases.back();
    EXPECT_EQ(last.mode, Mode::slip_positive);
    EXPECT_EQ(phases.size(), std::size_t(2 * cycles + 1));
    // what remains is the rounding of one cycle, a stick from 1.39 to 1.55, counted again in each
    EXPECT_NEAR(last.t0, double(cycles * T), 1e-15 * double(cycles * T));
}

TEST(Hybrid, OnePassIsEnoughToBeOnTheCycle) {
    // whatever the start, from the first end of stick on it is the motion that starts there
    Random random(1);
    const Hybrid rig = a08();
    const double T = double(period_of(rig));
    const Phases reference = motion(rig, 5.88 / 2, 0, 3 * T);
    long stuck = 0;
    for (long i = test::draws(300); i-- > 0;) {
        const double l0 = random.uniform(-10, 10), v0 = random.uniform(-10, 10);
        // S8: beyond the circle that touches v = 0, on whichever side the motion starts
        const bool outside = v0 <= 0 || (v0 - 2) * (v0 - 2) + 2 * (l0 - 1.47) * (l0 - 1.47) > 4;
        const Phases phases = motion(rig, l0, v0, 60);
        std::size_t n = 0;
        while (n < phases.size() && phases[n].mode != Mode::stick) ++n;
        ASSERT_EQ(n < phases.size(), outside) << l0 << ' ' << v0;
        if (!outside) continue;
        ++stuck;
        const double end = phases[n].t1;
        for (int j = 1; j < 20; ++j) {
            const double t = 2.9 * T * j / 20;
            EXPECT_NEAR(moment(phases, end + t).l, moment(reference, t).l, 1e-12);
            EXPECT_NEAR(moment(phases, end + t).v, moment(reference, t).v, 1e-12);
        }
    }
    EXPECT_GT(stuck, test::draws(300) / 2);
}

TEST(Hybrid, InsideTheDashedCircleNothingEverSticks) {
    const Hybrid rig = a08();
    const double turn = double(2 * pi / std::sqrt(2.L));
    for (const double radius : {1e-9, 0.5, 1.9, 2 * (1 - 1e-9)}) {
        const Phases phases = motion(rig, 1.47, 2 + radius, 1000 * turn);
        ASSERT_EQ(phases.size(), 1u) << radius;
        for (const int n : {1, 10, 1000}) {
            EXPECT_NEAR(phases[0].at(n * turn).v, 2 + radius, 2e-13 * n);
            EXPECT_NEAR(phases[0].at(n * turn).l, 1.47, 2e-15 * (1 + n));
            EXPECT_NEAR(phases[0].at((n - 0.5) * turn).v, 2 - radius, 1e-15 + 2e-13 * n);
        }
    }
    // a billionth further out it sticks at the first turn
    const Phases out = motion(rig, 1.47, 2 + 2 * (1 + 1e-9), turn);
    ASSERT_GE(out.size(), 2u);
    EXPECT_EQ(out[1].mode, Mode::stick);
    EXPECT_NEAR(out[1].t0, turn / 2, 1e-4);
    EXPECT_NEAR(out[1].l0, 1.47, 1e-4);
    // the touching circle itself reaches v = 0: A08 calls only v != 0, or |l| > ls, slip
    const Phases touching = motion({1, 1, 2, {1, 3, 0}, {1, 3, 0}}, 1, 4, 10);
    ASSERT_GE(touching.size(), 2u);
    EXPECT_EQ(touching[1].mode, Mode::stick);
}

TEST(Hybrid, MovingWithThePullerLastsForEver) {
    for (const double sigma2 : {0., 0.3, 2 * std::sqrt(2.), 11.}) {
        const double le = (2.94 + sigma2 * 2) / 2;
        const Phases phases = motion(a08(sigma2), le, 2, 1e6);
        ASSERT_EQ(phases.size(), 1u);
        const auto end = phases[0].at(1e6);
        EXPECT_NEAR(end.l, le, 1e-14 * le);
        EXPECT_NEAR(end.v, 2, 1e-14);
        EXPECT_NEAR(end.heat, 2e6 * (2.94 + 2 * sigma2), 1e-8 * (1 + sigma2));
        EXPECT_NEAR(end.supplied, end.heat, 1e-14 * end.heat);
    }
}

TEST(Hybrid, StrongViscousFrictionEndsStickSlip) {
    EXPECT_GT(motion(a08(0.1), 0, 0, 200).size(), 50u);
    for (const double sigma2 : {1., 2 * std::sqrt(2.), 20.}) {
        const Phases phases = motion(a08(sigma2), 0, 0, 2000);
        ASSERT_EQ(phases.size(), 2u) << sigma2;
        EXPECT_NEAR(phases[1].at(2000).v, 2, 1e-13);
        EXPECT_NEAR(phases[1].at(2000).l, (2.94 + 2 * sigma2) / 2, 1e-13 * (1 + sigma2));
    }
}

// ---- rest ----

TEST(Hybrid, HeldIsHeld) {
    for (const double l : {-2.94, -1., 0., 2.94}) {
        const Phases phases = motion(a08(0, 0), l, 0, 1e9);
        ASSERT_EQ(phases.size(), 1u);
        EXPECT_EQ(phases[0].mode, Mode::stick);
        EXPECT_EQ(phases[0].at(1e9).l, l);
        EXPECT_EQ(phases[0].at(5e8).force, 2 * l);
    }
    EXPECT_EQ(motion(a08(0, 0), 2.95, 0, 1)[0].mode, Mode::slip_positive);
    EXPECT_EQ(motion(a08(0, 0), -2.95, 0, 1)[0].mode, Mode::slip_negative);
    // held at the limit: goes where it is pulled
    EXPECT_EQ(motion({1, 1, 1, {1, 2, 0}, {1, 2, 0}}, 2, 0, 1)[0].mode, Mode::slip_positive);
    EXPECT_EQ(motion({1, 1, -1, {1, 2, 0}, {1, 2, 0}}, 2, 0, 1)[0].mode, Mode::stick);
    EXPECT_EQ(motion({1, 1, -1, {1, 2, 0}, {1, 2, 0}}, -2, 0, 1)[0].mode, Mode::slip_negative);
}

TEST(Hybrid, HoldsAtLeastWhatItSlidesAgainst) {
    // Fs < Fc: at rest with Fs < k l < Fc nothing could slide
    const Phases phases = motion({1, 1, 1, {2, 1, 0}, {2, 1, 0}}, 0, 0, 3);
    EXPECT_EQ(phases[0].mode, Mode::stick);
    EXPECT_DOUBLE_EQ(phases[0].t1, 2);
}

TEST(Hybrid, NothingIsMadeUpFromNaN) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(motion(a08(), nan, 0, 1).back().at(1).l));
    EXPECT_TRUE(std::isnan(motion(a08(), 0, nan, 1).back().at(1).v));
    EXPECT_TRUE(std::isnan(motion(a08(0, -2), 0, nan, 1).back().at(1).v));
    EXPECT_TRUE(std::isnan(motion(a08(0, nan), 0, 0, 1).back().at(1).l));
    EXPECT_TRUE(std::isnan(motion(a08(nan), 4, 1, 1).back().at(1).v));
}

TEST(Hybrid, ReversesWhereTheSpringIsTooStrongToHold) {
    // vp = 0: each half swing ends 2 lc nearer, after half a period, until the spring can be held
    const Phases phases = motion(a08(0, 0), 20, 0, 100);
    const double half = double(pi / std::sqrt(2.L));
    double l = 20;
    std::size_t n = 0;
    for (; 2 * std::abs(l) > 5.88; ++n) {
        ASSERT_LT(n, phases.size());
        EXPECT_EQ(phases[n].mode, l > 0 ? Mode::slip_positive : Mode::slip_negative);
        EXPECT_NEAR(phases[n].t1, half * double(n + 1), 1e-13 * half * double(n + 1));
        l = l > 0 ? 2.94 - l : -2.94 - l;
        EXPECT_NEAR(phases[n].at(phases[n].t1).l, l, 1e-13 * 20);
    }
    EXPECT_EQ(n, 6u);  // 20, 17.06, 14.12, 11.18, 8.24, 5.30, 2.36
    ASSERT_EQ(phases.size(), n + 1);
    EXPECT_EQ(phases[n].mode, Mode::stick);
}

TEST(Hybrid, WithoutPullAndOverdampedTheMassComesToRestOnlyInTheLimit) {
    // l -> Fc/k from above: slip for ever, v > 0 falling
    const Phases phases = motion(a08(7, 0), 6, 0.1, 1e4);
    ASSERT_EQ(phases.size(), 1u);
    EXPECT_EQ(phases[0].mode, Mode::slip_positive);
    EXPECT_NEAR(phases[0].at(1e4).l, 1.47, 1e-14);
    EXPECT_NEAR(phases[0].at(1e4).heat, stored({1, 2, 0, {}, {}}, 6, 0.1) - stored({1, 2, 0, {}, {}}, 1.47, 0), 1e-12);
}

TEST(Hybrid, NeverOnTheWrongSideOfRestByRounding) {
    // on the fast way to rest (v' = -fast v) the slow part is rounding alone, of either sign
    const double slow = 2 - std::sqrt(3.);
    for (int i = -40; i <= 40; ++i) {
        const double l0 = 1 + slow * (1 + i * 1e-16);
        for (const HybridPhase& p : motion({1, 1, 0, {1, 1, 4}, {1, 1, 4}}, l0, 1, 60))
            for (int j = 0; j <= 400; ++j) {
                const double v = p.at(p.t0 + (p.t1 - p.t0) * j / 400).v;
                ASSERT_GE(p.mode == Mode::slip_negative ? -v : v, 0);
            }
    }
}

TEST(Hybrid, EqualLevelsSlideOnTheTouchingCircle) {
    // Fs = Fc: no stick at all; v = vp (1 - cos), for as long as one likes
    const Hybrid rig{1, 4, 0.5, {1, 1, 0}, {1, 1, 0}};
    const Phases phases = motion(rig, 0, 0, 100);
    EXPECT_EQ(phases[0].mode, Mode::stick);
    EXPECT_DOUBLE_EQ(phases[0].t1, 0.5);
    for (const double t : {0.6, 2., 7.3, 50., 100.}) {
        EXPECT_NEAR(moment(phases, t).v, 0.5 * (1 - std::cos(2 * (t - 0.5))), 1e-12);
        EXPECT_NEAR(moment(phases, t).l, 0.25 + 0.25 * std::sin(2 * (t - 0.5)), 1e-12);
    }
    const auto cycle = hybrid_cycle(rig);
    ASSERT_TRUE(cycle);
    EXPECT_NEAR(cycle->period, double(pi), 1e-15);
}

// A stop long after the start: v has fallen a million times below where it began, and so must its error.
TEST(Hybrid, LateStopIsAsExactAsAnEarlyOne) {
    const double vp = -1e-6;
    for (const double sigma2 : {4., 2.5, 2.000001, 60.}) {
        const Hybrid rig{1, 1, vp, {1, 1, sigma2}, {1, 1, 0}};
        const wide a = wide(sigma2) / 2, d = std::sqrt(a * a - 1), slow = 1 / (a + d), fast = a + d;
        // v = vp + A e^{-slow t} + B e^{-fast t},  v(0) = 1,  v'(0) = k l - Fc - sigma2 = 3 - 1 - sigma2
        const wide A = (fast * (1 - wide(vp)) + (2 - wide(sigma2))) / (2 * d), B = 1 - wide(vp) - A;
        wide low = 0, high = 1e4;
        const auto v = [&](wide t) { return vp + A * std::exp(-slow * t) + B * std::exp(-fast * t); };
        for (int i = 0; i < 200; ++i) (v((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
        const Phases phases = motion(rig, 3, 1, 1e4);
        ASSERT_GE(phases.size(), 2u);
        EXPECT_NEAR(phases[0].t1, double(low), 1e-13 * double(low)) << sigma2;
        // half way to it the velocity has all its digits as well
        const double before = double(low) - 3 / double(slow);
        EXPECT_NEAR(phases[0].at(before).v, double(v(before)), 1e-12 * double(v(before))) << sigma2;
    }
}

// ---- what holds for every motion ----

Hybrid random_rig(Random& random, double decades) {
    const double wide_range = std::pow(10, decades);
    const auto size = [&] { return random.log_uniform(1 / wide_range, wide_range); };
    Hybrid rig{size(), size(), 0, {}, {}};
    const double critical = 2 * std::sqrt(rig.mass * rig.stiffness), force = size();
    for (auto* side : {&rig.positive, &rig.negative}) {
        side->Fs = force * random.log_uniform(0.1, 10);
        side->Fc = side->Fs * (random.below(5) == 0 ? 1 : random.uniform(0, 1));
        constexpr double near[] = {0, 0, 0.5, 1, 1 - 1e-12, 1 + 1e-12, 1 + 1e-5, 1.2};
        side->sigma2 = critical * (random.below(2) ? near[random.below(8)] : size());
    }
    if (random.below(3) == 0) rig.negative = rig.positive;
    if (random.below(8) != 0) rig.velocity = random.sign() * force / critical * random.log_uniform(1e-3, 1e2);
    return rig;
}
struct Start {
    double l, v, duration;
};
Start random_start(Random& random, const Hybrid& rig) {
    const double ls = rig.positive.Fs / rig.stiffness, omega = std::sqrt(rig.stiffness / rig.mass);
    return {random.uniform(-4, 4) * ls, random.below(3) ? random.uniform(-4, 4) * ls * omega : 0,
            random.log_uniform(1e-3, 60) / omega};
}

// The sizes the numbers of a motion have, for rounding to be measured by.
struct Sizes {
    double l, v;
    Sizes(const Hybrid& rig, const Start& start) {
        const double omega = std::sqrt(rig.stiffness / rig.mass), F = std::max(rig.positive.Fs, rig.negative.Fs);
        v = std::abs(start.v) + omega * (std::abs(start.l) + F / rig.stiffness) + std::abs(rig.velocity);
        l = v / omega;
    }
};

TEST(Hybrid, PhasesTileTheTimeJoinAndKeepTheirRules) {
    Random random(2);
    long modes[3] = {}, joins = 0;
    for (long i = test::draws(20000); i-- > 0;) {
        const Hybrid rig = random_rig(random, i % 2 ? 1 : 12);
        const Start start = random_start(random, rig);
        const Phases phases = motion(rig, start.l, start.v, start.duration);
        const Sizes size(rig, start);
        ASSERT_FALSE(phases.empty());
        ASSERT_EQ(phases.front().t0, 0);
        ASSERT_EQ(phases.back().t1, start.duration);
        ASSERT_EQ(phases.front().at(0).l, start.l);
        ASSERT_EQ(phases.front().at(0).v, start.v);
        for (std::size_t n = 0; n < phases.size(); ++n) {
            const HybridPhase& p = phases[n];
            ++modes[int(p.mode)];
            ASSERT_LT(p.t0, p.t1);
            double heat = 0;
            for (int j = 0; j <= 12; ++j) {
                const double t = j == 12 ? p.t1 : p.t0 + (p.t1 - p.t0) * j / 12;
                const auto s = p.at(t);
                ASSERT_TRUE(std::isfinite(s.l) && std::isfinite(s.v) && std::isfinite(s.force) &&
                            std::isfinite(s.heat) && std::isfinite(s.supplied));
                const auto& side = p.mode == Mode::slip_negative ? rig.negative : rig.positive;
                if (p.mode == Mode::stick) {
                    ASSERT_EQ(s.v, 0);
                    ASSERT_EQ(s.heat, 0);
                    ASSERT_LE(s.force, rig.positive.Fs * (1 + 1e-13));
                    ASSERT_GE(s.force, -rig.negative.Fs * (1 + 1e-13));
                    ASSERT_NEAR(s.force, rig.stiffness * s.l, 1e-13 * rig.stiffness * size.l);
                } else {
                    const double sign = p.mode == Mode::slip_positive ? 1 : -1;
                    ASSERT_GE(sign * s.v, 0);
                    ASSERT_NEAR(s.force, sign * side.Fc + side.sigma2 * s.v, 1e-14 * std::abs(s.force));
                    const double power = (side.Fc + side.sigma2 * size.v) * size.v;
                    ASSERT_GE(s.heat, heat - 1e-13 * power * (p.t1 - p.t0));
                }
                heat = s.heat;
            }
            if (n + 1 == phases.size()) continue;
            // one motion: where a phase ends the next begins, at rest, and in another mode
            ++joins;
            const HybridPhase& next = phases[n + 1];
            const auto end = p.at(p.t1);
            const double late = 1e-14 * p.t1 * size.v;  // what the place of t1 between two doubles leaves open
            ASSERT_EQ(next.t0, p.t1);
            ASSERT_NEAR(end.l, next.l0, 1e-13 * size.l + late);
            ASSERT_NEAR(end.v, 0, 1e-13 * size.v + late * std::sqrt(rig.stiffness / rig.mass));
            ASSERT_EQ(next.v0, 0);
        }
    }
    // the draws meet what they are to test
    EXPECT_GT(modes[0], test::draws(20000) / 10);
    EXPECT_GT(modes[1], test::draws(20000) / 10);
    EXPECT_GT(modes[2], test::draws(20000) / 10);
    EXPECT_GT(joins, test::draws(20000) / 10);
}

TEST(Hybrid, SuppliedIsStoredPlusHeat) {
    Random random(3);
    for (long i = test::draws(20000); i-- > 0;) {
        const Hybrid rig = random_rig(random, i % 2 ? 1 : 12);
        const Start start = random_start(random, rig);
        for (const HybridPhase& p : motion(rig, start.l, start.v, start.duration)) {
            const double before = stored(rig, p.l0, p.v0);
            for (int j = 1; j <= 6; ++j) {
                const auto s = p.at(p.t0 + (p.t1 - p.t0) * j * j / 36);
                const double after = stored(rig, s.l, s.v), terms = before + after + std::abs(s.supplied) + s.heat;
                ASSERT_NEAR(s.supplied, after - before + s.heat, 1e-13 * terms);
            }
        }
    }
}

TEST(Hybrid, HeatIsTheIntegralOfForceTimesVelocityAtAllDampings) {
    // Gauss-Legendre on short pieces, from v alone
    constexpr wide node = 0.7745966692414833770358531L;
    for (const double ratio : {0., 1e-9, 1e-3, 0.3, 0.499, 0.501, 0.9, 1., 1.1, 1.49, 1.51, 5., 1e3}) {
        const double sigma2 = 2 * std::sqrt(2.) * ratio;
        for (const auto& [length, Fc] :
             {std::pair{1e-5, 2.94}, {0.01, 2.94}, {0.7, 2.94}, {4., 2.94}, {0.7, 0.}, {2., 0.}}) {
            if (Fc == 0 && sigma2 == 0) continue;
            const Phases phases = motion({1, 2, 2, {Fc, 5.88, sigma2}, {Fc, 5.88, sigma2}}, 4, 1, length);
            const HybridPhase& p = phases[0];
            const double end = p.t1;
            wide heat = 0, l_sum = 0;
            constexpr int pieces = 4000;
            // pieces grow with time: the overdamped start is fast
            for (int i = 0; i < pieces; ++i) {
                const auto edge = [&](int n) { return wide(end) * n / pieces * n / pieces * n / pieces; };
                const wide middle = (edge(i) + edge(i + 1)) / 2, half = (edge(i + 1) - edge(i)) / 2;
                for (const auto& [x, w] : {std::pair{-node, 5 / 9.L}, {0.L, 8 / 9.L}, {node, 5 / 9.L}}) {
                    const auto s = p.at(double(middle + half * x));
                    heat += half * w * wide(s.force) * s.v;
                    l_sum += half * w * s.l;
                }
            }
            EXPECT_NEAR(p.at(end).heat, double(heat), 1e-12 * double(heat)) << ratio << ' ' << length;
            EXPECT_NEAR(p.at(end).supplied, double(4 * l_sum), 1e-12 * double(4 * l_sum)) << ratio << ' ' << length;
        }
    }
}

TEST(Hybrid, MirroredIsTheSameMotionMirrored) {
    Random random(4);
    for (long i = test::draws(2000); i-- > 0;) {
        const Hybrid rig = random_rig(random, 2);
        const Start start = random_start(random, rig);
        const Phases phases = motion(rig, start.l, start.v, start.duration);
        const Phases mirrored = motion({rig.mass, rig.stiffness, -rig.velocity, rig.negative, rig.positive}, -start.l,
                                       -start.v, start.duration);
        ASSERT_EQ(phases.size(), mirrored.size());
        for (std::size_t n = 0; n < phases.size(); ++n) {
            ASSERT_EQ(phases[n].t1, mirrored[n].t1);
            const double t = (phases[n].t0 + phases[n].t1) / 2;
            const auto a = phases[n].at(t), b = mirrored[n].at(t);
            ASSERT_EQ(a.l, -b.l);
            ASSERT_EQ(a.v, -b.v);
            ASSERT_EQ(a.force, -b.force);
            ASSERT_EQ(a.heat, b.heat);
            ASSERT_EQ(a.supplied, b.supplied);
        }
    }
}

TEST(Hybrid, ContinuesFromAnyMomentAsItDidBefore) {
    // cut anywhere: the rest is the same motion; grazing stops are decided by rounding and left out by the tame range
    const Hybrid rig = a08(0.15);
    const Phases whole = motion(rig, -7, 5, 30);
    for (int i = 1; i < 60; ++i) {
        const double cut = 0.5 * i, t = 29.9;
        const Moment there = moment(whole, cut);
        const Phases rest = motion(rig, there.l, there.v, 30 - cut);
        EXPECT_NEAR(moment(rest, t - cut).l, moment(whole, t).l, 1e-12) << cut;
        EXPECT_NEAR(moment(rest, t - cut).v, moment(whole, t).v, 1e-12) << cut;
    }
}

TEST(Hybrid, EndsEarlyAtTheMostPhases) {
    const Phases phases = hybrid_motion(a08(), 0, 0, 1000, 7);
    ASSERT_EQ(phases.size(), 7u);
    EXPECT_LT(phases.back().t1, 1000);
    EXPECT_EQ(hybrid_motion(a08(), 0, 0, 0, 7).size(), 1u);
}

}  // namespace
}  // namespace bristle::simulate
