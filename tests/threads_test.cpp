// The code that runs in threads, in cases small enough for the thread sanitizer (preset threads). The numbers are checked only as far
// as a race could spoil them: equal results from one thread and from several.
#include <bristle/analyse.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace bristle {
namespace {

// A08 fig 7: stick-slip ends at a fold near 2.129 m/s (2 N/m).
bristle::Setup pulled(double velocity, double stiffness = 2) {
    return {
        .law =
            LuGre{
                .sigma0 = 2940, .sigma1 = 108, .sigma2 = 0.2, .curve = {.Fc = 2.94, .Fs = 5.88, .vs = 0.1, .alpha = 1}},
        .rig = PulledSpring{.mass = 1, .stiffness = stiffness, .velocity = velocity},
        .run = {.duration = 5}};
}

TEST(Threads, SimulateCertifyAndEquilibriaGiveTheSameFromFourThreads) {
    struct Answer {
        double end = 0, margin = 0, eigenvalue = 0;
    };
    const bristle::Setup setup = pulled(0.5);
    const auto ask = [&](Answer& answer) {
        answer.end = simulate(setup).measures.final.at("v");
        answer.margin = certify(setup.law).passive.margin.value_or(0);
        answer.eigenvalue = main_equilibrium(setup).eigenvalues.at(0).real();
    };
    Answer alone, together[4];
    ask(alone);
    std::vector<std::thread> threads;
    for (Answer& answer : together) threads.emplace_back([&] { ask(answer); });
    for (std::thread& thread : threads) thread.join();
    for (const Answer& answer : together) {
        EXPECT_EQ(answer.end, alone.end);
        EXPECT_EQ(answer.margin, alone.margin);
        EXPECT_EQ(answer.eigenvalue, alone.eigenvalue);
    }
}

TEST(Threads, BasinReportsProgressAndEveryStart) {
    double last = 0;
    const Basin basin = bristle::basin(pulled(2), {"elongation", -1, 4, 5}, {"v", -1, 5, 5}, {}, [&](double done) {
        last = done;  // the progress function is not called by two threads at once
        return true;
    });
    EXPECT_EQ(basin.steady + basin.cycle + basin.undecided, 25);
    EXPECT_GT(basin.steady, 0);
    EXPECT_GT(basin.cycle, 0);
    EXPECT_GT(last, 0);
}

TEST(Threads, BranchHasItsFold) {
    const CycleBranch branch = follow([](double v) { return pulled(v); }, 2.1, 2.05, 2.2);
    ASSERT_FALSE(branch.folds.empty()) << name_of(branch.reason);
    EXPECT_NEAR(branch.folds.front().parameter, 2.12912, 1e-4);
}

TEST(Threads, BoundaryOfASmallWindowIsFound) {
    const CycleBoundary boundary =
        cycle_boundary([](double v, double k) { return pulled(v, k); }, 2.1, 2, {2.09, 2.15}, {1.98, 2.02}, 2);
    EXPECT_TRUE(boundary.exists);
}

TEST(Threads, CancelledExtinctionEnds) {
    int calls = 0;
    const auto progress = [&](double) { return ++calls < 3; };
    EXPECT_THROW(cycle_extinction([](double v) { return pulled(v); }, 2.1, 2.2, {}, progress), Cancelled);
    EXPECT_GE(calls, 3);
}

}  // namespace
}  // namespace bristle
