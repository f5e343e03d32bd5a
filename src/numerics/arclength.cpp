// Pseudo-arclength continuation: predictor, corrector, step control, location of special points.
#include "numerics/arclength.hpp"

#include <bristle/base/error.hpp>
#include <bristle/search.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/linear.hpp"
#include "numerics/regula_falsi.hpp"

namespace bristle::numerics {

namespace {

using Values = std::vector<double>;

enum class Outcome { found, undefined, failed };

class Continuation {
  public:
    Continuation(const CurveProblem& problem, const ContinuationOptions& options)
        : problem_(problem), options_(options), N_(problem.unknowns), G_(N_ - 1), J_((N_ - 1) * N_) {}

    // Newton on G = 0 and across'(X - X0) = ds from the guess x. J_ is then that at x.
    Outcome correct(Values& x, const Values& across, const Values& x0, double ds) {
        Values bordered(N_ * N_), residual(N_);
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0; k < options_.max_iterations; ++k) {
            if (!evaluate(x)) return Outcome::undefined;
            double along = 0;
            for (std::size_t i = 0; i < N_; ++i) along += across[i] * (x[i] - x0[i]) / problem_.scale[i];
            std::copy(J_.begin(), J_.end(), bordered.begin());
            std::copy(across.begin(), across.end(), bordered.begin() + std::ptrdiff_t(J_.size()));
            for (std::size_t i = 0; i + 1 < N_; ++i) residual[i] = -G_[i];
            residual[N_ - 1] = ds - along;
            const Values change = solve(bordered, residual);
            if (change.empty()) return Outcome::failed;
            double size = 0;
            for (std::size_t i = 0; i < N_; ++i) {
                x[i] += change[i] * problem_.scale[i];
                size = std::max(size, std::abs(change[i]) / (1 + std::abs(x[i] / problem_.scale[i])));
            }
            if (!std::isfinite(size)) return Outcome::failed;
            // a small correction that no longer decreases is the rounding of G
            if (size <= options_.tolerance || (size <= 100 * options_.tolerance && size >= 0.5 * before))
                return evaluate(x) ? Outcome::found : Outcome::undefined;  // watched functions need G at x
            before = size;
        }
        return Outcome::failed;
    }

    // The point with its tangent from J_, in the direction of `onwards`. std::nullopt if the curve is not regular.
    std::optional<CurvePoint> complete(const Values& x, const Values& onwards) {
        Values tangent = N_ == 1 ? Values{1} : null_vector(J_, N_);
        if (tangent.empty()) return {};
        if (dot(tangent, onwards) < 0)
            for (double& a : tangent) a = -a;
        return CurvePoint{x, std::move(tangent), watched_at(x)};
    }

    // The point of the curve in the plane ds ahead of a known point. The guess is on the tangent, or on the parabola through another
    // known point.
    Outcome ahead(const CurvePoint& from, double ds, std::optional<CurvePoint>& out, const CurvePoint* also = nullptr) {
        Values x = from.x;
        const double fraction = also ? ds / along(from, also->x) : 0;
        for (std::size_t i = 0; i < N_; ++i) {
            const double straight = from.tangent[i] * problem_.scale[i];
            x[i] += ds * straight;
            if (also) x[i] += fraction * (fraction * (also->x[i] - from.x[i]) - ds * straight);
        }
        const Outcome outcome = correct(x, from.tangent, from.x, ds);
        if (outcome != Outcome::found) return outcome;
        out = complete(x, from.tangent);
        return out ? Outcome::found : Outcome::failed;
    }

    // Distance of the second point from the first: along the first tangent, and Euclidean.
    double along(const CurvePoint& from, const Values& to) const {
        double sum = 0;
        for (std::size_t i = 0; i < N_; ++i) sum += from.tangent[i] * (to[i] - from.x[i]) / problem_.scale[i];
        return sum;
    }
    double distance(const Values& a, const Values& b) const {
        double sum = 0;
        for (std::size_t i = 0; i < N_; ++i) sum += std::pow((a[i] - b[i]) / problem_.scale[i], 2);
        return std::sqrt(sum);
    }

    // The zero of f(point) within ds of `from`, by regula falsi; f changes its sign there.
    template <class F>
    std::optional<CurvePoint> locate(const CurvePoint& from, double ds, const F& f, double at_low, double at_high) {
        RegulaFalsi zero{0, ds, at_low, at_high};
        std::optional<CurvePoint> found;
        for (int k = 0; k < 100 && zero.high - zero.low > options_.located; ++k) {
            double s = zero.next();
            const std::optional<CurvePoint> last_found = found;
            const CurvePoint* also = last_found ? &*last_found : nullptr;
            if (ahead(from, s, found, also) != Outcome::found &&
                ahead(from, s = zero.middle(), found) != Outcome::found)
                return {};
            const double now = f(*found);
            if (now == 0) return found;
            zero.take(s, now);
        }
        if (!found) ahead(from, 0.5 * ds, found);
        return found;
    }

    // Appends points from a start (not included) to the end of the curve.
    ContinuationEnd follow(const CurvePoint& start, std::vector<CurvePoint>& out) {
        CurvePoint here = start;
        double ds = options_.first;
        for (int count = 0; count < options_.max_points; ++count) {
            std::optional<CurvePoint> next;
            while (true) {
                const Outcome outcome = ahead(here, ds, next);
                const bool least = ds <= options_.smallest;
                if (outcome == Outcome::found &&
                    (least || (dot(next->tangent, here.tangent) >= max_bend && distance(next->x, here.x) <= 1.5 * ds)))
                    break;
                if (least)
                    return outcome == Outcome::undefined ? ContinuationEnd::nothing_beyond
                                                         : ContinuationEnd::no_convergence;
                ds = std::max(0.5 * ds, options_.smallest);
            }
            if (const std::size_t edge = passed(next->x); edge < N_) {
                if (auto last = on_edge(here, *next, edge)) out.push_back(std::move(*last));
                return ContinuationEnd::window;
            }
            if (count > 1 && returns(start, here, *next)) {
                out.push_back(start);
                return ContinuationEnd::closed;
            }
            const bool straight = dot(next->tangent, here.tangent) >= little_bend;
            here = *next;
            out.push_back(std::move(*next));
            if (options_.progress && !options_.progress(here.x)) return ContinuationEnd::cancelled;
            if (straight) ds = std::min(1.5 * ds, options_.largest);
        }
        return ContinuationEnd::max_points;
    }

    // Adds the folds and the zeros of the watched functions between the points of a curve.
    void find_specials(ContinuationCurve& curve) {
        const auto& points = curve.points;
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const std::size_t first = curve.specials.size();
            search_between(curve, i, SpecialPoint::fold);
            for (std::size_t k = 0; k < problem_.watched; ++k) search_between(curve, i, k);
            std::sort(curve.specials.begin() + std::ptrdiff_t(first), curve.specials.end(),
                      [&](const SpecialPoint& a, const SpecialPoint& b) {
                          return along(points[i], a.point.x) < along(points[i], b.point.x);
                      });
        }
    }
    bool evaluate(const Values& x) {
        if (!problem_.equations(x, G_, J_)) return false;
        for (std::size_t i = 0; i + 1 < N_; ++i)
            for (std::size_t j = 0; j < N_; ++j) J_[i * N_ + j] *= problem_.scale[j];
        return true;
    }

  private:
    static constexpr double max_bend = 0.95, little_bend = 0.99;  // cosines of the angle between tangents

    Values watched_at(const Values& x) const {
        Values out(problem_.watched);
        if (problem_.watched > 0) problem_.watch(x, out);
        return out;
    }
    double limit(const Values& bounds, std::size_t i, double none) const { return bounds.empty() ? none : bounds[i]; }
    double below(const Values& x, std::size_t i) const { return limit(problem_.low, i, -HUGE_VAL) - x[i]; }
    double above(const Values& x, std::size_t i) const { return x[i] - limit(problem_.high, i, HUGE_VAL); }
    // Index of the unknown that is farthest outside the window; N if all are inside.
    std::size_t passed(const Values& x) const {
        std::size_t which = N_;
        double most = 0;
        for (std::size_t i = 0; i < N_; ++i)
            if (const double out = std::max(below(x, i), above(x, i)) / problem_.scale[i]; out > most)
                most = out, which = i;
        return which;
    }
    // The point where the step first leaves the window; std::nullopt if it began on the edge.
    std::optional<CurvePoint> on_edge(const CurvePoint& from, CurvePoint to, std::size_t edge) {
        std::optional<CurvePoint> found;
        for (std::size_t tries = 0; tries < N_ && edge < N_; ++tries) {
            const auto out = [&](const CurvePoint& p) { return std::max(below(p.x, edge), above(p.x, edge)); };
            if (!(out(from) < 0)) return {};
            found = locate(from, along(from, to.x), out, out(from), out(to));
            if (!found) return {};
            const double bound =
                below(found->x, edge) > above(found->x, edge) ? problem_.low[edge] : problem_.high[edge];
            found->x[edge] = bound;
            to = *found;
            edge = passed(found->x);
        }
        return found;
    }
    // Whether the step passes through the start.
    bool returns(const CurvePoint& start, const CurvePoint& here, const CurvePoint& next) {
        const double before = along(start, here.x), after = along(start, next.x), ds = along(here, next.x);
        if (!(before < 0 && after >= 0) || distance(start.x, here.x) > 2 * ds) return false;
        const auto found = locate(
            here, ds, [&](const CurvePoint& p) { return along(start, p.x); }, before, std::max(after, 1e-300));
        return found && distance(found->x, start.x) < 1e-5 * ds + 1e3 * options_.tolerance;
    }

    static double value(const CurvePoint& p, std::size_t of) {
        return of == SpecialPoint::fold ? p.tangent.back() : p.watched[of];
    }
    void add_zero(ContinuationCurve& curve, std::size_t i, std::size_t of, double ds, const CurvePoint& from, double a,
                  double b) {
        if (auto found = locate(
                from, ds, [&](const CurvePoint& p) { return value(p, of); }, a, b))
            curve.specials.push_back({of, std::move(*found), i});
    }
    void search_between(ContinuationCurve& curve, std::size_t i, std::size_t of) {
        const CurvePoint &from = curve.points[i], &to = curve.points[i + 1];
        const double a = value(from, of), b = value(to, of), ds = along(from, to.x);
        if (a == 0 && i > 0) return;  // reported as the end of the step before
        if (b == 0) {
            curve.specials.push_back({of, to, i});
        } else if ((a < 0) != (b < 0)) {
            add_zero(curve, i, of, ds, from, a, b);
        } else if (options_.pairs && a != 0) {
            if (const auto between = beyond_zero(curve.points, i, of)) {
                const double middle = along(from, between->x);
                add_zero(curve, i, of, middle, from, a, value(*between, of));
                add_zero(curve, i, of, along(*between, to.x), *between, value(*between, of), b);
            }
        }
    }
    // A point inside step i at which the function has the opposite sign of both ends. Searched by golden sections if the slopes at the
    // ends predict a zero between them.
    std::optional<CurvePoint> beyond_zero(const std::vector<CurvePoint>& points, std::size_t i, std::size_t of) {
        const CurvePoint &from = points[i], &to = points[i + 1];
        const double sign = value(from, of) < 0 ? -1 : 1, a = sign * value(from, of), b = sign * value(to, of);
        const double ds = along(from, to.x);
        // the lines through the neighbours on either side meet below zero
        const double slope_in = i > 0 ? (a - sign * value(points[i - 1], of)) / distance(from.x, points[i - 1].x) : 0;
        const double slope_out =
            i + 2 < points.size() ? (sign * value(points[i + 2], of) - b) / distance(points[i + 2].x, to.x) : 0;
        if (!(slope_in < 0 && slope_out > 0)) return {};
        const double meet = (b - a - slope_out * ds) / (slope_in - slope_out);
        if (!(a + slope_in * std::clamp(meet, 0.0, ds) <= 0)) return {};
        std::optional<CurvePoint> beyond;
        bool failed = false;
        const auto depth = [&](double s) {
            std::optional<CurvePoint> p;
            if (beyond || failed || (failed = ahead(from, s, p) != Outcome::found)) return 0.0;
            const double found = -sign * value(*p, of);
            if (found > 0) beyond = std::move(p);
            return found;
        };
        int steps = 0;
        bristle::detail::golden_section(
            0.0, ds, [&] { return !beyond && !failed && steps++ < 24; }, depth);
        return beyond;
    }

    const CurveProblem& problem_;
    const ContinuationOptions& options_;
    std::size_t N_;
    Values G_, J_;
};

// Returns the point of the curve near a guess, with the last unknown held (or, at a fold, normal to the curve). Empty if not found.
std::vector<double> settle_on_curve(const CurveProblem& problem, std::vector<double> guess,
                                    const ContinuationOptions& options) {
    Continuation continuation(problem, options);
    std::vector<double> across(problem.unknowns), x = guess;
    across.back() = 1;
    if (continuation.correct(x, across, guess, 0) == Outcome::found) return x;
    // p cannot be held at a fold: hold the position along the curve instead
    if (!continuation.evaluate(guess)) return {};
    const auto point = continuation.complete(guess, across);
    if (point && continuation.correct(guess, point->tangent, point->x, 0) == Outcome::found) return guess;
    return {};
}

}  // namespace

ContinuationCurve walk_curve(const CurveProblem& problem, const std::vector<double>& start,
                             const ContinuationOptions& options) {
    Continuation continuation(problem, options);
    const std::vector<double> x = settle_on_curve(problem, start, options);
    std::vector<double> rising(problem.unknowns);
    rising.back() = 1;
    if (x.empty() || !continuation.evaluate(x))
        throw NoCurve(NoCurve::Reason::no_solution, "continuation: no solution near the start; start closer to one");
    const auto at = continuation.complete(x, rising);
    if (!at)
        throw NoCurve(NoCurve::Reason::several_branches,
                      "continuation: several branches meet at the start; choose another start");
    ContinuationCurve curve;
    curve.points = {*at};
    if (options.forward) curve.forward = continuation.follow(*at, curve.points);
    if (options.backward && curve.forward != ContinuationEnd::closed) {
        CurvePoint back = *at;
        for (double& a : back.tangent) a = -a;
        std::vector<CurvePoint> behind;
        curve.backward = continuation.follow(back, behind);
        std::reverse(behind.begin(), behind.end());
        for (CurvePoint& point : behind)
            for (double& a : point.tangent) a = -a;
        curve.start = behind.size();
        curve.points.insert(curve.points.begin(), behind.begin(), behind.end());
    }
    continuation.find_specials(curve);
    return curve;
}

}  // namespace bristle::numerics
