// Report of a check: static curve, first estimate, outlook, page and JSON, for a check made by hand.
#include "sample_fit.hpp"

#include "base/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bristle::report {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

std::string joined(const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& sentence : sentences) append_item(out, sentence, " ");
    return out;
}

FittedParameter parameter(const char* name, const char* unit, double value, double half,
                          Identifiable identifiable = Identifiable::yes,
                          FittedQuantity of_axis = FittedQuantity::other_of_law) {
    const bool of_law = is_of_law(of_axis);
    return {name,
            unit,
            value,
            half / 1.96,
            value - half,
            value + half,
            identifiable,
            false,
            of_law ? quantity_of_row(name) : of_axis,
            "meaning",
            of_law ? name : ""};
}

// A check whose curve is Stribeck friction, or a constant level with viscous friction.
FitReport sample_check(bool has_stribeck_part) {
    FitReport out;
    out.stem = "axis";
    out.record = test::sample_fit().record;
    RecordCheck check;
    check.curve.positive = check.curve.negative = {.Fc = 5.63, .Fs = 32.9, .vs = 0.125, .sigma2 = 330};
    check.curve.fit = {.rmse = 0.5, .relative = 0.024, .rows = 6000};
    LawFit& law = check.curve.law;
    law.kind = has_stribeck_part ? "stribeck" : "coulomb";
    law.law = Coulomb{.curve = {.Fc = 20.4}, .sigma2 = 203};
    law.fit = {.rmse = 0.6, .relative = has_stribeck_part ? 0.024 : 0.031, .rows = 6000};
    law.parameters = {parameter("Fc", "N", 20.4, 0.3), parameter("sigma2", "N s/m", 203, 12)};
    if (has_stribeck_part) {
        law.parameters.push_back(parameter("Fs", "N", 31, 0.5));
        law.parameters.push_back(parameter("vs", "m/s", 2e-3, 1e-4));
    }
    law.parameters.push_back(parameter("offset", "N", -3.16, 0.1, Identifiable::yes, FittedQuantity::offset));
    check.outlook.kind = "lugre";
    check.outlook.fit = {.rmse = 0.4, .relative = 0.02, .rows = 6000};
    check.outlook.parameters = {
        parameter("sigma0", "N/m", 2e6, 1e5), parameter("Fc", "N", 0.05494, 3, Identifiable::no),
        parameter("Fs", "N", 27.47, 60, Identifiable::no), parameter("vs", "m/s", 160.4e-6, 1, Identifiable::no)};
    check.outlook.level = {parameter("Fc", "N", 2.61, 0.03)};
    using Q = FittedQuantity;
    const auto inseparable = [](const char* one, Q a, const char* two, Q b) {
        return FitFinding{
            .kind = FindingKind::inseparable, .subject = one, .place = two, .parameter = a, .other_parameter = b};
    };
    check.outlook.findings = {inseparable("vs", Q::vs, "Fs", Q::Fs), inseparable("Fc", Q::Fc, "offset", Q::offset)};
    check.traces = {test::sample_trace()};
    out.result.outlook = check.outlook;
    out.result.traces = check.traces;
    out.check = std::move(check);
    return out;
}

}  // namespace

TEST(CheckReport, GivesTheStribeckPartWithErrorsIfItIsDetermined) {
    EXPECT_EQ(joined(curve_sentences(sample_check(true))),
              "Both directions: Fc 20.40 ± 0.30 N, sigma2 203 ± 12 N s/m, Fs 31.00 ± 0.50 N, vs 2.00 ± 0.10 mm/s. "
              "Axis: offset -3.16 ± 0.10 N. It leaves an error of 2.4 %.");
}

// The numbers of the search (Fc 5.63 N, Fs 32.9 N, vs 125 mm/s) mean nothing.
TEST(CheckReport, GivesAConstantLevelIfTheStribeckPartIsNotDetermined) {
    const FitReport fit = sample_check(false);
    const std::string text = check_text(fit, 200);
    for (const char* words : {"Both directions: Fc 20.40 ± 0.30 N, sigma2 203 ± 12 N s/m.",
                              "The curve does not determine Fs and vs", "It leaves an error of 3.1 %."})
        EXPECT_TRUE(says(text, words)) << words << "\n" << text;
    for (const char* words : {"5.63", "32.9", "125"}) EXPECT_FALSE(says(text, words)) << words << "\n" << text;
    const auto json = nlohmann::json::parse(check_json_text(fit))["static_curve"];
    EXPECT_EQ(json["law"], "coulomb");
    EXPECT_EQ(json["positive"]["Fs"], 32.9);
    EXPECT_EQ(json["parameters"]["Fc"]["value"], 20.4);
}

TEST(CheckReport, WithoutAUsableCurveSaysSo) {
    FitReport fit = sample_check(true);
    fit.check->curve.law.fit.relative = 0.92;
    EXPECT_TRUE(says(joined(curve_sentences(fit)), "None: a curve without presliding")) << joined(curve_sentences(fit));
    ASSERT_EQ(check_figures(fit).size(), 1u);
    EXPECT_EQ(check_figures(fit)[0].figure.panels[0].series.size(), 1u);  // measured points alone
    EXPECT_TRUE(says(check_figures(fit)[0].caption, "; no static curve describes it."));
}

TEST(CheckReport, WithALoadColumnListsTheCurveAndDoesNotDrawIt) {
    FitReport fit = sample_check(true);
    EXPECT_TRUE(says(check_figures(fit)[0].caption, ", and the static curve."));
    fit.record.columns.push_back({Measurand::load, "N", "N", false, false});
    EXPECT_TRUE(says(joined(curve_sentences(fit)), "Fc 20.40 ± 0.30 N"));
    ASSERT_EQ(check_figures(fit).size(), 1u);
    EXPECT_EQ(check_figures(fit)[0].figure.panels[0].series.size(), 1u);  // measured points alone
    EXPECT_TRUE(says(check_figures(fit)[0].caption, "the static curve depends on the measured load and is not drawn."))
        << check_figures(fit)[0].caption;
    fit.check->curve.law.fit.relative = 0.92;
    EXPECT_TRUE(says(check_figures(fit)[0].caption, "; no static curve describes it."));
}

TEST(CheckReport, NamesTheSingleLevelInsteadOfBothLevels) {
    const FitReport fit = sample_check(true);
    const std::string text = joined(outlook_sentences(fit.result.outlook, fit.units()));
    EXPECT_EQ(text,
              "This record determines sigma0 of lugre. It determines one level, Fs = Fc = 2.610 ± 0.030 N. It does not "
              "separate Fs from Fc: slide farther, and at speeds from far below to far above vs. It cannot determine: "
              "vs. Fc and offset act alike in this motion: only a combination of both is determined.");
    const auto json = nlohmann::json::parse(check_json_text(fit))["outlook"];
    EXPECT_EQ(json["level"]["Fc"]["value"], 2.61);
    EXPECT_EQ(json["parameters"]["Fs"]["value"], 27.47);  // the JSON keeps numbers that are not determined
}

TEST(CheckReport, NamesALawThatDoesNotDescribeTheRecord) {
    Outlook outlook = sample_check(true).result.outlook;
    EXPECT_FALSE(says(joined(outlook_sentences(outlook, AxisUnits(false))), "does not describe"));
    outlook.fit.relative = 0.927;
    EXPECT_TRUE(says(joined(outlook_sentences(outlook, AxisUnits(false))),
                     "lugre does not describe this record (error 92.7 %): its parameters mean little here, "
                     "whatever their intervals are."));
    outlook.parameters = {parameter("sigma0", "N/m", 2e6, 1.5e6, Identifiable::weak)};
    outlook.level.clear();
    EXPECT_FALSE(says(joined(outlook_sentences(outlook, AxisUnits(false))), "determines"));
}

TEST(ValueInWords, HasNoUnitIfItIsNotDetermined) {
    EXPECT_EQ(value_in_words(parameter("sigma0", "N/m", 2e6, 1e5), AxisUnits(false)), "2.00 ± 0.10 MN/m");
    EXPECT_EQ(value_in_words(parameter("sigma0", "N/m", 2e6, 1e7, Identifiable::no), AxisUnits(false)), "-");
}

TEST(CheckReport, PrintsNoNumberThatIsNotDetermined) {
    const std::string text = check_text(sample_check(true), 200);
    for (const char* words : {"54.9", "27.47", "160.4"}) EXPECT_FALSE(says(text, words)) << words << "\n" << text;
    EXPECT_TRUE(says(text, "Fc         -      -        N     not determined")) << text;
}

TEST(CheckReport, PageHasCurvePictureEstimateAndTheNameOfItsJson) {
    const FitReport fit = sample_check(true);
    const auto figures = check_figures(fit);
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].name, check_figure_names[0]);
    EXPECT_EQ(figures[0].figure.panels[0].series.size(), 2u);
    const std::string page = check_page(fit, figures, {"<svg></svg>"});
    for (const char* words : {"<!DOCTYPE html>", "What the record determines", "Static curve",
                              "First estimate of lugre", "What to measure next", "axis-check.json", "<svg"})
        EXPECT_TRUE(says(page, words)) << words;
}

}  // namespace bristle::report
