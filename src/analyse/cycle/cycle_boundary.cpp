// The boundary of stick-slip in a plane of two parameters: followed as a curve of folds or flips, completed by
// extinctions.
#include <bristle/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tbb/parallel_for.h>

#include "analyse/cycle/boundary_continuation.hpp"
#include "analyse/cycle/extinction_search.hpp"
#include "analyse/equilibrium/branch_end.hpp"
#include "base/shared_progress.hpp"

namespace bristle::inline analysis::cycle {

namespace {

using Values = std::vector<double>;

void check(Window window, double start, const char* which) {
    if (window.from < window.to && start >= window.from && start <= window.to) return;
    throw Error(std::string("a boundary needs from < to and the start value inside its ") + which + " window");
}

// A point of the boundary to start from.
struct BoundaryStart {
    Values x;  // states, period, first and second parameter
    double sign;
    CycleScale scale;
};

// The followed curve: both sides begin with the start.
struct BoundaryCurve {
    std::vector<Values> sides[2];
    numerics::ContinuationEnd ends[2];
};

class BoundarySearch {
  public:
    BoundarySearch(const Family2& family, double first, double second, Window window_first, Window window_second,
                   int points, const CycleOptions& options, const Progress& progress)
        : family_(family),
          first_(first),
          second_(second),
          window_first_(window_first),
          window_second_(window_second),
          points_(std::max(points, 2)),
          options_(options),
          shared_(progress) {}

    CycleBoundary run() {
        const auto start = find_start();
        if (!shared_.cancelled() && !(start && follow(*start))) by_simulation();
        if (shared_.cancelled()) boundary_.outcome = BoundaryOutcome::cancelled;
        return std::move(boundary_);
    }

  private:
    // Returns a fold or flip on the line of the first parameter through the start values, else on that of the second.
    std::optional<BoundaryStart> find_start() {
        auto limit = find_stability_limit([&](double p) { return family_(p, second_); }, first_, window_first_,
                                          options_, shared_.part(0, 0.2));
        const bool along_first = limit.has_value();
        if (!limit)
            limit = find_stability_limit([&](double p) { return family_(first_, p); }, second_, window_second_,
                                         options_, shared_.part(0.2, 0.4));
        if (!limit) return {};
        Values x = limit->x;
        x.insert(along_first ? x.end() : x.end() - 1, along_first ? second_ : first_);
        return BoundaryStart{x, limit->sign, limit->scale};
    }

    // Follows the curve and completes it. Returns false if it has too few points.
    bool follow(const BoundaryStart& start) {
        const CycleProblem cycles([&](const Values& p) { return family_(p[0], p[1]); }, {window_first_, window_second_},
                                  start.scale, 10 * options_.tolerance);
        const Values sizes = sizes_of(start);
        const BoundaryCurve curve = follow_both_sides(start, cycles, sizes);
        if (curve.sides[0].size() + curve.sides[1].size() < 8) return false;

        std::vector<Values> all(curve.sides[0].rbegin(), curve.sides[0].rend());
        if (curve.sides[1].size() > 1) all.insert(all.end(), curve.sides[1].begin() + 1, curve.sides[1].end());
        const std::size_t n = start.x.size();
        boundary_.exists = true;
        boundary_.outcome = BoundaryOutcome::followed;
        boundary_.first = equilibrium::branch_end(curve.ends[0]);
        boundary_.last = equilibrium::branch_end(curve.ends[1]);
        boundary_.points.resize(all.size());
        const auto kind = start.sign > 0 ? BoundaryPoint::Kind::fold : BoundaryPoint::Kind::flip;
        tbb::parallel_for(std::size_t(0), all.size(), [&](std::size_t k) {
            for (std::size_t i = 0; i < n; ++i) all[k][i] *= sizes[i];
            const Cycle cycle = cycles.cycle(all[k], 2);
            boundary_.points[k] = {kind, all[k][n - 2], all[k][n - 1], cycle.period, cycle.amplitude, cycle.state};
        });
        complete(kind, curve, start.x[n - 1], {all.front()[n - 1], all.back()[n - 1]});
        constexpr int lines = 6;  // enough to distinguish the two sides
        boundary_.grid =
            sample_grid(family_, window_first_, window_second_, lines, lines, options_, shared_.part(0.95, 1));
        return true;
    }

    double width() const { return window_first_.to - window_first_.from; }
    double height() const { return window_second_.to - window_second_.from; }

    // Units of x: those of the cycle, and of the parameters.
    Values sizes_of(const BoundaryStart& start) const {
        const std::size_t n = start.x.size();
        Values sizes;
        for (std::size_t i = 0; i + 2 < n; ++i) sizes.push_back(start.scale.of(i));
        sizes.push_back(std::max(std::abs(start.x[n - 2]), 0.1 * width()));
        sizes.push_back(std::max(std::abs(start.x[n - 1]), 0.1 * height()));
        return sizes;
    }

    BoundaryCurve follow_both_sides(const BoundaryStart& start, const CycleProblem& cycles, const Values& sizes) {
        const std::size_t n = start.x.size();
        Values at(n);
        for (std::size_t i = 0; i < n; ++i) at[i] = start.x[i] / sizes[i];
        const double across = std::min(width() / sizes[n - 2], height() / sizes[n - 1]);
        const BoundaryProblem equations(cycles, sizes, start.sign);
        std::atomic<int> steps = 0;
        const auto step_done = [&] { return shared_.tell(std::min(0.8, 0.4 + 0.003 * ++steps)); };
        const BoundaryContinuation continuation(equations, cycles, sizes, {window_first_, window_second_},
                                                across / points_, step_done);
        BoundaryCurve curve;
        tbb::parallel_for(0, 2, [&](int i) { curve.ends[i] = continuation.run(at, i == 0 ? -1 : 1, curve.sides[i]); });
        return curve;
    }

    // Adds extinctions: behind a flip, where the cycle of doubled period continues, and beyond a cusp, where the boundary
    // continues without this fold. start: second parameter at the start of the curve; ends: at its two ends.
    void complete(BoundaryPoint::Kind kind, const BoundaryCurve& curve, double start,
                  const std::array<double, 2>& ends) {
        if (kind == BoundaryPoint::Kind::flip) {
            add_extinctions(window_second_, true);
            return;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            if (curve.ends[i] != numerics::ContinuationEnd::no_convergence || curve.sides[i].size() < 3) continue;
            add_extinctions(ends[i] < start ? Window{window_second_.from, ends[i]} : Window{ends[i], window_second_.to},
                            i != 0);
        }
    }

    void add_extinctions(Window window, bool at_end) {
        const int rows = std::max(1, int(std::ceil(points_ * (window.to - window.from) / height())));
        const auto more =
            extinctions_in(family_, window_first_, window, rows, options_, shared_.part(0.8, 0.95)).points;
        boundary_.points.insert(at_end ? boundary_.points.end() : boundary_.points.begin(), more.begin(), more.end());
    }

    void by_simulation() {
        Extinctions found =
            extinctions_in(family_, window_first_, window_second_, points_, options_, shared_.part(0.4, 1));
        boundary_.points = std::move(found.points);
        boundary_.grid = std::move(found.grid);
        boundary_.exists = !boundary_.points.empty();
        const auto cycles =
            std::count_if(boundary_.grid.begin(), boundary_.grid.end(), [](const auto& p) { return p.has_cycle; });
        boundary_.outcome = boundary_.exists                       ? BoundaryOutcome::by_simulation
                            : boundary_.grid.empty()               ? BoundaryOutcome::undecided
                            : cycles == std::ssize(boundary_.grid) ? BoundaryOutcome::cycle_everywhere
                            : cycles == 0                          ? BoundaryOutcome::cycle_nowhere
                                                                   : BoundaryOutcome::not_located;
    }

    const Family2& family_;
    double first_, second_;
    Window window_first_, window_second_;
    int points_;
    const CycleOptions& options_;
    SharedProgress shared_;
    CycleBoundary boundary_;
};

}  // namespace

}  // namespace bristle::analysis::cycle

namespace bristle::inline analysis {

CycleBoundary cycle_boundary(const Family2& family, double first, double second, Window window_first,
                             Window window_second, int points, const CycleOptions& options, const Progress& progress) {
    cycle::check(window_first, first, "first");
    cycle::check(window_second, second, "second");
    return cycle::BoundarySearch(family, first, second, window_first, window_second, points, options, progress).run();
}

}  // namespace bristle::analysis
