// The boundary of stick-slip in the plane of two numbers.
#include "report/analysis/parts.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace bristle::report {

namespace {

struct Map {
    Panel panel;
    Json curves = Json::array(), looks = Json::array();
    std::string text = "";

    // Curves of one name are one line with gaps.
    template <class Points>
    void add(const char* of, const std::string& kind, const std::string& name, const Points& points) {
        if (panel.series.empty() || panel.series.back().name != name)
            panel.series.push_back(
                {name, {}, {}, kind == "death" ? Mark::points : Mark::line});  // deaths: not in order
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
    // Which side is which.
    void show(const std::vector<BoundaryLook>& all) {
        Series lives{"a stable cycle", {}, {}, Mark::points}, dead{"no cycle", {}, {}, Mark::points};
        for (const BoundaryLook& look : all) {
            Series& side = look.lives ? lives : dead;
            side.x.push_back(look.first);
            side.y.push_back(look.second);
            looks.push_back({look.first, look.second, look.lives});
        }
        for (const Series& side : {lives, dead})
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
                map.add("equilibrium", "hopf", "steady sliding loses its stability (Hopf)", curve.points);
    } catch (const Error& none) {
        map.text += std::string("  equilibrium: ") + none.what() + "\n";
    }
    const CycleBoundary boundary = cycle_boundary(family, first.start, second.start, {first.from, first.to},
                                                  {second.from, second.to}, 40, {}, progress);
    using Kind = BoundaryPoint::Kind;
    const std::tuple<Kind, const char*, const char*> kinds[] = {
        {Kind::fold, "fold", "the cycle ends (fold)"},
        {Kind::flip, "flip", "the cycle doubles its period (flip)"},
        {Kind::death, "death", "the cycle dies (by following motions)"}};
    for (const auto& [kind, name, words] : kinds) {
        std::vector<BoundaryPoint> those;
        std::copy_if(boundary.points.begin(), boundary.points.end(), std::back_inserter(those),
                     [wanted = kind](const BoundaryPoint& p) { return p.kind == wanted; });
        if (!those.empty()) map.add("cycle", name, words, those);
    }
    if (!boundary.message.empty()) map.text += "  cycle: " + boundary.message + "\n";
    map.show(boundary.grid);
    map.panel.series.push_back({"the file", {first.start}, {second.start}, Mark::points});
    Analysis out;
    out.text = heading(experiment, "Boundaries in " + first.key + " and " + second.key) + map.text;
    out.json = Json{
        {"keys", {first.key, second.key}}, {"curves", map.curves}, {"looks", map.looks}, {"message", boundary.message}};
    out.figure = {plain_text(experiment.title), {map.panel}};
    out.figure.panel_height = 460;
    return out;
}

}  // namespace bristle::report
