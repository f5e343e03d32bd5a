// The coupled step on known motions: accuracy and order, stick without drift or alternating velocity, exact stops.
#include <bristle/bristle.hpp>
#include <gtest/gtest.h>

#include "support/sets.hpp"

namespace bristle {
namespace {

using test::a08_stiff;
using test::c95;
using test::StickSlip;

struct Ride {
    double x, v, z;
    double evaluations;  // per dt
    int worst;
    double numerical;
};

// C95 stick-slip with the coupled step.
Ride coupled_ride(double dt, int substeps) {
    Contact contact{c95};
    basic_advance<double> s;
    long evaluations = 0;
    int worst = 0;
    double numerical = 0;
    const long steps = std::lround(StickSlip::duration / dt);
    for (long i = 0; i < steps; ++i) {
        const double t = double(i) * dt;
        const auto spring = [&](const auto& k) {
            return StickSlip::stiffness * (StickSlip::speed * (t + k.t) - k.middle());
        };
        s = advance(Mass{1.0}, contact, s, spring, dt, {.substeps = substeps});
        evaluations += s.evaluations;
        worst = std::max(worst, s.evaluations);
        numerical += s.numerical;
    }
    return {s.x, s.v, contact.state().z, double(evaluations) / double(steps), worst, numerical};
}

// The coupling that many simulators use: v+ with sigma1 and sigma2 implicit and z frozen, then z exactly with the old v.
struct ExplicitCoupling {
    LuGre law;
    double mass, x = 0, v = 0, z = 0;
    void advance(double force, double dt) {
        const double h = law.sigma0 * std::abs(v) / level(law.curve, v);
        const double next = (v + dt / mass * (force - law.sigma0 * z + law.sigma1 * h * z)) /
                            (1 + dt / mass * (law.sigma1 + law.sigma2));
        z = h > 0 ? v / h + (z - v / h) * std::exp(-h * dt) : z + v * dt;
        v = next;
        x += dt * v;
    }
};
double explicit_ride(double dt) {
    ExplicitCoupling s{c95, 1.0};
    const long steps = std::lround(StickSlip::duration / dt);
    for (long i = 0; i < steps; ++i)
        s.advance(StickSlip::stiffness * (StickSlip::speed * (double(i) + 0.5) * dt - s.x), dt);
    return s.x;
}

TEST(Coupled, StickSlipIsAccurateWithSubstepsForLittleWork) {
    const Ride fine = coupled_ride(1e-3, 8), coarse = coupled_ride(1e-2, 8);
    std::printf("1 ms: error %.2e, %.3f evaluations; 10 ms: %.2e, %.3f\n", fine.x - StickSlip::x, fine.evaluations,
                coarse.x - StickSlip::x, coarse.evaluations);
    EXPECT_LE(std::abs(fine.x - StickSlip::x), 1e-6);
    EXPECT_LE(std::abs(coarse.x - StickSlip::x), 1e-4);
    EXPECT_LE(fine.evaluations, 2.6);
    EXPECT_LE(coarse.evaluations, 2.6);
}

TEST(Coupled, StickSlipIsAccurateWithAHardBoundOnTheWork) {
    const struct { double dt, error; } cases[] = {{1e-4, 5e-7}, {1e-3, 5e-5}, {1e-2, 5e-3}};
    for (const auto& c : cases) {
        const Ride ride = coupled_ride(c.dt, 1);
        std::printf("%g ms: error %.2e, worst %d evaluations, explicit coupling %.2e\n", 1e3 * c.dt,
                    ride.x - StickSlip::x, ride.worst, explicit_ride(c.dt) - StickSlip::x);
        EXPECT_LE(std::abs(ride.x - StickSlip::x), c.error) << "dt = " << c.dt;
        EXPECT_LE(ride.worst, 8) << "dt = " << c.dt;
    }
}

TEST(Coupled, StatesOfC95StickSlipEqualTheQuadruplePrecisionReference) {
    const Ride ride = coupled_ride(1e-4, 8);
    EXPECT_NEAR(ride.x, StickSlip::x, 2e-8);
    EXPECT_NEAR(ride.v, StickSlip::v, 1e-9);  // creep in stick: dz/dt = k vp/sigma0 to first order
    EXPECT_NEAR(ride.z, StickSlip::z, 1e-12);
}

TEST(Coupled, IsOfSecondOrder) {
    // resolved steps without sub-steps; the error is smooth enough to compute the order from halved steps
    double before = 0;
    for (const double dt : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
        const double error = std::abs(coupled_ride(dt, 1).x - StickSlip::x);
        if (before > 0) {
            EXPECT_NEAR(std::log2(before / error), 2.0, 0.15) << "dt = " << dt;
        }
        before = error;
    }
}

TEST(Coupled, ExplicitCouplingDriftsAboveItsLimitWhereTheCoupledStepDoesNot) {
    // explicit coupling is stable in stick only for dt < (sigma1 + sigma2)/sigma0 = 3.17 ms
    const double limit = (c95.sigma1 + c95.sigma2) / c95.sigma0;
    EXPECT_NEAR(limit, 3.166e-3, 1e-6);
    const auto creep = [](double dt) {  // drift from 10 s to 20 s under half the Coulomb level
        ExplicitCoupling s{c95, 1.0};
        double middle = 0;
        const long steps = std::lround(20 / dt);
        for (long i = 0; i < steps; ++i) {
            s.advance(0.5, dt);
            if (i == steps / 2 - 1) middle = s.x;
        }
        return std::abs(s.x - middle);
    };
    EXPECT_LT(creep(0.9 * limit), 1e-9);
    EXPECT_FALSE(creep(1.5 * limit) < 1e-4);  // drifts, or is NaN
    EXPECT_FALSE(std::abs(explicit_ride(1e-2) - StickSlip::x) < 1e-2);
}

TEST(Coupled, AHeldLoadDoesNotDrift) {
    for (const double dt : {1e-3, 5e-3, 1e-2, 5e-2})
        for (const int substeps : {1, 8}) {
            Contact contact{c95};
            basic_advance<double> s;
            double middle = 0;
            const long steps = std::lround(20 / dt);
            for (long i = 0; i < steps; ++i) {
                s = advance(Mass{1.0}, contact, s, 0.5, dt, {.substeps = substeps});
                if (i == steps / 2 - 1) middle = s.x;
            }
            EXPECT_LE(std::abs(s.x - middle), 1e-15) << "dt = " << dt;
            EXPECT_GT(s.x, 0.5 / c95.sigma0);  // at least the deflection of the bristle, plus some slip
        }
}

// Returns |v| [m/s] twenty steps after the first reversal (or stop), starting at 0.1 m/s against half the Coulomb level.
template <class Law>
double speed_after_stop(const Law& law, double mass, double load, double dt, int substeps) {
    Contact contact{law};
    basic_advance<double> s;
    s.v = 0.1;
    int since = -1;
    for (long i = 0; i < 2000000; ++i) {
        const double before = s.v;
        s = advance(Mass{mass}, contact, s, load, dt, {.substeps = substeps});
        if (since >= 0) ++since;
        if (since < 0 && (before * s.v < 0 || s.v == 0)) since = 0;
        if (since == 20) return std::abs(s.v);
        if (since < 0 && double(i) * dt > 30) return std::abs(s.v);  // came to rest without a reversal
    }
    return NAN;
}

TEST(Coupled, UnresolvedStickDoesNotAlternateInSign) {
    const Coulomb coulomb{.curve = {.Fc = 1, .Fs = 1.5}};
    int checked = 0;
    for (const double dt : {1e-3, 1e-2, 5e-2})
        for (const int substeps : {1, 8}) {
            const auto check = [&](const char* name, const LuGre& law, double mass, double load) {
                if (!(dt * std::sqrt(law.sigma0 / mass) > 2)) return;  // resolved: an oscillation is physical
                ++checked;
                EXPECT_LE(speed_after_stop(law, mass, load, dt, substeps), 1e-6)
                    << name << ", m = " << mass << ", dt = " << dt;
            };
            check("C95", c95, 1.0, 0.5);
            check("C95", c95, 0.01, 0.5);
            check("A08 stiff", a08_stiff, 1.0, 1.47);
            EXPECT_EQ(speed_after_stop(coulomb, 1.0, 0.5, dt, substeps), 0.0) << "dt = " << dt;
        }
    EXPECT_EQ(checked, 14);  // C95 at 10 and 50 ms, light C95 at all three, A08 stiff at 10 and 50 ms, twice each
}

TEST(Coupled, DryLawHoldsTheMassUpToTheStaticLevel) {
    Contact contact{Coulomb{.curve = {.Fc = 1, .Fs = 1.5}}};
    for (const double load : {0.0, 0.7, -1.2, 1.5, -1.5}) {
        const auto s = advance(Mass{2.0}, contact, {}, load, 1e-2);
        EXPECT_TRUE(s.stuck);
        EXPECT_EQ(s.v, 0.0);
        EXPECT_EQ(s.x, 0.0);
        EXPECT_EQ(s.force, load);
    }
    const auto s = advance(Mass{2.0}, contact, {}, 1.51, 1e-2);
    EXPECT_FALSE(s.stuck);
    EXPECT_NEAR(s.v, 1e-2 * (1.51 - 1) / 2, 1e-16);  // breaks away, then the sliding level acts
}

TEST(Coupled, SlidingBlockStopsAtTheCoulombDistance) {
    // oracle: distance m v0^2/(2 Fc) for every dt; tolerance: v = 0 in the step of the stop, at most Fc dt^2/(2 m)
    for (const double dt : {1e-4, 1e-3, 1e-2}) {
        Contact contact{Coulomb{.curve = {.Fc = 1, .Fs = 1.2}}};
        basic_advance<double> s;
        s.v = 0.3;
        for (int i = 0; i < 1000000 && !s.stuck; ++i) s = advance(Mass{1.0}, contact, s, 0.0, dt);
        EXPECT_TRUE(s.stuck);
        EXPECT_NEAR(s.x, 0.3 * 0.3 / 2, 0.5001 * dt * dt) << "dt = " << dt;
    }
}

TEST(Coupled, BristleThatDoesNotSlipGivesTheMidpointRuleOfALinearOscillator) {
    // a bristle that does not slip (Fc very large): m x'' = -sigma0 x. Oracle: closed form of its midpoint rule.
    // Tolerance: 100 steps, each solved to 1e-10 of the velocity
    const Dahl law{.sigma0 = 100, .Fc = 1e12};
    Contact contact{law};
    basic_advance<double> s;
    s.v = 1;
    const double dt = 1e-2, w0 = 10, c = (1 - w0 * w0 * dt * dt / 4) / (1 + w0 * w0 * dt * dt / 4);
    for (int i = 0; i < 100; ++i) s = advance(Mass{1.0}, contact, s, 0.0, dt);
    EXPECT_NEAR(s.v, std::cos(100 * std::acos(c)), 1e-8);
}

TEST(Coupled, InvalidInputReturnsNaNAndKeepsTheContact) {
    const double nan = NAN, inf = INFINITY;
    const auto refused = [](const Motion& from, double mass, double force, double dt, double load) {
        Contact contact{c95};
        contact.set({3e-6});
        const auto s = advance(Mass{mass}, contact, from, force, dt, {.load = load});
        EXPECT_TRUE(std::isnan(s.x) && std::isnan(s.v) && std::isnan(s.force) && std::isnan(s.work));
        EXPECT_EQ(contact.state().z, 3e-6);
    };
    refused({0, nan}, 1, 0, 1e-3, 1);
    refused({nan, 0}, 1, 0, 1e-3, 1);
    refused({0, inf}, 1, 0, 1e-3, 1);
    refused({0, 0}, 1, nan, 1e-3, 1);
    refused({0, 0}, 1, inf, 1e-3, 1);
    refused({0, 0}, 0, 0, 1e-3, 1);
    refused({0, 0}, -1, 0, 1e-3, 1);
    refused({0, 0}, nan, 0, 1e-3, 1);
    refused({0, 0}, 1, 0, 0, 1);
    refused({0, 0}, 1, 0, -1e-3, 1);
    refused({0, 0}, 1, 0, nan, 1);
    refused({0, 0}, 1, 0, 1e-3, -1);
    refused({0, 0}, 1, 0, 1e-3, nan);
}

TEST(Coupled, DryMassStopsByTheLevelOfItsDirectionOfMotion) {
    using Law = basic_static<double, Directional<Level>>;
    Contact weak{Law{.curve = {.positive = {.Fc = 1}, .negative = {.Fc = 5}}}};
    auto s = advance(Mass{1.0}, weak, {0, -3e-3}, 0.0, 1e-3);  // needs 3 N, 5 N available
    EXPECT_EQ(s.v, 0.0);
    Contact strong{Law{.curve = {.positive = {.Fc = 5}, .negative = {.Fc = 1}}}};
    s = advance(Mass{1.0}, strong, {0, -3e-3}, 0.0, 1e-3);  // needs 3 N, 1 N available
    EXPECT_NEAR(s.v, -2e-3, 1e-15);
    EXPECT_NEAR(s.force, -1.0, 1e-12);
}

TEST(Coupled, StrongViscousFrictionDoesNotAlternateInSign) {
    Contact contact{LuGre{.sigma0 = 1, .sigma2 = 10, .curve = {.Fc = 1, .Fs = 1, .vs = 1}}};
    basic_advance<double> s;
    s.v = 1;  // decays with m/sigma2 = 1 us, in steps of 1 ms
    for (int i = 0; i < 5; ++i) s = advance(Mass{1e-5}, contact, s, 0.0, 1e-3);
    EXPECT_LE(std::abs(s.v), 1e-6);
}

TEST(Coupled, ZeroLoadReleasesTheBristleAndGivesNoForce) {
    Contact contact{c95};
    contact.set({1e-5});
    const auto s = advance(Mass{1e-3}, contact, {}, 0.0, 1e-6, {.load = 0});
    EXPECT_EQ(s.v, 0.0);
    EXPECT_EQ(contact.state().z, 0.0);
    EXPECT_NEAR(s.dissipation, 0.5 * 1e5 * 1e-10, 1e-20);  // the energy of the bristle is dissipated
}

// Derivatives with respect to parameters and force, through the root. Oracle: central differences of the same step.
TEST(Coupled, DerivativesThroughTheRootEqualDifferences) {
    using D = Dual<double, 3>;  // F_ext, sigma0, Fs
    const auto ride = [](auto force, auto sigma0, auto Fs, double z, double v0, double dt, int steps) {
        using T = decltype(force);
        basic_lugre<T> law{
            .sigma0 = sigma0, .sigma1 = T(316.0), .sigma2 = T(0.4), .curve = {.Fc = T(1), .Fs = Fs, .vs = T(1e-3)}};
        Contact<basic_lugre<T>> contact{law};
        contact.set({T(z)});
        basic_advance<T> s;
        s.v = T(v0);
        for (int i = 0; i < steps; ++i) s = advance(basic_mass<T>{T(1)}, contact, s, force, T(dt));
        return s;
    };
    const struct {
        double F, z, v, dt;
        int steps;
    } cases[] = {{0, 0, 0, 1e-3, 1},
                 {0.5, 0, 0, 1e-3, 20},
                 {0, 0, 0, 5e-2, 1},
                 {1.2, 5e-6, 2e-2, 1e-3, 10},
                 {-0.7, 3e-6, 1e-4, 2e-3, 5}};
    for (const auto& c : cases) {
        const auto s = ride(D::variable(c.F, 0), D::variable(1e5, 1), D::variable(1.5, 2), c.z, c.v, c.dt, c.steps);
        const double step[3] = {1e-6, 1e-1, 1e-6};
        for (int k = 0; k < 3; ++k) {
            const auto at = [&](double d) {
                return ride(c.F + (k == 0) * d, 1e5 + (k == 1) * d, 1.5 + (k == 2) * d, c.z, c.v, c.dt, c.steps);
            };
            const auto up = at(step[k]), down = at(-step[k]);
            // from rest without force the two sides differ; the derivative is the one from above
            const bool kink = c.F == 0 && c.v == 0;
            const double dv = kink ? (up.v - at(0).v) / step[k] : (up.v - down.v) / (2 * step[k]);
            const double dx = kink ? (up.x - at(0).x) / step[k] : (up.x - down.x) / (2 * step[k]);
            // a root is accurate to 1e-10 of the velocity, which limits a difference quotient
            const double noise_v = 1e-9 * (std::abs(s.v.v) + 1e-9) / step[k], noise_x = noise_v * c.dt * c.steps;
            EXPECT_NEAR(s.v.d[k], dv, 1e-3 * std::abs(dv) + noise_v)
                << "k = " << k << ", F = " << c.F << ", dt = " << c.dt;
            EXPECT_NEAR(s.x.d[k], dx, 1e-3 * std::abs(dx) + noise_x)
                << "k = " << k << ", F = " << c.F << ", dt = " << c.dt;
        }
    }
}

TEST(Coupled, MirroredInputGivesTheMirroredMotion) {
    Contact up{c95}, down{c95};
    basic_advance<double> a, b;
    for (int i = 0; i < 3000; ++i) {
        const double force = 3 * std::sin(0.01 * i);
        a = advance(Mass{1.0}, up, a, force, 2e-3);
        b = advance(Mass{1.0}, down, b, -force, 2e-3);
        ASSERT_EQ(a.x, -b.x);
        ASSERT_EQ(a.v, -b.v);
    }
}

TEST(Coupled, HystereticMassAtRestIsHeldByABranchBetweenMinusOneAndOne) {
    // at rest without force the inclusion has dv/dt = 0 for some b in [-1, 1]: the mass stays at rest
    Contact contact{
        Hysteretic{.sigma0 = 1e5, .sigma1 = std::sqrt(1e5), .sigma2 = 0.4, .curve = test::c95_curve, .a = 2e-6}};
    basic_advance<double> s;
    for (int i = 0; i < 100; ++i) s = advance(Mass{1.0}, contact, s, 0.0, 1e-3);
    EXPECT_EQ(s.v, 0.0);
    EXPECT_EQ(s.x, 0.0);
    EXPECT_EQ(contact.state().z, 0.0);
}

}  // namespace
}  // namespace bristle
