// Active-set method for the holding forces of contacts at rest.
#include "simulate/machine/holding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/linear.hpp"

namespace bristle::inline simulation {

namespace {

constexpr double negligible = 1e-10;  // of the terms of dc/dt

std::vector<double> part_of(const HoldingProblem& p, const std::vector<std::size_t>& set) {
    std::vector<double> out;
    for (const std::size_t i : set)
        for (const std::size_t j : set) out.push_back(p.a(i, j));
    return out;
}

class ActiveSet {
  public:
    ActiveSet(const HoldingProblem& problem, std::vector<double> F)
        : p_(problem), out_{std::move(F), std::vector<Holding::At>(problem.n, Holding::At::inside), {}} {
        for (std::size_t i = 0; i < p_.n; ++i) out_.F[i] = std::clamp(out_.F[i], p_.low[i], p_.high[i]);
    }
    Holding solve() {
        for (int k = 0; k < 200; ++k)
            if (!advance() && !free_one()) break;
        out_.acceleration = rest();
        for (std::size_t i = 0; i < p_.n; ++i)
            if (out_.at[i] == Holding::At::inside || std::abs(out_.acceleration[i]) <= negligible * size(i))
                out_.acceleration[i] = 0;
        return out_;
    }

  private:
    // dc/dt
    std::vector<double> rest() const {
        std::vector<double> g = p_.r;
        for (std::size_t i = 0; i < p_.n; ++i)
            for (std::size_t j = 0; j < p_.n; ++j) g[i] -= p_.a(i, j) * out_.F[j];
        return g;
    }
    double size(std::size_t i) const {
        double sum = std::abs(p_.r[i]);
        for (std::size_t j = 0; j < p_.n; ++j)
            sum += std::abs(p_.a(i, j)) * std::max({std::abs(out_.F[j]), std::abs(p_.low[j]), std::abs(p_.high[j])});
        return sum;
    }
    // Moves the forces inside their bounds to the minimum, or to the first bound on the way. Returns true at a bound.
    bool advance() {
        std::vector<std::size_t> inside;
        for (std::size_t i = 0; i < p_.n; ++i)
            if (out_.at[i] == Holding::At::inside) inside.push_back(i);
        const std::size_t m = inside.size();
        if (m == 0) return false;
        const std::vector<double> P = holding_inverse(part_of(p_, inside), m), g = rest();
        std::vector<double> step(m, 0), left(m);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j) step[i] += P[i * m + j] * g[inside[j]];
        bool contradictory = false;  // motions that no force can reconcile: the forces grow to a bound
        for (std::size_t i = 0; i < m; ++i) {
            left[i] = g[inside[i]];
            for (std::size_t j = 0; j < m; ++j) left[i] -= p_.a(inside[i], inside[j]) * step[j];
            contradictory = contradictory || std::abs(left[i]) > 1e-8 * size(inside[i]);
        }
        double fraction = contradictory ? std::numeric_limits<double>::infinity() : 1;
        std::size_t first = m;
        for (std::size_t i = 0; i < m; ++i) {
            const std::size_t k = inside[i];
            const double d = contradictory ? left[i] / p_.a(k, k) : step[i];
            if (d == 0) continue;
            const double room = ((d > 0 ? p_.high[k] : p_.low[k]) - out_.F[k]) / d;
            if (room < fraction) {
                fraction = std::max(room, 0.0);
                first = i;
            }
            step[i] = d;
        }
        if (!std::isfinite(fraction)) return false;
        for (std::size_t i = 0; i < m; ++i) out_.F[inside[i]] += fraction * step[i];
        if (first == m) return false;
        const std::size_t k = inside[first];
        const bool high = step[first] > 0;
        out_.at[k] = high ? Holding::At::high : Holding::At::low;
        out_.F[k] = high ? p_.high[k] : p_.low[k];
        return true;
    }
    // Frees the contact at a bound whose acceleration has the wrong sign most. Returns false if there is none.
    bool free_one() {
        const std::vector<double> g = rest();
        double worst = negligible;
        std::size_t found = p_.n;
        for (std::size_t i = 0; i < p_.n; ++i) {
            if (out_.at[i] == Holding::At::inside) continue;
            const double wrong = (out_.at[i] == Holding::At::high ? -g[i] : g[i]) / size(i);
            if (wrong > worst) {
                worst = wrong;
                found = i;
            }
        }
        if (found == p_.n) return false;
        out_.at[found] = Holding::At::inside;
        return true;
    }

    const HoldingProblem& p_;
    Holding out_;
};

}  // namespace

Holding hold_contacts(const HoldingProblem& problem, std::vector<double> F) {
    return ActiveSet(problem, std::move(F)).solve();
}

std::vector<double> holding_inverse(const std::vector<double>& A, std::size_t n) {
    std::vector<double> scale(n), C(n * n);
    for (std::size_t i = 0; i < n; ++i) scale[i] = 1 / std::sqrt(A[i * n + i]);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) C[i * n + j] = i == j ? 1 : scale[i] * A[i * n + j] * scale[j];
    std::vector<double> P = numerics::pseudo_inverse(C, n, 1e-13);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) P[i * n + j] *= scale[i] * scale[j];
    return P;
}

double freedom(const HoldingProblem& problem, std::size_t i, const std::vector<std::size_t>& others) {
    const std::size_t m = others.size();
    if (m == 0) return 1;
    const std::vector<double> P = holding_inverse(part_of(problem, others), m);
    double determined = 0;
    for (std::size_t a = 0; a < m; ++a)
        for (std::size_t b = 0; b < m; ++b)
            determined += problem.a(i, others[a]) * P[a * m + b] * problem.a(i, others[b]);
    return 1 - determined / problem.a(i, i);
}

}  // namespace bristle::simulation
