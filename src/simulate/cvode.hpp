// The method cvode for one law: the same equations handed to CVODE (SUNDIALS), as an independent reference for tests and benchmarks.
// For cvode.cpp alone, which instantiates it for all laws.
#pragma once
#include "simulate/adaptive.hpp"
#include "simulate/cvode_problem.hpp"

namespace bristle::inline simulation {

template <class System>
Result solve_system_by_cvode(System system, const Setup& setup, const Vector<System::N>& start,
                             const Tolerance<System::N>& tolerance, const Progress& progress) {
    constexpr std::size_t N = System::N, Q = System::quadratures, M = N + Q;
    Result result;
    Recorder recorder(setup, progress);
    const auto state = [](const double* y) {
        Vector<M> out;
        for (std::size_t i = 0; i < M; ++i) out[i] = y[i];
        return out;
    };
    // the side is not frozen here: CVODE evaluates the law with its kink at c = 0
    const auto states_with_side = [&](double t, const double* y) {
        system.friction.side = system.moment(t, state(y)).c < 0 ? -1 : 1;
        return parts::part<N, double>(y, 0);
    };
    // The tolerances bound the error of a step. Over thousands of steps the errors of CVODE add up to a hundred times as
    // much, so that the reference uses 1/20 of them.
    constexpr double tolerance_factor = 0.05;
    CvodeProblem problem;
    problem.y.assign(M, 0);
    problem.rtol = tolerance_factor * tolerance.rtol;
    problem.atol.assign(M, problem.rtol * tolerance.energy);
    for (std::size_t i = 0; i < N; ++i) {
        problem.y[i] = start[i];
        problem.atol[i] = tolerance_factor * tolerance.atol[i];
    }
    problem.longest = tolerance.longest;
    problem.rates = [&](double t, const double* y, double* f) {
        Vector<N> rates;
        Vector<Q> powers;
        system.rates(t, states_with_side(t, y), rates, powers);
        for (std::size_t i = 0; i < M; ++i) f[i] = i < N ? rates[i] : powers[i - N];
    };
    problem.jacobian = [&](double t, const double* y, double* columns) {
        Linear<N, Q> linear;
        system.linearise(t, states_with_side(t, y), linear);
        for (std::size_t i = 0; i < M; ++i)
            for (std::size_t j = 0; j < M; ++j)
                columns[j * M + i] = j >= N ? 0 : i < N ? linear.J[i][j] : linear.W[i - N][j];
    };
    problem.contact_velocity = [&](double t, const double* y) { return system.moment(t, state(y)).c; };
    const auto snapshot = [&](double t, const double* y) {
        states_with_side(t, y);
        return snapshot_of(system, t, state(y));
    };
    problem.step = [&](double t0, double t1, const CvodeProblem::At& at) {
        return recorder.step(t0, t1, [&](double t) {
            double y[M];
            at(t, y);
            return snapshot(t, y);
        });
    };
    problem.reversal = [&](double t) { recorder.reversal(t); };
    while (problem.t < setup.run.duration && result.status == Status::done) {
        const double before = system.load.value(problem.t);
        system.input = setup.input.piece(problem.t);
        system.load = setup.load.piece(problem.t);
        if (problem.t > 0) problem.y[N] += load_jump(system, problem.t, problem.y, before);
        if (problem.t == 0) recorder.start(snapshot(0, problem.y.data()));
        result.status = run_cvode(problem, next_corner(setup, problem.t), result.statistics);
    }
    result.energy.supplied = problem.y[N];
    result.energy.dissipated = problem.y[N + 1];
    recorder.close(result, snapshot(problem.t, problem.y.data()));
    return result;
}

template <class Law>
Result solve_by_cvode(const Law& law, const Setup& setup, const Progress& progress) {
    return with_system(law, setup, [&](auto system, const auto& start, const auto& tolerance) {
        return solve_system_by_cvode(system, setup, start, tolerance, progress);
    });
}

}  // namespace bristle::simulation
