// Preparation of a fit: hold-out, static curve, delay, ripple, stiffness candidates.
#include "identify/fit/context.hpp"

#include <bristle/base/error.hpp>

#include "identify/fit/maxwell.hpp"
#include "identify/fit/solve.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

// Fixes the delay at 0 unless it lowers the error clearly (information criterion).
void judge_delay(FitContext& context) {
    Axis without = context.axis;
    without.delay = Setting::given(0);
    const Directions directions = context.axis.own_directions ? Directions::own : Directions::same;
    const auto sure = rows_of_static_laws(context.record, context.train, true);
    const StaticStage other = static_stage(context.record, without, directions, sure, context.options.loss);
    const double rows = context.stage.independent_rows;
    // with a robust loss each stage has weights of its own: one scale for both
    SolveOptions same{.loss = context.options.loss};
    if (same.loss == Loss::huber) same.loss_scale = robust_scale(context.stage.residual, sure);
    const double ratio = cost_of(other.residual, sure, same) / cost_of(context.stage.residual, sure, same);
    if (rows * std::log(ratio) < 2 * std::log(rows) || context.is_inertia(context.axis.delay.value)) {
        context.axis = without;
        context.stage = other;
    }
}

void check_cancelled(const FitContext& context) {
    if (context.should_continue && !context.should_continue()) throw Cancelled();
}

// Rows at the ends of a window are not compared: the model is filtered within it, the measured signal was filtered before.
void leave_out_ends(Prepared& out, const PreparedRun& window) {
    const double reach = out.bandwidth > 0 ? 1 / (out.motion_bandwidth * window.dt) : 2;
    const std::size_t edge = std::min(window.size / 10, std::size_t(std::ceil(reach)));
    const auto first = out.compared.begin() + std::ptrdiff_t(window.begin);
    std::fill_n(first, edge, std::uint8_t(0));
    std::fill_n(first + std::ptrdiff_t(window.size - edge), edge, std::uint8_t(0));
}

}  // namespace

std::vector<double> gear_load_of(const Prepared& record, const Axis& axis, Measured measured) {
    if (record.points || measured == Measured::friction || !record.load.empty()) return {};
    std::vector<double> out = measured_ahead(record, axis.delay.value);
    const double gain = measured == Measured::voltage ? axis.gain.value : 1, back_emf = axis.back_emf.value;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const bool off = !record.drive_off.empty() && record.drive_off[i];
        out[i] = off ? 0 : gain * (out[i] - back_emf * record.v[i]);
    }
    for (const Term& t : axis.terms)
        if (is_gravity(t.quantity))
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += t.coefficient * t.column[i];
    for (double& load : out) load = std::abs(load);
    return out;
}

void split_rows(FitContext& context) {
    const auto split = [&](const Prepared& rows, std::vector<std::uint8_t>& train, std::vector<std::uint8_t>* test) {
        train = rows.compared;
        if (!context.hold_out_used) return;
        if (test) test->assign(rows.rows(), 0);
        for (std::size_t i = 0; i < rows.rows(); ++i)
            if (rows.compared[i] && rows.held_out[i]) {
                train[i] = 0;
                if (test) (*test)[i] = 1;
            }
    };
    split(context.record, context.train, &context.test);
    split(context.short_record, context.short_train, nullptr);
}

FitContext make_context(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                        std::function<bool()> should_continue) {
    FitContext context{.options = options,
                       .record = prepare(record, options, bandwidth),
                       .columns = record.columns,
                       .should_continue = std::move(should_continue)};
    Prepared& rows = context.record;
    context.hold_out_used = mark_held_out(rows, options.hold_out);
    if (options.model.delay.kind == Setting::Kind::given) exclude_moved_rows(rows, options.model.delay.value);
    split_rows(context);
    context.axis = axis_of(rows, options.model);
    const std::vector<std::uint8_t> sure = rows_of_static_laws(rows, context.train, true);
    context.stage = static_stage(rows, context.axis, options.model.directions, sure, options.loss);
    check_cancelled(context);
    // a static curve that explains little (presliding) says nothing about delay, directions and ripple
    const bool telling = fit_error(rows, context.stage.residual, rows.y, context.train).r2 > 0.8;
    if (!telling) {
        if (context.axis.delay.kind == Setting::Kind::find) context.axis.delay = Setting::given(0);
        const bool automatic = options.model.directions == Directions::automatic;
        context.stage = static_stage(rows, context.axis, automatic ? Directions::same : options.model.directions, sure,
                                     options.loss);
    }
    if (context.axis.delay.kind == Setting::Kind::find) judge_delay(context);
    if (context.axis.delay.kind == Setting::Kind::find) {
        exclude_moved_rows(rows, context.axis.delay.value);
        split_rows(context);
    }
    check_cancelled(context);
    if (options.model.ripple && telling)
        if (const double period =
                ripple_period(rows, context.stage.residual, context.train, context.stage.independent_rows);
            period > 0) {
            add_ripple(context.axis, rows, period);
            const Directions directions = context.axis.own_directions ? Directions::own : Directions::same;
            context.stage = static_stage(rows, context.axis, directions, sure, options.loss);
        }
    check_cancelled(context);
    if (options.loss == Loss::huber) context.loss_scale = robust_scale(context.stage.residual, context.train);
    rows.gear_load = gear_load_of(rows, context.axis, options.model.measured);
    context.short_record = excerpt(rows, 10000);
    context.short_axis = context.axis;
    if (context.short_record.rows() < rows.rows()) {
        Axis& axis = context.short_axis;
        const Axis columns = axis_of(context.short_record, options.model);
        for (std::size_t k = 0; k < columns.terms.size(); ++k) axis.terms[k].column = columns.terms[k].column;
        if (axis.ripple_period > 0) add_ripple(axis, context.short_record, axis.ripple_period);
    }
    split_rows(context);
    // a gap changes the force more than any law does: find it first
    if (context.axis.gap.kind == Setting::Kind::find)
        context.axis.gap.value = context.short_axis.gap.value =
            scan_gap(context.short_record, context.short_axis, context.short_train).gap;
    context.starts = bristle_starts(context.short_record, context.short_axis, context.stage, context.short_train);
    return context;
}

Prepared excerpt(const Prepared& record, std::size_t max_rows) {
    if (record.rows() <= max_rows || record.points) return record;
    constexpr std::size_t window = 2500;
    Prepared out = record;
    for (auto* all : {&out.t, &out.dt, &out.x, &out.v, &out.a, &out.load, &out.gear_load, &out.y}) all->clear();
    out.compared.clear();
    out.drive_off.clear();
    out.held_out.clear();
    out.direction.clear();
    out.runs.clear();
    const double fraction = double(max_rows) / double(record.rows());
    for (const PreparedRun& run : record.runs) {
        const auto windows = std::size_t(std::ceil(fraction * double(run.size) / double(window)));
        const std::size_t length =
            std::min(run.size, std::size_t(std::ceil(fraction * double(run.size) / double(windows))));
        for (std::size_t w = 0; w < windows; ++w) {
            const std::size_t from =
                run.begin + (run.size - length) * w / std::max<std::size_t>(1, windows - 1 + (windows == 1));
            out.runs.push_back({run.name, out.v.size(), length, run.dt});
            const auto copy = [&](const auto& source, auto& target) {
                if (!source.empty())
                    target.insert(target.end(), source.begin() + std::ptrdiff_t(from),
                                  source.begin() + std::ptrdiff_t(from + length));
            };
            copy(record.t, out.t);
            copy(record.dt, out.dt);
            copy(record.x, out.x);
            copy(record.v, out.v);
            copy(record.a, out.a);
            copy(record.load, out.load);
            copy(record.gear_load, out.gear_load);
            copy(record.y, out.y);
            copy(record.compared, out.compared);
            copy(record.drive_off, out.drive_off);
            copy(record.held_out, out.held_out);
            copy(record.direction, out.direction);
            leave_out_ends(out, out.runs.back());
        }
    }
    return out;
}

}  // namespace bristle::identification
