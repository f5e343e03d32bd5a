// Equilibrium and cycle along one number of the experiment.
#include <report/analysis/parts.hpp>
#include <report/quantity.hpp>
#include <report/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::report {

namespace {

using analyse::Branch, analyse::CycleBranch, analyse::CyclePoint, analyse::Stability;

// Lines that change their name where the stability does.
struct Lines {
    Series stable, unstable;
    void put(double x, double y, bool is_stable) {
        Series &here = is_stable ? stable : unstable, &other = is_stable ? unstable : stable;
        if (!other.x.empty() && !std::isnan(other.y.back())) {  // the lines meet
            here.x.push_back(other.x.back());
            here.y.push_back(other.y.back());
            other.x.push_back(other.x.back());
            other.y.push_back(std::nan(""));
        }
        here.x.push_back(x);
        here.y.push_back(y);
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
    Json branch = Json::array(), points = Json::array(), stable = Json::array();
    std::string text;
    Panel panel;
    Series marks{"fold or flip", {}, {}, Mark::points, 4}, hopfs{"Hopf point", {}, {}, Mark::points, 5};
    std::vector<Range> told = {};  // where the cycle is stable

    void line(const std::string& words) { text += "  " + words + "\n"; }
    std::string at(double value) const { return key_in_words(experiment, knob.key, value); }

    void take(const Branch& b) {
        Lines lines{{"equilibrium, stable", {}, {}, Mark::line, 0}, {"equilibrium, not stable", {}, {}, Mark::line, 1}};
        for (const analyse::BranchPoint& p : b.points) {
            branch.push_back({{"of", "equilibrium"},
                              {"value", p.parameter},
                              {"stable", p.stability == Stability::stable},
                              {"stability", analyse::name_of(p.stability)},
                              {"velocity", p.velocity}});
            lines.put(p.parameter, std::abs(p.velocity), p.stability == Stability::stable);
        }
        lines.into(panel);
        for (const analyse::CriticalPoint& c : b.critical) {
            points.push_back(point_of("equilibrium", c.kind, c.value));
            if (c.kind == "hopf") {
                points.back()["frequency"] = c.frequency;
                hopfs.x.push_back(c.value);
                hopfs.y.push_back(std::abs(c.velocity));
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
        for (const CyclePoint& p : b.points) {
            branch.push_back({{"of", "cycle"},
                              {"value", p.parameter},
                              {"stable", p.stable},
                              {"period", p.period},
                              {"amplitude", p.amplitude},
                              {"fastest", p.fastest},
                              {"stick_fraction", p.stick_fraction}});
            lines.put(p.parameter, p.fastest, p.stable);
        }
        lines.into(panel);
        stretches(b);
        int more_folds = 0, more_flips = 0;
        for (const CyclePoint& p : b.folds) {
            points.push_back(point_of("cycle", "fold", p.parameter));
            points.back().update({{"period", p.period}, {"amplitude", p.amplitude}});
            mark(p);
            if (!ends_a_stretch(p) && ++more_folds) continue;
            line("cycle: fold at " + at(p.parameter) + " (period " + readable(p.period, 5) + " s, amplitude " +
                 in_units(p.amplitude, unit_of_state(experiment, simulate::rig_of(experiment.setup.type).position), 5) +
                 ")");
        }
        for (const CyclePoint& p : b.flips) {
            points.push_back(point_of("cycle", "flip", p.parameter));
            mark(p);
            if (!ends_a_stretch(p) && ++more_flips) continue;
            line("cycle: flip at " + at(p.parameter) + " (a cycle of twice the period branches off)");
        }
        if (more_folds + more_flips > 0)
            line("cycle: folds and flips away from these stretches: " + std::to_string(more_folds) + " and " +
                 std::to_string(more_flips) + " (in the JSON)");
        for (const analyse::CycleEnd* end : {&b.first, &b.last}) line("cycle: the branch " + end->sentence);
    }
    // From the point before, twice: a fold lies a little beyond both of its neighbours.
    static double distance(const CycleBranch& b, std::size_t i) {
        return 2 * std::abs(b.points[i].parameter - b.points[i - 1].parameter) + 1e-3 * std::abs(b.points[i].parameter);
    }
    // Where stability changes beside a point: what was located is sharper than the points themselves.
    static double located_near(const CycleBranch& b, double value, double reach) {
        double best = std::numeric_limits<double>::infinity();
        for (const auto* located : {&b.folds, &b.flips})
            for (const CyclePoint& p : *located)
                if (std::abs(p.parameter - value) < std::abs(best - value)) best = p.parameter;
        return std::abs(best - value) <= reach ? best : value;
    }
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
            if (i > 0) take_in(located_near(b, b.points[i].parameter, distance(b, i)));
            for (; i < b.points.size() && b.points[i].stable; ++i) take_in(b.points[i].parameter);
            if (i < b.points.size()) take_in(located_near(b, b.points[i - 1].parameter, distance(b, i)));
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
        line(std::string("going ") + (value < knob.start ? "down" : "up") + ", stick-slip dies at " + at(value) +
             " (seen by following motions)");
    }
    void mark(const CyclePoint& p) {
        marks.x.push_back(p.parameter);
        marks.y.push_back(p.fastest);
    }
};

}  // namespace

Analysis branch_report(const experiment::Experiment& experiment, const analyse::Family& family, const Knob& knob,
                       const Progress& progress) {
    Report report{.experiment = experiment, .knob = knob, .text = {}, .panel = {}};
    report.panel.x_log = by_decades(knob.from, knob.to);
    report.panel.x_label = axis_of_key(experiment, knob.key);
    report.panel.y_label = labelled("fastest slip in a period", unit_of(experiment, "m/s"));
    try {
        report.take(analyse::continue_equilibrium(family, knob.from, knob.to, knob.start));
    } catch (const Error& none) {
        report.line(std::string("equilibrium: ") + none.what());
    }
    const CycleBranch cycles = analyse::continue_cycle(family, knob.start, knob.from, knob.to, {}, progress);
    report.take(cycles);
    // where the stable stretch ends before the window does: is stick-slip itself gone, or only this cycle?
    if (cycles.exists)
        for (const double end : {knob.from, knob.to})
            if (!report.stable_up_to(end))
                if (const auto gone = analyse::cycle_death(family, knob.start, end, {}, progress)) report.death(*gone);
    Analysis out;
    for (const Series& marks : {report.marks, report.hopfs})
        if (!marks.x.empty()) report.panel.series.push_back(marks);
    out.text = heading(experiment, knob.key + " from " + readable(knob.from) + " to " + readable(knob.to) +
                                       ", starting at " + readable(knob.start)) +
               report.text;
    out.json =
        text_of({{"key", knob.key}, {"branch", report.branch}, {"points", report.points}, {"stable", report.stable}});
    out.figure = {plain(experiment.title), {report.panel}};
    out.figure.panel_height = 420;
    return out;
}

}  // namespace bristle::report
