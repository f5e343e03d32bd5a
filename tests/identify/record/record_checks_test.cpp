// Checks of a measurement: each on a signal with a known fault of known size, and on the same signal without it.
#include "identify/record/checks.hpp"
#include "record_texts.hpp"

#include <numbers>
#include <random>

namespace {

using namespace record_texts;
using namespace bristle::record_detail;

constexpr double dt = 1e-3;  // s

std::vector<double> samples(std::size_t n, double (*f)(double)) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = f(dt * double(i));
    return x;
}
double identity(double t) { return t; }
double swing(double t) { return 0.01 * std::sin(2 * std::numbers::pi * 1.7 * t); }  // m
double swing_rate(double t) {
    return 0.01 * 2 * std::numbers::pi * 1.7 * std::cos(2 * std::numbers::pi * 1.7 * t);
}  // m/s
double friction(double t) { return 3 * std::tanh(swing_rate(t) / 0.01); }  // N

const std::vector<double> time_1khz = samples(5000, identity);
const std::vector<std::uint32_t> lines(5000, 7);

TEST(FindJitter, ReportsTheStandardDeviationOfThePeriod) {
    EXPECT_FALSE(find_jitter(time_1khz));
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 2e-5);
    std::vector<double> t = time_1khz;
    for (double& x : t) x += noise(random);
    const auto found = find_jitter(t);
    ASSERT_TRUE(found);
    // difference of two independent errors; standard error of a standard deviation from 5000 correlated values is about 1.5 %
    EXPECT_NEAR(found->value, 2e-5 * std::numbers::sqrt2, 0.05 * 2.8e-5);
    EXPECT_NEAR(found->other, found->value / dt, 1e-3);
}

// Oracle: rows taken out of an even time. Tolerance: rounding of times of 60 s.
TEST(FindLostRows, CountsTheMissingRowsAndNamesTheFirstPlace) {
    std::vector<double> t = samples(60000, identity);
    std::vector<std::uint32_t> line(60000);
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = std::uint32_t(i + 2);
    EXPECT_FALSE(find_lost_rows(t, line));
    for (const std::size_t i : {50001u, 50000u, 20000u}) {
        t.erase(t.begin() + std::ptrdiff_t(i));
        line.pop_back();  // the file lacks them too: lines go on without a gap
    }
    EXPECT_FALSE(find_jitter(t));  // 0.8 % of the period
    const auto found = find_lost_rows(t, line);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 3);
    EXPECT_EQ(found->line, 20002);
    EXPECT_NEAR(found->value, 3e-3, 1e-12);
    EXPECT_EQ(found->unit, "s");
}
TEST(FindLostRows, IgnoresJitterBelowSeventyPercentAndShortRecords) {
    std::vector<double> t = time_1khz;
    for (std::size_t i = 1; i < t.size(); i += 2) t[i] += 0.3 * dt;
    EXPECT_FALSE(find_lost_rows(t, lines));
    EXPECT_FALSE(find_lost_rows({0, 1, 2, 4}, {1, 2, 3, 4}));
}
// A ratio of periods that no integer holds: the count is limited to 1e6 rows per interval.
TEST(FindLostRows, CountIsLimited) {
    std::vector<double> t;
    for (int i = 0; i < 12; ++i) t.push_back(1e-300 * i);
    t.push_back(1);
    EXPECT_EQ(find_lost_rows(t, lines).value().count, 999999);
}
TEST(FindLostRows, IsPartOfTheChecksOfARecord) {
    std::string text = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) text += fixed(i < 30 ? i : i + 18, 2) + "," + std::to_string(i) + ",1\n";
    const auto found = findings_of(read(text), FindingKind::rows_lost);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].subject, "time");
    EXPECT_EQ(found[0].place, "axis.csv");
    EXPECT_EQ(found[0].count, 18);
    EXPECT_EQ(found[0].line, 32);
    EXPECT_NEAR(found[0].value, 0.19, 1e-12);
    // more than 20 periods: a gap, not lost rows
    std::string gap = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) gap += fixed(i < 30 ? i : i + 100, 2) + "," + std::to_string(i) + ",1\n";
    EXPECT_TRUE(findings_of(read(gap), FindingKind::rows_lost).empty());
}

// Oracle: three rows with cells that are not numbers and one with NaN, left out of an even time; then two rows taken out of the file.
TEST(FindLostRows, DoesNotCountRowsThatWereLeftOut) {
    std::string text = "t [s],x [m],F [N]\n", lost = text;
    for (int i = 0; i < 50; ++i) {
        const bool bad = i >= 20 && i < 23;
        const std::string row = fixed(i, 2) + "," + (bad ? "---" : i == 40 ? "nan" : std::to_string(i)) + ",1\n";
        text += row;
        if (i != 30 && i != 31) lost += row;
    }
    const Record record = read(text);
    EXPECT_EQ(findings_of(record, FindingKind::row_rejected).size(), 3u);
    EXPECT_EQ(findings_of(record, FindingKind::not_a_number).size(), 1u);
    EXPECT_TRUE(findings_of(record, FindingKind::rows_lost).empty());
    const auto found = findings_of(read(lost), FindingKind::rows_lost);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_NEAR(found[0].value, 0.03, 1e-12);
}
// Other lines between all rows are not rows that were left out: every second line is a comment.
TEST(FindLostRows, CountsThemAlsoWithCommentsBetweenTheRows) {
    std::string text = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) text += fixed(i < 30 ? i : i + 2, 2) + "," + std::to_string(i) + ",1\n# mark\n";
    const auto found = findings_of(read(text), FindingKind::rows_lost);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 2);
}

// A line that is not a row stands in the place of a lost row: it is not the row that is missing.
TEST(FindLostRows, CountsALostRowWithAnotherLineInItsPlace) {
    for (const char* line : {"# overrun\n", "\n", "# overrun\n# overrun\n"}) {
        std::string text = "t [s],x [m],F [N]\n";
        for (int i = 0; i < 50; ++i) text += i == 25 ? line : fixed(i, 3) + "," + std::to_string(i) + ",1\n";
        const auto found = findings_of(read(text), FindingKind::rows_lost);
        ASSERT_EQ(found.size(), 1u) << line;
        EXPECT_EQ(found[0].count, 1);
    }
}
// Oracle: 12 bad rows (more than are listed one by one) and one whose time falls, with a comment after every row; then the row after the
// bad ones is lost too.
TEST(FindLostRows, DoesNotCountRejectedRowsBetweenComments) {
    std::string text = "t [s],x [m],F [N]\n", lost = text;
    for (int i = 0; i < 60; ++i) {
        const bool bad = i >= 20 && i < 32;
        const std::string row =
            fixed(i == 45 ? 1 : i, 2) + "," + (bad ? "---" : std::to_string(i)) + ",1\n# mark\n# mark\n";
        text += row;
        lost += i == 32 ? "# mark\n" : row;
    }
    const Record record = read(text);
    EXPECT_EQ(findings_of(record, FindingKind::row_rejected).size(), 6u);  // five, and the number of the others
    EXPECT_EQ(findings_of(record, FindingKind::time_backward).size(), 1u);
    EXPECT_TRUE(findings_of(record, FindingKind::rows_lost).empty());
    const auto found = findings_of(read(lost), FindingKind::rows_lost);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 1);
}

TEST(FindSaturation, NeedsASequenceAtTheLimit) {
    std::vector<double> f = samples(5000, friction);
    EXPECT_FALSE(find_saturation(f, lines));
    std::size_t clipped = 0;
    for (double& x : f)
        if (x > 2.5) x = 2.5, ++clipped;
    const auto found = find_saturation(f, lines);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, long(clipped));
    EXPECT_EQ(found->value, 2.5);
    EXPECT_EQ(found->line, 7);
}
TEST(FindSaturation, IgnoresAnIdleDriveAndAConstant) {
    std::vector<double> idle = samples(5000, friction);
    for (double& x : idle) x = std::max(x, 0.0);  // rests at its smallest value, 0
    EXPECT_FALSE(find_saturation(idle, lines));
    EXPECT_FALSE(find_saturation(std::vector<double>(5000, 2.0), lines));
}

// Oracle: two numbers put into a signal of 3 N; a step, a short pulse of three rows and noise of a tenth are none.
TEST(FindOutliers, NamesRowsFarFromTheirNeighbours) {
    std::vector<double> f = samples(5000, friction);
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 0.3);
    for (double& x : f) x += noise(random);
    EXPECT_FALSE(find_outliers(f, lines));
    for (std::size_t i = 2000; i < 2003; ++i) f[i] = 9;
    EXPECT_FALSE(find_outliers(f, lines));
    f[1200] = 999;
    f[3000] = -999;
    const auto found = find_outliers(f, lines);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 2);
    EXPECT_EQ(found->value, 999);
    EXPECT_NEAR(found->other, friction(1.2), 1.5);
    EXPECT_EQ(found->line, 7);
    EXPECT_FALSE(find_outliers(std::vector<double>(5000, 1.0), lines));
}

TEST(FindResolution, ReturnsTheStepOfAnEncoder) {
    std::vector<double> x = samples(5000, swing);
    EXPECT_FALSE(find_resolution(time_1khz, x));
    for (double& value : x) value = 2e-5 * std::round(value / 2e-5);
    const auto found = find_resolution(time_1khz, x);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, 2e-5, 1e-12);  // rounding of positions of 0.01 m
    EXPECT_NEAR(found->other, 2e-2, 1e-9);   // m/s: one step in 1 ms
}
TEST(FindResolution, IsNotTheStepOfAConstantSpeed) {
    EXPECT_FALSE(find_resolution(time_1khz, samples(5000, [](double t) { return 0.1 * t; })));
}

TEST(FindWrongSign, ReportsAForceThatDrivesTheMotion) {
    MeasuredRun run;
    run.time = time_1khz;
    run.position = samples(5000, swing);
    run.force = samples(5000, friction);
    run.line = lines;
    EXPECT_FALSE(find_wrong_sign(displacement_steps(run), run.force));
    for (double& f : run.force) f = -f;
    const auto found = find_wrong_sign(displacement_steps(run), run.force);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, -1, 1e-3);  // all of its work has one sign, except within a row of a reversal
    run.position.clear();
    run.velocity = samples(5000, swing_rate);
    EXPECT_TRUE(find_wrong_sign(displacement_steps(run), run.force));
    // inertial force: no work over whole periods
    run.force = samples(5000, [](double t) { return -swing(t); });
    EXPECT_FALSE(find_wrong_sign(displacement_steps(run), run.force));
}

TEST(FindUnitMismatch, ReturnsTheFactorOfTheVelocityColumn) {
    const std::vector<double> x = samples(5000, swing), v = samples(5000, swing_rate);
    EXPECT_FALSE(find_unit_mismatch(time_1khz, x, v));
    for (const double factor : {1000.0, 0.001, 60.0, 1.2, -1.0}) {
        std::vector<double> wrong = v;
        for (double& value : wrong) value *= factor;
        const auto found = find_unit_mismatch(time_1khz, x, wrong);
        ASSERT_TRUE(found) << factor;
        EXPECT_NEAR(found->value, factor, 1e-3 * std::abs(factor));  // trapezoidal rule at 1.7 Hz and 1 kHz: 1e-5
    }
}

TEST(FindVelocityLag, ReturnsTheDelayInSeconds) {
    const std::vector<double> x = samples(5000, swing);
    EXPECT_FALSE(find_velocity_lag(time_1khz, x, samples(5000, swing_rate)));
    std::vector<double> late(5000);
    for (const double delay : {1.5e-3, 4e-3, 20e-3}) {
        for (std::size_t i = 0; i < late.size(); ++i) late[i] = swing_rate(dt * double(i) - delay);
        const auto found = find_velocity_lag(time_1khz, x, late);
        ASSERT_TRUE(found) << delay;
        EXPECT_NEAR(found->value, delay, 0.1 * dt);  // a tenth of a sample: the correlation is a parabola near its top
        EXPECT_NEAR(found->other, delay / dt, 0.1);
    }
}
TEST(FindVelocityLag, IsNotFoundInNoise) {
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 1);
    std::vector<double> v(5000);
    for (double& value : v) value = noise(random);
    EXPECT_FALSE(find_velocity_lag(time_1khz, samples(5000, swing), v));
}

// Time in a file.
TEST(TimeOrder, BackwardAndRepeatedRowsAreLeftOutAndNamed) {
    const Record record = read("t [s],x [m],F [N]\n0,0,1\n1,1,1\n0.5,2,1\n1,3,1\n2,4,1\n2,5,1\n3,6,1\n");
    EXPECT_EQ(record.runs.at(0).position, (std::vector<double>{0, 1, 4, 6}));
    const auto backward = findings_of(record, FindingKind::time_backward),
               repeated = findings_of(record, FindingKind::time_repeated);
    ASSERT_EQ(backward.size(), 1u);
    EXPECT_EQ(backward[0].line, 4);
    EXPECT_EQ(backward[0].value, -0.5);
    ASSERT_EQ(repeated.size(), 2u);
    EXPECT_EQ(repeated[0].line, 5);
    EXPECT_EQ(repeated[1].line, 7);
}
TEST(TimeOrder, GapOfMoreThanTwentyPeriodsCutsTheRun) {
    std::string text = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) text += fixed(i < 30 ? i : i + 100, 2) + "," + std::to_string(i) + ",1\n";
    const Record record = read(text);
    ASSERT_EQ(record.runs.size(), 2u);
    EXPECT_EQ(record.runs[0].size(), 30u);
    EXPECT_EQ(record.runs[1].size(), 20u);
    EXPECT_EQ(record.runs[0].name, (RunName{"axis.csv", 1}));
    EXPECT_EQ(record.runs[0].name.text(), "axis.csv part 1");
    EXPECT_EQ(record.runs[1].position.front(), 30);
    EXPECT_EQ(record.runs[1].line.front(), 32u);
    const auto gap = findings_of(record, FindingKind::time_gap);
    ASSERT_EQ(gap.size(), 1u);
    EXPECT_EQ(gap[0].line, 32);
    EXPECT_NEAR(gap[0].value, 1.01, 1e-12);
    // 19 periods are no gap
    std::string near = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 50; ++i) near += fixed(i < 30 ? i : i + 18, 2) + "," + std::to_string(i) + ",1\n";
    EXPECT_EQ(read(near).runs.size(), 1u);
}
TEST(TimeOrder, SecondRecordingInTheSameFileIsARunOfItsOwn) {
    const std::string rows = table(clean_rows(50), "", ",");
    const Record record = read("t [s],x [m],F [N]\n" + rows + rows);
    ASSERT_EQ(record.runs.size(), 2u);
    EXPECT_EQ(record.runs[0].time, record.runs[1].time);
    EXPECT_EQ(record.runs[0].position, record.runs[1].position);
    ASSERT_EQ(findings_of(record, FindingKind::time_backward).size(), 1u);
    EXPECT_EQ(findings_of(record, FindingKind::time_backward)[0].line, 52);
}
TEST(TimeOrder, FromToAndWhereMarkRowsAsNotUsed) {
    RecordMap map;
    map.from = 1;
    map.to = 3;
    map.where = "on";
    const Record record = read("t [s],x [m],F [N],on\n0,0,1,1\n1,1,1,1\n2,2,1,0\n3,3,1,TRUE\n4,4,1,1\n", map);
    EXPECT_EQ(record.runs.at(0).size(), 5u);
    EXPECT_EQ(record.runs[0].used, (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
}

}  // namespace
