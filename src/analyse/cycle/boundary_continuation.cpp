// Steps along the boundary of stable cycles in two parameters.
#include "analyse/cycle/boundary_continuation.hpp"

#include <algorithm>
#include <cmath>

#include "analyse/cycle/cycle_continuation.hpp"
#include "numerics/linear.hpp"

namespace bristle::inline analysis::cycle {

using Values = std::vector<double>;

namespace {

// Returns two orthogonal unit vectors of the null space of rows, which is (n - 2) x n. Empty if its rank is smaller.
std::vector<Values> null_plane(const Values& rows, std::size_t n) {
    // the first is orthogonal to a generic direction, the second to the first
    std::vector<Values> found;
    Values with(rows);
    with.resize((n - 1) * n);
    Values normal(n);
    for (std::size_t i = 0; i < n; ++i) normal[i] = std::cos(double(i + 1));
    for (int k = 0; k < 2; ++k) {
        std::copy(normal.begin(), normal.end(), with.end() - std::ptrdiff_t(n));
        found.push_back(numerics::null_vector(with, n));
        if (found.back().empty()) return {};
        normal = found.back();
    }
    return found;
}

// Returns the extrapolation of the last points (up to four) by a polynomial to ds beyond the last. The tests are strongly
// nonlinear, so a straight line is not accurate enough.
Values predict(const std::vector<Values>& points, const Values& tangent, double ds) {
    Values out = points.back();
    const std::size_t use = std::min<std::size_t>(points.size(), 4);
    if (use < 3) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += ds * tangent[i];
        if (use < 2) return out;
    }
    std::vector<double> s(use);
    for (std::size_t k = 1; k < use; ++k) {
        Values chord = points[points.size() - use + k];
        for (std::size_t i = 0; i < chord.size(); ++i) chord[i] -= points[points.size() - use + k - 1][i];
        s[k] = s[k - 1] + norm(chord);
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t k = 0; k < use; ++k) {
        double weight = 1;
        for (std::size_t l = 0; l < use; ++l)
            if (l != k) weight *= (s.back() + ds - s[l]) / (s[k] - s[l]);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * points[points.size() - use + k][i];
    }
    return out;
}

}  // namespace

bool BoundaryProblem::operator()(std::span<const double> x, std::span<double> G, std::span<double> J) const {
    const std::size_t n = scale_.size(), m = n - 2;
    const Shot shot = cycles_.shot(x, true);
    if (!shot.usable) return false;
    const double here = return_test(cycles_.scale(), shot, sign_);
    Values rows(m * n);
    for (std::size_t i = 0; i < m; ++i) {
        G[i] = shot.residual[i];
        for (std::size_t j = 0; j < m; ++j)
            rows[i * n + j] = shot.jacobian[i * m + j] / cycles_.scale().of(j) * scale_[j];
        for (std::size_t k = 0; k < 2; ++k) rows[i * n + m + k] = shot.by[k][i] * scale_[m + k];
    }
    const auto plane = null_plane(rows, n);
    if (plane.empty()) return false;
    G[m] = here;
    Values gradient(n);
    for (const Values& along : plane) {
        constexpr double d = 1e-5;
        Values there(x.begin(), x.end());
        for (std::size_t i = 0; i < n; ++i) there[i] += d * along[i] * scale_[i];
        const Shot shifted = cycles_.shot(there, false);
        if (!shifted.usable) return false;
        const double slope = (return_test(cycles_.scale(), shifted, sign_) - here) / d;
        for (std::size_t i = 0; i < n; ++i) gradient[i] += slope * along[i];
    }
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < m; ++i) J[i * n + j] = rows[i * n + j] / scale_[j];
        J[m * n + j] = gradient[j] / scale_[j];
    }
    return true;
}

numerics::ContinuationEnd BoundaryContinuation::run(const Values& start, double direction,
                                                    std::vector<Values>& out) const {
    constexpr double smallest = 2e-4;
    constexpr int max_points = 2000;
    Values tangent = tangent_at(start);
    if (tangent.empty()) return numerics::ContinuationEnd::no_convergence;
    for (double& a : tangent) a *= direction;
    out = {start};
    double ds = std::min(2e-3, largest_);
    while (out.size() < max_points) {
        const Values guess = predict(out, tangent, ds);
        Values across(guess);
        for (std::size_t i = 0; i < across.size(); ++i) across[i] -= out.back()[i];
        const double length = norm(across);
        for (double& a : across) a /= length;
        if (const std::size_t which = passed(guess); which < guess.size() && ds < 0.02) {
            end_on_edge(out, guess, which);
            return numerics::ContinuationEnd::window;
        }
        Values next = guess;
        const int evaluations = correct(next, across, guess, 0.3 * ds);
        if (evaluations == 0) {
            if (ds <= smallest) return numerics::ContinuationEnd::no_convergence;
            ds = std::max(smallest, 0.4 * ds);
            continue;
        }
        if (const std::size_t which = passed(next); which < next.size()) {
            end_on_edge(out, next, which);
            return numerics::ContinuationEnd::window;
        }
        out.push_back(next);
        if (progress_ && !progress_()) return numerics::ContinuationEnd::cancelled;
        ds = std::min(largest_, ds * (evaluations <= 3 ? 1.8 : evaluations <= 4 ? 1.2 : 0.8));
    }
    return numerics::ContinuationEnd::max_points;
}

// In SI units.
Values BoundaryContinuation::si(const Values& X) const {
    Values x(X);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale_[i];
    return x;
}
// Writes G and dG/dX.
bool BoundaryContinuation::evaluate(const Values& X, Values& G, Values& J) const {
    const std::size_t n = X.size();
    G.resize(n - 1);
    J.resize((n - 1) * n);
    if (!equations_(si(X), G, J)) return false;
    for (std::size_t i = 0; i < J.size(); ++i) J[i] *= scale_[i % n];
    return true;
}
Values BoundaryContinuation::tangent_at(const Values& X) const {
    Values G, J;
    return evaluate(X, G, J) ? numerics::null_vector(J, X.size()) : Values{};
}
// Newton's method with across'(X - X0) = 0. Returns the number of evaluations; 0 if it fails.
int BoundaryContinuation::correct(Values& X, const Values& across, const Values& X0, double reach) const {
    constexpr int max_iterations = 7;
    const std::size_t n = X.size();
    Values G, J;
    double moved = 0, before = HUGE_VAL;
    for (int k = 1; k <= max_iterations; ++k) {
        if (!evaluate(X, G, J)) return 0;
        G.push_back(0);
        for (std::size_t i = 0; i < n; ++i) G.back() += across[i] * (X[i] - X0[i]);
        for (double& g : G) g = -g;
        J.insert(J.end(), across.begin(), across.end());
        const Values change = numerics::solve(J, G);
        if (change.empty()) return 0;
        const double size = norm(change);
        moved += size;
        if (!(moved <= reach) || size > 2 * before) return 0;
        for (std::size_t i = 0; i < n; ++i) X[i] += change[i];
        if (size < 1e-6) return k;
        before = size;
    }
    return 0;
}
// Returns the index of a parameter outside its window; the number of unknowns if none is.
std::size_t BoundaryContinuation::passed(const Values& X) const {
    for (std::size_t k = 0; k < windows_.size(); ++k) {
        const std::size_t i = cycles_.states() + 1 + k;
        if (X[i] * scale_[i] < windows_[k].from || X[i] * scale_[i] > windows_[k].to) return i;
    }
    return X.size();
}
// Appends the point on the edge of the window.
void BoundaryContinuation::end_on_edge(std::vector<Values>& points, const Values& beyond, std::size_t which) const {
    const Window& w = windows_[which - cycles_.states() - 1];
    const Values& last = points.back();
    const double edge = (beyond[which] * scale_[which] < w.from ? w.from : w.to) / scale_[which];
    if (last[which] == edge) return;
    Values guess(last), held(last.size());
    const double fraction = (edge - last[which]) / (beyond[which] - last[which]);
    for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += fraction * (beyond[i] - last[i]);
    held[which] = 1;
    const Values at = guess;
    if (correct(guess, held, at, 0.1) > 0 && passed(guess) == guess.size()) points.push_back(guess);
}

}  // namespace bristle::analysis::cycle
