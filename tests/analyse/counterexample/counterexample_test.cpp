// Counterexamples to passivity: every one is replayed by two integrators that do not use the law's step, and the energies are held
// against closed forms.
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/replay.hpp"
#include "experiment/experiment.hpp"

#include <gtest/gtest.h>

#include "../laws.hpp"

namespace bristle::inline analysis {
namespace {

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

double limit_of(const AnyLuGre& law) {  // P3
    const Stribeck& curve = law.curve.stribeck.positive;
    return law.sigma1 * (curve.Fs - curve.Fc) / curve.Fc;
}

void expect_draws(const AnyLaw& law, const Counterexample& c) {
    const Replay r = replay(law, c);
    EXPECT_TRUE(r.agree()) << r.integrated << " and " << r.simulated << " of " << r.gross << " J";
    // legs are at least 1e-12 of the run, and 32 roundings of its time 7e-15: the clock cannot be wrong by more than this
    EXPECT_LT(r.tolerance, 8e-3 * r.gross);
    EXPECT_TRUE(r.draws()) << r.integrated << " and " << r.simulated << " of " << r.gross << " J";
    EXPECT_EQ(c.energy, r.integrated);
    EXPECT_LT(c.energy_per_cycle, 0);
}

// ---- LuGre -----------------------------------------------------------------------------------------------------------------

TEST(Shuttle, NineTenthsOfTheLimitAtAHundredMetresPerSecond) {
    AnyLuGre law = test::any(test::c95);
    test::set_viscous(law, 0.9 * limit_of(law));
    const auto c = shuttle(law, {1.49e-5, 100, 1e-6, 1});
    ASSERT_TRUE(c);
    expect_draws(law, *c);
    EXPECT_NEAR(c->energy, double(closed_form(law, *c)), 1e-10);
    // most that a cycle can give, with z charged infinitely slowly: int (Q- - Q+) dz where it is positive, by the midpoint rule
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
              0.85 * most);  // the slow leg may cost a tenth, so that it does not take for ever; and the fast one
}

TEST(Shuttle, NoneBeyondTheLimit) {
    AnyLuGre law = test::any(test::c95);
    for (const double margin : {1.0, 1.02, 2.0}) {
        test::set_viscous(law, margin * limit_of(law));
        EXPECT_FALSE(scan_for_witness(law)) << margin;
    }
    test::set_viscous(law, 1.02 * limit_of(law));
    // what would be a witness at 0.9 of the limit
    EXPECT_FALSE(shuttle(law, {1.49e-5, 100, 1e-6, 1}));
}

TEST(Shuttle, FastestFadingThatIsStillPassive) {
    // limit of microdamped C95 by the one-state test: 0.0894 m/s is the largest vc at which, for every |z| <= Fs/sigma0,
    // sup of F v/(dz/dt) over dz/dt < 0 is not above inf of F v/(dz/dt) over dz/dt > 0
    auto law = test::microdamped_c95();
    law.fade.vc = 1.03 * 0.0894;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    expect_draws(law, *c);
    law.fade.vc = 0.97 * 0.0894;
    EXPECT_FALSE(scan_for_witness(law));
    EXPECT_FALSE(shuttle(law, *witness));
}

TEST(Shuttle, StaysWithinTheWitnesssSpeeds) {
    AnyLuGre law = test::any(test::c95);
    const auto witness = scan_for_witness(law, 1, 0.1);
    ASSERT_TRUE(witness);
    EXPECT_LE(std::max(std::abs(witness->v_minus), std::abs(witness->v_plus)), 0.1);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    expect_draws(law, *c);
    for (const auto& [t, v] : c->velocity) EXPECT_LE(std::abs(v), 0.1);
}

TEST(Shuttle, ANarrowBandGivesMorePower) {
    auto law = test::microdamped_c95();
    law.fade.vc = 0.2;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto wide = shuttle(law, *witness), narrow = shuttle(law, *witness, {.aim = Aim::power, .max_legs = 200});
    ASSERT_TRUE(wide && narrow);
    expect_draws(law, *narrow);
    EXPECT_LE(narrow->velocity.size(), 210u);
    EXPECT_GT(-wide->energy_per_cycle, -narrow->energy_per_cycle);
    // energy per second of the last cycle: two legs before the one that lets go
    const auto power = [](const Counterexample& c) {
        const auto& v = c.velocity;
        return -c.energy_per_cycle / (v[v.size() - 1].first - v[v.size() - 3].first);
    };
    EXPECT_GT(power(*narrow), 1.2 * power(*wide));  // clearly more, not only by rounding
}

TEST(Shuttle, SaysWhenTheLegsDoNotPayForTheCharge) {
    auto law = test::microdamped_c95();
    law.fade.vc = 1.03 * 0.0894;
    const auto c = shuttle(law, *scan_for_witness(law), {.max_legs = 20});
    ASSERT_TRUE(c);
    EXPECT_LT(c->energy_per_cycle, 0);
    EXPECT_GT(c->energy, 0);
    EXPECT_NE(c->text.find("cycles pay for it"), std::string::npos) << c->text;
}

TEST(Shuttle, FiftyRefutationsReplayed) {
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
        expect_draws(law, *c);
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
    std::printf("%d refutations, up to %d legs; of the gross energy: drawn at least %.2g, replays apart at most %.2g\n",
                count, max_legs, closest, apart);
}

// ---- the other cycles -------------------------------------------------------------------------------------------------------

TEST(HystereticSawtooth, GivesWhatTheFormulaSays) {
    auto law = test::hysteretic_c95();
    const auto c = hysteretic_sawtooth(law);
    ASSERT_TRUE(c);
    expect_draws(law, *c);
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
                expect_draws(law, *c);
            }
    auto law = test::hysteretic_c95();
    const auto slow = hysteretic_sawtooth(law, 1, 1e-7);
    ASSERT_TRUE(slow);
    expect_draws(law, *slow);
    for (const auto& [t, v] : slow->velocity) EXPECT_LE(std::abs(v), 1e-7);
    law.a = 0;
    EXPECT_FALSE(hysteretic_sawtooth(law));  // LuGre
}

TEST(MaxwellSlipCycle, GivesTheDifferenceOfTheSpringEnergies) {
    AnyMaxwellSlip law;
    law.size = 1;
    law.k[0] = 1e5;
    law.nu[0] = 1;
    law.C = 10;
    law.curve.stribeck.positive = test::c95_curve;
    const auto c = maxwell_slip_cycle(law);
    ASSERT_TRUE(c);
    expect_draws(law, *c);
    const double most = (1.5 * 1.5 - 1) / 2e5;  // (Fs^2 - Fc^2)/(2 k)
    EXPECT_LT(-c->energy_per_cycle, most);
    EXPECT_GT(-c->energy_per_cycle,
              0.95 * most);  // 2 % of the way back is kept in hand, and 2 % may go to a slower low speed
}

TEST(MaxwellSlipCycle, SeveralElementsAndAnyViscousFriction) {
    for (const double sigma2 : {0.0, 0.4, 1e4}) {
        auto law = test::maxwell_c95();
        test::set_viscous(law, sigma2);
        const auto c = maxwell_slip_cycle(law);
        ASSERT_TRUE(c) << sigma2;
        expect_draws(law, *c);
    }
    auto flat = test::maxwell_c95();
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    EXPECT_FALSE(maxwell_slip_cycle(flat));
    const auto slow = maxwell_slip_cycle(test::maxwell_c95(), 1, 1.5e-3);
    ASSERT_TRUE(slow);
    expect_draws(test::maxwell_c95(), *slow);
    for (const auto& [t, v] : slow->velocity) EXPECT_LE(std::abs(v), 1.5e-3);
}

// ---- loads ------------------------------------------------------------------------------------------------------------------

TEST(LoadCycle, OnTheWholeForceEveryBristleThatSticksIsRefuted) {
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
            expect_draws(law, *c);
        }
    }
}

TEST(LoadCycle, OnTheWholeForceASmoothCurveForgivesSmallChanges) {
    // About z = 0: dz/dt = v - h z, F = N (a z + b v), h = sigma0/(c Fs), a = sigma0 - sigma1 h, b = sigma1 + sigma2. Storages
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
    expect_draws(law, *c);
}

TEST(LoadCycle, OnTheCurveTheLimitIsThatOfTheWidestLevels) {
    AnyLuGre law = test::any(test::c95);
    for (const double high : {1.5, 4.0}) {
        const double limit = law.sigma1 * (high * 1.5 / 1.0 - 1);  // sigma1 (N_max Fs/(N_min Fc) - 1)
        test::set_viscous(law, 0.9 * limit);
        const auto c = load_cycle(law, 1, high);
        ASSERT_TRUE(c) << high;
        expect_draws(law, *c);
        EXPECT_GT(c->load.size(), 2u);
        EXPECT_FALSE(scan_for_witness(law, 1)) << high;  // neither load alone
        EXPECT_FALSE(scan_for_witness(law, high)) << high;
        test::set_viscous(law, 1.02 * limit);
        EXPECT_FALSE(load_cycle(law, 1, high)) << high;
    }
    EXPECT_FALSE(load_cycle(Dahl{.sigma0 = 1e5, .Fc = 1}, 1, 3));  // sigma1 = 0
    // Maxwell-slip climbs with the load, even where the curve is flat
    auto flat = test::maxwell_c95();
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    const auto c = load_cycle(flat, 1, 2);
    ASSERT_TRUE(c);
    expect_draws(flat, *c);
}

// ---- replay -----------------------------------------------------------------------------------------------------------------

TEST(Replay, HeldVelocitiesAsTheExactStepHasThem) {
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
                    energy += contact.step(v, (t + time) - t).work;
                    t += time;
                }
            },
            law);
        c.duration = t;
        const Trace trace = integrate(law, c);
        EXPECT_NEAR(trace.energy, energy, 1e-9 * trace.gross);
        EXPECT_TRUE(replay(law, c).agree());
        EXPECT_FALSE(replay(law, c).draws());
    }
}

TEST(Replay, RampsThroughZeroInClosedForm) {
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
    EXPECT_TRUE(replay(law, c).agree());  // the work of the load is not counted
    law.load_on = LoadOn::curve;
    EXPECT_TRUE(replay(law, c).agree());
}

// ---- experiment files --------------------------------------------------------------------------------------------------------

TEST(ExperimentText, GivesBackEveryLaw) {
    Counterexample c;
    c.velocity = {{0, 1e-4}, {0.1, -2e-4}, {0.2, 1e-3}};
    c.duration = 0.3;
    for (const AnyLaw& law : test::all_laws()) {
        const std::string text = experiment_text(law, c);
        SCOPED_TRACE(text);
        const auto read = experiment::read(text, "counterexample.toml").setup;
        EXPECT_EQ(kind_of(read.law), kind_of(law));
        EXPECT_EQ(test::numbers_of(read.law), test::numbers_of(law));
        // words too: the same forces
        EXPECT_EQ(integrate(read.law, c).energy, integrate(law, c).energy);
    }
}

TEST(ExperimentText, ReplaysTheEnergy) {
    AnyLuGre lugre = test::any(test::c95);
    auto on_all = lugre;
    on_all.load_on = LoadOn::all;
    const auto saw = test::hysteretic_c95();
    const std::pair<AnyLaw, Counterexample> all[] = {{lugre, *shuttle(lugre, *scan_for_witness(lugre))},
                                                     {lugre, *shuttle(lugre, *scan_for_witness(lugre, 3))},
                                                     {on_all, *shuttle(on_all, *scan_for_witness(on_all, 3))},
                                                     {lugre, *load_cycle(lugre, 1, 2)},
                                                     {saw, *hysteretic_sawtooth(saw)}};
    for (const auto& [law, c] : all) {
        const std::string text = experiment_text(law, c);
        SCOPED_TRACE(text);
        const auto read = experiment::read(text, "counterexample.toml");
        const double supplied = simulate(read.setup).measures.final.at("work");
        ASSERT_EQ(read.claims.size(), 1u);
        EXPECT_LT(read.claims[0].high, 0);
        EXPECT_GE(supplied, read.claims[0].low);
        EXPECT_LE(supplied, read.claims[0].high);
        EXPECT_LT(read.claims[0].high - read.claims[0].low, 1e-2 * std::abs(supplied));
    }
}

TEST(ExperimentText, TheLongestFitsIntoAFile) {
    auto law = test::microdamped_c95();
    law.fade.vc = 0.08955;
    const auto witness = scan_for_witness(law);
    ASSERT_TRUE(witness);
    const auto c = shuttle(law, *witness);
    ASSERT_TRUE(c);
    expect_draws(law, *c);
    EXPECT_GT(c->velocity.size(), 5000u);
    const std::string text = experiment_text(law, *c);
    EXPECT_LT(text.size(), std::size_t(1) << 20);
    EXPECT_EQ(experiment::read(text, "counterexample.toml").setup.input.points.size(), c->velocity.size());
}

}  // namespace
}  // namespace bristle::inline analysis
