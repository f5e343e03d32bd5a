// Error in x(25 s) of C95 stick-slip at four step sizes: the coupled step with its sub-steps, and two explicit
// couplings.
#include "problems.hpp"
#include "registry.hpp"

namespace {

using namespace problems;

template <class Run>
void error(benchmark::State& state, const Run& run) {
    stick_slip::Outcome out;
    for (auto _ : state) out = run();
    state.counters["error"] = std::abs(out.x - stick_slip::x_end);  // m; NaN if the run diverged
    state.counters["evaluations"] = double(out.evaluations) / double(out.steps);
    state.counters["max_evaluations"] = out.most;
}

const bool registered = [] {
    for (const char* ms : {"0.1", "1", "5", "10"}) {
        const double dt = 1e-3 * std::atof(ms);
        const std::string suffix = std::string("/") + ms + "ms";
        for (const int n : {1, 8, 16})
            bench::add_once("error/coupled/" + std::to_string(n) + suffix, [=](benchmark::State& state) {
                error(state, [=] { return stick_slip::run(bristle::Contact{typical<bristle::LuGre>()}, dt, n); });
            });
        bench::add_once("error/explicit" + suffix, [=](benchmark::State& state) {
            error(state, [=] { return stick_slip::run_explicit(typical<bristle::LuGre>(), dt); });
        });
        bench::add_once("error/plain" + suffix, [=](benchmark::State& state) {
            error(state, [=] { return stick_slip::run_plain(typical<bristle::LuGre>(), dt); });
        });
    }
    return true;
}();

}  // namespace
