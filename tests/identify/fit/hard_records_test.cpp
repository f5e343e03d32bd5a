// Records that once gave wrong numbers: parameters without effect, ripple in a prediction, long delays, a load that follows from the fit.
#include "../synthetic.hpp"
#include "identify/fit/statistics.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace bristle::inline identification {
namespace {

using std::numbers::pi;

const LuGre lugre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};

// One run with force(t), position(t) and noise [N].
template <class Position, class Force>
Record record_of(double duration, double rate, const Position& position, const Force& force, double noise) {
    Record out;
    out.runs.push_back(synthetic::run_of(duration, rate, position, force, {.force = noise, .seed = 17}));
    return out;
}

// Oracle: a force far below breakaway is that of a spring: it determines sigma0 and nothing of the curve. Residuals alone would give a
// standard error of 0 to parameters without effect.
TEST(ParametersWithoutEffect, AreNotIdentifiable) {
    const auto x = [](double t) { return 1e-5 * std::sin(2 * pi * 2 * t); };
    const Record record = record_of(
        10, 200, x, [&](double t) { return 2e5 * x(t); }, 0.01);
    FitOptions options;
    options.laws = {"elastoplastic"};
    options.model.delay = Setting::given(0);
    const FitResult found = fit(record, options);
    const LawFit& law = found.best();
    ASSERT_NE(law.parameter("sigma0"), nullptr);
    EXPECT_NEAR(law.parameter("sigma0")->value, 2e5, 2e3);
    for (const char* name : {"Fc", "Fs", "vs"}) {
        ASSERT_NE(law.parameter(name), nullptr) << name;
        EXPECT_EQ(law.parameter(name)->identifiable, Identifiable::no) << name << " " << law.parameter(name)->se;
    }
}

// Oracle: the error of the fit itself; only the state at the start of a run may differ.
TEST(PredictionWithRipple, OfTheFittedRecordHasTheErrorOfTheFit) {
    Record record = synthetic::record(Coulomb{.curve = {.Fc = 20}, .sigma2 = 60}, {.force = 0.4, .seed = 6}, 8, 500);
    for (std::size_t i = 0; i < record.runs[0].size(); ++i)
        record.runs[0].force[i] += 2 * std::sin(2 * pi * record.runs[0].position[i] / 5e-3);
    FitOptions options;
    options.laws = {"coulomb"};
    const FitResult found = fit(record, options);
    EXPECT_NEAR(found.method.ripple_period, 5e-3, 5e-5);
    const FitError error = predict(found.best(), record, options, found.method);
    EXPECT_NEAR(error.rmse, found.best().fit.rmse, 0.01 * error.rmse);
}

// Oracle: the delay of 5 ms put into the record, 50 samples of 0.1 ms. Tolerance: 0.25 ms.
TEST(LongDelay, OfFiftySamplesIsFound) {
    const Record record = synthetic::record(lugre, {.force = 0.4, .delay = 5e-3, .seed = 9}, 8, 10000);
    FitOptions options;
    options.laws = {"lugre"};
    options.starts = 1;
    options.hold_out.fraction = 0;
    const FitResult found = fit(record, options);
    EXPECT_NEAR(found.method.delay, 5e-3, 0.25e-3);
    EXPECT_FALSE(found.best().parameter("delay")->at_bound);
}

// Oracle: a record whose time column has the wrong unit (ms for s) lasts 8 ms: a delay beyond a twentieth of it would leave no rows. It was
// once found, and the fit of Maxwell-slip read outside its table.
TEST(RecordInAWrongUnitOfTime, IsFittedWithoutADelayBeyondIt) {
    Record record = synthetic::record(lugre, {.force = 0.4, .seed = 9}, 8, 500);
    for (double& t : record.runs[0].time) t *= 1e-3;
    FitOptions options;
    options.laws = {"coulomb", "lugre", "maxwell_slip"};
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::find();
    const FitResult found = fit(record, options);
    EXPECT_LE(std::abs(found.method.delay), 0.05 * 8e-3);
    for (const LawFit& law : found.laws) EXPECT_GT(law.fit.rows, 3000u) << law.kind;
}

// Oracle: the level of the record. A given delay of 0.1 s moves rows without a value into the first 0.1 s of each run; they do not count.
TEST(GivenDelay, LeavesOutTheRowsItMovesIn) {
    const Coulomb law{.curve = {.Fc = 20}, .sigma2 = 60};
    Record record = synthetic::record(law, {.force = 0.2, .delay = 0.1, .seed = 5}, 2, 500);
    FitOptions options;
    options.laws = {"coulomb"};
    options.model.delay = Setting::given(0.1);
    const FitResult found = fit(record, options);
    EXPECT_NEAR(found.best().parameter("Fc")->value, 20, 0.2);
    EXPECT_NEAR(found.best().fit.rmse, 0.2 * std::sqrt(0.2), 0.1);
}

// Oracle: the numbers that made the record: level 0.05 N m + 0.3 |tau_m + gravity sin x|, gravity 0.48 N m, gain 0.1 N m/V. The load follows
// from the gain and the gravity that are found with it. Tolerance: 3 % of kc, 1 % of the others, several standard errors.
TEST(GearLoad, FollowsTheGravityThatIsFound) {
    constexpr double Fc = 0.05, kc = 0.3, gravity = 0.48, inertia = 0.005;
    const auto x = [](double t) { return 1.2 * std::sin(2 * pi * 0.4 * t) + 0.5 * std::sin(2 * pi * 0.13 * t + 1); };
    const auto torque = [&](double t) {
        constexpr double h = 1e-4;
        const double v = (x(t + h) - x(t - h)) / (2 * h), a = (x(t + h) - 2 * x(t) + x(t - h)) / (h * h);
        const double s = v > 0 ? 1 : -1, load = gravity * std::sin(x(t));
        // tau = inertia a + load + s (Fc + kc |tau + load|): both signs of tau + load
        for (const double sign : {1.0, -1.0}) {
            const double tau = (inertia * a + load + s * (Fc + sign * kc * load)) / (1 - sign * s * kc);
            if (sign * (tau + load) >= 0) return tau;
        }
        return 0.0;
    };
    Record record = record_of(30, 200, x, torque, 0.002);
    record.rotary = true;
    FitOptions options;
    options.laws = {"gear"};
    options.model.measured = Measured::actuator;
    options.model.inertia = Setting::given(inertia);
    options.model.gravity = Setting::find();
    options.model.delay = Setting::given(0);
    options.model.ripple = false;
    const FitResult found = fit(record, options);
    EXPECT_NEAR(found.best().parameter("gravity")->value, gravity, 0.01 * gravity);
    EXPECT_NEAR(found.best().parameter("kc")->value, kc, 0.03 * kc);
    EXPECT_NEAR(predict(found.best(), record, options, found.method).rmse, found.best().fit.rmse,
                0.02 * found.best().fit.rmse);
}

// Oracle: 1 + 2 sum of cos(...) envelopes: an exponential correlation of 3000 samples, (1 + rho)/(1 - rho) = 5999 with what the cut at 0.05
// leaves out, 2 0.05/(1 - rho). Lags beyond 256 are those of blocks. Tolerance: 25 %, three sampling errors for 100 correlation lengths.
TEST(LongCorrelation, IsFoundByBlocks) {
    constexpr double rho = 1 - 1.0 / 3000;
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal;
    std::vector<double> r(600000);
    for (std::size_t i = 1; i < r.size(); ++i) r[i] = rho * r[i - 1] + normal(random);
    Prepared record;
    record.runs.push_back({{"run"}, 0, r.size(), 1e-3});
    const std::vector<std::uint8_t> use(r.size(), 1);
    const double expected = (1 + rho) / (1 - rho) - 0.1 / (1 - rho);
    EXPECT_NEAR(correlation_length(record, r, use), expected, 0.25 * expected);
}

}  // namespace
}  // namespace bristle::identification
