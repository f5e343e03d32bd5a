// Machines with the coupled fixed step: closed forms, the adaptive method, and the ledger of every part.
#include "plain_referee.hpp"
#include "random_machines.hpp"
#include "sliding_blocks.hpp"

namespace bristle::inline simulation {
namespace {

double final_of(const Result& run, const std::string& name) { return run.measures.final.at(name); }

// Returns the largest difference of a signal in two runs, as a fraction of its range in the second; infinity if a run has not ended or
// the samples are not as many.
double difference(const Result& a, const Result& b, const std::string& name) {
    const std::vector<double>&x = a.signal(name)->values, &y = b.signal(name)->values;
    if (a.status != Status::done || b.status != Status::done || x.empty() || x.size() != y.size())
        return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
    return worst / (b.measures.max.at(name) - b.measures.min.at(name));
}
Machine with_step(Machine machine, double step, double duration) {
    machine.run.method = Method::coupled;
    machine.run.step = step;
    machine.run.duration = duration;
    return machine;
}

// A geared motor, a shaft with backlash, a body on a belt, a weight; two contacts of one law, one with the force of a spring as its load.
Machine mixed_machine(const AnyLaw& first, const AnyLaw& second) {
    return {.bodies = {{.name = "motor", .mass = 0.02},
                       {.name = "pinion", .mass = 0.1},
                       {.name = "block", .mass = 1, .force = 0.3, .v = 0.05},
                       {.name = "rider", .mass = 0.5}},
            .motions = {{.name = "belt", .value = Input::sine(0.05, 0.1, 7, 0)},
                        {.name = "shaker", .value = Input::sine(0, 4e-3, 11, 0.4), .quantity = Quantity::displacement}},
            .springs =
                {{.name = "shaft", .first = "pinion", .second = "block", .stiffness = 300, .damping = 2, .gap = 2e-3},
                 {.name = "mount", .first = "shaker", .second = "rider", .stiffness = 150, .damping = 0.2}},
            .gears = {{.name = "gear", .driver = "motor", .driven = "pinion", .ratio = 3}},
            .contacts = {{.name = "guide", .first = "block", .second = "belt", .law = first},
                         {.name = "top",
                          .first = "rider",
                          .second = "block",
                          .law = second,
                          .load = Input::constant(0.4),
                          .load_spring = "shaft"},
                         {.name = "bearing", .first = "motor", .law = first, .load = Input::sine(0.3, 0.1, 9, 0)}},
            .forces = {{.name = "push", .body = "motor", .value = Input::sine(0.2, 1.5, 5, 0)},
                       {.name = "kick", .body = "rider", .value = Input::steps({{0.05, 0.4}, {0.3, -0.6}})}},
            .run = {.samples = 101}};
}

// Oracle: conservation of energy, for the machine and for each part. Tolerance: 1e-12 of the scale, which is 1000 roundings per step.
class MachineCoupledLaw : public testing::TestWithParam<std::string> {};
TEST_P(MachineCoupledLaw, ClosesTheLedgerOfEveryPartAtEveryStep) {
    const AnyLaw law = c95_law(GetParam());
    for (const char* other : {"lugre", "coulomb"})
        for (const auto& [dt, duration] : {std::pair{1e-5, 0.1}, {1e-4, 0.6}, {1e-3, 2.0}, {1e-2, 5.0}, {0.1, 20.0}}) {
            SCOPED_TRACE(other + (" dt " + std::to_string(dt)));
            const Result run = simulate(with_step(mixed_machine(law, c95_law(other)), dt, duration));
            ASSERT_EQ(run.status, Status::done) << run.message;
            EXPECT_LE(part_residual(run), 1e-12);
            double received = 0;
            for (const Energy::Part& part : run.energy.parts) received += part.received;
            EXPECT_LE(std::abs(received), 1e-12 * run.energy.scale);
        }
}

// Oracle: the adaptive method with rtol 1e-9. Tolerance: 1e-4 of the range at dt = 0.1 ms, from the instants of the events.
TEST_P(MachineCoupledLaw, MovesAsWithTheAdaptiveMethod) {
    Machine machine = mixed_machine(c95_law(GetParam()), c95_law("lugre"));
    machine.run.duration = 1;
    machine.run.rtol = machine.run.atol = 1e-9;
    const Result exact = simulate(machine), run = simulate(with_step(machine, 1e-4, 1));
    ASSERT_EQ(exact.status, Status::done) << exact.message;
    ASSERT_EQ(run.status, Status::done) << run.message;
    for (const char* name : {"motor.x", "block.x", "rider.x", "block.v"})
        EXPECT_LE(difference(run, exact, name), 1e-4) << name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MachineCoupledLaw, testing::ValuesIn([] {
                             std::vector<std::string> kinds;
                             for_each_law([&](const auto& entry) { kinds.push_back(entry.kind); });
                             return kinds;
                         }()),
                         [](const auto& name) { return name.param; });

// ---- servo axes --------------------------------------------------------------------------------------------------------

Machine servo_axis(const std::variant<Pid, Cascade>& law, double lag) {
    return {
        .bodies = {{.name = "motor", .mass = 4e-4}, {.name = "load", .mass = 8e-4}},
        .springs = {{.name = "gearbox", .first = "motor", .second = "load", .stiffness = 60, .damping = 0.01}},
        .contacts =
            {{.name = "guide",
              .first = "load",
              .law = LuGre{.sigma0 = 100, .sigma1 = 0.3, .sigma2 = 2e-3, .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}},
             {.name = "brush", .first = "motor", .law = Coulomb{.curve = {.Fc = 0.02, .Fs = 0.03}}}},
        .motors = {{.name = "drive", .body = "motor", .limit = 1, .lag = lag}},
        .controllers =
            {{.name = "servo", .motor = "drive", .law = law, .reference = Input::trapezoid(0, 1.5, 20, 4000, 0.05)}},
        .run = {.duration = 0.6, .samples = 101}};
}

// Torque limit, anti-windup, filter, lag, speed limit. Oracles: conservation of energy; the adaptive method with rtol 1e-9.
// Tolerances: ledger 1e-12 of the scale; motion 1e-4 of the range with dt = 20 us, in which the limits are not located.
TEST(MachineCoupled, FollowsAServoWithLimitsAndClosesItsLedger) {
    for (const auto& [law, lag] :
         {std::pair<std::variant<Pid, Cascade>, double>{Pid{.Kp = 2, .Ki = 40, .Kd = 0.05, .filter = 2e-3}, 0},
          {Cascade{.Kx = 40, .Kv = 0.06, .Ki = 0.5, .speed_limit = 15}, 5e-4}}) {
        SCOPED_TRACE(law.index());
        Machine machine = servo_axis(law, lag);
        machine.run.rtol = machine.run.atol = 1e-9;
        const Result exact = simulate(machine);
        ASSERT_EQ(exact.status, Status::done) << exact.message;
        EXPECT_GE(exact.measures.max.at("drive.F"), lag > 0 ? 0.3 : 1.0);
        for (const double dt : {2e-5, 1e-4, 1e-3, 1e-2}) {
            const Result run = simulate(with_step(machine, dt, 0.6));
            ASSERT_EQ(run.status, Status::done) << run.message;
            EXPECT_LE(part_residual(run), 1e-12) << dt;
            if (dt > 2e-5) continue;
            EXPECT_LE(difference(run, exact, "load.x"), 1e-4);
            EXPECT_LE(difference(run, exact, "motor.v"), 1e-3);
        }
    }
}

// ---- order -------------------------------------------------------------------------------------------------------------

// Oracle: the adaptive method, rtol 1e-11. One ratio can be near 4 by chance, so the order is the mean over three halvings: 4 +- 0.2.
TEST(MachineCoupled, IsOfSecondOrderInSmoothSliding) {
    const Machine machine = sliding_blocks(2, 1e-11);
    const Result exact = simulate(machine);
    for (const char* name : {"a.x", "a.v", "b.x", "b.v"}) {
        const auto error = [&](double dt) {
            return std::abs(final_of(simulate(with_step(machine, dt, 2)), name) - final_of(exact, name));
        };
        const double coarse = error(4e-3), fine = error(5e-4);
        EXPECT_NEAR(std::cbrt(coarse / fine), 4, 0.2) << name;
        EXPECT_LE(fine, 1e-5) << name;
    }
}

// Two blocks in series, each on a foot, pulled slowly: stick-slip of both.
// Oracle: the adaptive method, rtol 1e-10. Tolerance: 2e-5 of the range at 1 ms, 2e-3 at 10 ms.
TEST(MachineCoupled, FollowsStickSlipOfTwoBlocks) {
    const LuGre law{.sigma0 = 1e5, .sigma1 = 316, .sigma2 = 0.1, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}};
    const Machine machine{
        .bodies = {{.name = "a", .mass = 1}, {.name = "b", .mass = 0.7}},
        .motions = {{.name = "puller", .value = Input::constant(0.05)}},
        .springs = {{.name = "pull", .first = "puller", .second = "a", .stiffness = 4},
                    {.name = "link", .first = "a", .second = "b", .stiffness = 20, .damping = 0.2}},
        .contacts = {{.name = "front", .first = "a", .law = law}, {.name = "rear", .first = "b", .law = law}},
        .run = {.duration = 40, .rtol = 1e-10, .atol = 1e-10}};
    const Result exact = simulate(machine);
    ASSERT_EQ(exact.status, Status::done) << exact.message;
    const auto slips = [](const Result& run, const char* contact) {
        return std::count_if(run.events.begin(), run.events.end(), [&](const Event& event) {
            return event.part == contact && event.kind == Event::Kind::stick_end;
        });
    };
    for (const auto& [dt, tolerance] : {std::pair{1e-3, 2e-5}, {1e-2, 2e-3}}) {
        const Result run = simulate(with_step(machine, dt, 40));
        ASSERT_EQ(run.status, Status::done) << run.message;
        EXPECT_EQ(slips(run, "front"), slips(exact, "front"));
        EXPECT_EQ(slips(run, "rear"), slips(exact, "rear"));
        EXPECT_LE(difference(run, exact, "a.x"), tolerance) << dt;
        EXPECT_LE(difference(run, exact, "b.x"), tolerance) << dt;
        EXPECT_LE(part_residual(run), 1e-12);
    }
}

// ---- rest --------------------------------------------------------------------------------------------------------------

// Two bodies joined by a spring, pushed at half of what their contacts hold, for 10000 steps.
// Oracle: a dry law does not move; LuGre creeps while the load rises, then it stays, and sigma0 z balances push and spring. Tolerance:
// 1e-12 m from 5000 to 10000 steps, dry 1e-15 m in all.
TEST(MachineCoupled, DoesNotDriftInStickAtAnyStep) {
    const LuGre bristle{.sigma0 = 1e5, .sigma1 = 316, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}};
    const Coulomb dry{.curve = {.Fc = 1, .Fs = 1.5}};
    for (const double dt : {1e-3, 0.03, 1.0})
        for (const bool is_dry : {true, false}) {
            const AnyLaw law = is_dry ? AnyLaw(dry) : AnyLaw(bristle);
            Machine machine{
                .bodies = {{.name = "a", .mass = 1}, {.name = "b", .mass = 0.3}},
                .springs = {{.name = "link", .first = "a", .second = "b", .stiffness = 50}},
                .contacts = {{.name = "front", .first = "a", .law = law}, {.name = "rear", .first = "b", .law = law}},
                .forces = {{.name = "push", .body = "a", .value = Input::constant(0.5)},
                           {.name = "pull", .body = "b", .value = Input::constant(-0.5)}}};
            const Result half = simulate(with_step(machine, dt, 5000 * dt)),
                         run = simulate(with_step(machine, dt, 10000 * dt));
            ASSERT_EQ(run.status, Status::done) << run.message;
            const double rest = 0.5 - 50 * (final_of(run, "a.x") - final_of(run, "b.x"));
            if (is_dry) {
                EXPECT_NEAR(final_of(run, "a.x"), 0, 1e-15) << dt;
                EXPECT_NEAR(final_of(run, "b.x"), 0, 1e-15) << dt;
                EXPECT_NEAR(final_of(run, "front.F"), 0.5, 1e-12) << dt;
            } else {
                EXPECT_NEAR(1e5 * final_of(run, "front.z"), rest, 1e-12) << dt;
                EXPECT_NEAR(1e5 * final_of(run, "rear.z"), -rest, 1e-12) << dt;
            }
            EXPECT_NEAR(final_of(run, "a.x"), final_of(half, "a.x"), 1e-12) << dt;
            EXPECT_NEAR(final_of(run, "b.x"), final_of(half, "b.x"), 1e-12) << dt;
            EXPECT_NEAR(final_of(run, "a.v"), 0, 1e-15);
            EXPECT_LE(part_residual(run), 1e-12);
        }
}

// A body on two dry guides: the split of the force is not determined, the sum is. Levels at rest 1.5 and 2.5 N, sliding 1 and 2 N.
// Oracle: held up to a push of 4 N at t = 0.4 s; then (10 t - 3) N act on 2 kg. Tolerance: a step of 1 ms in the instant of breakaway.
TEST(MachineCoupled, TwoDryGuidesHoldUpToTheSumOfTheirLevels) {
    const Machine machine{
        .bodies = {{.name = "slide", .mass = 2}},
        .contacts = {{.name = "left", .first = "slide", .law = Coulomb{.curve = {.Fc = 1, .Fs = 1.5}}},
                     {.name = "right", .first = "slide", .law = Coulomb{.curve = {.Fc = 2, .Fs = 2.5}}}},
        .forces = {{.name = "push", .body = "slide", .value = Input::ramps({{0, 0}, {1, 10}})}},
        .run = {.sample_times = {0.2, 0.399}}};
    const Result run = simulate(with_step(machine, 1e-3, 0.6));
    ASSERT_EQ(run.status, Status::done) << run.message;
    const auto& before = run.measures.at.at(0.399);
    EXPECT_NEAR(before.at("slide.x"), 0, 1e-15);
    EXPECT_NEAR(before.at("left.F") + before.at("right.F"), 3.985, 1e-12);  // the push at the middle of the step
    const auto& early = run.measures.at.at(0.2);
    EXPECT_NEAR(early.at("left.F"), early.at("right.F"), 1e-6);  // of equal masses
    const double s = 0.2, v = (1 * s + 5 * s * s) / 2, x = (s * s / 2 + 5 * s * s * s / 3) / 2;
    EXPECT_NEAR(final_of(run, "slide.v"), v, 1e-3 * 1.0);
    EXPECT_NEAR(final_of(run, "slide.x"), x, 1e-3 * v);
    EXPECT_NEAR(final_of(run, "left.F"), 1, 1e-12);
    EXPECT_LE(part_residual(run), 1e-12);
}

// A body slides to rest on two guides that move in opposite directions: the forces inside both jumps contradict each other.
// Oracle: the stronger belt (3 N) carries the body against the weaker (1 N): v = 0.2 m/s.
TEST(MachineCoupled, StrongerOfTwoBeltsCarriesABody) {
    for (const double dt : {1e-4, 1e-2, 1.0}) {
        const Machine machine{
            .bodies = {{.name = "body", .mass = 1}},
            .motions = {{.name = "strong", .value = Input::constant(0.2)},
                        {.name = "weak", .value = Input::constant(-0.3)}},
            .contacts = {
                {.name = "one", .first = "body", .second = "strong", .law = Coulomb{.curve = {.Fc = 3, .Fs = 3}}},
                {.name = "two", .first = "body", .second = "weak", .law = Coulomb{.curve = {.Fc = 1, .Fs = 1}}}}};
        const Result run = simulate(with_step(machine, dt, 4));
        ASSERT_EQ(run.status, Status::done) << run.message;
        EXPECT_NEAR(final_of(run, "body.v"), 0.2, 1e-15) << dt;
        EXPECT_NEAR(final_of(run, "one.F"), -1, 1e-12) << dt;
        EXPECT_NEAR(final_of(run, "two.F"), 1, 1e-12) << dt;
        EXPECT_LE(part_residual(run), 1e-12);
    }
}

// Six bodies on each other on a shaken table, each a quarter as heavy as the one below: the level falls faster than the inertia of the
// light ones rises, so the equations of a step have several roots. Oracle: conservation of energy. Tolerance: 1e-12 of the scale.
TEST(MachineCoupled, FindsASolutionForLightBodiesOnFallingLevels) {
    for (const char* kind : {"lugre", "stribeck", "gear", "hysteretic", "maxwell_slip"})
        for (const double dt : {1e-3, 1e-2, 0.1, 0.5}) {
            SCOPED_TRACE(kind + (" dt " + std::to_string(dt)));
            Machine machine{.motions = {{.name = "table",
                                         .value = Input::sine(0, 0.02, 12, 0.3),
                                         .quantity = Quantity::displacement}},
                            .contacts = {{.name = "left", .first = "body2", .law = c95_law("coulomb")},
                                         {.name = "right", .first = "body2", .law = c95_law("coulomb")}},
                            .forces = {{.name = "push", .body = "body5", .value = Input::sine(0, 2, 7, 0)}}};
            std::string below = "table";
            for (int i = 0; i < 6; ++i) {
                const std::string name = "body" + std::to_string(i);
                machine.bodies.push_back({.name = name, .mass = std::pow(1e-3, 0.2 * i)});
                machine.contacts.push_back(
                    {.name = "contact" + std::to_string(i), .first = name, .second = below, .law = c95_law(kind)});
                below = name;
            }
            const Result run = simulate(with_step(machine, dt, 10));
            ASSERT_EQ(run.status, Status::done) << run.message;
            EXPECT_LE(part_residual(run), 1e-12);
        }
}

// ---- reversals and corners ---------------------------------------------------------------------------------------------

// A body on a belt that reverses and stops, and a body on it. Both rest most of the time.
// Oracle: dry friction decelerates each body to the velocity of what is below it, once per step of the belt that it follows: as many
// stops as with the adaptive method.
TEST(MachineCoupled, RecordsNoReversalsAtRest) {
    Machine machine{
        .bodies = {{.name = "a", .mass = 1}, {.name = "b", .mass = 0.2}},
        .motions = {{.name = "belt", .value = Input::steps({{0, 0}, {0.2, 0.3}, {0.5, -0.3}, {0.8, 0}})}},
        .contacts = {{.name = "low", .first = "a", .second = "belt", .law = Coulomb{.curve = {.Fc = 3, .Fs = 4}}},
                     {.name = "high", .first = "b", .second = "a", .law = Coulomb{.curve = {.Fc = 0.3, .Fs = 0.4}}}},
        .run = {.duration = 1.5}};
    const Result exact = simulate(machine);
    ASSERT_EQ(exact.status, Status::done) << exact.message;
    for (const double dt : {1e-4, 3e-4}) {
        const Result run = simulate(with_step(machine, dt, 1.5));
        ASSERT_EQ(run.status, Status::done) << run.message;
        EXPECT_EQ(run.statistics.reversals, exact.statistics.reversals) << dt;
    }
}

// A servo with LuGre friction makes a move and rests; its bristle deflection keeps the rounding of the loop in motion.
// Oracle: the adaptive method. Tolerance: 2, since the last oscillation passes through the speed that counts as zero.
TEST(MachineCoupled, RecordsNoReversalsOfAServoAtRest) {
    Machine machine{.bodies = {{.name = "motor", .mass = 4e-4}},
                    .contacts = {{.name = "guide",
                                  .first = "motor",
                                  .law = LuGre{.sigma0 = 10,
                                               .sigma1 = 0.03,
                                               .sigma2 = 1e-3,
                                               .curve = {.Fc = 0.08, .Fs = 0.12, .vs = 0.5}}}},
                    .motors = {{.name = "drive", .body = "motor", .limit = 1}},
                    .controllers = {{.name = "servo",
                                     .motor = "drive",
                                     .law = Pid{.Kp = 2, .Kd = 0.05, .filter = 2e-3},
                                     .reference = Input::trapezoid(0, 1.5, 20, 4000, 0.05)}},
                    .run = {.duration = 1}};
    const Result exact = simulate(machine);
    ASSERT_EQ(exact.status, Status::done) << exact.message;
    for (const double dt : {1e-4, 1e-3}) {
        const Result run = simulate(with_step(machine, dt, 1));
        ASSERT_EQ(run.status, Status::done) << run.message;
        EXPECT_NEAR(double(run.statistics.reversals), double(exact.statistics.reversals), 2) << dt;
    }
}

// A block carried by a belt, pushed by 1 N from a corner that lies within a rounding of a grid point, with a second input whose corner
// is one rounding later. Oracle: the held force is the push, 0 or 1 N; 1e-9 N of tolerance, the rounding of 0.3 m/s times 7.3 kg in a step.
TEST(MachineCoupled, TakesNoStepsOfRoundingAtCorners) {
    for (const double step : {3e-4, 6e-4, 7e-4})
        for (const double corner : {0.9, 1.5, 2.1, 3.0}) {
            Machine machine{.bodies = {{.name = "block", .mass = 7.3, .v = 0.3}},
                            .motions = {{.name = "belt", .value = Input::constant(0.3)}},
                            .contacts = {{.name = "foot",
                                          .first = "block",
                                          .second = "belt",
                                          .law = Coulomb{.curve = {.Fc = 2, .Fs = 3}}}},
                            .forces = {{.name = "push", .body = "block", .value = Input::steps({{0, 0}, {corner, 1}})},
                                       {.name = "other",
                                        .body = "block",
                                        .value = Input::steps({{0, 0}, {std::nextafter(corner, 9), 1e-12}})}}};
            const Result run = simulate(with_step(machine, step, 3.5));
            ASSERT_EQ(run.status, Status::done) << run.message;
            EXPECT_NEAR(run.measures.max.at("foot.F"), 1, 1e-9) << step << ' ' << corner;
            EXPECT_NEAR(run.measures.min.at("foot.F"), 0, 1e-9) << step << ' ' << corner;
        }
}

// ---- random machines and rules -----------------------------------------------------------------------------------------

// Oracle: none is needed for finite numbers; energy is conserved. Tolerance: 1e-12 of the scale for the machine and for each part.
TEST(MachineCoupled, RandomMachinesEndWithFiniteSignalsAndAClosedLedgerAtAnyStep) {
    test::Random random(17);
    MachineMaker maker(random);
    double worst = 0;
    for (long i = 0; i < test::draws(150); ++i) {
        Machine machine = maker.next();
        SCOPED_TRACE("machine " + std::to_string(i));
        const Result run = simulate(with_step(machine, random.log_uniform(2e-4, 0.2), machine.run.duration));
        EXPECT_EQ(run.status, Status::done) << run.message;
        for (const Signal& signal : run.signals)
            for (const double value : signal.values) ASSERT_TRUE(std::isfinite(value)) << signal.name;
        EXPECT_LE(part_residual(run), 1e-12);
        worst = std::max(worst, part_residual(run));
    }
    std::printf("largest residual %.2g of the scale\n", worst);
}

// Oracle: the sentences.
TEST(MachineCoupled, RefusesABadStep) {
    const Machine machine = sliding_blocks(2, 1e-11);
    const auto rule = [&](double step) {
        const auto found = problems(with_step(machine, step, 2));
        return found.empty() ? std::string() : found.front();
    };
    EXPECT_EQ(rule(0), "run.step = 0 s: must be a finite number > 0");
    EXPECT_EQ(rule(3), "run.step = 3 s: must be <= run.duration");
    EXPECT_NE(rule(NAN), "");
    EXPECT_EQ(rule(2), "");
    Machine other = machine;
    other.run.method = Method::explicit_;
    EXPECT_EQ(problems(other).front(), "run.method: explicit is not available for machines; use adaptive or coupled");
}

}  // namespace
}  // namespace bristle::simulation
