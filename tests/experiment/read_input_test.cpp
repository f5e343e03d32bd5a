// [input]: signals of time, from the file or from a csv beside it.
#include "reading.hpp"
#include "../support/temporary_folder.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace {

using namespace reading;
namespace fs = std::filesystem;

const std::string head =
    "[law]\nkind = \"coulomb\"\nFc = 1\n[run]\nduration = 2\n[rig]\nkind = \"forced_mass\"\nmass = 1\n";
const std::string prescribed = with(head, "\"forced_mass\"\nmass = 1", "\"prescribed\"\n#");
constexpr int first = 9;  // the line of [input]

double value_at(const Input& input, double t) { return input.piece(t).value(t); }
Input input_of(const std::string& keys) { return experiment_of(head + "[input]\n" + keys).setup.input; }

void expect_input_fault(const std::string& keys, int line, const std::string& key, const std::string& rule) {
    const auto found = diagnostics_of(head + "[input]\n" + keys);
    ASSERT_EQ(found.size(), 1u) << keys << sentences(found);
    EXPECT_EQ(found[0].line, first + line) << sentences(found);
    EXPECT_EQ(found[0].key, key);
    EXPECT_NE(broken_rule(found[0]).find(rule), std::string::npos) << broken_rule(found[0]);
}

TEST(ReadInput, EveryKindHasTheValuesOfItsFormula) {
    EXPECT_EQ(value_at(input_of("kind = \"constant\"\nvalue = -3\n"), 1), -3);
    const auto steps = input_of("kind = \"steps\"\npoints = [[0, 1], [1, 5]]\n");
    EXPECT_EQ(value_at(steps, 0.5), 1);
    EXPECT_EQ(value_at(steps, 1), 5);
    const auto ramps = input_of("kind = \"ramps\"\npoints = [[0, 1], [1, 5]]\n");
    EXPECT_EQ(value_at(ramps, 0.5), 3);
    EXPECT_EQ(value_at(ramps, 7), 5);
    // 1 + 2 sin(2 pi 0.25 t + pi/6): at t = 1 the angle is 2 pi/3, at t = 0 it is pi/6
    const std::string wave = "kind = \"sine\"\noffset = 1\namplitude = 2\nphase = 0.5235987755982988\n";
    EXPECT_NEAR(value_at(input_of(wave + "frequency = 0.25\n"), 1), 1 + std::sqrt(3), 1e-12);
    EXPECT_NEAR(value_at(input_of(wave + "omega = 1.5707963267948966\n"), 1), 1 + std::sqrt(3), 1e-12);
    EXPECT_NEAR(value_at(input_of(wave + "omega = 3\n"), 0), 2, 1e-12);
    // offset and phase are zero unless given
    EXPECT_EQ(value_at(input_of("kind = \"sine\"\namplitude = 2\nomega = 3\n"), 0), 0);
    // from 0 to 1 Hz over the 2 s of the run: pi t^2/2, at t = 1 a quarter turn
    EXPECT_NEAR(value_at(input_of("kind = \"chirp\"\namplitude = 2\nf0 = 0\nf1 = 1\n"), 1), 2, 1e-12);
}

TEST(ReadInput, OneFaultGivesOneDiagnosticAtItsLine) {
    expect_input_fault("kind = \"sinus\"\n", 1, "input.kind", "did you mean sine?");
    expect_input_fault("", 0, "input.kind", "constant, steps, ramps, moves, sine, chirp or csv");
    expect_input_fault("kind = \"constant\"\n", 0, "input.value", "is missing");
    expect_input_fault("kind = \"constant\"\nvalue = inf\n", 2, "input.value", "must be a finite number");
    expect_input_fault("kind = \"constant\"\nvalue = 1\npoints = []\n", 3, "input.points", "known: kind, value");
    expect_input_fault("kind = \"constant\"\nvalue = 1\nquantity = \"velocity\"\n", 3, "input.quantity",
                       "is not a key");
    expect_input_fault("kind = \"sine\"\nomega = 1\n", 0, "input.amplitude", "is missing");
    expect_input_fault("kind = \"sine\"\namplitude = 1\n", 0, "input.frequency", "is missing");
    expect_input_fault("kind = \"sine\"\namplitude = 1\nfrequency = 1\nomega = 1\n", 4, "input.omega",
                       "one of the two");
    expect_input_fault("kind = \"sine\"\namplitude = 1\nfrequency = 0\n", 3, "input.frequency", "> 0");
    expect_input_fault("kind = \"sine\"\namplitude = 1\nfrequency = 1e12\n", 3, "input.frequency",
                       "periods in the run");
    expect_input_fault("kind = \"chirp\"\namplitude = 1\nf0 = -1\nf1 = 2\n", 3, "input.f0", ">= 0");
    expect_input_fault("kind = \"steps\"\n", 0, "input.points", "is missing");
    expect_input_fault("kind = \"steps\"\npoints = []\n", 2, "input.points", "at least one point");
    expect_input_fault("kind = \"ramps\"\npoints = [[0, 1]]\n", 2, "input.points", "at least two points");
    expect_input_fault("kind = \"ramps\"\npoints = [[0, 1],\n[0, 2]]\n", 3, "input.points[2]", "t must be larger");
    expect_input_fault("kind = \"ramps\"\npoints = [[0, 1],\n[1, 2, 3]]\n", 3, "input.points[2]", "two finite numbers");
    expect_input_fault("kind = \"ramps\"\npoints = [[0, -1e308], [1e-9, 1e308]]\n", 2, "input.points[2]",
                       "slope from the point before is not finite");
}

TEST(ReadInput, APrescribedMotionIsAVelocityOrADisplacement) {
    const std::string ramps = "[input]\nkind = \"ramps\"\npoints = [[0, 0], [1, 1]]\n";
    EXPECT_FALSE(experiment_of(prescribed + ramps).setup.rig.has_displacement_input());
    EXPECT_TRUE(experiment_of(prescribed + ramps + "quantity = \"displacement\"\n").setup.rig.has_displacement_input());
    const std::string steps = "[input]\nkind = \"steps\"\npoints = [[0, 0], [1, 1]]\n";
    EXPECT_TRUE(diagnostics_of(prescribed + steps).empty());
    const auto found = diagnostics_of(prescribed + steps + "quantity = \"displacement\"\n");
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].key, "input.kind");
    EXPECT_EQ(found[0].line, first + 1);
    EXPECT_NE(found[0].rule.find("must not jump"), std::string::npos);
}

class CsvTest : public testing::Test {
  protected:
    void write(const std::string& rows) { std::ofstream(folder / "drive.csv", std::ios::binary) << rows; }
    std::vector<Diagnostic> diagnostics() { return diagnostics_of(text, {}, folder); }
    void expect_fault(const std::string& csv, int line, const std::string& rule) {
        write(csv);
        const auto found = diagnostics();
        ASSERT_EQ(found.size(), 1u) << csv << sentences(found);
        EXPECT_EQ(found[0].place, "drive.csv");
        EXPECT_EQ(found[0].line, line) << sentences(found);
        EXPECT_NE(broken_rule(found[0]).find(rule), std::string::npos) << broken_rule(found[0]);
    }
    const bristle::test::TemporaryFolder temporary;
    const fs::path& folder = temporary.path();
    const std::string text = head + "[input]\nkind = \"csv\"\nfile = \"drive.csv\"\n";
};

TEST_F(CsvTest, RowsBecomeRamps) {
    write("\xEF\xBB\xBF# measured\r\nt [s], F [N]\r\n0, 1\r\n\r\n 0.5 , +2e0\r\n1,-1\r\n");
    const auto input = experiment_of(text, {}, folder).setup.input;
    EXPECT_EQ(input.kind, Input::Kind::ramps);
    ASSERT_EQ(input.points.size(), 3u);
    EXPECT_EQ(value_at(input, 0.25), 1.5);
    EXPECT_EQ(value_at(input, 0.75), 0.5);
}

TEST_F(CsvTest, NamesAndUnitsAreOptional) {
    for (const char* rows : {"0,1\n0.5,2\n1,-1\n", "t,F\n0,1\n0.5,2\n1,-1\n", "time,F [N]\n0,1\n0.5,2\n1,-1\n"}) {
        write(rows);
        const auto input = experiment_of(text, {}, folder).setup.input;
        ASSERT_EQ(input.points.size(), 3u) << rows;
        EXPECT_EQ(value_at(input, 0.25), 1.5) << rows;
    }
}

TEST_F(CsvTest, FaultsAreReportedWithFileAndLine) {
    expect_fault("", 0, "at least two rows");
    expect_fault("t [s],F [N]\n0,1\n", 2, "at least two rows");
    expect_fault("t [s];F [N]\n0,1\n1,2\n", 1, "must name two columns");
    expect_fault("t [s],F [N\n0,1\n1,2\n", 1, "must be in [N] or [N m]");
    expect_fault("t [ms],F [N]\n0,1\n1,2\n", 1, "must be the time in s");
    expect_fault("t [s],F [kN]\n0,1\n1,2\n", 1, "must be in [N] or [N m]");
    expect_fault("t [s],F [N]\n0,1\n1\n", 3, "is the file cut off?");
    expect_fault("t [s],F [N]\n0,1\n1,2,3\n", 3, "must have two columns");
    expect_fault("t [s],F [N]\n0,1\n1,two\n2,2\n", 3, "the value must be a finite number");
    expect_fault("t [s],F [N]\n0,1\n1,nan\n2,2\n", 3, "the value must be a finite number");
    expect_fault("t [s],F [N]\n0,1\n1x,1\n2,2\n", 3, "the time must be a finite number");
    expect_fault("t [s],F [N]\n0,1\n0,1\n2,2\n", 3, "larger than in the row before");
}

TEST_F(CsvTest, AMissingFileIsReportedAtItsKey) {
    for (const char* name : {"none.csv", ".", "/dev/zero"}) {
        const auto found = diagnostics_of(with(text, "drive.csv", name), {}, folder);
        ASSERT_EQ(found.size(), 1u) << name << sentences(found);
        EXPECT_EQ(found[0].key, "input.file");
        EXPECT_EQ(found[0].line, first + 2);
    }
}

TEST_F(CsvTest, AWrongSeparatorIsReportedFiveTimes) {
    std::string rows = "t [s],F [N]\n";
    for (int i = 0; i < 1000; ++i) rows += std::to_string(i) + ";1\n";
    write(rows);
    EXPECT_EQ(diagnostics().size(), 5u);
}

}  // namespace
