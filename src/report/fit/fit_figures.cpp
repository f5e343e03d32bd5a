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
    AxisLabel label(const std::string& title, const std::string& unit) const { return {title, prefix().letter + unit}; }
};

// Lines of a long record without the points that no picture shows; all lines keep the same points.
std::vector<Series> for_picture(std::vector<Series> lines) {
    constexpr std::size_t max_points = 20000;
    return lines.front().x.size() > 2 * max_points ? thinned(std::move(lines), max_points) : lines;
}

constexpr std::size_t below_others = 7;  // line style

std::string force_title(const AxisUnits& units, const char* what) { return std::string(what) + " " + units.force(); }

// Measured friction over velocity up to a speed [m/s]: at most about `most` rows of all runs, evenly spaced.
Series measured_points(const FitReport& report, double limit, std::size_t max_points) {
    const auto each_row = [&](const auto& visit) {
        for (const FitTrace& trace : report.result.traces)
            for (std::size_t i = 0; i < std::min(trace.friction.size(), trace.velocity.size()); ++i)
                if (is_compared(trace, i) && std::abs(trace.velocity[i]) <= limit)
                    visit(trace.velocity[i], trace.friction[i]);
    };
    std::size_t rows = 0, count = 0;
    each_row([&](double, double) { ++rows; });
    const std::size_t stride = 1 + rows / max_points;
    Series out{"measured", {}, {}, Mark::points, 3};
    each_row([&](double v, double F) {
        if (count++ % stride != 0) return;
        out.x.push_back(v);
        out.y.push_back(F);
    });
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

// Friction over velocity up to a speed [m/s].
struct CurvePanel {
    Panel panel;
    double top = 0;         // largest speed [m/s]
    bool has_band = false;  // the interval of the curve is known
};
CurvePanel curve_panel(const FitReport& report, double limit) {
    const LawFit& best = report.result.best();
    const AxisUnits units = report.units();
    Series points = measured_points(report, limit, 500);
    double low = 0, high = 0;
    Scale speed, force;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        low = std::min(low, points.x[i]);
        high = std::max(high, points.x[i]);
        force.take(points.y[i]);
    }
    if (low == 0 && high == 0)
        high = std::isfinite(limit) ? limit : 1;  // no velocity was measured: any speed shows the law
    speed.take(low);
    speed.take(high);
    CurvePanel out;
    out.top = std::max(-low, high);
    Series curve{"law " + best.kind, {}, {}, Mark::line, 0}, below{"95 % interval", {}, {}, Mark::line, 1},
        above{"", {}, {}, Mark::line, 1};
    const auto load = report.constant_load();
    for (const double v : load ? curve_speeds(low, high) : std::vector<double>{}) {
        const double F = std::isfinite(v) ? steady_force(best.law, v, *load) : gap;
        const double half = std::isfinite(v) ? interval_factor * steady_force_error(best, v, *load) : gap;
        out.has_band = out.has_band || std::isfinite(half);
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
    out.panel = {speed.label(units.rotary() ? "angular velocity" : "velocity", units.name("m/s")),
                 force.label(force_title(units, "friction"), units.name("N")),
                 {}};
    if (!points.x.empty()) out.panel.series.push_back(std::move(points));
    if (load) out.panel.series.push_back(std::move(curve));
    if (out.has_band) {
        out.panel.series.push_back(std::move(below));
        out.panel.series.push_back(std::move(above));
    }
    return out;
}

NamedFigure curve_figure(const FitReport& report) {
    CurvePanel all = curve_panel(report, std::numeric_limits<double>::infinity());
    const bool has_curve = report.constant_load().has_value();
    NamedFigure out{"curve", "", small_figure()};
    out.caption = std::string("Measured friction without the other terms of the model") +
                  (!has_curve     ? "; its curve varies with the measured load."
                   : all.has_band ? ", and the law in steady sliding with the 95 % interval of the curve."
                                  : ", and the law in steady sliding.");
    out.figure.panels = {std::move(all.panel)};
    // the Stribeck region, if the whole range of speeds hides it
    const double region = 5 * stribeck_velocity(report.result.best().law);
    if (has_curve && region > 0 && region < 0.2 * all.top) {
        Panel low = curve_panel(report, region).panel;
        low.legend = false;
        out.figure.panels.push_back(std::move(low));
        out.caption += " The second picture shows speeds up to 5 vs = " + report.units()(region, "m/s") + ".";
    }
    return out;
}

const FitTrace* longest_trace(const FitReport& report) {
    const FitTrace* out = nullptr;
    for (const FitTrace& trace : report.result.traces)
        if (!trace.time.empty() && (!out || trace.time.size() > out->time.size())) out = &trace;
    return out;
}

// Rows from reversal `first` to `last` (counted from 1); all rows if there are fewer.
std::pair<std::size_t, std::size_t> between_reversals(const FitTrace& trace, std::size_t max_reversals) {
    std::vector<std::size_t> reversals;
    double fastest = 0, side = 0;
    for (const double v : trace.velocity) fastest = std::max(fastest, std::abs(v));
    for (std::size_t i = 0; i < trace.velocity.size(); ++i) {
        if (std::abs(trace.velocity[i]) < 0.05 * fastest) continue;  // noise around rest
        const double now = trace.velocity[i] < 0 ? -1 : 1;
        if (side != 0 && now != side) reversals.push_back(i);
        side = now;
    }
    if (reversals.size() <= max_reversals + 1) return {0, trace.velocity.size()};
    const std::size_t from = (reversals.size() - max_reversals) / 2;
    return {reversals[from], reversals[from + max_reversals]};
}

std::optional<NamedFigure> loop_figure(const FitReport& report) {
    const FitTrace* trace = longest_trace(report);
    if (!trace || trace->position.size() != trace->friction.size() || trace->position.empty()) return {};
    const AxisUnits units = report.units();
    const auto [from, to] = between_reversals(*trace, 4);
    Series measured{"measured", {}, {}, Mark::line, below_others}, model{"law", {}, {}, Mark::line, 0};
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
                          for_picture({std::move(measured), std::move(model)})}};
    out.figure.common_points = true;
    out.caption = "Friction over " + std::string(units.position()) +
                  " between a few reversals: measured, and the law " + "along the measured motion.";
    return out;
}

// At most `most` rows around the middle reversal, or in the middle of a motion without one.
std::pair<std::size_t, std::size_t> middle_rows(const FitTrace& trace, std::size_t max_rows) {
    const std::size_t size = trace.time.size();
    if (size <= max_rows) return {0, size};
    const auto [reversal, end] = between_reversals(trace, 1);
    const std::size_t center = end - reversal < size ? reversal : size / 2;
    const std::size_t from = std::min(center - std::min(center, max_rows / 4), size - max_rows);
    return {from, from + max_rows};
}

// Rows of a line.
Series excerpt(const Series& line, std::size_t from, std::size_t to) {
    const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + std::ptrdiff_t(from), all.begin() + std::ptrdiff_t(to));
    };
    return {line.name, part(line.x), part(line.y), line.mark, line.stroke};
}

std::optional<NamedFigure> trace_figure(const FitReport& report) {
    const FitTrace* trace = longest_trace(report);
    if (!trace || trace->measured.size() != trace->time.size() || trace->model.size() != trace->time.size()) return {};
    const AxisUnits units = report.units();
    Series measured{"measured", trace->time, {}, Mark::line, below_others},
        model{"model", trace->time, {}, Mark::line, 0}, residual{"", trace->time, {}, Mark::line, 0};
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
    out.figure.max_points = 4000;
    out.figure.common_points = true;
    const std::string unit = report.units().name(report.signal_unit());
    const AxisLabel time{"time t", "s"}, label = force.label(report.signal(), unit);
    const auto [from, to] = middle_rows(*trace, 1000);
    Panel part{time, label, {excerpt(measured, from, to), excerpt(model, from, to)}};
    part.x_label.note = "excerpt";
    part.legend = false;
    std::vector<Series> lines = for_picture({std::move(measured), std::move(model), std::move(residual)});
    out.figure.panels = {{time, label, {std::move(lines[0]), std::move(lines[1])}},
                         {time, error.label("residual", unit), {std::move(lines[2])}}};
    out.caption = "Measured " + report.signal() + " and model over time, and the residual (measured minus model)" +
                  (report.result.traces.size() > 1
                       ? ", for the longest of " + std::to_string(report.result.traces.size()) + " runs."
                       : ".");
    if (to - from < trace->time.size()) {
        out.figure.panels.push_back(std::move(part));
        out.caption += " The excerpt from " + rounded(trace->time[from], 4) + " s to " +
                       rounded(trace->time[to - 1], 4) + " s shows each row.";
    }
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
    Series filter{"white noise after the filter", line.x, residuals.filter_autocorrelation, Mark::line, 2};
    filter.x.resize(std::min(filter.x.size(), filter.y.size()));
    const double limit = 2 / std::sqrt(double(std::max<std::size_t>(report.result.best().fit.rows, 1)));
    high.x = low.x = {0, end * factor};
    high.y = {limit, limit};
    low.y = {-limit, -limit};
    NamedFigure out{"autocorrelation", "", small_figure()};
    out.figure.panels = {{in_time ? lag.label("lag", "s") : AxisLabel{"lag", "samples"},
                          {"autocorrelation", "1"},
                          {std::move(line), std::move(high), std::move(low)}}};
    out.caption =
        "Autocorrelation of the residuals. Outside the dashed lines they are correlated; the errors account "
        "for this.";
    if (!filter.y.empty()) {
        out.figure.panels.front().series.push_back(std::move(filter));
        out.caption += " The dotted line is the part that the filter of the fit alone gives to white noise.";
    }
    if (const std::string white = whiteness_sentence(report); !white.empty()) out.caption += " " + white;
    return out;
}

// One line per law with its number of parameters, those with few at the top; a mark at its error.
std::optional<NamedFigure> comparison_figure(const FitReport& report) {
    const bool held_out = report.result.method.hold_out_used;
    const auto error_of = [&](const LawFit& law) { return held_out ? law.heldout : law.fit; };
    const auto in_percent = [&](const LawFit& law) { return 100 * error_of(law).relative; };
    double largest = 0, least = std::numeric_limits<double>::infinity();
    std::vector<const LawFit*> laws;
    for (const LawFit& law : report.result.laws) {
        if (error_of(law).rows == 0 || !std::isfinite(in_percent(law))) continue;
        laws.push_back(&law);
        largest = std::max(largest, in_percent(law));
        least = std::min(least, in_percent(law));
    }
    // laws that fail would hide the differences between the others
    const double top = std::min(1.1 * largest, std::max(5 * least, 1e-3));
    std::string not_shown;
    std::erase_if(laws, [&](const LawFit* law) {
        const bool hidden = in_percent(*law) > top;
        if (hidden) append_item(not_shown, name_with_directions(*law) + " (" + percent(error_of(*law)) + ")");
        return hidden;
    });
    if (laws.size() < 2) return {};
    double shown = 0;
    for (const LawFit* law : laws) shown = std::max(shown, in_percent(*law));
    std::stable_sort(laws.begin(), laws.end(), [](const LawFit* a, const LawFit* b) { return a->free > b->free; });
    Panel panel{{held_out ? "held-out error" : "error", "%"}, {}, {}};
    panel.legend = false;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        const LawFit& law = *laws[i];
        panel.y_names.push_back(name_with_directions(law) + ", " + std::to_string(law.free));
        panel.series.push_back({panel.y_names.back(),
                                {in_percent(law)},
                                {double(i)},
                                Mark::points,
                                law.verdict == LawVerdict::recommended ? 5 : 4});
    }
    panel.x_range = Range{0, 1.1 * shown};
    panel.y_range = Range{-0.6, double(laws.size()) - 0.4};
    NamedFigure out{"comparison", "", small_figure()};
    out.figure.panel_height = std::max(180, 90 + 20 * int(laws.size()));
    out.caption = std::string("Error of each law") + (held_out ? " on held-out rows" : "") +
                  "; the number after its name is that of its fitted parameters. A law is worth its parameters if its "
                  "error is clearly smaller than that of the laws above it.";
    if (report.result.has_recommendation) out.caption += " Diamond: the recommended law.";
    if (!not_shown.empty()) out.caption += " Larger errors are not shown: " + not_shown + ".";
    out.figure.panels = {std::move(panel)};
    return out;
}

}  // namespace

std::vector<NamedFigure> check_figures(const FitReport& report) {
    Series points = measured_points(report, std::numeric_limits<double>::infinity(), 1000);
    if (points.x.empty()) return {};
    const AxisUnits units = report.units();
    const auto [low, high] = std::minmax_element(points.x.begin(), points.x.end());
    const auto load = report.constant_load();
    const bool is_described = report.check->curve.describes_record(), has_curve = load && is_described;
    Series curve{"static curve", {}, {}, Mark::line, 0};
    for (const double v : has_curve ? curve_speeds(*low, *high) : std::vector<double>{}) {
        curve.x.push_back(v);
        curve.y.push_back(std::isfinite(v) ? steady_force(report.check->curve.law.law, v, *load) : gap);
    }
    Scale speed, force;
    for (const Series* series : {&points, &curve}) {
        for (const double x : series->x) speed.take(x);
        for (const double y : series->y) force.take(y);
    }
    for (Series* series : {&points, &curve}) {
        for (double& x : series->x) x *= speed.factor();
        for (double& y : series->y) y *= force.factor();
    }
    NamedFigure out{"check-curve", "", small_figure()};
    out.figure.panels = {{speed.label(units.rotary() ? "angular velocity" : "velocity", units.name("m/s")),
                          force.label(force_title(units, "friction"), units.name("N")),
                          {std::move(points)}}};
    if (has_curve) out.figure.panels.front().series.push_back(std::move(curve));
    out.caption = std::string("Measured friction without the terms of the axis") +
                  (has_curve      ? ", and the static curve."
                   : is_described ? "; the static curve depends on the measured load and is not drawn."
                                  : "; no static curve describes it.");
    return {std::move(out)};
}

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
