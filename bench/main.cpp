// Runs the benchmarks and prints tables that compare them.
#include "problems.hpp"
#include <benchmark/benchmark.h>
#include <cctype>
#include <map>
#include <string>

namespace {

// MuJoCo 3.14 on the same problem, slide joint with LuGre: |x(25) - reference| [m]. Quoted, not run here.
struct Quoted {
    const char *name, *label, *evaluations;
    const char* error[4];  // at 0.1, 1, 5, 10 ms
};
constexpr Quoted mujoco[] = {
    {"mujoco_euler", "MuJoCo Euler", "-", {"1.1e-04", "1.1e-03", "7.1e-02", "diverges"}},
    {"mujoco_implicitfast", "MuJoCo implicitfast", "-", {"1.8e-02", "1.7e-01", "9.8e-02", "drifts"}},
    {"mujoco_rk4", "MuJoCo RK4", "4", {"2.8e-05", "2.5e-04", "6.8e-04", "diverges"}}};
constexpr const char* sizes[] = {"0.1", "1", "5", "10"};  // ms

// The usual output; keeps every counter for the tables.
class Keeper : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const auto& run : runs) {
            if (run.error_occurred) continue;
            if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "min") continue;
            for (const auto& [name, counter] : run.counters) kept_[run.run_name.function_name][name] = counter.value;
        }
        ConsoleReporter::ReportRuns(runs);
    }
    // Returns NaN for a benchmark that did not run, as with --benchmark_filter.
    double operator()(const std::string& run, const std::string& counter) const {
        const auto found = kept_.find(run);
        if (found == kept_.end() || !found->second.contains(counter)) return NAN;
        return found->second.at(counter);
    }

  private:
    std::map<std::string, std::map<std::string, double>> kept_;
};

void step_table(const Keeper& get) {
    const double peer = get("two_exp", "step"), peer_float = get("two_exp/float", "step");
    std::printf("\nOne step, velocity given: ns (times two exp), bytes of state and contact\n");
    std::printf("  %-18s %7s %7s   %7s %7s   %5s %7s\n", "", "double", "", "float", "", "state", "contact");
    std::printf("  %-18s %7.1f %7.2f   %7.1f %7.2f\n", "two exp", 1e9 * peer, 1.0, 1e9 * peer_float, 1.0);
    bristle::for_each_law<double>([&](auto entry) {
        const std::string kind = entry.kind, name = "step/" + kind;
        const double time = get(name, "step"), time_float = get(name + "/float", "step");
        std::printf("  %-18s %7.1f %7.2f   %7.1f %7.2f   %5.0f %7.0f\n", entry.kind, 1e9 * time, time / peer,
                    1e9 * time_float, time_float / peer_float, get("size/" + kind, "state_bytes"),
                    get("size/" + kind, "contact_bytes"));
    });
}

void coupled_table(const Keeper& get) {
    const double peer = get("stick_slip/uncoupled", "step");
    std::printf("\nStick-slip at 1 ms: ns a step (times uncoupled), evaluations of the law (mean, largest)\n");
    const auto row = [&](const char* label, const char* name) {
        const double time = get(name, "step");
        std::printf("  %-24s %7.1f %7.2f   %5.2f %3.0f\n", label, 1e9 * time, time / peer, get(name, "evaluations"),
                    get(name, "max_evaluations"));
    };
    std::printf("  %-24s %7.1f %7.2f   %5.2f %3d\n", "uncoupled, v given", 1e9 * peer, 1.0, 1.0, 1);
    row("explicit, sigma1 implicit", "stick_slip/explicit");
    row("coupled, no sub-steps", "stick_slip/coupled/1");
    row("coupled, 8 sub-steps", "stick_slip/coupled/8");
    row("coupled, 16 sub-steps", "stick_slip/coupled/16");
}

void error_table(const Keeper& get) {
    std::printf("\nStick-slip: |x(25 s) - %.14g| in m (evaluations of the law per step)\n",
                problems::stick_slip::x_end);
    std::printf("  %-42s", "");
    for (const char* ms : sizes) std::printf("%13s ms", ms);
    std::printf("\n");
    const auto row = [&](const char* label, const std::string& name) {
        std::printf("  %-42s", label);
        for (const char* ms : sizes) {
            const std::string run = name + "/" + ms + "ms";
            const double error = get(run, "error");
            if (error < 1)
                std::printf("%9.1e (%.2f)", error, get(run, "evaluations"));
            else
                std::printf("%9s (%.2f)", "diverges", get(run, "evaluations"));
        }
        std::printf("\n");
    };
    row("coupled, no sub-steps", "error/coupled/1");
    row("coupled, 8 sub-steps", "error/coupled/8");
    row("coupled, 16 sub-steps", "error/coupled/16");
    row("explicit, sigma1 and sigma2 implicit in v", "error/explicit");
    row("plain loop, force from step(v, dt)", "error/plain");
    for (const auto& q : mujoco) {
        std::printf("  %-42s", (std::string(q.label) + ", quoted, not run here").c_str());
        for (const char* error : q.error) std::printf("%9s (%s)   ", error, q.evaluations);
        std::printf("\n");
    }
    for (const auto& q : mujoco)
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string run = std::string("error/coupled/1/") + sizes[i] + "ms";
            if (get(run, "error") > std::strtod(q.error[i], nullptr) && std::isdigit(q.error[i][0]))
                std::printf(
                    "  Lost without sub-steps: to %s at %s ms, %.1e against %s, for %.2f evaluations against %s.\n",
                    q.label, sizes[i], get(run, "error"), q.error[i], get(run, "evaluations"), q.evaluations);
        }
}

void worst_table(const Keeper& get) {
    std::printf("\nSingle coupled LuGre steps on stick-slip at 1 ms: ns, the timer's own %.0f ns included\n",
                get("single_step/lugre/1", "timer_ns"));
    std::printf("  %-24s %8s %8s %16s %8s\n", "", "p50", "p99.9", "max undisturbed", "max");
    for (const char* n : {"1", "8", "16"}) {
        const std::string run = std::string("single_step/lugre/") + n;
        std::printf("  %-24s %8.0f %8.0f %16.0f %8.0f\n",
                    (n[0] == '1' && !n[1] ? "no sub-steps" : std::string(n) + " sub-steps").c_str(), get(run, "p50_ns"),
                    get(run, "p99.9_ns"), get(run, "max_undisturbed_ns"), get(run, "max_ns"));
    }
    std::printf(
        "  max undisturbed: each step counts with the fastest of its repeats, so what remains is the step's own.\n");

    std::printf(
        "\nRandom steps, dt 1e-6 to 0.1 s: evaluations of the law (mean, largest), steps above 16, failed steps\n");
    std::printf("  %-18s %23s   %15s\n", "", "no sub-steps", "8 sub-steps");
    double draws = 0;
    bristle::for_each_law<double>([&](auto entry) {
        const std::string one = "draws/" + std::string(entry.kind) + "/1",
                          eight = "draws/" + std::string(entry.kind) + "/8";
        draws += get(one, "draws");
        std::printf("  %-18s %6.2f %4.0f %6.0f %4.0f   %6.2f %4.0f %4.0f\n", entry.kind, get(one, "evaluations"),
                    get(one, "max_evaluations"), get(one, "above_16"), get(one, "wrong"), get(eight, "evaluations"),
                    get(eight, "max_evaluations"), get(eight, "wrong"));
    });
    std::printf(
        "  %.0f draws in each column. Not right: not finite, off its own equation by 1e-8, or its energy by 1e-12.\n",
        draws);
}

void solver_table(const Keeper& get) {
    std::printf(
        "\nA08 fig 4, 20 s, 2001 samples: fastest run with the largest error of the elongation below the target\n");
    std::printf("  %-10s %22s   %22s   %s\n", "target [m]", "Bristle, Rodas5P", "CVODE, BDF dense", "times faster");
    for (const char* target : {"1e-4", "1e-6", "1e-8"}) {
        const std::string ours = std::string("solver/bristle/") + target,
                          theirs = std::string("solver/cvode/") + target;
        std::printf("  %-10s %8.0f us (%.1e)   %8.0f us (%.1e)   %.1f\n", target, 1e6 * get(ours, "seconds"),
                    get(ours, "error"), 1e6 * get(theirs, "seconds"), get(theirs, "error"),
                    get(theirs, "seconds") / get(ours, "seconds"));
    }
    if (std::isnan(get("solver/cvode/1e-6", "seconds")))
        std::printf("  CVODE did not run (built without SUNDIALS?).\n");
}

void machine_table(const Keeper& get) {
    std::printf("\nMachines that are one of the rigs, rtol 1e-8: us of a run (steps), times the rig\n");
    for (const char* name : {"lugre/pulled_spring", "lugre/conveyor", "lugre/pid_servo", "lugre/forced_mass",
                             "coulomb/pulled_spring", "coulomb/pid_servo", "maxwell_slip/pulled_spring"}) {
        const std::string run = std::string("machine/") + name;
        std::printf("  %-28s rig %8.0f (%5.0f)   machine %8.0f (%5.0f)   %5.2f\n", name, 1e6 * get(run, "rig"),
                    get(run, "rig_steps"), 1e6 * get(run, "machine"), get(run, "machine_steps"), get(run, "ratio"));
    }
}

void fit_table(const Keeper& get) {
    std::printf("\nFit of LuGre with inertia, 25 000 samples, %.0f parameters\n", get("fit/solve", "parameters"));
    std::printf("  %-36s %8.1f ms, %.0f evaluations\n", "one start", 1e3 * get("fit/solve", "seconds"),
                get("fit/solve", "evaluations"));
    std::printf("  %-36s %8.1f ns a sample, %.1f plain passes\n", "one pass with all derivatives",
                1e9 * get("fit/derivatives", "step"), get("fit/derivatives", "step") / get("fit/plain", "step"));
    for (const char* rows : {"10000", "100000", "1000000"})
        std::printf("  %-36s %8.1f ns a row\n", (std::string("evaluation and fold, rows: ") + rows).c_str(),
                    1e9 * get(std::string("fit/rows/") + rows, "step"));
    std::printf("  Against SciPy: bench/fit_scipy.py\n");
}

}  // namespace

int main(int count, char** words) {
    for (const auto& q : mujoco)
        for (std::size_t i = 0; i < 4; ++i)
            benchmark::AddCustomContext(std::string("error/") + q.name + "/" + sizes[i] + "ms",
                                        std::string(q.error[i]) + " (quoted, not run here)");
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
    Keeper keeper;
    benchmark::RunSpecifiedBenchmarks(&keeper);
    step_table(keeper);
    coupled_table(keeper);
    error_table(keeper);
    worst_table(keeper);
    solver_table(keeper);
    machine_table(keeper);
    fit_table(keeper);
    benchmark::Shutdown();
}
