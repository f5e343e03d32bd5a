// Derivatives of every law: Jacobian, slope of a step, and the derivative of a whole record with respect to each
// parameter, which a fit needs. Oracle: central differences of the same function, away from kinks.
#include "samples.hpp"
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace conformance {

using namespace bristle;
using namespace bristle::test;

// The i-th sample over any scalar.
template <std::size_t i, class T>
using sample = std::tuple_element_t<i, samples::Enough<T, std::tuple>>;
template <class>
struct Indices;
template <std::size_t... i>
struct Indices<std::index_sequence<i...>> {
    using types = testing::Types<std::integral_constant<std::size_t, i>...>;
};
using Each = Indices<std::make_index_sequence<std::tuple_size_v<samples::Enough<double, std::tuple>>>>::types;

template <class Index>
class Derivatives : public testing::Test {};
struct Names {
    template <class Index>
    static std::string GetName(int) {
        return sample<Index::value, double>::name();
    }
};
TYPED_TEST_SUITE(Derivatives, Each, Names);

// Returns a state inside the bound.
template <class Law>
typename Law::State random_state(Random& random, const Law& law) {
    typename Law::State state{};
    const double peak = curve_under(law, 1.0).peak();
    if constexpr (requires { law.nu; })
        for (int i = 0; i < law.size; ++i) state.F[i] = random.uniform(-0.9, 0.9) * law.nu[i] * peak;
    else if constexpr (requires { law.sigma0; })
        state.z = random.uniform(-0.95, 0.95) * peak / law.sigma0;
    return state;
}

// Returns (f(x + h) - f(x - h))/(2 h) and its error: second order in h, plus the rounding of f divided by h.
struct Difference {
    double slope, error;
};
template <class F>
Difference central(const F& f, double x, double h, double scale) {
    const double wide_step = (f(x + h) - f(x - h)) / (2 * h), narrow = (f(x + h / 2) - f(x - h / 2)) / h;
    return {(4 * narrow - wide_step) / 3, std::fabs(narrow - wide_step) + 16 * 0x1p-52 * scale / h};
}

// Rate and force at an instant: partial derivatives with respect to z (or F_i) and v.
TYPED_TEST(Derivatives, JacobianEqualsDifferencesOfRateAndForce) {
    using Law = typename sample<TypeParam::value, double>::Law;
    Random random(1);
    for (int i = 0; i < 500; ++i) {
        const Law law = sample<TypeParam::value, double>::random(random);
        auto state = random_state(random, law);
        const double v = random.sign() * random.log_uniform(1e-6, 1), h = 1e-4 * std::fabs(v);
        const double load = random.log_uniform(0.1, 10);
        const auto expect = [&](double found, const Difference& d, const char* what) {
            ASSERT_NEAR(found, d.slope, 1e-6 * std::fabs(d.slope) + d.error) << what << " at v = " << v;
        };
        if constexpr (StaticLaw<Law>) {
            const auto F = [&](double u) { return force(law, u, load); };
            double size = std::fabs(F(v));
            if constexpr (requires { law.curve.g1; })
                size += load * (law.curve.g1 + law.curve.g4);  // terms that cancel
            expect(slope(law, v, load), central(F, v, h, size), "dF/dv");
        } else if constexpr (requires { law.nu; }) {
            const auto j = jacobian(law, state, v, load);
            for (int k = 0; k < law.size; ++k) {
                state.slipping[k] = static_cast<signed char>(random.below(3) - 1);
                const auto again = jacobian(law, state, v, load);
                const double F0 = state.F[k], level = law.nu[k] * load * double(samples::level_formula(law.curve, v));
                if (std::fabs(std::fabs(F0) - level) < 1e-3 * level) continue;  // the element changes its mode there
                const auto by_F = [&](double F) { return rate(law, k, F, state.slipping[k], v, load); };
                const auto by_v = [&](double u) { return rate(law, k, F0, state.slipping[k], u, load); };
                const double size = std::fabs(by_v(v)) + law.C;
                expect(again.rate_F[k], central(by_F, F0, 1e-5 * level, size), "d rate/dF");
                expect(again.rate_v[k], central(by_v, v, h, size), "d rate/dv");
            }
            const auto by_v = [&](double u) { return force(law, state, u, load); };
            double size = std::fabs(by_v(v));
            for (int k = 0; k < law.size; ++k) size += load * std::fabs(state.F[k]);  // terms that may cancel
            expect(j.force_v, central(by_v, v, h, size), "dF/dv");
        } else {
            const auto j = jacobian(law, state, v, load);
            // the hysteretic law also has a branch: that of v relative to the stored velocity
            const auto rate_at = [&](double z, double u) {
                if constexpr (requires { law.a; })
                    return rate(law, z, u, load, sign0(v - state.v));
                else
                    return rate(law, z, u, load);
            };
            const auto force_at = [&](double z, double u) {
                if constexpr (requires { law.a; })
                    return force(law, z, u, load, sign0(v - state.v));
                else
                    return force(law, z, u, load);
            };
            const double z = state.z, dz = 1e-5 * std::fabs(z);
            const double r = std::fabs(v) + std::fabs(rate_at(z, v) - v),
                         F = std::fabs(force_at(z, v)) + load * law.sigma0 * std::fabs(z);
            expect(j.rate_z, central([&](double x) { return rate_at(x, v); }, z, dz, r), "d rate/dz");
            expect(j.rate_v, central([&](double u) { return rate_at(z, u); }, v, h, r), "d rate/dv");
            expect(j.force_z, central([&](double x) { return force_at(x, v); }, z, dz, F), "dF/dz");
            expect(j.force_v, central([&](double u) { return force_at(z, u); }, v, h, F), "dF/dv");
        }
        if (testing::Test::HasFatalFailure()) return;
    }
}

// Contact::respond: the slope of the mean force over a step, for implicit plants.
TYPED_TEST(Derivatives, ResponseSlopeEqualsDifferencesOfTheMeanForce) {
    using Law = typename sample<TypeParam::value, double>::Law;
    Random random(2);
    int kinks = 0;
    const int n = 2000;
    for (int i = 0; i < n; ++i) {
        const Law law = sample<TypeParam::value, double>::random(random);
        Contact<Law> contact(law);
        contact.set(random_state(random, law));
        const double v = random.sign() * random.log_uniform(1e-6, 1), dt = random.log_uniform(1e-5, 0.1), load = 2;
        const auto F = [&](double u) { return contact.respond(u, dt, load).force; };
        const auto response = contact.respond(v, dt, load);
        Contact<Law> moved = contact;
        const double mean = moved.step(v, dt, load).force;
        ASSERT_NEAR(response.force, mean, 1e-12 * (std::fabs(mean) + 1));
        const double size = std::fabs(F(v)) + 10;
        const Difference d = central(F, v, 1e-4 * std::fabs(v), size);
        // kink: an element starts to slip, or z reaches the transition, within the difference
        if (std::fabs(response.slope - d.slope) > 2e-6 * std::fabs(d.slope) + 2 * d.error) ++kinks;
    }
    EXPECT_LE(kinks, n / 200) << "slopes that differ from their difference quotients, of " << n;
}

// The force at the end of a short record, differentiated with respect to every parameter, as in a fit.
TYPED_TEST(Derivatives, DerivativesOfARecordByEveryParameterEqualDifferences) {
    using D = Dual<double, 1>;
    using Law = typename sample<TypeParam::value, double>::Law;
    using DualLaw = typename sample<TypeParam::value, D>::Law;
    const double motion[] = {3e-4, 7e-4, -2e-4, -1.3e-3, 5e-4, 2.3e-3, -4e-5, 1.7e-4};
    const auto run = [&](auto law) {
        using T = typename decltype(law)::scalar;
        Contact contact{law};
        Step<T> step{};
        for (const double v : motion) step = contact.step(T(v), T(7e-3), T(1));
        return step;
    };
    for (const double alpha : {2.0, 1.0, 1.3, 0.5}) {
        Law law = sample<TypeParam::value, double>::typical();
        DualLaw dual = sample<TypeParam::value, D>::typical();
        if constexpr (requires { law.curve.alpha; }) {
            law.curve.alpha = alpha;
            dual.curve.alpha = D(alpha);
        } else if (alpha != 2) {
            break;
        }
        std::vector<Parameter> list;
        Law::parameters(law, [&](const Parameter& p, const double&) { list.push_back(p); });
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::size_t at = 0;
            double value = 0;
            DualLaw seeded = dual;
            DualLaw::parameters(seeded, [&](const Parameter&, D& x) {
                if (at++ == i) {
                    x.d[0] = 1;
                    value = x.v;
                }
            });
            const auto moved = [&](double p) {
                Law other = law;
                std::size_t k = 0;
                Law::parameters(other, [&](const Parameter&, double& x) {
                    if (k++ == i) x = p;
                });
                return run(other).force;
            };
            const Step<D> step = run(seeded);
            EXPECT_DOUBLE_EQ(step.force.v, run(law).force);
            const Difference d = central(moved, value, 1e-5 * (value == 0 ? 1 : std::fabs(value)), 5);
            EXPECT_NEAR(step.force.d[0], d.slope, 1e-6 * std::fabs(d.slope) + 2 * d.error)
                << list[i].name << " = " << value << ", alpha " << alpha;
        }
    }
}

// Finite at v = 0 for every usual exponent. Oracle: rate(z, v)/v as v -> 0+, without cancellation, for laws whose rate
// vanishes at rest. (Smooth curves have their own test.)
TYPED_TEST(Derivatives, JacobianAtRestIsTheLimitFromAbove) {
    using Law = typename sample<TypeParam::value, double>::Law;
    Law law = sample<TypeParam::value, double>::typical();
    for (const double alpha : {0.5, 0.6, 0.75, 1.0, 1.5, 2.0}) {
        if constexpr (requires { law.curve.alpha; }) law.curve.alpha = alpha;
        if constexpr (StaticLaw<Law>) {
            EXPECT_TRUE(std::isfinite(slope(law, 0.0)));
        } else if constexpr (requires { law.nu; }) {
            const auto j = jacobian(law, typename Law::State{}, 0.0);
            for (int k = 0; k < law.size; ++k) {
                EXPECT_EQ(j.rate_v[k], law.k[k]) << "all stick";
                EXPECT_EQ(j.rate_F[k], 0);
            }
            EXPECT_EQ(j.force_v, law.sigma2);
        } else {
            for (const double z : {0.0, 5e-6, -8e-6, 1.3e-5}) {
                typename Law::State state{};
                state.z = z;
                const auto j = jacobian(law, state, 0.0);
                for (const double x : {j.rate_z, j.rate_v, j.force_z, j.force_v})
                    EXPECT_TRUE(std::isfinite(x)) << "alpha " << alpha;
                if (rate(law, z, 0.0) != 0) continue;
                const double v = 1e-40;  // here even (v/vs)^(1/2) is below rounding
                EXPECT_NEAR(j.rate_v, rate(law, z, v) / v, 1e-14) << "alpha " << alpha << " z " << z;
                const double force_v = (force(law, z, v) - law.sigma0 * z) / v;
                if (z == 0) {
                    // a drag that grows with v^2 adds its slope at v: far below 1e-20 N s/m
                    EXPECT_NEAR(j.force_v, force_v, 1e-12 * std::fabs(force_v) + 1e-20);
                }
            }
        }
    }
}

}  // namespace conformance
