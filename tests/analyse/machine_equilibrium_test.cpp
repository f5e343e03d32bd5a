// Equilibria of machines: those of the rigs, statics and matrices written by hand, and the conditions of Routh and Hurwitz.
#include <bristle/base/error.hpp>

#include <algorithm>

#include "machine_equilibrium_support.hpp"
#include "numerics/linear.hpp"
#include "simulate/machine/machine_system.hpp"

namespace bristle::machine_equilibria {
namespace {

using Numbers = std::vector<std::complex<double>>;

// Every entry of `a` has a partner in `b`; tolerance: a fraction of its magnitude.
void expect_same(const Numbers& a, const Numbers& b, double tolerance = 1e-9) {
    ASSERT_EQ(a.size(), b.size());
    for (const auto& x : a) {
        double nearest = HUGE_VAL;
        for (const auto& y : b) nearest = std::min(nearest, std::abs(x - y));
        EXPECT_LE(nearest, tolerance * std::abs(x)) << x;
    }
}

struct Pair {
    const char* name;
    bristle::Setup setup;
    Machine machine;
};
// Rigs that are machines: at rest, sliding, and under constant forces.
std::vector<Pair> pairs(const AnyLaw& law) {
    std::vector<Pair> out;
    const std::vector<Body> block{{.name = "block", .mass = 2}};
    const std::vector<ContactPart> foot{{.name = "foot", .first = "block", .law = law}};
    const auto add = [&](const char* name, const Rig& rig, double input, const Machine& machine) {
        out.push_back({name, bristle::Setup{.law = law, .rig = rig, .input = Input::constant(input)}, machine});
        out.back().machine.run.duration = 1;
    };
    for (const double v : {0.0, 0.1, 2e-4, -0.05})
        add("pulled_spring", PulledSpring{2, 3, v}, 0,
            {.bodies = block,
             .motions = {{.name = "puller", .value = Input::constant(v)}},
             .springs = {{.name = "k", .first = "puller", .second = "block", .stiffness = 3}},
             .contacts = foot});
    add("conveyor", Conveyor{2, 8, 9.81, 0.1, 1e-3}, 0,
        {.bodies = block,
         .motions = {{.name = "belt", .value = Input::ramps({{0, 0}, {1e-3, 0.1}})}},
         .springs = {{.name = "k", .first = "block", .stiffness = 8}},
         .contacts = {{.name = "foot", .first = "belt", .second = "block", .law = law}}});
    for (const double Ki : {0.0, 4.0})
        add("pid_servo", PidServo{2, 6, 3, Ki, 1}, 0,
            {.bodies = block,
             .contacts = foot,
             .motors = {{.name = "motor", .body = "block"}},
             .controllers = {{.name = "servo",
                              .motor = "motor",
                              .law = Pid{.Kp = 3, .Ki = Ki, .Kd = 6},
                              .reference = Input::trapezoid(0, 1, 1, 1)}}});
    for (const double u : {0.0, 0.3, 1.2, -1.3, 2.5})
        add("forced_mass", ForcedMass{2}, u, {.bodies = {{.name = "block", .mass = 2, .force = u}}, .contacts = foot});
    return out;
}

// Oracle: equilibria(Setup), closed forms. Tolerance: 1e-9 of each number; eigenvalues below 1e-9 of the largest are rounding.
class MachineEquilibriaOfRigs : public testing::TestWithParam<std::string> {};
TEST_P(MachineEquilibriaOfRigs, HaveTheirForcesEigenvaluesAndStability) {
    for (const auto& [name, setup, machine] : pairs(c95_law(GetParam()))) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(setup.input.wave.offset));
        std::vector<Equilibrium> rig = equilibria(setup);
        if (rig.empty()) {
            EXPECT_THROW(equilibria(machine), EquilibriumError);
            continue;
        }
        std::vector<MachineEquilibrium> ours = equilibria(machine).found;
        ASSERT_EQ(ours.size(), rig.size());
        const auto by_speed = [](const auto& list, const auto& speed) {
            std::vector<std::size_t> order(list.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return std::abs(speed(list[a])) < std::abs(speed(list[b]));
            });
            return order;
        };
        const auto first = by_speed(rig, [](const Equilibrium& e) { return e.velocity; });
        const auto second = by_speed(ours, [](const MachineEquilibrium& e) { return e.contacts[0].velocity; });
        for (std::size_t i = 0; i < rig.size(); ++i) {
            const Equilibrium& a = rig[first[i]];
            const MachineEquilibrium& b = ours[second[i]];
            EXPECT_EQ(a.kind, b.kind);
            EXPECT_EQ(a.stability, b.stability);
            EXPECT_NEAR(a.velocity, b.contacts[0].velocity, 1e-9 * std::abs(a.velocity));
            EXPECT_NEAR(a.force, b.contacts[0].force, 1e-9 * std::abs(a.force) + 1e-15);
            if (!std::isnan(a.value("z"))) {
                EXPECT_NEAR(a.value("z"), b.value("foot.z"), 1e-9 * std::abs(a.value("z")) + 1e-20);
            }
            EXPECT_EQ(b.is_one_of_a_set, a.kind == EquilibriumKind::stuck);
            expect_same(a.eigenvalues, b.eigenvalues);
            expect_same(a.eigenvalues_negative, b.eigenvalues_negative);
            EXPECT_NEAR(a.frequency, b.frequency, 1e-9 * a.frequency);
            EXPECT_NEAR(a.damping, b.damping, 1e-9 * std::abs(a.damping));
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Laws, MachineEquilibriaOfRigs, testing::ValuesIn(all_kinds()),
                         [](const auto& kind) { return kind.param; });

// Oracle: statics, and the matrix of the linearised motion, written by hand from A08 (16), A08 (17). Tolerance: 1e-10; 1e-9 for eigenvalues.
TEST(MachineEquilibria, OfAChainOnABeltAreStaticsAndTheMatrixWrittenByHand) {
    const Chain chain;
    const MachineEquilibrium e = only(chain.machine());
    const double V = chain.speed, F1 = Chain::level(chain.first, V) + chain.first.sigma2 * V,
                 F2 = Chain::level(chain.second, V) + chain.second.sigma2 * V;
    EXPECT_EQ(e.kind, EquilibriumKind::sliding);
    EXPECT_NEAR(e.contacts[0].force, F1, 1e-12);
    EXPECT_NEAR(e.contacts[1].force, F2, 1e-12);
    EXPECT_FALSE(e.contacts[0].holds);
    const double xA = (F1 + F2) / Chain::k1;
    EXPECT_NEAR(e.value("A.x"), xA, 1e-12);
    EXPECT_NEAR(e.value("B.x"), xA + F2 / Chain::k2, 1e-12);
    EXPECT_NEAR(e.value("a.z"), Chain::level(chain.first, V) / chain.first.sigma0, 1e-16);
    EXPECT_FALSE(e.is_one_of_a_set);
    // states xA vA z1 xB vB z2; c = V - v, dz/dt = c - sigma0 c z/g, F = sigma0 z + sigma1 dz/dt + sigma2 c accelerates the block
    std::vector<double> A(36, 0);
    const auto at = [&](int i, int j) -> double& { return A[std::size_t(6 * i + j)]; };
    const auto contact = [&](int x, const LuGre& law, double m) {
        const double g = Chain::level(law, V), h = law.sigma0 * V / g, by_c = V * Chain::slope(law, V) / g;
        at(x, x + 1) = 1;
        at(x + 1, x + 1) -= (law.sigma1 * by_c + law.sigma2) / m;
        at(x + 1, x + 2) = (law.sigma0 - law.sigma1 * h) / m;
        at(x + 2, x + 1) = -by_c;
        at(x + 2, x + 2) = -h;
    };
    contact(0, chain.first, Chain::m1);
    contact(3, chain.second, Chain::m2);
    at(1, 0) -= (Chain::k1 + Chain::k2) / Chain::m1;
    at(1, 3) += Chain::k2 / Chain::m1;
    at(1, 1) -= Chain::d2 / Chain::m1;
    at(1, 4) += Chain::d2 / Chain::m1;
    at(4, 0) += Chain::k2 / Chain::m2;
    at(4, 3) -= Chain::k2 / Chain::m2;
    at(4, 1) += Chain::d2 / Chain::m2;
    at(4, 4) -= Chain::d2 / Chain::m2;
    expect_same(numerics::eigenvalues(A, 6), e.eigenvalues);
}

// Oracle: statics. The force on A passes the spring to B if A alone does not hold it.
TEST(MachineEquilibria, OfTwoBodiesThatShareAForceSplitItByTheirMassAndLevels) {
    const auto machine = [](double u, double level) {
        return Machine{.bodies = {{.name = "A", .mass = 1, .force = u}, {.name = "B", .mass = 3}},
                       .springs = {{.name = "k", .first = "A", .second = "B", .stiffness = 50}},
                       .contacts = {{.name = "a", .first = "A", .law = Coulomb{.curve = {.Fc = level, .Fs = level}}},
                                    {.name = "b", .first = "B", .law = Coulomb{.curve = {.Fc = 2, .Fs = 2}}}},
                       .run = {.duration = 1}};
    };
    // all masses move together: equal weights
    const MachineEquilibrium e = only(machine(1, 3));
    EXPECT_EQ(e.kind, EquilibriumKind::stuck);
    EXPECT_TRUE(e.is_one_of_a_set);
    EXPECT_EQ(e.stability, Stability::stable);
    EXPECT_NEAR(e.contacts[0].force, 0.5, 1e-12);
    EXPECT_NEAR(e.contacts[1].force, 0.5, 1e-12);
    EXPECT_NEAR(e.value("A.x") - e.value("B.x"), 0.5 / 50, 1e-14);
    // A holds 0.3 at most
    const MachineEquilibrium limited = only(machine(1, 0.3));
    EXPECT_NEAR(limited.contacts[0].force, 0.3, 1e-12);
    EXPECT_NEAR(limited.contacts[1].force, 0.7, 1e-12);
    EXPECT_EQ(limited.undecided, UndecidedReason::at_level);
    // 3 exceeds 2.3: dry friction without viscous friction balances no larger force
    try {
        equilibria(machine(3, 0.3));
        FAIL();
    } catch (const EquilibriumError& error) {
        EXPECT_EQ(error.reason, NoEquilibrium::force_exceeds_friction);
    }
}

// Oracle: statics. Force 1 on a body in a gap of 2e-3 m: friction holds it in the gap, or the spring carries it beyond.
TEST(MachineEquilibria, OfABodyInAGapCloseItIfFrictionDoesNotHoldTheForce) {
    const auto machine = [](double Fs) {
        return Machine{.bodies = {{.name = "A", .mass = 1, .force = 1}},
                       .springs = {{.name = "k", .first = "A", .stiffness = 50, .gap = 2e-3}},
                       .contacts = {{.name = "a", .first = "A", .law = Coulomb{.curve = {.Fc = Fs, .Fs = Fs}}}},
                       .run = {.duration = 1}};
    };
    EXPECT_NEAR(only(machine(2)).contacts[0].force, 1, 1e-12);
    EXPECT_EQ(only(machine(2)).value("A.x"), 0);
    const MachineEquilibrium closed = only(machine(0.5));
    EXPECT_NEAR(closed.value("A.x"), 1e-3 + 1.0 / 50, 1e-12);
    EXPECT_NEAR(closed.contacts[0].force, 0, 1e-12);
}

// Oracle: statics. At the reference the preload pulls 200 (0.02 + 0.01) = 6 N against 2 N; the nut carries 4 N, of which the seal gives 0.5 N.
TEST(MachineEquilibria, OfAnAxisWithBacklashCloseTheGapForASensorBehindIt) {
    const MachineEquilibrium e = only(feed_axis());
    EXPECT_NEAR(e.value("table.x"), 0.02, 1e-15);
    EXPECT_NEAR(e.value("motor.x"), 0.02 + 5e-5 + 4 / 1e5, 1e-14);
    EXPECT_NEAR(e.value("servo.I"), 3.5, 1e-12);
    EXPECT_NEAR(e.value("drive.F"), 3.5, 1e-12);
    EXPECT_NEAR(e.contacts[0].force, 0, 1e-12);
    EXPECT_NEAR(e.contacts[0].set_high, 0.3 * (3 + 6), 1e-12);
    EXPECT_TRUE(e.contacts[0].holds);
    EXPECT_NEAR(e.contacts[1].force, 0.5, 1e-15);
    EXPECT_EQ(e.stability, Stability::stable);
}

// Oracle: k s = (3 + k s)(Fc + sigma2 0.5) = (3 + k s) 0.25, so k s = 1 N; 0.5 m/s is 50 Stribeck velocities.
TEST(MachineEquilibria, OfALoadFromASpringSolveForceAndLoadTogether) {
    const MachineEquilibrium e = only(pressed_table());
    EXPECT_NEAR(e.value("table.x"), 1.0 / 200 - 0.01, 1e-14);
    EXPECT_NEAR(e.contacts[0].force, 1, 1e-12);
    EXPECT_NEAR(e.contacts[0].velocity, 0.5, 1e-15);
}

// Oracle: 5 torque = 5 Tb(5 w) + Tg(w) at the speed w of the load, by bisection on both sides of the lowest friction; the shaft carries Tg.
TEST(MachineEquilibria, OfAGearedDriveUnderConstantTorqueAreRestAndTheSpeedsOfBalance) {
    const double torque = 0.55;
    const auto friction = [](double v, double Fc, double Fs, double vs, double sigma2) {
        return Fc + (Fs - Fc) * std::exp(-(v / vs) * (v / vs)) + sigma2 * v;
    };
    const auto excess = [&](double w) {
        return 5 * torque - 5 * friction(5 * w, 0.02, 0.03, 0.5, 1e-3) - friction(w, 2, 3, 0.05, 0.4);
    };
    ASSERT_LT(excess(0), 0);
    ASSERT_GT(excess(0.15), 0);
    ASSERT_LT(excess(5), 0);
    std::vector<double> speeds;
    for (auto [low, high] : {std::pair(0.0, 0.15), std::pair(5.0, 0.15)}) {
        for (int i = 0; i < 200; ++i) (excess(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
        speeds.push_back(low);
    }
    const MachineEquilibria all = equilibria(geared_drive(torque));
    EXPECT_TRUE(all.complete);
    ASSERT_EQ(all.found.size(), 3u);
    const MachineEquilibrium& rest = all.found[0];
    EXPECT_EQ(rest.kind, EquilibriumKind::stuck);
    // the inertia is 25 times as large at the load as at the motor: 25 Fb^2 + Fg^2 is smallest at Fb = Fg/5 = 0.275, above its level
    EXPECT_NEAR(5 * rest.contacts[0].force + rest.contacts[1].force, 5 * torque, 1e-12);
    EXPECT_EQ(rest.contacts[0].force, 0.03);
    EXPECT_EQ(rest.undecided, UndecidedReason::several_directions);
    for (std::size_t i = 0; i < 2; ++i) {
        const MachineEquilibrium& e = all.found[i + 1];
        EXPECT_EQ(e.kind, EquilibriumKind::sliding);
        EXPECT_NEAR(e.contacts[1].velocity, speeds[i], 1e-10 * speeds[i]);
        EXPECT_NEAR(e.value("motor.v"), 5 * speeds[i], 1e-9);
        EXPECT_NEAR(60 * (e.value("pinion.x") - e.value("load.x")), friction(speeds[i], 2, 3, 0.05, 0.4), 1e-10);
        EXPECT_EQ(e.free_positions, 1);
        EXPECT_EQ(e.eigenvalues.size(), 5u);  // shaft, two speeds, two bristles
    }
    EXPECT_EQ(all.found[1].stability, Stability::unstable);
    EXPECT_EQ(all.found[2].stability, Stability::stable);
}

// Two forces that cancel. Without friction every velocity is an equilibrium: motion that neither grows nor decays.
TEST(MachineEquilibria, OfABodyWithoutFrictionAreNeutral) {
    const MachineEquilibrium e = only(Machine{.bodies = {{.name = "A", .mass = 1, .force = 2}},
                                              .forces = {{.name = "u", .body = "A", .value = Input::constant(-2)}},
                                              .run = {.duration = 1}});
    EXPECT_EQ(e.kind, EquilibriumKind::rest);
    EXPECT_EQ(e.stability, Stability::neutral);
    EXPECT_EQ(e.free_positions, 1);
}

// Two integrals at one body: only their sum acts, so their difference is free. The others are those of one controller with the sum of gains.
TEST(MachineEquilibria, LeaveOutTheZeroEigenvalueOfTwoIntegralsAtOneBody) {
    const auto servo = [](int count) {
        Machine machine{.bodies = {{.name = "A", .mass = 2, .force = 0.3}},
                        .contacts = {{.name = "a", .first = "A", .law = Chain().first}},
                        .run = {.duration = 1}};
        for (int i = 0; i < count; ++i) {
            const std::string name = std::to_string(i);
            machine.motors.push_back({.name = "m" + name, .body = "A"});
            machine.controllers.push_back({.name = "c" + name,
                                           .motor = "m" + name,
                                           .law = Pid{.Kp = 6.0 / count, .Ki = 8.0 / count, .Kd = 4.0 / count},
                                           .reference = Input::constant(0.1)});
        }
        return machine;
    };
    const MachineEquilibrium one = only(servo(1)), two = only(servo(2));
    EXPECT_EQ(one.eigenvalues.size(), 3u);
    expect_same(one.eigenvalues, two.eigenvalues);
    EXPECT_EQ(two.stability, one.stability);
    EXPECT_NEAR(two.value("c0.I") + two.value("c1.I"), -0.3, 1e-14);
}

// A loose body on a belt is carried along: friction holds it at the speed of the belt.
TEST(MachineEquilibria, OfALooseBodyOnABeltIsCarriedAlong) {
    const Machine machine{.bodies = {{.name = "A", .mass = 1, .force = 0.2}},
                          .motions = {{.name = "belt", .value = Input::constant(0.3)}},
                          .contacts = {{.name = "a", .first = "A", .second = "belt", .law = Chain().first}},
                          .run = {.duration = 1}};
    const MachineEquilibrium e = only(machine);
    EXPECT_EQ(e.kind, EquilibriumKind::stuck);
    EXPECT_EQ(e.value("A.v"), 0.3);
    EXPECT_NEAR(e.contacts[0].force, 0.2, 1e-15);
    EXPECT_NEAR(e.value("a.z"), 0.2 / 3e3, 1e-18);
    EXPECT_TRUE(e.moves);
    EXPECT_TRUE(e.is_carried);
    Machine still = machine;
    still.motions[0].value = Input::constant(0);
    EXPECT_FALSE(only(still).moves);
    EXPECT_FALSE(only(still).is_carried);
}

// Oracle: v = F/d. No contact holds, but the body does not rest.
TEST(MachineEquilibria, OfABodyOnADamperUnderAForceMoveSteadily) {
    const MachineEquilibrium e = only(Machine{.bodies = {{.name = "A", .mass = 1, .force = 3}},
                                              .springs = {{.name = "d", .first = "A", .stiffness = 0, .damping = 2}},
                                              .run = {.duration = 1}});
    EXPECT_NEAR(e.value("A.v"), 1.5, 1e-12);
    EXPECT_EQ(e.kind, EquilibriumKind::rest);
    EXPECT_TRUE(e.moves);
    EXPECT_FALSE(e.is_carried);
}

// Each machine has one part at an edge: a gap that a body starts at, a load spring without force, a motor at its limit.
TEST(MachineEquilibria, NameThePartsAtAnEdge) {
    const auto edges = [](const Machine& machine) {
        std::string out;
        const MachineEquilibria all = equilibria(machine);
        for (const MachineEdge& edge : all.found.at(0).edges)
            out += (edge.of == MachineEdge::Of::gap    ? "gap "
                    : edge.of == MachineEdge::Of::load ? "load "
                                                       : "limit ") +
                   edge.part + ";";
        return out;
    };
    const Coulomb dry{.curve = {.Fc = 0.5, .Fs = 0.5}};
    const Machine gap{.bodies = {{.name = "A", .mass = 1, .x = 1e-3}},
                      .springs = {{.name = "stop", .first = "A", .stiffness = 50, .gap = 2e-3}},
                      .contacts = {{.name = "a", .first = "A", .law = dry}},
                      .run = {.duration = 1}};
    EXPECT_EQ(edges(gap), "gap stop;");
    Machine loaded = pressed_servo(3, 0, 0);
    EXPECT_EQ(edges(loaded), "load guide;");
    loaded.springs[0].rest = -0.01;
    EXPECT_EQ(edges(loaded), "");
    loaded.motors[0].limit = 2;  // the force of the spring
    EXPECT_EQ(edges(loaded), "limit drive;");
    loaded.motors[0].limit = 50;
    loaded.controllers[0].limit = 2;
    EXPECT_EQ(edges(loaded), "limit servo;");
}

NoEquilibrium reason_for(const Machine& machine, const std::string& words) {
    try {
        equilibria(machine);
    } catch (const EquilibriumError& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        return error.reason;
    }
    ADD_FAILURE() << "no error";
    return NoEquilibrium::branches_meet;
}

TEST(MachineEquilibria, AreRefusedByNameForInputsWithoutEndAndSeparatingMotions) {
    Machine machine = Chain().machine();
    machine.motions[0].value = Input::sine(0, 0.1, 5, 0);
    EXPECT_EQ(reason_for(machine, "the motion belt"), NoEquilibrium::varying_input);
    machine = Geared::machine(1);
    machine.controllers[0].reference = Input::chirp(0, 1, 1, 2, 5);
    EXPECT_EQ(reason_for(machine, "the reference of servo"), NoEquilibrium::varying_input);
    machine = Chain().machine();
    machine.contacts[1].load = Input::sine(3, 1, 1, 0);
    EXPECT_EQ(reason_for(machine, "the load of b"), NoEquilibrium::varying_load);
    machine = Chain().machine();
    machine.motions.push_back({.name = "puller", .value = Input::constant(1)});
    machine.springs.push_back({.name = "k", .first = "puller", .second = "B", .stiffness = 1});
    EXPECT_EQ(reason_for(machine, "separate"), NoEquilibrium::separating_motions);
    machine = Chain().machine();
    machine.bodies[0].mass = -1;
    EXPECT_THROW(equilibria(machine), Error);
}

// 1e300 N on a spring of 1e-10 N/m: the position exceeds the range of numbers, and its change is not a number.
TEST(MachineEquilibria, AreRefusedWherePositionsExceedTheRangeOfNumbers) {
    const Machine machine{.bodies = {{.name = "A", .mass = 1, .force = 1e300}},
                          .springs = {{.name = "k", .first = "A", .stiffness = 1e-10}},
                          .run = {.duration = 1}};
    EXPECT_EQ(reason_for(machine, "does not converge"), NoEquilibrium::no_convergence);
}

// Values of a guard and of a row are kept while the count of modes stays.
TEST(MachineSystems, CountTheModesThatAnalysesSet) {
    MachineSystem system(pressed_table());
    MachineSystem::State y = system.start();
    system.set_pieces(0, y);
    long before = system.mode();
    system.settle_springs(0, y);
    EXPECT_GT(system.mode(), before);
    before = system.mode();
    system.set_steady({{MachineSystem::Steady::Mode::sliding, 1, 0}}, 0, y);
    EXPECT_GT(system.mode(), before);
}

// Oracle: statics. Two loose blocks, each held by its own contact against its own weight; and one that is not.
TEST(MachineEquilibria, OfTwoLooseBodiesAreSoughtAtRestOnly) {
    Machine machine{.bodies = {{.name = "A", .mass = 1, .force = 0.5}, {.name = "B", .mass = 1, .force = -0.4}},
                    .contacts = {{.name = "a", .first = "A", .law = Chain().first},
                                 {.name = "b", .first = "B", .law = Chain().second}},
                    .run = {.duration = 1}};
    const MachineEquilibria all = equilibria(machine);
    EXPECT_FALSE(all.complete);
    ASSERT_EQ(all.found.size(), 1u);
    EXPECT_NEAR(all.found[0].contacts[0].force, 0.5, 1e-14);
    EXPECT_NEAR(all.found[0].value("b.z"), -0.4 / 5e3, 1e-18);
    EXPECT_EQ(all.found[0].undecided, UndecidedReason::several_directions);
    machine.bodies[0].force = 2;
    EXPECT_EQ(reason_for(machine, "two or more bodies"), NoEquilibrium::several_free_velocities);
}

// Oracle: statics. Blocks A and B rest loose on the ground; C slides on a belt at 0.2 m/s against a spring of 40 N/m.
TEST(MachineEquilibria, OfTwoLooseBodiesLetOtherContactsSlide) {
    const Coulomb dry{.curve = {.Fc = 0.6, .Fs = 0.6}};
    Machine machine{
        .bodies = {{.name = "A", .mass = 1, .force = 0.5}, {.name = "B", .mass = 1}, {.name = "C", .mass = 2}},
        .motions = {{.name = "belt", .value = Input::constant(0.2)}},
        .springs = {{.name = "k", .first = "C", .stiffness = 40}},
        .contacts = {{.name = "a", .first = "A", .law = dry},
                     {.name = "b", .first = "B", .law = dry},
                     {.name = "c", .first = "belt", .second = "C", .law = dry}},
        .run = {.duration = 1}};
    const MachineEquilibria all = equilibria(machine);
    EXPECT_FALSE(all.complete);
    ASSERT_EQ(all.found.size(), 1u);
    const MachineEquilibrium& e = all.found[0];
    EXPECT_EQ(e.kind, EquilibriumKind::sliding);
    EXPECT_NEAR(e.contacts[0].force, 0.5, 1e-14);
    EXPECT_TRUE(e.contacts[0].holds);
    EXPECT_TRUE(e.contacts[1].holds);
    EXPECT_FALSE(e.contacts[2].holds);
    EXPECT_EQ(e.contacts[2].velocity, 0.2);
    EXPECT_NEAR(e.value("C.x"), 0.6 / 40, 1e-15);
    EXPECT_EQ(e.free_positions, 0);
    // contacts that no velocities bring to rest together
    machine.contacts.push_back({.name = "both", .first = "belt", .second = "A", .law = dry});
    EXPECT_EQ(reason_for(machine, "two or more bodies"), NoEquilibrium::several_free_velocities);
}

}  // namespace
}  // namespace bristle::machine_equilibria
