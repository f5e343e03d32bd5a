// Figures of a fit: curve with its interval, loops, traces with the residual, autocorrelation, comparison of laws.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "report/run/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::report {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr double interval_factor = 1.96;  // of the standard error: 95 %

bool is_compared(const FitTrace& trace, std::size_t i) { return i >= trace.compared.size() || trace.compared[i] != 0; }

// Scale of an axis: the prefix of its unit and the factor from SI.
struct Scale {
    double largest = 0;
    Prefix prefix() const { return prefix_for(largest, 0.1); }
    void take(double x) {
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    }
    double factor() const { return prefix().factor; }
    std::string label(const std::string& title, const std::string& unit) const {
        return title + " [" + prefix().letter + unit + "]";
    }
};

// A line of a long record without the points that no picture shows.
Series for_picture(Series series) {
    constexpr std::size_t most = 20000;
    return series.x.size() > 2 * most ? thinned(series, most) : series;
}

std::string force_title(const AxisUnits& units, const char* what) { return std::string(what) + " " + units.force(); }

// Measured friction over velocity: at most about `most` rows of all runs, evenly spaced.
Series measured_points(const FitReport& report, std::size_t most) {
    std::size_t rows = 0;
    for (const FitTrace& trace : report.result.traces) rows += trace.friction.size();
    const std::size_t stride = 1 + rows / most;
    Series out{"measured", {}, {}, Mark::points, 3};
    std::size_t count = 0;
    for (const FitTrace& trace : report.result.traces)
        for (std::size_t i = 0; i < std::min(trace.friction.size(), trace.velocity.size()); ++i)
            if (is_compared(trace, i) && count++ % stride == 0) {
                out.x.push_back(trace.velocity[i]);
                out.y.push_back(trace.friction[i]);
            }
    return out;
}

// Speeds of the curve: evenly spaced in the square root, so that low speeds have many; from -top to top with a gap at 0.
std::vector<double> curve_speeds(double low, double high) {
    constexpr int steps = 60;
    std::vector<double> out;
    for (int side : {-1, 1}) {
        const double top = side < 0 ? -low : high;
        if (!(top > 0)) continue;
        for (int i = 1; i <= steps; ++i) {
            const double at = double(side < 0 ? steps + 1 - i : i) / steps;
            out.push_back(side * top * at * at);
        }
        if (side < 0) out.push_back(gap);
    }
    return out;
}

NamedFigure curve_figure(const FitReport& report) {
    const LawFit& best = report.result.best();
    const AxisUnits units = report.units();
    Series points = measured_points(report, 500);
    double low = 0, high = 0;
    Scale speed, force;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        low = std::min(low, points.x[i]);
        high = std::max(high, points.x[i]);
        force.take(points.y[i]);
    }
    if (low == 0 && high == 0) high = 1;  // no velocity was measured: any speed shows the law
    speed.take(low);
    speed.take(high);
    Series curve{"law " + best.kind, {}, {}, Mark::line, 0}, below{"95 % interval", {}, {}, Mark::line, 1},
        above{"", {}, {}, Mark::line, 1};
    bool has_band = false;
    const auto load = report.constant_load();
    for (const double v : load ? curve_speeds(low, high) : std::vector<double>{}) {
        const double F = std::isfinite(v) ? steady_force(best.law, v, *load) : gap;
        const double half = std::isfinite(v) ? interval_factor * steady_force_error(best, v, *load) : gap;
        has_band = has_band || std::isfinite(half);
        force.take(F);
        for (Series* series : {&curve, &below, &above}) series->x.push_back(v * speed.factor());
        curve.y.push_back(F);
        below.y.push_back(F - half);
        above.y.push_back(F + half);
    }
    for (Series* series : {&curve, &below, &above})
        for (double& y : series->y) y *= force.factor();
    for (double& x : points.x) x *= speed.factor();
    for (double& y : points.y) y *= force.factor();
    NamedFigure out{"curve", "", small_figure()};
    out.figure.panels = {{speed.label(units.rotary() ? "angular velocity" : "velocity", units.name("m/s")),
                          force.label(force_title(units, "friction"), units.name("N")),
                          {}}};
    Panel& panel = out.figure.panels.front();
    if (!points.x.empty()) panel.series.push_back(std::move(points));
    if (load) panel.series.push_back(std::move(curve));
    if (has_band) {
        panel.series.push_back(std::move(below));
        panel.series.push_back(std::move(above));
    }
    out.caption = std::string("Measured friction without the other terms of the model") +
                  (!load      ? "; its curve varies with the measured load."
                   : has_band ? ", and the law in steady sliding with the 95 % interval of the curve."
                              : ", and the law in steady sliding.");
    return out;
}

const FitTrace* longest_trace(const FitReport& report) {
    const FitTrace* out = nullptr;
    for (const FitTrace& trace : report.result.traces)
        if (!trace.time.empty() && (!out || trace.time.size() > out->time.size())) out = &trace;
    return out;
}

// Rows from reversal `first` to `last` (counted from 1); all rows if there are fewer.
std::pair<std::size_t, std::size_t> between_reversals(const FitTrace& trace, std::size_t most) {
    std::vector<std::size_t> reversals;
    double fastest = 0, side = 0;
    for (const double v : trace.velocity) fastest = std::max(fastest, std::abs(v));
    for (std::size_t i = 0; i < trace.velocity.size(); ++i) {
        if (std::abs(trace.velocity[i]) < 0.05 * fastest) continue;  // noise around rest
        const double now = trace.velocity[i] < 0 ? -1 : 1;
        if (side != 0 && now != side) reversals.push_back(i);
        side = now;
    }
    if (reversals.size() <= most + 1) return {0, trace.velocity.size()};
    const std::size_t from = (reversals.size() - most) / 2;
    return {reversals[from], reversals[from + most]};
}

std::optional<NamedFigure> loop_figure(const FitReport& report) {
    const FitTrace* trace = longest_trace(report);
    if (!trace || trace->position.size() != trace->friction.size() || trace->position.empty()) return {};
    const AxisUnits units = report.units();
    const auto [from, to] = between_reversals(*trace, 4);
    Series measured{"measured", {}, {}, Mark::line, 3}, model{"law", {}, {}, Mark::line, 0};
    Scale position, force;
    for (std::size_t i = from; i < to; ++i) {
        position.take(trace->position[i]);
        force.take(trace->friction[i]);
        for (Series* series : {&measured, &model}) series->x.push_back(trace->position[i]);
        measured.y.push_back(trace->friction[i]);
        model.y.push_back(i < trace->friction_model.size() && is_compared(*trace, i) ? trace->friction_model[i] : gap);
    }
    for (Series* series : {&measured, &model}) {
        for (double& x : series->x) x *= position.factor();
        for (double& y : series->y) y *= force.factor();
    }
    NamedFigure out{"loops", "", small_figure()};
    out.figure.panels = {{position.label(units.position(), units.name("m")),
                          force.label(force_title(units, "friction"), units.name("N")),
                          {for_picture(std::move(measured)), for_picture(std::move(model))}}};
    out.caption = "Friction over " + std::string(units.position()) +
                  " between a few reversals: measured, and the law " + "along the measured motion.";
    return out;
}

std::optional<NamedFigure> trace_figure(const FitReport& report) {
    const FitTrace* trace = longest_trace(report);
    if (!trace || trace->measured.size() != trace->time.size() || trace->model.size() != trace->time.size()) return {};
    const AxisUnits units = report.units();
    Series measured{"measured", trace->time, {}, Mark::line, 3}, model{"model", trace->time, {}, Mark::line, 0};
    Series residual{"", trace->time, {}, Mark::line, 1};
    residual.stroke = 0;
    Scale force, error;
    for (std::size_t i = 0; i < trace->time.size(); ++i) {
        force.take(trace->measured[i]);
        if (is_compared(*trace, i)) error.take(trace->measured[i] - trace->model[i]);
    }
    for (std::size_t i = 0; i < trace->time.size(); ++i) {
        const bool compared = is_compared(*trace, i);
        measured.y.push_back(trace->measured[i] * force.factor());
        model.y.push_back(compared ? trace->model[i] * force.factor() : gap);
        residual.y.push_back(compared ? (trace->measured[i] - trace->model[i]) * error.factor() : gap);
    }
    NamedFigure out{"traces", "", small_figure()};
    out.figure.width = 700;
    out.figure.panel_height = 190;
    out.figure.panels = {
        {"time t [s]",
         force.label(report.signal(), report.signal_unit()),
         {for_picture(std::move(measured)), for_picture(std::move(model))}},
        {"time t [s]", error.label("residual", report.signal_unit()), {for_picture(std::move(residual))}}};
    out.caption = "Measured " + report.signal() + " and model over time, and the residual (measured minus model)" +
                  (report.result.traces.size() > 1
                       ? ", for the longest of " + std::to_string(report.result.traces.size()) + " runs."
                       : ".");
    return out;
}

std::optional<NamedFigure> autocorrelation_figure(const FitReport& report) {
    const ResidualTest& residuals = report.result.residuals;
    const double rate = report.result.method.sample_rate;
    if (residuals.autocorrelation.size() < 3) return {};
    const bool in_time = rate > 0 && std::isfinite(rate);
    Series line{"residuals", {}, {}, Mark::line, 0}, high{"±2/√n: no correlation", {}, {}, Mark::line, 1},
        low{"", {}, {}, Mark::line, 1};
    Scale lag;
    const double step = in_time ? 1 / rate : 1, end = step * double(residuals.autocorrelation.size() - 1);
    lag.take(end);
    const double factor = in_time ? lag.factor() : 1;
    for (std::size_t i = 0; i < residuals.autocorrelation.size(); ++i) {
        line.x.push_back(step * double(i) * factor);
        line.y.push_back(residuals.autocorrelation[i]);
    }
    const double limit = 2 / std::sqrt(double(std::max<std::size_t>(report.result.best().fit.rows, 1)));
    high.x = low.x = {0, end * factor};
    high.y = {limit, limit};
    low.y = {-limit, -limit};
    NamedFigure out{"autocorrelation", "", small_figure()};
    out.figure.panels = {{in_time ? lag.label("lag", "s") : "lag [samples]",
                          "autocorrelation [1]",
                          {std::move(line), std::move(high), std::move(low)}}};
    out.caption =
        "Autocorrelation of the residuals. Outside the dashed lines residuals are correlated; the errors account "
        "for this.";
    return out;
}

std::optional<NamedFigure> comparison_figure(const FitReport& report) {
    const bool held_out = report.result.method.hold_out_used;
    const auto error_of = [&](const LawFit& law) { return 100 * (held_out ? law.heldout.relative : law.fit.relative); };
    double most = 0, least = std::numeric_limits<double>::infinity();
    for (const LawFit& law : report.result.laws)
        if (const double error = error_of(law); std::isfinite(error)) {
            most = std::max(most, error);
            least = std::min(least, error);
        }
    // laws that fail would hide the differences between the others
    const double top = std::min(1.1 * most, std::max(5 * least, 1e-3));
    Panel panel{"number of fitted parameters", held_out ? "held-out error [%]" : "error [%]", {}};
    int fewest = std::numeric_limits<int>::max(), largest = 0;
    for (const LawFit& law : report.result.laws) {
        if (!(error_of(law) <= top)) continue;
        fewest = std::min(fewest, law.free);
        largest = std::max(largest, law.free);
        Series point{law.kind + (law.own_directions ? " +/-" : ""), {double(law.free)}, {error_of(law)}, Mark::points};
        if (law.verdict == LawVerdict::recommended) point.stroke = 5;
        panel.series.push_back(std::move(point));
    }
    if (panel.series.size() < 2) return {};
    panel.x_range = Range{double(fewest) - 1, double(largest) + 1};
    panel.y_range = Range{0, top};
    NamedFigure out{"comparison", "", small_figure()};
    out.caption =
        std::string("Error of each law") + (held_out ? " on held-out rows" : "") +
        " over its number of parameters. A law is worth its parameters if it lies clearly below the simpler ones.";
    if (top < most) out.caption += " Laws with an error above " + rounded(top, 2) + " % are not shown.";
    out.figure.panels = {std::move(panel)};
    return out;
}

}  // namespace

std::vector<NamedFigure> fit_figures(const FitReport& report) {
    std::vector<NamedFigure> out;
    if (!report.has_law()) return out;
    const auto add = [&](std::optional<NamedFigure> figure) {
        if (figure) out.push_back(std::move(*figure));
    };
    if (report.has_usable_law()) add(curve_figure(report));
    add(loop_figure(report));
    add(trace_figure(report));
    add(autocorrelation_figure(report));
    add(comparison_figure(report));
    return out;
}

}  // namespace bristle::report
