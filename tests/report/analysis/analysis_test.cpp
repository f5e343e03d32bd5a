// Sentences of analysis reports: kind and extent of equilibria, source and end of cycles. The numbers behind them are tested
// in tests/analyse.
#include "report/analysis/analysis.hpp"

#include <gtest/gtest.h>

#include "../../support/defaults.hpp"
#include "experiment/experiment.hpp"

namespace bristle::report {
namespace {

experiment::Experiment shipped(const char* id, const std::vector<experiment::Override>& overrides = {}) {
    return experiment::read(std::string(experiment::find_shipped(id)->text), id, {}, overrides);
}

void expect_in(const std::string& text, const char* part) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(EquilibriumReport, GivesTheExtentOfTheSetOfAServo) {
    expect_in(equilibrium_report(shipped("benitez2005/fig5")).text,
              "the integral may have any value from -0.375 to 0.375 m s");
    expect_in(equilibrium_report(shipped("benitez2005/fig5", {{"rig.Ki", "0.0"}})).text,
              "x may have any value from 0.5 to 1.5 m\n");
}

TEST(EquilibriumReport, GivesTheExtentOfTheSetOfAPendulumInRadians) {
    constexpr const char* text = R"(
[law]
kind = "dahl"
sigma0 = 900.0
Fc = 1.0
[rig]
kind = "pendulum"
mass = 2.0
length = 0.5
gravity = 9.81
radius = 0.1
[run]
duration = 1.0
stick_speed = 1e-3
)";
    expect_in(equilibrium_report(experiment::read(text, "pendulum", {}, {})).text,
              "theta may have any value from -0.0101939 to 0.0101939 rad\n");
    expect_in(equilibrium_report(experiment::read(text, "pendulum", {}, {{"law.Fc", "100.0"}})).text,
              "so theta may have any value\n");
}

// A slide with a controller before the axis that hunts: positions in m and in rad.
experiment::Experiment slide_and_axis() {
    constexpr const char* text = R"(
[[body]]
name = "slide"
mass = 1.0
[[body]]
name = "axis"
inertia = 0.0012
units = "rotary"
[[contact]]
name = "bearing"
first = "axis"
[contact.law]
kind = "coulomb"
Fc = 0.1
[[motor]]
name = "coil"
body = "slide"
[[motor]]
name = "motor"
body = "axis"
[[controller]]
name = "first"
motor = "coil"
Kp = 1.0
reference = 1.0
[[controller]]
name = "servo"
motor = "motor"
Kp = 2.0
Ki = 10.0
reference = 1.0
[run]
duration = 1.0
)";
    return experiment::read(text, "two.toml", {}, {});
}
std::string limit_of_servo(const Limit& found) {
    const auto find = [&](double, double, const Progress&) { return found; };
    return limit_report(slide_and_axis(), find, {"controller.servo.Ki", 1, 1000, 10}, {}).text;
}

TEST(LimitReport, TheAmplitudeHasTheUnitOfTheControllerThatHunts) {
    Limit found{.outcome = LimitOutcome::found, .value = 48, .without = 47, .with = 49, .period = 0.6};
    found.amplitude = 0.02;
    found.controller = "servo";
    found.starts = 3;
    expect_in(limit_of_servo(found), "amplitude of the controlled body 20 mrad\n");
    expect_in(limit_of_servo(found), "the motions from three starts settle\n");
    found.controller = "first";
    expect_in(limit_of_servo(found), "amplitude of the controlled body 20 mm\n");
}

TEST(LimitReport, AnUndecidedMachineIsNotSentToACycle) {
    const Limit undecided{.outcome = LimitOutcome::undecided, .lowest = 1, .highest = 80, .settles = Window{1, 20}};
    const std::string text = limit_of_servo(undecided);
    expect_in(text, "the motions settle at values from 1");
    expect_in(text, "a longer run.duration\n");
    EXPECT_EQ(text.find("--cycle"), std::string::npos) << text;
}

TEST(Defaults, PointEventAndStoreAreZero) {
    const auto point = test::default_constructed<Point>();
    EXPECT_EQ(point.t, 0);
    EXPECT_EQ(point.value, 0);
    const auto event = test::default_constructed<Event>();
    EXPECT_EQ(event.t, 0);
    EXPECT_EQ(event.kind, Event::Kind::v_zero);
    const auto store = test::default_constructed<Energy::Store>();
    EXPECT_EQ(store.start, 0);
    EXPECT_EQ(store.end, 0);
}

TEST(Defaults, ClaimAndKnobAreZero) {
    const auto claim = test::default_constructed<experiment::Claim>();
    EXPECT_EQ(claim.low, 0);
    EXPECT_EQ(claim.high, 0);
    const auto knob = test::default_constructed<Knob>();
    EXPECT_EQ(knob.from, 0);
    EXPECT_EQ(knob.to, 0);
    EXPECT_EQ(knob.start, 0);
}

TEST(CycleReport, GivesTheSourceOrTheReason) {
    expect_in(cycle_report(shipped("benitez2005/fig4"), {}).json.dump(),
              R"("message":"found from the start of the file")");
    expect_in(cycle_report(shipped("astrom2008/fig_s2"), {}).json.dump(),
              R"("message":"in closed form, from the end of stick")");
    expect_in(cycle_report(shipped("benitez2005/fig5", {{"rig.Ki", "30.0"}}), {}).json.dump(),
              R"("message":"no limit cycle found: the speed grows without bound)");
    EXPECT_THROW(cycle_report(shipped("benitez2005/fig4"), [](double) { return false; }), Cancelled);
}

TEST(BranchReport, GivesTheEndsOfTheBranchOrTheReason) {
    const Knob knob{"rig.velocity", 0.09, 0.11, 0.1};
    const auto speed = [](const char* id) { return family_of(shipped(id).setup, "rig.velocity"); };
    const std::string text = branch_report(shipped("benitez2005/fig4"), speed("benitez2005/fig4"), knob, {}).text;
    expect_in(text, "the branch leaves the window at velocity = 0.09 m/s");
    expect_in(text, "the branch leaves the window at velocity = 0.11 m/s");
    const Json json = branch_report(shipped("benitez2005/fig4"), speed("benitez2005/fig4"), knob, {}).json;
    EXPECT_EQ(json.at("reason").dump(), R"({"equilibrium":null,"cycle":null})");
    ASSERT_EQ(json.at("ends").size(), 4u);
    for (const Json& end : json.at("ends")) EXPECT_EQ(end.at("kind"), "window") << end;
    const Analysis none =
        branch_report(shipped("benitez2005/fig4_hysteretic"), speed("benitez2005/fig4_hysteretic"), knob, {});
    expect_in(none.text, "cycle: no continuation: the force of this law jumps at maximum slip");
    EXPECT_EQ(none.json.at("reason").at("cycle"), "jump_on_section");
    const Family driven = [&](double v) {
        bristle::Setup setup = speed("benitez2005/fig4")(v);
        setup.input = Input::sine(0, 1, 1, 0);
        return setup;
    };
    const Analysis moving = branch_report(shipped("benitez2005/fig4"), driven, knob, {});
    expect_in(moving.text, "equilibrium: the input changes with time, so there is no equilibrium");
    EXPECT_EQ(moving.json.at("reason").at("equilibrium"), "varying_input");
}

// Beyond the fold of A08 fig 6 at sigma2 = 0.2202 N s/m stick-slip ends.
TEST(BranchReport, GivesTheOutcomeOfTheSearchForAnExtinction) {
    const Knob knob{"law.sigma2", 0.19, 0.23, 0.2};
    const experiment::Experiment e = shipped("astrom2008/fig6_b");
    double before = 0;
    const Json json = branch_report(e, family_of(e.setup, "law.sigma2"), knob, [&](double fraction) {
                          EXPECT_GE(fraction, before) << "progress of the whole does not decrease";
                          before = fraction;
                          return true;
                      }).json;
    EXPECT_GT(before, 0.8);
    ASSERT_FALSE(json.at("extinction_searches").empty());
    EXPECT_EQ(json.at("extinction_searches").back().at("outcome"), "found");
    EXPECT_EQ(json.at("extinction_searches").back().at("toward"), 0.23);
    EXPECT_EQ(json.at("extinctions").size(), 1u);
}

}  // namespace
}  // namespace bristle::report
