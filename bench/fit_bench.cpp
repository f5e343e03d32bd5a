// Identification: one solve, one pass with derivatives against one plain pass, cost by the number of rows.
#include "fit_problem.hpp"
#include "identify/fit/least_squares.hpp"
#include "identify/fit/solve.hpp"
#include "registry.hpp"
#include <string>

namespace {

using namespace bristle;

constexpr std::size_t samples = 25000;

// LuGre with inertia, 7 parameters, from one start.
void solve_once(benchmark::State& run) {
    const Prepared rows = fit_problem::prepared(samples);
    const Axis axis = fit_problem::axis(rows);
    const FitProblem problem(rows, axis, fit_problem::start);
    SolveOptions options;
    options.tolerance = 1e-8;
    Solved found;
    for (auto _ : run) found = solve(problem, problem.start(), options);
    run.counters["seconds"] =
        benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    run.counters["parameters"] = double(problem.parameters().size());
    run.counters["evaluations"] = found.evaluations;
    run.counters["cost"] = found.cost;
    for (std::size_t k = 0; k < found.values.size(); ++k) run.counters[problem.parameters()[k].name] = found.values[k];
}

// Force and derivatives along the motion: with respect to the first numbers of the law, as many as a pass computes.
void derivatives(benchmark::State& run) {
    const Prepared rows = fit_problem::prepared(samples);
    const AnyLaw law = fit_problem::truth;
    PassColumns columns;
    std::vector<std::size_t> places;
    const Pass pass = pass_of(law);
    for (std::size_t k = 0; k < numbers_of_law(law).size(); ++k) {
        columns.of_parameter.push_back(k < pass.width ? int(k) : -1);
        if (k < pass.width) places.push_back(k);
    }
    std::vector<double> force(samples), J(samples * places.size());
    for (auto _ : run) {
        pass.respond(law, columns, 0, {rows.dt, rows.x, rows.v, {}, 0},
                     {force.data(), J.data(), places.size(), places});
        benchmark::DoNotOptimize(J.data());
    }
    bench::per_step(run, samples);
}

// The same motion through the contact of the core: state by step(), force at the velocity of the sample.
void plain(benchmark::State& run) {
    const Prepared rows = fit_problem::prepared(samples);
    std::vector<double> F(samples);
    for (auto _ : run) {
        Contact<LuGre> contact(fit_problem::truth);
        for (std::size_t i = 0; i < samples; ++i) {
            if (i > 0)
                benchmark::DoNotOptimize(contact.step((rows.x[i] - rows.x[i - 1]) / rows.dt[i], rows.dt[i]).force);
            F[i] = force(fit_problem::truth, contact.state().z, rows.v[i]);
        }
        benchmark::DoNotOptimize(F.data());
    }
    bench::per_step(run, samples);
}

// One evaluation of residuals and derivatives with its fold: the unit of a solve. bandwidth [Hz]; 0: no filter.
void evaluation(benchmark::State& run, std::size_t n, double bandwidth) {
    Prepared rows = fit_problem::prepared(n);
    rows.bandwidth = bandwidth;
    const Axis axis = fit_problem::axis(rows);
    const FitProblem problem(rows, axis, fit_problem::start);
    FitProblem::Rows table;
    const std::size_t p = problem.parameters().size();
    for (auto _ : run) {
        problem.evaluate(problem.start(), table);
        benchmark::DoNotOptimize(fold(table.J.data(), p, table.residual.data(), n, p, rows.compared));
    }
    bench::per_step(run, n);
}

const bool registered = [] {
    bench::add("fit/solve", solve_once);
    bench::add("fit/derivatives", derivatives);
    bench::add("fit/plain", plain);
    for (const std::size_t n : {10000u, 100000u, 1000000u})
        bench::add("fit/rows/" + std::to_string(n), [n](benchmark::State& run) { evaluation(run, n, 0); });
    bench::add("fit/filtered/100000", [](benchmark::State& run) { evaluation(run, 100000, 100); });
    // the same without AVX2
    bench::add("fit/baseline/100000", [](benchmark::State& run) {
        const BaselineOnly baseline_only;
        evaluation(run, 100000, 0);
    });
    return true;
}();

}  // namespace
