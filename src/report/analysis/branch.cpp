// Report of equilibria and cycles along one number of the experiment.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/shared_progress.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// A stable and an unstable line that meet where the stability changes.
struct Lines {
    Series stable, unstable;
    struct Place {
        double x, y;
    };
    // meeting: the located change of stability since the previous point.
    void put(const Place& at, bool is_stable, const std::optional<Place>& meeting) {
        Series &here = is_stable ? stable : unstable, &other = is_stable ? unstable : stable;
        if (!other.x.empty() && !std::isnan(other.y.back())) {
            const Place met = meeting.value_or(Place{other.x.back(), other.y.back()});
            add(other, met);
            add(here, met);
            add(other, {met.x, std::nan("")});
        }
        add(here, at);
    }
    static void add(Series& series, const Place& place) {
        series.x.push_back(place.x);
        series.y.push_back(place.y);
    }
    void into(Panel& panel) const {
        for (const Series& series : {stable, unstable})
            if (!series.x.empty()) panel.series.push_back(series);
    }
};

Json point_of(const char* of, const std::string& kind, double value) {
    return {{"of", of}, {"kind", kind}, {"value", value}};
}

struct Report {
    const experiment::Experiment& experiment;
    const Knob& knob;
    Json branch = Json::array(), points = Json::array(), stable = Json::array(), extinctions = Json::array();
    Json ends = Json::array(), searches = Json::array();
    Json reason = {{"equilibrium", nullptr}, {"cycle", nullptr}};  // why there is no such branch
    std::string text;
    Panel panel;
    Series folds{"fold", {}, {}, Mark::points, 4}, flips{"flip", {}, {}, Mark::points, 6},
        hopfs{"Hopf point", {}, {}, Mark::points, 5};
    std::vector<Range> stable_ranges = {};   // of the parameter, in the text
    std::optional<double> cycle_start = {};  // value at which the branch of the cycle begins

    void line(const std::string& words) { text += "  " + words + "\n"; }
    std::string at(double value) const { return key_in_words(experiment, knob.key, value); }

    std::string sentence(const CriticalPoint& c) const {
        switch (c.kind) {
            case CriticalPoint::Kind::hopf:
                return "Hopf point at " + at(c.value) + ", " + readable(c.frequency, 4) + " rad/s";
            case CriticalPoint::Kind::fold:
                return "fold at " + at(c.value);
            default:
                return "one eigenvalue passes zero at " + at(c.value);
        }
    }
    std::string sentence(const CycleEnd& end) const {
        switch (end.kind) {
            case CycleEnd::Kind::window:
                return "the branch leaves the window at " + at(end.parameter);
            case CycleEnd::Kind::equilibrium:
                return "the branch shrinks to the equilibrium: a Hopf point";
            case CycleEnd::Kind::explosion:
                return "the branch ends in an explosion at " + at(end.parameter) +
                       ": the multipliers grow while the parameter stays constant; beyond it this cycle does not exist";
            case CycleEnd::Kind::max_points:
                return "the branch was not followed further: limit on the number of points";
            case CycleEnd::Kind::cancelled:
                return "the branch was not followed further: cancelled";
            default:
                return "the branch ends at " + at(end.parameter) + ": no further point was found";
        }
    }
    static std::string sentence(NoBranch reason) {
        switch (reason) {
            case NoBranch::jump_on_section:
                return "no continuation: the force of this law jumps at maximum slip, which is the section of the "
                       "cycle; use --cycle at single values";
            case NoBranch::no_cycle:
                return "no limit cycle found at the start value, nor at 17 values spread over the window: nothing to "
                       "continue";
            case NoBranch::no_convergence:
                return "Newton's method lost the cycle at its first value";
            default:
                return "not searched";
        }
    }

    void add_end(const char* of, const char* kind, double value) { ends.push_back(point_of(of, kind, value)); }

    void take(const Branch& b) {
        Lines lines{{"equilibrium, stable", {}, {}, Mark::line, 0}, {"equilibrium, not stable", {}, {}, Mark::line, 1}};
        for (std::size_t i = 0; i < b.points.size(); ++i) {
            const BranchPoint& p = b.points[i];
            branch.push_back({{"of", "equilibrium"},
                              {"value", p.parameter},
                              {"stable", p.stability == Stability::stable},
                              {"stability", name_of(p.stability)},
                              {"velocity", p.velocity}});
            std::optional<Lines::Place> meeting;
            for (const CriticalPoint& c : b.critical)
                if (i > 0 && (c.value - b.points[i - 1].parameter) * (c.value - p.parameter) <= 0)
                    meeting = {c.value, std::abs(c.velocity)};
            lines.put({p.parameter, std::abs(p.velocity)}, p.stability == Stability::stable, meeting);
        }
        lines.into(panel);
        for (const CriticalPoint& c : b.critical) {
            points.push_back(point_of("equilibrium", name_of(c.kind), c.value));
            if (c.kind == CriticalPoint::Kind::hopf) {
                points.back()["frequency"] = c.frequency;
                Lines::add(hopfs, {c.value, std::abs(c.velocity)});
            }
            line("equilibrium: " + sentence(c));
        }
        add_end("equilibrium", name_of(b.first), b.points.front().parameter);
        add_end("equilibrium", name_of(b.last), b.points.back().parameter);
        const double reached_low = std::min(b.points.front().parameter, b.points.back().parameter),
                     reached_high = std::max(b.points.front().parameter, b.points.back().parameter);
        const bool whole = reached_low <= knob.from && reached_high >= knob.to;
        if (b.critical.empty() || !whole)
            line(std::string("equilibrium: ") + (b.critical.empty() ? "no change of stability" : "followed") +
                 " from " + at(reached_low) + " to " + at(reached_high) + (whole ? "" : " only"));
    }

    void take(const CycleBranch& b) {
        if (!b.exists) {
            line("cycle: " + sentence(b.reason));
            reason["cycle"] = name_of(b.reason);
            return;
        }
        cycle_start = b.points[b.start].parameter;
        if (*cycle_start != knob.start)
            line("cycle: none found at " + at(knob.start) + "; the branch begins at " + at(*cycle_start));
        Lines lines{{"cycle, stable", {}, {}, Mark::line, 2}, {"cycle, unstable", {}, {}, Mark::line, 3}};
        for (std::size_t i = 0; i < b.points.size(); ++i) {
            const CyclePoint& p = b.points[i];
            branch.push_back({{"of", "cycle"},
                              {"value", p.parameter},
                              {"stable", p.stable},
                              {"period", p.period},
                              {"amplitude", p.amplitude},
                              {"fastest", p.fastest},
                              {"stick_fraction", p.stick_fraction}});
            const CyclePoint* near =
                i > 0 ? located_near(b, b.points[p.stable ? i : i - 1].parameter, distance(b, i)) : nullptr;
            lines.put(place_of(p), p.stable, near ? std::optional(place_of(*near)) : std::nullopt);
        }
        lines.into(panel);
        add_stable_ranges(b);
        std::size_t more_folds = 0, more_flips = 0;
        for (const CyclePoint& p : b.folds) {
            points.push_back(point_of("cycle", name_of(BoundaryPoint::Kind::fold), p.parameter));
            points.back().update({{"period", p.period}, {"amplitude", p.amplitude}});
            Lines::add(folds, place_of(p));
            if (!ends_a_stable_range(p) && ++more_folds) continue;
            line("cycle: fold at " + at(p.parameter) + " (period " + readable(p.period, 5) + " s, amplitude " +
                 in_units(p.amplitude, unit_of_state(experiment, experiment.setup.rig.info().position.name), 5) + ")");
        }
        for (const CyclePoint& p : b.flips) {
            points.push_back(point_of("cycle", name_of(BoundaryPoint::Kind::flip), p.parameter));
            Lines::add(flips, place_of(p));
            if (!ends_a_stable_range(p) && ++more_flips) continue;
            line("cycle: flip at " + at(p.parameter) + " (a cycle of twice the period branches off)");
        }
        if (more_folds + more_flips > 0)
            line("cycle: on its unstable part " + counted(more_folds, "more fold", "more folds") + " and " +
                 counted(more_flips, "more flip", "more flips") + " (points in the JSON)");
        for (const CycleEnd* end : {&b.first, &b.last}) {
            line("cycle: " + sentence(*end));
            add_end("cycle", name_of(end->kind), end->parameter);
        }
    }
    // Twice the distance to the previous point: a fold lies beyond both of its neighbours.
    static double distance(const CycleBranch& b, std::size_t i) {
        return 2 * std::abs(b.points[i].parameter - b.points[i - 1].parameter) + 1e-3 * std::abs(b.points[i].parameter);
    }
    // Returns the located fold or flip nearest to a value, at most reach away; nullptr if there is none.
    static const CyclePoint* located_near(const CycleBranch& b, double value, double reach) {
        const CyclePoint* best = nullptr;
        for (const auto* located : {&b.folds, &b.flips})
            for (const CyclePoint& p : *located)
                if (!best || std::abs(p.parameter - value) < std::abs(best->parameter - value)) best = &p;
        return best && std::abs(best->parameter - value) <= reach ? best : nullptr;
    }
    static Lines::Place place_of(const CyclePoint& p) { return {p.parameter, p.fastest}; }
    // Ranges of the parameter in which the cycle is stable.
    void add_stable_ranges(const CycleBranch& b) {
        for (std::size_t i = 0; i < b.points.size();) {
            if (!b.points[i].stable) {
                ++i;
                continue;
            }
            double low = b.points[i].parameter, high = low;
            const auto take_in = [&](double value) {
                low = std::min(low, value);
                high = std::max(high, value);
            };
            const auto take_in_near = [&](const CyclePoint& p, double reach) {
                if (const CyclePoint* near = located_near(b, p.parameter, reach)) take_in(near->parameter);
            };
            if (i > 0) take_in_near(b.points[i], distance(b, i));
            for (; i < b.points.size() && b.points[i].stable; ++i) take_in(b.points[i].parameter);
            if (i < b.points.size()) take_in_near(b.points[i - 1], distance(b, i));
            if (high - low < 1e-5 * (knob.to - knob.from)) continue;  // between a fold and a flip
            stable.push_back({low, high});
            const double size = std::min(1e-3 * (knob.to - knob.from), 3e-4 * std::max(std::abs(low), std::abs(high)));
            if (high - low < size) continue;
            stable_ranges.push_back({low, high});
            line("cycle: stable from " + at(low) + " to " + at(high));
        }
    }
    bool ends_a_stable_range(const CyclePoint& p) const {
        const auto near = [&](double end) { return std::abs(p.parameter - end) <= 1e-6 * std::abs(end); };
        return std::any_of(stable_ranges.begin(), stable_ranges.end(),
                           [&](const Range& r) { return near(r.low) || near(r.high); });
    }
    // Returns true if the cycle is stable from the start of its branch to that end of the window.
    bool stable_up_to(double start, double end) const {
        return std::any_of(stable_ranges.begin(), stable_ranges.end(), [&](const Range& r) {
            return r.low <= std::min(start, end) && r.high >= std::max(start, end);
        });
    }
    void take(const CycleExtinction& extinction, double start, double toward) {
        searches.push_back({{"toward", toward}, {"outcome", name_of(extinction.outcome)}});
        if (!extinction.value) return;
        const double value = *extinction.value;
        points.push_back(point_of("cycle", name_of(BoundaryPoint::Kind::extinction), value));
        extinctions.push_back(value);
        line("cycle: stick-slip disappears at " + at(value) + " (" + (value < start ? "decreasing" : "increasing") +
             " parameter, by simulation)");
    }
};

}  // namespace

Analysis branch_report(const experiment::Experiment& experiment, const Family& family, const Knob& knob,
                       const Progress& progress) {
    Report report{.experiment = experiment, .knob = knob, .text = {}, .panel = {}};
    report.panel.x_log = by_decades(knob.from, knob.to);
    report.panel.x_label = axis_of_key(experiment, knob.key);
    report.panel.y_label = {"fastest slip in a period", unit_of(experiment, "m/s")};
    try {
        report.take(follow_equilibrium(family, knob.from, knob.to, knob.start));
    } catch (const EquilibriumError& none) {
        report.line(std::string("equilibrium: ") + none.what());
        report.reason["equilibrium"] = name_of(none.reason);
    }
    SharedProgress whole(progress);
    const CycleBranch cycles = follow(family, knob.start, knob.from, knob.to, {}, whole.part(0, 0.6));
    report.take(cycles);
    // the stable range ends inside the window: stick-slip can persist beyond it as another cycle
    if (const auto start = report.cycle_start)
        for (const double end : {knob.from, knob.to})
            if (!report.stable_up_to(*start, end)) {
                const double done = end == knob.from ? 0.6 : 0.8;
                report.take(cycle_extinction(family, *start, end, {}, whole.part(done, done + 0.2)), *start, end);
            }
    Analysis out = report_on(experiment, knob.key + " from " + readable(knob.from) + " to " + readable(knob.to) +
                                             ", starting at " + readable(knob.start));
    out.text += report.text;
    for (const Series& marks : {report.folds, report.flips, report.hopfs})
        if (!marks.x.empty()) report.panel.series.push_back(marks);
    out.json = Json{{"key", knob.key},
                    {"branch", report.branch},
                    {"points", report.points},
                    {"cycle_start", number_or_null(report.cycle_start)},
                    {"stable", report.stable},
                    {"extinctions", report.extinctions},
                    {"extinction_searches", report.searches},
                    {"ends", report.ends},
                    {"reason", report.reason}};
    out.figure = {figure_title(experiment), {report.panel}};
    out.figure.panel_height = 420;
    return out;
}

}  // namespace bristle::report
