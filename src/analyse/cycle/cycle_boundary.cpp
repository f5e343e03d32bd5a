// The edge of stable cycles in two parameters.
//
//   x = (states, period, p1, p2),   shooting(x) = 0,   test(x) = det(1 - P) = 0 at a fold, det(1 + P) = 0 at a flip
// walked along by pseudo-arclength, both ways at once. The gradient of test is taken by differences within the plane
// that shooting leaves open (two directions, two motions); across it, where Newton's method has little left to do, it
// is not needed.
#include <bristle/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_branch.hpp"
#include "analyse/cycle/extinction_search.hpp"
#include "base/shared_progress.hpp"
#include "analyse/cycle/cycle_walk.hpp"
#include "numerics/linear.hpp"

namespace bristle::inline analysis {

namespace {

using Values = std::vector<double>;

// Two unit vectors, at right angles, that rows x = 0 leaves open: rows is (n - 2) x n. Empty where there are more.
std::vector<Values> open_plane(const Values& rows, std::size_t n) {
    // the first is at right angles to a direction that is not in the way; the second to the first
    std::vector<Values> found;
    Values with(rows);
    with.resize((n - 1) * n);
    Values any(n);
    for (std::size_t i = 0; i < n; ++i) any[i] = std::cos(double(i + 1));
    for (int k = 0; k < 2; ++k) {
        std::copy(any.begin(), any.end(), with.end() - std::ptrdiff_t(n));
        found.push_back(numerics::null_vector(with, n));
        if (found.back().empty()) return {};
        any = found.back();
    }
    return found;
}

class EdgeProblem {
  public:
    EdgeProblem(const CycleProblem& cycles, Values scale, double sign)
        : cycles_(cycles), scale_(std::move(scale)), sign_(sign) {}

    bool operator()(std::span<const double> x, std::span<double> G, std::span<double> J) const {
        const std::size_t n = scale_.size(), m = n - 2;
        const Shot shot = cycles_.shot(x, true);
        if (!shot.usable) return false;
        const double here = return_test(cycles_.scale(), shot, sign_);
        Values rows(m * n);
        for (std::size_t i = 0; i < m; ++i) {
            G[i] = shot.miss[i];
            for (std::size_t j = 0; j < m; ++j)
                rows[i * n + j] = shot.jacobian[i * m + j] / cycles_.scale().of(j) * scale_[j];
            for (std::size_t k = 0; k < 2; ++k) rows[i * n + m + k] = shot.by[k][i] * scale_[m + k];
        }
        const auto plane = open_plane(rows, n);
        if (plane.empty()) return false;
        G[m] = here;
        Values gradient(n);
        for (const Values& along : plane) {
            constexpr double d = 1e-5;
            Values there(x.begin(), x.end());
            for (std::size_t i = 0; i < n; ++i) there[i] += d * along[i] * scale_[i];
            const Shot beside = cycles_.shot(there, false);
            if (!beside.usable) return false;
            const double slope = (return_test(cycles_.scale(), beside, sign_) - here) / d;
            for (std::size_t i = 0; i < n; ++i) gradient[i] += slope * along[i];
        }
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < m; ++i) J[i * n + j] = rows[i * n + j] / scale_[j];
            J[m * n + j] = gradient[j] / scale_[j];
        }
        return true;
    }

  private:
    const CycleProblem& cycles_;
    Values scale_;
    double sign_;
};

// Walks from a point of the edge, one way.
class EdgeWalk {
  public:
    EdgeWalk(const EdgeProblem& equations, const CycleProblem& cycles, Values scale, std::vector<Window> windows,
             double largest, std::function<bool()> progress)
        : equations_(equations),
          cycles_(cycles),
          scale_(std::move(scale)),
          windows_(std::move(windows)),
          largest_(largest),
          progress_(std::move(progress)) {}

    // Points in units of scale, beginning with the start; dir = +1 or -1 along the tangent there.
    numerics::ContinuationEnd go(const Values& start, double dir, std::vector<Values>& out) const {
        constexpr double smallest = 2e-4;
        constexpr int max_points = 2000;
        Values tangent = tangent_at(start);
        if (tangent.empty()) return numerics::ContinuationEnd::no_convergence;
        for (double& a : tangent) a *= dir;
        out = {start};
        double ds = std::min(2e-3, largest_);
        while (out.size() < max_points) {
            const Values guess = predict(out, tangent, ds);
            Values way(guess);
            for (std::size_t i = 0; i < way.size(); ++i) way[i] -= out.back()[i];
            const double length = norm(way);
            for (double& a : way) a /= length;
            if (const std::size_t which = passed(guess); which < guess.size() && ds < 0.02) {
                end_on_edge(out, guess, which);
                return numerics::ContinuationEnd::window;
            }
            Values next = guess;
            const int evaluations = correct(next, way, guess, 0.3 * ds);
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

  private:
    Values si(const Values& X) const {
        Values x(X);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale_[i];
        return x;
    }
    // G and dG/dX.
    bool evaluate(const Values& X, Values& G, Values& J) const {
        const std::size_t n = X.size();
        G.resize(n - 1);
        J.resize((n - 1) * n);
        if (!equations_(si(X), G, J)) return false;
        for (std::size_t i = 0; i < J.size(); ++i) J[i] *= scale_[i % n];
        return true;
    }
    Values tangent_at(const Values& X) const {
        Values G, J;
        return evaluate(X, G, J) ? numerics::null_vector(J, X.size()) : Values{};
    }
    // The polynomial through the last points (up to four) at ds beyond the last: tests are sharp, so that a straight
    // line leads too far.
    static Values predict(const std::vector<Values>& points, const Values& tangent, double ds) {
        Values out = points.back();
        const std::size_t use = std::min<std::size_t>(points.size(), 4);
        if (use < 3) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += ds * tangent[i];
            if (use < 2) return out;
        }
        std::vector<double> s(use);
        for (std::size_t k = 1; k < use; ++k) {
            Values way = points[points.size() - use + k];
            for (std::size_t i = 0; i < way.size(); ++i) way[i] -= points[points.size() - use + k - 1][i];
            s[k] = s[k - 1] + norm(way);
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
    // Newton with way'(X - X0) = 0; how many evaluations it took, 0 where it fails.
    int correct(Values& X, const Values& way, const Values& X0, double reach) const {
        constexpr int most = 7;
        const std::size_t n = X.size();
        Values G, J;
        double moved = 0, before = HUGE_VAL;
        for (int k = 1; k <= most; ++k) {
            if (!evaluate(X, G, J)) return 0;
            G.push_back(0);
            for (std::size_t i = 0; i < n; ++i) G.back() += way[i] * (X[i] - X0[i]);
            for (double& g : G) g = -g;
            J.insert(J.end(), way.begin(), way.end());
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
    // The parameter that has left its window; the number of unknowns where none has.
    std::size_t passed(const Values& X) const {
        for (std::size_t k = 0; k < windows_.size(); ++k) {
            const std::size_t i = cycles_.states() + 1 + k;
            if (X[i] * scale_[i] < windows_[k].from || X[i] * scale_[i] > windows_[k].to) return i;
        }
        return X.size();
    }
    void end_on_edge(std::vector<Values>& points, const Values& beyond, std::size_t which) const {
        const Window& w = windows_[which - cycles_.states() - 1];
        const Values& last = points.back();
        const double edge = (beyond[which] * scale_[which] < w.from ? w.from : w.to) / scale_[which];
        if (last[which] == edge) return;
        Values guess(last), held(last.size());
        const double share = (edge - last[which]) / (beyond[which] - last[which]);
        for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += share * (beyond[i] - last[i]);
        held[which] = 1;
        const Values at = guess;
        if (correct(guess, held, at, 0.1) > 0 && passed(guess) == guess.size()) points.push_back(guess);
    }

    const EdgeProblem& equations_;
    const CycleProblem& cycles_;
    Values scale_;
    std::vector<Window> windows_;
    double largest_;
    std::function<bool()> progress_;
};

void check(Window window, double start, const char* which) {
    if (window.from < window.to && start >= window.from && start <= window.to) return;
    throw Error(std::string("the ") + which + " window has to run upwards and to hold the start");
}

}  // namespace

CycleBoundary cycle_boundary(const Family2& family, double first, double second, Window window_first,
                             Window window_second, int points, const CycleOptions& options, const Progress& progress) {
    check(window_first, first, "first");
    check(window_second, second, "second");
    CycleBoundary curve;
    points = std::max(points, 2);
    SharedProgress shared(progress);
    std::atomic<int> steps = 0;
    const auto step_done = [&] { return shared.tell(std::min(0.8, 0.4 + 0.003 * ++steps)); };
    const double wide = window_first.to - window_first.from, high = window_second.to - window_second.from;
    const auto by_death = [&] {
        Deaths seen = deaths_in(family, window_first, window_second, points, options, shared.part(0.4, 1));
        curve.points = std::move(seen.points);
        curve.grid = std::move(seen.grid);
        curve.exists = !curve.points.empty();
        const auto living = std::count_if(curve.grid.begin(), curve.grid.end(), [](const auto& l) { return l.lives; });
        const std::string all = " places of the window that were looked at";
        if (shared.cancelled())
            curve.message = "stopped";
        else if (curve.exists)
            curve.message = "by following motions: no fold or flip could be followed from the file's values";
        else if (curve.grid.empty())
            curve.message = "motions did not tell anywhere in the window whether there is stick-slip";
        else if (living == std::ssize(curve.grid))
            curve.message = "no boundary: stick-slip was found at all " + std::to_string(living) + all;
        else if (living == 0)
            curve.message = "no boundary: stick-slip was found at none of " + std::to_string(curve.grid.size()) + all;
        else
            curve.message = "stick-slip was found at " + std::to_string(living) + " of " +
                            std::to_string(curve.grid.size()) + all + ", but motions did not tell where it dies";
        return curve;
    };

    // one point to begin with
    auto edge =
        find_edge([&](double p) { return family(p, second); }, first, window_first, options, shared.part(0, 0.2));
    const bool along_first = edge.has_value();
    if (!edge)
        edge = find_edge([&](double p) { return family(first, p); }, second, window_second, options,
                         shared.part(0.2, 0.4));
    if (shared.cancelled()) {
        curve.message = "stopped";
        return curve;
    }
    if (!edge) return by_death();
    Values x = edge->x;
    x.insert(along_first ? x.end() : x.end() - 1, along_first ? second : first);

    const CycleProblem cycles([&](const Values& p) { return family(p[0], p[1]); }, {window_first, window_second},
                              edge->scale, 10 * options.tolerance);
    const std::size_t n = x.size();
    Values sizes, start(n);
    for (std::size_t i = 0; i + 2 < n; ++i) sizes.push_back(edge->scale.of(i));
    sizes.push_back(std::max(std::abs(x[n - 2]), 0.1 * wide));
    sizes.push_back(std::max(std::abs(x[n - 1]), 0.1 * high));
    for (std::size_t i = 0; i < n; ++i) start[i] = x[i] / sizes[i];
    const double across = std::min(wide / sizes[n - 2], high / sizes[n - 1]);
    const EdgeProblem equations(cycles, sizes, edge->sign);
    const EdgeWalk walk(equations, cycles, sizes, {window_first, window_second}, across / points, step_done);
    std::vector<Values> ways[2];
    numerics::ContinuationEnd ends[2];
    tbb::parallel_for(0, 2, [&](int i) { ends[i] = walk.go(start, i == 0 ? -1 : 1, ways[i]); });
    if (ways[0].size() + ways[1].size() < 8) return by_death();

    std::vector<Values> all(ways[0].rbegin(), ways[0].rend());
    if (ways[1].size() > 1) all.insert(all.end(), ways[1].begin() + 1, ways[1].end());
    curve.exists = true;
    curve.points.resize(all.size());
    const auto kind = edge->sign > 0 ? BoundaryPoint::Kind::fold : BoundaryPoint::Kind::flip;
    tbb::parallel_for(std::size_t(0), all.size(), [&](std::size_t k) {
        for (std::size_t i = 0; i < n; ++i) all[k][i] *= sizes[i];
        const Cycle cycle = cycles.cycle(all[k], 2);
        curve.points[k] = {kind, all[k][n - 2], all[k][n - 1], cycle.period, cycle.amplitude, cycle.state};
    });
    curve.message = std::string("one end: ") + name_of(ends[0]) + "; the other: " + name_of(ends[1]);

    // where the curve ends in a cusp the boundary goes on without it; behind a flip the doubled cycle lives on
    const auto beyond = [&](Window window, bool at_end) {
        const int rows = std::max(1, int(std::ceil(points * (window.to - window.from) / high)));
        auto more = deaths_in(family, window_first, window, rows, options, shared.part(0.8, 0.95)).points;
        curve.points.insert(at_end ? curve.points.end() : curve.points.begin(), more.begin(), more.end());
    };
    if (kind == BoundaryPoint::Kind::flip) {
        beyond(window_second, true);
    } else {
        for (int i = 0; i < 2; ++i) {
            if (ends[i] != numerics::ContinuationEnd::no_convergence || ways[i].size() < 3) continue;
            const double last = all[i == 0 ? 0 : all.size() - 1][n - 1], before = x[n - 1];
            beyond(last < before ? Window{window_second.from, last} : Window{last, window_second.to}, i != 0);
        }
    }
    constexpr int some = 6;  // they only have to tell the sides apart
    curve.grid = look_around(family, window_first, window_second, some, some, options, shared.part(0.95, 1));
    if (shared.cancelled()) curve.message = "stopped";
    return curve;
}

}  // namespace bristle::inline analysis
