// Requirements on Contact for every law: the energy balance closes, bad input is rejected, the state can be read, set and
// copied, the load acts in both conventions. Typed over all laws and one scalar; tolerances in units of its rounding.
#pragma once
#include "motion.hpp"

namespace conformance {

template <class Sample>
class Contract : public testing::Test {};
TYPED_TEST_SUITE_P(Contract);

// Discrete power balance: work = change of stored energy + dissipation, each from its own formula.
// Tolerance: 1e-12 of the terms in double, which may cancel; as many roundings in other scalars.
TYPED_TEST_P(Contract, PowerBalanceClosesInEveryStep) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    const wide tolerance = 1e-12L / 0x1p-52L * eps<T>();
    Random random(5);
    wide worst = 0;
    for (long set = 0, sets = count<T>(100'000) / 100 + 1; set < sets; ++set) {
        const Law law = TypeParam::random(random);
        const T load = T(chance(random, 0.5) ? 1 : random.log_uniform(0.1, 100));
        Tested<Law> contact(law);
        Motion motion{random, slowest<Law>()};
        for (int i = 0; i < 100; ++i) {
            motion.next();
            const wide before = num(contact.stored(load));
            [[maybe_unused]] wide z = 0;
            if constexpr (requires { law.sigma1; }) z = num(contact.state().z);
            const auto step = contact.step(T(motion.v), T(motion.dt), load);
            const wide after = num(contact.stored(load)), work = num(step.work), heat = num(step.dissipation);
            wide terms = std::fabs(work) + before + after + std::fabs(heat);
            // a bristle that releases does work against sigma1; work and heat may both nearly vanish
            if constexpr (requires { law.sigma1; })
                terms += num(load) * num(law.sigma1) * std::fabs(motion.v * (num(contact.state().z) - z));
            const wide miss = std::fabs(work - (after - before) - heat);
            // below this, z^2 underflows before sigma0 and the load multiply it
            ASSERT_LE(miss, tolerance * terms + 1e3L * wide(std::numeric_limits<plain<T>>::min()))
                << "v " << motion.v << " dt " << motion.dt << " work " << work << " heat " << heat << " stored "
                << before << " -> " << after;
            if (terms > 1e6L * wide(std::numeric_limits<plain<T>>::min())) worst = std::max(worst, miss / terms);
        }
    }
    report("power_balance_relative", worst);
}

TYPED_TEST_P(Contract, SameMotionGivesTheSameBits) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    Random random(6);
    for (int set = 0; set < 10; ++set) {
        const Law law = TypeParam::random(random);
        Tested<Law> first(law), second(law);
        Motion motion{random, slowest<Law>()};
        for (int i = 0; i < 100; ++i) {
            motion.next();
            ASSERT_TRUE(same_step(first.step(T(motion.v), T(motion.dt)), second.step(T(motion.v), T(motion.dt))));
        }
        ASSERT_TRUE(std::is_empty_v<typename Law::State> || same_bytes(first.state(), second.state()));
    }
}

// v not finite, dt not finite and > 0, load not finite and >= 0: NaN forces, the state is kept bit by bit.
TYPED_TEST_P(Contract, InvalidInputIsRejectedAndTheStateKept) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    const double nan = std::nan(""), inf = INFINITY;
    struct Input {
        double v, dt, load;
    };
    Tested<Law> contact(TypeParam::typical());
    contact.step(T(1e-5), T(0.3));
    contact.step(T(-2e-6), T(0.1));
    for (const auto& [v, dt, load] : {Input{nan, 1e-3, 1},
                                      {inf, 1e-3, 1},
                                      {-inf, 1e-3, 1},
                                      {1e-3, 0, 1},
                                      {1e-3, -1e-3, 1},
                                      {1e-3, nan, 1},
                                      {1e-3, inf, 1},
                                      {1e-3, 1e-3, -1},
                                      {1e-3, 1e-3, nan},
                                      {1e-3, 1e-3, inf},
                                      {0, nan, 1},
                                      {0, 0, 1},
                                      {0, 1e-3, -1}}) {
        const Tested<Law> before = contact;
        const auto step = contact.step(T(v), T(dt), T(load));
        for (const T& number : {step.force, step.force_end, step.work, step.dissipation, step.low, step.high})
            EXPECT_TRUE(std::isnan(num(number))) << "v " << v << " dt " << dt << " load " << load;
        EXPECT_FALSE(step.stuck);
        EXPECT_TRUE(std::is_empty_v<typename Law::State> || same_bytes(before.state(), contact.state()));
        const auto response = contact.respond(T(v), T(dt), T(load));
        EXPECT_TRUE(std::isnan(num(response.force)) && std::isnan(num(response.slope)));
    }
    // a finite velocity whose force overflows does not change the state either
    contact.step(T(0.5 * double(std::numeric_limits<plain<T>>::max())), T(1e-3), T(1e3));
    for (const double v : {1e-5, -1e-4}) EXPECT_TRUE(isfinite(contact.step(T(v), T(1e-3)).force));
    EXPECT_TRUE(isfinite(contact.stored()));
}

TYPED_TEST_P(Contract, StateCanBeReadSetCopiedAndReset) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    const Law law = TypeParam::typical();
    Tested<Law> worn(law), fresh(law);
    for (const double v : {1e-4, 2e-4, -1e-5}) worn.step(T(v), T(0.01));

    Tested<Law> copied = worn, set(law);
    set.set(worn.state());
    const auto expected = worn.step(T(-3e-5), T(0.02));
    EXPECT_TRUE(same_step(copied.step(T(-3e-5), T(0.02)), expected));
    EXPECT_TRUE(same_step(set.step(T(-3e-5), T(0.02)), expected));

    worn.reset();
    EXPECT_EQ(num(worn.stored()), 0);
    EXPECT_TRUE(same_step(worn.step(T(1e-4), T(0.01)), fresh.step(T(1e-4), T(0.01))));
}

// Load 0: under LoadOn::curve the bristle is released within the step and only the viscous term remains; under
// LoadOn::all the force is 0. No NaN.
TYPED_TEST_P(Contract, NoLoadReleasesTheBristle) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if (LoadInCurve<Law>) GTEST_SKIP() << "load 0 leaves the level Fc, Fs";
    for (const LoadOn load_on : {LoadOn::curve, LoadOn::all})
        for (const double charge : {1e-3, -1e-3})
            for (const double v : {0., 1e-3, -1e-3, 1e-9, 10.}) {
                Law law = TypeParam::typical();
                law.load_on = load_on;
                Tested<Law> contact(law);
                contact.step(T(charge), T(0.1));
                const auto step = contact.step(T(v), T(0.01), T(0));
                const wide f = load_on == LoadOn::all || (step.stuck) ? 0 : samples::viscous_of(law, num(T(v)));
                ASSERT_NEAR(double(num(step.force_end)), double(f), 4 * double(eps<T>()) * std::fabs(double(f)))
                    << "v " << v << " charge " << charge;
                ASSERT_TRUE(isfinite(step.force) && isfinite(step.work) && isfinite(step.dissipation));
                ASSERT_EQ(num(contact.stored(T(0))), 0);
                if (load_on == LoadOn::curve) {
                    ASSERT_EQ(num(contact.stored(T(1))), 0) << "v " << v << " charge " << charge;
                }
                ASSERT_TRUE(isfinite(contact.respond(T(v), T(0.01), T(0)).slope));
            }
}

// D >= 0 if sigma2 >= sigma1 (highest level - lowest)/lowest, A08 (7), storage function sigma0 z^2/2; for static laws
// always; for Maxwell-slip if the level is constant. Only for curves with a lowest level > 0.
TYPED_TEST_P(Contract, HeatIsNotNegativeIfTheLawIsPassive) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    constexpr bool shifted = requires(Law l) { l.a_rule; };
    constexpr bool has_floor = requires(Law l, T x) { curve_under(l, x).floor(); };
    if constexpr (StaticLaw<Law> || (has_floor && !shifted)) {
        Random random(7);
        for (long set = 0, sets = count<T>(100'000) / 100 + 1; set < sets; ++set) {
            Law law = TypeParam::random(random);
            if constexpr (requires { law.nu; }) {
                law.curve.Fs = law.curve.Fc;
            } else if constexpr (requires { law.sigma1; }) {
                const auto& curve = curve_under(law, neutral_load<Law>);
                const T limit = law.sigma1 * (curve.peak() - curve.floor()) / curve.floor();
                law.sigma2 = law.sigma2_negative = larger(law.sigma2, T(1 + 8 * double(eps<T>())) * limit);
            }
            Tested<Law> contact(law);
            Motion motion{random, slowest<Law>()};
            for (int i = 0; i < 100; ++i) {
                motion.next();
                const wide before = num(contact.stored());
                const auto step = contact.step(T(motion.v), T(motion.dt));
                const wide terms = std::fabs(num(step.work)) + before + num(contact.stored());
                // at the limit D is a difference that may vanish: some roundings of its terms
                ASSERT_GE(num(step.dissipation), -16 * eps<T>() * terms) << "v " << motion.v << " dt " << motion.dt;
            }
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(Contract, PowerBalanceClosesInEveryStep, SameMotionGivesTheSameBits,
                            InvalidInputIsRejectedAndTheStateKept, StateCanBeReadSetCopiedAndReset,
                            NoLoadReleasesTheBristle, HeatIsNotNegativeIfTheLawIsPassive);

}  // namespace conformance
