// Common parts of the two conformance suites: random motions, the bound of P1, scales of errors.
#pragma once
#include "samples.hpp"
#include <gtest/gtest.h>
#include <string>

namespace conformance {

using namespace bristle;
using namespace bristle::test;

// ---- a random motion -----------------------------------------------------------------------------------------------

// Velocities over many decades with reversals, stops and long holds, dt from 1 us to 0.1 s.
struct Motion {
    Random& random;
    double slowest = 1e-300, v = 0, dt = 1e-3;
    void next() {
        if (chance(random, 0.3)) return;  // v is kept: rounding can accumulate
        if (chance(random, 0.5)) dt = random.log_uniform(1e-6, 0.1);
        const int kind = random.below(10);
        v = kind == 0   ? 0
            : kind == 1 ? -v
            : kind == 2 ? random.sign() * random.log_uniform(slowest, 1e-12)
                        : random.sign() * random.log_uniform(1e-12, 100);
    }
};

// K08 (44) as printed has an unbounded level as v -> 0, which overflows at the lowest speeds.
template <class Law>
constexpr double slowest() {
    if constexpr (requires(Law l) { l.curve; }) return decltype(Law::curve)::bounded ? 1e-300 : 1e-13;
    return 1e-300;
}

// A contact whose functions are compiled once per law instead of once per call, because the suites call them often.
template <class Law>
struct Tested : Contact<Law> {
    using T = typename Law::scalar;
    [[gnu::noinline]] explicit Tested(const Law& law) : Contact<Law>(law) {}
    [[gnu::noinline]] Step<T> step(T v, T dt, T load = neutral_load<Law>) { return Contact<Law>::step(v, dt, load); }
    [[gnu::noinline]] auto respond(T v, T dt, T load = neutral_load<Law>) const {
        return Contact<Law>::respond(v, dt, load);
    }
};

// ---- scales of a law's state -----------------------------------------------------------------------------------------

// Returns the peak of the level under a load, without the factor of the load on the force [N].
template <class Law>
typename Law::scalar peak_of(const Law& law, typename Law::scalar load = neutral_load<Law>) {
    return curve_under(law, load).peak() * loads(law, load).on_curve;
}

// Returns the distance of the state beyond the bound of P1 (level: peak times load), in roundings; negative inside.
template <class Law>
wide excess(const Law& law, const typename Law::State& state, wide peak) {
    using T = typename Law::scalar;
    wide worst = -1 / eps<T>();
    if constexpr (requires { law.nu; }) {
        for (int i = 0; i < law.size; ++i)
            worst = std::max(worst, (std::fabs(num(state.F[i])) / (num(law.nu[i]) * peak) - 1) / eps<T>());
    } else if constexpr (requires { law.sigma0; }) {
        worst = (std::fabs(num(state.z)) * num(law.sigma0) / peak - 1) / eps<T>();
    }
    return worst;
}

// Returns a state at the bound, towards s = +1 or -1.
template <class Law, class T>
typename Law::State at_bound(const Law& law, T s, T peak) {
    typename Law::State state{};
    if constexpr (requires { law.nu; })
        for (int i = 0; i < law.size; ++i) state.F[i] = s * (law.nu[i] * peak);
    else if constexpr (requires { law.sigma0; })
        state.z = s * (peak / law.sigma0);
    return state;
}

// Returns the sum of the magnitudes of the terms of F, at the level under the load, in N.
template <class Law>
wide force_scale(const Law& law, wide v, wide level, wide load = 1) {
    const wide N = law.load_on == LoadOn::all ? load : 1;
    wide scale = (law.load_on == LoadOn::all ? load : 1) * level + N * std::fabs(samples::viscous_of(law, v));
    if constexpr (requires { law.sigma1; }) scale += N * num(law.sigma1) * std::fabs(v);
    return scale;
}

template <class T>
void expect_mirrored(const Step<T>& a, const Step<T>& b) {
    ASSERT_EQ(num(a.force), -num(b.force));
    ASSERT_EQ(num(a.force_end), -num(b.force_end));
    ASSERT_EQ(num(a.work), num(b.work));
    ASSERT_EQ(num(a.dissipation), num(b.dissipation));
    ASSERT_EQ(num(a.low), -num(b.high));
    ASSERT_EQ(a.stuck, b.stuck);
}

template <class T>
bool same_step(const Step<T>& a, const Step<T>& b) {
    return same_bytes(a.force, b.force) && same_bytes(a.force_end, b.force_end) && same_bytes(a.work, b.work) &&
           same_bytes(a.dissipation, b.dissipation) && a.stuck == b.stuck && same_bytes(a.low, b.low) &&
           same_bytes(a.high, b.high);
}

// Dual numbers repeat the arithmetic of their values and need fewer draws.
template <class T>
long count(long usual) {
    return draws(std::floating_point<T> ? usual : usual / 10);
}

// Reports the largest value, for the log and the XML report.
inline void report(const char* what, wide worst) {
    std::printf("    %s: %s %.3Lg\n", testing::UnitTest::GetInstance()->current_test_info()->test_suite_name(), what,
                worst);
    testing::Test::RecordProperty(what, std::to_string(static_cast<double>(worst)));
}

}  // namespace conformance
