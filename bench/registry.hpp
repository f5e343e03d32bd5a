// How a benchmark joins the run: timed ones repeated, the rest once, their results in counters.
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

// Timed: 9 short repetitions. The smallest counts in the tables, where a busy machine disturbs it least; all are in the JSON.
template <class Function>
void add(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->MinTime(0.03)
        ->Repetitions(9)
        ->ReportAggregatesOnly()
        ->ComputeStatistics("min",
                            [](const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); });
}

// Run once; what counts are its counters.
template <class Function>
void add_once(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)->Iterations(1)->Unit(benchmark::kMillisecond);
}

}  // namespace bench
