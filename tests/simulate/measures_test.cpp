// Measures of a run, on motions whose measures are known in closed form.
#include <gtest/gtest.h>

#include "cases.hpp"

namespace bristle::inline simulation {
namespace {

bristle::Setup hybrid() {
    bristle::Setup s = coulomb(2.94, 5.88, PulledSpring{1, 2, 2});
    s.run = {.duration = 40, .method = Method::hybrid, .samples = 4001, .stick_speed = 0.1};
    return s;
}

TEST(Measures, PeriodAmplitudeAndPeaksOfTheHybridCycleEqualTheClosedForm) {
    // oracle: A08 (S8), a circle about (lc, vp) in l and v sqrt(m/k), from ls = Fs/k
    const Result r = simulate(hybrid());
    const double lc = 1.47, ls = 2.94, radius = std::hypot(ls - lc, 2 / std::sqrt(2.0)), gap = 2.94;
    const double period = 2 * gap / 4 + std::sqrt(0.5) * (M_PI + 2 * std::atan(2 * std::sqrt(2.0) / gap));
    EXPECT_NEAR(*r.measures.period, period, 1e-11);
    EXPECT_NEAR(r.measures.max.at("v"), 2 + radius * std::sqrt(2.0), 1e-5);
    EXPECT_NEAR(r.measures.max.at("elongation"), lc + radius, 1e-5);
    EXPECT_NEAR(r.measures.min.at("elongation"), lc - radius, 1e-5);
    EXPECT_NEAR(*r.measures.amplitude, radius, 1e-4);  // from samples
    EXPECT_EQ(r.measures.max.at("F"), 5.88);
    // at half the time the cycle is in another phase: on average the mass has the speed of the puller
    EXPECT_NEAR(*r.measures.drift, 2 * 20, 2 * radius);
    EXPECT_EQ(r.measures.drift, r.signal("x")->values.back() - r.signal("x")->values[2000]);
}

TEST(Measures, StickEventsOccurWhereTheSpeedPassesTheLimit) {
    const Result r = simulate(hybrid());
    // oracle: from rest held until k vp t = Fs, then v = vp (1 - cos wt) + (Fs - Fc)/(m w) sin wt reaches 0.1 m/s
    const double w = std::sqrt(2.0), start = 5.88 / 4;
    const auto v = [&](double t) { return 2 * (1 - std::cos(w * t)) + 2.94 / w * std::sin(w * t); };
    double a = 0, b = 0.1;
    for (int i = 0; i < 60; ++i) (v(0.5 * (a + b)) < 0.1 ? a : b) = 0.5 * (a + b);
    EXPECT_NEAR(r.measures.stick_end.at(0), start + a, 1e-12);
    EXPECT_GT(r.measures.stick_begin.at(0), r.measures.stick_end.at(0));  // stick at t = 0 is not an event
    double before = 0;
    for (const Event& event : r.events) {
        EXPECT_GE(event.t, before);
        before = event.t;
    }
    long zeros = 0;
    for (const Event& event : r.events) zeros += event.kind == Event::Kind::v_zero;
    EXPECT_EQ(zeros, long(r.measures.stick_begin.size()));  // a slip stops once
}

TEST(Measures, BreakawayForceOfACoulombMassEqualsFs) {
    bristle::Setup s = coulomb(1, 1.5, ForcedMass{1});
    s.input = Input::ramps({{0, 0}, {10, 5}});
    s.run = {.duration = 10, .rtol = 1e-9, .atol = 1e-9, .stick_speed = 1e-3};
    const Result r = simulate(s);
    EXPECT_NEAR(*r.measures.breakaway_force, 1.5, 1e-8);
    // then (0.5 N/s) t - Fc acts from t = 3 s on: v = (t - 3)^2/4 + (t - 3)/2
    EXPECT_NEAR(r.measures.final.at("v"), 49.0 / 4 + 3.5, 1e-7);
    EXPECT_NEAR(r.measures.stick_end.at(0), 3 + std::sqrt(1 + 4e-3) - 1, 1e-7);
    EXPECT_FALSE(r.measures.amplitude_decay);
    EXPECT_FALSE(r.measures.loop_area);
    s.start["v"] = 1;  // it slides from the start: no breakaway
    EXPECT_FALSE(simulate(s).measures.breakaway_force);
}

TEST(Measures, LoopAreaOfDahlEqualsTheClosedForm) {
    // oracle: N13 (29) and N13 (30) with g = Fc: (2 Fc^2/sigma0) (c - 2 tanh(c/2)), c = sigma0 (umax - umin)/Fc
    bristle::Setup s;
    s.law = Dahl{.sigma0 = 1e5, .Fc = 1};
    s.rig = Prescribed{};
    s.input = Input::sine(0, 2e-5, 2 * M_PI, 0.3);
    s.rig = Prescribed{Quantity::displacement};
    s.run = {.duration = 5, .rtol = 1e-10, .atol = 1e-10};
    const double c = 1e5 * 4e-5, area = 2 / 1e5 * (c - 2 * std::tanh(c / 2));
    EXPECT_NEAR(*simulate(s).measures.loop_area, area, 1e-8 * area);
    s.input = Input::sine(0, 2e-5, 0.5, 0.3);  // its period is longer than the run: no last period
    EXPECT_FALSE(simulate(s).measures.loop_area);
}

TEST(Measures, AmplitudeOfACoulombOscillatorFallsBy4FcOverKPerPeriod) {
    // oracle: a mass on a spring (the servo without Kv and Ki), released at x = 1: reversals at 1 - 2 Fc/k, 1 - 4 Fc/k ...
    bristle::Setup s = coulomb(0.04, 0.04, PidServo{1, 0, 2, 0, 0});
    s.start["x"] = 1;
    s.run = {.duration = 25, .rtol = 1e-9, .atol = 1e-9, .samples = 5001};
    const Result r = simulate(s);
    EXPECT_NEAR(*r.measures.amplitude_decay, 4 * 0.04 / 2, 1e-7);
    EXPECT_NEAR(*r.measures.period, 2 * M_PI / std::sqrt(2.0), 1e-2);  // about the mean, which shifts as it decays
    EXPECT_TRUE(r.measures.stick_begin.empty());                       // no stick speed, no stick events
}

TEST(Measures, AMotionThatHasDiedOutHasNoPeriod) {
    // the same mass stops within 13 periods of 4.44 s, inside |x| < Fc/k
    bristle::Setup s = coulomb(0.04, 0.04, PidServo{1, 0, 2, 0, 0});
    s.start["x"] = 1;
    s.run = {.duration = 200, .samples = 5001};
    const Result r = simulate(s);
    EXPECT_LT(std::abs(r.measures.final.at("x")), 0.02);
    EXPECT_FALSE(r.measures.period);
    EXPECT_FALSE(r.measures.amplitude);
}

TEST(Measures, SamplesAreEvenAndTheLastIsTheEnd) {
    bristle::Setup s = rigs(c95_law("lugre"))[2].setup;
    s.run.samples = 7;
    for (const Method method : {Method::adaptive, Method::coupled}) {
        const Result r = simulate(with(s, method, method == Method::adaptive ? 1e-6 : 0.7e-3));
        const auto& t = r.signal("t")->values;
        ASSERT_EQ(t.size(), 7u);
        for (std::size_t i = 0; i < 7; ++i) EXPECT_DOUBLE_EQ(t[i], 2.0 * double(i));
        for (const Signal& signal : r.signals) {
            EXPECT_EQ(signal.values.back(), r.measures.final.at(signal.name));
            EXPECT_EQ(signal.values.size(), 7u);
        }
    }
}

TEST(Measures, LastSampleIsTheEndForEveryDuration) {
    bristle::Setup s = coulomb(1, 1.5, PulledSpring{1, 2, 0.1});
    for (int i = 1; i < 300; ++i) {  // t + (end - t) is not always the end
        s.run = {.duration = 0.01 * i, .samples = 3, .sample_times = {0.01 * i}};
        const Result r = simulate(s);
        ASSERT_EQ(r.signal("t")->values.size(), 3u) << s.run.duration;
        EXPECT_EQ(r.signal("elongation")->values.back(), r.measures.at.at(0.01 * i).at("elongation"));
    }
    // at rest: no drift, for every position of the corner at half time
    s.rig = ForcedMass{1};
    s.start["x"] = 1;
    for (int i = 1; i < 300; ++i) {
        s.input = Input::steps({{0, 0.5}, {0.005 * i, 0.4}});
        s.run = {.duration = 0.01 * i};
        EXPECT_EQ(*simulate(s).measures.drift, 0) << s.run.duration;
    }
}

TEST(Measures, StopWithoutReversalIsNotAMaximum) {
    bristle::Setup s = coulomb(1, 1, ForcedMass{1});
    s.input = Input::steps({{0, 2}, {1, 0}, {3, 2}, {4, 0}, {6, 2}, {7, 0}});
    s.run = {.duration = 10};
    EXPECT_FALSE(simulate(s).measures.amplitude_decay);
}

TEST(Names, SignalNamesEqualThoseOfTheResult) {
    for_each_law([](const auto& entry) {
        for (const auto& [name, setup] : rigs(c95_law(entry.kind))) {
            bristle::Setup s = setup;
            s.run.duration = 0.01;
            s.load = Input::sine(2, 1, 600, 0);
            const Result r = simulate(s);
            const auto names = signal_names(s.law, s.rig, s.load);
            ASSERT_EQ(names.size(), r.signals.size()) << name;
            for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i].name, r.signals[i].name);
            for (const Named& state : state_names(s.law, s.rig)) EXPECT_TRUE(r.signal(state.name)) << state.name;
        }
    });
}

TEST(Start, FirstSampleEqualsTheStart) {
    for_each_law([](const auto& entry) {
        for (const auto& [name, setup] : rigs(c95_law(entry.kind)))
            for (const Method method : {Method::adaptive, Method::coupled}) {
                bristle::Setup s = with(setup, method, method == Method::adaptive ? 1e-6 : 1e-3);
                s.run.duration = 0.01;
                double value = 1e-6;
                for (const Named& state : state_names(s.law, s.rig)) s.start[state.name] = value *= 1.5;
                const Result r = simulate(s);
                for (const auto& [state, at] : s.start)
                    EXPECT_EQ(r.signal(state)->values[0], at) << entry.kind << ' ' << name << ' ' << state;
            }
    });
}

}  // namespace
}  // namespace bristle::simulation
