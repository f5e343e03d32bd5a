// Maxwell-slip by non-negative least squares.
#include "identify/fit/maxwell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::inline identification {
namespace {

// Force of springs k_i that yield at d_i, along two sines; written out here: s = clamp(s + dx, -d, d), F = sum k s + sigma2 v.
struct Springs {
    std::vector<double> k, d;
    double sigma2 = 0, noise = 0;
};
Prepared rows_of(const Springs& springs) {
    std::mt19937_64 random(21);
    std::normal_distribution<double> normal;
    Record record;
    MeasuredRun run;
    run.name = "run";
    std::vector<double> s(springs.k.size(), 0.0);
    double before = 0;
    for (int i = 0; i < 4000; ++i) {
        const double t = 5e-3 * i, x = 1e-3 * std::sin(t) + 4e-4 * std::sin(3.7 * t);
        const double v = 1e-3 * std::cos(t) + 4e-4 * 3.7 * std::cos(3.7 * t);
        double F = springs.sigma2 * v + springs.noise * normal(random);
        for (std::size_t j = 0; j < s.size(); ++j) {
            s[j] = std::clamp(s[j] + x - before, -springs.d[j], springs.d[j]);
            F += springs.k[j] * s[j];
        }
        before = x;
        run.time.push_back(t);
        run.position.push_back(x);
        run.force.push_back(F);
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    record.runs.push_back(run);
    return prepare(record, {}, 0.0);
}
Axis axis_for(const Prepared& rows) {
    FitModel model;
    model.delay = Setting::given(0);
    return axis_of(rows, model);
}
double level_of(const MaxwellFit& fit) {
    double sum = 0;
    for (std::size_t i = 0; i < fit.deflection.size(); ++i) sum += fit.values[i] * fit.deflection[i];
    return sum;
}

// Oracle: the springs that made the record: level sum k d = 30 N, stiffness at rest sum k = 4e5 N/m, sigma2 = 500 N s/m.
// Tolerance: 3 % of the level and sigma2, 20 % of the stiffness: yield deflections lie on a grid of 14.
TEST(MaxwellFitting, FindsLevelStiffnessAndViscousFrictionOfSprings) {
    const Springs springs{.k = {3e5, 8e4, 2e4}, .d = {3e-5, 1.5e-4, 4.5e-4}, .sigma2 = 500, .noise = 0.1};
    const Prepared rows = rows_of(springs);
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    double stiffness = 0, sigma2 = 0;
    for (std::size_t i = 0; i < found.deflection.size(); ++i) stiffness += found.values[i];
    for (std::size_t i = 0; i < found.values.size(); ++i)
        if (found.parameters[i].name == "sigma2") sigma2 = found.values[i];
    EXPECT_NEAR(level_of(found), 30, 0.9);
    EXPECT_NEAR(stiffness, 4e5, 8e4);
    EXPECT_NEAR(sigma2, 500, 100);
    for (const double x : std::span(found.values).first(found.deflection.size())) EXPECT_GT(x, 0);
}

// Oracle: residuals and derivatives belong together: residual = y - J x, as the model is linear. Tolerance: rounding of 30 N.
TEST(MaxwellFitting, ResidualEqualsTheMeasuredForceWithoutTheLinearModel) {
    const Prepared rows = rows_of({.k = {3e5, 8e4}, .d = {3e-5, 1.5e-4}, .sigma2 = 500, .noise = 0.5});
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    const std::size_t p = found.values.size();
    double squares = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        double model = 0;
        for (std::size_t k = 0; k < p; ++k) model += found.rows.J[i * p + k] * found.values[k];
        ASSERT_NEAR(found.rows.residual[i], rows.y[i] - model, 1e-10) << i;
        if (rows.compared[i]) squares += found.rows.residual[i] * found.rows.residual[i];
    }
    EXPECT_NEAR(found.cost, squares, 1e-8 * squares);
}

// Oracle: the friction of the fit itself, from its law. Tolerance: rounding; the fractions nu_i are quotients.
TEST(MaxwellFitting, ForceOfTheFittedLawEqualsTheFrictionOfTheFit) {
    const Prepared rows = rows_of({.k = {3e5, 8e4}, .d = {3e-5, 1.5e-4}, .sigma2 = 500, .noise = 0.1});
    for (const double gap : {0.0, 1e-4}) {
        const MaxwellFit found = fit_maxwell(rows, axis_for(rows), gap, rows.compared);
        const auto force = maxwell_force(rows, found.law, gap);
        for (std::size_t i = 0; i < rows.rows(); ++i) ASSERT_NEAR(force[i], found.rows.friction[i], 1e-9) << i;
    }
}

// Oracle: Fc = sum k d, with d of the springs; variance d' C d written out for two elements. Tolerance: rounding.
TEST(MaxwellFitting, LevelHasTheErrorOfItsStiffnesses) {
    MaxwellSlip law;
    law.size = 2;
    law.k[0] = 3e5, law.nu[0] = 0.375;  // d = 3e-5 m
    law.k[1] = 1e5, law.nu[1] = 0.625;  // d = 1.5e-4 m
    law.curve = {.Fc = 24, .Fs = 24, .vs = 1, .alpha = 2};
    const double covariance[] = {4e6, 1e6, 7, 1e6, 9e6, 7, 7, 7, 7};
    const FittedParameter level = maxwell_level(law, covariance, 3, 2);
    EXPECT_NEAR(level.value, 24, 1e-12);
    const double variance = 9e-10 * 4e6 + 2 * 4.5e-9 * 1e6 + 2.25e-8 * 9e6;
    EXPECT_NEAR(level.se, std::sqrt(variance), 1e-12);
    EXPECT_NEAR(level.high, 24 + 2 * std::sqrt(variance), 1e-12);
    EXPECT_EQ(level.identifiable, Identifiable::yes);
}

}  // namespace
}  // namespace bristle::identification
