// The stages of a fit as calls of their own.
#include <bristle/identify/stages.hpp>

#include <bristle/base/error.hpp>

#include "base/shared_progress.hpp"
#include "identify/fit/delay.hpp"
#include "identify/fit/findings.hpp"
#include "identify/fit/outlook.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/traces.hpp"
#include "identify/fit/uncertainty.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

FitOptions of_force(FitOptions options) {
    options.model.output = Output::force;
    return options;
}

std::optional<double> damping_ratio(const Outlook& outlook, const FitContext& context) {
    const auto known = [&](Q quantity) {
        const FittedParameter* p = outlook.parameter(quantity);
        return p && p->identifiable != Identifiable::no ? p->value : std::numeric_limits<double>::quiet_NaN();
    };
    double inertia = 0;
    for (const Term& t : context.axis.terms)
        if (is_moving_mass(t.quantity)) inertia += t.found ? known(t.quantity) : t.coefficient;
    const double zeta = (known(Q::sigma1) + known(Q::viscous)) / (2 * std::sqrt(known(Q::sigma0) * inertia));
    return std::isfinite(zeta) ? std::optional(zeta) : std::nullopt;
}

// The static curve as a law: Stribeck friction at the values of the stage, with residuals and derivatives on all rows.
FittedLaw law_of_curve(const FitContext& context, std::string_view kind) {
    FittedLaw from;
    from.kind = kind;
    from.law = start_law(kind, context.stage, 1, context.axis.own_directions, context.inertia());
    FittedLaw out = at_values(context, from);
    out.use = rows_of_static_laws(context.record, context.train, true);
    out.loss_scale = context.loss_scale;
    out.converged = out.rows.finite;
    return out;
}

// True if Fs and vs of each direction are determined, Fs differs from Fc by more than three standard errors and 1 %, no level is at the
// limit of its range, and the level reaches Fc within the speeds of the record. A larger vs is a bend of the viscous friction, and Fc an
// extrapolation.
bool has_stribeck_part(const FitContext& context, const LawFit& law) {
    constexpr double largest_vs = 0.5;  // of the largest speed: 2 % of Fs - Fc is left there
    // of the largest level: 5 % above the limit at which static stage and searches hold a level that the record does not show
    constexpr double least_level = 1.05 * smallest_level;
    double level = 0;
    for (const FittedParameter& p : law.parameters)
        if (p.is_level()) level = std::max(level, p.value);
    const auto is_found = [&](const FittedParameter& p) {
        const bool is_speed = p.quantity == Q::vs, is_static = p.quantity == Q::Fs;
        if (p.is_level() && p.value < least_level * level) return false;
        if (!is_speed && !is_static) return true;
        if (p.identifiable == Identifiable::no || p.at_bound) return false;
        if (is_speed) return p.value <= largest_vs * context.record.max_speed;
        const FittedParameter* Fc = law.parameter(Q::Fc, p.direction);
        return Fc != nullptr && std::abs(p.value - Fc->value) > std::max(3 * std::hypot(p.se, Fc->se), 0.01 * level);
    };
    return !law.parameters.empty() && std::all_of(law.parameters.begin(), law.parameters.end(), is_found);
}

// Stribeck friction fitted from a constant level, with a tenth of the largest speed as the start of vs.
FittedLaw stribeck_from(const FitContext& context, const FittedLaw& coulomb) {
    StaticStage stage;
    const double Fc = coulomb.value(Q::Fc);
    stage.positive =
        stage.negative = {.Fc = Fc, .Fs = 1.1 * Fc, .vs = 0.1 * context.record.max_speed, .sigma2 = 0, .alpha = 2};
    FittedLaw from = coulomb;
    from.kind = kind_of<StribeckFriction>();
    from.law = start_law(from.kind, stage, 1, context.axis.own_directions, context.inertia());
    return refit(context, from);
}

// The curve as a law: the one of the stage; if it has no Stribeck part, that of a fit from another start; else a constant level with
// viscous friction. error: of the stage.
std::pair<FittedLaw, LawFit> described_curve(const FitContext& context, const FitError& error) {
    const double rows = context.stage.independent_rows;
    FittedLaw law = law_of_curve(context, kind_of<StribeckFriction>());
    LawFit out = described(context, law, rows);
    out.fit = error;
    if (has_stribeck_part(context, out)) return {law, out};
    const FittedLaw level = refit(context, law_of_curve(context, kind_of<Coulomb>()));
    if (law = stribeck_from(context, level); law.converged) {
        out = described(context, law, rows);
        if (has_stribeck_part(context, out)) return {law, out};
    }
    return {level, described(context, level, rows)};
}

struct CurveWithRows {
    CurveStage stage;
    std::vector<FitTrace> traces;
};
CurveWithRows curve_stage(const Record& record, FitOptions options, Loss loss,
                          const std::function<bool()>& should_continue) {
    options.loss = loss;
    const FitContext context = make_context(record, options, options.bandwidth, should_continue);
    CurveStage out{.positive = context.stage.positive,
                   .negative = context.stage.negative,
                   .own_directions = context.axis.own_directions,
                   .axis = {},
                   .delay = context.axis.delay.value,
                   .fit = fit_error(context.record, context.stage.residual, context.record.y, context.train),
                   .law = {}};
    for (const Term& t : context.axis.terms) out.axis.push_back({t.name, t.unit, t.quantity, t.coefficient});
    auto [law, description] = described_curve(context, out.fit);
    out.law = std::move(description);
    return {out, options.keep_traces && law.converged ? traces_of(context, law) : std::vector<FitTrace>{}};
}

}  // namespace

CurveStage fit_static_curve(const Record& record, const FitOptions& options, Loss loss) {
    throw_problems(record, options);
    FitOptions of_curve = of_force(options);
    of_curve.keep_traces = false;
    return curve_stage(record, of_curve, loss, {}).stage;
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
    auto [stage, traces] = curve_stage(record, all_rows, Loss::huber, should_continue);
    out.curve = std::move(stage);
    out.traces = std::move(traces);
    check(0.3);
    const auto [context, rough] = begin_fit(record, all_rows, options.bandwidth, should_continue);
    check(0.8);
    const bool is_named = options.laws.size() == 1 && options.laws.front() != rough.kind;
    out.outlook = outlook_of(context, is_named ? rough_fit(context, options.laws.front(), rough) : rough);
    out.zeta = damping_ratio(out.outlook, context);
    for (const FitFinding& finding : record.findings)
        if (matters(finding, context, rough)) out.findings.push_back(finding);
    if (out.curve.describes_record())
        for (FitFinding& f : curve_findings(out.curve.law, context.record.max_speed))
            out.findings.push_back(std::move(f));
    if (const auto inertia = inertia_finding_at(context, rough)) {
        out.findings.insert(out.findings.begin(), *inertia);
        out.outlook.next.clear();  // the values mean nothing without the inertia
    }
    out.method = method_of(context, rough);
    out.method.hold_out_used = false;
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
