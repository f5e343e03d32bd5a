// Worst cases: the time of single steps over a stick-slip run, and the number of evaluations of random steps over many
// decades.
#include "draws.hpp"
#include "registry.hpp"
#include <chrono>

namespace {

using namespace problems;
using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

double quantile(std::vector<double> all, double q) {
    const auto at = all.begin() + std::ptrdiff_t(q * double(all.size() - 1));
    std::nth_element(all.begin(), at, all.end());
    return *at;
}

// Returns the time between two clock readings, which every time below contains.
double timer_overhead() {
    std::vector<double> gaps(100000);
    for (double& gap : gaps) {
        const auto start = Clock::now();
        gap = nanoseconds(Clock::now() - start);
    }
    return quantile(gaps, 0.5);
}

constexpr double dt = 1e-3;
constexpr int repeats = 21;  // of the run, which is equal bit by bit each time

// Each of the 25 000 steps is timed alone, in every repeat. max is the slowest reading, with all disturbances by the
// machine; max_undisturbed is the largest over the steps of the fastest repeat of each step.
template <class Law>
void single_steps(benchmark::State& state, int substeps) {
    std::vector<double> best, all;
    const bristle::Contact at_rest{typical<Law>()};
    for (auto _ : state)
        for (int k = 0; k < repeats; ++k) {
            auto contact = at_rest;
            bristle::Motion motion;
            const long steps = std::lround(stick_slip::duration / dt);
            best.resize(std::size_t(steps), 1e300);
            for (long i = 0; i < steps; ++i) {
                const double t = double(i) * dt;
                const auto pull = [&](const auto& in) {
                    return stick_slip::spring * (stick_slip::speed * (t + in.t) - in.middle());
                };
                const auto start = Clock::now();
                const auto done = bristle::advance(stick_slip::mass, contact, motion, pull, dt, {.substeps = substeps});
                const double took = nanoseconds(Clock::now() - start);
                motion = done;
                all.push_back(took);
                best[std::size_t(i)] = std::min(best[std::size_t(i)], took);
            }
        }
    state.counters["p50_ns"] = quantile(all, 0.5);
    state.counters["p99.9_ns"] = quantile(all, 0.999);
    state.counters["max_ns"] = quantile(all, 1);
    state.counters["max_undisturbed_ns"] = quantile(best, 1);
    state.counters["timer_ns"] = timer_overhead();
}

// 1e6 random steps, divided between the laws of the catalogue, with dt from 1e-6 to 0.1 s.
constexpr unsigned seed = 1;
constexpr int total = 1000000, per_parameters = 20;
constexpr int laws = [] {
    int count = 0;
    bristle::for_each_law<double>([&](auto) { ++count; });
    return count;
}();

template <class Law>
void evaluations(benchmark::State& state, int substeps) {
    long count = 0, sum = 0, above_16 = 0, wrong = 0;
    int most = 0;
    for (auto _ : state) {
        draws::Random random{std::mt19937_64(seed)};
        while (count < total / laws) {
            const double mass = random.decades(-4, 4);
            const bristle::Contact contact{draws::law<Law>(random, mass)};
            for (int k = 0; k < per_parameters; ++k) {
                const auto verdict = draws::judge(contact, draws::draw(random, contact.law(), mass), substeps);
                ++count;
                sum += verdict.evaluations;
                most = std::max(most, verdict.evaluations);
                above_16 += verdict.evaluations > 16;
                wrong += !verdict.right();
            }
        }
    }
    state.counters["draws"] = double(count);
    state.counters["evaluations"] = double(sum) / double(count);
    state.counters["max_evaluations"] = most;
    state.counters["above_16"] = double(above_16);
    state.counters["wrong"] = double(wrong);
}

const bool registered = [] {
    for (const int n : {1, 8, 16})
        bench::add_once("single_step/lugre/" + std::to_string(n),
                        [n](benchmark::State& state) { single_steps<bristle::LuGre>(state, n); });
    for (const int n : {1, 8})
        bristle::for_each_law<double>([&](auto entry) {
            using Law = typename decltype(entry)::law;
            bench::add_once("draws/" + std::string(entry.kind) + "/" + std::to_string(n),
                            [n](benchmark::State& state) { evaluations<Law>(state, n); });
        });
    return true;
}();

}  // namespace
