// The adaptive method on random set-ups over twelve decades: a run is done with a closed energy balance, or it says why not.
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

}  // namespace
}  // namespace bristle::simulation
