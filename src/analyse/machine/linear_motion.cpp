// Linear motion of a machine about a steady motion, without free positions and sets of equilibria.
#include <algorithm>
#include <cmath>

#include "analyse/machine/steady_machine.hpp"

namespace bristle::inline analysis {

using equilibrium::EquilibriumSystem;
using numerics::Elimination;
using Steady = MachineSystem::Steady;

namespace {

// The Jacobian of all states of a machine: q, v of K coordinates, then others.
struct Jacobian {
    std::vector<double> a;
    std::size_t n, K;
    double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
    double operator()(std::size_t i, std::size_t j) const { return a[i * n + j]; }
};

// dx/dt = A x for x = (positions that have an effect, velocities, the states `others`), while the rows `held` (of K entries) keep their
// velocity. Positions q = Q a, with a those of coordinates that the rows do not determine; of these the combinations a_p - sum Z_p a_o have an
// effect, Z being the null vectors of dv/dt and the rates with respect to a.
LinearMotion reduced(const Jacobian& J, const std::vector<std::size_t>& others, const std::vector<double>& held) {
    const std::size_t K = J.K, w = others.size();
    const Elimination constraint(held, held.size() / K, K);
    const auto Q = constraint.null();
    const auto kept = constraint.others();
    const std::size_t r = Q.size();
    const auto along = [&](std::size_t row, std::size_t first, std::size_t b) {  // derivative along a_b
        double sum = 0;
        for (std::size_t k = 0; k < K; ++k) sum += J(row, first + k) * Q[b][k];
        return sum;
    };
    std::vector<std::size_t> rows;  // of the velocities, and of the other states
    for (std::size_t a = 0; a < r; ++a) rows.push_back(K + kept[a]);
    rows.insert(rows.end(), others.begin(), others.end());
    std::vector<double> by_position;
    for (const std::size_t row : rows)
        for (std::size_t b = 0; b < r; ++b) by_position.push_back(along(row, 0, b));
    const Elimination positions(by_position, rows.size(), r);
    const auto Z = positions.null();
    const auto used = positions.pivots(), free = positions.others();
    const std::size_t p = used.size(), n = p + r + w;
    LinearMotion out{std::vector<double>(n * n, 0), n, p, r, int(free.size())};
    for (std::size_t i = 0; i < p; ++i) {
        out.A[i * n + p + used[i]] = 1;
        for (std::size_t o = 0; o < free.size(); ++o) out.A[i * n + p + free[o]] = -Z[o][used[i]];
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double* row = &out.A[(p + i) * n];
        for (std::size_t j = 0; j < p; ++j) row[j] = by_position[i * r + used[j]];
        for (std::size_t b = 0; b < r; ++b) row[p + b] = along(rows[i], K, b);
        for (std::size_t j = 0; j < w; ++j) row[p + r + j] = J(rows[i], others[j]);
    }
    return out;
}

}  // namespace

std::vector<std::complex<double>> LinearMotion::eigenvalues() const {
    if (n == 0) return {};
    std::vector<double> at_same_velocities;  // sets of equilibria are null vectors without velocities
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (j < first_velocity || j >= first_velocity + velocities) at_same_velocities.push_back(A[i * n + j]);
    const std::size_t columns = n - velocities,
                      zeros = columns - Elimination(at_same_velocities, n, columns, 1e-13).rank();
    auto out = numerics::eigenvalues(A, n);
    for (std::size_t i = 0; i < zeros; ++i)
        out.erase(std::min_element(out.begin(), out.end(),
                                   [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); }));
    return out;
}

LinearMotion SteadyMachine::motion(const SteadyState& at, const std::vector<int>& direction) {
    const std::size_t K = coordinates(), N = system_.size();
    system_.settle_springs(0, at.y);
    system_.set_steady(modes(at, &direction), 0, at.y);
    MachineLinearisation linear;
    system_.linearise(0, at.y, linear);
    Jacobian J{std::move(linear.J.a), N, K};
    std::vector<std::size_t> others;
    std::vector<double> held;
    for (std::size_t i = 0; i < contacts(); ++i) {
        const std::size_t first = system_.first_state(i), count = system_.law(i).states();
        if (at.side[i] != 0) {
            for (std::size_t j = 0; j < count; ++j) others.push_back(first + j);
            if (count != 1) continue;
            // c g'/g, without the cancellation of 1 - z h'
            const double slope =
                law_at(i, at.load[i], [&](const auto& law) { return law.steady(at.c[i], at.side[i]).rate_slope; });
            for (std::size_t k = 0; k < K; ++k) J(first, K + k) = slope * system_.assembly().jacobian(i, k);
        } else if (holds_exactly(i)) {
            for (std::size_t k = 0; system_.is_free(i) && k < K; ++k) held.push_back(system_.assembly().jacobian(i, k));
        } else {
            // dz/dt is a multiple of c, so z follows the positions
            for (std::size_t j = first; j < first + count; ++j)
                for (std::size_t row = 0; row < N; ++row)
                    for (std::size_t k = 0; k < K; ++k) J(row, k) += J(row, j) * J(j, K + k);
        }
    }
    for (std::size_t j = N - system_.drives().size(); j < N; ++j) others.push_back(j);
    return reduced(J, others, held);
}

LinearMotion SteadyMachine::fast_motion(const std::vector<double>& loads) {
    const std::size_t K = coordinates(), N = system_.size();
    const MachineSystem::State y = system_.start();
    system_.settle_springs(0, y);
    system_.set_steady(std::vector<Steady>(contacts()), 0, y);
    MachineLinearisation linear;
    system_.linearise(0, y, linear);
    Jacobian J{std::move(linear.J.a), N, K};
    const Assembly& assembly = system_.assembly();
    for (std::size_t i = 0; i < contacts(); ++i) {
        const double damping = viscous_slope(i, loads[i]);
        for (std::size_t k = 0; k < K; ++k)
            for (std::size_t j = 0; j < K; ++j)
                J(K + k, K + j) -= assembly.jacobian(i, k) * assembly.jacobian(i, j) * damping / assembly.mass[k];
    }
    std::vector<std::size_t> others;
    for (std::size_t j = N - system_.drives().size(); j < N; ++j) others.push_back(j);
    return reduced(J, others, {});
}

}  // namespace bristle::analysis
