#include "analyse/cycle/extinction_search.hpp"

#include <bristle/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_transient.hpp"

namespace bristle::inline analysis {

namespace {

using Values = std::vector<double>;
using Answers = std::vector<std::optional<bool>>;

// From end to end, in the logarithm where the window spans more than a decade.
Values across(Window window, int n) {
    Values out;
    const bool by_factors = window.from > 0 && window.to > 10 * window.from;
    for (int i = 0; i < n; ++i) {
        const double share = n > 1 ? double(i) / (n - 1) : 0.5;
        out.push_back(share == 1   ? window.to
                      : by_factors ? window.from * std::pow(window.to / window.from, share)
                                   : window.from + (window.to - window.from) * share);
    }
    return out;
}

std::optional<bool> lives(const Setup& setup, const CycleOptions& options, const Progress& progress) {
    const auto flow = flow_of(setup, options.tolerance);
    const Settled settled = settle_anywhere(setup, *flow, options, progress);
    if (settled.to == Settled::To::cycle && settled.stable) return true;
    if (settled.to == Settled::To::equilibrium || settled.grows) return false;
    return {};
}

// A corner of the window may break a rule that its ends keep: nothing is known there.
template <class F>
auto unless_illegal(const F& ask) -> decltype(ask()) {
    try {
        return ask();
    } catch (const Error&) {
        return {};
    }
}

struct Grid {
    Values columns, rows;
    Answers answers;  // row by row

    std::optional<bool> at(std::size_t row, std::size_t column) const { return answers[row * columns.size() + column]; }
};

// Many places: each has to be cheap.
CycleOptions quickly(CycleOptions options) {
    options.tolerance = std::max(options.tolerance, 1e-8);
    options.max_steps = std::min(options.max_steps, 50'000L);
    return options;
}

Grid grid_of(const Family2& family, Window first, Window second, int columns, int rows, const CycleOptions& options,
             const Progress& progress) {
    Grid grid{across(first, columns), across(second, rows), Answers(std::size_t(columns) * std::size_t(rows))};
    std::atomic<int> done = 0;
    const auto heard = [&](double) { return progress(double(done) / double(grid.answers.size())); };
    tbb::parallel_for(std::size_t(0), grid.answers.size(), [&](std::size_t i) {
        if (!heard(0)) return;
        const double p = grid.columns[i % grid.columns.size()], q = grid.rows[i / grid.columns.size()];
        grid.answers[i] = unless_illegal([&] { return lives(family(p, q), options, heard); });
        ++done;
    });
    return grid;
}

std::vector<BoundaryLook> looks_of(const Grid& grid) {
    std::vector<BoundaryLook> out;
    for (std::size_t r = 0; r < grid.rows.size(); ++r)
        for (std::size_t c = 0; c < grid.columns.size(); ++c)
            if (const auto answer = grid.at(r, c)) out.push_back({grid.columns[c], grid.rows[r], *answer});
    return out;
}

// Neighbours, but for those that are not known, of which one lives and the other does not.
struct Bracket {
    std::size_t lives, dead;  // places along the line
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

// The death on a line near one that has this bracket: it may lie a cell further in or out.
std::optional<double> death_near(const Family& line, const Values& places, const Bracket& bracket,
                                 const CycleOptions& options, const Progress& progress) {
    const std::ptrdiff_t way = bracket.dead > bracket.lives ? 1 : -1, last = std::ptrdiff_t(places.size()) - 1;
    const auto place = [&](std::size_t i, std::ptrdiff_t by) {
        return places[std::size_t(std::clamp(std::ptrdiff_t(i) + way * by, std::ptrdiff_t(0), last))];
    };
    constexpr DeathSearch search{.strides = 6, .accuracy = 1e-4, .carry = false};
    for (const std::ptrdiff_t in : {0, 1, 2})
        if (const auto found =
                death_between(line, place(bracket.lives, -in), place(bracket.dead, 1), search, options, progress))
            return found;
    return {};
}

}  // namespace

std::vector<BoundaryLook> look_around(const Family2& family, Window first, Window second, int columns, int rows,
                                      const CycleOptions& options, const Progress& progress) {
    return looks_of(grid_of(family, first, second, columns, rows, quickly(options), progress));
}

Deaths deaths_in(const Family2& family, Window first, Window second, int rows, const CycleOptions& options,
                 const Progress& progress) {
    constexpr int most = 9;  // lines of the grid
    const CycleOptions quick = quickly(options);
    const Grid grid = grid_of(family, first, second, most, std::min(rows, most), quick,
                              [&](double share) { return progress(0.5 * share); });

    struct Search {
        bool along_first;
        double at;  // the other parameter
        Bracket bracket;
    };
    std::vector<Search> searches;
    const Values seconds = across(second, rows);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        const auto row = std::size_t(std::lround(double(i) * double(grid.rows.size() - 1) / std::max(1, rows - 1)));
        for (const Bracket& bracket : brackets(grid.columns.size(), [&](std::size_t c) { return grid.at(row, c); }))
            searches.push_back({true, seconds[i], bracket});
    }
    // a boundary that runs along the rows is seen in none of them
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
        for (const Bracket& bracket : brackets(grid.rows.size(), [&](std::size_t r) { return grid.at(r, c); }))
            searches.push_back({false, grid.columns[c], bracket});

    std::vector<std::optional<double>> found(searches.size());
    std::atomic<int> done = 0;
    const auto heard = [&](double) { return progress(0.5 + 0.5 * double(done) / double(searches.size())); };
    tbb::parallel_for(std::size_t(0), searches.size(), [&](std::size_t i) {
        if (!heard(0)) return;
        const Search& search = searches[i];
        const Family line = [&](double p) { return search.along_first ? family(p, search.at) : family(search.at, p); };
        const Values& places = search.along_first ? grid.columns : grid.rows;
        found[i] = unless_illegal([&] { return death_near(line, places, search.bracket, quick, heard); });
        ++done;
    });
    Deaths out{{}, looks_of(grid)};
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) {
            const double p = searches[i].along_first ? *found[i] : searches[i].at,
                         q = searches[i].along_first ? searches[i].at : *found[i];
            out.points.push_back({BoundaryPoint::Kind::death, p, q, 0, 0, {}});
        }
    std::stable_sort(out.points.begin(), out.points.end(),
                     [](const BoundaryPoint& a, const BoundaryPoint& b) { return a.second < b.second; });
    return out;
}

}  // namespace bristle::inline analysis
