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

TEST(Rotary, ProblemsHaveTheirUnitAndKindAsData) {
    const std::string text = R"(units = "rotary"
[law]
kind = "coulomb"
Fc = -1
[rig]
kind = "forced_mass"
mass = 2
[run]
duration = 2
)";
    const auto found = diagnostics_of(text);
    ASSERT_EQ(found.size(), 2u) << sentences(found);
    EXPECT_EQ(found[0].key, "law.Fc");
    EXPECT_EQ(found[0].kind, Diagnostic::Kind::broken);
    EXPECT_EQ(found[0].value, "-1");
    EXPECT_EQ(found[0].unit, "N m");
    EXPECT_EQ(found[1].key, "input");
    EXPECT_EQ(found[1].kind, Diagnostic::Kind::missing);
    EXPECT_TRUE(sentence(found[1]).starts_with("my.toml: input: is missing: the rig forced_mass needs a section"));
}

// A rule that reads like the sentence of a missing key is no description: its words stay.
TEST(Rotary, WordsOfARuleStay) {
    const Diagnostic broken{.place = "", .key = "", .rule = "is missing: a force in N"};
    EXPECT_EQ(with_rotary_units(broken).rule, "is missing: a force in N m");
    const Diagnostic missing{.place = "", .key = "", .rule = "a force in N", .kind = Diagnostic::Kind::missing};
    EXPECT_EQ(broken_rule(with_rotary_units(missing)), "is missing: a torque in N m");
    const Diagnostic text{.place = "", .key = "", .rule = "", .value = "2 m of text"};
    EXPECT_EQ(with_rotary_units(text).value, "2 m of text");
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
