// Maxwell-slip by non-negative least squares.
#include "identify/fit/maxwell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
    run.name = {"run"};
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
// Tolerance: 1 % of the level, 2 % of sigma2 and stiffness: several standard errors; yield deflections are refined off their grid.
TEST(MaxwellFitting, FindsLevelStiffnessAndViscousFrictionOfSprings) {
    const Springs springs{.k = {3e5, 8e4, 2e4}, .d = {3e-5, 1.5e-4, 4.5e-4}, .sigma2 = 500, .noise = 0.1};
    const Prepared rows = rows_of(springs);
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    double stiffness = 0, sigma2 = 0;
    for (std::size_t i = 0; i < found.deflection.size(); ++i) stiffness += found.values[i];
    for (std::size_t i = 0; i < found.values.size(); ++i)
        if (found.parameters[i].name == "sigma2") sigma2 = found.values[i];
    EXPECT_NEAR(level_of(found), 30, 0.3);
    EXPECT_NEAR(stiffness, 4e5, 8e3);
    EXPECT_NEAR(sigma2, 500, 10);
    for (const double x : std::span(found.values).first(found.deflection.size())) EXPECT_GT(x, 0);
}

// Oracle: residuals and derivatives belong together: residual = y - J x over stiffnesses, viscous friction and offset, in which the model
// is linear. Tolerance: rounding of 30 N.
TEST(MaxwellFitting, ResidualEqualsTheMeasuredForceWithoutTheLinearModel) {
    const Prepared rows = rows_of({.k = {3e5, 8e4}, .d = {3e-5, 1.5e-4}, .sigma2 = 500, .noise = 0.5});
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    const std::size_t p = found.values.size();
    double squares = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        double model = 0;
        for (std::size_t k = 0; k < p; ++k)
            if (!found.parameters[k].name.starts_with("d[")) model += found.rows.J[i * p + k] * found.values[k];
        ASSERT_NEAR(found.rows.residual[i], rows.y[i] - model, 1e-10) << i;
        if (rows.compared[i]) squares += found.rows.residual[i] * found.rows.residual[i];
    }
    EXPECT_NEAR(found.cost, squares, 1e-8 * squares);
}

// Oracle: central differences of the force of springs, written out in rows_of, with respect to a yield deflection. Tolerance: 1e-3 of
// the stiffness; in up to 2 rows the element begins to yield on one side only.
TEST(MaxwellFitting, DerivativesByDeflectionsEqualCentralDifferences) {
    const Springs springs{.k = {3e5, 8e4}, .d = {3e-5, 1.5e-4}};
    const Prepared rows = rows_of(springs);
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    ASSERT_EQ(found.deflection.size(), 2u);
    const std::size_t p = found.values.size();
    for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_EQ(found.parameters[2 + k].name, "d[" + std::to_string(k) + "]");
        EXPECT_NEAR(found.deflection[k], springs.d[k], 1e-6 * springs.d[k]);
        const double h = 1e-10;
        Springs more = springs, less = springs;
        more.d[k] += h;
        less.d[k] -= h;
        const std::vector<double> above = rows_of(more).y, below = rows_of(less).y;
        std::size_t different = 0;
        for (std::size_t i = 0; i < rows.rows(); ++i)
            different += std::abs((above[i] - below[i]) / (2 * h) - found.rows.J[i * p + 2 + k]) > 1e-3 * springs.k[k];
        EXPECT_LE(different, 2u) << k;
    }
}

// Oracle: a law holds 16 elements. A spectrum of 60 springs from 2 um to 0.6 mm asks for many more. Tolerance: 1 % of the level 30 N.
TEST(MaxwellFitting, OfAWideSpectrumKeepsToTheElementsOfALaw) {
    Springs springs{.k = {}, .d = {}, .noise = 0.01};
    for (int i = 0; i < 60; ++i) {
        springs.d.push_back(2e-6 * std::pow(300, i / 59.0));
        springs.k.push_back(0.5 / springs.d.back());
    }
    const Prepared rows = rows_of(springs);
    const MaxwellFit found = fit_maxwell(rows, axis_for(rows), 0, rows.compared);
    EXPECT_LE(found.deflection.size(), std::size_t(max_elements));
    EXPECT_GE(found.deflection.size(), 4u);
    EXPECT_NEAR(level_of(found), 30, 0.3);
    EXPECT_EQ(std::get<AnyMaxwellSlip>(found.law).count(), int(found.deflection.size()));
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

// Oracle: Fc = sum k d; variance of (k0, k1, d0, d1) with the slopes (d0, d1, k0, k1) written out. Tolerance: rounding.
TEST(MaxwellFitting, LevelHasTheErrorOfItsStiffnessesAndDeflections) {
    MaxwellSlip law;
    law.size = 2;
    law.k[0] = 3e5, law.nu[0] = 0.375;  // d = 3e-5 m
    law.k[1] = 1e5, law.nu[1] = 0.625;  // d = 1.5e-4 m
    law.curve = {.Fc = 24, .Fs = 24, .vs = 1, .alpha = 2};
    constexpr std::size_t p = 5;  // and sigma2, which does not enter
    double covariance[p * p] = {};
    const auto set = [&](std::size_t i, std::size_t j, double c) { covariance[i * p + j] = covariance[j * p + i] = c; };
    set(0, 0, 4e6);
    set(1, 1, 9e6);
    set(0, 1, 1e6);
    set(2, 2, 4e-14);
    set(3, 3, 1e-12);
    set(0, 2, -3e-4);
    set(4, 4, 7);
    std::vector<FreeParameter> parameters(p);
    using Q = FittedQuantity;
    for (std::size_t i = 0; i < p; ++i) {
        parameters[i].quantity = std::array{Q::k, Q::k, Q::d, Q::d, Q::viscous}[i];
        parameters[i].index = std::array{0, 1, 0, 1, -1}[i];
    }
    const FittedParameter level = maxwell_level(law, parameters, covariance, 2);
    EXPECT_NEAR(level.value, 24, 1e-12);
    const double variance = 9e-10 * 4e6 + 2.25e-8 * 9e6 + 2 * 4.5e-9 * 1e6  // stiffnesses
                            + 9e10 * 4e-14 + 1e10 * 1e-12                   // deflections
                            + 2 * 3e-5 * 3e5 * -3e-4;                       // k0 with d0
    EXPECT_NEAR(level.se, std::sqrt(variance), 1e-12);
    EXPECT_NEAR(level.high, 24 + 2 * std::sqrt(variance), 1e-12);
    EXPECT_EQ(level.identifiable, Identifiable::yes);
}

}  // namespace
}  // namespace bristle::identification
