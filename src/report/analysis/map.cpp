// Report of the boundary of stick-slip in the plane of two numbers.
#include "report/analysis/parts.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bristle::report {

namespace {

struct Map {
    Panel panel;
    Json curves = Json::array(), grid = Json::array();
    std::string text = "";

    // Adds a curve. Curves of one name are one line with gaps.
    template <class Points>
    void add(const char* of, const char* kind, const std::string& name, const Points& points, Mark mark = Mark::line) {
        if (panel.series.empty() || panel.series.back().name != name) panel.series.push_back({name, {}, {}, mark});
        Series& series = panel.series.back();
        const auto put = [&](double x, double y) {
            series.x.push_back(x);
            series.y.push_back(y);
        };
        if (!series.x.empty()) put(series.x.back(), std::nan(""));
        Json list = Json::array();
        for (const auto& p : points) {
            put(p.first, p.second);
            list.push_back({p.first, p.second});
        }
        curves.push_back({{"of", of}, {"kind", kind}, {"points", list}});
        const auto place = [](const auto& p) {
            return "(" + readable(p.first, 5) + ", " + readable(p.second, 5) + ")";
        };
        text += "  " + name + ": " + std::to_string(points.size()) + " points, from " + place(points.front()) + " to " +
                place(points.back()) + "\n";
    }
    // Shows on which side of the curves there is a cycle.
    void show(const std::vector<BoundaryGridPoint>& all) {
        Series with{"a stable cycle", {}, {}, Mark::points}, without{"no cycle found", {}, {}, Mark::points};
        for (const BoundaryGridPoint& p : all) {
            Series& side = p.has_cycle ? with : without;
            side.x.push_back(p.first);
            side.y.push_back(p.second);
            grid.push_back({p.first, p.second, p.has_cycle});
        }
        for (const Series& side : {with, without})
            if (!side.x.empty()) panel.series.push_back(side);
    }
};

// The window, with room for the marks on its edges.
Range around(const Knob& knob) {
    constexpr double room = 0.02;
    if (by_decades(knob.from, knob.to)) {
        const double factor = std::pow(knob.to / knob.from, room);
        return {knob.from / factor, knob.to * factor};
    }
    return {knob.from - room * (knob.to - knob.from), knob.to + room * (knob.to - knob.from)};
}

const char* words_of(BranchEnd end) {
    switch (end) {
        case BranchEnd::window:
            return "left the window";
        case BranchEnd::closed:
            return "closed";
        case BranchEnd::nothing_beyond:
            return "nothing beyond";
        case BranchEnd::no_convergence:
            return "could not be followed further";
        case BranchEnd::max_points:
            return "limit on the number of points";
        default:
            return "cancelled";
    }
}

std::string sentence(const CycleBoundary& b) {
    const auto cycles = std::count_if(b.grid.begin(), b.grid.end(), [](const auto& p) { return p.has_cycle; });
    const std::string found = std::to_string(cycles), all = std::to_string(b.grid.size());
    switch (b.outcome) {
        case BoundaryOutcome::followed:
            return std::string("one end: ") + words_of(b.first) + "; the other: " + words_of(b.last);
        case BoundaryOutcome::by_simulation:
            return "by simulation: no fold or flip could be followed from the values of the file";
        case BoundaryOutcome::cycle_everywhere:
            return "no boundary: stick-slip was found at all " + all + " points of a grid over the window";
        case BoundaryOutcome::cycle_nowhere:
            return "no boundary: stick-slip was found at none of " + all + " points of a grid over the window";
        case BoundaryOutcome::not_located:
            return "stick-slip was found at " + found + " of " + all +
                   " points of a grid over the window, but motions did not decide where it ends";
        case BoundaryOutcome::undecided:
            return "motions did not decide at any point of a grid over the window whether there is stick-slip";
        case BoundaryOutcome::cancelled:
            return "cancelled";
        case BoundaryOutcome::not_searched:
            break;
    }
    return "not searched";
}

// Adds the points of one kind as a curve; extinctions are not in order along a curve.
void add_kind(Map& map, const CycleBoundary& boundary, BoundaryPoint::Kind kind, const char* words) {
    std::vector<BoundaryPoint> points;
    std::copy_if(boundary.points.begin(), boundary.points.end(), std::back_inserter(points),
                 [kind](const BoundaryPoint& p) { return p.kind == kind; });
    const Mark mark = kind == BoundaryPoint::Kind::extinction ? Mark::points : Mark::line;
    if (!points.empty()) map.add("cycle", name_of(kind), words, points, mark);
}

}  // namespace

Analysis map_report(const experiment::Experiment& experiment, const Family2& family, const Knob& first,
                    const Knob& second, const Progress& progress) {
    Map map{.panel = {axis_of_key(experiment, first.key), axis_of_key(experiment, second.key), {}}};
    map.panel.x_range = around(first);
    map.panel.y_range = around(second);
    map.panel.x_log = by_decades(first.from, first.to);
    map.panel.y_log = by_decades(second.from, second.to);
    try {
        for (const HopfCurve& curve :
             hopf_curves(family, {first.from, first.to}, {second.from, second.to}, {first.start, second.start}))
            if (!curve.points.empty())
                map.add("equilibrium", name_of(CriticalPoint::Kind::hopf), "steady sliding loses its stability (Hopf)",
                        curve.points);
    } catch (const Error& none) {
        map.text += std::string("  equilibrium: ") + none.what() + "\n";
    }
    const CycleBoundary boundary = cycle_boundary(family, first.start, second.start, {first.from, first.to},
                                                  {second.from, second.to}, 40, {}, progress);
    using Kind = BoundaryPoint::Kind;
    add_kind(map, boundary, Kind::fold, "the cycle ends (fold)");
    add_kind(map, boundary, Kind::flip, "the cycle doubles its period (flip)");
    add_kind(map, boundary, Kind::extinction, "stick-slip disappears (by simulation)");
    map.text += "  cycle: " + sentence(boundary) + "\n";
    map.show(boundary.grid);
    map.panel.series.push_back({"the file", {first.start}, {second.start}, Mark::points});
    Analysis out = report_on(experiment, "Boundaries in " + first.key + " and " + second.key);
    out.text += map.text;
    out.json = Json{{"keys", {first.key, second.key}},
                    {"curves", map.curves},
                    {"looks", map.grid},
                    {"message", sentence(boundary)}};
    out.figure = {figure_title(experiment), {map.panel}};
    out.figure.panel_height = 460;
    return out;
}

}  // namespace bristle::report
