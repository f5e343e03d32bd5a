// Limit cycles by shooting. Oracles: simulation, closed forms, finite differences of the return map.
#include "cycle_support.hpp"

#include <bristle/base/error.hpp>
#include <bristle/simulate/hybrid.hpp>
#include <gtest/gtest.h>

#include <chrono>

#include "../../simulate/cases.hpp"
#include "numerics/linear.hpp"

namespace bristle::inline analysis {
namespace {

// ---- against simulation --------------------------------------------------------------------------------------------

// slips: number of slip phases per period
void compare(const char* id, std::size_t slips, double transient) {
    SCOPED_TRACE(id);
    const auto setup = shipped_setup(id);
    const Cycle cycle = limit_cycle(setup);
    ASSERT_TRUE(cycle.exists) << name_of(cycle.reason);
    EXPECT_TRUE(cycle.stable);
    const auto sim = lasting(setup, transient, 3 * cycle.period).result;
    const auto& ends = sim.measures.stick_end;
    ASSERT_GT(ends.size(), slips);
    const double period = ends.back() - ends[ends.size() - 1 - slips];
    const std::string position = state_names(setup.law, setup.rig)[0].name;
    const double amplitude = 0.5 * (sim.measures.max.at(position) - sim.measures.min.at(position));
    const double swing = 0.5 * (sim.measures.max.at("v") - sim.measures.min.at("v"));
    EXPECT_NEAR(cycle.period, period, 1e-6 * period);
    EXPECT_NEAR(cycle.amplitude, amplitude, 1e-6 * amplitude);
    EXPECT_NEAR(cycle.velocity_amplitude, swing, 1e-6 * swing);
    EXPECT_NEAR(cycle.energy, sim.energy.dissipated / 3, 1e-6 * cycle.energy);
    double stuck = 0;
    const auto& begins = sim.measures.stick_begin;
    for (const double end : ends)
        if (end > ends.back() - period * (1 - 1e-9))
            stuck += end - *(std::lower_bound(begins.begin(), begins.end(), end) - 1);
    EXPECT_NEAR(cycle.stick_fraction, stuck / period, 1e-6);
    std::printf("%s: T %.9f s (simulated %.9f), amplitude %.9f m (%.9f), multiplier %.3g\n", id, cycle.period, period,
                cycle.amplitude, amplitude, std::abs(cycle.multipliers[0]));
}

TEST(Cycle, StickSlipOfC95EqualsTheSimulation) { compare("benitez2005/fig4", 1, 60); }
// Hunting is symmetric: two slips per period, one in each direction.
TEST(Cycle, HuntingOfC95EqualsTheSimulation) { compare("benitez2005/fig5", 2, 400); }
TEST(Cycle, StickSlipOfTheSoftSetEqualsTheSimulation) { compare("astrom2008/fig6_b", 1, 100); }
TEST(Cycle, StickSlipAndHuntingOfTheHystereticLawEqualTheSimulation) {
    compare("benitez2005/fig4_hysteretic", 1, 60);
    compare("benitez2005/fig5_hysteretic", 2, 400);
}

TEST(Cycle, ExistsForEachLawWhoseSimulationOscillates) {
    int cycles = 0;
    for_each_law([&](const auto& entry) {
        SCOPED_TRACE(entry.kind);
        const std::string_view kind = entry.kind;
        if (kind == "dahl")
            return;  // constant level, no viscous friction: small oscillations about steady sliding do not decay
        bristle::Setup setup;
        setup.law = c95_law(entry.kind);
        setup.rig = PulledSpring{1, 2, 0.1};
        setup.run.duration = 60;
        setup.run.stick_speed = 1e-3;
        if (auto* elements = std::get_if<AnyMaxwellSlip>(&setup.law)) {
            // softer than C95, whose oscillation in stick would last for minutes
            for (int i = 0; i < elements->count(); ++i) elements->k[std::size_t(i)] = 100;
            elements->C = 100;
        }
        const Cycle cycle = limit_cycle(setup);
        const auto sim = lasting(setup, 200, 60).result;
        const bool swings = sim.measures.max.at("v") - sim.measures.min.at("v") > 1e-2;
        EXPECT_EQ(cycle.exists, swings) << kind;
        if (!cycle.exists || !swings) return;
        ++cycles;
        ASSERT_TRUE(sim.measures.amplitude);
        EXPECT_NEAR(cycle.amplitude, *sim.measures.amplitude, 1e-6 * cycle.amplitude);
        EXPECT_NEAR(cycle.period, *sim.measures.period, 1e-6 * cycle.period);
    });
    EXPECT_GE(cycles, 8);
}

TEST(Cycle, OfABlockOnABeltEqualsTheSimulation) {
    bristle::Setup setup;
    setup.law = c95_law("lugre");
    setup.rig = Conveyor{1, 8, 9.81, 0.1, 0.5};
    setup.run.duration = 20;
    setup.run.stick_speed = 1e-3;
    const Cycle cycle = limit_cycle(setup);
    ASSERT_TRUE(cycle.exists);
    const auto sim = lasting(setup, 60, 20).result;  // the belt has its final speed long before 60 s
    EXPECT_NEAR(cycle.period, *sim.measures.period, 1e-6 * cycle.period);
    EXPECT_NEAR(cycle.amplitude, *sim.measures.amplitude, 1e-6 * cycle.amplitude);
}

TEST(Cycle, IsMirroredForTheOppositePull) {
    const Cycle there = limit_cycle(shipped_setup("astrom2008/fig7_c")),
                back = limit_cycle(shipped_setup("astrom2008/fig7_c", {{"rig.velocity", "-2.0"}}));
    ASSERT_TRUE(there.exists && back.exists);
    EXPECT_NEAR(back.period, there.period, 1e-9);
    EXPECT_NEAR(back.amplitude, there.amplitude, 1e-9);
    EXPECT_NEAR(back.energy, there.energy, 1e-8);
    EXPECT_NEAR(back.state[1], -there.state[1], 1e-6);
}

// Ki m > (Kv + sigma2) Kp: the loop is unstable while it slides.
TEST(Cycle, ReasonIsGrowthForAnUnstableServo) {
    const Cycle cycle = limit_cycle(shipped_setup("benitez2005/fig5", {{"rig.Ki", "30"}}));
    EXPECT_FALSE(cycle.exists);
    EXPECT_EQ(cycle.reason, NoCycle::grows) << name_of(cycle.reason);
}
// A disc behind a torsion spring: irregular stick-slip at 2.6 rad/s, steady sliding at 2.7 rad/s. Both motions pass an
// unstable cycle. Oracle: simulation.
TEST(Cycle, UnstableOneReportsTheAttractorOfTheMotion) {
    if (test::sanitized) GTEST_SKIP() << "too slow; the other tests cover the same code";
    constexpr const char* text = R"(
[law]
kind = "elastoplastic"
sigma0 = 2e4
sigma1 = 20
sigma2 = 0.1
Fc = 4.0
Fs = 6.0
vs = 0.1
kappa = 0.5
[rig]
kind = "pulled_spring"
mass = 0.5
stiffness = 20.0
velocity = 2.6
[run]
duration = 20.0
)";
    for (const char* velocity : {"2.6", "2.7"}) {
        const bristle::Setup setup = experiment::read(text, "disc", {}, {{"rig.velocity", velocity}}).setup;
        const Cycle cycle = limit_cycle(setup);
        ASSERT_TRUE(cycle.exists && !cycle.stable) << velocity << ": " << name_of(cycle.reason);
        const bool settles = !ends_in_stick_slip(setup, 100);
        EXPECT_EQ(settles, velocity == std::string("2.7"));
        EXPECT_EQ(cycle.motion, settles ? MotionEnd::steady_state : MotionEnd::not_periodic) << name_of(cycle.motion);
    }
}

TEST(Cycle, ReasonIsThatAllMotionsSettleOrThatALimitWasReached) {
    for (const char* id : {"astrom2008/fig6_c", "astrom2008/fig6_d", "astrom2008/fig7_d", "astrom2008/fig8_d"}) {
        const Cycle cycle = limit_cycle(shipped_setup(id));
        EXPECT_FALSE(cycle.exists) << id;
        // rounding that does not decay is not a motion
        EXPECT_EQ(cycle.reason, NoCycle::all_settle) << id << ": " << name_of(cycle.reason);
    }
    // too few steps for the cycle that exists
    CycleOptions few;
    few.max_steps = 20;
    const Cycle missed = limit_cycle(shipped_setup("benitez2005/fig4"), few);
    EXPECT_FALSE(missed.exists);
    EXPECT_EQ(missed.reason, NoCycle::limit_reached) << name_of(missed.reason);
    EXPECT_THROW(limit_cycle(shipped_setup("benitez2005/fig1")), Error);
}
// Loading the spring takes far longer than the run of the file: a mass in stick has not settled.
TEST(Cycle, IsFoundForAPullSlowerThanTheRun) {
    for (const auto& [id, speed, period] :
         {std::tuple{"astrom2008/fig6_b", "0.001", 2638.96}, {"benitez2005/fig4", "1e-4", 4098.32}}) {
        const Cycle cycle = limit_cycle(shipped_setup(id, {{"rig.velocity", speed}}));
        ASSERT_TRUE(cycle.exists) << id << ": " << name_of(cycle.reason);
        EXPECT_TRUE(cycle.stable);
        EXPECT_NEAR(cycle.period, period, 0.01);
        EXPECT_GT(cycle.stick_fraction, 0.99);
    }
}
// The start slips first, then oscillates in stick until the velocity is tiny, while the spring is still loaded.
TEST(Cycle, IsFoundFromAStartThatEndsInALongStickPhase) {
    const Cycle cycle = limit_cycle(
        shipped_setup("benitez2005/fig4", {{"rig.velocity", "0.001"}, {"law.sigma1", "20.0"}, {"start.v", "0.05"}}));
    ASSERT_TRUE(cycle.exists) << name_of(cycle.reason);
    EXPECT_EQ(cycle.source, CycleSource::own_start);
    EXPECT_EQ(cycle.motion, MotionEnd::this_cycle);
    EXPECT_NEAR(cycle.period, 411.254, 0.001);
}
// On its way to a distant target a servo is a thousand times as fast as in hunting.
TEST(Cycle, HuntingDoesNotDependOnTheTarget) {
    const Cycle near = limit_cycle(shipped_setup("benitez2005/fig5"));
    for (const char* target : {"40.0", "70.0", "100.0"}) {
        const Cycle cycle = limit_cycle(shipped_setup("benitez2005/fig5", {{"rig.target", target}}));
        ASSERT_TRUE(cycle.exists) << target << ": " << name_of(cycle.reason);
        EXPECT_NEAR(cycle.period, near.period, 1e-6 * near.period);
        EXPECT_NEAR(cycle.amplitude, near.amplitude, 1e-6 * near.amplitude);
    }
}
// A multiplier near -1: the motion approaches from alternate sides and repeats better after two slips than after one.
TEST(Cycle, PeriodIsTheShortestOne) {
    AnyLuGre law;
    law.sigma0 = 339.27;
    law.sigma1 = 22.8376;
    law.sigma2 = law.sigma2_negative = 0.0279674;
    law.curve.stribeck.positive = {.Fc = 2.77164, .Fs = 2.96655, .vs = 0.0626315, .alpha = 1.5};
    bristle::Setup setup;
    setup.law = law;
    setup.rig = PulledSpring{0.734107, 9.7573, 0.115496};
    setup.run.duration = 60;
    const Cycle cycle = limit_cycle(setup);
    ASSERT_TRUE(cycle.exists) << name_of(cycle.reason);
    EXPECT_NEAR(cycle.period, 1.731957, 1e-6);
    EXPECT_NEAR(cycle.multipliers[0].real(), -0.748, 1e-3);
    // a cycle of doubled period is not shortened
    EXPECT_NEAR(limit_cycle(shipped_setup("astrom2008/fig8_b", {{"rig.stiffness", "7.0"}})).period, 4.772475, 1e-5);
}
// The force of the hysteretic law jumps at maximum slip, so its section is elsewhere. Oracle: the period of LuGre, to 1 %.
TEST(Cycle, OfTheHystereticLawIsStableAndReportsMaximumSlipAtManySpeeds) {
    double before = HUGE_VAL;
    for (const char* speed : {"0.03", "0.05", "0.08", "0.1", "0.12", "0.15", "0.17"}) {
        SCOPED_TRACE(speed);
        const auto setup = shipped_setup("benitez2005/fig4_hysteretic", {{"rig.velocity", speed}});
        const Cycle cycle = limit_cycle(setup),
                    lugre = limit_cycle(shipped_setup("benitez2005/fig4", {{"rig.velocity", speed}}));
        ASSERT_TRUE(cycle.exists && lugre.exists) << name_of(cycle.reason);
        EXPECT_TRUE(cycle.stable);
        EXPECT_NEAR(cycle.period, lugre.period, 0.01 * lugre.period);
        EXPECT_LT(cycle.period, before);
        before = cycle.period;
        for (const auto& m : cycle.multipliers) EXPECT_LT(std::abs(m), 1e-3);
        EXPECT_NEAR(cycle.state[1], cycle.fastest, 1e-6 * cycle.fastest);
    }
}
// Elements that oscillate undamped in stick would take more than a minute.
TEST(Cycle, SearchEndsWithinThreeTimesMaxSteps) {
    bristle::Setup setup;
    AnyMaxwellSlip law = std::get<AnyMaxwellSlip>(c95_law("maxwell_slip"));
    std::fill(std::begin(law.k), std::end(law.k), 0.0);
    std::fill(std::begin(law.nu), std::end(law.nu), 0.0);
    law.k[0] = 1e4, law.k[1] = 5e3, law.k[2] = 2e3;
    law.nu[0] = 0.5, law.nu[1] = 0.3, law.nu[2] = 0.2;
    law.size = 3;
    law.C = 10;
    setup.law = law;
    setup.rig = PulledSpring{1, 2, 0.1};
    setup.run.duration = 60;
    long steps = 0;  // progress is called every 64 steps
    CycleOptions options;
    options.max_steps = 20'000;
    const auto begin = std::chrono::steady_clock::now();
    const Cycle cycle = limit_cycle(setup, options, [&](double) { return ++steps > 0; });
    std::printf("%s; %ld steps in %.2f s\n", name_of(cycle.reason), 64 * steps,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    EXPECT_LE(64 * steps, 3 * options.max_steps);
    EXPECT_FALSE(cycle.exists);
    EXPECT_EQ(cycle.reason, NoCycle::limit_reached);
}
TEST(Cycle, IsFoundFromASpreadStartIfTheOwnStartSettles) {
    const Cycle cycle = limit_cycle(shipped_setup("astrom2008/fig7_c_inside"));
    ASSERT_TRUE(cycle.exists);
    EXPECT_EQ(cycle.source, CycleSource::spread_start);
    EXPECT_NEAR(cycle.period, limit_cycle(shipped_setup("astrom2008/fig7_c")).period, 1e-8);
}
TEST(Cycle, IsCancelledByProgress) {
    EXPECT_THROW(limit_cycle(shipped_setup("astrom2008/fig6_c"), {}, [](double) { return false; }), Cancelled);
}

// ---- the hybrid model ----------------------------------------------------------------------------------------------

bristle::Setup hybrid_setup(Method method, double sigma2) {
    bristle::Setup setup;
    AnyCoulomb law;
    law.curve.positive = {.Fc = 1.0, .Fs = 1.5};
    law.sigma2 = law.sigma2_negative = sigma2;
    setup.law = law;
    setup.rig = PulledSpring{1, 2, 0.1};
    setup.run.duration = 30;
    setup.run.method = method;
    return setup;
}

TEST(Cycle, OfMethodHybridEqualsTheClosedForm) {
    const double Fc = 1, Fs = 1.5, k = 2, vp = 0.1, m = 1;
    const Cycle cycle = limit_cycle(hybrid_setup(Method::hybrid, 0));
    ASSERT_TRUE(cycle.exists);
    const double stick = 2 * (Fs - Fc) / (k * vp);
    const double slip =
        std::sqrt(m / k) * (M_PI + 2 * std::atan(vp * std::sqrt(k * m) / (Fs - Fc)));  // arc of A08 (S8)
    EXPECT_NEAR(cycle.period, stick + slip, 1e-12 * (stick + slip));
    EXPECT_NEAR(cycle.stick_fraction, stick / (stick + slip), 1e-12);
    // in one period the mass moves vp T against Fc
    EXPECT_NEAR(cycle.energy, Fc * vp * (stick + slip), 1e-12 * cycle.energy);
    // the circle m (v - vp)^2 + k (l - lc)^2 = const through (ls, 0)
    const double radius = std::hypot((Fs - Fc) / k, vp * std::sqrt(m / k));
    EXPECT_NEAR(cycle.amplitude, radius, 1e-12);
    EXPECT_NEAR(cycle.fastest, vp + radius * std::sqrt(k / m), 1e-12);
    EXPECT_TRUE(cycle.stable);
    EXPECT_EQ(cycle.multipliers[0], 0.0);
}

TEST(Cycle, ByShootingEqualsTheClosedFormOfMethodHybrid) {
    for (const double sigma2 : {0.0, 0.1}) {
        SCOPED_TRACE(sigma2);
        const Cycle exact = limit_cycle(hybrid_setup(Method::hybrid, sigma2)),
                    shot = limit_cycle(hybrid_setup(Method::adaptive, sigma2));
        ASSERT_TRUE(exact.exists && shot.exists);
        EXPECT_NEAR(shot.period, exact.period, 1e-9);
        EXPECT_NEAR(shot.amplitude, exact.amplitude, 1e-9);
        EXPECT_NEAR(shot.fastest, exact.fastest, 1e-9);
        EXPECT_NEAR(shot.energy, exact.energy, 1e-9);
        EXPECT_NEAR(shot.stick_fraction, exact.stick_fraction, 1e-9);
        // stick ends at the same state from every start: the multiplier is 0
        ASSERT_EQ(shot.multipliers.size(), 1u);
        EXPECT_NEAR(std::abs(shot.multipliers[0]), 0, 1e-9);  // error of the differences of the guard
    }
    EXPECT_FALSE(limit_cycle(hybrid_setup(Method::hybrid, 2.0)).exists);
}

// sigma0 -> infinity and vs -> 0 with k vp/sigma0 << vs.
TEST(Cycle, OfLuGreConvergesToMethodHybridWithOrderTwoThirds) {
    const Cycle exact = limit_cycle(hybrid_setup(Method::hybrid, 0));
    double before[2]{}, order[2]{};
    for (int i = 0; i < 4; ++i) {
        const double scale = std::pow(0.25, i);
        AnyLuGre law;
        law.sigma0 = 1e5 / (scale * scale);
        law.sigma1 = std::sqrt(law.sigma0);  // half of critical in stick
        law.sigma2 = law.sigma2_negative = 0;
        law.curve.stribeck.positive = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-2 * scale};
        bristle::Setup setup = hybrid_setup(Method::adaptive, 0);
        setup.law = law;
        const Cycle cycle = limit_cycle(setup);
        ASSERT_TRUE(cycle.exists);
        const double error[2] = {std::abs(cycle.period - exact.period) / exact.period,
                                 std::abs(cycle.amplitude - exact.amplitude) / exact.amplitude};
        for (int k = 0; k < 2; ++k) {
            if (i > 0) order[k] = std::log(before[k] / error[k]) / std::log(4);
            before[k] = error[k];
        }
        std::printf("vs %.3g m/s, sigma0 %.3g N/m: period %.3g, amplitude %.3g off; orders %.2f %.2f\n", 1e-2 * scale,
                    law.sigma0, error[0], error[1], order[0], order[1]);
    }
    EXPECT_LT(before[0], 3e-3);
    // Breakaway is a slow passage through the maximum of the curve, a fold: its delay has the order 2/3.
    for (const double p : order) EXPECT_NEAR(p, 2.0 / 3, 0.04);
}

// ---- multipliers ---------------------------------------------------------------------------------------------------

// The return map to the plane of constant position, by the flow without sensitivities.
std::vector<double> returned(const Flow& flow, const std::vector<double>& y, double period) {
    double t = period;
    FlowResult end;
    std::vector<double> f;
    for (int i = 0; i < 6; ++i) {
        flow.run(y, t, false, end);
        flow.rates(end.y, f);
        t -= (end.y[0] - y[0]) / f[0];
    }
    flow.run(y, t, false, end);
    return end.y;
}

// Multipliers do not depend on the section: here it is a plane of constant position, in shooting that of maximum slip.
void compare_multipliers(const bristle::Setup& setup, const Cycle& cycle) {
    ASSERT_TRUE(cycle.exists);
    const auto flow = flow_of(setup, 1e-12);
    const std::vector<double> y = flow->placed(cycle.state);
    const std::size_t n = y.size(), m = n - 1;
    std::vector<double> map(m * m);
    for (std::size_t j = 0; j < m; ++j) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const double x : cycle.states[j + 1]) low = std::min(low, x), high = std::max(high, x);
        const double d = 1e-5 * (high - low);
        // differences of fourth order: near a fold the map is strongly curved
        for (const auto& [at, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
            auto moved = y;
            moved[j + 1] += at * d;
            const auto end = returned(*flow, moved, cycle.period);
            for (std::size_t i = 0; i < m; ++i) map[i * m + j] += weight * end[i + 1] / (12 * d);
        }
    }
    auto expected = numerics::eigenvalues(map, m);
    std::sort(expected.begin(), expected.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
    ASSERT_EQ(expected.size(), cycle.multipliers.size());
    for (std::size_t i = 0; i < m; ++i) {
        EXPECT_NEAR(std::abs(expected[i] - cycle.multipliers[i]), 0, 1e-5) << i;
        std::printf("multiplier %zu: %.8g, by differences %.8g\n", i, cycle.multipliers[i].real(), expected[i].real());
    }
}

TEST(Cycle, MultipliersEqualDifferencesOfTheReturnMap) {
    if (test::sanitized) GTEST_SKIP() << "a test of accuracy";
    for (const char* id : {"astrom2008/fig4", "benitez2005/fig4", "benitez2005/fig5"}) {
        SCOPED_TRACE(id);
        compare_multipliers(shipped_setup(id), limit_cycle(shipped_setup(id)));
    }
    // close to the fold one multiplier is close to 1
    const auto near_fold = shipped_setup("astrom2008/fig6_b", {{"law.sigma2", "0.22013"}});
    compare_multipliers(near_fold, limit_cycle(near_fold));
}

TEST(Cycle, UnstableOneIsFoundFromAGuess) {
    // sigma2 = 0.04: stick-slip and steady sliding are both stable. The guess is half way between them.
    const auto setup = shipped_setup("astrom2008/fig6_b", {{"law.sigma2", "0.04"}});
    const Cycle stable = limit_cycle(setup);
    ASSERT_TRUE(stable.exists && stable.stable);
    const Cycle cycle = cycle_near(setup, {1.55, 3.79, 0.001}, 4.4449);
    ASSERT_TRUE(cycle.exists) << name_of(cycle.reason);
    EXPECT_FALSE(cycle.stable);
    EXPECT_LT(cycle.amplitude, stable.amplitude);
    EXPECT_EQ(cycle.stick_fraction, 0);
    compare_multipliers(setup, cycle);
    // from 1 % inside and outside the motion ends in the two attractors
    const auto names = state_names(setup.law, setup.rig);
    for (const double factor : {0.99, 1.01}) {
        auto start = setup;
        const std::vector<double> steady = {(2.94 + 0.04 * 2) / 2, 2, 0.001};
        for (std::size_t i = 0; i < 3; ++i)
            start.start[names[i].name] = steady[i] + factor * (cycle.state[i] - steady[i]);
        EXPECT_EQ(ends_in_stick_slip(start), factor > 1) << factor;
    }
}

}  // namespace
}  // namespace bristle::analysis
