// The hybrid stick/slip model: against an independent integration, and the geometry of A08 (S8).
#include <gtest/gtest.h>

#include "hybrid_cases.hpp"

namespace bristle::inline simulation {
namespace {

// ---- oracle: an integration without closed forms ----

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
    // True after the end of the mode.
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

TEST(Hybrid, EqualsAnIntegrationWithLocatedSwitches) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        // steps of 2e-4 of the fastest time scale: an error of 1e-15 per unit of it
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

// ---- A08 (S5), A08 (S6), A08 (S7), A08 (S8): circles, the limit cycle, the motions inside it ----

// Oracle: A08 (S8): (v - vp)^2 + (k/m) (l - lc)^2 is constant, lc = Fc/k = 1.47 m. Tolerance: rounding.
TEST(Hybrid, SlipWithoutDampingStaysOnTheCircleOfA08EquationS8) {
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

TEST(Hybrid, SpiralShrinksByTheSameFactorPerRevolution) {
    // oracle: about ((Fc + sigma2 vp)/k, vp), by exp(-2 pi zeta/sqrt(1 - zeta^2)); from this start v does not reach 0
    const Hybrid rig = a08(0.2);
    const wide zeta = 0.2L / (2 * std::sqrt(2.L)), root = std::sqrt(1 - zeta * zeta);
    const double revolution = double(2 * pi / (std::sqrt(2.L) * root));
    const Phases phases = motion(rig, 1.67, 3.5, 6 * revolution);
    ASSERT_EQ(phases.size(), 1u);
    for (int i = 1; i <= 6; ++i) {
        const auto s = phases[0].at(i * revolution);
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

TEST(Hybrid, PeriodAndEnergyOfTheLimitCycleEqualTheClosedForm) {
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

        // the same from the motion: from begin to begin of stick, over twenty cycles
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

        // the top of the circle, at which the spring force equals Fc
        const HybridPhase& slip = phases[sticks[0] + 1];
        for (int i = 0; i <= 20000; ++i)
            peak = std::max(peak, s * slip.at(slip.t0 + (slip.t1 - slip.t0) * i / 20000).v);
        EXPECT_NEAR(s * cycle->v_peak, peak, 1e-6 * peak);
        EXPECT_GE(s * cycle->v_peak, peak * (1 - 1e-14));
    }
    EXPECT_FALSE(hybrid_cycle(a08(0, 0)));
    EXPECT_FALSE(hybrid_cycle(a08(0.1)));
    EXPECT_FALSE(
        hybrid_cycle({1, 1, 1, {0.1, 2, 0}, {0.1, 0.5, 0}}));  // slips to where the negative side cannot hold it
}

TEST(Hybrid, TimeErrorOverManyCyclesIsRounding) {
    const Hybrid rig{1, 2, 2, {2.94, 3.1, 0}, {2.94, 3.1, 0}};
    const wide T = period_of(rig);
    constexpr long cycles = 40000;
    const Phases phases = motion(rig, 3.1 / 2, 0, double(T * (cycles + 0.5L)));
    const HybridPhase& last = phases.back();
    EXPECT_EQ(last.mode, Mode::slip_positive);
    EXPECT_EQ(phases.size(), std::size_t(2 * cycles + 1));
    // tolerance: the rounding of one cycle, a stick from 1.39 to 1.55, accumulated over all cycles
    EXPECT_NEAR(last.t0, double(cycles * T), 1e-15 * double(cycles * T));
}

TEST(Hybrid, MotionIsOnTheCycleAfterTheFirstStick) {
    // from the end of the first stick on, the motion equals the one that starts there
    Random random(1);
    const Hybrid rig = a08();
    const double T = double(period_of(rig));
    const Phases reference = motion(rig, 5.88 / 2, 0, 3 * T);
    long stuck = 0;
    for (long i = test::draws(300); i-- > 0;) {
        const double l0 = random.uniform(-10, 10), v0 = random.uniform(-10, 10);
        // A08 (S8): outside the circle that touches v = 0, on either side
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

TEST(Hybrid, MotionInsideTheTouchingCircleDoesNotStick) {
    const Hybrid rig = a08();
    const double revolution = double(2 * pi / std::sqrt(2.L));
    for (const double radius : {1e-9, 0.5, 1.9, 2 * (1 - 1e-9)}) {
        const Phases phases = motion(rig, 1.47, 2 + radius, 1000 * revolution);
        ASSERT_EQ(phases.size(), 1u) << radius;
        for (const int n : {1, 10, 1000}) {
            EXPECT_NEAR(phases[0].at(n * revolution).v, 2 + radius, 2e-13 * n);
            EXPECT_NEAR(phases[0].at(n * revolution).l, 1.47, 2e-15 * (1 + n));
            EXPECT_NEAR(phases[0].at((n - 0.5) * revolution).v, 2 - radius, 1e-15 + 2e-13 * n);
        }
    }
    // at a radius larger by 1e-9 it sticks at the first zero of v
    const Phases out = motion(rig, 1.47, 2 + 2 * (1 + 1e-9), revolution);
    ASSERT_GE(out.size(), 2u);
    EXPECT_EQ(out[1].mode, Mode::stick);
    EXPECT_NEAR(out[1].t0, revolution / 2, 1e-4);
    EXPECT_NEAR(out[1].l0, 1.47, 1e-4);
    // the touching circle itself reaches v = 0: A08 calls only v != 0, or |l| > ls, slip
    const Phases touching = motion({1, 1, 2, {1, 3, 0}, {1, 3, 0}}, 1, 4, 10);
    ASSERT_GE(touching.size(), 2u);
    EXPECT_EQ(touching[1].mode, Mode::stick);
}

// Oracle: l = (Fc + sigma2 vp)/k; heat = supplied energy = (Fc + sigma2 vp) vp t, t = 1e6 s. Tolerance: rounding of
// 2e6 s.
TEST(Hybrid, MotionAtPullerSpeedIsSteady) {
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

// Oracle: steady sliding at v = vp, l = (Fc + sigma2 vp)/k after one stick and one slip phase.
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

TEST(Hybrid, StickWithoutPullLastsToTheEnd) {
    for (const double l : {-2.94, -1., 0., 2.94}) {
        const Phases phases = motion(a08(0, 0), l, 0, 1e9);
        ASSERT_EQ(phases.size(), 1u);
        EXPECT_EQ(phases[0].mode, Mode::stick);
        EXPECT_EQ(phases[0].at(1e9).l, l);
        EXPECT_EQ(phases[0].at(5e8).force, 2 * l);
    }
    EXPECT_EQ(motion(a08(0, 0), 2.95, 0, 1)[0].mode, Mode::slip_positive);
    EXPECT_EQ(motion(a08(0, 0), -2.95, 0, 1)[0].mode, Mode::slip_negative);
    // held at the limit: slips in the direction of the puller
    EXPECT_EQ(motion({1, 1, 1, {1, 2, 0}, {1, 2, 0}}, 2, 0, 1)[0].mode, Mode::slip_positive);
    EXPECT_EQ(motion({1, 1, -1, {1, 2, 0}, {1, 2, 0}}, 2, 0, 1)[0].mode, Mode::stick);
    EXPECT_EQ(motion({1, 1, -1, {1, 2, 0}, {1, 2, 0}}, -2, 0, 1)[0].mode, Mode::slip_negative);
}

TEST(Hybrid, FsBelowFcIsReplacedByFc) {
    // Fs < Fc: at rest with Fs < k l < Fc no sliding motion exists
    const Phases phases = motion({1, 1, 1, {2, 1, 0}, {2, 1, 0}}, 0, 0, 3);
    EXPECT_EQ(phases[0].mode, Mode::stick);
    EXPECT_DOUBLE_EQ(phases[0].t1, 2);
}

TEST(Hybrid, NaNInGivesNaNOut) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(motion(a08(), nan, 0, 1).back().at(1).l));
    EXPECT_TRUE(std::isnan(motion(a08(), 0, nan, 1).back().at(1).v));
    EXPECT_TRUE(std::isnan(motion(a08(0, -2), 0, nan, 1).back().at(1).v));
    EXPECT_TRUE(std::isnan(motion(a08(0, nan), 0, 0, 1).back().at(1).l));
    EXPECT_TRUE(std::isnan(motion(a08(nan), 4, 1, 1).back().at(1).v));
}

TEST(Hybrid, ReversesIfTheSpringForceExceedsTheHold) {
    // vp = 0: each half oscillation ends 2 lc nearer, after half a period, until the spring force can be held
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

TEST(Hybrid, OverdampedMassWithoutPullDoesNotStopInFiniteTime) {
    // l -> Fc/k from above: slip without end, v > 0 falling
    const Phases phases = motion(a08(7, 0), 6, 0.1, 1e4);
    ASSERT_EQ(phases.size(), 1u);
    EXPECT_EQ(phases[0].mode, Mode::slip_positive);
    EXPECT_NEAR(phases[0].at(1e4).l, 1.47, 1e-14);
    EXPECT_NEAR(phases[0].at(1e4).heat, stored({1, 2, 0, {}, {}}, 6, 0.1) - stored({1, 2, 0, {}, {}}, 1.47, 0), 1e-12);
}

TEST(Hybrid, RoundingDoesNotChangeTheSignOfVelocity) {
    // during the fast decay (v' = -fast v) the slow part is rounding only, of either sign
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

TEST(Hybrid, EqualLevelsGiveTheTouchingCircle) {
    // Fs = Fc: no stick; v = vp (1 - cos) for all t
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

// A late stop: v has fallen by a factor of a million since the start, and its error must be as small.
TEST(Hybrid, LateStopHasTheRelativeAccuracyOfAnEarlyOne) {
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
        // half way to the stop the relative error of the velocity is rounding as well
        const double before = double(low) - 3 / double(slow);
        EXPECT_NEAR(phases[0].at(before).v, double(v(before)), 1e-12 * double(v(before))) << sigma2;
    }
}

}  // namespace
}  // namespace bristle::simulation
