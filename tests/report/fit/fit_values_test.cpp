// Values and intervals of a fit as text, what the record determines, and a missing inertia, for a fit made by hand.
#include "sample_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::report {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// The value has as many digits as its interval supports: 95.1 kg with 0.56 kg, not 95.1000001.
TEST(ValueText, HasTheDigitsOfItsInterval) {
    FittedParameter p{"inertia", "kg", 95.10891, 0, 94.55, 95.67, Identifiable::yes, false, FittedQuantity::inertia,
                      ""};
    EXPECT_EQ(value_text(p, AxisUnits(false)).value, "95.11");
    EXPECT_EQ(value_text(p, AxisUnits(false)).half_width, "0.56");
    p = {"sigma0", "N/m", 2.0349e6, 0, 1.935e6, 2.135e6, Identifiable::yes, false, FittedQuantity::sigma0, ""};
    EXPECT_EQ(value_text(p, AxisUnits(false)).value, "2.03");
    EXPECT_EQ(value_text(p, AxisUnits(false)).half_width, "0.10");
    EXPECT_EQ(value_text(p, AxisUnits(false)).unit, "MN/m");
    EXPECT_EQ(value_text(p, AxisUnits(true)).unit, "MN m/rad");
    p.low = test::missing;
    EXPECT_EQ(value_text(p, AxisUnits(false)).half_width, std::nullopt);
}

TEST(ValueText, OfAParameterThatIsNotDeterminedHasNoNumberAndNoPrefix) {
    const FittedParameter p{"vs", "m/s", 160.4e-6, 1, 0, 1, Identifiable::no, false, FittedQuantity::vs, ""};
    EXPECT_EQ(value_text(p, AxisUnits(false)).value, std::nullopt);
    EXPECT_EQ(value_text(p, AxisUnits(false)).half_width, std::nullopt);
    EXPECT_EQ(value_text(p, AxisUnits(false)).unit, "m/s");
}

// Oracle: 780 kN/m with the factor e^0.46 = 1.584 on both sides: 492 and 1236, to the second digit of the shorter side (288).
TEST(ValueText, OfALogarithmicIntervalGivesBothEnds) {
    FittedParameter p{.name = "sigma0", .unit = "N/m", .value = 7.8e5, .low = 4.92e5, .high = 12.36e5};
    const ValueText wide = value_text(p, AxisUnits(false));
    EXPECT_EQ(wide.value_cell() + " " + wide.error_cell() + " " + wide.unit, "780 [490, 1240] kN/m");
    EXPECT_EQ(value_in_words(p, AxisUnits(false)), "780 [490, 1240] kN/m");
    p.low = 7.8e5 * std::exp(-0.04);  // the sides differ by 4 %: symmetric in two digits
    p.high = 7.8e5 * std::exp(0.04);
    EXPECT_EQ(value_text(p, AxisUnits(false)).error_cell(), "31");
    // an interval that ends at the bound 0
    p = {.name = "sigma2", .unit = "N s/m", .value = 75, .low = 0, .high = 255};
    EXPECT_EQ(value_text(p, AxisUnits(false)).error_cell(), "[0, 255]");
    p = {.name = "gap", .unit = "m", .value = 0, .low = 0, .high = 1.36e-6};
    EXPECT_EQ(value_in_words(p, AxisUnits(false)), "0 [0, 1360] nm");
}

// Oracle: 40 mN beside 0.9 N is 0.040 N. Parameters without a group keep their own prefix.
TEST(ValueText, OfAGroupHasOneUnitPrefix) {
    using Q = FittedQuantity;
    const auto parameter = [](const char* name, Q quantity, double value, int direction = 0) {
        FittedParameter out{.name = name, .unit = "N", .value = value, .low = value - 4e-3, .high = value + 4e-3};
        out.quantity = quantity;
        out.direction = direction;
        out.table_name = is_of_law(quantity) ? "Fc" : "";
        return out;
    };
    const std::vector<FittedParameter> all{
        parameter("ripple_cos", Q::ripple_cos, -0.04), parameter("ripple_sin", Q::ripple_sin, 0.9),
        parameter("offset", Q::offset, 0.04), parameter("Fc+", Q::Fc, 0.06, 1), parameter("Fc-", Q::Fc, 0.7, -1)};
    const char* words[] = {"-0.0400 ± 0.0040 N", "0.9000 ± 0.0040 N", "40.0 ± 4.0 mN", "0.0600 ± 0.0040 N",
                           "0.7000 ± 0.0040 N"};
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(value_in_words(all[i], AxisUnits(false), all), words[i]);
    EXPECT_EQ(value_in_words(all[0], AxisUnits(false)), "-40.0 ± 4.0 mN");
}

std::string in_one(const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& one : sentences) out += one + " ";
    return out;
}

// Oracle: a fit that determines what the check before it does not, and the reverse.
TEST(DeterminedSentences, GiveTheVerdictOfTheFitAndWhereTheCheckDiffers) {
    FitReport fit = test::sample_fit();
    LawFit& law = fit.result.laws.front();
    Outlook& before = fit.result.outlook;
    before = {.kind = law.kind, .parameters = law.parameters, .fit = law.fit, .findings = {}, .next = {}, .level = {}};
    EXPECT_FALSE(says(in_one(determined_sentences(fit)), "The check before the fit"));
    for (FittedParameter& p : law.parameters) {
        p.identifiable = Identifiable::yes;
        p.at_bound = false;
    }
    before.parameters = law.parameters;
    for (FittedParameter& p : before.parameters)
        if (p.name == "sigma1") p.identifiable = Identifiable::no;
    const std::string text = in_one(determined_sentences(fit));
    EXPECT_TRUE(says(text, "The check before the fit judged sigma1 as not determined, because it takes")) << text;
    EXPECT_FALSE(says(text, "cannot determine")) << text;
    before.kind = "dahl";
    EXPECT_TRUE(says(in_one(determined_sentences(fit)), "because it judges dahl."));
    law.reason = RefusalReason::did_not_converge;
    EXPECT_TRUE(says(in_one(determined_sentences(fit)), "cannot determine: sigma1"));
}

TEST(FitText, WithoutTheInertiaNamesTheOptionsFirst) {
    FitReport fit = test::sample_fit();
    fit.result.findings = {{.kind = FindingKind::inertia_missing, .value = 2, .unit = "kg"}};
    fit.result.has_recommendation = false;
    fit.result.laws.front().verdict = LawVerdict::refused;
    fit.result.laws.front().reason = RefusalReason::inertia_missing;
    EXPECT_TRUE(recommendation(fit).starts_with(
        "No law deserves a recommendation. The measured force contains the force of a moving inertia of about 2 kg, "
        "which the model lacks. Give --measured actuator --inertia find"))
        << recommendation(fit);
    EXPECT_EQ(next_sentences(fit.result, fit.units()).size(), 1u);
    EXPECT_EQ(determined_sentences(fit).size(), 1u);
}

}  // namespace
}  // namespace bristle::report
