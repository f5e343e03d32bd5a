// The rough fit, and the delay by LuGre.
#include "identify/fit/delay.hpp"

#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <cmath>

namespace bristle::inline identification {

namespace {

// The fitted rows of the short record as a context of their own: a few hundred independent rows are enough.
FitContext short_part(const FitContext& context) {
    FitContext part{.options = context.options,
                    .record = context.short_record,
                    .columns = context.columns,
                    .axis = context.short_axis,
                    .stage = context.stage,
                    .starts = context.starts,
                    .short_record = context.short_record,
                    .short_axis = context.short_axis,
                    .loss_scale = context.loss_scale,
                    .should_continue = context.should_continue};
    part.record.compared = context.short_train;
    part.options.starts = 2;
    split_rows(part);
    return part;
}

}  // namespace

FittedLaw rough_fit(const FitContext& context) {
    return fit_law(short_part(context), context.record.points ? "stribeck" : "lugre");
}

void find_delay_by_lugre(FitContext& context, FittedLaw& rough) {
    const bool fixed = context.axis.delay.kind == Setting::Kind::given && context.axis.delay.value == 0;
    if (context.options.model.delay.kind != Setting::Kind::find || !fixed || context.record.points || !rough.converged)
        return;
    FitContext part = short_part(context);
    part.axis.delay = part.short_axis.delay = Setting::find();
    FittedLaw with = refit(part, rough);
    if (!with.converged || !(with.cost > 0)) return;
    const double rows =
        double(with.fit.rows) / correlation_length(part.record, with.rows.residual, part.record.compared);
    const double delay = with.value("delay"), period = 1 / context.record.sample_rate;
    const bool clear = rows * std::log(rough.cost / with.cost) > 2 * std::log(rows) + 6;
    if (!clear || std::abs(delay) < 0.1 * period || context.is_inertia(delay)) return;
    std::vector<FitFinding> findings;
    for (const FittedParameter& p : described_parameters(with, uncertainty_of(part, with, rows), findings))
        if (p.name == "delay" && (p.identifiable == Identifiable::no || p.at_bound || std::abs(delay) < 4 * p.se))
            return;
    for (Axis* axis : {&context.axis, &context.short_axis}) {
        axis->delay = Setting::find();
        axis->delay.value = delay;
        for (Term& t : axis->terms) t.coefficient = with.value(t.name, t.coefficient);
    }
    const Measured measured = context.options.model.measured;
    context.record.gear_load = gear_load_of(context.record, context.axis, measured);
    context.short_record.gear_load = gear_load_of(context.short_record, context.short_axis, measured);
    exclude_moved_rows(context.record, delay);
    exclude_moved_rows(context.short_record, delay);
    split_rows(context);
    context.starts = bristle_starts(context.short_record, context.short_axis, context.stage, context.short_train);
    rough = std::move(with);
}

}  // namespace bristle::identification
