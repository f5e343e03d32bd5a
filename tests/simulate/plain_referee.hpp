// Integrator of the tests for machines: classical Runge-Kutta with a fixed step on plain equations with modes; events by bisection.
#pragma once
#include <bristle/simulate/machine.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <functional>

namespace bristle::inline simulation {

using Vec = std::vector<double>;

// Equations with modes: rates in the present mode, guards that are > 0 while it is valid, and the change at a guard.
struct Plain {
    std::function<void(double t, const Vec& y, Vec& f)> rates;
    std::function<Vec(double t, const Vec& y)> guards;
    std::function<void(std::size_t guard, double t, Vec& y)> change;
};

inline Vec runge_kutta(const Plain& p, double t, const Vec& y, double h) {
    const std::size_t n = y.size();
    Vec a(n), b(n), c(n), d(n), u(n);
    p.rates(t, y, a);
    for (std::size_t i = 0; i < n; ++i) u[i] = y[i] + 0.5 * h * a[i];
    p.rates(t + 0.5 * h, u, b);
    for (std::size_t i = 0; i < n; ++i) u[i] = y[i] + 0.5 * h * b[i];
    p.rates(t + 0.5 * h, u, c);
    for (std::size_t i = 0; i < n; ++i) u[i] = y[i] + h * c[i];
    p.rates(t + h, u, d);
    for (std::size_t i = 0; i < n; ++i) u[i] = y[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    return u;
}
// Returns the first guard that fails; -1 if there is none. A guard that was not above zero before cannot fail.
inline int failed(const Vec& before, const Vec& after) {
    for (std::size_t i = 0; i < after.size(); ++i)
        if (before[i] > 0 && after[i] < 0) return int(i);
    return -1;
}
// Integrates to t_end in steps h. Returns the state there.
inline Vec integrate(const Plain& p, Vec y, double t_end, double h) {
    const long steps = std::lround(t_end / h);
    for (long k = 0; k < steps; ++k) {
        double t = t_end * double(k) / double(steps), rest = t_end * double(k + 1) / double(steps) - t;
        for (int changes = 0; changes < 20; ++changes) {
            // after a change guards start at zero: compare with a point shortly after
            const Vec before = p.guards(t + 1e-9 * h, runge_kutta(p, t, y, 1e-9 * h));
            const Vec whole = runge_kutta(p, t, y, rest);
            if (failed(before, p.guards(t + rest, whole)) < 0) {
                y = whole;
                break;
            }
            double low = 1e-9 * h, high = rest;
            for (int i = 0; i < 80; ++i) {
                const double middle = 0.5 * (low + high);
                (failed(before, p.guards(t + middle, runge_kutta(p, t, y, middle))) < 0 ? low : high) = middle;
            }
            const Vec there = runge_kutta(p, t, y, high);
            const int guard = failed(before, p.guards(t + high, there));
            y = there;
            t += high;
            rest -= high;
            p.change(std::size_t(guard), t, y);
        }
    }
    return y;
}

inline double stribeck(double Fc, double Fs, double vs, double v) {
    return Fc + (Fs - Fc) * std::exp(-(v / vs) * (v / vs));
}

inline double part_residual(const Result& run) {
    double worst = std::abs(run.energy.residual());
    for (const Energy::Part& part : run.energy.parts) worst = std::max(worst, std::abs(part.residual()));
    return worst / run.energy.scale;
}

}  // namespace bristle::simulation
