// Findings, verdicts and predictions of a fit, on synthetic records with known laws.
#include "../synthetic.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace bristle::inline identification {
namespace {

constexpr double rate = 200;  // Hz
const Coulomb plain{.curve = {.Fc = 20}, .sigma2 = 60};
const LuGre lugre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};

FitOptions options_for(const std::string& kind) {
    FitOptions out;
    out.laws = {kind};
    return out;
}
const FitFinding* finding(const std::vector<FitFinding>& all, FindingKind kind) {
    for (const FitFinding& f : all)
        if (f.kind == kind) return &f;
    return nullptr;
}
// A run with its own position and force.
MeasuredRun run_of(double duration, const std::function<double(double)>& position,
                   const std::function<double(double)>& force, std::uint64_t seed, double noise = 0.2) {
    return synthetic::run_of(duration, rate, position, force, {.force = noise, .seed = seed});
}

// Oracle: at one speed v the force Fc + sigma2 v is one number: neither parameter can be determined.
TEST(Identifiability, AtOneSpeedFcAndSigma2AreInseparable) {
    Record record;
    record.runs.push_back(run_of(
        10, [](double t) { return 0.1 * t; }, [](double) { return 26.0; }, 3));
    FitOptions options = options_for("coulomb");
    options.model.offset = {};
    options.model.delay = Setting::given(0);
    const FitResult found = fit(record, options);
    const LawFit& law = found.best();
    ASSERT_NE(law.parameter("Fc"), nullptr);
    ASSERT_NE(law.parameter("sigma2"), nullptr);
    EXPECT_EQ(law.parameter("Fc")->identifiable, Identifiable::no);
    EXPECT_EQ(law.parameter("sigma2")->identifiable, Identifiable::no);
    EXPECT_NE(finding(found.findings, FindingKind::inseparable), nullptr);
    EXPECT_FALSE(found.next.empty());
}

// Oracle: with a known gain, (sigma2/gain + back_emf) v is one number.
TEST(Identifiability, OfAVoltageBackEmfAndViscousFrictionAreInseparable) {
    Record record = synthetic::record(plain, {.force = 0.4, .seed = 4}, 8, rate);
    MeasuredRun& run = record.runs[0];
    for (std::size_t i = 0; i < run.size(); ++i)
        run.voltage.push_back(run.force[i] / 4 + 3 * synthetic::velocity(run.time[i]));
    run.force.clear();
    FitOptions options = options_for("coulomb");
    options.model.measured = Measured::voltage;
    options.model.gain = Setting::given(4);
    options.model.back_emf = Setting::find();
    const FitResult found = fit(record, options);
    ASSERT_NE(found.best().parameter("back_emf"), nullptr);
    EXPECT_EQ(found.best().parameter("back_emf")->identifiable, Identifiable::no);
    EXPECT_EQ(found.best().parameter("sigma2")->identifiable, Identifiable::no);
    EXPECT_EQ(found.best().parameter("Fc")->identifiable, Identifiable::yes);
}

// Oracle: the two viscous coefficients of the record. Tolerance: 2 %, about 4 standard errors.
TEST(OwnDirections, AreFoundIfTheyDifferAndNotIfTheyAreTheSame) {
    const Coulomb differs{.curve = {.Fc = 20}, .sigma2 = 60, .sigma2_negative = 100};
    const FitResult own = fit(synthetic::record(differs, {.force = 0.4, .seed = 5}, 14, rate), options_for("coulomb"));
    EXPECT_TRUE(own.best().own_directions);
    ASSERT_NE(own.best().parameter("sigma2+"), nullptr);
    ASSERT_NE(own.best().parameter("sigma2-"), nullptr);
    EXPECT_EQ(own.best().parameter("sigma2-")->table_name, "sigma2");
    EXPECT_EQ(own.best().parameter("sigma2-")->direction, -1);
    EXPECT_NEAR(own.best().parameter("sigma2+")->value, 60, 1.2);
    EXPECT_NEAR(own.best().parameter("sigma2-")->value, 100, 2);
    EXPECT_NE(finding(own.findings, FindingKind::asymmetry), nullptr);
    const FitResult same = fit(synthetic::record(plain, {.force = 0.4, .seed = 5}, 14, rate), options_for("coulomb"));
    EXPECT_FALSE(same.best().own_directions);
    EXPECT_EQ(finding(same.findings, FindingKind::asymmetry), nullptr);
}

// Force of a static law on an axis of 8 kg, through a first-order low-pass filter with the time constant T [s] in the force channel; 0: none.
Record filtered_record(double T, std::uint64_t seed) {
    Record record = synthetic::record(plain, {}, 20, rate);
    MeasuredRun& run = record.runs[0];
    constexpr int parts = 100;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const auto force_at = [](double t) {
        constexpr double h = 1e-4, mass = 8;
        const double v = synthetic::velocity(t);
        return (v == 0 ? 0 : force(plain, v)) +
               mass * (synthetic::velocity(t + h) - synthetic::velocity(t - h)) / (2 * h);
    };
    double filtered = force_at(0);
    for (std::size_t i = 0; i < run.size(); ++i) {
        for (int k = 1; k <= parts && i > 0; ++k) {
            const double F = force_at((double(i - 1) + double(k) / parts) / rate);
            filtered += T > 0 ? (1 - std::exp(-1 / (rate * parts * T))) * (F - filtered) : F - filtered;
        }
        run.force[i] = filtered + 0.2 * normal(random);
    }
    return record;
}

// Oracle: the filter that made the record. Tolerance: 25 % of T: the delay of the filter is atan(w T)/w, less than T for fast parts.
TEST(SensorFilter, InTheForceChannelIsFoundWithItsTimeConstant) {
    constexpr double T = 8e-3;
    FitOptions options = options_for("coulomb");
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    const FitResult found = fit(filtered_record(T, 21), options);
    const FitFinding* filter = finding(found.findings, FindingKind::sensor_filter);
    ASSERT_NE(filter, nullptr);
    EXPECT_NEAR(filter->value, T, 0.25 * T);
    EXPECT_EQ(finding(fit(filtered_record(0, 21), options).findings, FindingKind::sensor_filter), nullptr);
}

// Oracle: friction that grows with the root of the speed, and one that grows in proportion to it.
TEST(ConcaveCurve, IsReportedForALawThatGrowsLessThanInProportion) {
    const auto x = [](double t) { return 0.03 * std::sin(6 * t + 0.1); };
    const auto v = [](double t) { return 0.18 * std::cos(6 * t + 0.1); };
    const auto root = [&](double t) { return (v(t) < 0 ? -1 : 1) * (20 + 20 * std::sqrt(std::abs(v(t)) / 0.18)); };
    const auto line = [&](double t) { return (v(t) < 0 ? -1 : 1) * 20 + 100 * v(t); };
    for (const bool bent : {true, false}) {
        Record record;
        record.runs.push_back(bent ? run_of(20, x, root, 22) : run_of(20, x, line, 22));
        const FitResult found = fit(record, options_for("coulomb"));
        const FitFinding* concave = finding(found.findings, FindingKind::concave_viscous);
        EXPECT_EQ(concave != nullptr, bent);
        if (concave) {
            EXPECT_LT(concave->value, 0);
        }
    }
}

// Oracle: a force of 2 N with a period of 5 mm added to the record. Tolerance: 1 % of the period, 10 % of the amplitude.
TEST(Ripple, OfKnownPeriodIsFound) {
    Record record = synthetic::record(plain, {.force = 0.4, .seed = 6}, 8, 500);
    EXPECT_EQ(finding(fit(record, options_for("coulomb")).findings, FindingKind::ripple), nullptr);
    MeasuredRun& run = record.runs[0];
    for (std::size_t i = 0; i < run.size(); ++i)
        run.force[i] += 2 * std::sin(2 * std::numbers::pi * run.position[i] / 5e-3 + 0.4);
    const FitResult found = fit(record, options_for("coulomb"));
    const FitFinding* ripple = finding(found.findings, FindingKind::ripple);
    ASSERT_NE(ripple, nullptr);
    EXPECT_NEAR(ripple->value, 5e-3, 5e-5);
    EXPECT_NEAR(ripple->other, 2, 0.2);
}

// Oracle: Fs = 15 N, Fc = 20 N of the record. Tolerance: 2 %, some standard errors.
TEST(RisingCurve, IsReportedAndNotForcedAway) {
    const StribeckFriction rising{.curve = {.Fc = 20, .Fs = 15, .vs = 0.03, .allow_rising = true}, .sigma2 = 60};
    const FitResult found =
        fit(synthetic::record(rising, {.force = 0.4, .seed = 8}, 14, rate), options_for("stribeck"));
    const FitFinding* finding_of = finding(found.findings, FindingKind::fs_below_fc);
    ASSERT_NE(finding_of, nullptr);
    EXPECT_NEAR(finding_of->value, 15, 0.3);
    EXPECT_NEAR(finding_of->other, 20, 0.4);
    const FitResult falling = fit(synthetic::record(StribeckFriction{.curve = synthetic::curve, .sigma2 = 60},
                                                    {.force = 0.4, .seed = 8}, 14, rate),
                                  options_for("stribeck"));
    EXPECT_EQ(finding(falling.findings, FindingKind::fs_below_fc), nullptr);
}

// Friction of Dahl behind a gap, with 40 steps per sample: the contact follows at half of the gap while its bristle pushes, and stays where
// the bristle is released.
MeasuredRun backlash_run(double gap) {
    const auto x = [](double t) {
        return 2e-3 * std::sin(2 * t) + 1e-3 * std::sin(5.3 * t + 1) - 1e-3 * std::sin(1.0);
    };
    Contact<Dahl> contact({.sigma0 = 1e5, .Fc = 20});
    double at = 0, last = 0;
    int side = 0;
    constexpr double h = 1 / rate / 40;
    const auto force_at = [&](double t) {
        for (; last < t - 0.5 * h; last += h) {
            const double to = x(last + h);
            if (side == 0) side = to - gap / 2 > at ? 1 : to + gap / 2 < at ? -1 : 0;
            if (side == 0) continue;
            const double next = to - side * gap / 2;
            contact.step((next - at) / h, h);
            at = next;
            if (contact.state().z * side < 0) {
                contact.reset();
                side = 0;
            }
        }
        return 1e5 * contact.state().z;
    };
    return run_of(20, x, force_at, 9);
}

// Oracle: the gap of 0.4 mm of the record. Tolerance: 30 % for the finding, a scan with Maxwell-slip in which every element has the gap in
// series; 2 % for the fit.
TEST(Backlash, OfARecordThroughAGapIsFound) {
    Record record;
    record.runs.push_back(backlash_run(4e-4));
    FitOptions options = options_for("dahl");
    const FitResult found = fit(record, options);
    const FitFinding* backlash = finding(found.findings, FindingKind::backlash);
    ASSERT_NE(backlash, nullptr);
    EXPECT_NEAR(backlash->value, 4e-4, 1.2e-4);
    options.model.gap = Setting::find();
    const FitResult with = fit(record, options);
    ASSERT_NE(with.best().parameter("gap"), nullptr);
    EXPECT_NEAR(with.best().parameter("gap")->value, 4e-4, 8e-6);
    EXPECT_NEAR(with.best().parameter("sigma0")->value, 1e5, 2e3);
    EXPECT_LT(with.best().fit.rmse, 0.5 * found.best().fit.rmse);
}
TEST(Backlash, OfARecordWithoutAGapIsNotFound) {
    Record record;
    record.runs.push_back(backlash_run(0));
    EXPECT_EQ(finding(fit(record, options_for("dahl")).findings, FindingKind::backlash), nullptr);
}

// Oracle: the mass of 30 kg put into the force. Tolerance: a third; friction that was fitted without it takes a part of it.
TEST(MissingInertia, IsReportedWithItsSizeAndNoLawIsRecommended) {
    const auto force = synthetic::force_along(plain, 20, rate);
    Record record;
    record.runs.push_back(run_of(
        20, synthetic::position,
        [&](double t) {
            constexpr double h = 1e-4, mass = 30;
            const double a =
                (synthetic::position(t + h) - 2 * synthetic::position(t) + synthetic::position(t - h)) / (h * h);
            return force[std::size_t(std::lround(t * rate))] + mass * a;
        },
        11));
    FitOptions options;
    options.laws = {"coulomb", "lugre"};
    const FitResult without = fit(record, options);
    EXPECT_FALSE(without.has_recommendation);
    EXPECT_EQ(without.best().reason, RefusalReason::inertia_missing);
    const FitFinding* missing = finding(without.findings, FindingKind::inertia_missing);
    ASSERT_NE(missing, nullptr);
    EXPECT_NEAR(missing->value, 30, 10);
    EXPECT_EQ(without.findings.front().kind, FindingKind::inertia_missing);
    EXPECT_TRUE(without.next.empty());
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    const FitResult with = fit(record, options);
    EXPECT_TRUE(with.has_recommendation);
    EXPECT_EQ(finding(with.findings, FindingKind::inertia_missing), nullptr);
}

// Oracle: the force of the record contains -3 kg times the acceleration.
TEST(NegativeInertia, IsRefused) {
    Record record = synthetic::record(plain, {.force = 0.4, .seed = 10}, 8, rate);
    MeasuredRun& run = record.runs[0];
    for (std::size_t i = 0; i < run.size(); ++i) {
        constexpr double h = 1e-3;
        const double t = run.time[i];
        run.force[i] -= 3 * (synthetic::velocity(t + h) - synthetic::velocity(t - h)) / (2 * h);
    }
    FitOptions options = options_for("coulomb");
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    options.model.delay = Setting::given(0);
    const FitResult found = fit(record, options);
    EXPECT_FALSE(found.has_recommendation);
    EXPECT_EQ(found.best().verdict, LawVerdict::refused);
    EXPECT_EQ(found.best().reason, RefusalReason::negative_inertia);
    EXPECT_NE(finding(found.findings, FindingKind::no_law_fits), nullptr);
}

// Oracle: the rows of the run named in the hold-out; its noise is three times larger, so its error is too. Tolerance: 20 %.
TEST(HoldOutByRuns, TestsTheNamedRunOnly) {
    const auto x = [](double t) { return 0.02 * std::sin(3 * t + 0.1); };
    const auto F = [](double t) { return std::cos(3 * t + 0.1) > 0 ? 20.0 : -20.0; };
    Record record;
    record.runs.push_back(run_of(10, x, F, 11, 0.3));
    record.runs.push_back(run_of(5, x, F, 12, 0.9));
    record.runs[0].name = {"a.csv"};
    record.runs[1].name = {"b.csv"};
    FitOptions options = options_for("coulomb");
    options.bandwidth = 0;
    options.hold_out = {.fraction = 0.3, .runs = {"b*"}};
    const FitResult found = fit(record, options);
    EXPECT_TRUE(found.method.hold_out_used);
    EXPECT_NEAR(double(found.best().heldout.rows), 1000, 10);  // two rows at each end are not compared
    EXPECT_NEAR(found.best().heldout.rmse, 0.9, 0.18);
    ASSERT_EQ(found.traces.size(), 2u);
    EXPECT_EQ(found.traces[0].held_out.front(), 0);
    EXPECT_EQ(found.traces[1].held_out.front(), 1);
}

// Oracle: the error of the fit itself, for a static law, a bristle law and Maxwell-slip. Tolerance: 0.2 %; only the state at the start of the
// run may differ.
TEST(Predict, OnTheFittedRecordEqualsTheErrorOfTheFit) {
    const Record record = synthetic::record(lugre, {.force = 0.4, .seed = 13}, 20, rate);
    for (const char* kind : {"stribeck", "lugre", "maxwell_slip"}) {
        const FitOptions options = options_for(kind);
        const FitResult found = fit(record, options);
        const FitError error = predict(found.best(), record, options, found.method);
        EXPECT_NEAR(double(error.rows), double(found.best().fit.rows), 4) << kind;  // rows that the delay moves in
        EXPECT_NEAR(error.rmse, found.best().fit.rmse, 2e-3 * error.rmse) << kind;
        EXPECT_NEAR(error.r2, found.best().fit.r2, 1e-3) << kind;
    }
}

// Oracle: the error of the fit itself, for a gear law, whose load follows from the force of the motor.
TEST(Predict, OfAGearLawHasTheLoadOfTheTeeth) {
    Record record = synthetic::record(plain, {}, 20, rate);
    MeasuredRun& run = record.runs[0];
    std::mt19937_64 random(15);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < run.size(); ++i) {
        const double v = synthetic::velocity(run.time[i]), F0 = 40 * std::sin(200 * run.position[i]);
        const double side = v > 0 ? 1 : v < 0 ? -1 : 0;
        run.force[i] = F0 + side * 15 + 60 * v + 0.3 * side * std::abs(F0) + 0.2 * normal(random);
    }
    FitOptions options = options_for("gear");
    options.model.gravity = Setting::given(0);
    options.model.measured = Measured::actuator;
    const FitResult found = fit(record, options);
    const FitError error = predict(found.best(), record, options, found.method);
    EXPECT_NEAR(error.rmse, found.best().fit.rmse, 2e-3 * error.rmse);
}

// Oracle: the rules of the documentation.
TEST(Predict, RefusesARecordWithoutTheMeasuredChannel) {
    const FitOptions options = options_for("coulomb");
    Record record = synthetic::record(plain, {.force = 0.2, .seed = 16}, 20, rate);
    const FitResult found = fit(record, options);
    record.runs[0].current = std::exchange(record.runs[0].force, {});
    EXPECT_THROW(predict(found.best(), record, options, found.method), Error);
}

// Oracle: with 2 % of outliers the robust interval is that of the clean record; squares give one ten times as wide. Tolerance: a factor of 2.
TEST(HuberLoss, KeepsTheIntervalsOfTheCleanRecord) {
    Record record = synthetic::record(plain, {.force = 0.4, .seed = 17}, 20, rate);
    FitOptions options = options_for("coulomb");
    options.model.ripple = false;
    options.model.delay = Setting::given(0);
    options.bandwidth = 0;
    const auto width = [&] {
        const FittedParameter* Fc = fit(record, options).best().parameter("Fc");
        return Fc->high - Fc->low;
    };
    const double clean = width();
    for (std::size_t i = 7; i < record.runs[0].size(); i += 50) record.runs[0].force[i] += i % 100 < 50 ? 60 : -60;
    EXPECT_GT(width(), 4 * clean);
    options.loss = Loss::huber;
    EXPECT_LT(width(), 2 * clean);
    EXPECT_NEAR(fit(record, options).best().parameter("Fc")->value, 20, 0.1);
}

// Oracle: friction that grows by 20 % over the record, and friction that does not.
TEST(Drift, OfALevelThatGrowsIsFound) {
    const auto x = [](double t) { return 0.02 * std::sin(3 * t + 0.1); };
    for (const double growth : {0.2, 0.0}) {
        const auto F = [&](double t) {
            return (std::cos(3 * t + 0.1) > 0 ? 20.0 : -20.0) * (1 + growth * (t / 40 - 0.5));
        };
        Record record;
        record.runs.push_back(run_of(40, x, F, 18));
        const FitFinding* drift = nullptr;
        const FitResult found = fit(record, options_for("coulomb"));
        drift = finding(found.findings, FindingKind::drift);
        ASSERT_EQ(drift != nullptr, growth > 0);
        if (drift) {
            EXPECT_NEAR(drift->value, 0.2, 0.03);
        }
    }
}

// Oracle: a force with a gain of the map and nothing known of the axis; with a known inertia the scale is fixed.
TEST(GainScales, IsFoundUnlessAnInertiaIsKnown) {
    Record record = synthetic::record(plain, {.force = 0.2, .seed = 19}, 20, rate);
    record.columns = {{Measurand::force, "u", "N", false, false, 35.0}};
    FitOptions options = options_for("coulomb");
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    EXPECT_NE(finding(fit(record, options).findings, FindingKind::gain_scales), nullptr);
    options.model.inertia = Setting::given(0.001);
    EXPECT_EQ(finding(fit(record, options).findings, FindingKind::gain_scales), nullptr);
}

// Oracle: the same law made another record, with other noise. Tolerance: the error is that of the noise, within 10 %.
TEST(Predict, OnAnotherRecordOfTheSameLawHasTheErrorOfTheNoise) {
    const FitOptions options = options_for("lugre");
    const FitResult found = fit(synthetic::record(lugre, {.force = 0.4, .seed = 14}, 20, rate), options);
    const FitError error =
        predict(found.best(), synthetic::record(lugre, {.force = 0.4, .seed = 15}, 20, rate), options, found.method);
    EXPECT_NEAR(error.rmse / found.best().fit.rmse, 1, 0.1);
}

// Oracle: LuGre made the record: it is recommended; laws without a bristle are not.
TEST(Comparison, RecommendsTheLawThatMadeTheRecord) {
    FitOptions options;
    options.laws = {"coulomb", "stribeck", "dahl", "lugre"};
    const FitResult found = fit(synthetic::record(lugre, {.force = 0.4, .seed = 16}, 20, rate), options);
    EXPECT_TRUE(found.has_recommendation);
    EXPECT_EQ(found.best().kind, "lugre");
    EXPECT_EQ(found.laws.size(), 4u);
    for (const LawFit& law : found.laws)
        if (law.kind == "coulomb" || law.kind == "stribeck") {
            EXPECT_EQ(law.verdict, LawVerdict::refused) << law.kind;
        }
}

}  // namespace
}  // namespace bristle::identification
