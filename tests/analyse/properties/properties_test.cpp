// Table of properties. Oracles: theory for each law; closed forms and other methods for the numbers.
#include <bristle/analyse/properties.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>
#include <gtest/gtest.h>

#include "../../support/oracle.hpp"
#include "../laws.hpp"

using namespace bristle;
using namespace bristle::analysis;
using namespace bristle::test;

namespace {

using Kind = PropertyKind;

LawProperties one(const AnyLaw& law, bool passivity = false) {
    return properties_of({law}, {.load = 1, .passivity = passivity}).at(0);
}
Holds holds(const AnyLaw& law, Kind name) { return one(law).find(name)->holds; }
double number(const AnyLaw& law, Kind name) { return one(law).find(name)->measured; }

AnyCoulomb coulomb(double sigma2) {
    AnyCoulomb law;
    law.curve.positive = {.Fc = 1, .Fs = 1.3};
    set_viscous(law, sigma2);
    return law;
}
AnyStribeck stribeck_c95() {
    AnyStribeck law;
    law.curve.stribeck.positive = c95_curve;
    set_viscous(law, 0.4);
    return law;
}
SmoothFriction smooth_static() { return {.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}}; }
const Dahl dahl{.sigma0 = 1e5, .Fc = 1.5};

// Without damping and with one level: rate independent.
template <class Law>
Law bare(Law law) {
    set_viscous(law, 0);
    if constexpr (requires { law.sigma1; }) law.sigma1 = 0;
    law.curve.stribeck.positive.Fs = law.curve.stribeck.positive.Fc;
    return law;
}

wide level_c95(wide v) { return 1 + 0.5L * std::exp(-(v / 1e-3L) * (v / 1e-3L)); }

}  // namespace

TEST(Properties, OfEachLawEqualTheoryWithAMarginOfTen) {
    struct Row {
        AnyLaw law;
        const char* kind;
        // rate independent (and under a warp), memory, at rest, no drift, lag, breakaway varies
        bool rate, memory, rest, drift, lag, breakaway;
    };
    const Row rows[] = {
        {coulomb(0.1), "coulomb", false, false, true, true, false, false},
        {stribeck_c95(), "stribeck", false, false, true, true, false, false},
        {smooth_static(), "stribeck_smooth", false, false, false, false, false, false},  // creeps: K08 after (44)
        {Makkar{.curve = {.25, 100, 10, .1, 100}, .sigma2 = 0.01}, "makkar", false, false, false, false, false, false},
        {dahl, "dahl", true, false, true, false, false, false},  // P5, P6; drifts like LuGre
        {any(c95), "lugre", false, false, true, false, true, true},
        {microdamped_c95(), "lugre_microdamped", false, false, true, false, true, true},
        {smooth_c95(), "lugre_smooth", false, false, false, false, true, true},
        {makkar_lugre(), "lugre_makkar", false, false, false, false, true, true},
        {hysteretic_c95(), "hysteretic", false, false, true, false, true, true},
        {elastoplastic_c95(), "elastoplastic", false, false, true, true, true, true},  // its purpose
        {maxwell_c95(), "maxwell_slip", false, true, true, true, true, true},          // P6: its purpose
    };
    std::vector<AnyLaw> laws;
    for (const Row& row : rows) laws.push_back(row.law);
    const auto table = properties_of(laws, {.load = 1, .passivity = false});
    ASSERT_EQ(table.size(), std::size(rows));
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Row& row = rows[i];
        ASSERT_EQ(table[i].kind, row.kind);
        const std::pair<Kind, bool> expected[] = {{Kind::rate_independent, row.rate},
                                                  {Kind::warp_invariant, row.rate},
                                                  {Kind::reversal_memory, row.memory},
                                                  {Kind::holds_at_rest, row.rest},
                                                  {Kind::no_drift, row.drift},
                                                  {Kind::lag, row.lag},
                                                  {Kind::breakaway_varies, row.breakaway},
                                                  {Kind::bounded, true}};
        EXPECT_EQ(table[i].properties.size(), std::size(expected));
        std::printf("%-18s", row.kind);
        for (const auto& [name, yes] : expected) {
            const Property* p = table[i].find(name);
            ASSERT_NE(p, nullptr) << name_of(name);
            EXPECT_STREQ(name_of(p->holds), yes ? "yes" : "no")
                << row.kind << " " << name_of(name) << " " << p->measured;
            // margin: a factor of ten from either limit
            EXPECT_TRUE(p->measured <= 0.1 * p->noise_floor || p->measured >= 10 * p->effect_threshold)
                << row.kind << " " << name_of(name) << " " << p->measured;
            std::printf(" %s %.2g", yes ? "yes" : "no", p->measured);
        }
        std::printf("\n");
    }
}

TEST(Properties, ChangeWithTheParameters) {
    // without damping and with one level the force depends on path length only
    EXPECT_EQ(holds(coulomb(0), Kind::rate_independent), Holds::yes);
    EXPECT_EQ(holds(bare(any(c95)), Kind::rate_independent), Holds::yes);
    EXPECT_EQ(holds(bare(any(c95)), Kind::warp_invariant), Holds::yes);
    EXPECT_EQ(holds(bare(elastoplastic_c95()), Kind::rate_independent), Holds::yes);
    EXPECT_EQ(holds(bare(maxwell_c95()), Kind::rate_independent), Holds::yes);
    EXPECT_EQ(holds(bare(maxwell_c95()), Kind::lag), Holds::no);
    EXPECT_EQ(holds(bare(maxwell_c95()), Kind::breakaway_varies), Holds::no);
    // bristle damping alone makes it rate dependent (A08 states the contrary), and sliding in one direction with one level has no lag
    auto flat = any(c95);
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    EXPECT_EQ(holds(flat, Kind::rate_independent), Holds::no);
    EXPECT_EQ(holds(flat, Kind::lag), Holds::no);
    // K08 (44) as printed is not bounded: its steady force mu/tanh(c v) is infinite at v = 0
    auto printed = smooth_c95();
    printed.curve.printed = true;
    EXPECT_EQ(holds(printed, Kind::bounded), Holds::no);
    EXPECT_GT(number(any(c95), Kind::bounded), -1e-3);  // the input does reach the bound
    // an effect between noise floor and threshold
    auto nearly = bare(any(c95));
    nearly.curve.stribeck.positive.Fs *= 1 + 1e-6;
    EXPECT_EQ(holds(nearly, Kind::rate_independent), Holds::unclear);
}

TEST(Properties, DriftOfDahlAndLuGreEqualsTheClosedForm) {
    // forces between 0.15 and 0.45 of the level: ln((1 - 0.15^2)/(1 - 0.45^2)) deflections a cycle
    const double expected = std::log((1 - 0.15 * 0.15) / (1 - 0.45 * 0.45));
    EXPECT_NEAR(number(dahl, Kind::no_drift), expected,
                1e-5 * expected);  // rate independent: exact except at the reversals
    EXPECT_NEAR(number(any(c95), Kind::no_drift), expected, 1e-3 * expected);  // slow, not infinitely slow
    EXPECT_NEAR(number(microdamped_c95(), Kind::no_drift), expected, 1e-3 * expected);
}

TEST(Properties, GapOfDahlEqualsTheClosedForm) {
    // on a stroke of length L towards s: F = s Fc + (F - s Fc) exp(-L), lengths in deflections
    const auto stroke = [](double F, double way) {
        const double s = way < 0 ? -1 : 1;
        return s + (F - s) * std::exp(-std::fabs(way));
    };
    const double before = stroke(stroke(stroke(0, 2.5), -5), 2.8);
    double gap = 0;
    for (const double size : {0.5, 1.0, 2.0})
        gap = std::max(gap, std::fabs(stroke(stroke(before, -size), size) - before));
    EXPECT_NEAR(number(dahl, Kind::reversal_memory), gap, 1e-12);
}

// P6, by simulation.
TEST(Properties, SimulatedNestedLoopsCloseForMaxwellSlipOnly) {
    const auto gap = [](const AnyLaw& law) {
        const Input u = nested_loops(law);
        EXPECT_EQ(u.points.size(), 7u);
        EXPECT_NEAR(u.points[3].value, u.points[5].value, 1e-18);
        const bristle::Setup setup{.law = law,
                                   .rig = Prescribed{Quantity::displacement},
                                   .input = u,
                                   .load = Input::constant(1),
                                   .start = {},
                                   .run = {.duration = u.points.back().t,
                                           .rtol = 1e-10,
                                           .atol = 1e-10,
                                           .samples = 2,
                                           .sample_times = {u.points[3].t, u.points[5].t}}};
        const auto samples = simulate(setup).measures.at;
        return std::fabs(samples.at(u.points[3].t).at("F") - samples.at(u.points[5].t).at("F"));
    };
    EXPECT_LT(gap(maxwell_c95()), 1e-8);
    EXPECT_GT(gap(any(c95)), 0.05);
    EXPECT_GT(gap(elastoplastic_c95()), 0.01);
    // Dahl in closed form: two strokes of one deflection after three others
    double F = 0;
    for (const double way : {2.5, -5.0, 2.8})
        F = (way > 0 ? 1 : -1) + (F - (way > 0 ? 1 : -1)) * std::exp(-std::fabs(way));
    const double after = 1 + ((-1 + (F + 1) * std::exp(-1)) - 1) * std::exp(-1);
    EXPECT_NEAR(gap(dahl), 1.5 * std::fabs(after - F), 1e-7);
}

TEST(Properties, CreepOfASmoothCurveEqualsItsSpeedAtTheForce) {
    // oracle: g(v) tanh(c v) = 0.45 Fs, by bisection
    wide low = 0, high = 1e-3L;
    for (int i = 0; i < 80; ++i) {
        const wide v = (low + high) / 2;
        const wide t = std::tanh(1e4L * v), F = (1 + 0.5L * std::exp(-(v * t / 1e-3L) * (v * t / 1e-3L))) * t;
        (F < 0.45L * 1.5L ? low : high) = v;
    }
    // half of 1000 times deflection (1e-6 m for a law without a bristle) over the slowest speed, a tenth of 1/c
    const double time = 0.5 * 1000 * 1e-6 / 1e-5;
    EXPECT_NEAR(number(smooth_static(), Kind::holds_at_rest), double(low) * time / 1e-6, 1e-6 * 2.4e3);
}

TEST(Properties, OfB05WithTheMinRuleCreeps) {
    // The bristle is at rest if w = v + b a = 0, so any constant v in [-a, a] is an equilibrium. With a = min(a, |z|) the mass keeps
    // the speed that it has gained while z = 0: at most a, 500 deflections in 500 times the time of a deflection at that speed.
    auto law = hysteretic_c95();
    for (const double scale : {0.3, 1.0}) {
        law.a_rule = ShiftRule::min;
        law.a_scale = scale;
        const Property p = *one(law).find(Kind::holds_at_rest);
        EXPECT_EQ(p.holds, Holds::no) << scale;
        EXPECT_GT(p.measured, 0.1) << scale;
        EXPECT_LT(p.measured, 500 * (1 + 1e-6)) << scale;
    }
}

TEST(Properties, LagOfLuGreEqualsRungeKutta) {
    // oracle: z' = v - sigma0 v z/g(v) by Runge-Kutta for the same speed vs (1 - 0.9 cos), 0.3 rad in the time of a
    // deflection
    const wide deflection = 1.5e-5L, v0 = 1e-3L, omega = 0.3L * v0 / deflection;
    const auto speed = [&](wide t) { return v0 * (1 - 0.9L * std::cos(omega * t)); };
    const auto rate = [&](wide t, wide z) { return speed(t) - 1e5L * speed(t) * z / level_c95(speed(t)); };
    const int n = 400;
    const wide period = 2 * std::numbers::pi_v<wide> / omega;
    std::vector<wide> F;
    wide z = 0;
    for (int i = 0; i < 3 * n; ++i) {
        z = runge_kutta(rate, z, period * i / n, period * (i + 1) / n, 10);
        const wide t = period * (i + 1) / n;
        F.push_back(1e5L * z + wide(c95.sigma1) * rate(t, z) + 0.4L * speed(t));
    }
    wide widest = 0;
    for (int i = 1; i < n / 2; ++i)
        widest = std::max(widest, std::fabs(F[std::size_t(2 * n + i - 1)] - F[std::size_t(3 * n - i - 1)]));
    EXPECT_NEAR(number(any(c95), Kind::lag), double(widest) / 1.5, 1e-4);  // 400 points find the widest place to 1e-5
}

TEST(Properties, BreakawayOfLuGreEqualsTheFoldOfItsEquations) {
    // Under a ramp of the rate r the deflection grows at r/sigma0, so that v (1 - sigma0 z/g(v)) = r/sigma0. No speed solves
    // this for large z (some speed does for z < Fc/sigma0). The force is then sigma0 z + sigma1 r/sigma0.
    const auto most = [&](wide load) {
        wide best = 0;
        for (int i = 1; i < 40'000; ++i) {
            const wide v = 1e-7L * i;
            best = std::max(best, v * (1 - load / level_c95(v)));
        }
        return best;
    };
    const auto breakaway = [&](wide bending) {
        wide low = 1, high = 1.5L;
        for (int i = 0; i < 30; ++i) (most((low + high) / 2) > bending ? low : high) = (low + high) / 2;
        return low + wide(c95.sigma1) * bending;
    };
    const wide slow = breakaway(1e-5L), middle = breakaway(1e-4L), fast = breakaway(1e-3L);  // 0.01, 0.1 and 1 vs
    const double expected = double(std::max({slow, middle, fast}) - std::min({slow, middle, fast})) / 1.5;
    auto dry = any(c95);
    set_viscous(dry, 0);
    const double measured = number(dry, Kind::breakaway_varies);
    std::printf("%.5f, %.5f and %.5f N: differ by %.5f of Fs, measured %.5f\n", double(slow), double(middle),
                double(fast), expected, measured);
    EXPECT_NEAR(measured, expected, 3e-4);  // a step of the ramp is 1e-3
}

TEST(Properties, OfRandomParametersAreThoseOfTheKind) {
    Random random(5);
    const auto hysteretic = [&] {
        const auto like = random_lugre(random, 0.5);
        AnyHysteretic law;
        law.sigma0 = like.sigma0;
        law.sigma1 = like.sigma1;
        set_viscous(law, like.sigma2);
        law.curve = like.curve;
        law.a = random.log_uniform(1e-4, 1e-2) * like.curve.stribeck.positive.vs;
        return law;
    };
    const auto maxwell = [&] {
        AnyMaxwellSlip law;
        law.size = 1 + random.below(8);
        law.curve.stribeck.positive = random_curve(random);
        const double k = law.curve.peak() / random.log_uniform(1e-6, 1e-3);
        double sum = 0;
        for (int i = 0; i < law.size; ++i) {
            law.k[i] = k * random.uniform(0.1, 1);
            sum += law.nu[i] = random.uniform(0.1, 1);
        }
        for (int i = 0; i < law.size; ++i) law.nu[i] /= sum;
        law.C = law.curve.peak() * random.log_uniform(1, 100);
        return law;
    };
    struct Kind {
        const char* expected;  // in the order of the table: y or n
        std::function<AnyLaw()> draw;
    };
    const Kind kinds[] = {{"nnnynyyy", [&] { return random_lugre(random, random.uniform(0, 1.5)); }},
                          {"nnnynyyy", [&] { return random_microdamped(random); }},
                          {"nnnynyyy", [&] { return random_tabulated(random); }},
                          {"nnnynyyy", [&] { return random_sided(random, random.sign()); }},
                          {"nnnnnyyy", [&] { return random_smooth(random); }},
                          {"nnnnnyyy", [&] { return random_makkar(random); }},
                          {"nnnyyyyy", [&] { return random_elastoplastic(random); }},
                          {"nnnynyyy", hysteretic},
                          {"nnyyyyyy", maxwell},
                          {"yynynnny", [&] {
                               return Dahl{.sigma0 = random.log_uniform(1e3, 1e8), .Fc = random.log_uniform(0.01, 1e3)};
                           }}};
    for (const Kind& kind : kinds)
        for (long i = 0; i < std::max(1L, draws(5)); ++i) {
            const LawProperties found = one(kind.draw());
            std::string answers, numbers;
            for (const Property& p : found.properties) {
                answers += name_of(p.holds)[0];
                numbers += std::string(" ") + name_of(p.kind) + " " + std::to_string(p.measured);
            }
            EXPECT_EQ(answers, kind.expected) << found.kind << numbers;
        }
}

TEST(Properties, PassivityIsThatOfTheCertificate) {
    EXPECT_EQ(one(dahl, true).find(Kind::passive)->holds, Holds::yes);
    const Property lugre = *one(any(c95), true).find(Kind::passive);
    EXPECT_EQ(lugre.holds, Holds::no);
    EXPECT_NEAR(lugre.measured, 0.4 - std::sqrt(1e5) * 0.5, 1e-9);  // P3: sigma2 - sigma1 (Fs - Fc)/Fc
    EXPECT_EQ(one(any(c95)).find(Kind::passive), nullptr);
}

// The numbers are relative.
TEST(Properties, DoNotDependOnTheLoad) {
    const auto a = properties_of({any(c95)}, {.load = 1, .passivity = false}).at(0);
    auto law = any(c95);
    law.load_on = LoadOn::all;
    const auto b = properties_of({law}, {.load = 7, .passivity = false}).at(0);
    for (std::size_t i = 0; i < a.properties.size(); ++i) {
        EXPECT_EQ(a.properties[i].holds, b.properties[i].holds) << name_of(a.properties[i].kind);
        EXPECT_NEAR(a.properties[i].measured, b.properties[i].measured,
                    1e-6 * (1 + std::fabs(a.properties[i].measured)))
            << name_of(a.properties[i].kind);
    }
}

// Oracle: progress is the fraction of laws that are done. Tolerance: rounding.
TEST(Properties, CanBeCancelledAndRejectInvalidLawsAndLoads) {
    int calls = 0;
    const auto table = properties_of({dahl, dahl, dahl}, {.load = 1, .passivity = false}, [&](double fraction) {
        EXPECT_NEAR(fraction, calls / 3.0, 1e-12);
        return ++calls < 2;
    });
    EXPECT_EQ(table.size(), 1u);
    EXPECT_THROW(properties_of({Dahl{}}), Error);
    EXPECT_THROW(properties_of({dahl}, {.load = -1}), Error);
}
