// The fit of the benchmarks: LuGre with inertia, 7 parameters, along a motion with sliding, Stribeck zone and presliding.
//
//   x = 8 mm sin(2 pi 0.7 t + 0.3) + 50 um sin(2 pi 11 t)   at 1 kHz,   y = inertia a + F + noise of 0.4 N
// fit_scipy.py has the same motion, law, start and tolerance.
#pragma once
#include "identify/fit/problem.hpp"
#include <bristle/identify.hpp>
#include <cmath>
#include <numbers>
#include <random>

namespace fit_problem {

using namespace bristle;

inline constexpr double rate = 1000, inertia = 8;  // Hz, kg
inline constexpr LuGre truth{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = {.Fc = 20, .Fs = 30, .vs = 5e-3}};
inline constexpr LuGre start{.sigma0 = 1e5, .sigma1 = 900, .sigma2 = 40, .curve = {.Fc = 15, .Fs = 40, .vs = 9e-3}};

inline double position(double t) {
    using std::numbers::pi;
    return 8e-3 * std::sin(2 * pi * 0.7 * t + 0.3) + 5e-5 * std::sin(2 * pi * 11 * t);
}
inline FitOptions options() {
    FitOptions out;
    out.model.measured = Measured::actuator;
    out.model.inertia = Setting::find();
    out.model.offset = {};
    out.model.delay = Setting::given(0);
    out.bandwidth = 0;
    return out;
}
inline Record record(std::size_t rows) {
    MeasuredRun run;
    run.name = {"bench"};
    for (std::size_t i = 0; i < rows; ++i) {
        run.time.push_back(double(i) / rate);
        run.position.push_back(position(run.time.back()));
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    run.force.assign(rows, 0.0);
    Record out;
    out.runs.push_back(std::move(run));
    return out;
}
// The record on its grid, with the force of the law along it.
inline Prepared prepared(std::size_t rows) {
    Prepared out = prepare(record(rows), options(), 0.0);
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    Contact<LuGre> contact(truth);
    for (std::size_t i = 0; i < rows; ++i) {
        if (i > 0) contact.step((out.x[i] - out.x[i - 1]) / out.dt[i], out.dt[i]);
        out.y[i] = inertia * out.a[i] + force(truth, contact.state().z, out.v[i]) + 0.4 * normal(random);
    }
    return out;
}
inline Axis axis(const Prepared& rows) {
    Axis out = axis_of(rows, options().model);
    out.terms[0].coefficient = 5;  // kg, start
    return out;
}

}  // namespace fit_problem
