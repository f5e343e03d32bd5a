// Certificates of every kind of law: verdicts, numbers, reasons and counterexamples.
#include "analyse/passivity/one_state.hpp"
#include <bristle/analyse/certificate.hpp>
#include <bristle/base/error.hpp>

#include "certify_support.hpp"
#include "passivity_support.hpp"
#include <gtest/gtest.h>
#include <ctime>

namespace bristle::inline analysis {
namespace {

using test::expect_extraction;
using test::loads;
using test::passive;
using test::Random;
using test::set_viscous;
using test::up_to;

constexpr double never = std::numeric_limits<double>::infinity();

// The law with one number changed.
AnyLaw with(AnyLaw law, const std::string& key, double value) {
    std::visit(
        [&]<class Law>(Law& l) {
            Law::parameters(l, [&](const Parameter& p, double& x) {
                if (*p.group == 0 && key == p.name && p.index < 0) x = value;
                if (std::string(p.group) == "negative" && key == std::string("negative.") + p.name) x = value;
            });
            if constexpr (requires { l.sigma2_negative; })
                if (key == "sigma2" || key == "g6") l.sigma2_negative = value;
        },
        law);
    return law;
}

}  // namespace

TEST(Certify, C95IsNotPassive) {
    const AnyLaw law = test::any(test::c95);
    const Certificate all = certify(law);
    EXPECT_EQ(all.bounded.verdict, Verdict::proved);
    ASSERT_TRUE(all.bounded.reason<reason::DeflectionBounded>());
    EXPECT_NEAR(all.bounded.reason<reason::DeflectionBounded>()->z, 1.5e-5, 1e-13);  // Fs/sigma0
    EXPECT_EQ(all.dissipative.verdict, Verdict::proved);
    EXPECT_EQ(all.passive.theorem, Theorem::P3);
    ASSERT_TRUE(all.passive.margin && all.passive.speed && all.passive.nearest);
    EXPECT_NEAR(0.4 - *all.passive.margin, 158, 0.5);  // P3, A08 (7): sigma1 (Fs - Fc)/Fc = 158, sigma2 = 0.4
    EXPECT_EQ(all.passive.margin_unit, "N s/m");
    EXPECT_NEAR(*all.passive.speed, 14.3e-3, 0.05e-3);
    // of Fs, Fc, sigma1, sigma2 the smallest relative change: Fs to Fc (1 + sigma2/sigma1), a third; Fc to Fs sigma1/(sigma1 + sigma2), a half
    EXPECT_EQ(all.passive.nearest->key, "Fs");
    EXPECT_NEAR(all.passive.nearest->to, 1 + 0.4 / test::c95.sigma1, 1e-9);
    expect_extraction(law, all.passive);
}

TEST(Certify, C95WithSigma2AboveP3IsPassive) {
    AnyLuGre law = test::any(test::c95);
    set_viscous(law, 160);
    const Finding found = passive(law);
    EXPECT_EQ(found.verdict, Verdict::proved);
    EXPECT_EQ(*found.speed, never);
    EXPECT_FALSE(found.counterexample);
    // 160 to 158.11 is 1.2 %, Fs to 1.506 is 0.4 %, Fc to 0.99604 is 0.396 %
    EXPECT_EQ(found.nearest->key, "Fc");
    EXPECT_NEAR(found.nearest->to, 1.5 * law.sigma1 / (law.sigma1 + 160), 1e-9);
    set_viscous(law, 0.5 * law.sigma1);  // equality is enough (K08 21)
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
    EXPECT_EQ(*passive(law).margin, 0);
}

TEST(Certify, C95IsPassiveUpToASpeedLimitOf30MillimetresPerSecond) {
    const AnyLaw law = test::any(test::c95);
    // below 14.3 mm/s with sigma0 z^2/2, then with another storage function, then not
    for (const double v : {0.01, 0.03}) {
        const Finding found = passive(law, up_to(v));
        EXPECT_EQ(found.verdict, Verdict::proved) << v;
        EXPECT_GE(*found.speed, v);
    }
    const Finding fast = passive(law, up_to(0.05));
    expect_extraction(law, fast);
    for (const auto& [t, v] : fast.counterexample->velocity) EXPECT_LE(std::abs(v), 0.05 * (1 + 1e-12));
}

TEST(Certify, SpeedIsTheLargestWithTheQuadraticStorageFunction) {
    for (const AnyLaw& law : {AnyLaw(test::any(test::a08_stiff)), AnyLaw(test::smooth_c95()),
                              AnyLaw(test::microdamped_c95()), AnyLaw(test::elastoplastic_c95())}) {
        const Finding found = passive(law);
        ASSERT_TRUE(found.speed && found.verdict == Verdict::refuted);
        EXPECT_EQ(passive(law, up_to(0.999 * *found.speed)).verdict, Verdict::proved);
        // oracle: F v - d/dt (sigma0 z^2/2) on a grid is < 0 somewhere at 1.1 times the speed, nowhere at 0.95 times
        const auto worst = [&](double vmax) {
            double least = never;
            for (int i = 1; i <= 400; ++i)
                for (int j = 1; j <= 400; ++j) {
                    const auto [sigma0, peak] = std::visit(
                        [](const auto& l) -> std::pair<double, double> {
                            if constexpr (requires {
                                              l.sigma0;
                                              l.curve;
                                          })
                                return {l.sigma0, curve_under(l, 1.0).peak()};
                            else
                                return {};
                        },
                        law);
                    const double v = vmax * j / 400, z = peak / sigma0 * i / 400;
                    const auto [r, q] = test::quotient(law, z, v, 1);
                    if (i < 400 && r != 0) least = std::min(least, (q - sigma0 * z) * r);
                }
            return least;
        };
        EXPECT_GE(worst(0.95 * *found.speed), 0);
        EXPECT_LT(worst(1.1 * *found.speed), 0);
    }
}

// Erratum E1: the conductance of K08 (44) as printed breaks P1, the consistent one keeps it.
TEST(Certify, PrintedConductanceIsNotBoundedAndNotPassive) {
    auto law = test::smooth_c95();
    const Certificate consistent = certify(law);
    EXPECT_EQ(consistent.bounded.verdict, Verdict::proved);
    EXPECT_EQ(consistent.passive.verdict, Verdict::refuted);
    expect_extraction(law, consistent.passive);
    law.curve.printed = true;
    const Certificate printed = certify(law);
    EXPECT_EQ(printed.bounded.verdict, Verdict::refuted);
    EXPECT_EQ(printed.dissipative.verdict, Verdict::proved);
    expect_extraction(law, printed.passive);
    // no sigma2 makes the printed one passive; sigma2 >= sigma1 (Fs - Fc)/Fc does for the consistent one
    set_viscous(law, 10 * law.sigma1);
    EXPECT_EQ(passive(law).verdict, Verdict::refuted);
    law.curve.printed = false;
    set_viscous(law, 0.5 * law.sigma1);
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
}

// Oracles: A08 property 4, vc < 4 sqrt(2e) Fc/sigma1 = 0.02949 m/s; 0.0894 m/s computed independently (criterion_test).
// Tolerance of the margin: 5e-5 m/s, the digits of 0.0295.
TEST(Certify, MicrodampedC95IsPassiveForVcBelow0_0894) {
    auto law = test::microdamped_c95();
    law.fade.vc = 0.029;
    const Finding p4 = passive(law);
    EXPECT_EQ(p4.verdict, Verdict::proved);
    EXPECT_EQ(p4.theorem, Theorem::P4);
    EXPECT_NEAR(*p4.margin, 0.0295 - 0.029, 0.00005);
    for (const double vc : {0.032, 0.089}) {
        law.fade.vc = vc;
        EXPECT_EQ(passive(law).verdict, Verdict::proved) << vc;
    }
    law.fade.vc = 0.09;
    EXPECT_EQ(passive(law).verdict, Verdict::refuted);
    law.fade.vc = 0.12;
    expect_extraction(law, passive(law));
}

TEST(Certify, EachDirectionAndATableHasItsOwnP3) {
    AnyLuGre law = test::any(test::c95);
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = {.Fc = 1, .Fs = 1.2, .vs = 1e-3};
    law.sigma2 = 160;  // 158.1 are needed for v > 0, 63.2 for v < 0
    law.sigma2_negative = 64;
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
    law.sigma2_negative = 50;
    const Finding backward = passive(law);
    expect_extraction(law, backward);
    EXPECT_NEAR(*backward.margin, 50 - 0.2 * law.sigma1, 1e-9);
    EXPECT_EQ(backward.nearest->key, "negative.Fs");

    AnyLuGre table = test::any(test::c95);
    table.curve.tabulated = true;
    table.curve.table = test::tabulated(test::c95_curve);
    expect_extraction(table, passive(table));
    // levels at the ends of the table: 1.5 and that of its last point
    const double last = table.curve.table.g[table.curve.table.size - 1], limit = table.sigma1 * (1.5 / last - 1);
    for (const double fraction : {0.995, 1.005}) {
        set_viscous(table, fraction * limit);
        EXPECT_EQ(passive(table).verdict, fraction > 1 ? Verdict::proved : Verdict::refuted) << fraction;
    }
}

TEST(Certify, DahlElastoPlasticMakkarAndHystereticHaveTheirVerdicts) {
    EXPECT_EQ(passive(Dahl{.sigma0 = 1e5, .Fc = 1}).verdict, Verdict::proved);
    EXPECT_EQ(*passive(Dahl{.sigma0 = 1e5, .Fc = 1}).speed, never);
    auto plastic = test::elastoplastic_c95();
    expect_extraction(plastic, passive(plastic));
    set_viscous(plastic, 159);  // P3 is enough
    EXPECT_EQ(passive(plastic).verdict, Verdict::proved);
    const MakkarLuGre makkar = test::makkar_lugre();
    expect_extraction(makkar, passive(makkar));
    auto shifted = test::hysteretic_c95();
    const Certificate hysteretic = certify(shifted);
    EXPECT_EQ(hysteretic.bounded.verdict, Verdict::proved);
    EXPECT_EQ(hysteretic.dissipative.verdict, Verdict::refuted);
    expect_extraction(shifted, hysteretic.passive);
    // sawtooth inside (-a, 0) with V = a/2 = 1e-6 m/s, rising in 40 s: Fs V/2 * 40 s = 3.0e-5 J per cycle
    EXPECT_NEAR(hysteretic.passive.counterexample->energy_per_cycle, -3.0e-5, 0.05e-5);
    shifted.a = 0;  // then it is LuGre
    set_viscous(shifted, 160);
    EXPECT_EQ(passive(shifted).verdict, Verdict::proved);
    EXPECT_EQ(certify(shifted).dissipative.verdict, Verdict::proved);
}

TEST(Certify, MaxwellSlipIsPassiveIffTheLevelIsConstant) {
    auto law = test::maxwell_c95();
    const Certificate falling = certify(law);
    EXPECT_EQ(falling.bounded.verdict, Verdict::proved);
    EXPECT_EQ(falling.dissipative.verdict, Verdict::refuted);
    expect_extraction(law, falling.passive);
    EXPECT_EQ(falling.passive.nearest->key, "Fs");
    EXPECT_EQ(falling.passive.nearest->to, 1);
    law.curve.stribeck.positive.Fs = 1;
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
    EXPECT_EQ(certify(law).dissipative.verdict, Verdict::proved);
    expect_extraction(law, passive(law, loads(1, 2)));
    law.load_on = LoadOn::all;
    expect_extraction(law, passive(law, loads(1, 2)));
}

TEST(Certify, VaryingLoadOnTheCurveMovesP3AndOnTheForceRefutes) {
    AnyLuGre law = test::any(test::c95);
    const double limit = law.sigma1 * (1.4 * 1.5 - 1);  // convention B
    set_viscous(law, 1.02 * limit);
    EXPECT_EQ(passive(law, loads(1, 1.4)).verdict, Verdict::proved);
    EXPECT_EQ(passive(law, loads(0.5, 0.7)).verdict, Verdict::proved);
    set_viscous(law, 0.9 * limit);
    EXPECT_EQ(passive(law, loads(0.7, 0.7)).verdict, Verdict::proved);  // constant: P3
    expect_extraction(law, passive(law, loads(1, 1.4)));
    law.load_on = LoadOn::all;  // convention A
    EXPECT_EQ(passive(law, loads(1.4, 1.4)).verdict, Verdict::proved);
    expect_extraction(law, passive(law, loads(1, 1.4)));
    Dahl dahl{.sigma0 = 1e5, .Fc = 1};
    EXPECT_EQ(passive(dahl, loads(1, 3)).verdict, Verdict::proved);
    dahl.load_on = LoadOn::all;
    expect_extraction(dahl, passive(dahl, loads(1, 3)));
    // the bound of z is proportional to the largest load on the curve
    const Finding bounded = certify(test::any(test::c95), loads(1, 2)).bounded;
    ASSERT_TRUE(bounded.reason<reason::DeflectionBounded>());
    EXPECT_NEAR(bounded.reason<reason::DeflectionBounded>()->z, 3e-5, 1e-13);
}

// Oracle: P3 with the largest and the smallest level over speed and load, Fs + ks N_max and Fc + kc N_min: for loads between 1 N
// and 3 N (1.5 + 0.75)/(1 + 0.1) - 1 = 1.04545 times sigma1, for the constant load 3 N 2.25/1.3 - 1 = 0.73077.
TEST(Certify, LoadInsideTheCurveOfGearFrictionMovesP3) {
    GearLuGre law{.sigma0 = 1e5, .sigma1 = 300, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .kc = 0.1, .ks = 0.25}};
    const double varying = 300 * (2.25 / 1.1 - 1), constant = 300 * (2.25 / 1.3 - 1);
    set_viscous(law, 1.02 * varying);
    const Finding proved = passive(law, loads(1, 3));
    EXPECT_EQ(proved.verdict, Verdict::proved);
    EXPECT_EQ(proved.theorem, Theorem::P3);
    EXPECT_NEAR(law.sigma2 - *proved.margin, varying, 1e-9);
    set_viscous(law, 0.9 * varying);
    EXPECT_EQ(passive(law, loads(3, 3)).verdict, Verdict::proved);
    expect_extraction(law, passive(law, loads(1, 3)));
    set_viscous(law, 0.9 * constant);
    expect_extraction(law, passive(law, loads(3, 3)));
    // without load: P3 of LuGre
    set_viscous(law, 151);
    EXPECT_EQ(passive(law, loads(0, 0)).verdict, Verdict::proved);
    set_viscous(law, 149);
    EXPECT_EQ(passive(law, loads(0, 0)).verdict, Verdict::refuted);
    // the bound of z: (Fs + ks N_max)/sigma0
    const Finding bounded = certify(law, loads(0, 2)).bounded;
    ASSERT_TRUE(bounded.reason<reason::DeflectionBounded>());
    EXPECT_NEAR(bounded.reason<reason::DeflectionBounded>()->z, 2e-5, 1e-13);
    EXPECT_THROW(certify(law, loads(-1, 2)), Error);
    const Certificate dry = certify(GearFriction{.curve = law.curve}, loads(0, 5));
    for (const Finding& f : {dry.bounded, dry.dissipative, dry.passive}) EXPECT_EQ(f.verdict, Verdict::proved);
    // a level that rises with the speed, and more so with the load: no formula, and the criterion decides
    law.curve = {.Fc = 1, .Fs = 0.8, .vs = 1e-3, .kc = 0.2, .ks = 0.1, .allow_rising = true};
    set_viscous(law, 0.4);
    EXPECT_EQ(passive(law, loads(2, 2)).theorem, Theorem::rising_level);
    EXPECT_NE(passive(law, loads(0, 5)).verdict, Verdict::proved);
}

TEST(Certify, StaticLawsArePassiveIffForceTimesVelocityIsNonnegative) {
    AnyCoulomb coulomb;
    coulomb.curve.positive = {.Fc = 1, .Fs = 1.5};
    for (const AnyLaw& law : {AnyLaw(coulomb), AnyLaw(Makkar{.curve = {.25, 100, 10, .1, 100}}),
                              AnyLaw(SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}})}) {
        const Certificate all = certify(law, loads(1, 5));
        for (const Finding& f : {all.bounded, all.dissipative, all.passive}) EXPECT_EQ(f.verdict, Verdict::proved);
    }
    // g2 < g3: the Stribeck term is negative. Oracle: the sign of F(v), M05 (2), on a grid.
    Random random(21);
    int pushes = 0, resists = 0;
    for (long i = 0; i < test::draws(100); ++i) {
        const Makkar law{.curve = {random.uniform(0.1, 1), random.log_uniform(1, 30), random.log_uniform(30, 300),
                                   random.uniform(0, 1), random.log_uniform(10, 300)},
                         .sigma2 = random.uniform(0, 20)};
        // the load acts on the curve and not on sigma2: the largest is the worst
        const double load = random.uniform(1, 20);
        double least = never;
        for (double v = 1e-6; v < 1e3; v *= 1.02)
            for (const double N : {1.0, load}) least = std::min(least, force(law, v, N) / v);
        if (std::abs(least) < 1e-3) continue;
        const Finding found = passive(law, loads(1, load));
        EXPECT_EQ(found.verdict, least < 0 ? Verdict::refuted : Verdict::proved);
        if (least < 0) expect_extraction(law, found);
        ++(least < 0 ? pushes : resists);
    }
    EXPECT_GT(pushes, test::draws(100) / 20);
    EXPECT_GT(resists, test::draws(100) / 20);
}

// The verdict is the same at 98 % of the change, and different just beyond it.
TEST(Certify, NearestChangeChangesTheVerdict) {
    Random random(22);
    int turned = 0;
    for (int kind = 0; kind < test::bristle_kinds; ++kind)
        for (long i = 0; i < std::max(1L, test::draws(4)); ++i) {
            const AnyLaw law = test::draw_bristle_law(random, kind);
            const Finding found = passive(law);
            if (!found.nearest) continue;
            const auto& [key, from, to] = *found.nearest;
            const double beyond = to + 0.005 * (to - from) + 1e-9 * (to > from ? to : -to),
                         before = from + 0.98 * (to - from);
            EXPECT_EQ(passivity::one_state_verdict(with(law, key, before), {}), found.verdict)
                << "kind " << kind << " " << key;
            // beyond Fs = Fc the law breaks a rule
            const AnyLaw other = with(law, key, beyond);
            if (!std::visit([](const auto& l) { return usable(l); }, other)) continue;
            EXPECT_NE(passivity::one_state_verdict(other, {}), found.verdict) << "kind " << kind << " " << key;
            ++turned;
        }
    EXPECT_GT(turned, test::draws(10));
}

// A law whose equations no theorem covers is undecided, and its certificate says so; the laws of the papers are decided.
TEST(Certify, EveryKindIsDecidedWithinTwoSecondsOrHasAnUnknownForm) {
    std::size_t decided = 0;
    for (const AnyLaw& law : test::all_laws()) {
        const double start = double(std::clock());
        const Certificate all = certify(law);
        const double spent = (double(std::clock()) - start) / CLOCKS_PER_SEC;
        std::printf("%-18s %7.1f ms  %s %s %s\n", std::string(kind_of(law)).c_str(), 1e3 * spent,
                    name_of(all.bounded.verdict), name_of(all.dissipative.verdict), name_of(all.passive.verdict));
        EXPECT_LT(spent, test::sanitized ? 40 : 2);
        for (const Finding& f : {all.bounded, all.dissipative, all.passive}) {
            ASSERT_FALSE(f.reasons.empty());
            if (f.verdict == Verdict::undecided && std::holds_alternative<reason::UnknownForm>(f.reasons[0])) continue;
            EXPECT_NE(f.verdict, Verdict::undecided);
            EXPECT_NE(f.theorem, Theorem::none);
            ++decided;
        }
    }
    EXPECT_GE(decided, 3u * 18);  // all_laws() has 18 laws of the papers
}

TEST(Certify, RejectsInvalidLawsSpeedsAndLoads) {
    EXPECT_THROW(certify(AnyLuGre{}), Error);
    AnyLuGre law = test::any(test::c95);
    EXPECT_THROW(certify(law, up_to(0)), Error);
    EXPECT_THROW(certify(law, up_to(never)), Error);
    EXPECT_THROW(certify(law, loads(2, 1)), Error);
    EXPECT_THROW(certify(law, loads(-1, 1)), Error);
    EXPECT_THROW(certify(law, loads(0, 0)), Error);
    EXPECT_THROW(certify(law, loads(0, 1)), Error);  // as the reader of files
    EXPECT_THROW(certify(law, loads(1, 1e13)), Error);
    law.curve.stribeck.positive.Fs = 0.5;
    EXPECT_THROW(certify(law), Error);
}

}  // namespace bristle::analysis
