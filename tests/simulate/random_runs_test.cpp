// The adaptive method on random set-ups over twelve decades: a run is done with a closed energy balance and the right motion, or it says why not.
//
// BRISTLE_DRAWS sets the number of set-ups (2000 take some minutes), BRISTLE_SEED repeats others.
#include <gtest/gtest.h>

#include <ctime>

#include "random_setups.hpp"
#include "../support/sets.hpp"

namespace bristle::inline simulation {
namespace {

unsigned long seed() {
    const char* text = std::getenv("BRISTLE_SEED");
    const unsigned long seed = text ? std::strtoul(text, nullptr, 10) : 1;
    std::printf("seed %lu\n", seed);
    return seed;
}

std::string described(long number, const bristle::Setup& s) {
    std::string out = std::to_string(number) + ": " + std::string(kind_of(s.law)) + " on " + s.rig.info().kind;
    for (const KeyedNumber& one : numbers_of(s)) {
        char text[60];
        std::snprintf(text, sizeof text, ", %s %g", one.key.c_str(), one.value);
        out += text;
    }
    char text[60];
    std::snprintf(text, sizeof text, ", %g s, rtol %g", s.run.duration, s.run.rtol);
    return out + text;
}

// Largest difference of the positions, velocities and states of two runs at their samples, relative to the largest value of each signal.
double difference(const Result& a, const Result& b) {
    double most = 0;
    for (const Signal& one : a.signals) {
        if (one.name == "t" || one.name == "F" || one.name == "dz" || one.name == "u") continue;
        const auto& other = b.signal(one.name)->values;
        double size = 0, apart = 0;
        for (std::size_t i = 0; i < one.values.size(); ++i) {
            size = std::max({size, std::abs(one.values[i]), std::abs(other[i])});
            apart = std::max(apart, std::abs(one.values[i] - other[i]));
        }
        if (size > 0) most = std::max(most, apart / size);
    }
    return most;
}

// 97 %: the hysteretic law breaks off in one of seven set-ups, the others are done. 60 s is the bound of a run (max_run_steps). The balance is
// what `done` promises; here it is formed again from the parts of the ledger.
TEST(RandomRuns, AreDoneWithAClosedBalanceOrSayWhyNot) {
    RandomSetups setups(seed());
    long done = 0;
    const long count = test::draws(200);
    for (long i = 0; i < count; ++i) {
        const bristle::Setup s = setups.next();
        const auto begin = std::clock();
        const Result r = simulate(s);
        EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 60) << described(i, s);
        if (r.status != Status::done) {
            EXPECT_FALSE(r.message.empty()) << described(i, s);
            std::printf("%s: %s\n", described(i, s).c_str(), r.message.c_str());
            continue;
        }
        ++done;
        double balance = r.energy.supplied - r.energy.dissipated;
        for (const Energy::Store& store : r.energy.stores) balance += store.start - store.end;
        EXPECT_LE(std::abs(balance), 100.1 * s.run.rtol * r.energy.scale) << described(i, s);
    }
    std::printf("%ld of %ld done\n", done, count);
    EXPECT_GE(done, 97 * count / 100);
}

// Oracle: the same run with rtol 1e-10. Only where a change of the start by 1e-8 of the nominal size moves the result by less than 1e-4.
TEST(RandomRuns, AgreeWithASmallTolerance) {
    RandomSetups setups(seed());
    long compared = 0;
    const long count = test::draws(100);
    for (long i = 0; i < count; ++i) {
        const bristle::Setup s = setups.next();
        const Result r = simulate(s);
        if (r.status != Status::done) continue;
        bristle::Setup fine = s;
        fine.run.rtol = fine.run.atol = 1e-10;
        const Result reference = simulate(fine);
        bristle::Setup moved = fine;
        const Nominal size =
            std::visit([&](const auto& law) { return nominal(law, s, s.load.piece(0).value(0.0)); }, s.law);
        if (!s.rig.is_prescribed()) {
            moved.start[s.rig.info().position.name] += 1e-8 * size.position;
            moved.start[s.rig.info().velocity.name] += 1e-8 * size.velocity;
        }
        const Result other = simulate(moved);
        if (reference.status != Status::done || other.status != Status::done || difference(reference, other) > 1e-4)
            continue;
        ++compared;
        EXPECT_LE(difference(r, reference), 1e-3) << described(i, s);
    }
    std::printf("%ld compared\n", compared);
    EXPECT_GE(2 * compared, count);  // else the condition leaves out too much
}

}  // namespace
}  // namespace bristle::simulation
