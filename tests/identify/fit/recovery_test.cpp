// Fits of synthetic records with known laws: values, delays, starts, intervals.
#include "../../../examples/axis_record.hpp"
#include "../../support/temporary_folder.hpp"
#include "../synthetic.hpp"
#include "identify/fit/law_fit.hpp"
#include "identify/fit/maxwell.hpp"
#include "identify/fit/solve.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace bristle::inline identification {
namespace {

constexpr double rate = 500;       // Hz; 20 s: 10000 rows
constexpr double noise = 0.4;      // N: 2 % of Fc
constexpr std::uint64_t seed = 7;  // of all records here; chosen before the first run

FitOptions options_for(const std::string& kind) {
    FitOptions out;
    out.laws = {kind};
    out.keep_traces = false;
    out.hold_out.fraction = 0;
    out.model.gap = Setting::given(0);  // no search for backlash
    return out;
}

class Recovery : public testing::TestWithParam<const char*> {};

// Oracle: the law that made the record, with 20 steps per sample. Tolerance: 4 standard errors, and 1.5 % of the value (5 % of those that
// show for a few samples of each reversal only: sigma1, vc, slopes of Makkar's curve).
TEST_P(Recovery, OfALawFindsItsParameters) {
    const std::string kind = GetParam();
    bool made = false;
    synthetic::for_each([&](const char* name, const auto& law) {
        if (kind != name) return;
        made = true;
        const FitResult found =
            fit(synthetic::record(law, {.force = noise, .seed = seed}, 20, rate), options_for(kind));
        const LawFit& best = found.best();
        EXPECT_EQ(best.kind, kind);
        EXPECT_FALSE(best.own_directions);
        EXPECT_TRUE(found.has_recommendation);
        for (const FittedParameter& p : best.parameters) {
            const double truth = synthetic::truth(law, p.name);
            if (kind == "maxwell_slip" && !std::isfinite(truth)) continue;
            ASSERT_TRUE(std::isfinite(truth)) << p.name;
            const double error = std::abs(p.value - truth);
            EXPECT_LT(error, 4 * p.se) << kind << " " << p.name << " = " << p.value << ", " << truth;
            if (truth != 0) {
                const bool fast = p.name == "sigma1" || p.name == "g2" || p.name == "g5" || p.name == "vc";
                EXPECT_LT(error, (fast ? 0.05 : 0.015) * truth) << kind << " " << p.name << " = " << p.value;
                EXPECT_EQ(p.identifiable, Identifiable::yes) << kind << " " << p.name;
                EXPECT_FALSE(p.at_bound) << kind << " " << p.name;
            }
        }
        EXPECT_LT(best.fit.rmse, 0.6 * noise)
            << kind;  // a filter of a tenth of the rate leaves sqrt(0.2) of white noise
    });
    EXPECT_TRUE(made);
}
std::vector<const char*> synthetic_kinds() {
    std::vector<const char*> out;
    synthetic::for_each([&](const char* kind, const auto&) { out.push_back(kind); });
    return out;
}
const auto every_law = testing::ValuesIn(synthetic_kinds());
INSTANTIATE_TEST_SUITE_P(EveryLaw, Recovery, every_law, [](const auto& law) { return std::string(law.param); });

// Force of an actuator that moves a mass against LuGre friction, late by `delay` [s].
Record actuator_record(double mass, double delay) {
    const LuGre law{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};
    Record out = synthetic::record(law, {.force = noise, .delay = delay, .seed = seed}, 20, rate);
    MeasuredRun& run = out.runs[0];
    for (std::size_t i = 0; i < run.size(); ++i) {
        constexpr double h = 1e-4;
        const double t = run.time[i] - delay;
        run.force[i] +=
            mass * (synthetic::position(t + h) - 2 * synthetic::position(t) + synthetic::position(t - h)) / (h * h);
    }
    return out;
}

class Delays : public testing::TestWithParam<int> {};

// Oracle: the delay put into the record. Tolerance: 0.25 ms, as the issue asks; inertia within 1 %.
TEST_P(Delays, OfAnActuatorWithInertiaAreFound) {
    const double delay = 1e-3 * GetParam();
    FitOptions options = options_for("lugre");
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    const FitResult found = fit(actuator_record(8, delay), options);
    EXPECT_NEAR(found.method.delay, delay, 0.25e-3);
    ASSERT_NE(found.best().parameter("inertia"), nullptr);
    EXPECT_NEAR(found.best().parameter("inertia")->value, 8, 0.08);
    bool reported = false;
    for (const FitFinding& f : found.findings)
        reported = reported || (f.kind == FindingKind::delay && std::abs(f.value - delay) < 0.25e-3);
    EXPECT_TRUE(reported);
}
INSTANTIATE_TEST_SUITE_P(Milliseconds, Delays, testing::Values(1, 3, 5));

// Oracle: the record of examples/axis.csv, an axis in closed loop that sticks and slips, with its force shifted by whole samples of 2 ms. A
// static curve does not show such delays: its residual is mostly presliding. Tolerance: 0.25 ms; inertia within 1 %.
TEST(DelayOfAnAxisThatSticks, IsFound) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "axis.csv";
    std::ofstream(file) << axis::csv();
    const Record record = read_record({file}, {});
    FitOptions options;
    options.laws = {"lugre"};
    options.keep_traces = false;
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    for (const std::size_t samples : {0u, 1u, 2u, 3u}) {
        Record late = record;
        std::vector<double>& force = late.runs[0].force;
        force.insert(force.begin(), samples, force.front());
        force.resize(late.runs[0].size());
        const FitResult found = fit(late, options);
        EXPECT_NEAR(found.method.delay, double(samples) / axis::rate, 0.25e-3) << samples;
        EXPECT_NEAR(found.best().parameter("inertia")->value, axis::mass, 0.01 * axis::mass) << samples;
    }
}

// Oracle: the same record, whose mass the model lacks. Most laws imitate it; the finding comes first, and its value is within 1 %.
TEST(InertiaOfAnAxisThatSticks, IsReportedIfTheModelLacksIt) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "axis.csv";
    std::ofstream(file) << axis::csv();
    const FitResult found = fit(read_record({file}, {}));
    EXPECT_FALSE(found.has_recommendation);
    EXPECT_TRUE(found.next.empty());
    ASSERT_EQ(found.findings.front().kind, FindingKind::inertia_missing);
    EXPECT_NEAR(found.findings.front().value, axis::mass, 0.01 * axis::mass);
}

// Oracle: the least sum of squares from the true law. The static stage is spoiled on purpose: every start value of the curve and the
// stiffness is ten times too large or too small. Tolerance: 0.1 % of the sum of squares; the multistart ends at a change of 1e-8.
TEST(Recovery, StartsTenTimesOffReachTheBestMinimum) {
    const LuGre law{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};
    FitOptions options = options_for("lugre");
    options.model.delay = Setting::given(0);
    FitContext context =
        make_context(synthetic::record(law, {.force = noise, .seed = seed}, 20, 250), options, std::nullopt, {});
    FitProblem problem(context.record, context.axis, AnyLaw(law));
    problem.set_start_forces(problem.start());
    const double least = solve(problem, problem.start(), {}).cost;
    for (const double factor : {10.0, 0.1}) {
        FitContext spoiled = context;
        for (BristleStart& start : spoiled.starts) {
            start.sigma0 *= factor;
            for (StaticCurve* curve : {&start.stage.positive, &start.stage.negative}) {
                curve->vs *= factor;
                curve->sigma2 *= factor;
                curve->Fs *= factor > 1 ? 2 : 0.5;  // levels have bounds of 1/50 and 10 times the largest
            }
        }
        const FittedLaw found = fit_law(spoiled, "lugre");
        EXPECT_LT(found.cost, 1.001 * least) << factor;
        EXPECT_NEAR(found.value(FittedQuantity::sigma0), 2e5, 0.01 * 2e5) << factor;
    }
}

// Oracle: the rows of the fit itself. Exact: the same operations, also with a load of the teeth that was found together with the law.
TEST(FittedRows, RestoredAfterReleaseEqualThoseOfTheFit) {
    const LuGre law{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};
    FitOptions options = options_for("lugre");
    options.model.measured = Measured::actuator;
    options.model.gravity = Setting::find();
    options.starts = 1;
    const FitContext context =
        make_context(synthetic::record(law, {.force = noise, .seed = seed}, 20, 125), options, std::nullopt, {});
    for (const char* kind : {"coulomb", "lugre", "maxwell_slip", "gear"}) {
        FittedLaw found = fit_law(context, kind);
        ASSERT_TRUE(found.converged) << kind;
        const FitProblem::Rows rows = found.rows;
        const std::vector<double> y = found.y;
        release_rows(found);
        EXPECT_TRUE(found.rows.J.empty() && found.rows.residual.empty() && found.y.empty()) << kind;
        restore_rows(context, found);
        EXPECT_EQ(found.rows.J, rows.J) << kind;
        EXPECT_EQ(found.rows.residual, rows.residual) << kind;
        EXPECT_EQ(found.rows.friction, rows.friction) << kind;
        EXPECT_EQ(found.y, y) << kind;
    }
}

class Coverage : public testing::TestWithParam<const char*> {};

// Counts in 40 repetitions the intervals of each parameter that contain the true value.
template <class Law>
void expect_coverage(const std::string& kind, const Law& law) {
    FitOptions options = options_for(kind);
    options.bandwidth = 0;
    options.starts = 1;
    options.model.delay = Setting::given(0);
    options.model.ripple = false;
    options.model.directions = Directions::same;
    Record record = synthetic::record(law, {}, 20, 125);
    // the model of the fit itself, so that its error at this low rate does not count
    const Prepared rows = prepare(record, options, 0.0);
    const Axis axis = axis_of(rows, options.model);
    FitProblem::Rows model;
    const FitProblem problem(rows, axis, AnyLaw(law));
    problem.evaluate(problem.start(), model);
    if (kind == "maxwell_slip")
        model.friction = maxwell_force(rows, AnyLaw(law), 0);  // its fit has a response of its own
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::map<std::string, std::pair<int, int>> covered;  // of
    for (int k = 0; k < 40; ++k) {
        for (std::size_t i = 0; i < model.friction.size(); ++i)
            record.runs[0].force[i] = model.friction[i] + noise * normal(random);
        const FitResult found = fit(record, options);
        for (const FittedParameter& p : found.best().parameters) {
            const double truth = synthetic::truth(law, p.name);
            if (p.identifiable != Identifiable::yes || !std::isfinite(truth)) continue;
            covered[p.name].first += p.low <= truth && truth <= p.high;
            ++covered[p.name].second;
        }
    }
    double inside = 0, all = 0;
    for (const auto& [name, count] : covered) {
        if (count.second == 40) {
            EXPECT_GE(count.first, 33) << kind << " " << name << " of 40";
        }
        inside += count.first;
        all += count.second;
    }
    EXPECT_GE(covered.size(), 3u);
    EXPECT_GE(inside / all, 0.90) << kind;
    EXPECT_LE(inside / all, 0.99) << kind;
}

// Oracle: 95 % by definition, white noise as assumed. Tolerance: 33 of 40 is 3.7 standard deviations below 38; the pooled fraction has a
// standard error of about 1.7 %. Seed 7, chosen before the first run. bench/fit_coverage does the same with filter, delay and encoder.
TEST_P(Coverage, OfIntervalsIs95Percent) {
    synthetic::for_each([&](const char* kind, const auto& law) {
        if (std::string(kind) == GetParam()) expect_coverage(kind, law);
    });
}
INSTANTIATE_TEST_SUITE_P(EveryLaw, Coverage, every_law, [](const auto& law) { return std::string(law.param); });

}  // namespace
}  // namespace bristle::identification
