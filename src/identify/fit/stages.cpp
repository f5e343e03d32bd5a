// The stages of a fit as calls of their own.
#include <bristle/identify/stages.hpp>

#include <bristle/base/error.hpp>

#include "base/shared_progress.hpp"
#include "identify/fit/delay.hpp"
#include "identify/fit/findings.hpp"
#include "identify/fit/outlook.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <cmath>

namespace bristle::inline identification {

namespace {

FitOptions of_force(FitOptions options) {
    options.model.output = Output::force;
    return options;
}

std::optional<double> damping_ratio(const Outlook& outlook, const FitContext& context) {
    const auto known = [&](const char* name) {
        const FittedParameter* p = outlook.parameter(name);
        if (p == nullptr) p = outlook.parameter(name + std::string("+"));
        return p && p->identifiable != Identifiable::no ? p->value : std::numeric_limits<double>::quiet_NaN();
    };
    double inertia = 0;
    for (const Term& t : context.axis.terms)
        if (t.name == "inertia" || t.name == "armature") inertia += t.found ? known(t.name.c_str()) : t.coefficient;
    const double zeta = (known("sigma1") + known("sigma2")) / (2 * std::sqrt(known("sigma0") * inertia));
    return std::isfinite(zeta) ? std::optional(zeta) : std::nullopt;
}

CurveStage curve_stage(const Record& record, FitOptions options, Loss loss,
                       const std::function<bool()>& should_continue) {
    options.loss = loss;
    const FitContext context = make_context(record, options, options.bandwidth, should_continue);
    CurveStage out{.positive = context.stage.positive,
                   .negative = context.stage.negative,
                   .own_directions = context.axis.own_directions,
                   .axis = {},
                   .delay = context.axis.delay.value,
                   .fit = fit_error(context.record, context.stage.residual, context.record.y, context.train)};
    for (const Term& t : context.axis.terms) out.axis.push_back({t.name, t.unit, t.coefficient});
    return out;
}

}  // namespace

CurveStage fit_static_curve(const Record& record, const FitOptions& options, Loss loss) {
    throw_problems(record, options);
    return curve_stage(record, of_force(options), loss, {});
}

RecordCheck check_record(const Record& record, const FitOptions& options, const Progress& progress) {
    throw_problems(record, options);
    SharedProgress shared(progress);
    const auto should_continue = [&] { return shared.should_continue(); };
    const auto check = [&](double fraction) {
        if (!shared.tell(fraction)) throw Cancelled();
    };
    FitOptions all_rows = of_force(options);
    all_rows.hold_out = {.fraction = 0};
    RecordCheck out;
    out.curve = curve_stage(record, all_rows, Loss::huber, should_continue);
    check(0.3);
    const auto [context, rough] = begin_fit(record, all_rows, options.bandwidth, should_continue);
    check(0.8);
    out.outlook = outlook_of(context, rough);
    out.zeta = damping_ratio(out.outlook, context);
    for (const FitFinding& finding : record.findings)
        if (matters(finding, context, rough)) out.findings.push_back(finding);
    if (rough.converged && !context.record.points) {
        FittedLaw law = at_values(context, rough);
        law.use = context.record.compared;
        const double length = correlation_length(context.record, law.rows.residual, law.use);
        if (const auto inertia = inertia_finding(context, law, double(law.fit.rows) / length))
            out.findings.push_back(*inertia);
    }
    out.method = {.bandwidth = context.record.bandwidth,
                  .motion_bandwidth = context.record.motion_bandwidth,
                  .sample_rate = context.record.sample_rate,
                  .ripple_period = context.axis.ripple_period,
                  .delay = rough.value("delay", context.axis.delay.value),
                  .starts = context.options.starts,
                  .hold_out_used = false,
                  .rows_beside_holes = context.record.rows_beside_holes};
    out.static_points = context.record.points;
    check(1);
    return out;
}

LawFit refine(const Record& record, const AnyLaw& start, const FitOptions& options, const Progress& progress) {
    FitOptions one = options;
    one.laws = {std::string(kind_of(start))};
    one.hold_out = {.fraction = 0};
    one.model.directions = has_two_directions(start) ? Directions::own : Directions::same;
    throw_problems(record, one);
    SharedProgress shared(progress);
    const FitContext context =
        begin_fit(record, of_force(one), one.bandwidth, [&] { return shared.should_continue(); }).context;
    if (!shared.tell(0.5)) throw Cancelled();
    FittedLaw from;
    from.kind = one.laws.front();
    from.law = start;
    const FittedLaw law = refit_with_load(context, from);
    if (!shared.tell(1)) throw Cancelled();
    const double length = correlation_length(context.record, law.rows.residual, context.record.compared);
    return described(context, law, double(law.fit.rows) / length);
}

}  // namespace bristle::identification
