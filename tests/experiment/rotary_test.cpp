// Words and units of a rotary axis.
#include "experiment/rotary.hpp"
#include "reading.hpp"

namespace {

using namespace reading;

// Oracle: dimensions. A torque [N m] over an angle [rad], an angular velocity [rad/s] or an integral [rad s].
TEST(Rotary, UnitsAreThoseOfTorqueAndAngle) {
    EXPECT_EQ(rotary_unit("N/m"), "N m/rad");
    EXPECT_EQ(rotary_unit("N s/m"), "N m s/rad");
    EXPECT_EQ(rotary_unit("N/(m s)"), "N m/(rad s)");
    EXPECT_EQ(rotary_unit("kg"), "kg m^2");
    for (const char* same : {"s", "1", "J", "Hz", ""}) EXPECT_EQ(rotary_unit(same), same);
}

TEST(Rotary, WordsChangeInTextAndNotInNames) {
    EXPECT_EQ(rotary_words("A mass under a force; masses at every position"),
              "An inertia under a torque; inertias at every angle");
    EXPECT_EQ(rotary_words("a displacement must not jump"), "an angle must not jump");
    for (const char* name : {"rig.mass is 2", "mass = 2 kg", "kind = \"forced_mass\"", "breakaway_force", "enforced",
                             "--force COLUMN", "the column \"motor force [N m]\"", "data/force.csv"})
        EXPECT_EQ(rotary_words(name), name);
}

TEST(Rotary, ProblemsHaveRotaryWordsAndUnits) {
    const std::string servo = R"(units = "rotary"
[law]
kind = "coulomb"
Fc = -1
[rig]
kind = "pid_servo"
mass = -2
Kp = 3
Ki = -5
target = 1
[run]
duration = 2
)";
    const std::string found = sentences(diagnostics_of(servo));
    for (const char* text : {"law.Fc = -1 N m: ", "rig.mass = -2 kg m^2: ", "rig.Ki = -5 N m/(rad s): ",
                             "gain on the velocity, in N m s/rad; "})
        EXPECT_NE(found.find(text), std::string::npos) << found;
    EXPECT_NE(sentences(diagnostics_of(with(servo, "mass = -2\n", ""))).find("inertia that moves, in kg m^2; "),
              std::string::npos);
    EXPECT_NE(sentences(diagnostics_of(with(servo, "rotary", "linear"))).find("rig.Ki = -5 N/(m s): "),
              std::string::npos);
}

// The coordinate of a pendulum is an angle: its mass is in kg also on a rotary axis.
TEST(Rotary, APendulumKeepsItsUnits) {
    const std::string pendulum = R"(units = "rotary"
[law]
kind = "coulomb"
Fc = 1
[rig]
kind = "pendulum"
mass = -2
length = 1
gravity = 9.81
radius = 0.1
[run]
duration = 2
)";
    EXPECT_NE(sentences(diagnostics_of(pendulum)).find("rig.mass = -2 kg: "), std::string::npos);
}

}  // namespace
