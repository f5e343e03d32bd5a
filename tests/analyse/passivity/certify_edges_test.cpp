// Certificates of extreme parameters, close to the limit of passivity, and with two directions.
#include "analyse/passivity/passivity.hpp"
#include <bristle/analyse/certificate.hpp>
#include <bristle/base/error.hpp>

#include "certify_support.hpp"
#include <gtest/gtest.h>
#include <array>
#include <ctime>

namespace bristle::inline analysis {
namespace {

using test::expect_extraction;
using test::loads;
using test::passive;
using test::set_viscous;
using test::up_to;

}  // namespace

// Oracle: the formulas, where one applies (known). Time limit: 3 s of processor time each, 60 s with sanitizers.
TEST(CertifyEdges, ExtremeParametersAreDecidedWithinThreeSeconds) {
    struct Case {
        const char* name;
        AnyLaw law;
        std::optional<Verdict> known;
        CertifyOptions options = {};
    };
    std::vector<Case> cases;
    const auto lugre = [&](const char* name, auto change, std::optional<Verdict> known) {
        AnyLuGre law = test::any(test::c95);
        change(law, law.curve.stribeck.positive);
        law.sigma2_negative = law.sigma2;
        cases.push_back({name, law, known});
    };
    using Curve = Stribeck;
    lugre(
        "Fc 1e-4", [](AnyLuGre&, Curve& g) { g.Fc = 1e-4; }, Verdict::refuted);
    lugre(
        "Fc 1e-300", [](AnyLuGre&, Curve& g) { g.Fc = 1e-300; }, Verdict::refuted);
    lugre(
        "Fs 1e4", [](AnyLuGre&, Curve& g) { g.Fs = 1e4; }, Verdict::refuted);
    lugre(
        "levels 1e200", [](AnyLuGre&, Curve& g) { g.Fc = 1e200, g.Fs = 1.5e200; }, Verdict::refuted);
    lugre(
        "vs 1e-300", [](AnyLuGre&, Curve& g) { g.vs = 1e-300; }, Verdict::refuted);
    lugre(
        "alpha 0.05", [](AnyLuGre&, Curve& g) { g.alpha = 0.05; }, Verdict::refuted);
    lugre(
        "sigma1 1e-9", [](AnyLuGre& l, Curve&) { l.sigma1 = 1e-9, l.sigma2 = 0; }, Verdict::refuted);
    lugre(
        "sigma1 1e300", [](AnyLuGre& l, Curve&) { l.sigma1 = 1e300; }, Verdict::refuted);
    lugre(
        "sigma0 1e-9", [](AnyLuGre& l, Curve&) { l.sigma0 = 1e-9; }, Verdict::refuted);
    lugre(
        "near the limit", [](AnyLuGre& l, Curve&) { l.sigma1 = 100, l.sigma2 = 49.999999; }, Verdict::refuted);
    lugre(
        "far beyond it", [](AnyLuGre& l, Curve& g) { l.sigma1 = 0.01, l.sigma2 = 500, g.Fs = 3; }, Verdict::proved);
    lugre(
        "plain", [](AnyLuGre&, Curve&) {}, Verdict::refuted);
    for (const double vmax : {1e-300, 1e100, 1e300}) {
        cases.push_back(cases.back());
        cases.back().options.vmax = vmax;
        cases.back().known = vmax > 1 ? Verdict::refuted : Verdict::proved;
    }
    auto smooth = test::smooth_c95();
    smooth.curve.c = 1e-300;
    cases.push_back({"smooth, c 1e-300", smooth, {}});
    for (const ShiftRule rule : {ShiftRule::constant, ShiftRule::max}) {
        auto shifted = test::hysteretic_c95();
        shifted.a = 1e-300;
        shifted.a_rule = rule;
        cases.push_back({"hysteretic, a 1e-300", shifted, {}});
    }
    auto slow = test::maxwell_c95();
    slow.C = 1e-9;
    cases.push_back({"maxwell-slip, C 1e-9", slow, Verdict::refuted});
    // levels that rise over thirty decades of speed: elements slip for a long time between two changes
    auto rising = test::maxwell_c95();
    rising.C = 630;
    rising.curve.stribeck.positive = {.Fc = 115, .Fs = 67.7, .vs = 0.08, .alpha = 0.125, .allow_rising = true};
    cases.push_back({"maxwell-slip, alpha 0.125", rising, {}, up_to(0.0045)});
    cases.push_back({"maxwell-slip, loads", rising, Verdict::refuted, loads(0.25, 4)});
    for (std::size_t i = 0; i < cases.size(); i += test::sanitized ? 3 : 1) {
        const Case& one = cases[i];
        const double start = double(std::clock());
        const Finding found = passive(one.law, one.options);
        const double spent = (double(std::clock()) - start) / CLOCKS_PER_SEC;
        EXPECT_LT(spent, test::sanitized ? 60 : 3) << one.name;
        EXPECT_EQ(found.verdict, one.known.value_or(found.verdict)) << one.name;
        EXPECT_TRUE(!found.margin || std::isfinite(*found.margin)) << one.name;
        // a counterexample extracts energy, and its absence has a reason
        EXPECT_TRUE(!found.counterexample || found.counterexample->energy_per_cycle < 0) << one.name;
        const auto* without = found.reason<reason::NoCounterexample>();
        EXPECT_EQ(found.verdict == Verdict::refuted && !found.counterexample, without != nullptr) << one.name;
        EXPECT_EQ(without && without->why == reason::NoCounterexample::Why::near_limit,
                  std::string(one.name) == "near the limit")
            << one.name;
    }
}

TEST(CertifyEdges, SpeedLimitsBeyondTheStartOfTheSearchAreFound) {
    // v = Fs^2/(sigma1 (Fs - Fc) - sigma2 Fc): far beyond any speed that a search would begin with
    AnyLuGre law = test::any(test::c95);
    law.sigma1 = 1e-9;
    set_viscous(law, 0);
    EXPECT_NEAR(*passive(law).speed, 4.5e9, 1e-4 * 4.5e9);
    // the search ends before a speed that refutes: a lower bound
    law = test::any(test::c95);
    law.curve.stribeck.positive.Fc = 1e200;
    law.curve.stribeck.positive.Fs = 1.5e200;
    const Finding found = passive(law);
    ASSERT_TRUE(found.reason<reason::PassiveSpeeds>());
    EXPECT_FALSE(found.reason<reason::PassiveSpeeds>()->plain.sharp());
    EXPECT_GT(found.reason<reason::PassiveSpeeds>()->plain.proved, 0);
}

TEST(CertifyEdges, MarginIsThatOfTheWorseDirection) {
    AnyLuGre law = test::any(test::c95);
    law.curve.stribeck.positive.Fs = 2;
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = {.Fc = 1, .Fs = 1.01, .vs = 1e-3};
    law.sigma2 = 400;  // forward 316.2 are needed for all speeds, backward 3.2
    law.sigma2_negative = 0;
    const Finding slow = passive(law, up_to(0.1));
    ASSERT_EQ(slow.verdict, Verdict::proved);
    EXPECT_GE(slow.margin.value_or(0), 0);
    const Finding fast = passive(law);
    ASSERT_EQ(fast.verdict, Verdict::refuted);
    EXPECT_NEAR(*fast.margin, -0.01 * law.sigma1, 1e-9);
    EXPECT_EQ(fast.margin_key, "negative.sigma2");
    const auto* need = fast.reason<reason::ViscousNeeded>();
    ASSERT_TRUE(need);
    EXPECT_EQ(need->key, "negative.sigma2");
    EXPECT_NEAR(need->needed, 3.162, 5e-4);  // 0.01 sigma1
    EXPECT_EQ(need->value, 0);
    EXPECT_EQ(need->direction, -1);
    // with a speed limit too: verdict and margin agree for every sigma2
    for (const double backward : {0.5, 1.0, 2.0, 3.0}) {
        law.sigma2_negative = backward;
        const Finding found = passive(law, up_to(100));
        ASSERT_NE(found.verdict, Verdict::undecided);
        ASSERT_TRUE(found.margin) << backward;
        EXPECT_EQ(*found.margin >= 0, found.verdict == Verdict::proved) << backward;
    }
    EXPECT_EQ(passive(test::makkar_lugre()).margin_key, "g6");
    const Finding makkar = passive(test::makkar_lugre());
    ASSERT_TRUE(makkar.reason<reason::ViscousNeeded>());
    EXPECT_EQ(makkar.reason<reason::ViscousNeeded>()->key, "g6");
}

// An undecided sigma2 = 0 is not a required sigma2.
TEST(CertifyEdges, UndecidedSigma2GivesNoMargin) {
    auto law = test::smooth_c95();
    law.curve.c = 1000;
    law.load_on = LoadOn::all;
    set_viscous(law, 200);
    const Finding found = passive(law, loads(1.99, 2.01));
    EXPECT_EQ(found.verdict, Verdict::proved);
    EXPECT_FALSE(found.margin);
}

TEST(CertifyEdges, MaxwellSlipLevelsAreComparedWithoutRounding) {
    auto law = test::maxwell_c95();
    auto& curve = law.curve.stribeck.positive;
    curve.Fs = curve.Fc;
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
    curve.Fs = std::nextafter(curve.Fc, 2.0);
    EXPECT_EQ(passive(law).verdict, Verdict::refuted);
    law.curve.tabulated = true;
    law.curve.table.size = 4;
    const auto table = [&](std::array<double, 4> g) {
        for (int i = 0; i < 4; ++i) {
            law.curve.table.v[i] = 0.01 * i;
            law.curve.table.g[i] = g[std::size_t(i)];
        }
    };
    table({1, 1, 1, 1});
    EXPECT_EQ(passive(law).verdict, Verdict::proved);
    table({1, 1, std::nextafter(1.0, 0.0), 1});
    EXPECT_EQ(passive(law).verdict, Verdict::refuted);
    EXPECT_EQ(passive(law, up_to(0.01)).verdict, Verdict::proved);  // constant up to this speed
    EXPECT_EQ(passive(law, up_to(0.0101)).verdict, Verdict::refuted);
    table({1, 1.5, 0.5, 0.5});  // falls below 1 half-way between the second and the third point
    EXPECT_EQ(passivity::level_verdict(law, up_to(0.014)), Verdict::undecided);
    EXPECT_EQ(passivity::level_verdict(law, up_to(0.016)), Verdict::refuted);
}

// P4: 4 sqrt(2 e) Fc/sigma1.
TEST(CertifyEdges, RefutedLuGreHasTheRemedyOfFadingDamping) {
    const Finding found = passive(test::any(test::c95));
    ASSERT_TRUE(found.reason<reason::FadingRemedy>());
    EXPECT_NEAR(found.reason<reason::FadingRemedy>()->vc, 0.0295, 0.00005);
}

// Without a shift the hysteretic law is LuGre.
TEST(CertifyEdges, HystereticLawWithoutShiftIsRefutedUnderVaryingLoads) {
    auto law = test::hysteretic_c95();
    law.a = 0;
    expect_extraction(law, passive(law, loads(1, 2)));
    law.load_on = LoadOn::all;
    expect_extraction(law, passive(law, loads(1, 2)));
}

TEST(CertifyEdges, ThrowsIfItMayNotContinue) {
    CertifyOptions options;
    options.should_continue = [] { return false; };
    EXPECT_THROW(certify(test::makkar_lugre(), options), Cancelled);
}

}  // namespace bristle::analysis
