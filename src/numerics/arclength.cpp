#include "numerics/arclength.hpp"

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/linear.hpp"

namespace bristle::numerics {

namespace {

using Values = std::vector<double>;

double dot(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

enum class Outcome { found, nothing, failed };

class Walker {
  public:
    Walker(const CurveProblem& problem, const ContinuationOptions& options)
        : problem_(problem), options_(options), N_(problem.unknowns), G_(N_ - 1), J_((N_ - 1) * N_) {}

    // Newton on G = 0 together with across'(X - X0) = ds, from the guess x; J_ is left as it is there.
    Outcome correct(Values& x, const Values& across, const Values& x0, double ds) {
        Values bordered(N_ * N_), miss(N_);
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0; k < options_.max_iterations; ++k) {
            if (!evaluate(x)) return Outcome::nothing;
            double along = 0;
            for (std::size_t i = 0; i < N_; ++i) along += across[i] * (x[i] - x0[i]) / problem_.scale[i];
            std::copy(J_.begin(), J_.end(), bordered.begin());
            std::copy(across.begin(), across.end(), bordered.begin() + std::ptrdiff_t(J_.size()));
            for (std::size_t i = 0; i + 1 < N_; ++i) miss[i] = -G_[i];
            miss[N_ - 1] = ds - along;
            const Values change = solve(bordered, miss);
            if (change.empty()) return Outcome::failed;
            double size = 0;
            for (std::size_t i = 0; i < N_; ++i) {
                x[i] += change[i] * problem_.scale[i];
                size = std::max(size, std::abs(change[i]) / (1 + std::abs(x[i] / problem_.scale[i])));
            }
            if (!std::isfinite(size)) return Outcome::failed;
            // a correction that no longer falls has met the rounding of G
            if (size <= options_.tolerance || (size <= 100 * options_.tolerance && size >= 0.5 * before))
                return evaluate(x) ? Outcome::found : Outcome::nothing;  // what is watched needs a point that exists
            before = size;
        }
        return Outcome::failed;
    }

    // The point with its tangent, from J_, which has a positive part along `onwards`. Empty where the curve is not regular.
    std::optional<CurvePoint> complete(const Values& x, const Values& onwards) {
        Values tangent = N_ == 1 ? Values{1} : null_vector(J_, N_);
        if (tangent.empty()) return {};
        if (dot(tangent, onwards) < 0)
            for (double& a : tangent) a = -a;
        return CurvePoint{x, std::move(tangent), look(x)};
    }

    // The point of the curve in the plane ds ahead of one that is known. A first guess follows the tangent, or the parabola through another
    // point that is known.
    Outcome ahead(const CurvePoint& from, double ds, std::optional<CurvePoint>& out, const CurvePoint* also = nullptr) {
        Values x = from.x;
        const double share = also ? ds / along(from, also->x) : 0;
        for (std::size_t i = 0; i < N_; ++i) {
            const double straight = from.tangent[i] * problem_.scale[i];
            x[i] += ds * straight;
            if (also) x[i] += share * (share * (also->x[i] - from.x[i]) - ds * straight);
        }
        const Outcome outcome = correct(x, from.tangent, from.x, ds);
        if (outcome != Outcome::found) return outcome;
        out = complete(x, from.tangent);
        return out ? Outcome::found : Outcome::failed;
    }

    // How far the second point is ahead of the first, along the first one's tangent and in all.
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

    // The zero of f(point) within ds of `from`, by regula falsi with halving (Illinois); f changes its sign on the way.
    template <class F>
    std::optional<CurvePoint> locate(const CurvePoint& from, double ds, const F& f, double at_low, double at_high) {
        double low = 0, high = ds;
        std::optional<CurvePoint> found;
        int last = 0;
        for (int k = 0; k < 100 && high - low > options_.located; ++k) {
            double s = (low * at_high - high * at_low) / (at_high - at_low);
            if (!(s > low && s < high)) s = 0.5 * (low + high);
            const std::optional<CurvePoint> last_found = found;
            const CurvePoint* also = last_found ? &*last_found : nullptr;
            if (ahead(from, s, found, also) != Outcome::found &&
                ahead(from, s = 0.5 * (low + high), found) != Outcome::found)
                return {};
            const double now = f(*found);
            if (now == 0) return found;
            if ((now > 0) == (at_low > 0)) {
                low = s;
                at_low = now;
                if (last < 0) at_high *= 0.5;
                last = -1;
            } else {
                high = s;
                at_high = now;
                if (last > 0) at_low *= 0.5;
                last = 1;
            }
        }
        if (!found) ahead(from, 0.5 * ds, found);
        return found;
    }

    // Points from a start (not included) until the walk ends.
    ContinuationEnd go(const CurvePoint& start, std::vector<CurvePoint>& out) {
        CurvePoint here = start;
        double ds = options_.first;
        for (int count = 0; count < options_.max_points; ++count) {
            std::optional<CurvePoint> next;
            while (true) {
                const Outcome outcome = ahead(here, ds, next);
                const bool least = ds <= options_.smallest;
                if (outcome == Outcome::found &&
                    (least || (dot(next->tangent, here.tangent) >= max_turn && distance(next->x, here.x) <= 1.5 * ds)))
                    break;
                if (least)
                    return outcome == Outcome::nothing ? ContinuationEnd::nothing_beyond
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
            const bool straight = dot(next->tangent, here.tangent) >= little_turn;
            here = *next;
            out.push_back(std::move(*next));
            if (options_.progress && !options_.progress(here.x)) return ContinuationEnd::cancelled;
            if (straight) ds = std::min(1.5 * ds, options_.largest);
        }
        return ContinuationEnd::max_points;
    }

    // Folds and zeros of the watched functions between the points of a walk.
    void find_specials(ContinuationCurve& walk) {
        const auto& points = walk.points;
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const std::size_t first = walk.specials.size();
            look_between(walk, i, SpecialPoint::fold);
            for (std::size_t k = 0; k < problem_.watched; ++k) look_between(walk, i, k);
            std::sort(walk.specials.begin() + std::ptrdiff_t(first), walk.specials.end(),
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
    static constexpr double max_turn = 0.95, little_turn = 0.99;  // cosines

    Values look(const Values& x) const {
        Values out(problem_.watched);
        if (problem_.watched > 0) problem_.watch(x, out);
        return out;
    }
    double limit(const Values& bounds, std::size_t i, double none) const { return bounds.empty() ? none : bounds[i]; }
    double below(const Values& x, std::size_t i) const { return limit(problem_.low, i, -HUGE_VAL) - x[i]; }
    double above(const Values& x, std::size_t i) const { return x[i] - limit(problem_.high, i, HUGE_VAL); }
    // The unknown that is farthest outside the window; N if none is.
    std::size_t passed(const Values& x) const {
        std::size_t which = N_;
        double most = 0;
        for (std::size_t i = 0; i < N_; ++i)
            if (const double out = std::max(below(x, i), above(x, i)) / problem_.scale[i]; out > most)
                most = out, which = i;
        return which;
    }
    // Where the step first leaves the window; nothing if it began on the edge.
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
    // Whether the step passes the start again.
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
    void note(ContinuationCurve& walk, std::size_t i, std::size_t of, double ds, const CurvePoint& from, double a,
              double b) {
        if (auto found = locate(
                from, ds, [&](const CurvePoint& p) { return value(p, of); }, a, b))
            walk.specials.push_back({of, std::move(*found), i});
    }
    void look_between(ContinuationCurve& walk, std::size_t i, std::size_t of) {
        const CurvePoint &from = walk.points[i], &to = walk.points[i + 1];
        const double a = value(from, of), b = value(to, of), ds = along(from, to.x);
        if (a == 0 && i > 0) return;  // told as the end of the step before
        if (b == 0) {
            walk.specials.push_back({of, to, i});
        } else if ((a < 0) != (b < 0)) {
            note(walk, i, of, ds, from, a, b);
        } else if (options_.pairs && a != 0) {
            if (const auto between = beyond_zero(walk.points, i, of)) {
                const double middle = along(from, between->x);
                note(walk, i, of, middle, from, a, value(*between, of));
                note(walk, i, of, along(*between, to.x), *between, value(*between, of), b);
            }
        }
    }
    // A point inside step i where the function has changed its sign although it has the same one at both ends: looked for by golden
    // sections where the values at the ends and beyond them say that it comes close to zero.
    std::optional<CurvePoint> beyond_zero(const std::vector<CurvePoint>& points, std::size_t i, std::size_t of) {
        const CurvePoint &from = points[i], &to = points[i + 1];
        const double sign = value(from, of) < 0 ? -1 : 1, a = sign * value(from, of), b = sign * value(to, of);
        const double ds = along(from, to.x);
        // what straight lines through the neighbours foretell at their meeting
        const double slope_in = i > 0 ? (a - sign * value(points[i - 1], of)) / distance(from.x, points[i - 1].x) : 0;
        const double slope_out =
            i + 2 < points.size() ? (sign * value(points[i + 2], of) - b) / distance(points[i + 2].x, to.x) : 0;
        if (!(slope_in < 0 && slope_out > 0)) return {};
        const double meet = (b - a - slope_out * ds) / (slope_in - slope_out);
        if (!(a + slope_in * std::clamp(meet, 0.0, ds) <= 0)) return {};
        constexpr double golden = 0.6180339887498949;
        double low = 0, high = ds;
        for (int k = 0; k < 25; ++k) {
            const double s[] = {high - golden * (high - low), low + golden * (high - low)};
            double f[2];
            for (int side = 0; side < 2; ++side) {
                std::optional<CurvePoint> p;
                if (ahead(from, s[side], p) != Outcome::found) return {};
                f[side] = sign * value(*p, of);
                if (f[side] < 0) return p;
            }
            (f[0] < f[1] ? high : low) = s[f[0] < f[1] ? 1 : 0];
        }
        return {};
    }

    const CurveProblem& problem_;
    const ContinuationOptions& options_;
    std::size_t N_;
    Values G_, J_;
};

}  // namespace

const char* name_of(ContinuationEnd end) {
    switch (end) {
        case ContinuationEnd::window:
            return "left the window";
        case ContinuationEnd::closed:
            return "closed";
        case ContinuationEnd::max_points:
            return "most points";
        case ContinuationEnd::no_convergence:
            return "could not be followed further";
        case ContinuationEnd::nothing_beyond:
            return "nothing beyond";
        case ContinuationEnd::cancelled:
            return "stopped";
        default:
            return "not walked";
    }
}

std::vector<double> settle_on_curve(const CurveProblem& problem, std::vector<double> guess,
                                    const ContinuationOptions& options) {
    Walker walker(problem, options);
    std::vector<double> across(problem.unknowns), x = guess;
    across.back() = 1;
    if (walker.correct(x, across, guess, 0) == Outcome::found) return x;
    // p cannot be held at a fold: hold the place along the curve instead
    if (!walker.evaluate(guess)) return {};
    const auto point = walker.complete(guess, across);
    if (point && walker.correct(guess, point->tangent, point->x, 0) == Outcome::found) return guess;
    return {};
}

ContinuationCurve walk_curve(const CurveProblem& problem, const std::vector<double>& start,
                             const ContinuationOptions& options) {
    Walker walker(problem, options);
    const std::vector<double> x = settle_on_curve(problem, start, options);
    std::vector<double> rising(problem.unknowns);
    rising.back() = 1;
    if (x.empty() || !walker.evaluate(x))
        throw Error("continuation finds no solution near its start: start closer to one, or with other numbers");
    const auto at = walker.complete(x, rising);
    if (!at) throw Error("continuation cannot start where several branches meet: take another start");
    ContinuationCurve walk;
    walk.points = {*at};
    if (options.forward) walk.forward = walker.go(*at, walk.points);
    if (options.backward && walk.forward != ContinuationEnd::closed) {
        CurvePoint back = *at;
        for (double& a : back.tangent) a = -a;
        std::vector<CurvePoint> behind;
        walk.backward = walker.go(back, behind);
        std::reverse(behind.begin(), behind.end());
        for (CurvePoint& point : behind)
            for (double& a : point.tangent) a = -a;
        walk.start = behind.size();
        walk.points.insert(walk.points.begin(), behind.begin(), behind.end());
    }
    walker.find_specials(walk);
    return walk;
}

}  // namespace bristle::numerics
