// Bytes of a law's state and of its contact, in double and in float.
#include "problems.hpp"
#include "registry.hpp"

namespace {

template <class T>
void add_all(const std::string& suffix) {
    bristle::for_each_law<T>([&](auto entry) {
        using Law = typename decltype(entry)::law;
        bench::add_once("size/" + std::string(entry.kind) + suffix, [](benchmark::State& run) {
            for (auto _ : run) continue;
            run.counters["state_bytes"] =
                std::is_empty_v<typename Law::State> ? 0. : double(sizeof(typename Law::State));
            run.counters["contact_bytes"] = double(sizeof(bristle::Contact<Law>));
        });
    });
}

const bool registered = [] {
    add_all<double>("");
    add_all<float>("/float");
    return true;
}();

}  // namespace
