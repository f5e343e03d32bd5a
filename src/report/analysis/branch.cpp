// Equilibrium and cycle along one number of the experiment.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// Lines that change their name where the stability does.
struct Lines {
    Series stable, unstable;
    struct Place {
        double x, y;
    };
    // meeting: where the stability changed on the way, if that was located.
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
    Json branch = Json::array(), points = Json::array(), stable = Json::array(), deaths = Json::array();
    std::string text;
    Panel panel;
    Series folds{"fold", {}, {}, Mark::points, 4}, flips{"flip", {}, {}, Mark::points, 6},
        hopfs{"Hopf point", {}, {}, Mark::points, 5};
    std::vector<Range> told = {};  // where the cycle is stable

    void line(const std::string& words) { text += "  " + words + "\n"; }
    std::string at(double value) const { return key_in_words(experiment, knob.key, value); }

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
            points.push_back(point_of("equilibrium", c.kind, c.value));
            if (c.kind == "hopf") {
                points.back()["frequency"] = c.frequency;
                Lines::add(hopfs, {c.value, std::abs(c.velocity)});
            }
            line("equilibrium: " +
                 (c.kind == "hopf"   ? "Hopf point at "
                  : c.kind == "real" ? "one eigenvalue passes zero at "
                                     : c.kind + " at ") +
                 at(c.value) + (c.kind == "hopf" ? ", " + readable(c.frequency, 4) + " rad/s" : ""));
        }
        const double reached_low = std::min(b.points.front().parameter, b.points.back().parameter),
                     reached_high = std::max(b.points.front().parameter, b.points.back().parameter);
        const bool whole = reached_low <= knob.from && reached_high >= knob.to;
        if (b.critical.empty() || !whole)
            line(std::string("equilibrium: ") + (b.critical.empty() ? "no change of stability" : "followed") +
                 " from " + at(reached_low) + " to " + at(reached_high) + (whole ? "" : " only"));
    }

    void take(const CycleBranch& b) {
        if (!b.exists) {
            line("cycle: " + b.message);
            return;
        }
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
        stretches(b);
        std::size_t more_folds = 0, more_flips = 0;
        for (const CyclePoint& p : b.folds) {
            points.push_back(point_of("cycle", "fold", p.parameter));
            points.back().update({{"period", p.period}, {"amplitude", p.amplitude}});
            Lines::add(folds, place_of(p));
            if (!ends_a_stretch(p) && ++more_folds) continue;
            line("cycle: fold at " + at(p.parameter) + " (period " + readable(p.period, 5) + " s, amplitude " +
                 in_units(p.amplitude, unit_of_state(experiment, experiment.setup.rig.info().position.name), 5) + ")");
        }
        for (const CyclePoint& p : b.flips) {
            points.push_back(point_of("cycle", "flip", p.parameter));
            Lines::add(flips, place_of(p));
            if (!ends_a_stretch(p) && ++more_flips) continue;
            line("cycle: flip at " + at(p.parameter) + " (a cycle of twice the period branches off)");
        }
        if (more_folds + more_flips > 0)
            line("cycle: where it is unstable it has " + counted(more_folds, "more fold", "more folds") + " and " +
                 counted(more_flips, "more flip", "more flips") + " (points in the JSON)");
        for (const CycleEnd* end : {&b.first, &b.last}) line("cycle: the branch " + end->sentence);
    }
    // From the point before, twice: a fold lies a little beyond both of its neighbours.
    static double distance(const CycleBranch& b, std::size_t i) {
        return 2 * std::abs(b.points[i].parameter - b.points[i - 1].parameter) + 1e-3 * std::abs(b.points[i].parameter);
    }
    // Where stability changes beside a point: what was located is sharper than the points themselves. Nothing: none was.
    static const CyclePoint* located_near(const CycleBranch& b, double value, double reach) {
        const CyclePoint* best = nullptr;
        for (const auto* located : {&b.folds, &b.flips})
            for (const CyclePoint& p : *located)
                if (!best || std::abs(p.parameter - value) < std::abs(best->parameter - value)) best = &p;
        return best && std::abs(best->parameter - value) <= reach ? best : nullptr;
    }
    static Lines::Place place_of(const CyclePoint& p) { return {p.parameter, p.fastest}; }
    // Where the cycle is stable: what somebody who turns the knob sees.
    void stretches(const CycleBranch& b) {
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
            if (high - low < 1e-5 * (knob.to - knob.from)) continue;  // between a fold and a flip: nobody meets it
            stable.push_back({low, high});
            const double size = std::min(1e-3 * (knob.to - knob.from), 3e-4 * std::max(std::abs(low), std::abs(high)));
            if (high - low < size) continue;
            told.push_back({low, high});
            line("cycle: stable from " + at(low) + " to " + at(high));
        }
    }
    bool ends_a_stretch(const CyclePoint& p) const {
        const auto near = [&](double end) { return std::abs(p.parameter - end) <= 1e-6 * std::abs(end); };
        return std::any_of(told.begin(), told.end(), [&](const Range& r) { return near(r.low) || near(r.high); });
    }
    // Whether the cycle at the file's value stays stable all the way to that end of the window.
    bool stable_up_to(double end) const {
        return std::any_of(told.begin(), told.end(), [&](const Range& r) {
            return r.low <= std::min(knob.start, end) && r.high >= std::max(knob.start, end);
        });
    }
    void death(double value) {
        points.push_back(point_of("cycle", "death", value));
        deaths.push_back(value);
        line(std::string("going ") + (value < knob.start ? "down" : "up") + ", stick-slip dies at " + at(value) +
             " (seen by following motions)");
    }
};

}  // namespace

Analysis branch_report(const experiment::Experiment& experiment, const Family& family, const Knob& knob,
                       const Progress& progress) {
    Report report{.experiment = experiment, .knob = knob, .text = {}, .panel = {}};
    report.panel.x_log = by_decades(knob.from, knob.to);
    report.panel.x_label = axis_of_key(experiment, knob.key);
    report.panel.y_label = labelled("fastest slip in a period", unit_of(experiment, "m/s"));
    try {
        report.take(follow_equilibrium(family, knob.from, knob.to, knob.start));
    } catch (const Error& none) {
        report.line(std::string("equilibrium: ") + none.what());
    }
    const CycleBranch cycles = follow(family, knob.start, knob.from, knob.to, {}, progress);
    report.take(cycles);
    // where the stable stretch ends before the window does: is stick-slip itself gone, or only this cycle?
    if (cycles.exists)
        for (const double end : {knob.from, knob.to})
            if (!report.stable_up_to(end))
                if (const auto gone = cycle_extinction(family, knob.start, end, {}, progress)) report.death(*gone);
    Analysis out;
    for (const Series& marks : {report.folds, report.flips, report.hopfs})
        if (!marks.x.empty()) report.panel.series.push_back(marks);
    out.text = heading(experiment, knob.key + " from " + readable(knob.from) + " to " + readable(knob.to) +
                                       ", starting at " + readable(knob.start)) +
               report.text;
    out.json = Json{{"key", knob.key},
                    {"branch", report.branch},
                    {"points", report.points},
                    {"stable", report.stable},
                    {"deaths", report.deaths}};
    out.figure = {plain_text(experiment.title), {report.panel}};
    out.figure.panel_height = 420;
    return out;
}

}  // namespace bristle::report
