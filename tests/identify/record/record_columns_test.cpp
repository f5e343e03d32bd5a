// Columns by name and unit, the steps from a number of the file to SI, several files, patterns of file names.
#include "identify/record/names.hpp"
#include "record_texts.hpp"
#include "../../support/temporary_folder.hpp"

#include <fstream>
#include <numbers>

namespace {

using namespace record_texts;
using namespace bristle::record_detail;

constexpr double pi = std::numbers::pi;

TEST(FindUnit, ConvertsToSi) {
    const struct {
        const char* text;
        double si;
        Measurand quantity;
    } cases[] = {{"mm", 1e-3, Measurand::position},
                 {"\xC2\xB5m", 1e-6, Measurand::position},
                 {"in", 0.0254, Measurand::position},
                 {"\xC2\xB0", pi / 180, Measurand::position},
                 {"rev", 2 * pi, Measurand::position},
                 {"ms", 1e-3, Measurand::time},
                 {"min", 60, Measurand::time},
                 {"mm/s", 1e-3, Measurand::velocity},
                 {"RPM", 2 * pi / 60, Measurand::velocity},
                 {"1/min", 2 * pi / 60, Measurand::velocity},
                 {"deg/s", pi / 180, Measurand::velocity},
                 {"kip", 4448.2216152605, Measurand::force},
                 {"lb", 4.4482216152605, Measurand::force},
                 {"uN", 1e-6, Measurand::force},
                 {"kN", 1e3, Measurand::force},
                 {"Nm", 1, Measurand::force},
                 {"N*m", 1, Measurand::force},
                 {"N\xC2\xB7m", 1, Measurand::force},
                 {"mNm", 1e-3, Measurand::force},
                 {"mA", 1e-3, Measurand::current},
                 {"mV", 1e-3, Measurand::voltage},
                 {"m/s^2", 1, Measurand::acceleration},
                 {"m/s\xC2\xB2", 1, Measurand::acceleration},
                 {"g", 9.80665, Measurand::acceleration},
                 {"rad/s2", 1, Measurand::acceleration}};
    for (const auto& [text, si, quantity] : cases) {
        const Unit* unit = find_unit(text);
        ASSERT_TRUE(unit) << text;
        EXPECT_NEAR(unit->factor, si, 1e-15 * si) << text;
        EXPECT_TRUE(fits(*unit, quantity)) << text;
    }
    for (const char* text : {"", "furlong", "NM", "kg", "mm/s/s/s", "Pa"}) EXPECT_FALSE(find_unit(text)) << text;
}
// Oracle: the symbols that messages and docs list.
TEST(FindUnit, EachListedSymbolIsTheSymbolOfItsUnit) {
    std::vector<std::string> symbols{"%", "counts", "1"};
    for (const MeasurandInfo& info : measurand_table()) {
        const std::string all = known_units(info.quantity);
        for (std::size_t begin = 0; begin < all.size();) {
            const std::size_t end = std::min(all.find(", ", begin), all.size());
            symbols.push_back(all.substr(begin, end - begin));
            begin = end + 2;
        }
    }
    EXPECT_GT(symbols.size(), 60u);
    for (const std::string& symbol : symbols) {
        const Unit* unit = find_unit_exactly(symbol);
        ASSERT_TRUE(unit) << symbol;
        EXPECT_EQ(unit->symbol, symbol);
    }
}

TEST(ColumnHead, SplitsNameAndUnit) {
    const struct {
        const char *text, *bare, *unit;
    } cases[] = {{"Position [mm]", "Position", "mm"},
                 {"Position (mm)", "Position", "mm"},
                 {"F / kN", "F", "kN"},
                 {"Force in N", "Force", "N"},
                 {"Force N", "Force", "N"},
                 {"t_s", "t", "s"},
                 {"v_mm_s", "v", "mm/s"},
                 {"a_m_s2", "a", "m/s^2"},
                 {"Sensor A", "Sensor A", ""},
                 {"i_a", "i_a", ""},
                 {"F [furlong]", "F", "furlong"},
                 {"x", "x", ""}};
    for (const auto& [text, bare, unit] : cases) {
        EXPECT_EQ(column_head(text).bare, bare) << text;
        EXPECT_EQ(column_head(text).unit, unit) << text;
    }
}

TEST(BestMatch, NamesTheQuantity) {
    const struct {
        const char* name;
        Measurand quantity;
    } cases[] = {{"t", Measurand::time},
                 {"Zeit [ms]", Measurand::time},
                 {"timestamp", Measurand::time},
                 {"qm_m", Measurand::position},
                 {"Encoder position [rev]", Measurand::position},
                 {"theta [deg]", Measurand::position},
                 {"Velocity actual value averaged", Measurand::velocity},
                 {"omega", Measurand::velocity},
                 {"Drehzahl [1/min]", Measurand::velocity},
                 {"speed", Measurand::velocity},
                 {"Friction [uN]", Measurand::force},
                 {"Load cell [N]", Measurand::force},
                 {"tau", Measurand::force},
                 {"MotorTorque [Nm]", Measurand::force},
                 {"Normal force [N]", Measurand::load},
                 {"Normal [uN]", Measurand::load},
                 {"i_a", Measurand::current},
                 {"Torque current [A]", Measurand::current},
                 {"v_in", Measurand::voltage},
                 {"vir_V", Measurand::voltage},
                 {"accel_g", Measurand::acceleration}};
    for (const auto& [name, quantity] : cases) {
        const auto best = best_match(column_head(name));
        ASSERT_TRUE(best) << name;
        EXPECT_EQ(name_of(best->quantity), std::string(name_of(quantity))) << name;
        EXPECT_FALSE(best->match.set_point) << name;
    }
    for (const char* name :
         {"qg_m", "position_ref [m]", "goal_position", "x_cmd", "Velocity demand value", "F soll [N]"})
        EXPECT_TRUE(best_match(column_head(name))->match.set_point) << name;
    for (const char* name :
         {"torque_enable", "temperature", "position error [m]", "friction coefficient", "mass [kg]", "n", "state"})
        EXPECT_FALSE(best_match(column_head(name))) << name;
}

TEST(RecordColumns, SetPointIsTakenOnlyIfNothingIsMeasured) {
    EXPECT_EQ(read("t,x_ref,x,F\n0,1,2,3\n1,2,2,3\n").columns.at(1).column, "x");
    EXPECT_EQ(read("t,x_ref,F\n0,1,3\n1,2,3\n").columns.at(1).column, "x_ref");
}
TEST(RecordColumns, WithoutUnitsAreInSiAndReported) {
    const Record linear = read("t,x,F\n0,1,3\n1,2,3\n");
    EXPECT_FALSE(linear.rotary);
    EXPECT_EQ(findings_of(linear, FindingKind::unit_guessed).size(), 3u);
    const Record rotary = read("t,angle,torque\n0,1,3\n1,2,3\n");
    EXPECT_TRUE(rotary.rotary);
    EXPECT_EQ(rotary.columns.at(1).unit, "rad");
    EXPECT_TRUE(read("t,position,torque [N m]\n0,1,3\n1,2,3\n").rotary);
}
TEST(RecordColumns, SpeedAndForceWithoutTimeAreACurve) {
    const Record curve = read("v [mm/s];F [N]\n5;3\n1;4\n-1;-4\n");
    EXPECT_TRUE(curve.is_curve());
    EXPECT_EQ(curve.rows(), 3u);
    EXPECT_EQ(curve.runs[0].force, (std::vector<double>{3, 4, -4}));
    EXPECT_DOUBLE_EQ(curve.runs[0].velocity[0], 5e-3);
}

// Raw 65 535 of 16 bits is -1; -1 * 7.4 V * 2/885 = -0.016723 V; sign -1.
TEST(RecordColumns, BitsTimesGainSignApplyInThisOrder) {
    RecordMap map;
    map[Measurand::voltage] = {
        .column = "load", .unit = "V", .sign = -1, .gain = 2.0 / 885, .bits = 16, .times = "volts"};
    map[Measurand::position].unit = "rad";
    const Record record = read("t,position,load,volts\n0,1,65535,7.4\n1,2,885,7\n2,3,32768,1\n3,3,32767,1\n", map);
    const auto& u = record.runs.at(0).voltage;
    EXPECT_DOUBLE_EQ(u.at(0), 7.4 * 2 / 885);
    EXPECT_DOUBLE_EQ(u[1], -14);
    EXPECT_DOUBLE_EQ(u[2], 32768 * 2.0 / 885);
    EXPECT_DOUBLE_EQ(u[3], -32767 * 2.0 / 885);
    EXPECT_TRUE(record.rotary);
}
TEST(RecordColumns, GearDividesMotionsAndMultipliesForces) {
    RecordMap map;
    for (const Measurand q : {Measurand::position, Measurand::velocity, Measurand::force}) map[q].gear = 50;
    const Record record = read("t [s],q [rad],v [rad/s],tau [N m]\n0,1,100,3\n1,2,100,3\n", map);
    EXPECT_DOUBLE_EQ(record.runs.at(0).position[1], 0.04);
    EXPECT_DOUBLE_EQ(record.runs[0].velocity[0], 2);
    EXPECT_DOUBLE_EQ(record.runs[0].force[0], 150);
}
TEST(RecordColumns, WrappedPositionIsUnwrapped) {
    RecordMap map;
    map[Measurand::position].wrap = 360;
    const Record record = read("t [s],q [deg],tau [N m]\n0,350,1\n1,355,1\n2,3,1\n3,10,1\n4,358,1\n5,340,1\n", map);
    const double expected[] = {350, 355, 363, 370, 358, 340};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(record.runs.at(0).position[i], expected[i] * pi / 180, 1e-14) << i;
}
TEST(RecordColumns, ByNameWithoutUnitAndRegardlessOfCase) {
    RecordMap map;
    map[Measurand::position].column = "ENCODER 2";
    EXPECT_EQ(read("t [s],Encoder 1 [mm],Encoder 2 [mm],F [N]\n0,1,2,3\n1,2,4,3\n", map).runs.at(0).position[1],
              4 * 1e-3);
}

TEST(SeveralFiles, AreRunsInTheirOrder) {
    const std::string a = table(clean_rows(20), "t [s],x [m],F [N]", ","),
                      b = table(clean_rows(30), "t [s];x [m];F [N]", ";");
    const Record record = read_record(std::vector<RecordText>{{"b.csv", b}, {"a.csv", a}}, {});
    ASSERT_EQ(record.runs.size(), 2u);
    EXPECT_EQ(record.runs[0].name.text(), "b.csv");
    EXPECT_EQ(record.runs[0].size(), 30u);
    EXPECT_EQ(record.runs[1].size(), 20u);
    EXPECT_EQ(record.columns.size(), 3u);
    EXPECT_EQ(findings_of(record, FindingKind::column_guessed).size(), 3u);
}
TEST(SeveralFiles, KeepTheChannelsThatAllOfThemHave) {
    const std::string with = "t,x,F,load\n0,1,2,5\n1,2,2,5\n", without = "t,x,F\n0,1,2\n1,2,2\n";
    for (const bool first : {true, false}) {  // the file that has the load
        const Record record = read_record(
            std::vector<RecordText>{{"a.csv", first ? with : without}, {"b.csv", first ? without : with}}, {});
        for (const MeasuredRun& run : record.runs) EXPECT_TRUE(run.load.empty());
        EXPECT_EQ(record.columns.size(), 3u);
        const auto dropped = findings_of(record, FindingKind::channel_dropped);
        ASSERT_EQ(dropped.size(), 1u);
        EXPECT_EQ(dropped[0].subject, "load");
        EXPECT_EQ(dropped[0].place, first ? "b.csv" : "a.csv");
        EXPECT_EQ(dropped[0].count, 1);
        // nothing else is reported of a channel that is not used
        for (const FitFinding& finding : record.findings)
            EXPECT_TRUE(finding.subject != "load" || finding.kind == FindingKind::channel_dropped)
                << name_of(finding.kind);
    }
}
TEST(SeveralFiles, AFileCutByAGapIsNamedWithoutItsParts) {
    std::string cut = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) cut += fixed(i < 30 ? i : i + 100, 2) + "," + std::to_string(i) + ",1\n";
    const Record record = read_record(
        std::vector<RecordText>{{"a.csv", "t [s],x [m],F [N],load [N]\n0,1,2,5\n1,2,2,5\n"}, {"b.csv", cut}}, {});
    ASSERT_EQ(record.runs.size(), 3u);
    const auto dropped = findings_of(record, FindingKind::channel_dropped);
    ASSERT_EQ(dropped.size(), 1u);
    EXPECT_EQ(dropped[0].place, "b.csv");
    EXPECT_EQ(dropped[0].count, 1);
}

// Oracle: 1 mm is 0.1 cm is 1e-3 m. Tolerance: rounding of one product.
TEST(SeveralFiles, EachIsConvertedByTheUnitThatItNames) {
    const Record record = read_record(std::vector<RecordText>{{"a.csv", "t [s],x [mm],F [N]\n0,1,2\n1,2,2\n"},
                                                              {"b.csv", "t [ms],x [cm],F [kN]\n0,0.1,2\n1000,0.2,2\n"},
                                                              {"c.csv", "t [s],x [m],F [N]\n0,0.001,2\n1,0.002,2\n"}},
                                      {});
    ASSERT_EQ(record.runs.size(), 3u);
    for (const MeasuredRun& run : record.runs) {
        EXPECT_DOUBLE_EQ(run.time[1], 1) << run.name.text();
        EXPECT_DOUBLE_EQ(run.position[1], 2e-3) << run.name.text();
    }
    EXPECT_DOUBLE_EQ(record.runs[1].force[0], 2000);
}
TEST(SeveralFiles, WithoutUnitsAreReportedOneByOne) {
    std::vector<RecordText> files;
    for (int i = 1; i <= 7; ++i) files.push_back({std::to_string(i) + ".csv", "t [s],x,F [N]\n0,1,2\n1,2,2\n"});
    const auto found = findings_of(read_record(files, {}), FindingKind::unit_guessed);
    ASSERT_EQ(found.size(), 6u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(found[i].place, std::to_string(i + 1) + ".csv: x");
        EXPECT_EQ(found[i].subject, "position");
        EXPECT_EQ(found[i].line, 1);
        EXPECT_EQ(found[i].unit, "m");
    }
    EXPECT_EQ(found[5].count, 2);
    EXPECT_EQ(found[5].line, 0);
    // one file: the place is the column
    files.resize(1);
    EXPECT_EQ(findings_of(read_record(files, {}), FindingKind::unit_guessed).at(0).place, "x");
}
TEST(SeveralFiles, ColumnsWithOtherNamesAreReported) {
    const auto found = findings_of(read_record(std::vector<RecordText>{{"a.csv", "t [s],x [m],F [N]\n0,1,2\n1,2,2\n"},
                                                                       {"b.csv", "t [s],pos [m],F [N]\n0,1,2\n1,2,2\n"},
                                                                       {"c.csv", "t [s],x [m],F [N]\n0,1,2\n1,2,2\n"}},
                                               {}),
                                   FindingKind::column_guessed);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[3].place, "b.csv: pos [m]");
    EXPECT_EQ(found[3].subject, "position");
}
// Times of day name no unit and need none.
TEST(SeveralFiles, TimesOfDayAndSecondsAreOneRecord) {
    const Record record =
        read_record(std::vector<RecordText>{{"a.csv", "t,x [m],F [N]\n12:00:00.0,1,2\n12:00:00.5,2,2\n"},
                                            {"b.csv", "t,x [m],F [N]\n0,1,2\n0.5,2,2\n"}},
                    {});
    EXPECT_EQ(record.runs.at(0).time, record.runs.at(1).time);
    EXPECT_EQ(findings_of(record, FindingKind::unit_guessed).at(0).place, "b.csv: t");
}

class Folder {
  public:
    Folder() {
        for (const char* name : {"10.csv", "2.csv", "n2.csv", "n10.csv", "a.txt", ".hidden.csv", "x[1].csv"})
            std::ofstream(path() / name) << "t,x,F\n0,1,2\n1,2,2\n";
        std::filesystem::create_directories(path() / "sub.csv");
    }
    std::vector<std::string> matching(const std::vector<std::string>& patterns) const {
        std::vector<std::string> full, names;
        for (const std::string& pattern : patterns) full.push_back((path() / pattern).string());
        for (const auto& file : matching_files(full)) names.push_back(file.filename().string());
        return names;
    }
    const std::filesystem::path& path() const { return folder_.path(); }

  private:
    bristle::test::TemporaryFolder folder_;
};
using Names = std::vector<std::string>;

TEST(MatchingFiles, AreSortedWithNumbersByValue) {
    const Folder folder;
    EXPECT_EQ(folder.matching({"*.csv"}), (Names{"2.csv", "10.csv", "n2.csv", "n10.csv", "x[1].csv"}));
    EXPECT_EQ(folder.matching({"n*.csv", "a.txt"}), (Names{"n2.csv", "n10.csv", "a.txt"}));
    EXPECT_EQ(folder.matching({"?.csv"}), (Names{"2.csv"}));
    EXPECT_EQ(folder.matching({"[0-9]*.csv"}), (Names{"2.csv", "10.csv"}));
    EXPECT_EQ(folder.matching({"[!0-9]?.csv"}), (Names{"n2.csv"}));
    EXPECT_EQ(folder.matching({"x[1].csv"}), (Names{"x[1].csv"}));
    EXPECT_EQ(folder.matching({"**.t*t"}), (Names{"a.txt"}));
}
TEST(MatchingFiles, ThrowIfNothingMatches) {
    const Folder folder;
    for (const char* pattern : {"missing.csv", "*.json", "nofolder/*.csv"})
        EXPECT_THROW(folder.matching({pattern, "2.csv"}), Error) << pattern;
    EXPECT_EQ(read_record({folder.path() / "2.csv", folder.path() / "10.csv"}, {}).runs.size(), 2u);
}

}  // namespace
