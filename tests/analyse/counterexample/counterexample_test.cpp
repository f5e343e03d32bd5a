// Counterexamples to passivity: each is replayed by two integrators that do not use the step of the law; energies are
// compared with
// closed forms.
#include <gtest/gtest.h>

#include "../laws.hpp"
#include "counterexample_support.hpp"

namespace bristle::inline analysis {
namespace {

using namespace counterexample;

// The energy of held velocities in closed form, for LuGre over a Stribeck curve without load: long double.
long double closed_form(const AnyLuGre& law, const Counterexample& c) {
    long double z = 0, energy = 0;
    for (std::size_t i = 0; i < c.velocity.size(); ++i) {
        const long double v = c.velocity[i].second,
                          t = (i + 1 < c.velocity.size() ? c.velocity[i + 1].first : c.duration) - c.velocity[i].first;
        const Stribeck& curve = law.curve.stribeck.positive;
        const long double drop = std::pow(std::fabs(v) / curve.vs, (long double)curve.alpha);
        const long double g = curve.Fc + (curve.Fs - curve.Fc) * std::exp(-drop);
        const long double h = law.sigma0 * std::fabs(v) / g, target = (v < 0 ? -g : g) / law.sigma0;
        const long double change = v == 0 ? 0 : -std::expm1(-h * t) * (target - z);
        // int z dt = (v t - change)/h
        const long double spring = v == 0 ? 0 : law.sigma0 * v * (v * t - change) / h;
        energy += spring + law.sigma1 * v * change + law.sigma2 * v * v * t;
        z += change;
    }
    return energy;
}

void expect_extraction(const AnyLaw& law, const Counterexample& c) {
    const Replay r = replay(law, c);
    expect_agreement(r);
    // legs are at least 1e-12 of the run, and 32 roundings of its time 7e-15: an upper bound of the error of time
    EXPECT_LT(r.tolerance, 8e-3 * r.gross);
    EXPECT_TRUE(r.extracts()) << r.integrated << " and " << r.simulated << " of " << r.gross << " J";
    EXPECT_EQ(c.energy, r.integrated);
    EXPECT_EQ(c.gross, r.gross);
    EXPECT_EQ(c.tolerance, r.tolerance);
    EXPECT_LT(c.energy_per_cycle, 0);
}

// ---- LuGre --------------------------------------------------------------------------------------------------------

TEST(Shuttle, CycleAtNineTenthsOfP3ExtractsAtLeast85PercentOfTheMaximum) {
    AnyLuGre law = test::any(test::c95);
    test::set_viscous(law, 0.9 * limit_of(law));
    const auto c = shuttle(law, {1.49e-5, 100, 1e-6, 1});
    ASSERT_TRUE(c);
    expect_extraction(law, *c);
    EXPECT_NEAR(c->energy, double(closed_form(law, *c)), 1e-10);
    // maximum of a cycle, for infinitely slow deflection: int (Q- - Q+) dz where it is positive, by the midpoint rule
    const double v = 100, Fc = 1, Fs = 1.5;
    double most = 0;
    const int n = 100000;
    for (int i = 0; i < n; ++i) {
        const double s = Fc + (Fs - Fc) * (i + 0.5) / n;
        const double down = v * (law.sigma1 - law.sigma2 * Fc / (s - Fc)) - s * Fc / (s - Fc), up = s / (1 - s / Fs);
        most += std::max(0.0, down - up) * (Fs - Fc) / n / law.sigma0;
    }
    EXPECT_NEAR(most, 5e-4, 2.5e-4);  // order of magnitude of the integral above
    EXPECT_LT(-c->energy_per_cycle, most);
    EXPECT_GT(-c->energy_per_cycle,
              0.85 * most);  // the slow leg and the fast one may cost a tenth, which limits the duration
}

TEST(Shuttle, NoneIsFoundIfP3Holds) {
    AnyLuGre law = test::any(test::c95);
    for (const double margin : {1.0, 1.02, 2.0}) {
        test::set_viscous(law, margin * limit_of(law));
        EXPECT_FALSE(scan_for_witness(law)) << margin;
    }
    test::set_viscous(law, 1.02 * limit_of(law));
    // a witness at 0.9 of the limit
    EXPECT_FALSE(shuttle(law, {1.49e-5, 100, 1e-6, 1}));
}

TEST(Shuttle, IsFoundForMicrodampedC95WithVcAbove0_0894Only) {
    // limit of microdamped C95 by the one-state test: 0.0894 m/s is the largest vc at which, for every |z| <= Fs/sigma0,
    // sup of F v/(dz/dt) over dz/dt < 0 is not above inf of F v/(dz/dt) over dz/dt > 0
    auto law = test::microdamped_c95();
    law.fade.vc = 1.03 * 0.0894;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    expect_extraction(law, *c);
    law.fade.vc = 0.97 * 0.0894;
    EXPECT_FALSE(scan_for_witness(law));
    EXPECT_FALSE(shuttle(law, *witness));
}

TEST(Shuttle, StaysWithinTheSpeedsOfTheWitness) {
    AnyLuGre law = test::any(test::c95);
    const auto witness = scan_for_witness(law, 1, 0.1);
    ASSERT_TRUE(witness);
    EXPECT_LE(std::max(std::abs(witness->v_minus), std::abs(witness->v_plus)), 0.1);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    expect_extraction(law, *c);
    for (const auto& [t, v] : c->velocity) EXPECT_LE(std::abs(v), 0.1);
}

TEST(Shuttle, NarrowBandHasMorePowerAndLessEnergyPerCycle) {
    auto law = test::microdamped_c95();
    law.fade.vc = 0.2;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto wide = shuttle(law, *witness),
               narrow = shuttle(law, *witness, {.band = ShuttleBand::max_power, .max_legs = 200});
    ASSERT_TRUE(wide && narrow);
    expect_extraction(law, *narrow);
    EXPECT_LE(narrow->velocity.size(), 210u);
    EXPECT_GT(-wide->energy_per_cycle, -narrow->energy_per_cycle);
    // energy per second of the last cycle: two legs before the release
    const auto power = [](const Counterexample& c) {
        const auto& v = c.velocity;
        return -c.energy_per_cycle / (v[v.size() - 1].first - v[v.size() - 3].first);
    };
    EXPECT_GT(power(*narrow), 1.2 * power(*wide));  // more than rounding
}

TEST(Shuttle, TooFewLegsGiveTheNumberOfCyclesNeeded) {
    auto law = test::microdamped_c95();
    law.fade.vc = 1.03 * 0.0894;
    const auto c = shuttle(law, *scan_for_witness(law), {.max_legs = 20});
    ASSERT_TRUE(c);
    EXPECT_LT(c->energy_per_cycle, 0);
    EXPECT_GT(c->energy, 0);
    const auto& plan = std::get<Counterexample::Shuttle>(c->construction);
    EXPECT_GT(plan.cycles_needed, plan.cycles);
    EXPECT_GT(plan.deflection_energy, 0);
}

TEST(Shuttle, RandomLawsThatAreNotPassiveAreRefutedAndReplayed) {
    test::Random random(1);
    int count = 0, max_legs = 0;
    double closest = 1, apart = 0;
    const auto refute = [&](const AnyLaw& law) {
        SCOPED_TRACE(std::string(kind_of(law)) + " " + std::to_string(++count));
        if (test::sanitized && count % 3 != 0) return;
        const auto witness = scan_for_witness(law);
        ASSERT_TRUE(witness);
        const auto c = shuttle(law, *witness);
        ASSERT_TRUE(c);
        expect_extraction(law, *c);
        const Replay r = replay(law, *c);
        closest = std::min(closest, -r.integrated / r.gross);
        apart = std::max(apart, std::abs(r.integrated - r.simulated) / r.gross);
        max_legs = std::max(max_legs, int(c->velocity.size()));
    };
    for (const double margin : {0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.93, 0.95, 0.97, 0.98})
        for (int i = 0; i < 2; ++i) refute(test::random_lugre(random, margin));
    for (int i = 0; i < 5; ++i) {
        refute(test::random_microdamped(random));
        refute(test::random_smooth(random));
        refute(test::random_makkar(random));
        refute(test::random_tabulated(random));
        refute(test::random_elastoplastic(random));
        refute(test::random_sided(random, 1));
        refute(test::random_sided(random, -1));
    }
    EXPECT_EQ(count, 55);
    std::printf(
        "%d refutations, up to %d legs; of the gross energy: extracted at least %.2g, replays apart at most %.2g\n",
        count, max_legs, closest, apart);
}

// ---- the other cycles ---------------------------------------------------------------------------------------------

TEST(HystereticSawtooth, EnergyEqualsTheFormula) {
    auto law = test::hysteretic_c95();
    const auto c = hysteretic_sawtooth(law);
    ASSERT_TRUE(c);
    expect_extraction(law, *c);
    // 1e-6 m/s to 0 in 40 s at F = Fs: 1.5 N 0.5e-6 m/s 40 s
    EXPECT_EQ(c->velocity[0].second, -1e-6);
    EXPECT_EQ(c->velocity[1], std::pair(40.0, 0.0));
    EXPECT_NEAR(c->energy_per_cycle, -3.0e-5, 0.01 * 3.0e-5);
}

TEST(HystereticSawtooth, WorksForAllRulesOfTheShift) {
    for (const ShiftRule rule : {ShiftRule::constant, ShiftRule::min, ShiftRule::max})
        for (const double scale : {1e-2, 1.0, 1e3})
            for (const double sigma2 : {0.4, 1e6}) {
                auto law = test::hysteretic_c95();
                law.a_rule = rule;
                law.a_scale = scale;
                test::set_viscous(law, sigma2);
                SCOPED_TRACE(std::to_string(int(rule)) + " " + std::to_string(scale) + " " + std::to_string(sigma2));
                const auto c = hysteretic_sawtooth(law);
                ASSERT_TRUE(c);
                expect_extraction(law, *c);
            }
    auto law = test::hysteretic_c95();
    const auto slow = hysteretic_sawtooth(law, 1, 1e-7);
    ASSERT_TRUE(slow);
    expect_extraction(law, *slow);
    for (const auto& [t, v] : slow->velocity) EXPECT_LE(std::abs(v), 1e-7);
    law.a = 0;
    EXPECT_FALSE(hysteretic_sawtooth(law));  // LuGre
}

TEST(MaxwellSlipCycle, EnergyIsNearlyTheDifferenceOfTheSpringEnergies) {
    AnyMaxwellSlip law;
    law.size = 1;
    law.k[0] = 1e5;
    law.nu[0] = 1;
    law.C = 10;
    law.curve.stribeck.positive = test::c95_curve;
    const auto c = maxwell_slip_cycle(law);
    ASSERT_TRUE(c);
    expect_extraction(law, *c);
    const double most = (1.5 * 1.5 - 1) / 2e5;  // (Fs^2 - Fc^2)/(2 k)
    EXPECT_LT(-c->energy_per_cycle, most);
    EXPECT_GT(-c->energy_per_cycle,
              0.95 * most);  // margins: 2 % of the motion back, 2 % for a slower low speed
}

TEST(MaxwellSlipCycle, IsFoundForSeveralElementsAndEveryViscousFriction) {
    for (const double sigma2 : {0.0, 0.4, 1e4}) {
        auto law = test::maxwell_c95();
        test::set_viscous(law, sigma2);
        const auto c = maxwell_slip_cycle(law);
        ASSERT_TRUE(c) << sigma2;
        expect_extraction(law, *c);
    }
    auto flat = test::maxwell_c95();
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    EXPECT_FALSE(maxwell_slip_cycle(flat));
    const auto slow = maxwell_slip_cycle(test::maxwell_c95(), 1, 1.5e-3);
    ASSERT_TRUE(slow);
    expect_extraction(test::maxwell_c95(), *slow);
    for (const auto& [t, v] : slow->velocity) EXPECT_LE(std::abs(v), 1.5e-3);
}

// ---- loads --------------------------------------------------------------------------------------------------------

TEST(LoadCycle, OnTheForceEveryBristleThatSticksIsRefuted) {
    AnyLuGre lugre = test::any(test::c95);
    test::set_viscous(lugre, 2 * limit_of(lugre));  // passive under a constant load
    Dahl dahl{.sigma0 = 1e5, .Fc = 1};
    auto plastic = test::elastoplastic_c95();
    auto maxwell = test::maxwell_c95();
    for (AnyLaw law : {AnyLaw(lugre), AnyLaw(dahl), AnyLaw(plastic), AnyLaw(maxwell)}) {
        std::visit([](auto& l) { l.load_on = LoadOn::all; }, law);
        for (const double high : {1.01, 1.5, 10.0}) {
            SCOPED_TRACE(std::string(kind_of(law)) + " " + std::to_string(high));
            const auto c = load_cycle(law, 1, high);
            ASSERT_TRUE(c);
            expect_extraction(law, *c);
        }
    }
}

TEST(LoadCycle, OnTheForceASmoothCurveIsRefutedAboveALoadRatioOnly) {
    // About z = 0: dz/dt = v - h z, F = N (a z + b v), h = sigma0/(c Fs), a = sigma0 - sigma1 h, b = sigma1 + sigma2. Storage functions
    // P z^2/2 with 4 P h b >= (a - P)^2: P- to P+ at N = 1. One for both loads exists iff N_max P- <= N_min P+.
    auto law = test::smooth_c95();
    law.load_on = LoadOn::all;
    const double h = law.sigma0 / (law.curve.c * law.curve.Fs), a = law.sigma0 - law.sigma1 * h,
                 b = law.sigma1 + law.sigma2;
    const double root = 2 * std::sqrt(h * b * (a + h * b)), middle = a + 2 * h * b,
                 ratio = (middle + root) / (middle - root);
    EXPECT_GT(ratio, 1.1);
    EXPECT_FALSE(load_cycle(law, 1, 0.98 * ratio)) << ratio;
    const auto c = load_cycle(law, 1, 1.1 * ratio);
    ASSERT_TRUE(c) << ratio;
    expect_extraction(law, *c);
}

TEST(LoadCycle, OnTheCurveTheLimitIsP3WithTheLargestAndSmallestLevel) {
    AnyLuGre law = test::any(test::c95);
    for (const double high : {1.5, 4.0}) {
        const double limit = law.sigma1 * (high * 1.5 / 1.0 - 1);  // sigma1 (N_max Fs/(N_min Fc) - 1)
        test::set_viscous(law, 0.9 * limit);
        const auto c = load_cycle(law, 1, high);
        ASSERT_TRUE(c) << high;
        expect_extraction(law, *c);
        EXPECT_GT(c->load.size(), 2u);
        EXPECT_FALSE(scan_for_witness(law, 1)) << high;  // neither load alone
        EXPECT_FALSE(scan_for_witness(law, high)) << high;
        test::set_viscous(law, 1.02 * limit);
        EXPECT_FALSE(load_cycle(law, 1, high)) << high;
    }
    EXPECT_FALSE(load_cycle(Dahl{.sigma0 = 1e5, .Fc = 1}, 1, 3));  // sigma1 = 0
    EXPECT_FALSE(load_cycle(test::hysteretic_c95(), 1, 2));        // not a one-state law
    // Maxwell-slip climbs with the load, also with a constant level
    auto flat = test::maxwell_c95();
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    const auto c = load_cycle(flat, 1, 2);
    ASSERT_TRUE(c);
    expect_extraction(flat, *c);
}

// ---- replay -------------------------------------------------------------------------------------------------------

// Oracle: work of Contact::step, exact while v is held. Tolerance: 1e-9 of the gross energy, for the error of the
// integrator.
TEST(Replay, EnergyOfHeldVelocitiesEqualsThatOfTheExactStep) {
    test::Random random(2);
    for (const AnyLaw& law : test::all_laws()) {
        const bool exact = std::visit([](const auto& l) { return l.guarantees.exact; }, law);
        if (!exact) continue;
        SCOPED_TRACE(kind_of(law));
        Counterexample c;
        double t = 0, energy = 0;
        std::visit(
            [&](const auto& l) {
                Contact contact(l);
                for (int i = 0; i < 40; ++i) {
                    const double v = random.sign() * random.log_uniform(1e-6, 1e-2), time = 2e-5 / std::abs(v);
                    c.velocity.emplace_back(t, v);
                    energy += contact.step(v, (t + time) - t, 1.0).work;
                    t += time;
                }
            },
            law);
        c.duration = t;
        const Trace trace = integrate(law, c);
        EXPECT_NEAR(trace.energy, energy, 1e-9 * trace.gross);
        expect_agreement(replay(law, c));
        EXPECT_FALSE(replay(law, c).extracts());
    }
}

TEST(Replay, EnergyOfRampsThroughZeroEqualsTheClosedForm) {
    // v from -2 to 1 m/s in 3 s under a load from 1 to 4 N on the whole force: F v = N (Fc |v| + sigma2 v^2)
    AnyCoulomb law;
    law.curve.positive = {.Fc = 2, .Fs = 3};
    test::set_viscous(law, 0.5);
    law.load_on = LoadOn::all;
    Counterexample c;
    c.ramps = true;
    c.velocity = {{0, -2}, {3, 1}};
    c.load = {{0, 1}, {3, 4}};
    c.duration = 3;
    const auto primitive = [](double t) { return t * t * t / 3 - t * t / 2 - 2 * t; };  // of (1 + t)(t - 2)
    const double dry = -(primitive(2) - primitive(0)) + (primitive(3) - primitive(2));
    const auto square = [](double t) { return t * t * t * t / 4 - t * t * t + 4 * t; };  // of (1 + t)(t - 2)^2
    EXPECT_NEAR(integrate(law, c).energy, 2 * dry + 0.5 * (square(3) - square(0)), 1e-9);
    expect_agreement(replay(law, c));  // the work of the load is not counted
    law.load_on = LoadOn::curve;
    expect_agreement(replay(law, c));
}

}  // namespace
}  // namespace bristle::analysis
