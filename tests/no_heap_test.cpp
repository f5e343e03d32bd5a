// No step allocates: operator new is counted for the whole program, and the count must not change during a step.
#include "conformance/samples.hpp"
#include "simulate/integrate.hpp"
#include <gtest/gtest.h>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size ? size : 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace bristle::test {

TEST(NoHeap, CounterDetectsAnAllocation) {
    const long before = allocations;
    delete new int(1);
    EXPECT_EQ(allocations - before, 1);
}

template <class Sample>
class NoHeapIn : public testing::Test {};
using Laws = samples::Enough<double, testing::Types>;
TYPED_TEST_SUITE(NoHeapIn, Laws, samples::Names);

TYPED_TEST(NoHeapIn, StepRespondAndAdvanceDoNotAllocate) {
    const auto law = TypeParam::typical();
    Random random(1);
    double v[200], F[200];
    for (double& x : v) x = random.sign() * random.log_uniform(1e-9, 1);
    for (double& x : F) x = random.uniform(-5, 5);
    double sum = 0;

    const long before = allocations;
    Contact contact{law};
    Encoder encoder{1e-5};
    Motion motion;
    for (int i = 0; i < 200; ++i) {
        sum += contact.step(v[i], 1e-3).force + contact.step(v[i], 1e-2, 3).work;
        sum += contact.step_to(1e-5 * i, 1e-3).force_end;
        sum += contact.step_to(encoder, 1e-5 * (i / 10), 1e-3).force_end;
        sum += contact.respond(v[i], 1e-3).slope;
        sum += contact.stored();
        const auto done = advance(Mass{1}, contact, motion, F[i], 1e-3);
        motion = done;
        sum += done.dissipation;
        const auto coarse = advance(Mass{1}, contact, motion, [&](const auto& at) { return F[i] - 2 * at.middle(); },
                                    0.05, {.substeps = 1});
        sum += coarse.work;
        if (i % 50 == 0) contact.reset();
    }
    const long during = allocations - before;
    EXPECT_EQ(during, 0);
    EXPECT_TRUE(std::isfinite(sum));
}

// Set-up does not allocate either: checking rules makes no strings.
TYPED_TEST(NoHeapIn, ValidationDoesNotAllocate) {
    const auto law = TypeParam::typical();
    const typename TypeParam::Law fresh{};
    const long before = allocations;
    const bool good = usable(law), bad = usable(fresh);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_TRUE(good && !bad);
}

// The loop of the adaptive solver: stick, slip and located reversals of A08 fig 4.
TEST(NoHeap, AdaptiveSolverDoesNotAllocate) {
    const RigEquations rig = PulledSpring{1, 2, 2}.equations();
    RigSystem<LuGre, false, true> system(a08_soft, rig);
    Statistics statistics;
    const Tolerance<3> tolerance{.rtol = 1e-6, .atol = {1e-9, 1e-7, 1e-9}, .energy = 1e-2};
    Solver<decltype(system)> solver(system, tolerance, statistics);
    NullObserver observer;
    const long before = allocations;
    solver.settle();
    const Status status = solver.run(20, observer);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(status, Status::done);
    EXPECT_EQ(statistics.reversals, 8);
}

}  // namespace bristle::test
