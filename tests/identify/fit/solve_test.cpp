// Solution of a least-squares problem from one start.
#include "identify/fit/solve.hpp"

#include <bristle/base/error.hpp>
#include <gtest/gtest.h>

#include "../synthetic.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace bristle::inline identification {
namespace {

// Coulomb friction with sigma2 and an offset is linear in its three parameters: y = Fc sgn v + sigma2 v + offset + noise.
struct Linear {
    double Fc = 20, sigma2 = 60, offset = 3, noise = 1;
    int outlier_every = 0;  // rows with 200 N more; 0: none
};
struct Case {
    FitOptions options;
    Prepared rows;
    Axis axis;
};
Case case_of(const Linear& truth) {
    std::mt19937_64 random(17);
    std::normal_distribution<double> normal;
    Record record;
    MeasuredRun run;
    run.name = {"run"};
    for (int i = 0; i < 600; ++i) {
        const double t = 1e-3 * i, v = 0.2 * std::cos(20 * t + 0.1);
        run.time.push_back(t);
        run.position.push_back(0.01 * std::sin(20 * t + 0.1));
        double y = truth.Fc * (v > 0 ? 1 : -1) + truth.sigma2 * v + truth.offset + truth.noise * normal(random);
        if (truth.outlier_every > 0 && i % truth.outlier_every == 7) y += 200;
        run.force.push_back(y);
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    record.runs.push_back(run);
    Case out;
    out.options.model.delay = Setting::given(0);
    out.rows = prepare(record, out.options, 0.0);
    out.axis = axis_of(out.rows, out.options.model);
    return out;
}
AnyLaw coulomb(double Fc, double sigma2) { return Coulomb{.curve = {.Fc = Fc}, .sigma2 = sigma2}; }

// Least squares of y on the given columns (0: sgn v, 1: v, 2: 1) by Cramer's rule, in extended precision; others are 0.
std::array<double, 3> closed_form(const Prepared& rows, bool with_sigma2) {
    const auto column = [&](std::size_t i, int k) -> long double {
        return k == 0 ? (rows.v[i] > 0 ? 1 : -1) : k == 1 ? (with_sigma2 ? rows.v[i] : 0) : 1;
    };
    long double N[3][3] = {}, b[3] = {};
    for (std::size_t i = 0; i < rows.rows(); ++i)
        if (rows.compared[i])
            for (int a = 0; a < 3; ++a) {
                for (int c = 0; c < 3; ++c) N[a][c] += column(i, a) * column(i, c);
                b[a] += column(i, a) * rows.y[i];
            }
    if (!with_sigma2) N[1][1] = 1;
    const auto det = [](const long double(&M)[3][3]) {
        return M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) - M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
               M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
    };
    std::array<double, 3> x{};
    for (int k = 0; k < 3; ++k) {
        long double M[3][3];
        for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c) M[a][c] = c == k ? b[a] : N[a][c];
        x[std::size_t(k)] = double(det(M) / det(N));
    }
    return x;
}
double squares(const Prepared& rows, const std::array<double, 3>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i)
        if (rows.compared[i]) sum += std::pow(rows.y[i] - x[0] * (rows.v[i] > 0 ? 1 : -1) - x[1] * rows.v[i] - x[2], 2);
    return sum;
}

// Oracle: normal equations. Tolerance: 1e-6; the last step of the search changes the cost by less than 1e-10, the next one by much less.
TEST(Solve, OfALinearProblemEqualsTheNormalEquations) {
    const Case c = case_of({});
    const FitProblem problem(c.rows, c.axis, coulomb(5, 1));
    ASSERT_EQ(problem.parameters().size(), 3u);
    const Solved found = solve(problem, problem.start(), {});
    const auto expected = closed_form(c.rows, true);
    EXPECT_TRUE(found.converged);
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(found.values[k], expected[k], 1e-6 * std::abs(expected[k])) << problem.parameters()[k].name;
    EXPECT_NEAR(found.cost, squares(c.rows, expected), 1e-9 * found.cost);
}

// Oracle: normal equations without viscous friction; the true sigma2 of -30 N s/m is not permitted. Tolerance as above.
TEST(Solve, StopsAtABoundAndFitsTheOthersThere) {
    const Case c = case_of({.sigma2 = -30});
    const FitProblem problem(c.rows, c.axis, coulomb(5, 10));
    const Solved found = solve(problem, problem.start(), {});
    const auto expected = closed_form(c.rows, false);
    EXPECT_NEAR(found.values[0], expected[0], 1e-6 * expected[0]);
    EXPECT_EQ(found.values[1], 0);
    EXPECT_NEAR(found.values[2], expected[2], 1e-6);
}

// Oracle: definition of the bounds: no value of a solution lies outside them, whatever the start.
TEST(Solve, KeepsAllValuesWithinTheirBounds) {
    const Case c = case_of({});
    const FitProblem problem(c.rows, c.axis, coulomb(0.5, 1));  // bounds follow the start: Fc <= 5 N
    for (const double start : {1e-9, 0.5, 1e9}) {
        const Solved found = solve(problem, std::vector<double>{start, -5.0, 0.0}, {});
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GE(found.values[k], problem.parameters()[k].low);
            EXPECT_LE(found.values[k], problem.parameters()[k].high);
        }
    }
}

// Oracle: the fit of the same record without outliers: 5 % of the rows have 200 N more. Tolerance: 2 % of Fc for Huber with a scale of
// 3 standard deviations, whose bias is 3 N * 5 %; least squares are off by 10 N in the offset.
TEST(Solve, HuberLossIgnoresFivePercentOfGrossOutliers) {
    const Case clean = case_of({}), outliers = case_of({.outlier_every = 20});
    const auto expected = closed_form(clean.rows, true);
    const FitProblem problem(outliers.rows, outliers.axis, coulomb(10, 10));
    const Solved robust = solve(problem, problem.start(), {.loss = Loss::huber, .loss_scale = 3});
    const Solved plain = solve(problem, problem.start(), {});
    EXPECT_TRUE(robust.converged);
    EXPECT_NEAR(robust.values[0], expected[0], 0.4);
    EXPECT_NEAR(robust.values[1], expected[1], 4);
    EXPECT_NEAR(robust.values[2], expected[2], 0.4);
    EXPECT_GT(std::abs(plain.values[2] - expected[2]), 5);
}

// Oracle: sum of rho(r), with rho = r^2 up to the scale s and 2 s |r| - s^2 above. Tolerance: rounding.
TEST(Solve, CostOfTheHuberLossIsTheSumOfLosses) {
    const Case c = case_of({.outlier_every = 20});
    const FitProblem problem(c.rows, c.axis, coulomb(10, 10));
    const Solved found = solve(problem, problem.start(), {.loss = Loss::huber, .loss_scale = 2});
    FitProblem::Rows rows;
    problem.evaluate(found.values, rows);
    double sum = 0;
    for (std::size_t i = 0; i < c.rows.rows(); ++i)
        if (const double r = std::abs(rows.residual[i]); c.rows.compared[i]) sum += r <= 2 ? r * r : 4 * r - 4;
    EXPECT_NEAR(found.cost, sum, 1e-9 * sum);
}

// Oracle: rows that are not used do not change the result: they hold 1e6 N. Exact up to the search tolerance.
TEST(Solve, DoesNotSeeRowsThatAreNotUsed) {
    Case c = case_of({});
    const auto expected = closed_form(c.rows, true);
    SolveOptions options;
    Case other = c;
    options.use = c.rows.compared;
    for (std::size_t i = 0; i < 600; i += 9) options.use[i] = 0;
    for (std::size_t i = 0; i < 600; i += 9) other.rows.y[i] = 1e6;
    const FitProblem a(c.rows, c.axis, coulomb(10, 10)), b(other.rows, other.axis, coulomb(10, 10));
    const Solved first = solve(a, a.start(), options), second = solve(b, b.start(), options);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(first.values[k], second.values[k]);
    EXPECT_NEAR(first.values[0], expected[0], 0.5);
}

// Oracle: a start that is not a number has no cost.
TEST(Solve, FromNotANumberDoesNotConverge) {
    const Case c = case_of({});
    const FitProblem problem(c.rows, c.axis, coulomb(10, 10));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<double> start = problem.start();
        start[k] = nan;
        const Solved found = solve(problem, start, {});
        EXPECT_FALSE(found.converged) << k;
        EXPECT_FALSE(std::isfinite(found.cost)) << k;
    }
}

// Models with the three parameters of Coulomb friction (Fc by its logarithm, sigma2 >= 0, offset): any function of them and the time.
class ModelProblem : public FitProblem {
  public:
    // Value and its three derivatives at a time [s].
    using Model = std::function<std::array<double, 4>(std::span<const double> values, double t)>;
    ModelProblem(const Case& c, const AnyLaw& law, Model model)
        : FitProblem(c.rows, c.axis, law), model_(std::move(model)) {}
    void evaluate(std::span<const double> values, Rows& rows) const override {
        rows.residual.clear();
        rows.J.clear();
        rows.finite = true;
        for (std::size_t i = 0; i < record().rows(); ++i) {
            const auto [y, a, b, c] = model_(values, 1e-3 * double(i));
            rows.residual.push_back(record().y[i] - y);
            rows.J.insert(rows.J.end(), {a, b, c});
            rows.finite = rows.finite && std::isfinite(y) && std::isfinite(a) && std::isfinite(b) && std::isfinite(c);
        }
    }

  private:
    Model model_;
};
// y = Fc exp(-sigma2 t) + offset.
std::array<double, 4> decay(std::span<const double> x, double t) {
    const double e = std::exp(-x[1] * t);
    return {x[0] * e + x[2], e, -x[0] * t * e, 1};
}
// 600 rows of y = 8 exp(-3 t) + 1 + 0.1 sin(37 i), all of them compared.
Case decay_case() {
    Case c = case_of({});
    for (std::size_t i = 0; i < c.rows.rows(); ++i) {
        c.rows.y[i] = 8 * std::exp(-3e-3 * double(i)) + 1 + 0.1 * std::sin(37.0 * double(i));
        c.rows.compared[i] = 1;
    }
    return c;
}

// Oracle: scipy.optimize.least_squares 1.17 with method "trf", bounds and tolerances of 1e-15. Tolerance: 1e-6 relative.
// Fc <= 5 N is active: bounds follow the start.
TEST(Solve, OfANonlinearProblemWithAnActiveBoundEqualsSciPy) {
    const Case c = decay_case();
    const ModelProblem problem(c, coulomb(0.5, 1), decay);
    ASSERT_EQ(c.rows.rows(), 600u);
    ASSERT_DOUBLE_EQ(problem.parameters()[0].high, 5);
    const Solved found = solve(problem, std::vector<double>{0.5, 1, 0}, {.tolerance = 1e-13});
    EXPECT_TRUE(found.converged);
    EXPECT_DOUBLE_EQ(found.values[0], 5);
    EXPECT_NEAR(found.values[1], 4.4993277, 1e-6 * 4.4993277);
    EXPECT_NEAR(found.values[2], 2.9835586, 1e-6 * 2.9835586);
    EXPECT_NEAR(found.cost, 237.181447998, 1e-9 * found.cost);
}

// Oracle: as above, without an active bound. Starts at the lower and at the upper bound of Fc, and at sigma2 = 0.
TEST(Solve, FromABoundReachesASolutionInside) {
    const Case c = decay_case();
    const ModelProblem problem(c, coulomb(2, 1), decay);
    const double low = problem.parameters()[0].low, high = problem.parameters()[0].high;
    ASSERT_LT(low, 8);
    ASSERT_GT(high, 8.5);
    for (const auto& start : {std::vector<double>{low, 1, 0}, {high, 1, 0}, {2, 0, 0}, {low, 0, 0}, {high, 0, 5}}) {
        const Solved found = solve(problem, start, {});
        EXPECT_TRUE(found.converged);
        EXPECT_NEAR(found.values[0], 8.002534988, 1e-6 * 8.002534988) << start[0] << " " << start[1];
        EXPECT_NEAR(found.values[1], 2.994694433, 1e-6 * 2.994694433) << start[0] << " " << start[1];
        EXPECT_NEAR(found.values[2], 0.994301948, 1e-6 * 0.994301948) << start[0] << " " << start[1];
    }
}

// Oracle: the solution from the true values, of a record of LuGre with noise of 2 % of Fc. Tolerance: 1e-5, for a relative tolerance of the
// cost of 1e-10; standard errors are above 1e-3. At most 40 evaluations.
TEST(Solve, FromStartsTenTimesOffReachesTheSameMinimum) {
    const LuGre truth{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = synthetic::curve};
    FitOptions options;
    options.model.delay = Setting::given(0);
    const Prepared rows = prepare(synthetic::record(truth, {.force = 0.4}), options, 0.0);
    const Axis axis = axis_of(rows, options.model);
    const FitProblem true_start(rows, axis, truth);
    const Solved expected = solve(true_start, true_start.start(), {});
    EXPECT_TRUE(expected.converged);
    const auto all_by = [&](double f) {
        return LuGre{.sigma0 = f * 2e5, .sigma1 = f * 600, .sigma2 = f * 60, .curve = {f * 20, f * 30, f * 5e-3}};
    };
    const auto stiffness_by = [&](double f) {
        LuGre law = truth;
        law.sigma0 *= f;
        return law;
    };
    for (const LuGre& start : {all_by(10), all_by(3), all_by(0.3), stiffness_by(10), stiffness_by(0.1)}) {
        const FitProblem problem(rows, axis, start);
        const Solved found = solve(problem, problem.start(), {});
        EXPECT_TRUE(found.converged) << start.sigma0;
        EXPECT_LE(found.evaluations, 40) << start.sigma0;
        for (std::size_t k = 0; k < found.values.size(); ++k)
            EXPECT_NEAR(found.values[k], expected.values[k], 1e-5 * std::abs(expected.values[k]) + 1e-6)
                << problem.parameters()[k].name << " from sigma0 " << start.sigma0;
    }
}

// Oracle: a number without effect stays at its start; the others are those of the fit without it (a mean and a slope, closed form).
TEST(Solve, ANumberWithoutEffectStaysAtItsStart) {
    Case c = decay_case();
    for (double& y : c.rows.y) y = 10 - y;  // increases: Fc > 0
    const ModelProblem problem(c, coulomb(2, 1), [](std::span<const double> x, double t) {
        return std::array<double, 4>{x[0] * t + x[2], t, 0, 1};
    });
    const Solved found = solve(problem, std::vector<double>{2, 7, 0}, {});
    long double t1 = 0, t2 = 0, y1 = 0, ty = 0;
    for (std::size_t i = 0; i < 600; ++i) {
        const long double t = 1e-3L * i;
        t1 += t, t2 += t * t, y1 += c.rows.y[i], ty += t * c.rows.y[i];
    }
    const double slope = double((ty - t1 * y1 / 600) / (t2 - t1 * t1 / 600));
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.values[1], 7);
    EXPECT_NEAR(found.values[0], slope, 1e-6 * slope);
    EXPECT_NEAR(found.values[2], double((y1 - slope * t1) / 600), 1e-6);
}

// Oracle: two numbers with equal columns: their sum is determined, and the cost is that of one of them alone. Tolerance: 1e-6.
TEST(Solve, OfEqualColumnsHasTheLeastCost) {
    const Case c = decay_case();
    const ModelProblem problem(c, coulomb(2, 1), [](std::span<const double> x, double t) {
        return std::array<double, 4>{x[0] * std::exp(-3 * t) + x[1] + x[2], std::exp(-3 * t), 1, 1};
    });
    const ModelProblem single(c, coulomb(2, 1), [](std::span<const double> x, double t) {
        return std::array<double, 4>{x[0] * std::exp(-3 * t) + x[2], std::exp(-3 * t), 0, 1};
    });
    const Solved found = solve(problem, std::vector<double>{2, 1, 0}, {}), one = solve(single, problem.start(), {});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.cost, one.cost, 1e-9 * one.cost);
    EXPECT_NEAR(found.values[0], one.values[0], 1e-6 * one.values[0]);
    EXPECT_NEAR(found.values[1] + found.values[2], one.values[2], 1e-6);
}

// Oracle: the solution of the decay as above. The model is not finite for sigma2 > 6 1/s, where the first step ends.
TEST(Solve, StepsIntoARegionWithoutFiniteValuesAreRejected) {
    const Case c = decay_case();
    bool entered = false;
    const ModelProblem problem(c, coulomb(2, 1), [&](std::span<const double> x, double t) {
        auto out = decay(x, t);
        if (x[1] > 6) {
            entered = true;
            out[0] = std::numeric_limits<double>::quiet_NaN();
        }
        return out;
    });
    const Solved found = solve(problem, std::vector<double>{1, 0, 0}, {});
    EXPECT_TRUE(entered);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.values[0], 8.002534988, 1e-6 * 8);
    EXPECT_NEAR(found.values[1], 2.994694433, 1e-6 * 3);
    EXPECT_NEAR(found.values[2], 0.994301948, 1e-6);
    EXPECT_FALSE(std::isfinite(solve(problem, std::vector<double>{2, 7, 0}, {}).cost));
}

// Oracle: documentation of SolveOptions::should_continue.
TEST(Solve, ThrowsCancelledIfItShouldNotContinue) {
    const Case c = case_of({});
    const FitProblem problem(c.rows, c.axis, coulomb(10, 10));
    int calls = 0;
    EXPECT_THROW(solve(problem, problem.start(), {.should_continue = [&] { return ++calls < 3; }}), Cancelled);
}

}  // namespace
}  // namespace bristle::identification
