// Registration of benchmarks: timed ones are repeated, the others run once and report counters.
#pragma once
#include <benchmark/benchmark.h>
#include <algorithm>
#include <string>
#include <vector>

namespace bench {

// The counter "step": seconds per step.
inline void per_step(benchmark::State& run, std::size_t steps) {
    run.counters["step"] =
        benchmark::Counter(double(steps), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// Timed: 9 short repetitions. The tables use the smallest, which a busy machine disturbs least; the JSON has all.
template <class Function>
void add(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->MinTime(0.03)
        ->Repetitions(9)
        ->ReportAggregatesOnly()
        ->ComputeStatistics("min",
                            [](const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); });
}

// Runs once; the result is in the counters.
template <class Function>
void add_once(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)->Iterations(1)->Unit(benchmark::kMillisecond);
}

}  // namespace bench
