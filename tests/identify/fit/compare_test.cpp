// Comparison of laws: criterion, verdicts and order.
#include "identify/fit/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::inline identification {
namespace {

LawFit law_with(const char* kind, int free, double heldout, double r2 = 0.99) {
    LawFit out;
    out.kind = kind;
    out.free = free;
    out.fit = {.nrmse = heldout, .r2 = r2, .rows = 1000};
    out.heldout = out.fit;
    return out;
}
const LawFit& find(const std::vector<LawFit>& laws, std::string_view kind) {
    for (const LawFit& law : laws)
        if (law.kind == kind) return law;
    throw std::out_of_range("no such law");
}

// Oracle: N ln(sum of squares/rows) + p ln N. Tolerance: rounding.
TEST(CompareLaws, BicEqualsItsDefinition) {
    std::vector<LawFit> laws{law_with("a", 5, 0.1)};
    EXPECT_TRUE(compare(laws, {20.0}, 100, true));
    EXPECT_NEAR(laws[0].bic, 100 * std::log(20.0 / 1000) + 5 * std::log(100.0), 1e-12);
    EXPECT_EQ(laws[0].verdict, LawVerdict::recommended);
}

// Oracle: 10 % less squares gain 100 ln(1/0.9) = 10.5 > 2 ln 100 = 9.2 for two more parameters; 5 % gain 5.1 < 9.2.
TEST(CompareLaws, MoreParametersNeedAClearlySmallerError) {
    std::vector<LawFit> worth{law_with("simple", 3, 0.100), law_with("rich", 5, 0.095)};
    EXPECT_TRUE(compare(worth, {20.0, 18.0}, 100, true));
    EXPECT_EQ(worth[0].kind, "rich");
    std::vector<LawFit> not_worth{law_with("simple", 3, 0.100), law_with("rich", 5, 0.098)};
    EXPECT_TRUE(compare(not_worth, {20.0, 19.0}, 100, true));
    EXPECT_EQ(not_worth[0].kind, "simple");
    EXPECT_EQ(find(not_worth, "rich").verdict, LawVerdict::refused);
    EXPECT_EQ(find(not_worth, "rich").reason, RefusalReason::no_better_than_simpler);
    EXPECT_EQ(find(not_worth, "rich").than, "simple");
}

// Oracle: documentation: refused if R^2 < 0.5 on held-out rows, or above twice the least error there.
TEST(CompareLaws, LawsThatFailOnHeldOutRowsAreRefused) {
    std::vector<LawFit> laws{law_with("good", 5, 0.1), law_with("twice", 3, 0.21), law_with("blind", 2, 0.15, 0.4)};
    EXPECT_TRUE(compare(laws, {20.0, 25.0, 22.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "good");
    EXPECT_EQ(find(laws, "twice").reason, RefusalReason::fails_held_out);
    EXPECT_EQ(find(laws, "blind").reason, RefusalReason::fails_held_out);
}

// Oracle: mass is positive: an interval below 0 contradicts the model; one that contains 0 does not.
TEST(CompareLaws, NegativeInertiaIsRefusedIfItsIntervalExcludesZero) {
    LawFit negative = law_with("negative", 3, 0.05), unclear = law_with("unclear", 3, 0.06);
    FittedParameter inertia{.name = "inertia", .unit = "kg", .value = -2, .se = 0.1, .low = -2.2, .high = -1.8};
    inertia.quantity = FittedQuantity::inertia;
    negative.parameters.push_back(inertia);
    inertia.value = -0.1;
    inertia.low = -0.3;
    inertia.high = 0.1;
    unclear.parameters.push_back(inertia);
    std::vector<LawFit> laws{negative, unclear};
    EXPECT_TRUE(compare(laws, {5.0, 6.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "unclear");
    EXPECT_EQ(find(laws, "negative").reason, RefusalReason::negative_inertia);
}

// Oracle: nothing is recommended if every law is refused.
TEST(CompareLaws, NoLawIsRecommendedIfAllAreRefused) {
    LawFit lost = law_with("lost", 3, 0.1);
    lost.reason = RefusalReason::did_not_converge;
    std::vector<LawFit> laws{lost, law_with("blind", 2, 0.9, 0.1)};
    EXPECT_FALSE(compare(laws, {0.0, 6.0}, 100, true));
    for (const LawFit& law : laws) EXPECT_EQ(law.verdict, LawVerdict::refused);
    EXPECT_EQ(laws[0].kind, "blind");  // a law without numbers is never the best
}

// Oracle: documentation: a held-out error that is smaller by 10 % outweighs the criterion.
TEST(CompareLaws, AClearlySmallerHeldOutErrorOutweighsTheCriterion) {
    std::vector<LawFit> laws{law_with("criterion", 5, 0.13), law_with("held out", 5, 0.10)};
    EXPECT_TRUE(compare(laws, {18.0, 20.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "held out");
    EXPECT_EQ(laws[0].verdict, LawVerdict::recommended);
    EXPECT_EQ(laws[1].verdict, LawVerdict::usable);
}

// Oracle: order: recommended, usable by BIC, refused.
TEST(CompareLaws, RefusedLawsComeLast) {
    std::vector<LawFit> laws{law_with("refused", 3, 0.5, 0.1), law_with("second", 4, 0.105), law_with("first", 4, 0.1)};
    EXPECT_TRUE(compare(laws, {90.0, 21.0, 20.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "first");
    EXPECT_EQ(laws[1].kind, "second");
    EXPECT_EQ(laws[2].kind, "refused");
}

// Oracle: documentation: of laws whose held-out errors differ by at most 10 %, the one with fewer undetermined parameters.
TEST(CompareLaws, OfSimilarErrorsTheLawWithDeterminedParametersIsRecommended) {
    LawFit vague = law_with("vague", 4, 0.100), clear = law_with("clear", 3, 0.108), far = law_with("far", 2, 0.150);
    vague.parameters.push_back({.name = "vs", .unit = "m/s", .identifiable = Identifiable::no});
    std::vector<LawFit> laws{vague, clear, far};
    EXPECT_TRUE(compare(laws, {18.0, 21.0, 40.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "clear");
    EXPECT_EQ(find(laws, "vague").verdict, LawVerdict::usable);
    laws = {vague, law_with("clear", 3, 0.12), far};
    EXPECT_TRUE(compare(laws, {18.0, 26.0, 40.0}, 100, true));
    EXPECT_EQ(laws[0].kind, "vague");
}

}  // namespace
}  // namespace bristle::identification
