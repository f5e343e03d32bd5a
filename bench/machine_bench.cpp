// Machines that are one of the rigs, compared with the rig: the same motion, law, tolerance and samples, in one run.
//
// Both are run alternately; the smallest time of each counts, so that a busy machine disturbs the ratio least.
#include <bristle/simulate/machine.hpp>
#include <chrono>

#include "problems.hpp"
#include "registry.hpp"

namespace {

using namespace bristle;

constexpr int reps = 25;

struct Pair {
    std::string name;
    Setup setup;
    Machine machine;
};

std::vector<Pair> pairs() {
    std::vector<Pair> out;
    const auto add = [&](const std::string& name, const AnyLaw& law, const Rig& rig, double duration, Machine machine,
                         const Input& input = Input::constant(0)) {
        Setup setup{.law = law, .rig = rig, .input = input, .run = {.duration = duration, .rtol = 1e-8, .atol = 1e-8}};
        machine.run = setup.run;
        for (ContactPart& contact : machine.contacts) contact.law = law;
        out.push_back({name, setup, machine});
    };
    const std::vector<Body> block{{.name = "block", .mass = 1}};
    const std::vector<ContactPart> foot{{.name = "foot", .first = "block"}};
    const Machine pulled{.bodies = block,
                         .motions = {{.name = "puller", .value = Input::constant(0.1)}},
                         .springs = {{.name = "k", .first = "puller", .second = "block", .stiffness = 2}},
                         .contacts = foot};
    const Machine on_belt{.bodies = block,
                          .motions = {{.name = "belt", .value = Input::constant(0.1)}},
                          .springs = {{.name = "k", .first = "block", .stiffness = 8}},
                          .contacts = {{.name = "foot", .first = "belt", .second = "block"}}};
    const Machine servo{.bodies = block,
                        .contacts = foot,
                        .motors = {{.name = "motor", .body = "block"}},
                        .controllers = {{.name = "servo",
                                         .motor = "motor",
                                         .law = Pid{.Kp = 3, .Ki = 4, .Kd = 6},
                                         .reference = Input::constant(1)}}};
    const Input sine = Input::sine(0.2, 3, 3, 0);
    const Machine forced{.bodies = block, .contacts = foot, .forces = {{.name = "u", .body = "block", .value = sine}}};
    const AnyLaw lugre = problems::typical<AnyLuGre>(), coulomb = problems::typical<AnyCoulomb>(),
                 maxwell = problems::typical<AnyMaxwellSlip>();
    add("lugre/pulled_spring", lugre, PulledSpring{1, 2, 0.1}, 25, pulled);
    add("lugre/conveyor", lugre, Conveyor{1, 8, 9.81, 0.1, 1e-9}, 10, on_belt);
    add("lugre/pid_servo", lugre, PidServo{1, 6, 3, 4, 1}, 20, servo);
    add("lugre/forced_mass", lugre, ForcedMass{1}, 10, forced, sine);
    add("coulomb/pulled_spring", coulomb, PulledSpring{1, 2, 0.1}, 25, pulled);
    add("coulomb/pid_servo", coulomb, PidServo{1, 6, 3, 4, 1}, 20, servo);
    add("maxwell_slip/pulled_spring", maxwell, PulledSpring{1, 2, 0.1}, 5, pulled);
    return out;
}

double seconds(const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(work());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void compare(benchmark::State& run, const Pair& pair) {
    double rig = INFINITY, machine = INFINITY;
    Result of_rig, of_machine;
    for (auto _ : run)
        for (int i = 0; i < reps; ++i) {
            rig = std::min(rig, seconds([&] { return (of_rig = simulate(pair.setup)).statistics.steps; }));
            machine =
                std::min(machine, seconds([&] { return (of_machine = simulate(pair.machine)).statistics.steps; }));
        }
    if (of_rig.status != Status::done || of_machine.status != Status::done) run.SkipWithError("a run failed");
    run.counters["rig"] = rig;
    run.counters["machine"] = machine;
    run.counters["ratio"] = machine / rig;
    run.counters["rig_steps"] = double(of_rig.statistics.steps);
    run.counters["machine_steps"] = double(of_machine.statistics.steps);
}

const bool registered = [] {
    for (const Pair& pair : pairs())
        bench::add_once("machine/" + pair.name, [pair](benchmark::State& run) { compare(run, pair); });
    return true;
}();

}  // namespace
