// Report on the hysteresis of a law for a prescribed displacement: paths at several time scales, their limit, the order of convergence.
#include <bristle/analyse/hysteresis.hpp>
#include <bristle/base/error.hpp>
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

#include <cmath>

namespace bristle::report {

namespace {

Json json_of(const HysteresisPath& path) {
    Json points = Json::array();
    for (const auto& p : path.points) points.push_back({p.rho, p.u, p.F});
    return {{"gamma", number_or_null(path.gamma)},       {"area", number_or_null(path.area)},
            {"distance", number_or_null(path.distance)}, {"rate", number_or_null(path.rate)},
            {"rate_z", number_or_null(path.rate_z)},     {"points", points}};
}

Series line_of(const HysteresisPath& path, const std::string& name, double to_axis) {
    Series out{name, {}, {}};
    for (const auto& p : path.points) {
        out.x.push_back(p.u * to_axis);
        out.y.push_back(p.F);
    }
    return out;
}

// Distance of each path from the limit, as a function of path length: the loops themselves are too close together to show it.
Panel distances(const Hysteresis& h, const experiment::Experiment& experiment) {
    const Prefix prefix = prefix_for(h.path_length);
    Panel out{
        {"path length", prefix.letter + unit_of(experiment, "m")}, {"distance from φ*", unit_of(experiment, "N")}, {}};
    out.y_log = true;
    for (const HysteresisPath& path : h.paths) {
        if (!h.limit || path.points.size() != h.limit->points.size() || !(path.distance.value_or(0) > 0)) continue;
        Series line{"γ = " + readable(path.gamma, 4), {}, {}};
        for (std::size_t i = 0; i < path.points.size(); ++i) {
            const double gap = std::abs(path.points[i].F - h.limit->points[i].F);
            line.x.push_back(path.points[i].rho * prefix.factor);
            line.y.push_back(gap > 1e-2 * *path.distance ? gap : std::nan(""));  // zero at reversals
        }
        out.series.push_back(line);
    }
    return out;
}

// Largest difference of two paths, as a fraction of the largest force.
double relative_difference(const HysteresisPath& a, const HysteresisPath& b) {
    double difference = 0, force = 0;
    for (std::size_t i = 0; i < a.points.size() && i < b.points.size(); ++i) {
        difference = std::max(difference, std::abs(a.points[i].F - b.points[i].F));
        force = std::max({force, std::abs(a.points[i].F), std::abs(b.points[i].F)});
    }
    return force > 0 ? difference / force : 0;
}

std::string table(const experiment::Experiment& experiment, const Hysteresis& h) {
    std::string out;
    for (const HysteresisPath& path : h.paths) {
        std::vector<std::string> parts;
        if (path.area) parts.push_back("loop area " + in_units(*path.area, "J", 5));
        if (path.distance)
            parts.push_back("at most " + in_units(*path.distance, unit_of(experiment, "N"), 3) + " from the limit");
        if (path.rate) parts.push_back("falling as γ^-" + readable(*path.rate, 3));
        out += "  γ = " + readable(path.gamma, 4);
        for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? ": " : ", ") + parts[i];
        out += "\n";
    }
    if (!h.limit && h.paths.size() > 1) {
        const HysteresisPath &before = h.paths[h.paths.size() - 2], &last = h.paths.back();
        out += "  there is no limit φ* (for this law it depends on the sign of the acceleration); from γ = " +
               readable(before.gamma, 4) + " to " + readable(last.gamma, 4) + " the force changes by up to " +
               readable(100 * relative_difference(before, last), 3) + " % of its largest value\n";
    }
    if (h.rate_theory) out += "  theory: γ^-" + readable(*h.rate_theory, 3) + " as γ grows\n";
    if (h.closed_form)
        out += "  closed form N13 (29), N13 (30): area " + in_units(h.closed_form->area(), "J", 6) +
               (h.loop && h.loop->area ? ", by quadrature of the limit loop " + in_units(*h.loop->area, "J", 6) : "") +
               "\n";
    if (h.contraction && !h.periods.empty()) {
        out += "  distance from the loop, ratio of one period to the one before: " + readable(*h.contraction, 4) +
               " (theory)";
        for (const HysteresisPeriod& period : h.periods)
            if (period.ratio) {
                out += ", " + readable(*period.ratio, 4) + " (measured)";
                break;
            }
        out += "\n";
    }
    return out;
}

}  // namespace

Analysis hysteresis_report(const experiment::Experiment& experiment, const Progress& progress) {
    const Setup& setup = experiment.setup;
    if (!setup.rig.has_displacement_input())
        throw Error(
            "hysteresis needs a prescribed displacement: set rig.kind = \"prescribed\" and input.quantity = "
            "\"displacement\"");
    HysteresisOptions options;
    options.load = setup.load.piece(0).value(0.0);
    if (const auto z = setup.start.find("z"); z != setup.start.end()) options.z0 = z->second;
    const Hysteresis h = hysteresis_loop(setup.law, setup.input, setup.run.duration, options, progress);
    double reach = 0;
    const auto widen = [&](const HysteresisPath& path) {
        for (const auto& p : path.points) reach = std::max(reach, std::abs(p.u));
    };
    for (const HysteresisPath& path : h.paths) widen(path);
    const Prefix prefix = prefix_for(reach);
    const std::string force = unit_of(experiment, "N");
    Panel panel{{"displacement u", prefix.letter + unit_of(experiment, "m")}, {"friction force F", force}, {}};
    Json paths = Json::array();
    for (const HysteresisPath& path : h.paths) {
        panel.series.push_back(line_of(path, "γ = " + readable(path.gamma, 4), prefix.factor));
        paths.push_back(json_of(path));
    }
    if (h.limit) panel.series.push_back(line_of(*h.limit, "limit φ*", prefix.factor));
    if (h.loop) panel.series.push_back(line_of(*h.loop, "limit loop", prefix.factor));
    Json closed;
    if (h.closed_form)
        closed = {{"umin", h.closed_form->umin},
                  {"umax", h.closed_form->umax},
                  {"level", h.closed_form->level},
                  {"c", h.closed_form->c()},
                  {"area", h.closed_form->area()},
                  {"error", number_or_null(h.closed_form_error)},
                  {"round_factor", h.closed_form->contraction()}};
    Json rounds = Json::array();
    for (const HysteresisPeriod& period : h.periods)
        rounds.push_back({{"k", period.k}, {"distance", period.distance}, {"ratio", number_or_null(period.ratio)}});
    Analysis out = report_on(experiment, "Hysteresis: " + counted(h.reversals.size(), "reversal", "reversals") +
                                             ", path length " + in_units(h.path_length, unit_of(experiment, "m")));
    out.text += table(experiment, h);
    out.json = Json{{"law", h.kind},
                    {"way", h.path_length},
                    {"reversals", h.reversals.size()},
                    {"period", number_or_null(h.period)},
                    {"paths", paths},
                    {"limit", h.limit ? json_of(*h.limit) : Json()},
                    {"loop", h.loop ? json_of(*h.loop) : Json()},
                    {"closed_form", closed},
                    {"rounds", rounds},
                    {"rate_theory", number_or_null(h.rate_theory)},
                    {"rate_z_theory", number_or_null(h.rate_z_theory)}};
    out.figure = {figure_title(experiment), {panel}};
    if (const Panel gaps = distances(h, experiment); !gaps.series.empty()) {
        out.figure.panels.push_back(gaps);
        out.figure.layout = Layout::side_by_side;
        out.figure.width = 1120;
    }
    out.figure.panel_height = 420;
    return out;
}

}  // namespace bristle::report
