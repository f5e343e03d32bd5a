// Extinctions of stick-slip in a plane of two parameters.
#include "analyse/cycle/extinction_search.hpp"

#include <bristle/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_transient.hpp"
#include "numerics/spread.hpp"

namespace bristle::inline analysis::cycle {

namespace {

using Values = std::vector<double>;
using Answers = std::vector<std::optional<bool>>;

// Returns n values from end to end, even in the logarithm if the window spans more than a decade.
Values spread(Window window, int n) {
    const bool by_factors = window.from > 0 && window.to > 10 * window.from;
    return numerics::spread(window.from, window.to, n,
                            by_factors ? numerics::Spacing::by_factors : numerics::Spacing::equal);
}

// Returns std::nullopt if motions do not decide.
std::optional<bool> has_stable_cycle(const Setup& setup, const CycleOptions& options, const Progress& progress) {
    const auto flow = flow_of(setup, options.tolerance);
    const Settled settled = settle_anywhere(setup, *flow, options, progress);
    if (settled.to == Settled::To::cycle && settled.stable) return true;
    if (settled.to == Settled::To::equilibrium || settled.grows) return false;
    return {};
}

// Returns no answer if the set-up breaks a rule: a corner of the window can, although its ends do not.
template <class F>
auto unless_invalid(const F& question) -> decltype(question()) {
    try {
        return question();
    } catch (const Error&) {
        return {};
    }
}

struct Grid {
    Values columns, rows;
    Answers answers;  // row by row

    std::optional<bool> at(std::size_t row, std::size_t column) const { return answers[row * columns.size() + column]; }
};

// Options for many points: less accurate and cheaper.
CycleOptions cheaper(CycleOptions options) {
    options.tolerance = std::max(options.tolerance, 1e-8);
    options.max_steps = std::min(options.max_steps, 50'000L);
    return options;
}

Grid grid_of(const Family2& family, Window first, Window second, int columns, int rows, const CycleOptions& options,
             const Progress& progress) {
    Grid grid{spread(first, columns), spread(second, rows), Answers(std::size_t(columns) * std::size_t(rows))};
    std::atomic<int> done = 0;
    const auto should_continue = [&](double) { return progress(double(done) / double(grid.answers.size())); };
    tbb::parallel_for(std::size_t(0), grid.answers.size(), [&](std::size_t i) {
        if (!should_continue(0)) return;
        const double p = grid.columns[i % grid.columns.size()], q = grid.rows[i / grid.columns.size()];
        grid.answers[i] = unless_invalid([&] { return has_stable_cycle(family(p, q), options, should_continue); });
        ++done;
    });
    return grid;
}

std::vector<BoundaryGridPoint> known_points(const Grid& grid) {
    std::vector<BoundaryGridPoint> out;
    for (std::size_t r = 0; r < grid.rows.size(); ++r)
        for (std::size_t c = 0; c < grid.columns.size(); ++c)
            if (const auto answer = grid.at(r, c)) out.push_back({grid.columns[c], grid.rows[r], *answer});
    return out;
}

// Two neighbouring decided points of a line, one with a cycle and one without.
struct Bracket {
    std::size_t with, without;  // indices along the line
};
std::vector<Bracket> brackets(std::size_t n, const std::function<std::optional<bool>(std::size_t)>& answer) {
    std::vector<Bracket> out;
    std::optional<std::size_t> before;
    for (std::size_t i = 0; i < n; ++i) {
        if (!answer(i)) continue;
        if (before && *answer(*before) != *answer(i))
            out.push_back(*answer(i) ? Bracket{i, *before} : Bracket{*before, i});
        before = i;
    }
    return out;
}

// Returns the extinction on a line next to the one with this bracket, where it can be a cell further in or out.
std::optional<double> extinction_near(const Family& line, const Values& places, const Bracket& bracket,
                                      const CycleOptions& options, const Progress& progress) {
    const std::ptrdiff_t direction = bracket.without > bracket.with ? 1 : -1, last = std::ptrdiff_t(places.size()) - 1;
    const auto place = [&](std::size_t i, std::ptrdiff_t by) {
        return places[std::size_t(std::clamp(std::ptrdiff_t(i) + direction * by, std::ptrdiff_t(0), last))];
    };
    constexpr ExtinctionSearch search{.strides = 6, .accuracy = 1e-4, .continues_motions = false};
    for (const std::ptrdiff_t in : {0, 1, 2})
        if (const auto found =
                extinction_between(line, place(bracket.with, -in), place(bracket.without, 1), search, options, progress)
                    .value)
            return found;
    return {};
}

}  // namespace

std::vector<BoundaryGridPoint> sample_grid(const Family2& family, Window first, Window second, int columns, int rows,
                                           const CycleOptions& options, const Progress& progress) {
    return known_points(grid_of(family, first, second, columns, rows, cheaper(options), progress));
}

Extinctions extinctions_in(const Family2& family, Window first, Window second, int rows, const CycleOptions& options,
                           const Progress& progress) {
    constexpr int max_lines = 9;  // of the grid, in each direction
    const CycleOptions quick = cheaper(options);
    const Grid grid = grid_of(family, first, second, max_lines, std::min(rows, max_lines), quick,
                              [&](double fraction) { return progress(0.5 * fraction); });

    struct Search {
        bool along_first;
        double at;  // the other parameter
        Bracket bracket;
    };
    std::vector<Search> searches;
    const Values seconds = spread(second, rows);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        const auto row = std::size_t(std::lround(double(i) * double(grid.rows.size() - 1) / std::max(1, rows - 1)));
        for (const Bracket& bracket : brackets(grid.columns.size(), [&](std::size_t c) { return grid.at(row, c); }))
            searches.push_back({true, seconds[i], bracket});
    }
    // a boundary along the rows crosses none of them
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
        for (const Bracket& bracket : brackets(grid.rows.size(), [&](std::size_t r) { return grid.at(r, c); }))
            searches.push_back({false, grid.columns[c], bracket});

    std::vector<std::optional<double>> found(searches.size());
    std::atomic<int> done = 0;
    const auto should_continue = [&](double) { return progress(0.5 + 0.5 * double(done) / double(searches.size())); };
    tbb::parallel_for(std::size_t(0), searches.size(), [&](std::size_t i) {
        if (!should_continue(0)) return;
        const Search& search = searches[i];
        const Family line = [&](double p) { return search.along_first ? family(p, search.at) : family(search.at, p); };
        const Values& places = search.along_first ? grid.columns : grid.rows;
        found[i] =
            unless_invalid([&] { return extinction_near(line, places, search.bracket, quick, should_continue); });
        ++done;
    });
    Extinctions out{{}, known_points(grid)};
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) {
            const double p = searches[i].along_first ? *found[i] : searches[i].at,
                         q = searches[i].along_first ? searches[i].at : *found[i];
            out.points.push_back({BoundaryPoint::Kind::extinction, p, q, 0, 0, {}});
        }
    std::stable_sort(out.points.begin(), out.points.end(),
                     [](const BoundaryPoint& a, const BoundaryPoint& b) { return a.second < b.second; });
    return out;
}

}  // namespace bristle::analysis::cycle
