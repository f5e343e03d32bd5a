// Sentences of certificates: one for each reason and construction, with the numbers and units of the experiment.
#include "report/certificate/certificate.hpp"
#include "report/certificate/sentences.hpp"

#include <gtest/gtest.h>

#include "../../analyse/counterexample/counterexample_support.hpp"
#include "../../analyse/laws.hpp"

namespace bristle::report {
namespace {

bool says(const std::string& text, const char* words) { return text.find(words) != text.npos; }

std::string passive_text(const AnyLaw& law, const CertifyOptions& options = {}, const Units& units = {}) {
    return passivity_text(certify(law, options).passive, options, units);
}

Assessment assessed(const AnyLaw& law, std::optional<double> dt = {}) {
    return assess(test::pulled(law), {.dt = dt, .vmax = {}});
}

// Calls use(T{}) for each alternative of a variant.
template <class Variant, std::size_t i = 0, class Use>
void for_each_alternative(const Use& use) {
    if constexpr (i < std::variant_size_v<Variant>) {
        use(std::variant_alternative_t<i, Variant>{});
        for_each_alternative<Variant, i + 1>(use);
    }
}
void expect_sentence(const std::string& text) {
    EXPECT_GT(text.size(), 20u) << text;
    EXPECT_EQ(text.back(), '.') << text;
}

}  // namespace

TEST(ReasonSentence, ExistsForEveryReasonAndDiffersFromTheOthers) {
    std::vector<std::string> all;
    for_each_alternative<Reason>([&](auto reason) {
        all.push_back(sentence_of(Reason(reason), {}));
        expect_sentence(all.back());
    });
    EXPECT_EQ(all.size(), std::variant_size_v<Reason>);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(ConstructionSentence, ExistsForEveryConstruction) {
    for_each_alternative<Counterexample::Construction>([](auto construction) {
        Counterexample example;
        for (const double energy : {-1e-5, 1e-5}) {
            example.energy = energy;
            example.energy_per_cycle = -2e-5;
            example.construction = construction;
            expect_sentence(sentence_of(example, {}));
        }
    });
}

TEST(TheoremName, ExistsForEveryTheoremThatAFindingHas) {
    for (const AnyLaw& law : test::all_laws()) {
        const Certificate all = certify(law);
        for (const Finding& finding : {all.bounded, all.dissipative, all.passive})
            EXPECT_EQ(name_with_reference(finding.theorem).empty(), finding.verdict == Verdict::undecided)
                << kind_of(law);
    }
    EXPECT_EQ(name_with_reference(Theorem::P3), "P3 (A08 (6), A08 (7), K08 (21))");
    EXPECT_EQ(name_with_reference(Theorem::none), "");
}

TEST(PassivityText, BeginsWithTheVerdictItsSpeedsAndLoads) {
    const AnyLaw law = test::any(test::c95);
    EXPECT_TRUE(passive_text(law).starts_with(
        "Not passive. For all speeds passivity requires sigma2 >= 158.1 N s/m; here it is 0.4."))
        << passive_text(law);
    const CertifyOptions loads{.vmax = {}, .load_min = 1, .load_max = 3}, slow{.vmax = 0.01};
    EXPECT_TRUE(passive_text(law, loads).starts_with("Not passive while the load varies between 1 N and 3 N."))
        << passive_text(law, loads);
    EXPECT_TRUE(passive_text(law, slow).starts_with("Passive for |v| <= 10 mm/s.")) << passive_text(law, slow);
    EXPECT_TRUE(says(passive_text(law), "lugre_microdamped")) << passive_text(law);
    Finding open;
    open.reasons = {reason::SearchFoundNone{4000}};
    EXPECT_EQ(passivity_text(open, slow, {}),
              "Undecided for |v| <= 10 mm/s. None of 4000 inputs that were tried extracts energy.");
}

TEST(PassivityText, HasAsManyDigitsAsDistinguishTwoNumbers) {
    AnyLuGre near = test::any(test::c95);
    near.sigma1 = 100;
    test::set_viscous(near, 49.999999);
    EXPECT_TRUE(says(passive_text(near), "sigma2 >= 50 N s/m; here it is 49.999999.")) << passive_text(near);
}

TEST(PassivityText, NamesTheDirectionAndTheKeyOfTheViscousFriction) {
    AnyLuGre law = test::any(test::c95);
    law.curve.stribeck.positive.Fs = 2;
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = {.Fc = 1, .Fs = 1.01, .vs = 1e-3};
    law.sigma2 = 400;
    law.sigma2_negative = 0;
    EXPECT_TRUE(says(passive_text(law), "For v < 0 passivity requires negative.sigma2 >= 3.162 N s/m; here it is 0."))
        << passive_text(law);
    EXPECT_TRUE(says(passive_text(test::makkar_lugre()), "passivity requires g6 >="))
        << passive_text(test::makkar_lugre());
}

TEST(PassivityText, SaysAtLeastIfTheSearchEndsBeforeTheLimit) {
    AnyLuGre law = test::any(test::c95);
    law.curve.stribeck.positive.Fc = 1e200;
    law.curve.stribeck.positive.Fs = 1.5e200;
    EXPECT_TRUE(says(passive_text(law), "at least up to")) << passive_text(law);
}

TEST(BoundedText, HasTheBoundOfTheDeflection) {
    const auto text = [](const CertifyOptions& options) {
        return text_of(certify(test::any(test::c95), options).bounded, {});
    };
    EXPECT_TRUE(says(text({}), "15 µm")) << text({});  // Fs/sigma0
    const CertifyOptions loads{.vmax = {}, .load_min = 1, .load_max = 2};
    EXPECT_TRUE(says(text(loads), "30 µm")) << text(loads);
}

TEST(ConstructionSentence, OfAShuttleWithTooFewCyclesSaysHowManyRecoverTheDeflection) {
    auto law = test::microdamped_c95();
    law.fade.vc = 1.03 * 0.0894;
    const auto c = counterexample::shuttle(law, *counterexample::scan_for_witness(law), {.max_legs = 20});
    ASSERT_TRUE(c);
    EXPECT_TRUE(says(sentence_of(*c, {}), "cycles recover it")) << sentence_of(*c, {});
}

// A rotary axis: N is N m, m is rad, in every sentence that has a unit.
TEST(Certificate, OfARotaryExperimentHasRotaryUnits) {
    experiment::Experiment rotary = experiment::read_for_law(
        "units = \"rotary\"\n[law]\nkind = \"lugre\"\nsigma0 = 1e5\nsigma1 = 316.2277660168\nsigma2 = 0.4\n"
        "Fc = 1.0\nFs = 1.5\nvs = 0.001\n",
        "rotary.toml", ".", {});
    Certified c{rotary, "rotary", {}, assess(rotary.setup), "", "", {}, {}};
    std::string text = certificate_text(c, 100000);
    for (const char* words : {"158.1 N m s/rad", "14.27 mrad/s", "15 µrad", "1.001 N m."})
        EXPECT_TRUE(says(text, words)) << words << " in\n" << text;
    for (const char* words : {"N s/m", "mm/s", " µm"}) EXPECT_FALSE(says(text, words)) << words << " in\n" << text;
    EXPECT_TRUE(says(certificate_json(c).dump(), "158.1 N m s/rad"));
    c.experiment.rotary = false;
    text = certificate_text(c, 100000);
    EXPECT_TRUE(says(text, "158.1 N s/m") && says(text, "14.27 mm/s") && says(text, "15 µm")) << text;
}

TEST(StepText, ComparesTheStepWithTheLimits) {
    const AnyLaw law = test::any(test::c95);
    const Assessment five = assessed(law, 0.005), ten = assessed(law, 0.01), close = assessed(law, 0.00317);
    EXPECT_TRUE(says(explicit_step_text(five), "At dt = 5 ms it is unstable at rest: the limit is 3.17 ms"))
        << explicit_step_text(five);
    EXPECT_TRUE(says(coupled_step_text(five), "Only one velocity solves its equation up to dt = 6.4 ms"))
        << coupled_step_text(five);
    EXPECT_TRUE(says(coupled_step_text(ten), "more than one velocity can solve")) << coupled_step_text(ten);
    // two times that differ have different digits
    EXPECT_TRUE(says(explicit_step_text(close), "At dt = 3.17 ms it is unstable at rest: the limit is 3.166 ms"))
        << explicit_step_text(close);
}

TEST(StepText, DependsOnTheLaw) {
    auto plastic = test::elastoplastic_c95();
    test::set_viscous(plastic, 200);
    EXPECT_TRUE(says(exact_step_text(assessed(plastic)), "not exact for this law"));
    const std::string dahl = explicit_step_text(assessed(Dahl{.sigma0 = 1e5, .Fc = 1}));
    EXPECT_FALSE(says(dahl, "sigma1")) << dahl;  // it has none
    EXPECT_TRUE(says(dahl, "unstable at every dt")) << dahl;
    bristle::Setup light = test::pulled(
        SmoothFriction{.curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4}, .sigma2 = 0.4}, Method::explicit_, 5e-3);
    light.rig = ForcedMass{0.01};
    const std::string heavy = explicit_step_text(assess(light));
    EXPECT_TRUE(says(heavy, "7.5e+03 times the mass")) << heavy;  // 1 + 5 ms 15 kN s/m/10 g
}

TEST(StepWarningSentence, HasStepLimitAndRemedy) {
    const AnyLaw law = test::any(test::c95);
    EXPECT_EQ(sentence_of(*step_warning(test::pulled(law, Method::explicit_, 5e-3))),
              "run.step = 5 ms: explicit coupling is unstable at rest for steps >= 3.17 ms; reduce run.step or use "
              "run.method = \"coupled\"");
    EXPECT_TRUE(says(sentence_of(*step_warning(test::pulled(law, Method::coupled, 1e-2))), "more than one velocity"));
    const Dahl dahl{.sigma0 = 1e5, .Fc = 1};
    EXPECT_TRUE(says(sentence_of(*step_warning(test::pulled(dahl, Method::explicit_, 1e-3))), "at every step"));
    EXPECT_TRUE(says(sentence_of(StepWarning{StepWarning::Kind::mass_increased, 5e-3, 0, 7501.2}), "times the mass"));
}

}  // namespace bristle::report
