// Published records, if their folder is there: BRISTLE_DATA, or ../shared/data beside the project. They are not part of the
// repository. Oracle: the figures of the SOURCE.md beside each record.
#include "../data_folder.hpp"
#include "record_texts.hpp"

#include <algorithm>

namespace {

using namespace record_texts;
class RealRecords : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_data("emps")) GTEST_SKIP() << no_data("emps");
    }
    static Record read_data(const std::vector<std::string>& patterns, const RecordMap& map = {}) {
        std::vector<std::string> full;
        for (const std::string& pattern : patterns) full.push_back((data_folder() / pattern).string());
        return read_record(matching_files(full), map);
    }
    static double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
    static double smallest(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }
};

// 24 841 rows at 1 kHz for 24.84 s; force = 35.15065 N/V times voltage.
TEST_F(RealRecords, EmpsHasTheEncoderAndNotTheReference) {
    RecordMap map;
    map[Measurand::force] = {.column = "vir_V", .unit = "N", .gain = 35.15065};
    const Record record = read_data({"emps/DATA_EMPS.csv"}, map);
    ASSERT_EQ(record.runs.size(), 1u);
    const MeasuredRun& run = record.runs[0];
    EXPECT_EQ(run.size(), 24841u);
    EXPECT_NEAR(run.time.back(), 24.84, 1e-9);
    EXPECT_EQ(record.columns.at(1).column, "qm_m");
    EXPECT_EQ(run.position[1], 1.4299999999999999e-05);             // second row of the file
    EXPECT_DOUBLE_EQ(run.force[0], 35.15065 * 2.5386280888756465);  // first row of the file
    EXPECT_TRUE(run.voltage.empty());
    EXPECT_FALSE(record.rotary);
    EXPECT_TRUE(findings_of(record, FindingKind::sign_suspect).empty());
    EXPECT_TRUE(findings_of(record, FindingKind::jitter).empty());
    EXPECT_TRUE(findings_of(record, FindingKind::row_rejected).empty());
}

// 42 579 rows at 200 Hz, load 5 N, |friction| up to 2.6 N against the motion, position step 1e-4 mm.
TEST_F(RealRecords, TribometerHasItsForceAgainstTheMotion) {
    const Record record = read_data({"tribometer_presliding/test_data_2.txt"});
    EXPECT_EQ(record.rows(), 42579u);
    const MeasuredRun& run = record.runs.at(0);
    EXPECT_NEAR(largest(run.load), 5, 0.01);
    EXPECT_NEAR(std::max(largest(run.force), -smallest(run.force)), 2.6, 0.05);
    ASSERT_EQ(findings_of(record, FindingKind::sign_suspect).size(), 1u);
    const auto step = findings_of(record, FindingKind::coarse_position);
    ASSERT_EQ(step.size(), 1u);
    EXPECT_NEAR(step[0].value, 1e-7, 1e-10);  // m
    EXPECT_NEAR(step[0].other, 2e-5, 1e-7);   // m/s at 200 Hz
    // 179 of its 42 578 periods are 10 ms instead of 5 ms; counted in the file
    const auto lost = findings_of(record, FindingKind::rows_lost);
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_EQ(lost[0].count, 179);
    EXPECT_NEAR(lost[0].value, 0.01, 1e-9);
    RecordMap map;
    map[Measurand::force].sign = -1;
    map.from = 8.5;
    map.to = 206;
    const Record right = read_data({"tribometer_presliding/test_data_2.txt"}, map);
    EXPECT_TRUE(findings_of(right, FindingKind::sign_suspect).empty());
    EXPECT_EQ(right.runs.at(0).used.front(), 0);
    EXPECT_EQ(right.runs[0].used[10000], 1);
}

RecordMap drive_map() {
    RecordMap map;
    map[Measurand::velocity].sign = -1;
    map[Measurand::force] = {.unit = "N m", .sign = -1, .gain = 9.84e-5};
    return map;
}
// 500 rows per file; the percentage needs a gain.
TEST_F(RealRecords, ScrewDrivesNeedAGainForPercent) {
    try {
        read_data({"screw_drives/driveNo1/steady_state/0.096kg/100.csv"});
        FAIL() << "was read without a gain";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("column 3 'Torque actual value averaged': the unit %"),
                  std::string::npos)
            << error.what();
    }
    const Record record = read_data({"screw_drives/driveNo1/steady_state/0.096kg/*.csv"}, drive_map());
    EXPECT_EQ(record.runs.size(), 32u);
    EXPECT_EQ(record.rows(), 32u * 500u);
    EXPECT_TRUE(record.rotary);
    const auto file = std::find_if(record.runs.begin(), record.runs.end(),
                                   [](const auto& run) { return run.name.file.ends_with("/100.csv"); });
    ASSERT_NE(file, record.runs.end());
    double mean = 0;
    for (const double v : file->velocity) mean += v / 500;
    EXPECT_NEAR(mean, 100 * 2 * 3.14159265358979 / 60, 0.2);  // 100 rpm in rad/s, held within 2 %
    EXPECT_NEAR(file->time[1], 0.0128, 1e-12);
    EXPECT_EQ(read_data({"screw_drives/driveNo2/steady_state/0.096kg/*.csv"}, drive_map()).runs.size(), 30u);
}
// The first rows of 1.csv, 2.csv and n1.csv have an annotation and a wrong value.
TEST_F(RealRecords, CorruptRowsOfDrive3AreNamed) {
    const Record record = read_data({"screw_drives/driveNo3/steady_state/0.096kg/*.csv"}, drive_map());
    EXPECT_EQ(record.runs.size(), 46u);
    EXPECT_EQ(record.rows(), 46u * 500u - 3u);
    const auto rejected = findings_of(record, FindingKind::row_rejected);
    ASSERT_EQ(rejected.size(), 3u);
    for (const FitFinding& finding : rejected) EXPECT_EQ(finding.line, 15);
    EXPECT_TRUE(rejected[0].place.ends_with("/1.csv"));
    EXPECT_TRUE(rejected[1].place.ends_with("/2.csv"));
    EXPECT_TRUE(rejected[2].place.ends_with("/n1.csv"));
    // at most 100 % of the rated torque remains
    for (const MeasuredRun& run : record.runs)
        EXPECT_LT(std::max(largest(run.force), -smallest(run.force)), 9.84e-3) << run.name.text();
}

// Lists of six numbers: s, in, kip, in/s, lb, lb at 1024 Hz; amplitude 1 in, 20 kN.
TEST_F(RealRecords, FrictionDamperIsReadByColumnNumber) {
    RecordMap map;
    map.table = "data";
    map[Measurand::time].column = "1";
    map[Measurand::position] = {.column = "2", .unit = "in"};
    map[Measurand::force] = {.column = "3", .unit = "kip"};
    const Record record = read_data({"brfd_damper/1Hz30lbtension1amplitude.json"}, map);
    const MeasuredRun& run = record.runs.at(0);
    EXPECT_EQ(run.size(), 7169u);
    EXPECT_EQ(run.time.back(), 7);
    EXPECT_NEAR(largest(run.position), 0.0254, 0.001);
    EXPECT_LT(largest(run.force), 20000);
    EXPECT_GT(largest(run.force), 9000);
}

// 0.49 kg pendulum, 16 runs of 6 s planned, 15 present; load is a signed 16 bit number, +-885 is full scale; speed lags.
TEST_F(RealRecords, ServoLogsGiveTheMotorVoltage) {
    RecordMap map;
    map.table = "entries";
    map.where = "torque_enable";
    map[Measurand::position].unit = "rad";
    map[Measurand::voltage] = {.column = "load", .unit = "V", .gain = 1.0 / 885, .bits = 16, .times = "input_volts"};
    const Record record = read_data({"bam_servo/xl330_raw/*.json"}, map);
    EXPECT_TRUE(record.rotary);
    EXPECT_EQ(record.runs.size(), 15u);
    for (const MeasuredRun& run : record.runs) {
        EXPECT_NEAR(run.time.back(), 6, 0.01) << run.name.text();
        const double rate = double(run.size() - 1) / (run.time.back() - run.time.front());
        EXPECT_GT(rate, 180) << run.name.text();
        EXPECT_LT(rate, 290) << run.name.text();
        EXPECT_LE(largest(run.voltage), 9) << run.name.text();  // supply of 7.4 V
        EXPECT_GE(smallest(run.voltage), -9) << run.name.text();
    }
    EXPECT_FALSE(findings_of(record, FindingKind::jitter).empty());
    EXPECT_GE(findings_of(record, FindingKind::velocity_lags).size(), 10u);
    // lift_and_drop switches the torque off
    const auto& drop = record.runs.at(1).used;
    EXPECT_GT(std::count(drop.begin(), drop.end(), 0), 100);
    EXPECT_EQ(std::count(record.runs[0].used.begin(), record.runs[0].used.end(), 0), 0);
}

}  // namespace
