// Guarantees of the laws (Law::guarantees), typed over all laws and one scalar: the suite checks the guarantees that a law
// gives. broken_guarantees_test.cpp shows that the missing ones are false.
//
// Tolerances are in units of rounding of the scalar, so that the same text serves double, float and dual numbers.
#pragma once
#include "motion.hpp"

namespace conformance {

template <class Sample>
class Guarantees : public testing::Test {};
TYPED_TEST_SUITE_P(Guarantees);

// P1 (A08 property 1): |z| <= peak/sigma0, for Maxwell-slip |F_i| <= nu_i peak, in every step of a random motion.
// Tolerance: 2 ulp; the end value is a convex combination whose two products and one sum each round once.
TYPED_TEST_P(Guarantees, BristleStaysWithinThePeak) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if constexpr (Law::guarantees.bounded) {
        Random random(1);
        wide worst = -1 / eps<T>();
        const long total = count<T>(1'000'000), each = 1000;
        for (long done = 0; done < total;) {
            const Law law = TypeParam::random(random);
            const T load = T(chance(random, 0.5) ? 1 : random.log_uniform(0.1, 100));
            const T peak = peak_of(law, load);
            Tested<Law> contact(law);
            if (chance(random, 0.7)) contact.set(at_bound(law, T(random.sign()), peak));
            Motion motion{random, slowest<Law>()};
            for (long i = 0; i < each && done < total; ++i, ++done) {
                motion.next();
                const auto step = contact.step(T(motion.v), T(motion.dt), load);
                ASSERT_TRUE(isfinite(step.force)) << "v " << motion.v << " dt " << motion.dt;
                const wide beyond = excess(law, contact.state(), num(peak));
                ASSERT_LE(beyond, 2) << "v " << motion.v << " dt " << motion.dt << " load " << num(load) << " step "
                                     << done;
                worst = std::max(worst, beyond);
            }
        }
        report("P1_ulp_beyond_the_peak", worst);
    }
}

// The same roundings occur in the mirrored motion, so that not one bit may differ.
TYPED_TEST_P(Guarantees, MirroredMotionGivesMirroredForce) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if constexpr (Law::guarantees.odd) {
        Random random(2);
        for (int set = 0; set < count<T>(5000) / 100 + 1; ++set) {
            const Law law = TypeParam::random(random);
            Tested<Law> forth(law), back(law);
            Motion motion{random, slowest<Law>()};
            for (int i = 0; i < 100; ++i) {
                motion.next();
                const T dt = T(motion.dt), load = T(i % 10 == 0 ? 0 : 2);
                expect_mirrored(forth.step(T(motion.v), dt, load), back.step(T(-motion.v), dt, load));
                if (testing::Test::HasFatalFailure()) return;
            }
            ASSERT_EQ(num(forth.stored()), num(back.stored()));
        }
    }
}

// With v held, one step equals a thousand. Tolerance: some units of rounding for each of the small steps.
TYPED_TEST_P(Guarantees, OneStepOfHeldVelocityEqualsAThousand) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if constexpr (Law::guarantees.exact) {
        Random random(3);
        const int n = 1000;
        const wide tolerance = 4 * n * eps<T>();
        wide worst = 0;
        for (int set = 0; set < count<T>(100) + 5; ++set) {
            const Law law = TypeParam::random(random);
            Tested<Law> once(law);
            Motion motion{random, slowest<Law>()};
            for (int i = 0; i < 5; ++i) {
                motion.next();
                once.step(T(motion.v), T(motion.dt));
            }
            Tested<Law> many = once;
            const T v = T(random.sign() * random.log_uniform(1e-7, 1)), dt = T(random.log_uniform(1e-4, 0.1)),
                    part = dt / T(n);
            const wide before = num(once.stored());
            const auto one = once.step(v, dt);
            wide force = 0, work = 0, heat = 0;
            Step<T> last{};
            for (int i = 0; i < n; ++i) {
                last = many.step(v, part);
                force += num(last.force) / n;
                work += num(last.work);
                heat += num(last.dissipation);
            }
            const wide F = force_scale(law, num(v), std::max(num(peak_of(law)), std::fabs(num(one.force)))),
                       E = F * std::fabs(num(v)) * num(dt) + before;
            for (const wide miss : {(force - num(one.force)) / F, (num(last.force_end) - num(one.force_end)) / F,
                                    (work - num(one.work)) / E, (heat - num(one.dissipation)) / E}) {
                ASSERT_LE(std::fabs(miss), tolerance) << "v " << num(v) << " dt " << num(dt) << " set " << set;
                worst = std::max(worst, std::fabs(miss) / eps<T>());
            }
        }
        report("thousand_steps_ulp", worst);
    }
}

// Oracle: F = sgn(v) g(v) + f(v), A08 (3), from the formulas of the papers in long double.
// Tolerance: 8 units of rounding: g, the target N g/sigma0, the product sigma0 z and the sum.
TYPED_TEST_P(Guarantees, HeldVelocitySettlesOnTheCurve) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if constexpr (Law::guarantees.settles) {
        Random random(4);
        wide worst = 0;
        for (int set = 0; set < 20; ++set) {
            Law law = set == 0 ? TypeParam::typical() : TypeParam::random(random);
            for (const LoadOn load_on : {LoadOn::curve, LoadOn::all})
                for (const double speed : samples::speeds)
                    for (const double sign : {1., -1.}) {
                        if (LoadInCurve<Law> && load_on == LoadOn::all) continue;
                        law.load_on = load_on;
                        const T v = T(sign * speed), N = T(3);
                        const wide level = samples::loaded_level<TypeParam>(law, num(v), 3),
                                   f = samples::viscous_of(law, num(v));
                        // sixty time constants of the slowest relaxation
                        wide wait = 1;
                        if constexpr (requires { law.sigma0; }) wait = 60 * level / (num(law.sigma0) * speed);
                        if constexpr (requires { law.nu; }) {
                            wait = 60 * level / num(law.C);
                            for (int i = 0; i < law.size; ++i)
                                wait = std::max(wait, 60 * level / (num(law.k[i]) * speed));
                        }
                        Tested<Law> contact(law);
                        Step<T> step{};
                        for (int i = 0; i < 3; ++i) step = contact.step(v, T(double(wait)), N);
                        // K08 (1): N (mu + sigma2 v) under LoadOn::all, N mu + sigma2 v otherwise
                        const wide F = sign * level + (load_on == LoadOn::all ? 3 * f : f);
                        const wide scale = std::max(level, num(peak_of(law, N))) / (load_on == LoadOn::all ? 3 : 1);
                        for (const T& found : {step.force, step.force_end}) {
                            const wide miss = std::fabs(num(found) - F) / force_scale(law, num(v), scale, 3) / eps<T>();
                            ASSERT_LE(miss, 8)
                                << "v " << num(v) << " F " << num(found) << " not " << F << " set " << set;
                            worst = std::max(worst, miss);
                        }
                    }
        }
        report("steady_force_ulp", worst);
    }
}

// Solvers and certificates use the curve of a bristle law in place of its flow: w = v and h = sigma0 |v|/(N g(v)), A08 (1).
// Oracle: the level of the curve. Tolerance: 1e4 units of rounding, because Makkar's terms cancel; another formula differs by more.
TYPED_TEST_P(Guarantees, FlowOfABristleIsThatOfItsCurve) {
    using Law = typename TypeParam::Law;
    using T = typename Law::scalar;
    if constexpr (BristleLaw<Law> && !RemembersVelocity<Law>) {
        Random random(7);
        for (int set = 0; set < 20; ++set) {
            const Law law = set == 0 ? TypeParam::typical() : TypeParam::random(random);
            const auto& curve = curve_under(law, T(3));
            const T on_curve = LoadInCurve<Law> ? T(1) : T(3);
            if constexpr (std::remove_cvref_t<decltype(curve)>::bounded)
                for (const double speed : samples::speeds)
                    for (const T v : {T(speed), T(-speed)}) {
                        const auto flow = law_under(law, T(3)).flow({}, v, on_curve, T(1));
                        const wide h = num(law.sigma0) * std::fabs(num(v)) / num(on_curve * level(curve, v));
                        ASSERT_EQ(num(flow.w), num(v));
                        ASSERT_LE(std::fabs(num(flow.h) - h), 1e4L * eps<T>() * h) << "v " << num(v) << " set " << set;
                    }
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(Guarantees, BristleStaysWithinThePeak, MirroredMotionGivesMirroredForce,
                            OneStepOfHeldVelocityEqualsAThousand, HeldVelocitySettlesOnTheCurve,
                            FlowOfABristleIsThatOfItsCurve);

}  // namespace conformance
