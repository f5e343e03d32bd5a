// Tables of the parts of a machine, their units, and the rules made from them.
#include <bristle/simulate/machine_parameters.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace bristle::inline simulation {
namespace {

template <class Visit>
void for_each_row(Visit&& visit) {
    Machine one{.bodies = {{}},
                .motions = {{}},
                .springs = {{}},
                .gears = {{}},
                .contacts = {{}},
                .forces = {{}},
                .motors = {{}},
                .controllers = {{}, {.law = Cascade{}}}};
    for_each_list(one, [&](const PartKind& kind, auto& parts) {
        for (auto& part : parts) {
            parameters(part, [&](const PartParameter& p, double) { visit(kind, p); });
            signals(part, [&](const PartParameter& p, const Input*) { visit(kind, p); });
        }
    });
}

// Oracle: SI. N becomes N m, m becomes rad, kg becomes kg m^2; no other word changes.
TEST(PartParameters, RotaryUnitsAreThoseOfTorqueAngleAndInertia) {
    const std::map<std::string, std::string> words{{"N", "N m"}, {"m", "rad"}, {"kg", "kg m^2"}};
    int rows = 0;
    for_each_row([&](const PartKind& kind, const PartParameter& p) {
        std::string rotary, word;
        for (const char c : std::string(p.unit) + "\n") {
            if (std::isalpha(static_cast<unsigned char>(c))) {
                word += c;
                continue;
            }
            rotary += words.count(word) ? words.at(word) : word;
            word.clear();
            if (c != '\n') rotary += c;
        }
        EXPECT_EQ(p.rotary_unit, rotary) << kind.section << "." << p.name;
        ++rows;
    });
    EXPECT_EQ(rows, 40);
}

TEST(PartParameters, EachPartHasEachKeyOnceAndAPermittedDefaultOrNone) {
    Controller pid, cascade{.law = Cascade{}};
    for (Controller* controller : {&pid, &cascade}) {
        std::set<std::string> names;
        parameters(*controller, [&](const PartParameter& p, double x) {
            EXPECT_TRUE(names.insert(p.name).second) << p.name;
            EXPECT_TRUE(p.holds(x) || std::isnan(x)) << p.name;
        });
        EXPECT_EQ(names.size(), 10u);
    }
}

std::vector<std::string> with_signals(const Machine& machine) {
    std::vector<std::string> out;
    for (const Named& signal : signal_names(machine)) out.push_back(signal.name + " [" + signal.unit + "]");
    return out;
}
bool has(const std::vector<std::string>& all, const std::string& text) {
    for (const std::string& one : all)
        if (one.find(text) != one.npos) return true;
    return false;
}
std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += one + "\n";
    return text;
}

Coulomb dry() { return {.curve = {.Fc = 1, .Fs = 1}}; }

// A rotary motor drives a carriage by a rack; its controller measures the carriage.
Machine rack() {
    return {.bodies = {{.name = "motor", .mass = 1e-3, .rotary = true}, {.name = "carriage", .mass = 2}},
            .gears = {{.name = "rack", .driver = "motor", .driven = "carriage", .ratio = 50}},
            .contacts = {{.name = "rail", .first = "carriage", .law = dry()}},
            .motors = {{.name = "drive", .body = "motor"}},
            .controllers = {{.name = "servo",
                             .motor = "drive",
                             .sensor = "carriage",
                             .law = Pid{.Kp = 1},
                             .reference = Input::constant(0.1)}},
            .run = {.duration = 0.1}};
}

TEST(PartUnits, AGearMayJoinARotaryAndALinearBody) {
    const Machine machine = rack();
    EXPECT_TRUE(problems(machine).empty()) << joined(problems(machine));
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    EXPECT_NEAR(run.measures.final.at("motor.v"), 50 * run.measures.final.at("carriage.v"), 1e-12);
}

// The position of a linear body is compared with the reference: both in m. The command is a torque.
TEST(PartUnits, AReferenceHasTheUnitOfTheBodyThatIsMeasured) {
    const auto names = with_signals(rack());
    for (const char* signal : {"servo.r [m]", "servo.e [m]", "servo.u [N m]", "drive.F [N m]", "rail.F [N]"})
        EXPECT_TRUE(has(names, signal)) << signal << " is not in\n" << joined(names);
}

// Kp is a torque per metre: neither N/m nor N m/rad.
TEST(PartUnits, AGainBetweenTheKindsHasNeitherUnit) {
    Machine machine = rack();
    machine.controllers[0].law = Pid{.Kp = -1};
    EXPECT_EQ(problems(machine), std::vector<std::string>{"servo.Kp = -1: must be a finite number >= 0"});
    machine.controllers[0].sensor = "";
    EXPECT_EQ(problems(machine), std::vector<std::string>{"servo.Kp = -1 N m/rad: must be a finite number >= 0"});
}

TEST(PartUnits, SpringsAndContactsBetweenRotaryAndLinearPartsAreRefused) {
    Machine machine = rack();
    machine.springs = {{.name = "k", .first = "motor", .second = "carriage", .stiffness = 1}};
    machine.contacts.push_back({.name = "rub", .first = "belt", .second = "motor", .law = dry()});
    machine.motions = {{.name = "belt"}};
    const auto found = problems(machine);
    EXPECT_EQ(found.size(), 2u) << joined(found);
    EXPECT_TRUE(has(found, "k: connects \"motor\" and \"carriage\", of which one is rotary and one linear"));
    EXPECT_TRUE(has(found, "rub: connects \"belt\" and \"motor\", of which one is rotary and one linear"));
}

TEST(PartUnits, RulesHaveTheUnitsOfThePart) {
    Machine machine = rack();
    machine.springs = {{.name = "k", .first = "motor", .stiffness = -1, .damping = -2, .gap = -3},
                       {.name = "l", .first = "carriage", .stiffness = -1}};
    machine.motors[0].limit = -4;
    const auto found = problems(machine);
    for (const char* text : {"k.stiffness = -1 N m/rad", "k.damping = -2 N m s/rad", "k.gap = -3 rad",
                             "l.stiffness = -1 N/m", "drive.limit = -4 N m"})
        EXPECT_TRUE(has(found, text)) << text << " is not in\n" << joined(found);
}

// The place of a problem is not taken from text: the name of a part can contain a point.
TEST(BrokenRules, PlacesOfAPartWithAPointInItsName) {
    Machine machine{.bodies = {{.name = "a.b", .mass = -1, .force = 1}}, .run = {.duration = 1}};
    const auto found = broken_rules(machine);
    ASSERT_EQ(found.size(), 2u);
    for (const MachineProblem& problem : found) {
        EXPECT_EQ(problem.list, MachineMember::bodies);
        EXPECT_EQ(problem.part, "a.b");
    }
    EXPECT_EQ(found[0].key, "");
    EXPECT_EQ(found[1].key, "mass");
    EXPECT_EQ(sentence(found[1]), "a.b.mass = -1 kg: must be a finite number > 0");
}

TEST(BrokenRules, NameTheNumberOfALawOrAnInput) {
    Machine machine = rack();
    const double nan = std::nan("");
    machine.forces = {{.name = "u", .body = "motor", .value = Input::sine(0, nan, 1, 0)},
                      {.name = "w", .body = "carriage", .value = Input::ramps({{0, 0}, {0, 1}})}};
    machine.contacts[0].law = Coulomb{.curve = {.Fc = -1, .Fs = 1}};
    machine.run.sample_times = {0, -1};
    const auto found = broken_rules(machine);
    std::vector<std::string> sentences;
    for (const MachineProblem& problem : found) sentences.push_back(sentence(problem));
    ASSERT_EQ(found.size(), 4u) << joined(sentences);
    EXPECT_TRUE(has(sentences, "u.value.amplitude = nan N m: must be a finite number")) << joined(sentences);
    EXPECT_TRUE(has(sentences, "w.value.points[2]: t must be larger")) << joined(sentences);
    EXPECT_TRUE(has(sentences, "rail.law.Fc = -1 N: must be a finite number > 0")) << joined(sentences);
    EXPECT_TRUE(has(sentences, "run.sample_times[2] = -1 s: must be >= 0 s")) << joined(sentences);
    EXPECT_EQ(found[0].list, MachineMember::contacts);
    EXPECT_EQ(found[0].key + "|" + found[0].item, "law|Fc");
    EXPECT_EQ(found[2].index, 1u);
    EXPECT_EQ(found[2].key + "|" + found[2].item, "value|points[2]");
}

}  // namespace
}  // namespace bristle::simulation
