// Parts of a machine in reports: units, states, energies, figure.
#include "report/run/machine_parts.hpp"
#include "report/run/quantity.hpp"
#include "report/run/result_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::report {
namespace {

// A rotary motor with friction drives a linear carriage with friction; a belt drags the carriage.
const char* const mixed = R"(title = "Mixed"
[[body]]
name = "motor"
units = "rotary"
inertia = 1e-3
[[body]]
name = "carriage"
mass = 2.0
[[motion]]
name = "belt"
kind = "constant"
value = 0.1
[[motion]]
name = "shaker"
quantity = "displacement"
kind = "sine"
amplitude = 0.01
frequency = 2.0
[[spring]]
name = "k"
first = "carriage"
second = "shaker"
stiffness = 10.0
[[contact]]
name = "bearing"
first = "motor"
[contact.law]
kind = "maxwell_slip"
k = [10.0, 5.0]
nu = [0.7, 0.3]
C = 20.0
Fc = 0.2
Fs = 0.3
vs = 0.1
[[contact]]
name = "pad"
first = "carriage"
second = "belt"
[contact.law]
kind = "lugre"
sigma0 = 1e4
sigma1 = 50.0
Fc = 1.0
Fs = 1.5
vs = 1e-2
[[force]]
name = "torque"
body = "motor"
kind = "sine"
amplitude = 1.0
omega = 6.0
[run]
duration = 0.5
samples = 11
)";

Outcome outcome_of(const std::string& text, const std::vector<experiment::Override>& varied = {}) {
    Outcome out{experiment::read(text, "mixed.toml", {}, varied), varied, varied, {}, {}};
    out.result = simulate(out.experiment);
    EXPECT_EQ(out.result.status, Status::done) << out.result.message;
    return out;
}

TEST(MachineParts, KeysHaveTheUnitsOfTheirPart) {
    const auto e = experiment::read(mixed, "mixed.toml");
    const std::pair<const char*, const char*> units[] = {
        {"body.motor.inertia", "kg m²"},   {"body.motor.v", "rad/s"},
        {"body.carriage.mass", "kg"},      {"body.carriage.force", "N"},
        {"motion.belt.value", "m/s"},      {"motion.shaker.amplitude", "m"},
        {"motion.shaker.frequency", "Hz"}, {"spring.k.stiffness", "N/m"},
        {"contact.pad.law.sigma0", "N/m"}, {"contact.pad.law.vs", "m/s"},
        {"contact.bearing.law.Fc", "N m"}, {"contact.bearing.load", "N m"},
        {"force.torque.amplitude", "N m"}, {"run.duration", "s"}};
    for (const auto& [key, unit] : units) EXPECT_EQ(unit_of_key(e, key), unit) << key;
    EXPECT_EQ(unit_of_measure(e, "max", "motor.v"), "rad/s");
    EXPECT_EQ(unit_of_measure(e, "stick_begin"), "s");
}

// A rotary axis under a cascade, with a linear carriage beside it.
const char* const servo = R"(title = "Servo"
[[body]]
name = "axis"
units = "rotary"
inertia = 1e-3
[[body]]
name = "cart"
mass = 1.0
[[spring]]
name = "shaft"
first = "axis"
stiffness = 1.0
[[spring]]
name = "k"
first = "cart"
stiffness = 1.0
[[motor]]
name = "motor"
body = "axis"
limit = 1.0
lag = 1e-3
[[motor]]
name = "coil"
body = "cart"
[[controller]]
name = "servo"
motor = "motor"
kind = "cascade"
Kx = 5.0
Kv = 0.1
Ki = 1.0
limit = 2.0
[controller.reference]
kind = "moves"
points = [[0.1, 1.0]]
speed = 10.0
acceleration = 100.0
jerk = 1e4
[[controller]]
name = "pid"
motor = "coil"
Kp = 5.0
Ki = 1.0
reference = 0.1
[run]
duration = 0.2
samples = 11
)";
// Oracle: a torque in N m, an angle in rad; u = Kv (Kx e - v), dI/dt = Ki (Kx e - v); u = Kp e + I, dI/dt = Ki e of the linear axis.
TEST(MachineParts, KeysOfMotorsAndControllersHaveTheirUnits) {
    const auto e = experiment::read(servo, "servo.toml");
    const std::pair<const char*, const char*> units[] = {{"body[1].inertia", "kg m²"},
                                                         {"body[2].mass", "kg"},
                                                         {"spring.shaft.stiffness", "N m/rad"},
                                                         {"spring.shaft.gap", "rad"},
                                                         {"spring[2].stiffness", "N/m"},
                                                         {"motor.motor.limit", "N m"},
                                                         {"motor.motor.gain", "N m"},
                                                         {"motor.motor.lag", "s"},
                                                         {"motor.coil.command", "N"},
                                                         {"controller.servo.Kx", "1/s"},
                                                         {"controller.servo.Kv", "N m s/rad"},
                                                         {"controller.servo.Ki", "N m/rad"},
                                                         {"controller.servo.limit", "N m"},
                                                         {"controller.servo.speed_limit", "rad/s"},
                                                         {"controller.servo.reference.speed", "rad/s"},
                                                         {"controller.servo.reference.acceleration", "rad/s²"},
                                                         {"controller.servo.reference.amplitude", "rad"},
                                                         {"controller.servo.reference.frequency", "Hz"},
                                                         {"controller.pid.reference", "m"},
                                                         {"controller.pid.Kp", "N/m"},
                                                         {"controller[2].Ki", "N/(m s)"},
                                                         {"controller.pid.inertia", "kg"},
                                                         {"controller.nobody.Ki", ""},
                                                         {"controller.pid.colour", ""}};
    for (const auto& [key, unit] : units) EXPECT_EQ(unit_of_key(e, key), unit) << key;
}

TEST(MachineParts, SummaryCountsMotorsAndControllers) {
    const std::string text = parts_in_words(*experiment::read(servo, "servo.toml").machine);
    EXPECT_EQ(text, "2 bodies, 2 springs, 2 motors, 2 controllers");
}

TEST(MachineParts, StatesAreThoseOfBodiesAndContacts) {
    std::vector<std::string> names;
    for (const Named& state : states_of(experiment::read(mixed, "mixed.toml"))) names.push_back(state.name);
    EXPECT_EQ(names, (std::vector<std::string>{"motor.x", "motor.v", "carriage.x", "carriage.v", "bearing.F1",
                                               "bearing.F2", "pad.z"}));
}

TEST(MachineParts, SummaryNamesPartsAndEnergies) {
    const Outcome out = outcome_of(mixed);
    const std::string text = summary(out);
    for (const char* words :
         {"2 bodies, 2 motions, 1 spring, 2 contacts (maxwell_slip, lugre), 1 force, 0.5 s, adaptive", "supplied   ",
          "torque ", "dissipated bearing "})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    EXPECT_EQ(energy_by_part(Energy{})[0].second, "");
}

// Signals of one unit share a panel: two units of positions, velocities and forces; at most four lines.
TEST(MachineFigure, HasAPanelForEachUnitAndNamesTheParts) {
    const Figure figure = figure_of({outcome_of(mixed)});
    ASSERT_EQ(figure.panels.size(), 7u);
    std::vector<std::string> names;
    for (const Series& series : figure.panels[1].series) names.push_back(series.name);
    EXPECT_EQ(names, (std::vector<std::string>{"carriage", "belt", "shaker"}));
    EXPECT_EQ(labelled(figure.panels[0].y_label), "x of motor [rad]");
    EXPECT_EQ(labelled(figure.panels[3].y_label), "velocity v [m/s]");
    EXPECT_EQ(figure.panels[6].y_label.name, "F of bearing");
    for (const Panel& panel : figure.panels) EXPECT_LE(panel.series.size(), 4u);
}

TEST(MachineFigure, SeveralRunsShowOneSignalOfEachKindWithTheValues) {
    std::vector<Outcome> runs;
    for (const char* value : {"1e-3", "2e-3"}) runs.push_back(outcome_of(mixed, {{"body.motor.inertia", value}}));
    const Figure figure = figure_of(runs);
    ASSERT_EQ(figure.panels.size(), 4u);
    for (const Panel& panel : figure.panels) {
        ASSERT_EQ(panel.series.size(), 2u);
        EXPECT_EQ(panel.series[1].name, "inertia = 2e-3 kg m²");
    }
}

TEST(MachineFigure, TitleNamesTheChangesAsThatOfARig) {
    Outcome run = outcome_of(mixed, {{"body.motor.inertia", "2e-3"}});
    EXPECT_EQ(figure_of({run}).title, "Mixed");  // the lines are labelled with it
    run.varied.clear();
    EXPECT_EQ(figure_of({run}).title, "Mixed, body.motor.inertia = 2e-3 kg m²");
}

TEST(MachineFigure, OfAMachineWithoutContactsHasNoPanelOfFriction) {
    const Figure figure = figure_of({outcome_of(
        "[[body]]\nname = \"a\"\nmass = 1.0\nx = 0.1\n[[spring]]\nname = \"k\"\nfirst = \"a\"\nstiffness = 4.0\n"
        "[run]\nduration = 1.0\nsamples = 11\n")});
    EXPECT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.layout, Layout::stacked);
}

// Oracle: the rows are those of the ledger; what no method removed has no row.
TEST(MachineParts, EnergyThatTheMethodRemovesFromABodyHasARowOfItsOwn) {
    Energy energy;
    energy.scale = 1;
    energy.parts = {{.name = "axis", .received = 0.5, .numerical = 0.5}};
    const auto rows = energy_by_part(energy);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_STREQ(rows.back().first, "numerical");
    EXPECT_EQ(rows.back().second, "axis 0.5 J");
    energy.parts[0].numerical = 0;
    EXPECT_EQ(energy_by_part(energy).size(), 3u);
}

}  // namespace
}  // namespace bristle::report
