// A law as the section [law]: read back it is the same law, words included.
#include "experiment/write_law.hpp"
#include "reading.hpp"

#include "simulate/c95_law.hpp"

namespace {

using namespace reading;

AnyLaw read_back(const AnyLaw& law) { return read_for_law(law_section(law), "law.toml").setup.law; }

TEST(LawSection, OfEveryKindIsReadBackAsTheSameLaw) {
    for_each_law([](const auto& entry) {
        const AnyLaw law = c95_law(entry.kind), again = read_back(law);
        ASSERT_EQ(kind_of(again), entry.kind);
        EXPECT_EQ(law_section(again), law_section(law));
    });
}

// Every value of every word of every law.
TEST(LawSection, HasTheWordsOfTheLaw) {
    for_each_law([](const auto& entry) {
        using Law = OverAny<typename std::remove_cvref_t<decltype(entry)>::law>;
        Law plain = std::get<Law>(c95_law(entry.kind));
        for_each_choice(plain, [&](const Choice& choice, const auto&) {
            if (choice.selects_parameters) return;
            for (int i = 0; i < std::max(2, choice.count()); ++i) {
                Law law = plain;
                for_each_choice(law, [&]<class Value>(const Choice& other, Value& x) {
                    if (std::string_view(other.name) == choice.name) x = Value(i);
                });
                const AnyLaw again = read_back(law);
                for_each_choice(std::get<Law>(again), [&](const Choice& other, const auto& x) {
                    if (std::string_view(other.name) != choice.name) return;
                    EXPECT_EQ(int(x), i) << entry.kind << " " << choice.name;
                });
            }
        });
    });
}

TEST(LawSection, OfATableHasItsPoints) {
    const LuGreOver<Table> law{.sigma0 = 100, .curve = {.size = 3, .v = {0, 0.1, 1}, .g = {1.5, 1.25, 1}}};
    const auto again = std::get<AnyLuGre>(read_back(law));
    ASSERT_TRUE(again.curve.tabulated);
    EXPECT_EQ(again.curve.table.size, 3);
    EXPECT_EQ(again.curve.table.g[1], 1.25);
}

TEST(LawSection, HasASectionForNegativeVelocitiesIfTheyDiffer) {
    AnyLuGre law = std::get<AnyLuGre>(c95_law("lugre"));
    EXPECT_EQ(law_section(law).find("[law.negative]"), std::string::npos);
    law.curve.stribeck.directional = true;
    law.curve.stribeck.negative = {.Fc = 2, .Fs = 1, .vs = 0.1, .allow_rising = true};
    law.curve.stribeck.positive.allow_rising = true;
    const auto again = std::get<AnyLuGre>(read_back(law));
    EXPECT_TRUE(again.curve.stribeck.directional);
    EXPECT_TRUE(again.curve.stribeck.negative.allow_rising);
    EXPECT_EQ(again.curve.stribeck.negative.Fc, 2);
}

TEST(LawSection, HasTheLoadConvention) {
    AnyLuGre law = std::get<AnyLuGre>(c95_law("lugre"));
    law.load_on = LoadOn::all;
    EXPECT_NE(law_section(law, "load = 2\n").find("load = 2\nload_on = \"all\"\n"), std::string::npos);
}

}  // namespace
