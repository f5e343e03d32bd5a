// Preparation of a record: grid, derivatives, hold-out, delay.
#include "identify/signals/prepare.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace bristle::inline identification {
namespace {

using Signal = std::function<double(double)>;

MeasuredRun run_of(const std::vector<double>& time, const Signal& position, const Signal& force,
                   RunName name = {"run"}) {
    MeasuredRun run;
    run.name = std::move(name);
    for (const double t : time) {
        run.time.push_back(t);
        run.position.push_back(position(t));
        run.force.push_back(force(t));
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(run.line.size() + 2));
    }
    return run;
}
std::vector<double> even(std::size_t n, double dt) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = double(i) * dt;
    return out;
}
Record record_of(std::vector<MeasuredRun> runs) {
    Record out;
    out.runs = std::move(runs);
    return out;
}
FitOptions with_inertia() {
    FitOptions options;
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    return options;
}
const Signal zero = [](double) { return 0.0; };

// Oracle: five-point differences are exact for polynomials up to degree 4, the second derivative up to degree 5.
// Tolerance: rounding of x of order 1 divided by dt and dt^2.
TEST(Prepare, VelocityAndAccelerationOfAQuarticWithoutFilterAreExact) {
    const Signal x = [](double t) { return 0.3 - t + 2 * t * t - 3 * t * t * t + 4 * t * t * t * t; };
    const Prepared rows = prepare(record_of({run_of(even(101, 0.01), x, zero)}), with_inertia(), 0.0);
    ASSERT_EQ(rows.rows(), 101u);
    EXPECT_EQ(rows.bandwidth, 0);
    for (std::size_t i = 2; i + 2 < 101; ++i) {
        const double t = rows.t[i];
        ASSERT_NEAR(rows.v[i], -1 + 4 * t - 9 * t * t + 16 * t * t * t, 1e-12) << i;
        ASSERT_NEAR(rows.a[i], 4 - 18 * t + 48 * t * t, 1e-10) << i;
    }
}

// Oracle: central differences of three points are exact for parabolas, hence also next to the ends. Tolerance: rounding.
TEST(Prepare, DerivativesOfAParabolaAreExactUpToTheSecondRow) {
    const Signal x = [](double t) { return 1 - 2 * t + 3 * t * t; };
    const Prepared rows = prepare(record_of({run_of(even(50, 0.01), x, zero)}), with_inertia(), 0.0);
    for (std::size_t i = 1; i + 1 < 50; ++i) {
        ASSERT_NEAR(rows.v[i], -2 + 6 * rows.t[i], 1e-12) << i;
        ASSERT_NEAR(rows.a[i], 6, 1e-10) << i;
    }
}

// Oracle: the trapezium rule is exact for a linear velocity. Tolerance: rounding.
TEST(Prepare, ARecordWithoutPositionIntegratesItsVelocity) {
    MeasuredRun run = run_of(even(80, 0.01), zero, zero);
    run.position.clear();
    for (const double t : run.time) run.velocity.push_back(2 - 3 * t);
    const Prepared rows = prepare(record_of({run}), with_inertia(), 0.0);
    for (std::size_t i = 0; i < 80; ++i)
        ASSERT_NEAR(rows.x[i], 2 * rows.t[i] - 1.5 * rows.t[i] * rows.t[i], 1e-13) << i;
    for (std::size_t i = 1; i + 1 < 80; ++i) ASSERT_NEAR(rows.a[i], -3, 1e-11) << i;
}

// Oracle: documentation: motion and force pass the same filter; a tenth of the sample rate if none is asked for.
// Tolerance: exact, the filter is the same class (tested against SciPy).
TEST(Prepare, ForceAndPositionPassTheSameFilter) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<double> noise(400);
    for (double& e : noise) e = normal(random);
    const Signal sample = [&](double t) { return noise[std::size_t(std::lround(t * 1000))]; };
    const Prepared rows = prepare(record_of({run_of(even(400, 1e-3), sample, sample)}), {}, std::nullopt);
    EXPECT_NEAR(rows.bandwidth, 100, 1e-9);  // Hz; rounding of the period
    EXPECT_NEAR(rows.sample_rate, 1000, 1e-8);
    std::vector<double> expected = noise;
    ZeroPhaseFilter(rows.bandwidth, rows.sample_rate).apply(expected);
    for (std::size_t i = 0; i < 400; ++i) {
        ASSERT_NEAR(rows.x[i], expected[i], 1e-12) << i;
        ASSERT_NEAR(rows.y[i], expected[i], 1e-12) << i;
    }
}

// Oracle: a cubic through four samples reproduces a cubic on every grid; the force is interpolated linearly.
// Tolerance: rounding; the first and the last interval are linear and not compared.
TEST(Prepare, ARecordWithJitterIsResampledWithPositionsExactForACubic) {
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> shift(-0.2e-3, 0.2e-3);
    std::vector<double> time = even(300, 1e-3);
    for (std::size_t i = 1; i + 1 < time.size(); ++i) time[i] += shift(random);
    const Signal x = [](double t) { return 1 + t - 5 * t * t + 20 * t * t * t; };
    const Signal y = [](double t) { return 4 - 7 * t; };
    const Prepared rows = prepare(record_of({run_of(time, x, y)}), {}, 0.0);
    ASSERT_GT(rows.rows(), 250u);
    for (std::size_t i = 3; i + 4 < rows.rows(); ++i) {
        ASSERT_NEAR(rows.t[i] - rows.t[i - 1], rows.runs[0].dt, 1e-12);
        ASSERT_NEAR(rows.x[i], x(rows.t[i]), 1e-13) << i;
        ASSERT_NEAR(rows.y[i], y(rows.t[i]), 1e-13) << i;
    }
}

// Oracle: documentation: jitter up to 1 % of the period is left as it is; the rows are the measured ones.
TEST(Prepare, ARecordWithLittleJitterKeepsItsRows) {
    std::vector<double> time = even(100, 1e-3);
    time[50] += 5e-6;
    const Signal x = [](double t) { return 2 * t; };
    const Prepared rows = prepare(record_of({run_of(time, x, zero)}), {}, 0.0);
    ASSERT_EQ(rows.rows(), 100u);
    EXPECT_EQ(rows.x[50], 2 * time[50]);
}

// Oracle: documentation: one period of the bandwidth at each end is not compared, nor rows that the map leaves out, nor slow ones.
TEST(Prepare, EdgesUnusedRowsAndSlowRowsAreNotCompared) {
    MeasuredRun run = run_of(
        even(1000, 1e-3), [](double t) { return std::sin(2 * std::numbers::pi * t); }, zero);
    for (std::size_t i = 400; i < 420; ++i) run.used[i] = 0;
    FitOptions options;
    options.min_speed = 1;
    const Prepared rows = prepare(record_of({run}), options, 50.0);
    for (std::size_t i = 0; i < 1000; ++i) {
        const bool edge = i < 20 || i >= 980, unused = i >= 400 && i < 420, slow = std::abs(rows.v[i]) < 1;
        ASSERT_EQ(bool(rows.compared[i]), !edge && !unused && !slow) << i;
    }
    EXPECT_NEAR(rows.max_speed, 2 * std::numbers::pi,
                2e-3);  // 2 pi cos(2 pi t) with t = 0 and 1 s left out: the maximum is at 0.5 s
    EXPECT_NEAR(rows.travel, 2, 1e-3);
}

// Oracle: positions are multiples of 1 um by construction. Tolerance: rounding.
TEST(Prepare, FindsTheStepOfAnEncoder) {
    const Signal coarse = [](double t) { return 1e-6 * std::round(5e-3 * std::sin(7 * t) / 1e-6); };
    const Signal fine = [](double t) { return 5e-3 * std::sin(7 * t); };
    EXPECT_NEAR(prepare(record_of({run_of(even(900, 1e-3), coarse, zero)}), {}, 0.0).resolution, 1e-6, 1e-15);
    EXPECT_EQ(prepare(record_of({run_of(even(900, 1e-3), fine, zero)}), {}, 0.0).resolution, 0);
}

// Oracle: eight runs with a speed each, mean force 3 + 2 v by construction. Tolerance: rounding of a mean.
TEST(Prepare, RunsAtOneSteadySpeedEachBecomePoints) {
    std::vector<MeasuredRun> runs;
    for (int k = 1; k <= 8; ++k) {
        const double v = k % 2 ? 0.1 * k : -0.1 * k;
        MeasuredRun run =
            run_of(even(40, 0.01), zero, [&](double) { return 3 + 2 * v; }, {"speed" + std::to_string(k)});
        run.position.clear();
        run.velocity.assign(40, v);
        runs.push_back(run);
    }
    const Record record = record_of(runs);
    EXPECT_TRUE(is_steady(record));
    const Prepared rows = prepare(record, {}, std::nullopt);
    EXPECT_TRUE(rows.points);
    ASSERT_EQ(rows.rows(), 8u);
    for (std::size_t i = 0; i < 8; ++i) ASSERT_NEAR(rows.y[i], 3 + 2 * rows.v[i], 1e-13);
}

// Oracle: a sine has no steady speed.
TEST(Prepare, RunsThatOscillateAreNotPoints) {
    std::vector<MeasuredRun> runs;
    for (int k = 1; k <= 8; ++k) {
        MeasuredRun run = run_of(even(400, 0.01), zero, zero);
        run.position.clear();
        for (const double t : run.time) run.velocity.push_back(std::sin(k * t));
        runs.push_back(run);
    }
    EXPECT_FALSE(is_steady(record_of(runs)));
    EXPECT_EQ(prepare(record_of(runs), {}, std::nullopt).runs.size(), 8u);
}

Prepared two_runs() {
    const Signal x = [](double t) { return std::sin(9 * t); };
    return prepare(
        record_of({run_of(even(200, 0.01), x, x, {"day1/a.csv"}), run_of(even(100, 0.01), x, x, {"day2/b.csv"})}), {},
        0.0);
}

// Oracle: the last 30 % of 200 and of 100 rows.
TEST(HoldOutRows, OfAFractionAreTheEndOfEachRun) {
    Prepared rows = two_runs();
    EXPECT_TRUE(mark_held_out(rows, {.fraction = 0.3}));
    for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(bool(rows.held_out[i]), (i >= 140 && i < 200) || i >= 270) << i;
}

// Oracle: the names of the runs; a pattern without folder matches in every folder.
TEST(HoldOutRows, OfNamedRunsAreWholeRuns) {
    for (const char* pattern : {"day2/b.csv", "b.csv", "*b*", "day2/?.csv"}) {
        Prepared rows = two_runs();
        EXPECT_TRUE(mark_held_out(rows, {.fraction = 0.3, .runs = {pattern}}));
        for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(bool(rows.held_out[i]), i >= 200) << pattern << " " << i;
    }
}

// Oracle: the parts of a file that a gap cuts have its name and a number.
TEST(HoldOutRows, OfACutFileAreItsParts) {
    const Signal x = [](double t) { return std::sin(9 * t); };
    const Record record =
        record_of({run_of(even(100, 0.01), x, x, {"day1/a.csv", 1}), run_of(even(100, 0.01), x, x, {"day1/a.csv", 2}),
                   run_of(even(100, 0.01), x, x, {"day1/b.csv"})});
    const auto expect_held_out = [&](const char* pattern, bool first, bool second) {
        Prepared rows = prepare(record, {}, 0.0);
        EXPECT_TRUE(mark_held_out(rows, {.fraction = 0, .runs = {pattern}})) << pattern;
        EXPECT_EQ(bool(rows.held_out[50]), first) << pattern;
        EXPECT_EQ(bool(rows.held_out[150]), second) << pattern;
        EXPECT_FALSE(rows.held_out[250]) << pattern;
    };
    for (const char* pattern : {"a.csv", "day1/a.csv", "[a]*.csv", "?.csv part ?"})
        expect_held_out(pattern, true, true);
    expect_held_out("a.csv part 2", false, true);
    expect_held_out("*1", true, false);
}

// Oracle: a backtracking search would need 2^30 comparisons and more; the linear one takes microseconds.
TEST(HoldOutRows, ManyStarsInAPatternTakeNoTime) {
    const Signal x = [](double t) { return std::sin(9 * t); };
    Prepared rows = prepare(record_of({run_of(even(200, 0.01), x, x, {std::string(120, 'a')})}), {}, 0.0);
    std::string pattern;
    for (int i = 0; i < 20; ++i) pattern += "*a";
    EXPECT_FALSE(mark_held_out(rows, {.fraction = 0, .runs = {pattern + "b"}}));
    EXPECT_FALSE(rows.held_out[0]);
}

// Oracle: no row held out leaves nothing to test; all held out leave nothing to fit.
TEST(HoldOutRows, AreNotUsedIfOneSideIsEmpty) {
    Prepared rows = two_runs();
    EXPECT_FALSE(mark_held_out(rows, {.fraction = 0}));
    EXPECT_FALSE(mark_held_out(rows, {.fraction = 0, .runs = {"*"}}));
    EXPECT_FALSE(mark_held_out(rows, {.fraction = 0, .runs = {"no such run"}}));
}

// Oracle: of 30 points every third in the order of their speeds, so that all speeds are fitted and all tested.
TEST(HoldOutRows, OfPointsAreSpreadOverTheSpeeds) {
    MeasuredRun run;
    for (int i = 0; i < 30; ++i) {
        run.velocity.push_back(i % 2 ? 0.1 + i : -0.1 - i);
        run.force.push_back(1);
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 1));
    }
    Prepared rows = prepare(record_of({run}), {}, std::nullopt);
    EXPECT_TRUE(mark_held_out(rows, {.fraction = 1.0 / 3}));
    std::vector<std::pair<double, bool>> order;
    for (std::size_t i = 0; i < 30; ++i) order.emplace_back(rows.v[i], rows.held_out[i]);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < 30; ++i) ASSERT_EQ(order[i].second, i % 3 == 1) << i;
}

// Oracle: three files of a curve with 10, 20 and 30 rows; the rows of the files that the pattern names.
TEST(HoldOutRows, OfACurveInSeveralFilesAreTheRowsOfEveryNamedFile) {
    Record record;
    for (const int file : {1, 2, 3}) {
        MeasuredRun run;
        run.name = {"day" + std::to_string(file) + "/curve" + std::to_string(file) + ".csv"};
        for (int i = 0; i < 10 * file; ++i) {
            run.velocity.push_back(0.1 + i);
            run.force.push_back(1);
            run.used.push_back(1);
            run.line.push_back(std::uint32_t(i + 2));
        }
        record.runs.push_back(run);
    }
    const auto expect_held_out = [&](const std::vector<std::string>& patterns, std::array<bool, 3> files) {
        Prepared rows = prepare(record, {}, std::nullopt);
        ASSERT_EQ(rows.rows(), 60u);
        EXPECT_TRUE(mark_held_out(rows, {.fraction = 0.3, .runs = patterns})) << patterns[0];
        for (std::size_t i = 0; i < 60; ++i)
            ASSERT_EQ(bool(rows.held_out[i]), files[i < 10 ? 0 : i < 30 ? 1 : 2]) << patterns[0] << " " << i;
    };
    expect_held_out({"curve1.csv"}, {true, false, false});
    expect_held_out({"curve3.csv"}, {false, false, true});
    expect_held_out({"*[23].csv"}, {false, true, true});
    expect_held_out({"curve1.csv", "day3/*"}, {true, false, true});
}

// Oracle: a cubic through four samples reproduces a cubic and its derivative at every shift. Tolerance: rounding, slope over dt.
TEST(MoveBy, ValueAndSlopeOfACubicAreExactAtEveryDelay) {
    const Signal y = [](double t) { return 2 - t + 3 * t * t - 4 * t * t * t; };
    const Prepared rows = prepare(record_of({run_of(even(200, 0.005), zero, y)}), {}, 0.0);
    for (const double delay : {0.0, 0.002, 0.005, 0.0137, -0.0031, -0.02}) {
        std::vector<double> lanes;  // the signal, and a second lane of the same
        for (const double value : rows.y) lanes.insert(lanes.end(), {value, 3 * value});
        const std::vector<double> slope = move_by(rows, delay, lanes, 2);
        for (std::size_t i = 8; i + 8 < 200; ++i) {
            const double t = rows.t[i] - delay;
            ASSERT_NEAR(lanes[2 * i], y(t), 1e-12) << delay;
            ASSERT_NEAR(lanes[2 * i + 1], 3 * y(t), 1e-11) << delay;
            ASSERT_NEAR(slope[i], -1 + 6 * t - 12 * t * t, 1e-11) << delay;
        }
    }
}

// Oracle: documentation: the ends keep the last value; each run has its own ends.
TEST(MoveBy, DoesNotReachIntoAnotherRun) {
    const Signal up = [](double) { return 1.0; }, down = [](double) { return -1.0; };
    const Prepared rows =
        prepare(record_of({run_of(even(50, 0.01), zero, up), run_of(even(50, 0.01), zero, down)}), {}, 0.0);
    const std::vector<double> moved = measured_ahead(rows, 0.033);
    for (std::size_t i = 0; i < 100; ++i) ASSERT_NEAR(moved[i], i < 50 ? 1 : -1, 1e-15) << i;
}

// Oracle: rounding to steps of 10 um is white noise of 2.9 um; a motion of 2 Hz needs no bandwidth of 50 Hz. The velocity error must fall
// as bandwidth^1.5, and the motion itself, without steps, must not change by more than the filter weakens 2 Hz.
TEST(Prepare, TheNoiseOfAnEncoderIsFilteredOutOfTheMotion) {
    const Signal x = [](double t) { return 0.01 * std::sin(4 * std::numbers::pi * t); };
    const Signal stepped = [&](double t) { return 1e-5 * std::round(x(t) / 1e-5); };
    const auto time = even(4000, 2e-3);
    const Prepared smooth = prepare(record_of({run_of(time, x, zero)}), {}, std::nullopt);
    const Prepared rough = prepare(record_of({run_of(time, stepped, zero)}), {}, std::nullopt);
    EXPECT_EQ(smooth.motion_bandwidth, smooth.bandwidth);
    EXPECT_LT(rough.motion_bandwidth, 0.5 * rough.bandwidth);
    EXPECT_GT(rough.motion_bandwidth, 3);  // Hz
    double error = 0, rows = 0;
    for (std::size_t i = 0; i < time.size(); ++i)
        if (rough.compared[i]) {
            const double v = 0.04 * std::numbers::pi * std::cos(4 * std::numbers::pi * time[i]);
            error += std::pow(rough.v[i] - v, 2);
            ++rows;
        }
    const double B = rough.motion_bandwidth;
    const double expected =
        1e-5 / std::sqrt(12.0) * std::sqrt(2 * B * 2e-3) * 2 * std::numbers::pi * B / std::sqrt(3.0);
    EXPECT_NEAR(std::sqrt(error / rows), expected, 0.4 * expected);
}

// Oracle: a burst of 40 Hz that only some windows contain is motion, not noise of the encoder.
TEST(Prepare, ABurstOfFastMotionKeepsTheBandwidthOfTheMotion) {
    const Signal x = [](double t) {
        const double burst = std::abs(t - 4) < 0.1 ? 2e-4 * std::sin(80 * std::numbers::pi * t) : 0;
        return 1e-5 * std::round((0.01 * std::sin(4 * std::numbers::pi * t) + burst) / 1e-5);
    };
    const Prepared rows = prepare(record_of({run_of(even(8000, 1e-3), x, zero)}), {}, std::nullopt);
    EXPECT_GT(rows.motion_bandwidth, 60);
}

// Oracle: the rows of the record at a limit that was found, and as many around them as the filter reaches, 1/(bandwidth dt) = 10.
TEST(Prepare, RowsAtALimitOfTheForceAreNotCompared) {
    const Signal x = [](double t) { return 0.01 * std::sin(4 * std::numbers::pi * t); };
    const Signal force = [](double t) { return t >= 1 && t < 1.1 ? 5.0 : 3 * std::sin(4 * std::numbers::pi * t); };
    Record record = record_of({run_of(even(2000, 1e-3), x, force)});
    const Prepared all = prepare(record, {}, 100.0);
    EXPECT_EQ(all.compared[1050], 1);
    record.findings.push_back({.kind = FindingKind::saturated, .channel = Measurand::force, .count = 100, .value = 5});
    const Prepared without = prepare(record, {}, 100.0);
    for (std::size_t i = 0; i < without.rows(); ++i)
        EXPECT_EQ(without.compared[i], all.compared[i] && (i < 990 || i >= 1110)) << i;
}

// Oracle: ten rows are missing; the rows that the grid puts there are not compared, nor are those beside them to which the filter brings them:
// two for five-point differences, 1/(bandwidth dt) = 10 for a filter of 100 Hz. All others are.
TEST(Prepare, RowsOverMissingOnesAndAsFarAsTheFilterReachesAreNotCompared) {
    std::vector<double> time = even(1000, 1e-3);
    time.erase(time.begin() + 500, time.begin() + 510);
    const Signal x = [](double t) { return std::sin(9 * t); };
    for (const auto& [bandwidth, reach] : {std::pair<double, std::size_t>{0.0, 2}, {100.0, 10}}) {
        const Prepared rows = prepare(record_of({run_of(time, x, zero)}), {}, bandwidth);
        ASSERT_EQ(rows.rows(), 1000u);
        EXPECT_EQ(rows.rows_beside_holes, 2 * reach);
        for (std::size_t i = 10; i < 990; ++i)
            EXPECT_EQ(rows.compared[i], i < 500 - reach || i >= 510 + reach) << bandwidth << " " << i;
    }
}

// Oracle: the force of the whole record after the same filter. A pulse of 5 N falls into the hole: interpolated rows lack it, and the filter
// spreads the difference. At compared rows it is below 5 % of the pulse, at the row beside the hole above 20 %.
TEST(Prepare, ComparedRowsBesideAHoleDoNotDependOnWhatTheHoleHides) {
    const std::vector<double> whole = even(1000, 1e-3);
    std::vector<double> time = whole;
    time.erase(time.begin() + 500, time.begin() + 510);
    const Signal x = [](double t) { return std::sin(9 * t); };
    const Signal y = [](double t) { return t > 0.4995 && t < 0.5095 ? 5.0 : 0.0; };
    const Prepared complete = prepare(record_of({run_of(whole, x, y)}), {}, 100.0);
    const Prepared rows = prepare(record_of({run_of(time, x, y)}), {}, 100.0);
    EXPECT_EQ(complete.rows_beside_holes, 0u);
    for (std::size_t i = 0; i < 1000; ++i)
        if (rows.compared[i]) {
            EXPECT_LT(std::abs(rows.y[i] - complete.y[i]), 0.25) << i;
        }
    EXPECT_GT(std::abs(rows.y[499] - complete.y[499]), 1);
}

// Oracle: every 15th row is missing, and the filter reaches 10 rows: nothing would be left. Only the interpolated rows are left out.
TEST(Prepare, RowsBesideHolesAreComparedIfLessThanHalfOfTheRowsWouldBeLeft) {
    std::vector<double> time;
    for (const double t : even(1500, 1e-3))
        if (std::lround(t / 1e-3) % 15 != 7) time.push_back(t);
    const Prepared rows = prepare(record_of({run_of(time, zero, zero)}), {}, 100.0);
    ASSERT_EQ(rows.rows(), 1500u);
    EXPECT_EQ(rows.rows_beside_holes, 0u);
    for (std::size_t i = 10; i < 1490; ++i) EXPECT_EQ(rows.compared[i], i % 15 != 7) << i;
}

// Oracle: two rows of 60000 are missing, 0.6 % of the period as an rms; force and position at the times of the grid. Times have a
// resolution of 1 us, as in a file. Tolerance: 1 % of a period, in which a row is taken for the measured one, times the slope.
TEST(Prepare, RowsAfterALostOneKeepTheirTime) {
    constexpr double dt = 1.0 / 3000;
    std::vector<double> time(60000);
    for (std::size_t i = 0; i < time.size(); ++i) time[i] = 1e-6 * std::round(double(i) * dt * 1e6);
    time.erase(time.begin() + 40000);
    time.erase(time.begin() + 10000);
    const Signal x = [](double t) { return std::sin(t); }, y = [](double t) { return std::cos(2 * t); };
    const Prepared rows = prepare(record_of({run_of(time, x, y)}), {}, 0.0);
    ASSERT_EQ(rows.rows(), 60000u);
    for (std::size_t i = 0; i < 60000; ++i) {
        ASSERT_NEAR(rows.t[i], double(i) * dt, 0.01 * dt) << i;
        ASSERT_NEAR(rows.x[i], x(rows.t[i]), 0.01 * dt) << i;
        ASSERT_NEAR(rows.y[i], y(rows.t[i]), 0.02 * dt) << i;
        const auto beside = [&](std::size_t hole) { return i + 2 >= hole && i <= hole + 2; };  // five-point differences
        ASSERT_EQ(bool(rows.compared[i]), i >= 2 && i < 59998 && !beside(10000) && !beside(40000)) << i;
    }
}

// Oracle: the step of an encoder by construction; rows interpolated over a lost one are no multiples of it. Tolerance: rounding.
TEST(Prepare, FindsTheStepOfAnEncoderInARecordWithLostRows) {
    std::vector<double> time = even(900, 1e-3);
    time.erase(time.begin() + 401, time.begin() + 404);
    const Signal coarse = [](double t) { return 1e-6 * std::round(5e-3 * std::sin(7 * t) / 1e-6); };
    EXPECT_NEAR(prepare(record_of({run_of(time, coarse, zero)}), {}, 0.0).resolution, 1e-6, 1e-15);
}

// Oracle: a hole of 2.4 periods shifts the rows after it by 0.4 periods against the grid; they are interpolated to it.
TEST(Prepare, RowsAfterAHoleThatIsNoMultipleOfThePeriodAreInterpolated) {
    std::vector<double> time = even(1000, 1e-3);
    for (std::size_t i = 500; i < 1000; ++i) time[i] += 1.4e-3;
    const Signal y = [](double t) { return 4 - 7 * t; };
    const Prepared rows = prepare(record_of({run_of(time, y, y)}), {}, 0.0);
    ASSERT_EQ(rows.rows(), 1001u);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        ASSERT_NEAR(rows.y[i], y(1e-3 * double(i)), 1e-12) << i;
        ASSERT_EQ(bool(rows.compared[i]), i >= 2 && i < 999 && (i < 498 || i > 503)) << i;
    }
}

}  // namespace
}  // namespace bristle::identification
