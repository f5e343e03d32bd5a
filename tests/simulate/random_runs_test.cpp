// The adaptive method on random set-ups over twelve decades.
#include <gtest/gtest.h>

#include <chrono>

#include "random_setups.hpp"
#include "support/sets.hpp"

namespace bristle::inline simulation {
namespace {

std::string described(const bristle::Setup& s) {
    std::string out = std::string(kind_of(s.law)) + " on " + s.rig.info().kind;
    s.rig.parameters(
        [&](const Parameter& p, double x) { out += std::string(", ") + p.name + " " + std::to_string(x); });
    char text[200];
    std::snprintf(text, sizeof text, ", duration %g, rtol %g", s.run.duration, s.run.rtol);
    return out + text;
}

double seconds_of(const std::function<void()>& work) {
    const auto start = std::clock();
    work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(RandomRuns, Survey) {
    const unsigned long seed = std::getenv("BRISTLE_SEED") ? std::strtoul(std::getenv("BRISTLE_SEED"), nullptr, 10) : 1;
    std::printf("seed %lu\n", seed);
    RandomSetups setups(seed);
    std::map<int, int> statuses;
    int open = 0;
    for (long i = 0, n = test::draws(100); i < n; ++i) {
        const bristle::Setup s = setups.next();
        Result r;
        const double took = seconds_of([&] { r = simulate(s); });
        ++statuses[int(r.status)];
        const double ratio = std::abs(r.energy.residual()) / (s.run.rtol * r.energy.scale);
        const bool is_open = !(ratio <= 100) && r.status == Status::done;
        open += is_open;
        if (is_open || took > 5 || r.status != Status::done)
            std::printf("%ld: %s: status %d, ratio %.3g of rtol, %ld steps, %ld rejected, %.2f s\n", i,
                        described(s).c_str(), int(r.status), ratio, r.statistics.steps, r.statistics.rejected, took);
        std::fflush(stdout);
    }
    for (const auto& [status, count] : statuses) std::printf("status %d: %d\n", status, count);
    std::printf("open: %d\n", open);
}

}  // namespace
}  // namespace bristle::simulation
