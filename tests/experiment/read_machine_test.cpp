// Machines in experiment files: parts with their values and units, every problem at its line, --set by the name of a part.
#include "experiment/varied_setup.hpp"
#include "reading.hpp"
#include "../support/temporary_folder.hpp"

#include <fstream>

namespace {

using namespace reading;

const std::string axis = R"(title = "Axis"
units = "rotary"
[[body]]
name = "motor"
inertia = 1e-4
v = 2.0
[[body]]
name = "pinion"
inertia = 2e-3
[[body]]
name = "load"
inertia = 0.25
force = -0.5
x = 0.1
[[gear]]
name = "gear"
driver = "motor"
driven = "pinion"
ratio = 20.0
[[spring]]
name = "shaft"
first = "pinion"
second = "load"
stiffness = 400.0
damping = 0.3
gap = 4e-3
rest = 0.2
[[motion]]
name = "belt"
kind = "ramps"
points = [[0.0, 0.0], [1.0, 3.0]]
x = 0.5
[[contact]]
name = "guide"
first = "load"
load = 3.0
start = [1e-5]
[contact.law]
kind = "dahl"
sigma0 = 100.0
Fc = 2.0
[[contact]]
name = "brake"
first = "belt"
second = "pinion"
load_spring = "shaft"
[contact.load]
kind = "sine"
offset = 2.0
amplitude = 0.5
omega = 6.0
[contact.law]
kind = "coulomb"
Fc = 0.4
Fs = 0.5
[[force]]
name = "torque"
body = "motor"
kind = "sine"
amplitude = 0.4
omega = 8.0
[run]
duration = 0.5
stick_speed = 0.01
)";

Machine machine_of(const std::string& text, const std::vector<Override>& overrides = {}) {
    return experiment_of(text, overrides).machine.value();
}

TEST(ReadMachine, GivesTheMachineThatIsBuiltInCpp) {
    const Machine built{
        .bodies = {{.name = "motor", .mass = 1e-4, .v = 2, .rotary = true},
                   {.name = "pinion", .mass = 2e-3, .rotary = true},
                   {.name = "load", .mass = 0.25, .force = -0.5, .x = 0.1, .rotary = true}},
        .motions = {{.name = "belt", .value = Input::ramps({{0, 0}, {1, 3}}), .x = 0.5, .rotary = true}},
        .springs = {{.name = "shaft",
                     .first = "pinion",
                     .second = "load",
                     .stiffness = 400,
                     .damping = 0.3,
                     .gap = 4e-3,
                     .rest = 0.2}},
        .gears = {{.name = "gear", .driver = "motor", .driven = "pinion", .ratio = 20}},
        .contacts = {{.name = "guide",
                      .first = "load",
                      .law = Dahl{.sigma0 = 100, .Fc = 2},
                      .load = Input::constant(3),
                      .start = {1e-5}},
                     {.name = "brake",
                      .first = "belt",
                      .second = "pinion",
                      .law = Coulomb{.curve = {.Fc = 0.4, .Fs = 0.5}},
                      .load = Input::sine(2, 0.5, 6, 0),
                      .load_spring = "shaft"}},
        .forces = {{.name = "torque", .body = "motor", .value = Input::sine(0, 0.4, 8, 0)}},
        .run = {.duration = 0.5, .stick_speed = 0.01}};
    const Experiment file = experiment_of(axis);
    const Result expected = simulate(built), found = simulate(file);
    ASSERT_EQ(found.status, Status::done) << found.message;
    ASSERT_EQ(found.signals.size(), expected.signals.size());
    const auto names = signal_names(file);
    ASSERT_EQ(names.size(), expected.signals.size());
    for (std::size_t i = 0; i < found.signals.size(); ++i) {
        EXPECT_EQ(found.signals[i].name, expected.signals[i].name);
        EXPECT_EQ(found.signals[i].unit, expected.signals[i].unit);
        EXPECT_EQ(found.signals[i].values, expected.signals[i].values) << found.signals[i].name;
        EXPECT_EQ(names[i].name, expected.signals[i].name);
        EXPECT_EQ(names[i].unit, expected.signals[i].unit);
    }
    EXPECT_EQ(found.events.size(), expected.events.size());
}

TEST(ReadMachine, UnitsOfAPartReplaceThoseOfTheFile) {
    const Machine m = machine_of(with(axis, "inertia = 1e-4", "units = \"linear\"\nmass = 1e-4"));
    EXPECT_FALSE(m.bodies[0].rotary);
    EXPECT_TRUE(m.bodies[1].rotary);
    EXPECT_TRUE(m.motions[0].rotary);
}

TEST(ReadMachine, SetChangesANumberOfAPartByNameOrNumber) {
    EXPECT_EQ(machine_of(axis, {{"body.motor.inertia", "2e-4"}}).bodies[0].mass, 2e-4);
    EXPECT_EQ(machine_of(axis, {{"body[3].inertia", "0.5"}}).bodies[2].mass, 0.5);
    EXPECT_EQ(machine_of(axis, {{"force.torque.frequency", "1"}}).forces[0].value.wave.omega,
              2 * 3.14159265358979323846);
    EXPECT_EQ(std::get<Dahl>(machine_of(axis, {{"contact.guide.law.Fc", "3"}}).contacts[0].law).Fc, 3);
    EXPECT_EQ(machine_of(axis, {{"contact.brake.load", "5"}}).contacts[1].load->piece(0).value(0.0), 5);
    EXPECT_EQ(machine_of(axis, {{"run.duration", "2"}}).run.duration, 2);
    const std::pair<Override, const char*> faults[] = {
        {{"body.motr.inertia", "1"},
         "body.motr.inertia: the file has no body of this name; it has motor, pinion, load"},
        {{"body[4].inertia", "1"}, "the file has no body of this name"},
        {{"body.motor", "1"}, "body.motor: lies in something that is not a section"},
        {{"body.motor.inertia", "-1"}, "--set: body.motor.inertia = -1 kg m^2: must be a finite number > 0"}};
    for (const auto& [change, text] : faults)
        EXPECT_NE(sentences(diagnostics_of(axis, {change})).find(text), std::string::npos)
            << sentences(diagnostics_of(axis, {change}));
}

// Oracle: sigma1 = 2 zeta sqrt(sigma0 m) - sigma2 with the inertia that moves with the load: both bodies of the gear, the motor's
// times the ratio squared. Tolerance: rounding.
TEST(ReadMachine, ZetaTakesTheInertiaBehindTheGear) {
    const std::string text = R"(units = "rotary"
[[body]]
name = "motor"
inertia = 1e-4
[[body]]
name = "load"
inertia = 0.02
[[gear]]
name = "gear"
driver = "motor"
driven = "load"
ratio = -10.0
[[contact]]
name = "bearing"
first = "load"
[contact.law]
kind = "lugre"
sigma0 = 50.0
zeta = 0.7
sigma2 = 0.1
Fc = 1.0
Fs = 1.2
vs = 0.1
[run]
duration = 1.0
)";
    const auto law = std::get<AnyLuGre>(machine_of(text).contacts[0].law);
    EXPECT_NEAR(law.sigma1, 2 * 0.7 * std::sqrt(50 * (0.02 + 100 * 1e-4)) - 0.1, 1e-14);
}

TEST(ReadMachine, ReportsEachFaultAtItsLine) {
    const Fault faults[] = {
        {"inertia = 1e-4", "inertia = -1.0", 5, "body.motor.inertia", "must be a finite number > 0"},
        {"inertia = 1e-4", "mass = 1e-4\ninertia = 1e-4", 5, "body.motor.mass", "must be given as inertia"},
        {"inertia = 1e-4", "mass = 1e-4", 5, "body.motor.mass", "must be given as inertia"},
        {"inertia = 1e-4\n", "", 3, "body.motor.inertia", "is missing"},
        {"name = \"torque\"", "name = \"tor.que\"", 56, "force[1]", "must not be t or contain a point"},
        {"name = \"torque\"", "name = \"guide\"", 56, "force.guide", "two parts have this name"},
        {"driven = \"pinion\"", "driven = \"nobody\"", 18, "gear.gear.driven", "there is no body \"nobody\""},
        {"ratio = 20.0", "ratio = 0.0", 19, "gear.gear.ratio", "must not be 0"},
        {"gap = 4e-3", "gap = -4e-3", 26, "spring.shaft.gap", "must be a finite number >= 0"},
        {"stiffness = 400.0\n", "", 20, "spring.shaft.stiffness", "is missing: stiffness, in N m/rad"},
        {"second = \"load\"\nstiff", "second = \"cart\"\nstiff", 23, "spring.shaft.second", "there is no \"cart\""},
        {"gap = 4e-3", "gab = 4e-3", 26, "spring.shaft.gab", "did you mean gap?"},
        {"[1.0, 3.0]", "[0.0, 3.0]", 31, "motion.belt.points[2]", "t must be larger"},
        {"load = 3.0", "load = 0.0", 36, "contact.guide.load", "must stay > 0 N"},
        {"start = [1e-5]", "start = [1e-5, 0.0]", 37, "contact.guide.start", "has 2 values"},
        {"kind = \"dahl\"", "kind = \"dahll\"", 39, "contact.guide.law.kind", "did you mean dahl?"},
        {"Fc = 2.0", "Fc = -2.0", 41, "contact.guide.law.Fc", "must be a finite number > 0"},
        {"Fc = 2.0", "Fc = 2.0\nload = 3.0", 42, "contact.guide.law.load", "move it to [[contact]]"},
        {"load_spring = \"shaft\"", "load_spring = \"shaf\"", 46, "contact.brake.load_spring", "there is no spring"},
        {"offset = 2.0", "offset = -2.0", 47, "contact.brake.load", "give the contact a load > 0 N too"},
        {"omega = 6.0", "omega = 6.0\nfrequency = 1.0", 51, "contact.brake.load.omega", "give one of the two"},
        {"body = \"motor\"", "body = \"belt\"", 58, "force.torque.body", "there is no body \"belt\""},
        {"stick_speed = 0.01", "method = \"explicit\"\nstep = 1e-3", 64, "run.method", "not available for machines"},
        {"stick_speed = 0.01", "method = \"coupled\"\nstep = -1e-3", 65, "run.step", "must be a finite number > 0"},
        {"stick_speed = 0.01", "method = \"coupled\"\nstep = 1e3", 65, "run.step", "must be <= run.duration"},
        {"[run]", "[rig]\nkind = \"forced_mass\"\n[run]", 62, "rig", "belongs to a file with one rig"},
        {"[run]", "[input]\nkind = \"constant\"\n[run]", 62, "input", "[[motion]], [[motor]] and [[controller]]"},
        {"[[gear]]", "[[gears]]", 15, "gears", "did you mean gear?"},
    };
    for (const Fault& fault : faults) {
        SCOPED_TRACE(std::string(fault.from) + " -> " + fault.to);
        const auto found = diagnostics_of(with(axis, fault.from, fault.to));
        const bool there = std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) {
            return d.line == fault.line && d.key == fault.key && broken_rule(d).find(fault.rule) != std::string::npos;
        });
        EXPECT_TRUE(there) << sentences(found);
        EXPECT_LE(found.size(), 2u) << sentences(found);
    }
}

// A servo whose command, reference and force come from csv files of one name.
class MachineCsv : public testing::Test {
  protected:
    std::string faults(const std::string& part, const std::string& header) {
        std::ofstream(folder.path() / "drive.csv") << header << "\n0,0\n1,0.5\n";
        return sentences(diagnostics_of(servo + part, {}, folder.path()));
    }
    const bristle::test::TemporaryFolder folder;
    const std::string servo = R"(units = "rotary"
[[body]]
name = "axis"
inertia = 1e-3
[[motor]]
name = "motor"
body = "axis"
[run]
duration = 1.0
)";
    const std::string reference = R"([[controller]]
name = "servo"
motor = "motor"
Kp = 1.0
[controller.reference]
kind = "csv"
file = "drive.csv"
)";
};

TEST_F(MachineCsv, AReferenceIsAnAngleOrAPosition) {
    EXPECT_EQ(faults(reference, "t [s],x [rad]"), "");
    EXPECT_EQ(faults(reference, "t [s],x [m]"), "");
    EXPECT_NE(faults(reference, "t [s],x [N]").find("the second column must be in [m] or [rad]"), std::string::npos);
}
TEST_F(MachineCsv, AForceStaysAForce) {
    const std::string force = "[[force]]\nname = \"F\"\nbody = \"axis\"\nkind = \"csv\"\nfile = \"drive.csv\"\n";
    EXPECT_EQ(faults(force, "t [s],F [N m]"), "");
    EXPECT_NE(faults(force, "t [s],x [rad]").find("the second column must be in [N] or [N m]"), std::string::npos);
}

// Rules of the library are at the key of the file: inertia for mass, the keys of an input in the section of its part.
TEST(ReadMachine, RulesOfTheLibraryAreAtTheKeyOfTheFile) {
    const Fault faults[] = {
        {"kind = \"ramps\"", "quantity = \"displacement\"\nkind = \"steps\"", 31, "motion.belt.kind",
         "a position cannot jump"},
        {"inertia = 2e-3", "inertia = 1e-310", 9, "body.pinion.inertia", "its inverse is not finite"},
        {"v = 2.0\n[[body]]\nname = \"pinion\"", "[[body]]\nname = \"pinion\"\nv = 1.0", 8, "body.pinion.v",
         "the gears give this body"},
        {"name = \"belt\"", "name = \"belt\"\nunits = \"linear\"", 43, "contact.brake",
         "of which one is rotary and one linear"}};
    for (const Fault& fault : faults) expect_fault(axis, fault);
}

TEST(ReadMachine, ReportsAllFaultsAtOnceAndNoneTwice) {
    std::string text = with(axis, "inertia = 1e-4", "inertia = 0.0");
    text = with(text, "stiffness = 400.0", "stiffness = -1.0");
    text = with(text, "Fc = 2.0", "Fc = -2.0");
    text = with(text, "duration = 0.5", "duration = -1.0");
    const auto found = diagnostics_of(text);
    std::vector<std::string> keys;
    for (const Diagnostic& one : found) keys.push_back(one.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"body.motor.inertia", "spring.shaft.stiffness", "contact.guide.law.Fc",
                                              "run.duration"}))
        << sentences(found);
}

TEST(ReadMachine, ReportsEveryProblemOfAPart) {
    std::string text = with(axis, "name = \"shaft\"", "name = \"sh.aft\"");
    text = with(text, "stiffness = 400.0", "stiffness = -1.0");
    text = with(text, "damping = 0.3", "damping = -1.0");
    const std::string found = sentences(diagnostics_of(text));
    for (const char* words :
         {"must not be t or contain a point", "spring[1].stiffness = -1 N m/rad", "spring[1].damping = -1"})
        EXPECT_NE(found.find(words), std::string::npos) << found;
}

const std::string claim = "[[claim]]\nmeasure = \"v_zero\"\npart = \"guide\"\nbetween = [0.0, 1.0]\n";

TEST(ReadMachine, ClaimsNameSignalsAndContacts) {
    EXPECT_EQ(experiment_of(axis + claim).claims[0].part, "guide");
    EXPECT_EQ(experiment_of(axis + "[[claim]]\nmeasure = \"max\"\nsignal = \"load.v\"\nbetween = [0.0, 1.0]\n")
                  .claims[0]
                  .signal,
              "load.v");
    const std::tuple<const char*, const char*, const char*> faults[] = {
        {"part = \"guide\"", "part = \"gide\"", "must be guide or brake; did you mean guide?"},
        {"part = \"guide\"\n", "", "part: is missing: one of guide or brake"},
        {"\"v_zero\"", "\"period\"", "is a measure of a rig with one contact"},
        {"part = \"guide\"", "signal = \"load.w\"", "signal"}};
    for (const auto& [from, to, rule] : faults)
        EXPECT_NE(sentences(diagnostics_of(with(axis + claim, from, to))).find(rule), std::string::npos)
            << sentences(diagnostics_of(with(axis + claim, from, to)));
    // dahl and coulomb have no Stribeck velocity
    const std::string stick = with(claim, "v_zero", "stick_begin");
    EXPECT_TRUE(diagnostics_of(axis + stick).empty());
    EXPECT_NE(sentences(diagnostics_of(with(axis, "stick_speed = 0.01\n", "") + stick))
                  .find("needs run.stick_speed [m/s], because dahl"),
              std::string::npos);
}

// The events of another contact do not count.
TEST(ReadMachine, EventsOfAClaimAreThoseOfItsContact) {
    const Experiment e = experiment_of(axis + claim);
    Result result;
    result.events = {{0.1, Event::Kind::v_zero, "brake"}, {0.2, Event::Kind::v_zero, "guide"}};
    EXPECT_EQ(judge(e, result)[0].measured, 0.2);
}

TEST(ReadMachine, HasNoSetup) {
    const Document document(axis, "my.toml");
    EXPECT_THROW(read_setup(document), Unreadable);
    EXPECT_TRUE(read_for_law(document).machine.has_value());
}

// A number of a part that all values share, one of the default units, and the number that varies.
TEST(VariedMachine, HasTheMachineOfTheFileWithItsNumberAndWithoutClaims) {
    const std::string value_claim =
        "[[claim]]\nmeasure = \"value\"\nsignal = \"load.v\"\ntime = 0.25\nbetween = [0.0, 1.0]\n";
    const VariedMachine varied(Document(axis + value_claim, "my.toml"), {"spring.shaft.stiffness"});
    const Machine machine = varied({123});
    EXPECT_EQ(machine.springs[0].stiffness, 123);
    EXPECT_EQ(machine.springs[0].damping, 0.3);
    EXPECT_TRUE(machine.bodies[0].rotary) << "units of the file";
    EXPECT_EQ(signal_names(machine).size(), signal_names(machine_of(axis)).size());
    EXPECT_FALSE(machine_of(axis + value_claim).run.sample_times.empty());
    EXPECT_TRUE(machine.run.sample_times.empty());
    EXPECT_THROW(varied({-1}), Error);
    EXPECT_EQ(varied({9}).springs[0].stiffness, 9) << "after a value that breaks a rule";
    EXPECT_THROW(read_machine_alone(Document("[law]\nkind = \"coulomb\"\nFc = 1\n" + driven_mass, "my.toml")),
                 Unreadable);
}

}  // namespace
