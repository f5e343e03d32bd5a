// The boundary of stick-slip in the plane of two numbers.
#include <report/analysis/parts.hpp>
#include <report/text.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace bristle::report {

Analysis map_report(const experiment::Experiment& experiment, const analyse::Family2& family, const Knob& first,
                    const Knob& second, const Progress& progress) {
    Panel panel{axis_of_key(experiment, first.key), axis_of_key(experiment, second.key), {}};
    Json curves = Json::array();
    std::string text;
    const auto add = [&](const char* of, const char* kind, const std::string& name, const auto& points) {
        Series series{name, {}, {}};
        Json list = Json::array();
        for (const auto& p : points) {
            series.x.push_back(p.first);
            series.y.push_back(p.second);
            list.push_back({p.first, p.second});
        }
        panel.series.push_back(series);
        curves.push_back({{"of", of}, {"kind", kind}, {"points", list}});
        text += "  " + name + ": " + std::to_string(points.size()) + " points, from (" + readable(series.x.front(), 5) +
                ", " + readable(series.y.front(), 5) + ") to (" + readable(series.x.back(), 5) + ", " +
                readable(series.y.back(), 5) + ")\n";
    };
    try {
        for (const analyse::HopfCurve& curve : analyse::hopf_curves(
                 family, {first.from, first.to}, {second.from, second.to}, {first.start, second.start}))
            if (!curve.points.empty())
                add("equilibrium", "hopf", "steady sliding loses its stability (Hopf)", curve.points);
    } catch (const Error& none) {
        text += std::string("  equilibrium: ") + none.what() + "\n";
    }
    const analyse::CycleBoundary boundary = analyse::cycle_boundary(
        family, first.start, second.start, {first.from, first.to}, {second.from, second.to}, 40, {}, progress);
    using Kind = analyse::BoundaryPoint::Kind;
    const std::tuple<Kind, const char*, const char*> kinds[] = {
        {Kind::fold, "fold", "the cycle ends (fold)"},
        {Kind::flip, "flip", "the cycle doubles its period (flip)"},
        {Kind::death, "death", "stick-slip dies (by following motions)"}};
    for (const auto& [kind, name, words] : kinds) {
        std::vector<analyse::BoundaryPoint> those;
        std::copy_if(boundary.points.begin(), boundary.points.end(), std::back_inserter(those),
                     [wanted = kind](const analyse::BoundaryPoint& p) { return p.kind == wanted; });
        if (!those.empty()) add("cycle", name, words, those);
    }
    if (!boundary.message.empty()) text += "  cycle: " + boundary.message + "\n";
    panel.series.push_back({"the file", {first.start}, {second.start}, Mark::points});
    Analysis out;
    out.text = heading(experiment, "Boundaries in " + first.key + " and " + second.key) + text;
    out.json = text_of({{"keys", {first.key, second.key}}, {"curves", curves}, {"message", boundary.message}});
    out.figure = {plain(experiment.title), {panel}};
    out.figure.panel_height = 460;
    return out;
}

}  // namespace bristle::report
