// Machines: equality with the rigs, closed forms, contacts that share a load, gears, gaps, and the rules of a machine.
#include <bristle/base/error.hpp>
#include <bristle/simulate/machine.hpp>
#include <gtest/gtest.h>
#include <algorithm>
#include <numbers>

#include "cases.hpp"

namespace bristle::inline simulation {
namespace {

// Returns the largest difference of two signals, as a fraction of the range of the second. The first sample is left out: the belt
// of the conveyor starts within it.
double difference(const Result& a, const std::string& name, const Result& b, const std::string& other) {
    const Signal *x = a.signal(name), *y = b.signal(other);
    if (!x || !y || x->values.size() != y->values.size()) return INFINITY;
    double worst = 0, low = INFINITY, high = -INFINITY;
    for (std::size_t i = 1; i < x->values.size(); ++i) {
        worst = std::max(worst, std::abs(x->values[i] - y->values[i]));
        low = std::min(low, y->values[i]);
        high = std::max(high, y->values[i]);
    }
    return worst / (high - low);
}
// Returns the largest residual of a part, as a fraction of the scale of the machine.
double largest_residual(const Result& run) {
    double worst = std::abs(run.energy.residual());
    for (const Energy::Part& part : run.energy.parts) worst = std::max(worst, std::abs(part.residual()));
    return worst / run.energy.scale;
}
double final_of(const Result& run, const std::string& name) { return run.measures.final.at(name); }
const Energy::Part& part_of(const Result& run, const std::string& name) {
    return *std::find_if(run.energy.parts.begin(), run.energy.parts.end(),
                         [&](auto& part) { return part.name == name; });
}
std::vector<double> times_of(const Result& run, const std::string& contact, Event::Kind kind) {
    std::vector<double> out;
    for (const Event& event : run.events)
        if (event.part == contact && event.kind == kind) out.push_back(event.t);
    return out;
}
bool mentions(const std::vector<std::string>& problems, const std::string& text) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& p) { return p.find(text) != std::string::npos; });
}

struct Pair {
    const char* name;
    bristle::Setup setup;
    Machine machine;
    const char *position, *same_position;  // in the rig, in the machine
};
// Every rig that is a machine, with the machine.
std::vector<Pair> pairs(const AnyLaw& law) {
    std::vector<Pair> out;
    const double rtol = kind_of(law) == "maxwell_slip" ? 1e-11 : 1e-9;
    const Run run{.rtol = rtol, .atol = rtol, .stick_speed = 1e-3};
    const auto add = [&](const char* name, const Rig& rig, double duration, const Input& input, Machine machine,
                         const char* position, const char* same_position) {
        bristle::Setup setup{.law = law, .rig = rig, .input = input, .run = run};
        setup.run.duration = duration;
        machine.run = setup.run;
        out.push_back({name, setup, machine, position, same_position});
    };
    const std::vector<Body> block{{.name = "block", .mass = 1}};
    const std::vector<ContactPart> foot{{.name = "foot", .first = "block", .law = law}};
    for (const Input& u : {Input::sine(0.2, 3, 3, 0), Input::steps({{0.5, 2}, {1, -1}, {2, 0.3}})})
        add("forced_mass", ForcedMass{1}, 3, u,
            {.bodies = block, .contacts = foot, .forces = {{.name = "u", .body = "block", .value = u}}}, "x",
            "block.x");
    add("pulled_spring", PulledSpring{1, 2, 0.1}, 12, Input::constant(0),
        {.bodies = block,
         .motions = {{.name = "puller", .value = Input::constant(0.1)}},
         .springs = {{.name = "k", .first = "puller", .second = "block", .stiffness = 2}},
         .contacts = foot},
        "elongation", "k.s");
    // a belt at once at its speed, nearly: the rig starts within 1e-9 s
    add("conveyor", Conveyor{1, 8, 9.81, 0.1, 1e-9}, 3, Input::constant(0),
        {.bodies = block,
         .motions = {{.name = "belt", .value = Input::constant(0.1)}},
         .springs = {{.name = "k", .first = "block", .stiffness = 8}},
         .contacts = {{.name = "foot", .first = "belt", .second = "block", .law = law}}},
        "x", "block.x");
    // B05 (4), B05 (5): the velocity error of a constant reference is -v
    add("pid_servo", PidServo{1, 6, 3, 4, 1}, 3, Input::constant(0),
        {.bodies = block,
         .contacts = foot,
         .motors = {{.name = "motor", .body = "block"}},
         .controllers = {{.name = "servo",
                          .motor = "motor",
                          .law = Pid{.Kp = 3, .Ki = 4, .Kd = 6},
                          .reference = Input::constant(1)}}},
        "x", "block.x");
    for (const auto quantity : {Quantity::velocity, Quantity::displacement}) {
        const Input u = quantity == Quantity::velocity ? Input::sine(1e-3, 2e-3, 6, 0) : Input::sine(0, 1e-4, 6, 0.3);
        add("prescribed", Prescribed{quantity}, 3, u,
            {.motions = {{.name = "block", .value = u, .quantity = quantity}}, .contacts = foot}, "x", "block.x");
    }
    return out;
}

std::vector<std::string> all_kinds() {
    std::vector<std::string> out;
    for_each_law([&](const auto& entry) { out.push_back(entry.kind); });
    return out;
}

// Oracle: the rig, solved with other equations and another stepper. Tolerance: 1e-8 of the range of the position, rtol 1e-9 with
// ten times that for the error of both. F multiplies the error of v in the millisecond of a breakaway: 1e-6. Maxwell-slip
// rings without damping between its slips, which multiplies errors: rtol 1e-11. Reversals: of the ringing in stick the last one is at
// the level of rounding, and a mass that differs by one unit in the last place adds or removes it, of the rig as of the machine.
class MachineAgainstRig : public testing::TestWithParam<std::string> {};
TEST_P(MachineAgainstRig, GivesTheSignalsAndTheLedgerOfTheRig) {
    for (const auto& [name, setup, machine, position, same_position] : pairs(c95_law(GetParam()))) {
        SCOPED_TRACE(name);
        const Result rig = simulate(setup), ours = simulate(machine);
        ASSERT_EQ(ours.status, Status::done) << ours.message;
        EXPECT_LE(difference(ours, same_position, rig, position), 1e-8);
        EXPECT_LE(difference(ours, "block.v", rig, "v"), 1e-8);
        EXPECT_LE(difference(ours, "foot.F", rig, "F"), 1e-6);
        EXPECT_NEAR(double(ours.statistics.reversals), double(rig.statistics.reversals), 1);
        EXPECT_NEAR(ours.energy.dissipated, rig.energy.dissipated, 1e-7 * ours.energy.scale);
        EXPECT_LE(largest_residual(ours), 1e-8);  // 10 rtol
    }
}

// Oracle: the coupled step of the rig, which solves one scalar equation with a bracket. Tolerance: 1e-9 of the range, from rounding. Not
// compared: the conveyor, whose belt starts exponentially, and prescribed motion, whose velocity the rig takes at the middle of the step.
TEST_P(MachineAgainstRig, CoupledGivesTheSignalsOfTheRigsCoupledStep) {
    for (auto& [name, setup, machine, position, same_position] : pairs(c95_law(GetParam()))) {
        if (std::string(name) == "prescribed" || std::string(name) == "conveyor") continue;
        for (const double dt : {1e-3, 1e-2}) {
            SCOPED_TRACE(name + (" dt " + std::to_string(dt)));
            for (bristle::Run* run : {&setup.run, &machine.run}) {
                run->method = Method::coupled;
                run->step = dt;
            }
            const Result rig = simulate(setup), ours = simulate(machine);
            ASSERT_EQ(ours.status, Status::done) << ours.message;
            EXPECT_LE(difference(ours, same_position, rig, position), 1e-9);
            EXPECT_LE(difference(ours, "block.v", rig, "v"), 1e-9);
            EXPECT_NEAR(ours.energy.dissipated, rig.energy.dissipated, 1e-9 * ours.energy.scale);
            EXPECT_NEAR(ours.energy.numerical, rig.energy.numerical, 1e-9 * ours.energy.scale);
            EXPECT_LE(largest_residual(ours), 1e-12);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Laws, MachineAgainstRig, testing::ValuesIn(all_kinds()),
                         [](const auto& p) { return p.param; });

AnyLaw dry(double Fc, double Fs) { return Coulomb{.curve = {.Fc = Fc, .Fs = Fs}}; }

// m2 lies on m1; a force u on m1 for 1 s, then none. With u > Fc (m1 + m2)/m2 they slip:
//   v1 = (u - Fc) t/m1, v2 = Fc t/m2;  from t = 1 on v1 falls with Fc/m1, and they stick when v1 = v2.
// Oracle: this closed form. Tolerance: rounding, because the method is exact for constant forces.
TEST(Machine, TwoMassesWithCoulombFrictionSlipAndStickAsInClosedForm) {
    const double m1 = 2, m2 = 0.5, Fc = 1, u = 8;
    const Machine machine{.bodies = {{.name = "lower", .mass = m1}, {.name = "upper", .mass = m2}},
                          .contacts = {{.name = "between", .first = "lower", .second = "upper", .law = dry(Fc, Fc)}},
                          .forces = {{.name = "push", .body = "lower", .value = Input::steps({{0, u}, {1, 0}})}},
                          .run = {.duration = 5}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    const double slip = (u - Fc) / m1 - Fc / m2, stop = 1 + slip / (Fc / m1 + Fc / m2), v = u / (m1 + m2);
    const auto zeros = times_of(run, "between", Event::Kind::v_zero);
    ASSERT_EQ(zeros.size(), 1U);
    EXPECT_NEAR(zeros[0], stop, 1e-12);
    EXPECT_NEAR(final_of(run, "lower.v"), v, 1e-12);
    EXPECT_NEAR(final_of(run, "upper.v"), v, 1e-12);
    EXPECT_NEAR(final_of(run, "between.slip"), 0, 1e-14);
    const double distance = 0.5 * slip + 0.5 * slip * (stop - 1);
    EXPECT_NEAR(final_of(run, "lower.x") - final_of(run, "upper.x"), distance, 1e-12);
    EXPECT_NEAR(run.energy.dissipated, Fc * distance, 1e-12);
    EXPECT_NEAR(part_of(run, "between").dissipated, Fc * distance, 1e-12);
    EXPECT_NEAR(part_of(run, "push").supplied, u * 0.5 * (u - Fc) / m1, 1e-11);
}

// Levels 1 and 2 N on one body, force 1 N/s t: the split stays equal up to 2 N, then the first is at its level; it slides at 3 N.
// Oracle: the levels add up. Tolerance: 1e-9 s, the tolerance of the force guards (0.1 rtol Fs).
TEST(Machine, TwoContactsThatHoldOneBodyShareTheForceUpToTheSumOfTheirLevels) {
    const Machine machine{.bodies = {{.name = "block", .mass = 1}},
                          .contacts = {{.name = "a", .first = "block", .law = dry(1, 1)},
                                       {.name = "b", .first = "block", .law = dry(2, 2)}},
                          .forces = {{.name = "u", .body = "block", .value = Input::ramps({{0, 0}, {10, 10}})}},
                          .run = {.duration = 4, .rtol = 1e-9, .sample_times = {1, 2.5, 2.999, 3.5}}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    const auto& at = run.measures.at;
    EXPECT_NEAR(at.at(1).at("a.F"), 0.5, 1e-12);
    EXPECT_NEAR(at.at(1).at("b.F"), 0.5, 1e-12);
    EXPECT_NEAR(at.at(2.5).at("a.F"), 1, 1e-9);
    EXPECT_NEAR(at.at(2.5).at("b.F"), 1.5, 1e-9);
    EXPECT_NEAR(at.at(2.999).at("block.v"), 0, 1e-15);
    EXPECT_NEAR(at.at(3.5).at("block.v"), 0.5 * 0.5 * 0.5, 1e-8);  // from 3 s on: dv/dt = t - 3
}

// Two equal systems side by side stop, stick and break away at the same instants. Oracle: symmetry, and one alone.
TEST(Machine, EqualContactsChangeTheirModesAtOneInstant) {
    const Input u = Input::sine(0, 3, 5, 0.4);
    Machine machine{.run = {.duration = 3, .rtol = 1e-8}};
    for (const std::string name : {"p", "q", "r"}) {
        machine.bodies.push_back({.name = name, .mass = 1});
        machine.contacts.push_back({.name = "c" + name, .first = name, .law = dry(1, 1.5)});
        machine.forces.push_back({.name = "u" + name, .body = name, .value = u});
    }
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    bristle::Setup setup{.law = dry(1, 1.5), .rig = ForcedMass{1}, .input = u, .run = machine.run};
    const Result alone = simulate(setup);
    for (const std::string name : {"p", "q", "r"}) {
        EXPECT_LE(difference(run, name + ".x", alone, "x"), 1e-7);
        EXPECT_EQ(times_of(run, "c" + name, Event::Kind::v_zero).size(), std::size_t(alone.statistics.reversals));
    }
}

// v_motor = 10 v_load; at the load the inertia is J_load + 100 J_motor and the friction of the motor counts ten times.
// Oracle: the rig of one mass with both frictions referred to the load, Coulomb and viscous. Tolerance: 10 rtol.
TEST(Machine, GearEqualsTheRigReferredToOneSide) {
    const Input u = Input::sine(0, 0.5, 3, 0);  // at the motor
    const auto law = [](double Fc, double viscous) {
        return Coulomb{.curve = {.Fc = Fc, .Fs = Fc}, .sigma2 = viscous};
    };
    const Machine machine{
        .bodies = {{.name = "motor", .mass = 1e-3, .rotary = true}, {.name = "load", .mass = 0.2, .rotary = true}},
        .gears = {{.name = "gear", .driver = "motor", .driven = "load", .ratio = 10}},
        .contacts = {{.name = "brush", .first = "motor", .law = law(0.01, 0.001)}},
        .forces = {{.name = "torque", .body = "motor", .value = u}},
        .run = {.duration = 4, .rtol = 1e-9, .atol = 1e-9}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    bristle::Setup setup{
        .law = law(0.1, 0.1), .rig = ForcedMass{0.3}, .input = Input::sine(0, 5, 3, 0), .run = machine.run};
    const Result rig = simulate(setup);
    EXPECT_LE(difference(run, "load.x", rig, "x"), 1e-8);
    EXPECT_NEAR(final_of(run, "motor.v"), 10 * final_of(run, "load.v"), 1e-12);
    EXPECT_NEAR(run.energy.dissipated, rig.energy.dissipated, 1e-8 * run.energy.scale);
    EXPECT_LE(largest_residual(run), 1e-8);
    EXPECT_EQ(run.signal("load.v")->unit, "rad/s");
}

// A mass between two springs with a dead band: uniform motion inside, half a sine outside.
// Oracle: period 2 gap/v0 + 2 pi/omega. Tolerance: 100 rtol over 10 periods, as the phase error adds up.
TEST(Machine, MassInADeadBandReturnsAfterThePeriodInClosedForm) {
    const double m = 0.5, k = 200, gap = 0.02, v0 = 0.3;
    const double period = 2 * gap / v0 + 2 * std::numbers::pi * std::sqrt(m / k);
    const Machine machine{.bodies = {{.name = "ball", .mass = m, .v = v0}},
                          .springs = {{.name = "walls", .first = "ball", .stiffness = k, .gap = gap}},
                          .run = {.duration = 10 * period, .rtol = 1e-9, .atol = 1e-9}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    EXPECT_NEAR(final_of(run, "ball.v"), v0, 1e-7 * v0);
    EXPECT_NEAR(final_of(run, "ball.x"), 0, 1e-7 * gap);
    EXPECT_NEAR(run.measures.max.at("ball.x"), 0.5 * gap + v0 * std::sqrt(m / k), 1e-8);
    EXPECT_LE(largest_residual(run), 1e-8);
}

// A brake whose load is the force of a spring: N = 10 N + |k s|, friction mu N.
// Oracle: with the belt at a constant speed, k x = mu (10 + k x) in steady sliding: x = mu 10/(k (1 - mu)). Tolerance: the rest of the
// decay exp(-t/tau), below 1e-9.
TEST(Machine, LoadFromASpringRaisesTheFriction) {
    const double mu = 0.3, k = 50;
    const Machine machine{.bodies = {{.name = "pad", .mass = 1}},
                          .motions = {{.name = "belt", .value = Input::constant(5)}},
                          .springs = {{.name = "k", .first = "pad", .stiffness = k, .damping = 10}},
                          .contacts = {{.name = "brake",
                                        .first = "belt",
                                        .second = "pad",
                                        .law = dry(mu, mu),
                                        .load = Input::constant(10),
                                        .load_spring = "k"}},
                          .run = {.duration = 10, .rtol = 1e-9}};
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    EXPECT_NEAR(final_of(run, "pad.x"), mu * 10 / (k * (1 - mu)), 1e-9);
    EXPECT_NEAR(final_of(run, "brake.load"), 10 + k * final_of(run, "pad.x"), 1e-9);
    EXPECT_LE(largest_residual(run), 1e-8);
}

// Received energies cancel: the interconnection conserves power, K08 (33). Tolerance: rounding.
TEST(Machine, EnergiesReceivedByThePartsSumToZero) {
    const Machine machine = pairs(c95_law("lugre"))[2].machine;
    const Result run = simulate(machine);
    double received = 0, supplied = 0;
    for (const Energy::Part& part : run.energy.parts) {
        received += part.received;
        supplied += part.supplied;
    }
    EXPECT_NEAR(received, 0, 1e-13 * run.energy.scale);
    EXPECT_NEAR(supplied, run.energy.supplied, 1e-13 * run.energy.scale);
    EXPECT_EQ(run.energy.parts.size(), 4U);
}

// Oracle: the names and units of a rig. One element is not a bristle deflection: its state is a force.
TEST(Machine, NamesTheStatesOfALawAsARigDoes) {
    AnyMaxwellSlip one = std::get<AnyMaxwellSlip>(c95_law("maxwell_slip"));
    one.size = 1;
    one.nu[0] = 1;
    for (const AnyLaw& law : {AnyLaw(one), c95_law("maxwell_slip"), c95_law("lugre"), c95_law("coulomb")})
        for (const bool rotary : {false, true}) {
            const Machine machine{.bodies = {{.name = "block", .mass = 1, .rotary = rotary}},
                                  .contacts = {{.name = "foot", .first = "block", .law = law}},
                                  .run = {.duration = 1, .stick_speed = 1e-3}};
            SCOPED_TRACE(std::string(kind_of(law)) + (rotary ? ", rotary" : ""));
            std::vector<Named> states;
            for (const Named& signal : signal_names(machine))
                if (signal.part == "foot" && signal.role == SignalRole::state) states.push_back(signal);
            const std::vector<Named> of_rig = state_names(law, Prescribed{});
            ASSERT_EQ(states.size(), of_rig.size());
            for (std::size_t i = 0; i < states.size(); ++i) {
                EXPECT_EQ(states[i].name, "foot." + of_rig[i].name);
                EXPECT_EQ(states[i].unit, !rotary ? of_rig[i].unit : of_rig[i].unit == "N" ? "N m" : "rad");
            }
        }
}

TEST(MachineProblems, NameThePartAndTheRemedy) {
    Machine m{.bodies = {{.name = "a", .mass = -1},
                         {.name = "b", .mass = 1, .force = NAN},
                         {.name = "a", .mass = 1},
                         {.name = "c", .mass = 1}},
              .springs = {{.name = "k", .first = "a", .second = "nobody"}},
              .gears = {{.name = "g", .driver = "b", .driven = "c", .ratio = 0}},
              .contacts = {{.name = "f", .first = "b", .second = "b", .law = dry(1, 1)},
                           {.name = "h", .first = "b", .law = LuGre{}, .load = Input::constant(0)}},
              .forces = {{.name = "u", .body = "ground"}},
              .run = {.duration = 1, .method = Method::explicit_}};
    const auto found = problems(m);
    for (const char* text :
         {"a.mass = -1 kg: must be a finite number > 0", "b.force", "a: two parts have this name",
          "k.second: there is no \"nobody\"; the machine has a, b, a, c, ground", "k.stiffness: is not given",
          "g.ratio: must not be 0", "f: connects \"b\" with itself", "h.law.sigma0: is not given",
          "h.load: must stay > 0 N", "u.body: there is no body \"ground\"", "run.method: explicit"})
        EXPECT_TRUE(mentions(found, text)) << text;
    EXPECT_THROW(simulate(m), Error);
}
TEST(MachineProblems, ReportGearLoopsUnusedBodiesAndLoadsThatVanish) {
    const Machine m{.bodies = {{.name = "a", .mass = 1},
                               {.name = "b", .mass = 1},
                               {.name = "c", .mass = 1},
                               {.name = "alone", .mass = 1}},
                    .springs = {{.name = "k", .first = "a", .stiffness = 1}},
                    .gears = {{.name = "ab", .driver = "a", .driven = "b", .ratio = 2},
                              {.name = "bc", .driver = "b", .driven = "c", .ratio = 2},
                              {.name = "ca", .driver = "c", .driven = "a", .ratio = 2}},
                    .contacts = {{.name = "f", .first = "a", .law = dry(1, 1), .load_spring = "k"}},
                    .run = {.duration = 1}};
    const auto found = problems(m);
    EXPECT_TRUE(mentions(found, "ca: closes a loop of gears"));
    EXPECT_TRUE(mentions(found, "alone: no part acts on this body"));
    EXPECT_TRUE(mentions(found, "f.load: the force of the spring passes through zero"));
}

}  // namespace
}  // namespace bristle::simulation
