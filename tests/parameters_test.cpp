// parameters.hpp and describe.hpp: every rule broken singly is reported by name, value and rule; all broken at once too.
#include "conformance/samples.hpp"
#include <bristle/describe.hpp>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace bristle::test {

using Sentences = std::vector<std::string>;

struct Reported {
    std::string name, rule;
    double value;
};
template <class Object>
std::vector<Reported> reported(const Object& object) {
    std::vector<Reported> all;
    const int count = problems(object, [&](const Problem& p) {
        all.push_back({full_name(p.parameter), p.rule, p.value});
    });
    EXPECT_EQ(count, int(all.size()));
    EXPECT_EQ(usable(object), all.empty());
    return all;
}

// ---- bounds --------------------------------------------------------------------------------------------------------

// A constant law is checked by the compiler.
static_assert(usable(LuGre{
    .sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}}));
static_assert(!usable(LuGre{.sigma0 = -1, .curve = {.Fc = 1, .Fs = 1, .vs = 1}}));

TEST(Bounds, RejectNanInfinityAndOpenEnds) {
    const double nan = std::nan(""), inf = INFINITY;
    for (const Bound& b : {bound::positive, bound::nonnegative, bound::fraction, bound::exponent})
        for (const double x : {nan, inf, -inf, -1e-300}) EXPECT_FALSE(b.holds(x)) << b.rule << " " << x;
    EXPECT_FALSE(bound::positive.holds(0));
    EXPECT_TRUE(bound::positive.holds(1e-300));
    EXPECT_TRUE(bound::nonnegative.holds(0));
    EXPECT_TRUE(bound::fraction.holds(0.5) && !bound::fraction.holds(0) && !bound::fraction.holds(1));
    EXPECT_TRUE(bound::exponent.holds(0.5) && bound::exponent.holds(2) && !bound::exponent.holds(8));
}

// ---- every parameter of every law, one at a time ---------------------------------------------------------------------

template <class Sample>
class EveryLaw : public testing::Test {};
using Laws = samples::All<double, testing::Types>;
TYPED_TEST_SUITE(EveryLaw, Laws, samples::Names);

TYPED_TEST(EveryLaw, TypicalAndRandomSetsAreUsable) {
    EXPECT_EQ(sentences(TypeParam::typical()), Sentences{});
    Random random(1);
    for (int i = 0; i < 200; ++i) EXPECT_EQ(sentences(TypeParam::random(random)), Sentences{});
}

// Decisions of fits and analyses depend on the dimension: a unit without one would turn them off silently.
TYPED_TEST(EveryLaw, HasUnitsOfKnownDimension) {
    const auto law = TypeParam::typical();
    law.parameters(law, [](const Parameter& p, const auto&) { EXPECT_NE(p.dimension(), Dimension::other) << p.unit; });
}

// Sets the i-th parameter to an invalid number; the report must contain exactly this problem, under its name. A rule
// between parameters may be reported in addition.
TYPED_TEST(EveryLaw, ReportsEachParameterThatIsOutOfBounds) {
    using Law = typename TypeParam::Law;
    const Law sound = TypeParam::typical();
    std::vector<Parameter> list;
    Law::parameters(sound, [&](const Parameter& p, const double&) { list.push_back(p); });
    ASSERT_FALSE(list.empty());
    for (std::size_t i = 0; i < list.size(); ++i)
        for (const double bad : {std::nan(""), double(INFINITY), -double(INFINITY), -1.0}) {
            Law law = sound;
            std::size_t at = 0;
            Law::parameters(law, [&](const Parameter&, double& x) {
                if (at++ == i) x = bad;
            });
            const std::string name = full_name(list[i]);
            int found = 0;
            for (const Reported& r : reported(law))
                if (r.name == name && r.rule == std::string(list[i].bound.rule)) {
                    ++found;
                    EXPECT_TRUE(r.value == bad || (std::isnan(bad) && std::isnan(r.value)));
                }
            EXPECT_EQ(found, 1) << name << " = " << bad;
            // rules between plain parameters are not evaluated then; those over lists are
            if (std::isnan(bad) && list[i].index < 0) {
                EXPECT_EQ(reported(law).size(), 1u) << name;
            }
        }
}

// A default-constructed law reports every parameter without a default, and no other.
TYPED_TEST(EveryLaw, DefaultsAreValidOrReportedAsMissing) {
    using Law = typename TypeParam::Law;
    const Law fresh{};
    int missing = 0;
    // a parameter that takes its value from another one is reported once
    Law::parameters(fresh, [&](const Parameter& p, const double& x) { missing += std::isnan(x) && !p.fallback; });
    int reported_missing = 0;
    for (const Reported& r : reported(fresh)) reported_missing += std::isnan(r.value);
    EXPECT_EQ(reported_missing, missing);
    EXPECT_FALSE(usable(fresh));
}

TYPED_TEST(EveryLaw, EveryParameterHasAUnitADocAndAUniqueName) {
    using Law = typename TypeParam::Law;
    std::map<std::string, int> names;
    const Law law = TypeParam::typical();
    Law::parameters(law, [&](const Parameter& p, const double&) {
        EXPECT_EQ(++names[full_name(p)], 1) << full_name(p);
        EXPECT_TRUE(p.unit[0] && p.doc[0]) << p.name;
    });
}

// ---- examples ------------------------------------------------------------------------------------------------------

TYPED_TEST(EveryLaw, ExamplesOfTheTableAreUsable) {
    typename TypeParam::Law law{};
    if constexpr (
        requires { law.curve.table; } || requires { law.curve.v[0]; })
        return;  // points have no example
    set_example(law);
    EXPECT_EQ(sentences(law), Sentences{});
}

TEST(Examples, OfLuGreAreTheNumbersOfC95) {
    LuGre law;
    set_example(law);
    EXPECT_EQ(law.sigma0, c95.sigma0);
    EXPECT_EQ(law.sigma1, c95.sigma1);
    EXPECT_EQ(law.sigma2, c95.sigma2);
    EXPECT_EQ(law.curve.Fc, c95_curve.Fc);
    EXPECT_EQ(law.curve.Fs, c95_curve.Fs);
    EXPECT_EQ(law.curve.vs, c95_curve.vs);
}

TEST(Examples, WithoutAnExampleTheDefaultOrAValueWithinTheBoundIsUsed) {
    const double nan = std::nan("");
    EXPECT_EQ(example_of({"", "", "", bound::positive, 3}, 2), 3);
    EXPECT_EQ(example_of({"", "", "", bound::positive, -3}, 2), 2);  // an example out of bounds is not used
    EXPECT_EQ(example_of({"", "", "", bound::positive}, 2), 2);
    EXPECT_EQ(example_of({"", "", "", bound::positive}, nan), 1);
    for (const Bound& b :
         {bound::positive, bound::nonnegative, bound::fraction, bound::exponent, Bound{5, 7, false, ""},
          Bound{5, bound::infinite, false, ""}, Bound{-bound::infinite, -5, false, ""}})
        EXPECT_TRUE(b.holds(example_of({"", "", "", b}, nan))) << b.low << " to " << b.high;
}

// ---- rules between parameters --------------------------------------------------------------------------------------

TEST(Rules, FsBelowFcIsReportedUnlessAllowed) {
    LuGre law = c95;
    law.curve.Fs = 0.8;
    EXPECT_EQ(sentences(law), (Sentences{"Fs = 0.8 N: must be >= Fc (or set allow_rising)"}));
    law.curve.allow_rising = true;
    EXPECT_TRUE(usable(law));
    EXPECT_EQ(sentences(Coulomb{.curve = {.Fc = 1, .Fs = 0.5}}), (Sentences{"Fs = 0.5 N: must be >= Fc"}));
    SmoothLuGre smooth = {.sigma0 = 1, .curve = {.Fc = 1, .Fs = 0.8, .vs = 1, .alpha = 2, .c = 1}};
    EXPECT_EQ(sentences(smooth).size(), 1u);
    smooth.curve.allow_rising = true;
    EXPECT_TRUE(usable(smooth));
}

TEST(Rules, AllBrokenAtOnceAreAllReported) {
    const LuGre law{
        .sigma0 = -3, .sigma1 = -1, .sigma2 = std::nan(""), .curve = {.Fc = 2, .Fs = 1, .vs = 0, .alpha = 9}};
    EXPECT_EQ(
        sentences(law),
        (Sentences{"sigma0 = -3 N/m: must be a finite number > 0", "sigma1 = -1 N s/m: must be a finite number >= 0",
                   "sigma2 is not given (nan N s/m): must be a finite number >= 0",  // once, not again for v < 0
                   "vs = 0 m/s: must be a finite number > 0", "alpha = 9: must be > 0 and < 8 (0.5 to 2 is usual)",
                   "Fs = 1 N: must be >= Fc (or set allow_rising)"}));
}

TEST(Rules, MakkarRequiresG2NotBelowG3) {
    Makkar law{.curve = {.g1 = 0.25, .g2 = 5, .g3 = 10, .g4 = 0.1, .g5 = 100}};
    EXPECT_EQ(sentences(law), (Sentences{"g2 = 5 s/m: must be >= g3, or friction drives the motion"}));
    law = {.curve = {.g1 = 0, .g2 = 0, .g3 = 0, .g4 = 0, .g5 = 0}, .sigma2 = 0.01};  // M05: viscous only
    EXPECT_TRUE(usable(law));
    const MakkarLuGre bristle{.sigma0 = 1e4, .curve = law.curve};
    EXPECT_EQ(sentences(bristle),
              (Sentences{"g4 = 0 N: must be > 0 in a bristle law", "g5 = 0 s/m: must be > 0 in a bristle law"}));
    law.sigma2 = -1;
    EXPECT_EQ(sentences(law).front(), "g6 = -1 N s/m: must be a finite number >= 0") << "gamma_6 in M05 (2)";
}

TEST(Rules, TableRequiresRisingSpeedsAndTwoPoints) {
    Table table;
    EXPECT_EQ(sentences(table), (Sentences{"size = 0: must be 2 to 64: the number of points"}));
    table.size = 3;
    table.v[0] = 0;
    table.v[1] = table.v[2] = 1;
    table.g[0] = table.g[1] = 1;
    table.g[2] = 0;
    EXPECT_EQ(sentences(table), (Sentences{"g[2] = 0 N: must be a finite number > 0",
                                           "v[2] = 1 m/s: must be larger than the speed before it"}));
    table.size = 65;
    bool counted = false;
    for (const auto& s : sentences(table)) counted |= s == "size = 65: must be 2 to 64: the number of points";
    EXPECT_TRUE(counted);
}

TEST(Rules, ParametersForNegativeVelocityAreReportedWithTheirGroup) {
    LuGreOver<Directional<Stribeck>> law{.sigma0 = 1e5,
                                         .curve = {.positive = c95_curve, .negative = {.Fc = 1, .Fs = 0.5, .vs = -1}}};
    EXPECT_EQ(sentences(law), (Sentences{"negative.vs = -1 m/s: must be a finite number > 0",
                                         "negative.Fs = 0.5 N: must be >= Fc (or set allow_rising)"}));
}

TEST(Rules, MaxwellSlipRequiresFractionsThatAddUpToOne) {
    MaxwellSlip law{.C = 1, .curve = c95_curve};
    EXPECT_EQ(sentences(law),
              (Sentences{"size = 0: must be 1 to 16: the number of elements", "nu = 0: must add up to 1"}));
    law.size = 2;
    law.k[0] = 1e4;
    law.k[1] = 0;
    law.nu[0] = law.nu[1] = 0.4;
    EXPECT_EQ(sentences(law), (Sentences{"k[1] = 0 N/m: must be a finite number > 0", "nu = 0.8: must add up to 1"}));
    law.size = 17;
    EXPECT_FALSE(usable(law));
    law.size = 2;
    law.k[1] = 1e3;
    law.nu[1] = std::nan("");
    EXPECT_EQ(reported(law).size(), 2u) << "nu[1] and the sum";
}

TEST(Rules, ElastoPlasticKappaOutsideItsRangeIsReported) {
    ElastoPlastic law{.sigma0 = 1e5, .curve = c95_curve, .kappa = 1};
    EXPECT_EQ(sentences(law), (Sentences{"kappa = 1: must be > 0 and < 0.999"}));
}

// ---- fallbacks, grouping, sentences ----------------------------------------------------------------------------------

TEST(Fallbacks, UseTheValueOfTheNamedParameter) {
    EXPECT_EQ((LuGre{.sigma0 = 1, .sigma2 = 0.4}.sigma2_negative), 0.4);
    EXPECT_EQ((LuGre{.sigma0 = 1, .sigma2 = 0.4, .sigma2_negative = 0.7}.sigma2_negative), 0.7);
    EXPECT_EQ((Level{.Fc = 3}.Fs), 3);
    std::string fallback;
    LuGre::parameters(c95, [&](const Parameter& p, const double&) {
        if (full_name(p) == "negative.sigma2") fallback = p.fallback;
    });
    EXPECT_EQ(fallback, "sigma2");
}

TEST(Sentences, ContainNameValueUnitAndRule) {
    EXPECT_EQ(full_name({"k", "N/m", "", bound::positive, no_example, nullptr, "", 3}), "k[3]");
    EXPECT_EQ(full_name({"Fc", "N", "", bound::positive, no_example, nullptr, "negative"}), "negative.Fc");
    EXPECT_EQ(sentence({{"alpha", "1", "", bound::exponent}, 0.1234567891, "rule"}), "alpha = 0.123456789: rule");
    EXPECT_EQ(sentence({{"vs", "m/s", "", bound::positive}, -1e-5, "rule"}), "vs = -1e-05 m/s: rule");
}

// Parameters of other scalars use the same table.
TEST(Sentences, AreEqualForEveryScalar) {
    basic_lugre<float> law{.sigma0 = 0, .curve = {.Fc = 1, .Fs = 2, .vs = 1}};
    EXPECT_EQ(sentences(law), (Sentences{"sigma0 = 0 N/m: must be a finite number > 0"}));
    basic_dahl<Dual<double, 1>> dual{.sigma0 = 1.0, .Fc = -1.0};
    EXPECT_EQ(sentences(dual), (Sentences{"Fc = -1 N: must be a finite number > 0"}));
}

}  // namespace bristle::test
