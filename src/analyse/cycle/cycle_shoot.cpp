// Shooting: residual, Jacobian, Newton's method, multipliers.
#include "analyse/cycle/cycle_shoot.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/linear.hpp"

namespace bristle::inline analysis::cycle {

double norm(const std::vector<double>& x) {
    double sum = 0;
    for (const double a : x) sum += a * a;
    return std::sqrt(sum);
}

Shot shoot(const Flow& flow, const CycleScale& scale, const std::vector<double>& u, const FlowObserver& observer) {
    const std::size_t n = flow.size();
    Shot shot;
    const std::vector<double> y(u.begin(), u.end() - 1);
    const double period = u.back();
    if (!(period > 0)) return shot;
    std::vector<double> f, J;
    std::vector<std::vector<double>> by;
    flow.rates(y, f, &J, &by);
    if (flow.run(y, period, true, shot.end, observer) != Status::done) return shot;
    flow.rates(shot.end.y, shot.rate_end);

    // slip is ratio v + belt
    std::vector<double> faster = y;
    faster[1] += 1;
    const double ratio = flow.slip(faster) - flow.slip(y);
    shot.section.resize(n);
    for (std::size_t j = 0; j < n; ++j) shot.section[j] = ratio * J[n + j] / scale.rate;
    if (scale.position) {
        std::fill(shot.section.begin(), shot.section.end(), 0.0);
        shot.section[0] = 1 / scale.state[0];
    }

    const std::size_t m = n + 1;
    shot.residual.resize(m);
    shot.jacobian.assign(m * m, 0.0);
    shot.by.assign(by.size(), std::vector<double>(m));
    for (std::size_t i = 0; i < n; ++i) {
        shot.residual[i] = (shot.end.y[i] - y[i]) / scale.state[i];
        for (std::size_t j = 0; j < n; ++j)
            shot.jacobian[i * m + j] = (shot.end.S[i * n + j] - (i == j ? 1 : 0)) * scale.state[j] / scale.state[i];
        shot.jacobian[i * m + n] = shot.rate_end[i] * scale.time / scale.state[i];
        for (std::size_t k = 0; k < by.size(); ++k) shot.by[k][i] = shot.end.by[k][i] / scale.state[i];
    }
    shot.residual[n] = scale.position ? (y[0] - *scale.position) / scale.state[0] : ratio * f[1] / scale.rate;
    for (std::size_t j = 0; j < n; ++j) shot.jacobian[n * m + j] = shot.section[j] * scale.state[j];
    for (std::size_t k = 0; k < by.size(); ++k) shot.by[k][n] = scale.position ? 0 : ratio * by[k][1] / scale.rate;
    shot.size = norm(shot.residual);
    shot.usable = std::isfinite(shot.size);
    return shot;
}

ClosedOrbit close_orbit(const Flow& flow, const CycleScale& scale, std::vector<double> u, double reach) {
    constexpr int max_iterations = 15;
    ClosedOrbit out;
    const std::vector<double> first = u;
    double last_step = 1;
    for (int i = 0; i < max_iterations; ++i) {
        out.shot = shoot(flow, scale, u);
        if (!out.shot.usable) return out;
        for (double& x : out.shot.residual) x = -x;
        const std::vector<double> step = numerics::solve(out.shot.jacobian, out.shot.residual);
        for (double& x : out.shot.residual) x = -x;
        if (step.empty()) return out;
        const double size = norm(step);
        // a step that no longer shrinks is rounding of the motion
        if (size < 1e-7 && (size < 1e-10 || size > 0.3 * last_step)) {
            // an equilibrium is closed too, with any period: reject it by its rates
            double rate = 0;
            for (std::size_t k = 0; k + 1 < u.size(); ++k)
                rate = std::max(rate, std::abs(out.shot.rate_end[k]) * scale.time / scale.state[k]);
            // a section tangent to the motion gives multipliers that are not finite
            const auto all = multipliers(scale, out.shot);
            const bool known =
                std::all_of(all.begin(), all.end(), [](const auto& m) { return std::isfinite(std::abs(m)); });
            out.found = rate > 1e-2 && known;
            out.u = u;
            return out;
        }
        const double damp = std::min(1.0, 0.3 / size);
        double away = 0;
        for (std::size_t k = 0; k < u.size(); ++k) {
            u[k] += damp * step[k] * scale.of(k);
            const double d = (u[k] - first[k]) / scale.of(k);
            away += d * d;
        }
        if (!(away < reach * reach)) return out;
        last_step = size;
    }
    return out;
}

std::vector<std::complex<double>> multipliers(const CycleScale& scale, const Shot& shot) {
    const std::size_t n = scale.state.size();
    std::vector<double> normal(n), f(n), M(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        normal[i] = shot.section[i] * scale.state[i];
        f[i] = shot.rate_end[i] / scale.state[i];
        for (std::size_t j = 0; j < n; ++j) M[i * n + j] = shot.end.S[i * n + j] * scale.state[j] / scale.state[i];
    }
    const double length = norm(normal);
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) {
        normal[i] /= length;
        along += normal[i] * f[i];
    }
    for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < n; ++l) sum += normal[l] * M[l * n + j];
        for (std::size_t i = 0; i < n; ++i) M[i * n + j] -= f[i] / along * sum;
    }
    // axes of the plane: columns 2 to n of the reflector that maps the normal to the first axis
    std::vector<double> w = normal;
    w[0] += std::copysign(1.0, w[0]);
    const double beta = 2 / (norm(w) * norm(w));
    const auto reflect = [&](std::size_t i, std::size_t j) { return (i == j ? 1 : 0) - beta * w[i] * w[j]; };
    const std::size_t m = n - 1;
    std::vector<double> inside(m * m);
    for (std::size_t a = 0; a < m; ++a)
        for (std::size_t b = 0; b < m; ++b)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    inside[a * m + b] += reflect(i, a + 1) * M[i * n + j] * reflect(j, b + 1);
    auto out = numerics::eigenvalues(inside, m);
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
    return out;
}

}  // namespace bristle::analysis::cycle
