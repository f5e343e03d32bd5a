// Sentences of a fit: one for each finding, verdict and motion, with the units of the axis.
#include "sample_fit.hpp"

#include <gtest/gtest.h>

#include <set>

namespace bristle::report {
namespace {

bool says(const std::string& text, const char* words) { return text.find(words) != text.npos; }

FitFinding finding(FindingKind kind, double value, double other = test::missing) {
    return {
        .kind = kind, .subject = "", .place = "", .line = 0, .count = 0, .value = value, .other = other, .unit = ""};
}

}  // namespace

TEST(FindingSentence, ExistsForEveryKindAndDiffersFromTheOthers) {
    std::set<std::string> names;
    for (const bool with_numbers : {true, false}) {
        std::set<std::string> all;
        for (const auto& one : test::every_finding(with_numbers)) {
            const std::string text = sentence_of(one, AxisUnits(false));
            EXPECT_GT(text.size(), 40u) << name_of(one.kind) << ": " << text;
            EXPECT_EQ(text.back(), '.') << text;
            EXPECT_FALSE(says(text, "nan") || says(text, "  ") || says(text, " .") || says(text, " ,")) << text;
            EXPECT_TRUE(all.insert(text).second) << text;
            names.insert(identification::name_of(one.kind));
        }
    }
    EXPECT_EQ(names.size(), test::every_finding().size());
    EXPECT_FALSE(names.contains("unknown"));
}

// At most 25 words per sentence is the rule for messages; 32 leaves room for numbers and units.
TEST(FindingSentence, HasShortSentences) {
    for (const auto& one : test::every_finding()) {
        int words = 0;
        for (const char c : sentence_of(one, AxisUnits(false)) + " ") {
            if (c == ' ') ++words;
            if (c == '.' || c == ';' || c == ':') words = 0;
            EXPECT_LE(words, 32) << sentence_of(one, AxisUnits(false));
        }
    }
}

TEST(FindingSentence, GivesNumbersWithUnits) {
    const AxisUnits linear(false);
    EXPECT_TRUE(
        says(sentence_of(finding(FindingKind::delay, 1.5e-3, 1.5), linear), "lags the motion by 1.5 ms (1.5 samples)"));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::delay, -0.5e-3, -0.5), linear),
                     "leads the motion by 500 µs (0.5 samples). A drive that holds"));
    FitFinding gap = finding(FindingKind::backlash, 4.8e-3);
    EXPECT_TRUE(says(sentence_of(gap, linear), "a gap of 4.8 mm. Fit its width"));
    gap.is_in_model = true;
    EXPECT_TRUE(says(sentence_of(gap, linear), "a gap of 4.8 mm. The fit includes it."));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::ripple, 2.5e-3, 1.2), linear),
                     "a period of 2.5 mm and an amplitude of 1.2 N"));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::fs_below_fc, 18, 20.4), linear),
                     "Fs = 18 N is smaller than Fc = 20.4 N"));
    FitFinding rising = finding(FindingKind::fs_below_fc, 18, 20.4);
    rising.subject = "Fs";
    EXPECT_TRUE(says(sentence_of(rising, linear), "Fc = 20.4 N. It is"));
    rising.subject = "Fs-";
    rising.direction = -1;
    EXPECT_TRUE(says(sentence_of(rising, linear), "Fc = 20.4 N for v < 0. It is"));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::held_out_worse, 0.05, 0.02), linear),
                     "5 % on held-out rows and 2 % on fitted ones"));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::drift, 0.12), linear), "changes by 12 %"));
    EXPECT_TRUE(
        says(sentence_of(finding(FindingKind::sensor_filter, 2e-3), linear), "2 ms (79.6 Hz)"));  // 1/(2 pi 2 ms)
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::negative_inertia, -3), linear), "(-3 kg)"));
}

TEST(FindingSentence, GivesLineAndFileOfARow) {
    FitFinding row{.kind = FindingKind::row_rejected};
    row.place = "axis.csv";
    row.line = 12;
    row.count = 1;
    EXPECT_TRUE(says(sentence_of(row, AxisUnits(false)), "A row is not used in line 12 of axis.csv"));
    row.count = 4;
    EXPECT_TRUE(says(sentence_of(row, AxisUnits(false)), "4 rows are not used, the first in line 12 of axis.csv"));
}

// Oracle: the text of the sentence, for all kinds whose place is a file.
TEST(FindingSentence, NamesTheFileIfItsKindStatesThePlace) {
    for (const auto& one : test::every_finding()) {
        const bool of_file = (one.kind >= FindingKind::row_rejected && one.kind <= FindingKind::velocity_lags) ||
                             one.kind == FindingKind::channel_dropped || one.kind == FindingKind::rows_lost;
        if (of_file)
            EXPECT_EQ(states_place(one.kind), says(sentence_of(one, AxisUnits(false)), "axis.csv"))
                << name_of(one.kind);
        else
            EXPECT_FALSE(states_place(one.kind)) << name_of(one.kind);
    }
}

TEST(AxisUnits, OfARotaryAxisAreRadAndNm) {
    const AxisUnits rotary(true);
    EXPECT_EQ(rotary.name("N s/m"), "N m s/rad");
    EXPECT_EQ(rotary.name("kg"), "kg m²");
    EXPECT_EQ(rotary.name("V s/m"), "V s/rad");
    EXPECT_EQ(rotary.name("1"), "");
    EXPECT_EQ(rotary.name("N/V"), "N m/V");
    EXPECT_EQ(rotary(0.0025, "m"), "2.5 mrad");
    EXPECT_EQ(rotary(25000, "kg"), "25000 kg m²");  // a prefix before kg would be wrong
    EXPECT_EQ(rotary(2500, "1/s"), "2500 1/s");
    EXPECT_TRUE(
        says(sentence_of(finding(FindingKind::asymmetry, 2, 3), rotary), "2 N m for v > 0 and 3 N m for v < 0"));
    EXPECT_TRUE(says(sentence_of(finding(FindingKind::delay, 1e-3), rotary), "torque lags"));
    EXPECT_EQ(AxisUnits(false).name("N s/m"), "N s/m");
}

TEST(VerdictInWords, GivesTheReason) {
    LawFit law;
    law.verdict = LawVerdict::refused;
    for (const RefusalReason reason : {RefusalReason::fails_held_out, RefusalReason::no_better_than_simpler,
                                       RefusalReason::negative_inertia, RefusalReason::did_not_converge}) {
        law.reason = reason;
        EXPECT_TRUE(verdict_in_words(law).starts_with("refused: ")) << verdict_in_words(law);
    }
    law.reason = RefusalReason::no_better_than_simpler;
    law.than = "coulomb";
    EXPECT_EQ(verdict_in_words(law), "refused: no better than coulomb, which has fewer parameters");
    law.verdict = LawVerdict::recommended;
    EXPECT_EQ(verdict_in_words(law), "recommended");
}

TEST(MeaningOf, GivesDirectionAndOwner) {
    FittedParameter p{.name = "Fs-",
                      .unit = "N",
                      .quantity = FittedQuantity::Fs,
                      .doc = "static friction",
                      .table_name = "Fs",
                      .direction = -1};
    EXPECT_EQ(meaning_of(p), "static friction, for v < 0");
    p.direction = 1;
    EXPECT_EQ(meaning_of(p), "static friction, for v > 0");
    p.quantity = FittedQuantity::vs;
    EXPECT_EQ(meaning_of(p), "speed at which the level has changed by 63 % of the way from Fs to Fc, for v > 0");
    p = {.name = "sigma2-",
         .unit = "N s/m",
         .quantity = FittedQuantity::viscous,
         .doc = "viscous friction for v < 0",
         .table_name = "sigma2",
         .direction = -1,
         .doc_has_direction = true};
    EXPECT_EQ(meaning_of(p), "viscous friction for v < 0");
    EXPECT_EQ(meaning_of({.name = "inertia", .unit = "kg", .quantity = FittedQuantity::inertia}), "of the axis");
}

TEST(NextSentences, JoinParametersOfOneMotionAndGiveTheLargestSampleRate) {
    const auto all = next_sentences(test::sample_fit().result, AxisUnits(false));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(
        says(all[0], "To determine sigma0, sigma1: oscillate within presliding, with an amplitude of about 8 µm"));
    EXPECT_TRUE(says(all[0], "sample at 5000 Hz or faster"));
    EXPECT_TRUE(says(all[1], "0.1 mm/s to 20 mm/s") || says(all[1], "100 µm/s to 20 mm/s")) << all[1];
}

TEST(NextSentences, ExistForEveryMotion) {
    std::set<std::string> all;
    for (int i = 0; i <= int(NextMeasurement::Motion::step_from_rest); ++i) {
        FitResult result;
        result.next = {{"Fs", FittedQuantity::Fs, NextMeasurement::Motion(i), 0, 0, 0, 0}};
        for (const std::string& text : next_sentences(result, AxisUnits(true))) {
            EXPECT_GT(text.size(), 40u);
            EXPECT_TRUE(all.insert(text).second) << text;
        }
    }
}

TEST(NextSentences, SayThatNothingIsMissingIfEveryParameterIsDetermined) {
    FitResult result = test::sample_fit().result;
    result.next.clear();
    EXPECT_TRUE(says(next_sentences(result, AxisUnits(false)).front(), "No motion is known"));
    for (FittedParameter& p : result.laws.front().parameters) p.identifiable = Identifiable::yes;
    EXPECT_TRUE(says(next_sentences(result, AxisUnits(false)).front(), "determines every parameter"));
}

}  // namespace bristle::report
