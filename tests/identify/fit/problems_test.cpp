// Checks of record and options before a fit.
#include "../synthetic.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

namespace bristle::inline identification {
namespace {

Record coulomb_record() {
    return synthetic::record(Coulomb{.curve = {.Fc = 20}, .sigma2 = 60}, {.force = 0.1}, 2, 100);
}

bool mentions(const std::vector<std::string>& all, std::string_view part) {
    for (const std::string& one : all)
        if (one.find(part) != one.npos) return true;
    return false;
}

// Oracle: a record with position and force, and the defaults.
TEST(FitProblems, OfAUsableRecordAreNone) { EXPECT_TRUE(problems(coulomb_record(), {}).empty()); }

// Oracle: eight faults put into the options and none elsewhere; each is named.
TEST(FitProblems, AllFaultsAreReportedAtOnce) {
    FitOptions options;
    options.model.inertia = Setting::find();  // of a friction force
    options.model.gain = Setting::find();     // without voltage
    options.model.gap = Setting::given(-1);
    options.laws = {"lugre", "lugra"};
    options.min_speed = -1;
    options.hold_out.fraction = 0.99;
    options.bandwidth = -3.0;
    options.starts = 0;
    const auto found = problems(coulomb_record(), options);
    for (const char* part : {"inertia", "gain", "gap", "lugra", "min_speed", "hold_out", "bandwidth", "starts"})
        EXPECT_TRUE(mentions(found, part)) << part;
    EXPECT_EQ(found.size(), 8u);
    try {
        fit(coulomb_record(), options);
        FAIL() << "fit accepts what problems() rejects";
    } catch (const FitProblems& error) {
        EXPECT_EQ(error.sentences, found);
        for (const std::string& one : found) EXPECT_NE(std::string(error.what()).find(one), std::string::npos) << one;
    }
}

// Oracle: the names of the files; a typing error in one must not leave the fit without a test.
TEST(FitProblems, AHoldOutPatternMatchesAFile) {
    Record record = coulomb_record();
    record.runs.push_back(record.runs.front());
    record.runs[0].name = {"day1/a.csv", 1};
    record.runs[1].name = {"day1/b.csv"};
    for (const char* pattern : {"a.csv", "day1/a.csv", "b*", "a.csv part 1"}) {
        FitOptions options;
        options.hold_out.runs = {pattern};
        EXPECT_TRUE(problems(record, options).empty()) << pattern;
    }
    FitOptions options;
    options.hold_out.runs = {"b.csv", "nosuch*.csv"};
    const auto found = problems(record, options);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], "hold_out = 'nosuch*.csv' matches no file of the record; the files are day1/a.csv, day1/b.csv");
}

// Oracle: the part of a run is data. A file whose own name ends like a part is another file.
TEST(FitProblems, AFileNamedLikeAPartIsNoPartOfAnotherFile) {
    Record record = coulomb_record();
    record.runs[0].name = {"axis part 2"};
    FitOptions options;
    options.hold_out.runs = {"axis"};
    const auto found = problems(record, options);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], "hold_out = 'axis' matches no file of the record; the files are axis part 2");
    record.runs[0].name = {"axis", 2};
    EXPECT_TRUE(problems(record, options).empty());
}

// Oracle: each channel that a model needs, removed.
TEST(FitProblems, MissingChannelsAreNamed) {
    Record no_force = coulomb_record(), no_motion = coulomb_record();
    no_force.runs[0].force.clear();
    no_motion.runs[0].position.clear();
    EXPECT_TRUE(mentions(problems(no_force, {}), "force"));
    EXPECT_TRUE(mentions(problems(no_motion, {}), "position"));
    FitOptions voltage;
    voltage.model.measured = Measured::voltage;
    EXPECT_TRUE(mentions(problems(coulomb_record(), voltage), "voltage"));
    EXPECT_EQ(problems(Record{}, {}).size(), 1u);
}

// Oracle: no row is faster than 10 m/s; nothing moves at a constant position.
TEST(FitProblems, RecordsWithoutUsableRowsAreRejected) {
    FitOptions fast;
    fast.min_speed = 10;
    EXPECT_TRUE(mentions(problems(coulomb_record(), fast), "min_speed"));
    Record rest = coulomb_record();
    for (double& x : rest.runs[0].position) x = 0.3;
    EXPECT_FALSE(problems(rest, {}).empty());
}

// Oracle: dimensional argument: without a known inertia or gravity a gain and all forces can be scaled together.
TEST(FitProblems, AGainNeedsAKnownForce) {
    Record record = coulomb_record();
    record.runs[0].voltage = record.runs[0].force;
    FitOptions options;
    options.model.measured = Measured::voltage;
    options.model.gain = Setting::find();
    options.model.inertia = Setting::find();
    EXPECT_TRUE(mentions(problems(record, options), "scales all forces"));
    options.model.inertia = Setting::given(2);
    EXPECT_TRUE(problems(record, options).empty());
}

// Oracle: documentation: a measured curve shows static laws, and neither inertia nor positions.
TEST(FitProblems, AMeasuredCurveShowsStaticLawsOnly) {
    Record curve;
    curve.runs.resize(1);
    for (int i = 1; i <= 20; ++i) {
        curve.runs[0].velocity.push_back(0.01 * i);
        curve.runs[0].force.push_back(20 + 0.6 * i);
        curve.runs[0].used.push_back(1);
        curve.runs[0].line.push_back(std::uint32_t(i));
    }
    EXPECT_TRUE(problems(curve, {}).empty());
    EXPECT_TRUE(problems(curve, {.laws = {"lugre", "stribeck"}}).empty());
    EXPECT_TRUE(mentions(problems(curve, {.laws = {"lugre"}}), "static laws only: coulomb"));
    FitOptions options;
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    EXPECT_TRUE(mentions(problems(curve, options), "no inertia"));
}

// Oracle: runs at one steady speed each are static points too; errors by runs need several of them.
TEST(FitProblems, SteadyRunsHaveNoPositionOutput) {
    Record steady;
    for (int k = 1; k <= 8; ++k) {
        MeasuredRun run;
        for (int i = 0; i < 50; ++i) {
            run.time.push_back(0.01 * i);
            run.position.push_back(0.01 * k * 0.01 * i);
            run.velocity.push_back(0.01 * k);
            run.force.push_back(20 + k);
            run.used.push_back(1);
            run.line.push_back(std::uint32_t(i + 2));
        }
        steady.runs.push_back(run);
    }
    FitOptions options;
    EXPECT_TRUE(problems(steady, options).empty());
    options.model = {.measured = Measured::actuator, .inertia = Setting::given(2), .output = Output::position};
    EXPECT_TRUE(mentions(problems(steady, options), "varying speed"));
    EXPECT_TRUE(mentions(problems(coulomb_record(), {.errors = ErrorKind::runs}), "at least 5 runs"));
}

// Oracle: documentation of fit(): Cancelled if the progress returns false.
TEST(FitProgress, ThatReturnsFalseCancelsTheFit) {
    EXPECT_THROW(fit(coulomb_record(), {.laws = {"coulomb"}}, [](double) { return false; }), Cancelled);
    EXPECT_THROW(fit(coulomb_record(), {.laws = {"coulomb"}}, [](double part) { return part < 0.5; }), Cancelled);
}

// Oracle: a fraction rises from 0 to 1.
TEST(FitProgress, RisesFromZeroToOne) {
    double last = -1;
    fit(coulomb_record(), {.laws = {"coulomb", "stribeck"}}, [&](double part) {
        EXPECT_GE(part, last);
        EXPECT_LE(part, 1);
        last = part;
        return true;
    });
    EXPECT_EQ(last, 1);
}

// Oracle: documentation of measured = "voltage", of gain and of bandwidth.
TEST(FitProblems, AGainBelongsToAVoltageAndABandwidthToTheSampleRate) {
    Record record = coulomb_record();
    FitOptions options;
    options.model.gain = Setting::given(3);
    EXPECT_TRUE(mentions(problems(record, options), "--force.gain"));
    options.model.gain = {};
    options.bandwidth = 46;  // at 100 Hz
    EXPECT_TRUE(mentions(problems(record, options), "at most 0.45 times the sample rate, 45 Hz"));
    options.bandwidth = 45;
    EXPECT_TRUE(problems(record, options).empty());
    record.runs[0].voltage = record.runs[0].force;
    FitOptions voltage;
    voltage.model.measured = Measured::voltage;
    EXPECT_TRUE(mentions(problems(record, voltage), "needs gain"));
    voltage.model.gain = Setting::find();
    voltage.model.inertia = Setting::given(2);
    voltage.laws = {"maxwell_slip"};
    EXPECT_TRUE(mentions(problems(record, voltage), "maxwell_slip"));
    voltage.laws = {"coulomb"};
    EXPECT_TRUE(problems(record, voltage).empty());
}

}  // namespace
}  // namespace bristle::identification
