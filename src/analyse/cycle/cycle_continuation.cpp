// Steps along a branch of cycles.
#include "analyse/cycle/cycle_continuation.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/linear.hpp"
#include "numerics/regula_falsi.hpp"

namespace bristle::inline analysis::cycle {

namespace {

double bounded(double test) { return test / (1 + std::abs(test)); }

using numerics::dot;

}  // namespace

double return_test(const CycleScale& scale, const Shot& shot, double sign) {
    std::complex<double> product = 1;
    for (const auto& m : multipliers(scale, shot)) product *= 1.0 - sign * m;
    return product.real();
}

// Newton's method on the equations of the cycle and across'(X - X0) = ds, from the guess x, at most reach away from it.
CycleContinuation::Outcome CycleContinuation::correct(std::vector<double> x, const std::vector<double>& across,
                                                      const std::vector<double>& x0, double ds, double reach,
                                                      CycleNode& out) const {
    constexpr int max_iterations = 8;
    const std::size_t n = scale_.size(), m = n - 1;
    double moved = 0, before = HUGE_VAL;
    for (int k = 0; k < max_iterations; ++k) {
        const Shot shot = cycles_.shot(x, true);
        if (!shot.usable) return Outcome::nothing;
        const double p = std::clamp(x[m], window_.from, window_.to);
        std::vector<double> J(n * n), residual(n);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j)
                J[i * n + j] = shot.jacobian[i * m + j] / cycles_.scale().of(j) * scale_[j];
            J[i * n + m] = shot.by[0][i] * scale_[m];
            residual[i] = -shot.residual[i] - shot.by[0][i] * (x[m] - p);
        }
        std::copy(across.begin(), across.end(), J.begin() + std::ptrdiff_t(m * n));
        residual[m] = ds;
        for (std::size_t i = 0; i < n; ++i) residual[m] -= across[i] * (x[i] - x0[i]) / scale_[i];
        const std::vector<double> change = numerics::solve(J, residual);
        if (change.empty()) return Outcome::failed;
        const double size = norm(change);
        moved += size;
        if (!(moved <= reach)) return Outcome::failed;
        for (std::size_t i = 0; i < n; ++i) x[i] += change[i] * scale_[i];
        // tangent and tests are those of the last shot, which is close enough
        if (size < 1e-9 || (size < 1e-7 && size > 0.3 * before)) {
            J.resize(m * n);
            out.x = x;
            out.tangent = numerics::null_vector(J, n);
            out.fold = return_test(cycles_.scale(), shot, 1);
            out.flip = return_test(cycles_.scale(), shot, -1);
            if (out.tangent.empty() || !std::isfinite(out.fold) || !std::isfinite(out.flip)) return Outcome::failed;
            if (dot(out.tangent, across) < 0)
                for (double& a : out.tangent) a = -a;
            return Outcome::found;
        }
        before = size;
    }
    return Outcome::failed;
}

std::optional<CycleNode> CycleContinuation::start(const std::vector<double>& x) const {
    std::vector<double> held(scale_.size());
    held.back() = 1;
    CycleNode node;
    if (correct(x, held, x, 0, 0.5, node) != Outcome::found) return {};
    return node;
}

CycleContinuation::Outcome CycleContinuation::ahead(const CycleNode& from, double ds, CycleNode& out) const {
    std::vector<double> x = from.x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += ds * from.tangent[i] * scale_[i];
    return correct(x, from.tangent, from.x, ds, 0.5 * std::abs(ds), out);
}

numerics::ContinuationEnd CycleContinuation::run(CycleNode here, std::vector<CycleNode>& out) const {
    constexpr double least_cosine = 0.9, straight_cosine = 0.98;  // of the angle between tangents
    constexpr double max_change = 0.1;                            // of the bounded test
    constexpr double max_test = 1e7;                              // beyond it multipliers are rounding of the motion
    constexpr double trusted = 1e-5;                              // a ds too short to reach another branch
    double ds = options_.first;
    for (int count = 0; count < options_.max_points; ++count) {
        CycleNode next;
        double cosine = 1, change = 0;
        while (true) {
            const Outcome outcome = ahead(here, ds, next);
            if (outcome == Outcome::found) {
                cosine = dot(next.tangent, here.tangent);
                change = std::abs(bounded(next.fold) - bounded(here.fold));
                if (cosine >= least_cosine && (change <= max_change || ds <= trusted)) break;
            }
            if (outcome == Outcome::nothing && ds <= 1e-4) return numerics::ContinuationEnd::nothing_beyond;
            if (ds <= options_.smallest) return numerics::ContinuationEnd::no_convergence;
            ds = std::max(ds * 0.4, options_.smallest);
        }
        const double p = next.x.back();
        if (p < window_.from || p > window_.to) {
            const double edge = p < window_.from ? window_.from : window_.to, back = here.x.back();
            if (back == edge) return numerics::ContinuationEnd::window;
            std::vector<double> guess = here.x, held(scale_.size());
            for (std::size_t i = 0; i < guess.size(); ++i)
                guess[i] += (next.x[i] - here.x[i]) * (edge - back) / (p - back);
            guess.back() = edge;
            held.back() = 1;
            CycleNode last;
            if (correct(guess, held, guess, 0, ds, last) == Outcome::found) {
                last.x.back() = edge;
                if (dot(last.tangent, here.tangent) < 0)
                    for (double& a : last.tangent) a = -a;
                out.push_back(last);
            }
            return numerics::ContinuationEnd::window;
        }
        if (std::abs(next.fold) > max_test) return numerics::ContinuationEnd::no_convergence;
        const bool passed = (here.fold > 0) != (next.fold > 0) || (here.flip > 0) != (next.flip > 0);
        here = next;
        out.push_back(here);
        if (passed && options_.until_stability_limit) return numerics::ContinuationEnd::cancelled;
        if (options_.progress && !options_.progress()) return numerics::ContinuationEnd::cancelled;
        if (cosine >= straight_cosine && change < 0.4 * max_change) ds = std::min(1.6 * ds, options_.largest);
    }
    return numerics::ContinuationEnd::max_points;
}

std::optional<CycleNode> CycleContinuation::zero(double CycleNode::*test, const CycleNode& a,
                                                 const CycleNode& b) const {
    numerics::RegulaFalsi zero{0, 0, a.*test, b.*test};  // in the distance along the tangent of a
    for (std::size_t i = 0; i < scale_.size(); ++i) zero.high += a.tangent[i] * (b.x[i] - a.x[i]) / scale_[i];
    CycleNode now = b;
    for (int k = 0; k < 40; ++k) {
        const double s = zero.next();
        if (ahead(a, s, now) != Outcome::found) return {};
        // the parameter is quadratic at a fold: a test of 1e-5 leaves an error of 1e-10
        if (std::abs(now.*test) < 1e-5 || std::abs(zero.high - zero.low) < 1e-12) return now;
        zero.take(s, now.*test);
    }
    return now;
}

}  // namespace bristle::analysis::cycle
