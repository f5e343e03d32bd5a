// The hybrid stick/slip model: properties of every motion, on random rigs and starts.
#include <gtest/gtest.h>

#include "hybrid_cases.hpp"

namespace bristle::inline simulation {
namespace {

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

// Scales of the numbers of a motion, for the tolerances.
struct Sizes {
    double l, v;
    Sizes(const Hybrid& rig, const Start& start) {
        const double omega = std::sqrt(rig.stiffness / rig.mass), F = std::max(rig.positive.Fs, rig.negative.Fs);
        v = std::abs(start.v) + omega * (std::abs(start.l) + F / rig.stiffness) + std::abs(rig.velocity);
        l = v / omega;
    }
};

TEST(Hybrid, PhasesAreContiguousContinuousAndValid) {
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
            // a continuous motion: each phase begins where the last one ended, at rest, and in another mode
            ++joins;
            const HybridPhase& next = phases[n + 1];
            const auto end = p.at(p.t1);
            const double late = 1e-14 * p.t1 * size.v;  // effect of the rounding of t1
            ASSERT_EQ(next.t0, p.t1);
            ASSERT_NEAR(end.l, next.l0, 1e-13 * size.l + late);
            ASSERT_NEAR(end.v, 0, 1e-13 * size.v + late * std::sqrt(rig.stiffness / rig.mass));
            ASSERT_EQ(next.v0, 0);
        }
    }
    // the draws contain the cases to be tested
    EXPECT_GT(modes[0], test::draws(20000) / 10);
    EXPECT_GT(modes[1], test::draws(20000) / 10);
    EXPECT_GT(modes[2], test::draws(20000) / 10);
    EXPECT_GT(joins, test::draws(20000) / 10);
}

TEST(Hybrid, SuppliedEqualsStoredPlusHeat) {
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

TEST(Hybrid, HeatEqualsTheIntegralOfForceTimesVelocityAtAllDampings) {
    // oracle: Gauss-Legendre on short intervals, from v alone
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
            // the intervals grow with time: the overdamped start is fast
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

TEST(Hybrid, MirroredStartGivesTheMirroredMotion) {
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

TEST(Hybrid, MotionRestartedAtAnyTimeIsTheSame) {
    // cut at any time, the remaining motion is the same; stops that v only touches depend on rounding and are excluded
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

TEST(Hybrid, EndsEarlyAtTheLimitOfPhases) {
    const Phases phases = hybrid_motion(a08(), 0, 0, 1000, 7);
    ASSERT_EQ(phases.size(), 7u);
    EXPECT_LT(phases.back().t1, 1000);
    EXPECT_EQ(hybrid_motion(a08(), 0, 0, 0, 7).size(), 1u);
}

}  // namespace
}  // namespace bristle::simulation
