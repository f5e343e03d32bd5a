// Equilibrium and cycle along one number of the experiment.
#include <report/analysis/parts.hpp>
#include <report/text.hpp>

#include <cmath>

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
    Json branch = Json::array(), points = Json::array();
    std::string text;
    Panel panel;
    Series marks{"fold, Hopf", {}, {}, Mark::points};

    void line(const std::string& words) { text += "  " + words + "\n"; }
    std::string at(double value) const { return key_in_words(experiment, knob.key, value); }

    void take(const Branch& b) {
        Lines lines{{"equilibrium, stable", {}, {}}, {"equilibrium, unstable", {}, {}}};
        for (const analyse::BranchPoint& p : b.points) {
            branch.push_back({{"of", "equilibrium"},
                              {"value", p.parameter},
                              {"stable", p.stability == Stability::stable},
                              {"velocity", p.velocity}});
            lines.put(p.parameter, std::abs(p.velocity), p.stability == Stability::stable);
        }
        lines.into(panel);
        for (const analyse::CriticalPoint& c : b.critical) {
            points.push_back(point_of("equilibrium", c.kind, c.value));
            if (c.kind == "hopf") points.back()["frequency"] = c.frequency;
            line("equilibrium: " + (c.kind == "hopf" ? "Hopf point at " : c.kind + " at ") + at(c.value) +
                 (c.kind == "hopf" ? ", " + readable(c.frequency, 4) + " rad/s" : ""));
        }
        if (b.critical.empty()) line("equilibrium: no change of stability in the window");
    }

    void take(const CycleBranch& b) {
        if (!b.exists) {
            line("cycle: " + b.message);
            return;
        }
        Lines lines{{"cycle, stable", {}, {}}, {"cycle, unstable", {}, {}}};
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
        for (const CyclePoint& p : b.folds) {
            points.push_back(point_of("cycle", "fold", p.parameter));
            mark(p);
            line("cycle: fold at " + at(p.parameter) + ": beyond it the cycle is gone (period " +
                 readable(p.period, 5) + " s, amplitude " + readable(p.amplitude, 5) + " there)");
        }
        for (const CyclePoint& p : b.flips) {
            points.push_back(point_of("cycle", "flip", p.parameter));
            mark(p);
            line("cycle: flip at " + at(p.parameter) + ": a cycle of twice the period branches off");
        }
        for (const analyse::CycleEnd* end : {&b.first, &b.last}) line("cycle: " + end->sentence);
    }
    void mark(const CyclePoint& p) {
        marks.x.push_back(p.parameter);
        marks.y.push_back(p.fastest);
    }
};

}  // namespace

Analysis branch_report(const experiment::Experiment& experiment, const analyse::Family& family, const Knob& knob,
                       const Progress& progress) {
    Report report{experiment, knob, Json::array(), Json::array(), {}, {}, {"fold of cycles", {}, {}, Mark::points}};
    report.panel.x_label = axis_of_key(experiment, knob.key);
    report.panel.y_label = "fastest slip in a period [m/s]";
    try {
        report.take(analyse::continue_equilibrium(family, knob.from, knob.to, knob.start));
    } catch (const Error& none) {
        report.line(std::string("equilibrium: ") + none.what());
    }
    report.take(analyse::continue_cycle(family, knob.start, knob.from, knob.to, {}, progress));
    Analysis out;
    if (!report.marks.x.empty()) report.panel.series.push_back(report.marks);
    out.text = heading(experiment, knob.key + " from " + readable(knob.from) + " to " + readable(knob.to) +
                                       ", starting at " + readable(knob.start)) +
               report.text;
    out.json = text_of({{"key", knob.key}, {"branch", report.branch}, {"points", report.points}});
    out.figure = {plain(experiment.title), {report.panel}};
    out.figure.panel_height = 420;
    return out;
}

}  // namespace bristle::report
