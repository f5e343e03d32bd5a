// Oracle of benitez2005/fig8_delayed: the law of B05 (8) as a block diagram computes it, with the sign of dv/dt of the
// last step, by classical Runge-Kutta steps of order 4. Shares no code with the simulator.
#include "experiment/experiment.hpp"
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../support/sets.hpp"

namespace {

using namespace bristle;

using State = std::array<double, 4>;  // x [m], v [m/s], z [m], heat [J]

// Returns the force [N]: up in 5 s, held for 5 s, down in 10 s, held, up again; the points of the experiment file.
double force(double t) {
    constexpr double top = 1.425;
    if (t <= 5) return top * t / 5;
    if (t <= 10) return top;
    if (t <= 20) return top * (15 - t) / 5;
    return t <= 25 ? -top : top * std::min((t - 30) / 5, 1.0);
}

State rate(double t, const State& y, double sign) {
    constexpr double sigma0 = 1e5, sigma1 = 316.22776601683795, sigma2 = 0.4, Fc = 1, Fs = 1.5, vs = 1e-3, a = 2e-6;
    const double v = y[1], z = y[2], w = v + sign * a;
    const double g = Fc + (Fs - Fc) * std::exp(-v * v / (vs * vs));
    const double dz = w - sigma0 * std::abs(w) * z / g, F = sigma0 * z + sigma1 * dz + sigma2 * v;
    return {v, force(t) - F, dz, F * v - sigma0 * z * dz};
}

struct Seen {
    State at_10_s{};
    double far_corner = 0;  // smallest x [m]
};
Seen block_diagram(double h) {
    Seen out;
    State y{};
    double sign = 0;
    const long steps = std::lround(40 / h), ten = std::lround(10 / h);
    for (long i = 0; i < steps; ++i) {
        const double t = double(i) * h, before = y[1];
        const auto along = [&](const State& d, double by) {
            State s = y;
            for (std::size_t j = 0; j < 4; ++j) s[j] += by * d[j];
            return s;
        };
        const State k1 = rate(t, y, sign), k2 = rate(t + h / 2, along(k1, h / 2), sign),
                    k3 = rate(t + h / 2, along(k2, h / 2), sign), k4 = rate(t + h, along(k3, h), sign);
        for (std::size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
        sign = y[1] > before ? 1 : y[1] < before ? -1 : 0;
        out.far_corner = std::min(out.far_corner, y[0]);
        if (i + 1 == ten) out.at_10_s = y;
    }
    return out;
}

TEST(DelayedSign, NumbersLieInTheMiddleOfTheClaims) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const Seen seen = block_diagram(1e-5);
    const std::string id = "benitez2005/fig8_delayed";
    const auto experiment = experiment::read(std::string(experiment::find_shipped(id)->text), id);
    const auto centred = [&](const std::string& measure, const std::string& signal, double value) {
        const auto claim = std::find_if(experiment.claims.begin(), experiment.claims.end(),
                                        [&](const auto& c) { return c.measure == measure && c.signal == signal; });
        ASSERT_NE(claim, experiment.claims.end()) << measure << ' ' << signal;
        std::printf("%s %s: %.5g\n", measure.c_str(), signal.c_str(), value);
        // in the middle of the claim: the interval allows for the error of the explicit step
        EXPECT_NEAR(value, 0.5 * (claim->low + claim->high), 0.05 * (claim->high - claim->low)) << measure << signal;
    };
    centred("value", "x", seen.at_10_s[0]);
    centred("value", "heat", seen.at_10_s[3]);
    centred("min", "x", seen.far_corner);
}

}  // namespace
