// The rough fit, and whether the record has a delay.
#include "identify/fit/delay.hpp"

#include <bristle/identify/stages.hpp>

#include "identify/fit/maxwell.hpp"
#include "identify/fit/solve.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <algorithm>
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
    part.record.compared = part.short_record.compared = context.short_train;
    part.options.starts = 2;
    split_rows(part);
    return part;
}

// Sets the delay of the context to be found, with its start value, if LuGre with a delay describes the record clearly better than the
// rough fit without; the rough fit is then the one with the delay. Does nothing if the delay is given or already to be found.
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
    const double delay = with.value(FittedQuantity::delay), period = 1 / context.record.sample_rate;
    const bool clear = rows * std::log(rough.cost / with.cost) > 2 * std::log(rows) + 6;
    if (!clear || std::abs(delay) < 0.1 * period || context.is_inertia(delay)) return;
    std::vector<FitFinding> findings;
    for (const FittedParameter& p : described_parameters(with, uncertainty_of(part, with, rows), findings))
        if (p.quantity == FittedQuantity::delay &&
            (p.identifiable == Identifiable::no || p.at_bound || std::abs(delay) < 4 * p.se))
            return;
    for (Axis* axis : {&context.axis, &context.short_axis}) {
        axis->delay = Setting::find();
        axis->delay.value = delay;
        for (Term& t : axis->terms) t.coefficient = with.value(t.quantity, t.coefficient);
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

// True if laws with presliding (LuGre, Maxwell-slip) describe the record without the delay that the static curve asks for about as well as
// with it. rough: with the delay.
bool is_presliding_instead_of_delay(const FitContext& context, const FittedLaw& rough) {
    const Axis& axis = context.axis;
    if (axis.delay.kind != Setting::Kind::find || axis.delay.value == 0 || context.record.points || !rough.converged)
        return false;
    const FitContext part = short_part(context);
    FitContext still = part;
    still.axis.delay = still.short_axis.delay = Setting::given(0);
    still.starts = bristle_starts(still.record, still.axis, still.stage, still.short_train);
    const FittedLaw rigid = fit_law(still, kind_of<LuGre>());
    // Maxwell-slip on a whole record of moderate length: in windows the elements begin with unknown deflections
    constexpr std::size_t moderate = 100000;  // rows
    const bool whole = context.record.rows() <= moderate;
    const std::vector<std::uint8_t>& use = whole ? context.train : part.record.compared;
    const auto elements = [&](const Setting& delay) {
        Axis here = whole ? context.axis : part.axis;
        here.delay = delay;
        return fit_maxwell(whole ? context.record : part.record, here, axis.gap.value, use, false).cost;
    };
    const auto lugre = [&](const FittedLaw& law) { return cost_of(law.rows.residual, part.record.compared, {}); };
    const auto mean = [](double cost, const std::vector<std::uint8_t>& rows) {
        return cost / std::max<double>(1, double(std::count(rows.begin(), rows.end(), std::uint8_t(1))));
    };
    // the law that describes the record better without the delay decides, on its own rows
    const double maxwell_without = elements(still.axis.delay);
    const bool by_lugre = rigid.converged && mean(lugre(rigid), part.record.compared) <= mean(maxwell_without, use);
    const double ratio = by_lugre ? lugre(rigid) / lugre(rough) : maxwell_without / elements(axis.delay);
    const double rows =
        double(rough.fit.rows) / correlation_length(part.record, rough.rows.residual, part.record.compared);
    return rows * std::log(ratio) < 2 * std::log(rows);
}

}  // namespace

FittedLaw rough_fit(const FitContext& context) {
    return fit_law(short_part(context), kind_of_check(context.record.points));
}

FittedLaw rough_fit(const FitContext& context, std::string_view kind, const FittedLaw& lugre) {
    return fit_law(short_part(context), kind, starts_from_lugre(kind) ? &lugre : nullptr);
}

Beginning begin_fit(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                    const std::function<bool()>& should_continue) {
    Beginning out{make_context(record, options, bandwidth, should_continue), {}};
    out.rough = rough_fit(out.context);
    if (is_presliding_instead_of_delay(out.context, out.rough)) {
        FitOptions without = options;
        without.model.delay = Setting::given(0);
        out.context = make_context(record, without, bandwidth, should_continue);
        out.rough = rough_fit(out.context);
    } else {
        find_delay_by_lugre(out.context, out.rough);
    }
    return out;
}

}  // namespace bristle::identification
