// Machines against an integrator of the tests (plain_referee.hpp) on the plain equations of each machine, written out here from the laws'
// equations (A08 (1), (2), (4); Coulomb; Dahl).
#include <bristle/simulate/machine.hpp>
#include <gtest/gtest.h>
#include "plain_referee.hpp"
#include "sliding_blocks.hpp"

namespace bristle::inline simulation {
namespace {

// Two blocks in series between a puller and a belt, all sliding in one direction: LuGre, Stribeck and viscous friction, no events.
// Oracle: the referee, h = 2e-5 s, whose own error is below 1e-9 (halving h changes the last digits only).
// Tolerance: 1e-7 of the size of each state; ledger: 10 rtol.
TEST(MachineReferee, SmoothSlidingOfTwoBlocksAgreesTo1em7) {
    const Machine machine = sliding_blocks(4, 1e-10);
    const Result run = simulate(machine);
    ASSERT_EQ(run.status, Status::done) << run.message;
    // y = xa va xb vb z puller
    const Plain plain{.rates =
                          [](double t, const Vec& y, Vec& f) {
                              const double vp = 0.5 + 0.05 * std::sin(0.3 + 4 * t);
                              const double pull = 30 * (y[5] - y[0] - 0.1) + 1.5 * (vp - y[1]),
                                           link = 80 * (y[0] - y[2] + 0.05) + 0.5 * (y[1] - y[3]);
                              const double dz = y[1] - 3000 * std::abs(y[1]) / stribeck(1, 1.5, 0.1, y[1]) * y[4];
                              const double foot = 3000 * y[4] + 20 * dz + 0.4 * y[1];
                              const double c = y[3] + 0.3, N = 1 + 0.3 * std::sin(9 * t);
                              const double bed = N * stribeck(2, 3, 0.2, c) + 0.7 * c;
                              f = {y[1], pull - link - foot, y[3], (link - bed) / 2, dz, vp};
                          },
                      .guards =
                          [](double, const Vec& y) {
                              return Vec{y[1], y[3] + 0.3};
                          },
                      .change = [](std::size_t, double, Vec&) { ADD_FAILURE() << "an event"; }};
    const Vec y = integrate(plain, {0, 0.5, 0.0175, 0.5, 1e-4, 0.227}, 4, 2e-5);
    const auto& end = run.measures.final;
    EXPECT_NEAR(end.at("a.x"), y[0], 1e-7);
    EXPECT_NEAR(end.at("a.v"), y[1], 1e-7);
    EXPECT_NEAR(end.at("b.x"), y[2], 1e-7);
    EXPECT_NEAR(end.at("b.v"), y[3], 1e-7);
    EXPECT_NEAR(end.at("foot.z"), y[4], 1e-7 * 5e-4);
    EXPECT_EQ(run.statistics.reversals, 0);
    EXPECT_LE(part_residual(run), 1e-9);
}

// Three inertias: a motor with LuGre, geared 5 to 1 to a pinion; a shaft with backlash; a hanging middle body with dry Coulomb friction
// and its weight; a stiff coupling in parallel with a Dahl contact to the last body. Torque: a sine that reverses everything.
// Oracle: the referee with the coordinate of the pinion, h = 1e-5 s. Tolerance 1e-5 of the size of the motion, through 60 and more events.
class ThreeInertias {
  public:
    static constexpr double Jm = 2e-3, Jp = 0.01, J2 = 0.08, J3 = 0.05, weight = 0.4, gap = 0.02, k12 = 40, d12 = 0.2,
                            k23 = 25, d23 = 0.05, Fc2 = 0.7, Fs2 = 0.9;
    static double torque(double t) { return 0.3 * std::sin(5 * t); }

    static Machine machine() {
        return {
            .bodies = {{.name = "motor", .mass = Jm},
                       {.name = "pinion", .mass = Jp},
                       {.name = "middle", .mass = J2, .force = weight},
                       {.name = "last", .mass = J3}},
            .springs =
                {{.name = "shaft", .first = "pinion", .second = "middle", .stiffness = k12, .damping = d12, .gap = gap},
                 {.name = "coupling", .first = "middle", .second = "last", .stiffness = k23, .damping = d23}},
            .gears = {{.name = "gear", .driver = "motor", .driven = "pinion", .ratio = 5}},
            .contacts =
                {{.name = "motor_bearing",
                  .first = "motor",
                  .law =
                      LuGre{
                          .sigma0 = 6, .sigma1 = 0.02, .sigma2 = 0.002, .curve = {.Fc = 0.03, .Fs = 0.045, .vs = 0.5}}},
                 {.name = "guide", .first = "middle", .law = Coulomb{.curve = {.Fc = Fc2, .Fs = Fs2}, .sigma2 = 0.02}},
                 {.name = "clutch", .first = "middle", .second = "last", .law = Dahl{.sigma0 = 30, .Fc = 0.2}}},
            .forces = {{.name = "torque", .body = "motor", .value = Input::sine(0, 0.3, 5, 0)}},
            .run = {.duration = 6, .rtol = 1e-10, .atol = 1e-10}};
    }

    // y = x1 v1 x2 v2 x3 v3 z1 z3, with x1 of the pinion
    Plain plain() {
        return {.rates = [this](double t, const Vec& y, Vec& f) { rates(t, y, f); },
                .guards = [this](double t, const Vec& y) { return guards(t, y); },
                .change = [this](std::size_t i, double t, Vec& y) { change(i, t, y); }};
    }
    int events = 0, sticks = 0;
    // starts in the gap, the middle body held: weight 0.4 N m < 0.9 N m
    int side1 = 1, side3 = 1, held_side = 0, gap_side = 0;  // held_side: direction of slip of the middle body; 0: held

  private:
    struct Forces {
        double f1, f2, f3;  // on pinion, middle (without its friction) and last
        double dz1, dz3;
    };
    Forces forces(double t, const Vec& y) const {
        const double s = y[0] - y[2], shaft = gap_side == 0 ? 0 : k12 * (s - gap_side * gap / 2) + d12 * (y[1] - y[3]);
        const double coupling = k23 * (y[2] - y[4]) + d23 * (y[3] - y[5]);
        const double vm = 5 * y[1], g = stribeck(0.03, 0.045, 0.5, vm), dz1 = vm - 6 * (side1 * vm) / g * y[6];
        const double bearing = 6 * y[6] + 0.02 * dz1 + 0.002 * vm;
        const double c3 = y[3] - y[5], dz3 = c3 - 30 / 0.2 * (side3 * c3) * y[7], clutch = 30 * y[7];
        return {5 * (torque(t) - bearing) - shaft, shaft + weight - coupling - clutch, coupling + clutch, dz1, dz3};
    }
    void rates(double t, const Vec& y, Vec& f) const {
        const Forces F = forces(t, y);
        const double friction = Fc2 * held_side + 0.02 * y[3];
        f = {y[1], F.f1 / (25 * Jm + Jp), y[3], held_side == 0 ? 0 : (F.f2 - friction) / J2, y[5], F.f3 / J3, F.dz1,
             F.dz3};
    }
    Vec guards(double t, const Vec& y) const {
        const double f2 = forces(t, y).f2, s = y[0] - y[2];
        return {side1 * y[1],
                side3 * (y[3] - y[5]),
                held_side == 0 ? Fs2 - f2 : held_side * y[3],
                held_side == 0 ? Fs2 + f2 : 1,
                gap_side == 0 ? gap / 2 - s : gap_side * s - gap / 2,
                gap_side == 0 ? gap / 2 + s : 1};
    }
    void change(std::size_t i, double t, Vec& y) {
        ++events;
        if (i == 0) side1 = -side1;
        if (i == 1) side3 = -side3;
        if (i == 2 || i == 3) {
            if (held_side == 0) {
                held_side = i == 2 ? 1 : -1;
            } else {
                y[3] = 0;
                const double f2 = forces(t, y).f2;
                held_side = std::abs(f2) <= Fs2 ? 0 : f2 > 0 ? 1 : -1;
                sticks += held_side == 0;
            }
        }
        if (i == 4) gap_side = gap_side == 0 ? 1 : 0;
        if (i == 5) gap_side = -1;
    }
};

TEST(MachineReferee, ThreeInertiasWithGearGapWeightAndMixedLawsAgreeTo1em5) {
    const Result run = simulate(ThreeInertias::machine());
    ASSERT_EQ(run.status, Status::done) << run.message;
    ThreeInertias referee;
    const Vec y = integrate(referee.plain(), Vec(8, 0.0), 6, 1e-5);
    EXPECT_GE(referee.events, 60);
    EXPECT_GE(referee.sticks, 5);
    const auto &end = run.measures.final, &low = run.measures.min, &high = run.measures.max;
    const auto near = [&](const char* name, double value) {
        EXPECT_NEAR(end.at(name), value, 1e-5 * (high.at(name) - low.at(name))) << name;
    };
    near("pinion.x", y[0]);
    near("pinion.v", y[1]);
    near("middle.x", y[2]);
    near("middle.v", y[3]);
    near("last.x", y[4]);
    near("last.v", y[5]);
    near("motor_bearing.z", y[6]);
    near("clutch.z", y[7]);
    EXPECT_LE(part_residual(run), 1e-9);  // 10 rtol
}

// Two blocks on each other, both dry, on a shaken table: block a on the table, b on a. Coulomb with Fs > Fc.
// Oracle: the referee; at every stop the two holding forces follow from the two equations of motion. Tolerance 1e-5.
class Stack {
  public:
    static constexpr double ma = 1, mb = 0.6, Fa = 1.2, Sa = 1.5, Fb = 0.5, Sb = 0.62;
    static double push(double t) { return 2.5 * std::sin(4 * t) + 0.3; }  // on a
    static Machine machine() {
        return {
            .bodies = {{.name = "a", .mass = ma}, {.name = "b", .mass = mb}},
            .contacts = {{.name = "floor", .first = "a", .law = Coulomb{.curve = {.Fc = Fa, .Fs = Sa}}},
                         {.name = "top", .first = "b", .second = "a", .law = Coulomb{.curve = {.Fc = Fb, .Fs = Sb}}}},
            .forces = {{.name = "push", .body = "a", .value = Input::sine(0.3, 2.5, 4, 0)}},
            .run = {.duration = 8, .rtol = 1e-9, .atol = 1e-9}};
    }
    Plain plain() {
        return {.rates = [this](double t, const Vec& y, Vec& f) { rates(t, y, f); },
                .guards = [this](double t, const Vec& y) { return guards(t, y); },
                .change = [this](std::size_t i, double t, Vec& y) { change(i, t, y); }};
    }
    int floor = 0, top = 0;  // direction of slip; 0: held
    int events = 0;

  private:
    // Friction of the floor on a and of a on b, and the accelerations.
    struct Solved {
        double Ff, Ft, aa, ab;
    };
    Solved solve(double t) const {
        const double u = push(t);
        Solved s{};
        if (floor == 0) {
            s.aa = 0;
            s.Ft = top == 0 ? 0 : top * Fb;
            s.ab = -s.Ft / mb;
            s.Ff = u + s.Ft;
        } else if (top == 0) {
            s.Ff = floor * Fa;
            s.aa = s.ab = (u - s.Ff) / (ma + mb);
            s.Ft = -mb * s.ab;
        } else {
            s.Ff = floor * Fa;
            s.Ft = top * Fb;
            s.aa = (u - s.Ff + s.Ft) / ma;
            s.ab = -s.Ft / mb;
        }
        return s;
    }
    void rates(double t, const Vec& y, Vec& f) const {
        const Solved s = solve(t);
        f = {y[1], s.aa, y[3], s.ab};
    }
    Vec guards(double t, const Vec& y) const {
        const Solved s = solve(t);
        return {floor == 0 ? Sa - s.Ff : floor * y[1], floor == 0 ? Sa + s.Ff : 1,
                top == 0 ? Sb - s.Ft : top * (y[3] - y[1]), top == 0 ? Sb + s.Ft : 1};
    }
    void change(std::size_t i, double t, Vec& y) {
        ++events;
        int& mode = i < 2 ? floor : top;
        if (mode == 0) {
            mode = i % 2 == 0 ? 1 : -1;
        } else {
            const int old = mode;
            if (i < 2)
                y[1] = top == 0 ? y[3] = 0 : 0;
            else
                y[3] = y[1];
            mode = 0;
            const double F = i < 2 ? solve(t).Ff : solve(t).Ft, level = i < 2 ? Sa : Sb;
            if (std::abs(F) > level) mode = F > 0 ? 1 : -1;
            (void)old;
        }
        // a change of one contact can release the other at once
        for (int k = 0; k < 2; ++k) {
            if (floor == 0 && std::abs(solve(t).Ff) > Sa) floor = solve(t).Ff > 0 ? 1 : -1;
            if (top == 0 && std::abs(solve(t).Ft) > Sb) top = solve(t).Ft > 0 ? 1 : -1;
        }
    }
};

TEST(MachineReferee, StackOfTwoDryBlocksAgreesTo1em5) {
    const Result run = simulate(Stack::machine());
    ASSERT_EQ(run.status, Status::done) << run.message;
    Stack referee;
    const Vec y = integrate(referee.plain(), {0, 0, 0, 0}, 8, 2e-5);
    EXPECT_GE(referee.events, 30);
    EXPECT_NEAR(run.measures.final.at("a.x"), y[0], 1e-5);
    EXPECT_NEAR(run.measures.final.at("a.v"), y[1], 1e-5);
    EXPECT_NEAR(run.measures.final.at("b.x"), y[2], 1e-5);
    EXPECT_NEAR(run.measures.final.at("b.v"), y[3], 1e-5);
    EXPECT_LE(part_residual(run), 1e-8);
}

}  // namespace
}  // namespace bristle::simulation
