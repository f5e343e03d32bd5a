// A step coupled to a mass compared with the same step at given velocity, on C95 stick-slip at 1 ms.
#include "problems.hpp"
#include "registry.hpp"

namespace {

using namespace problems;
constexpr double dt = 1e-3;

// The whole run, from rest, in every iteration.
void coupled(benchmark::State& run, int substeps) {
    const bristle::Contact at_rest{typical<bristle::LuGre>()};
    stick_slip::Outcome out;
    for (auto _ : run) benchmark::DoNotOptimize(out = stick_slip::run(at_rest, dt, substeps));
    bench::per_step(run, std::size_t(out.steps));
    run.counters["evaluations"] = double(out.evaluations) / double(out.steps);
    run.counters["max_evaluations"] = out.most;
}

// The contact alone, with the velocities of that run.
void uncoupled(benchmark::State& run) {
    const bristle::Contact at_rest{typical<bristle::LuGre>()};
    std::vector<double> v;
    stick_slip::run(at_rest, dt, 1, [&](const bristle::Motion& m) { v.push_back(m.v); });
    for (auto _ : run) {
        auto contact = at_rest;
        for (const double x : v) benchmark::DoNotOptimize(contact.step(x, dt).force);
    }
    bench::per_step(run, v.size());
}

void explicitly(benchmark::State& run) {
    const auto law = typical<bristle::LuGre>();
    stick_slip::Outcome out;
    for (auto _ : run) benchmark::DoNotOptimize(out = stick_slip::run_explicit(law, dt));
    bench::per_step(run, std::size_t(out.steps));
    run.counters["evaluations"] = run.counters["max_evaluations"] = 1;
}

const bool registered = [] {
    bench::add("stick_slip/uncoupled", uncoupled);
    bench::add("stick_slip/explicit", explicitly);
    for (const int n : {1, 8, 16})
        bench::add("stick_slip/coupled/" + std::to_string(n), [n](benchmark::State& run) { coupled(run, n); });
    return true;
}();

}  // namespace
