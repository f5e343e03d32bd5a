// One step of each law at given velocity, compared with the two exponentials that LuGre needs.
#include "problems.hpp"
#include "registry.hpp"
#include <string>

namespace {

constexpr double dt = 1e-3;

// One sweep to settle, then the same 1024 steps from that state in every iteration.
template <class Law>
void step(benchmark::State& run) {
    using T = typename Law::scalar;
    const auto v = problems::sweep<T>();
    bristle::Contact settled{problems::typical<Law>()};
    for (const T x : v) settled.step(x, T(dt));
    for (auto _ : run) {
        auto contact = settled;
        for (const T x : v) benchmark::DoNotOptimize(contact.step(x, T(dt)).force);
    }
    bench::per_step(run, v.size());
}

// exp(-(v/vs)^2) and exp(-h(v) dt) with given arguments, without the rest of the law and without dependence between steps.
template <class T>
void two_exp(benchmark::State& run) {
    const auto law = problems::typical<bristle::basic_lugre<T>>();
    const auto v = problems::sweep<T>();
    std::vector<T> drop, decay;
    for (const T x : v) {
        drop.push_back(-(x / law.curve.vs) * (x / law.curve.vs));
        decay.push_back(-law.sigma0 * bristle::conductance(law.curve, x) * T(dt));
    }
    for (auto _ : run)
        for (std::size_t i = 0; i < v.size(); ++i) benchmark::DoNotOptimize(std::exp(drop[i]) + std::exp(decay[i]));
    bench::per_step(run, v.size());
}

template <class T>
void add_all(const std::string& suffix) {
    bench::add("two_exp" + suffix, two_exp<T>);
    bristle::for_each_law<T>([&](auto entry) {
        using Law = typename decltype(entry)::law;
        bench::add("step/" + std::string(entry.kind) + suffix, step<Law>);
    });
}

const bool registered = [] {
    add_all<double>("");
    add_all<float>("/float");
    return true;
}();

}  // namespace
