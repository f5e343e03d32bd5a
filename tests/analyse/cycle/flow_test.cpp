// Motions with sensitivities. Oracles: simulate() for the motion, finite differences for its derivatives.
#include "analyse/cycle/flow.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include "../../simulate/cases.hpp"

namespace bristle::inline analysis {
using namespace cycle;
namespace {

using Values = std::vector<double>;

bristle::Setup setup_of(std::string_view kind, const Rig& rig) {
    bristle::Setup setup;
    setup.law = c95_law(kind);
    setup.rig = rig;
    setup.run.duration = 1;
    return setup;
}

struct Case {
    std::string name;
    bristle::Setup setup;
    Values start;     // q, v, contact states ..., integral
    double duration;  // s; includes stops, stick and reversals
};
// Every law on every rig that can have a cycle.
std::vector<Case> cases() {
    std::vector<Case> out;
    for_each_law([&](const auto& entry) {
        const auto size = [&](const bristle::Setup& s) { return flow_of(s, 1e-6)->size(); };
        const auto add = [&](const char* rig_name, const Rig& rig, double q, double v, double duration) {
            bristle::Setup setup = setup_of(entry.kind, rig);
            Values start(size(setup));
            start[0] = q;
            start[1] = v;
            if (start.size() > 2) start[2] = 1e-6;
            out.push_back({std::string(entry.kind) + " on " + rig_name, setup, start, duration});
        };
        add("pulled_spring", PulledSpring{1, 2, 0.1}, 0.6, 0.15, 3.0);
        add("pid_servo", PidServo{1, 6, 3, 4, 1}, 0.2, 0.4, 3.0);
        add("conveyor", Conveyor{1, 8, 9.81, 0.1, 0.5}, 0.1, -0.4, 1.5);
    });
    return out;
}

TEST(Flow, MotionEqualsTheSimulation) {
    for (Case c : cases()) {
        SCOPED_TRACE(c.name);
        // the start of the belt is not part of the flow
        if (auto* belt = std::get_if<Conveyor>(&c.setup.rig)) belt->belt_time = 1e-9;
        const auto flow = flow_of(c.setup, 1e-11);
        FlowResult end;
        ASSERT_EQ(flow->run(c.start, c.duration, true, end), Status::done);
        const auto names = state_names(c.setup.law, c.setup.rig);
        const Values start = flow->named(c.start.data()), states = flow->named(end.y.data());
        for (std::size_t i = 0; i < names.size(); ++i) c.setup.start[names[i].name] = start[i];
        c.setup.run.duration = c.duration;
        c.setup.run.rtol = c.setup.run.atol = 1e-11;
        const auto result = simulate(c.setup);
        ASSERT_EQ(result.status, Status::done);
        const Values sizes = flow->named(flow->nominal().data());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const double there = result.measures.final.at(names[i].name);
            EXPECT_NEAR(states[i], there, 1e-6 * (std::abs(there) + sizes[i])) << names[i].name;
        }
        EXPECT_NEAR(end.heat, result.energy.dissipated, 1e-6 * std::abs(result.energy.dissipated));
    }
}

// dy(T)/dy0 by central differences, one column.
Values difference(const Flow& flow, Values start, std::size_t j, double d, double duration) {
    FlowResult low, high;
    start[j] -= d;
    EXPECT_EQ(flow.run(start, duration, false, low), Status::done);
    start[j] += 2 * d;
    EXPECT_EQ(flow.run(start, duration, false, high), Status::done);
    for (std::size_t i = 0; i < high.y.size(); ++i) high.y[i] = (high.y[i] - low.y[i]) / (2 * d);
    return high.y;
}

TEST(Flow, SensitivitiesAgreeWithDifferencesThroughStopsAndSticks) {
    double worst = 0;
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const auto flow = flow_of(c.setup, 1e-11);
        const std::size_t n = flow->size();
        const Values sizes = flow->nominal();
        // in slip, after the first change of mode, and at the end
        for (const double fraction : {0.1, 0.3, 1.0}) {
            SCOPED_TRACE(fraction);
            FlowResult end;
            ASSERT_EQ(flow->run(c.start, fraction * c.duration, true, end), Status::done);
            for (std::size_t j = 0; j < std::min<std::size_t>(n, 4); ++j) {
                const double unit = std::max(sizes[j], 1e-2 * std::abs(c.start[j]));
                const Values column = difference(*flow, c.start, j, 1e-4 * unit, fraction * c.duration);
                for (std::size_t i = 0; i < n; ++i) {
                    // relative to the derivative, or to the size of the state per size of the start
                    const double scale = std::max(sizes[i], std::abs(end.y[i])) / unit;
                    const double error = std::abs(end.S[i * n + j] - column[i]) / std::max(scale, std::abs(column[i]));
                    worst = std::max(worst, error);
                    EXPECT_LT(error, 1e-4)
                        << "dy" << i << "/dy" << j << ": " << end.S[i * n + j] << " and " << column[i];
                }
            }
        }
    }
    std::printf("worst difference %.2g\n", worst);
}

TEST(Flow, SensitivitiesToParametersAgreeWithDifferences) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        // the load, on which begin and end of stick depend, and the mass of the rig
        const auto family = [&](double load, double mass) {
            bristle::Setup setup = c.setup;
            setup.load = Input::constant(load);
            setup.rig.parameters([&](const Parameter& p, double& x) {
                if (p.name == std::string_view("mass")) x = mass;
            });
            return setup;
        };
        constexpr double d = 1e-5;
        const auto flow =
            flow_of(family(1, 1), 1e-11,
                    {{family(1 - d, 1), family(1 + d, 1), 2 * d}, {family(1, 1 - d), family(1, 1 + d), 2 * d}});
        FlowResult end;
        ASSERT_EQ(flow->run(c.start, c.duration, true, end), Status::done);
        for (int k = 0; k < 2; ++k) {
            FlowResult low, high;
            const double e = 1e-5;
            flow_of(k == 0 ? family(1 - e, 1) : family(1, 1 - e), 1e-11)->run(c.start, c.duration, false, low);
            flow_of(k == 0 ? family(1 + e, 1) : family(1, 1 + e), 1e-11)->run(c.start, c.duration, false, high);
            for (std::size_t i = 0; i < flow->size(); ++i) {
                const double expected = (high.y[i] - low.y[i]) / (2 * e),
                             scale = std::max(flow->nominal()[i], std::abs(end.y[i]));
                EXPECT_NEAR(end.by[std::size_t(k)][i], expected, 1e-4 * std::max(scale, std::abs(expected)))
                    << k << " " << i;
            }
        }
    }
}

TEST(Flow, SensitivityOfTheVelocityIsZeroWhileAStaticLawSticks) {
    const Case c{"", setup_of("coulomb", PulledSpring{1, 2, 0.1}), {0.6, 0.5}, 3.0};
    const auto flow = flow_of(c.setup, 1e-10);
    FlowResult end;
    bool held = false;
    flow->run(c.start, c.duration, true, end, [&](const FlowStep& step) {
        held = step.held;
        return true;
    });
    ASSERT_TRUE(held);
    EXPECT_EQ(end.y[1], 0);
    EXPECT_EQ(end.S[2], 0);
    EXPECT_EQ(end.S[3], 0);
}

TEST(Flow, ThrowsForASetupWithoutAutonomousMotion) {
    EXPECT_THROW(flow_of(setup_of("lugre", ForcedMass{1}), 1e-6), Error);
    bristle::Setup changing = setup_of("lugre", PulledSpring{1, 2, 0.1});
    changing.load = Input::sine(1, 0.1, 1, 0);
    EXPECT_THROW(flow_of(changing, 1e-6), Error);
    const bristle::Setup lugre = setup_of("lugre", PulledSpring{1, 2, 0.1});
    bristle::Setup dahl = lugre;
    dahl.law = c95_law("dahl");
    EXPECT_THROW(flow_of(lugre, 1e-6, {{lugre, dahl, 1e-3}}), Error);
}

}  // namespace
}  // namespace bristle::analysis
