// A parsed document: typed access by key, numbers set without text as --set would set them, set-ups built from it in several threads.
#include "experiment/toml.hpp"
#include "experiment/varied_setup.hpp"
#include "reading.hpp"
#include "../support/temporary_folder.hpp"

#include <fstream>
#include <thread>

namespace {

using namespace reading;

const std::string text = R"(title = "An axis"
[law]
kind = "lugre"
sigma0 = 100
zeta = 1
sigma2 = 0.5
Fc = 1
Fs = 1.5
vs = 0.1
)" + driven_mass + R"([[claim]]
measure = "max"
signal = "F"
between = [1, 2]
)";
const AnyLuGre& lugre(const bristle::Setup& setup) { return std::get<AnyLuGre>(setup.law); }

TEST(Document, NumberAtReturnsNumbersOnly) {
    const Document file(text, "my.toml");
    EXPECT_EQ(file.number_at("law.sigma2"), 0.5);
    EXPECT_EQ(file.number_at("rig.mass"), 4);
    for (const char* key : {"law.sigma1", "law.kind", "law", "", "law.", ".law", "title", "claim.between", "a.b.c.d"})
        EXPECT_EQ(file.number_at(key), std::nullopt) << key;
}

TEST(Document, IsParsedOnceForAnyNumberOfValues) {
    const std::size_t before = toml_parse_count();
    Document file(text, "my.toml");
    for (const double mass : {1.0, 2.0, 3.0}) {
        file.set("rig.mass", mass);
        EXPECT_EQ(std::get<ForcedMass>(read(file).setup.rig).mass, mass);
    }
    EXPECT_EQ(toml_parse_count() - before, 1u);
}

// Oracle: the same value through the text of --set.
TEST(Document, SetGivesTheExperimentOfTheOverride) {
    for (const auto& [key, value] : {std::pair{"law.sigma1", "7.25"},
                                     {"law.zeta", "0.75"},
                                     {"law.sigma2", "0.1"},
                                     {"law.load", "3"},
                                     {"law.negative.Fs", "1.25"},
                                     {"rig.mass", "2.5"},
                                     {"input.omega", "3"},
                                     {"input.phase", "0.5"},
                                     {"start.z", "1e-3"}}) {
        SCOPED_TRACE(key);
        Document file(text, "my.toml");
        file.set(key, std::stod(value));
        const bristle::Setup set = read(file).setup, expected = experiment_of(text, {{key, value}}).setup;
        EXPECT_EQ(lugre(set).sigma1, lugre(expected).sigma1);
        EXPECT_EQ(lugre(set).sigma2, lugre(expected).sigma2);
        EXPECT_EQ(lugre(set).curve.stribeck.directional, lugre(expected).curve.stribeck.directional);
        if (lugre(expected).curve.stribeck.directional) {
            EXPECT_EQ(lugre(set).curve.stribeck.negative.Fs, lugre(expected).curve.stribeck.negative.Fs);
        }
        EXPECT_EQ(std::get<ForcedMass>(set.rig).mass, std::get<ForcedMass>(expected.rig).mass);
        EXPECT_EQ(set.input.wave.omega, expected.input.wave.omega);
        EXPECT_EQ(set.input.wave.phase, expected.input.wave.phase);
        EXPECT_EQ(set.load.piece(0).value(0.0), expected.load.piece(0).value(0.0));
        EXPECT_EQ(set.start, expected.start);
    }
}

TEST(Document, AKeyThatCannotBeSetIsReportedByRead) {
    for (const char* key : {"claim.at", "law.Fc.x", "", "law..Fc"}) {
        Document file(text, "my.toml");
        file.set(key, 1);
        EXPECT_THROW(read(file), Unreadable) << key;
    }
}

TEST(Document, ReadSetupHasTheSetupOfReadWithoutClaims) {
    const Document file(text, "my.toml");
    const bristle::Setup whole = read(file).setup, alone = read_setup(file);
    EXPECT_EQ(lugre(alone).sigma1, lugre(whole).sigma1);
    EXPECT_EQ(alone.run.stick_speed, whole.run.stick_speed);
    EXPECT_EQ(alone.input.wave.omega, whole.input.wave.omega);
}

TEST(VariedSetup, ProblemsHaveTheUnitsOfTheFile) {
    const VariedSetup varied(Document("units = \"rotary\"\n" + text, "my.toml"), {"rig.mass"});
    try {
        varied({-1});
        FAIL();
    } catch (const Error& problem) {
        EXPECT_NE(std::string(problem.what()).find("rig.mass = -1 kg m^2: "), std::string::npos) << problem.what();
    }
}

// 2 zeta sqrt(sigma0 m) - sigma2 = sigma1, A08 before (8).
TEST(VariedSetup, DerivedNumbersFollowTheValue) {
    const VariedSetup varied(Document(text, "my.toml"), {"rig.mass"});
    EXPECT_DOUBLE_EQ(lugre(varied({1})).sigma1, 19.5);
    EXPECT_DOUBLE_EQ(lugre(varied({4})).sigma1, 39.5);
    EXPECT_THROW(varied({-1}), Error);
    EXPECT_DOUBLE_EQ(lugre(varied({9})).sigma1, 59.5) << "after a value that breaks a rule";
}

TEST(VariedSetup, ThreadsDoNotShareValues) {
    const VariedSetup varied(Document(text, "my.toml"), {"rig.mass", "law.sigma2"});
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            for (int i = 1; i <= 200; ++i) {
                const double mass = i + 1000 * thread, sigma2 = 1.0 / i;
                const bristle::Setup setup = varied({mass, sigma2});
                wrong[std::size_t(thread)] +=
                    std::get<ForcedMass>(setup.rig).mass != mass || lugre(setup).sigma2 != sigma2;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4));
}

// The file is removed after the first read: later ones use the points that were kept.
TEST(VariedSetup, CsvPointsAreReadOnce) {
    const bristle::test::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary.path();
    std::ofstream(folder / "drive.csv") << "t [s],F [N]\n0,1\n1,2\n";
    const std::string csv =
        with(text, "kind = \"sine\"\namplitude = 1\nfrequency = 2", "kind = \"csv\"\nfile = \"drive.csv\"");
    const Document file(csv, "my.toml", folder);
    EXPECT_EQ(read(file).setup.input.points.size(), 2u);
    std::filesystem::remove_all(folder);
    EXPECT_EQ(VariedSetup(file, {"rig.mass"})({2}).input.points.size(), 2u);
    EXPECT_THROW(read(Document(csv, "my.toml", folder)), Unreadable);
}

}  // namespace
