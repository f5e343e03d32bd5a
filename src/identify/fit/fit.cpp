// fit() and predict(): the stages in order.
#include <bristle/base/error.hpp>
#include <bristle/identify/fit.hpp>

#include "base/shared_progress.hpp"
#include "identify/fit/compare.hpp"
#include "identify/fit/delay.hpp"
#include "identify/fit/findings.hpp"
#include "identify/fit/maxwell.hpp"
#include "identify/fit/outlook.hpp"
#include "identify/fit/position.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/traces.hpp"
#include "identify/fit/uncertainty.hpp"
#include "identify/fit/whiteness.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

std::vector<std::string> wanted_laws(const FitOptions& options, const Prepared& record) {
    std::vector<std::string> out = options.laws;
    if (out.empty()) {  // all that this record can show: gear laws need a load, positions a law that moves an axis
        for_each_law([&](const auto& entry) {
            const bool gear = neutral_load_of(law_of_kind(entry.kind).value()) == 0;
            // without gravity the load of the teeth is the measured force itself: it explains everything
            const bool gravity = options.model.gravity.kind != Setting::Kind::absent ||
                                 options.model.gravity_cos.kind != Setting::Kind::absent;
            if (gear && record.load.empty() && (record.gear_load.empty() || !gravity)) return;
            if (needs_given_gain(entry.kind, options.model)) return;
            if (options.model.output == Output::force || has_position_output(entry.kind)) out.push_back(entry.kind);
        });
    }
    if (record.points) std::erase_if(out, [](const std::string& kind) { return !kind_is_static(kind); });
    return out;
}

// Frequency [Hz] at which the inertia swings on the bristles in stick; 0 if one of them is not known.
double stick_frequency(const FitContext& context, const std::vector<FittedLaw>& laws) {
    for (const FittedLaw& law : laws)
        if (law.kind == kind_of<LuGre>() && law.converged) {
            double inertia = 0;  // found or given
            for (const Term& t : context.axis.terms)
                if (is_moving_mass(t.quantity)) inertia += law.value(t.quantity, t.coefficient);
            const double sigma0 = law.value(Q::sigma0);
            if (inertia > 0 && sigma0 > 0) return std::sqrt(sigma0 / inertia) / 6.283185307179586;
        }
    return 0;
}

// Calls f(0) .. f(count - 1), several at a time. A law in work takes about 250 bytes per row: of a long record fewer at a time.
template <class Function>
void for_laws(std::size_t count, std::size_t rows, const Function& f) {
    constexpr double memory = 5e9;  // bytes
    const auto at_once = std::size_t(std::max(1.0, memory / (250 * std::max(1.0, double(rows)))));
    for (std::size_t first = 0; first < count; first += at_once)
        tbb::parallel_for(first, std::min(count, first + at_once), f);
}

std::vector<FittedLaw> fit_laws(const FitContext& context, const std::vector<std::string>& kinds,
                                SharedProgress& progress, double from, double to) {
    std::vector<FittedLaw> out(kinds.size());
    std::atomic<std::size_t> done = 0;
    std::vector<std::size_t> first, second;  // laws that start from the record, and from the fit of LuGre
    for (std::size_t i = 0; i < kinds.size(); ++i) (starts_from_lugre(kinds[i]) ? second : first).push_back(i);
    FittedLaw lugre;
    const auto run = [&](const std::vector<std::size_t>& some) {
        for_laws(some.size(), context.record.rows(), [&](std::size_t k) {
            if (progress.cancelled()) return;
            const std::size_t i = some[k];
            try {
                out[i] = fit_law(context, kinds[i], starts_from_lugre(kinds[i]) ? &lugre : nullptr);
                release_rows(out[i]);
            } catch (const Cancelled&) {
                return;
            }
            progress.tell(from + (to - from) * double(++done) / double(kinds.size()));
        });
    };
    run(first);
    if (!second.empty()) {
        for (const FittedLaw& law : out)
            if (law.kind == kind_of<LuGre>()) lugre = law;
        if (lugre.values.empty() && !progress.cancelled()) lugre = fit_law(context, kind_of<LuGre>());
        run(second);
    }
    if (progress.cancelled()) throw Cancelled();
    return out;
}

// Positions show whether the delay that the static curve asks for is one: presliding looks like a delay too.
PositionContext positions_with_or_without_delay(const Record& record, const FitContext& context,
                                                const std::vector<FittedLaw>& laws) {
    PositionContext with = position_context(record, context);
    const FittedLaw* best = nullptr;
    for (const FittedLaw& law : laws)
        if (law.converged && has_position_output(law.kind) && (!best || law.cost < best->cost)) best = &law;
    if (context.axis.delay.kind != Setting::Kind::find || context.axis.delay.value == 0 || !best) return with;
    FitContext still = context;
    still.axis.delay.value = 0;
    PositionContext without = position_context(record, still);
    const FittedLaw a = fit_position(with, *best), b = fit_position(without, *best);
    return b.converged && (!a.converged || b.cost <= a.cost) ? without : with;
}

// Refines all laws by their position output. The context becomes that of the positions.
void fit_positions(const Record& record, FitContext& context, std::vector<FittedLaw>& laws, SharedProgress& progress) {
    const PositionContext positions = positions_with_or_without_delay(record, context, laws);
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t(0), laws.size(), [&](std::size_t i) {
        if (progress.cancelled()) return;
        try {
            laws[i] = fit_position(positions, laws[i]);
        } catch (const Cancelled&) {
            return;
        }
        progress.tell(0.3 + 0.5 * double(++done) / double(laws.size()));
    });
    if (progress.cancelled()) throw Cancelled();
    context = positions.base;
}

void add_residual_test(const FitContext& context, const FittedLaw& law, FitResult& result) {
    const Prepared& record = context.record;
    ResidualTest& test = result.residuals;
    const double length = correlation_length(record, law.rows.residual, record.compared);
    test.correlation_time = record.points ? 0 : 0.5 * length / record.sample_rate;
    test.independent_rows = double(law.fit.rows) / length;
    if (!record.points) {
        const double max_lags =
            std::clamp(4e8 / double(record.rows()), 50.0, 2000.0);  // for a picture: seconds, not minutes
        const auto lags = std::size_t(std::clamp(5 * length, 50.0, max_lags));
        test.autocorrelation =
            autocorrelation(record, law.rows.residual, record.compared, std::min(lags, record.rows() / 2));
        if (record.bandwidth > 0 && record.bandwidth < 0.45 * record.sample_rate)
            test.filter_autocorrelation =
                filter_autocorrelation(record.bandwidth, record.sample_rate, test.autocorrelation.size());
        test.whiteness = whiteness_of(record, law.rows.residual, record.compared);
    }
    const Uncertainty uncertainty = uncertainty_of(context, law, test.independent_rows);
    test.classic_factor = uncertainty.classic_factor;
    if (test.classic_factor > 1.5 && !test.whiteness.is_white())
        result.findings.push_back({.kind = FindingKind::correlated_residuals,
                                   .value = test.correlation_time,
                                   .other = test.classic_factor,
                                   .unit = "s"});
}

// Intervals of the recommended law also cover the change of its values between other bandwidths.
void add_bandwidth_sensitivity(const Record& record, const FitOptions& options, const FitContext& context,
                               const FittedLaw& law, LawFit& out) {
    if (context.record.points || context.record.bandwidth <= 0) return;
    std::vector<FittedLaw> others;
    for (const double factor : {0.7, 1.4}) {
        const double bandwidth = factor * context.record.bandwidth;
        if (bandwidth > 0.4 * context.record.sample_rate) continue;
        FitContext other{.options = context.options,
                         .record = prepare(record, options, bandwidth, std::max(1.0, factor)),
                         .axis = context.axis,
                         .loss_scale = context.loss_scale,
                         .should_continue = context.should_continue};
        mark_held_out(other.record, options.hold_out);
        exclude_moved_rows(other.record, law.value(Q::delay, context.axis.delay.value));
        const Axis axis = axis_of(other.record, options.model);
        for (std::size_t k = 0; k < axis.terms.size(); ++k) other.axis.terms[k].column = axis.terms[k].column;
        if (context.axis.ripple_period > 0) add_ripple(other.axis, other.record, context.axis.ripple_period);
        set_gear_load(other, law);
        others.push_back(refit(other, law));
        release_rows(others.back());
        if (!others.back().converged) others.pop_back();
    }
    if (!others.empty()) add_sensitivity(law, others, out);
}

// An inertia in the force that the model lacks. Tested with the first law, with Coulomb friction and with the rough fit, because the
// parameters of a law can imitate an inertia.
std::optional<FitFinding> missing_inertia(const FitContext& context, std::vector<FittedLaw>& fitted,
                                          const FittedLaw& rough, double independent_rows, const LawFit& best) {
    if (context.options.model.output == Output::position) return {};
    for (FittedLaw& law : fitted) {
        if (!law.converged || (law.kind != best.kind && law.kind != kind_of<Coulomb>())) continue;
        restore_rows(context, law);
        if (const auto inertia = inertia_finding(context, law, independent_rows)) return inertia;
    }
    return inertia_finding_at(context, rough);
}

// Withdraws the recommendation if the model lacks an inertia, and reports that first.
void refuse_without_inertia(const FitFinding& inertia, FitResult& result) {
    result.findings.insert(result.findings.begin(), inertia);
    result.has_recommendation = false;
    for (LawFit& one : result.laws)
        if (one.verdict != LawVerdict::refused) {
            one.verdict = LawVerdict::refused;
            one.reason = RefusalReason::inertia_missing;
        }
}

// If the first law has no bristle: the motions that would determine stiffness and damping.
void add_presliding_measurements(FitResult& result) {
    if (!is_static(result.best().law)) return;
    for (const NextMeasurement& next : result.outlook.next)
        if (next.quantity == Q::sigma0 || next.quantity == Q::sigma1) result.next.push_back(next);
}

// Findings on the axis, the residuals and the first law.
void add_findings(const FitContext& context, const FittedLaw& best, double independent_rows, FitResult& result) {
    const bool of_force =
        context.options.model.output == Output::force;  // a gap and a bend of the curve are not simulated
    const auto add = [&](const std::optional<FitFinding>& finding) {
        if (finding) result.findings.push_back(*finding);
    };
    for (const FitFinding& f : axis_findings(context, best, result.best(), independent_rows)) add(f);
    if (of_force) add(concave_finding(context, best, independent_rows));
    if (of_force) add(backlash_finding(context, best, independent_rows));
    add_residual_test(context, best, result);
    for (const FitFinding& f : result.best().findings) add(f);
    if (context.hold_out_used && best.heldout.nrmse > 1.5 * best.fit.nrmse)
        add(FitFinding{.kind = FindingKind::held_out_worse,
                       .value = best.heldout.relative,
                       .other = best.fit.relative,
                       .unit = "1"});
}

}  // namespace

FitResult fit(const Record& record, const FitOptions& options, const Progress& progress) {
    throw_problems(record, options);
    SharedProgress shared(progress);
    const auto should_continue = [&] { return shared.should_continue(); };
    const auto check = [&](double fraction) {
        if (!shared.tell(fraction)) throw Cancelled();
    };
    check(0);
    const bool positions = options.model.output == Output::position;
    FitOptions of_force = options;  // positions are refined from a fit of the force
    of_force.model.output = Output::force;
    of_force.model.ripple = options.model.ripple && !positions;
    FitResult result;
    FitContext context;
    FittedLaw rough;
    const auto begin = [&](const FitOptions& with, std::optional<double> bandwidth) {
        Beginning beginning = begin_fit(record, with, bandwidth, should_continue);
        context = std::move(beginning.context);
        rough = std::move(beginning.rough);
        result.outlook = outlook_of(context, rough);
    };
    begin(of_force, options.bandwidth);
    check(0.1);
    const std::vector<std::string> kinds = wanted_laws(options, context.record);
    std::vector<FittedLaw> fitted = fit_laws(context, kinds, shared, 0.1, positions ? 0.3 : 0.8);
    // the filter must let the motion in stick through
    if (!options.bandwidth && !context.record.points && !positions) {
        const double asked = std::min(3 * stick_frequency(context, fitted), 0.25 * context.record.sample_rate);
        if (asked > 1.2 * context.record.bandwidth) {
            begin(options, asked);
            fitted = fit_laws(context, kinds, shared, 0.1, 0.8);
        }
    }
    if (positions) fit_positions(record, context, fitted, shared);
    const auto least = std::min_element(fitted.begin(), fitted.end(), [](const FittedLaw& a, const FittedLaw& b) {
        return a.converged != b.converged ? a.converged : a.cost < b.cost;
    });
    restore_rows(context, *least);
    const double independent = least->converged
                                   ? double(least->fit.rows) / correlation_length(context.record, least->rows.residual,
                                                                                  context.record.compared)
                                   : double(context.record.rows());
    result.rotary = context.record.rotary;
    result.static_points = context.record.points;
    std::vector<double> costs;
    result.laws.resize(fitted.size());
    for_laws(fitted.size(), context.record.rows(), [&](std::size_t i) {
        restore_rows(context, fitted[i]);
        result.laws[i] = described(context, fitted[i], independent);
        release_rows(fitted[i]);
    });
    for (const FittedLaw& law : fitted) costs.push_back(law.cost);
    result.has_recommendation = compare(result.laws, costs, independent, context.hold_out_used);
    check(0.85);
    FittedLaw& best = *std::find_if(fitted.begin(), fitted.end(),
                                    [&](const FittedLaw& law) { return law.kind == result.best().kind; });
    for (const FitFinding& finding : record.findings)
        if (matters(finding, context, best)) result.findings.push_back(finding);
    if (best.converged) {
        restore_rows(context, best);
        add_bandwidth_sensitivity(record, options, context, best, result.laws.front());
        check(0.92);
        add_findings(context, best, independent, result);
        if (const auto inertia = missing_inertia(context, fitted, rough, independent, result.best())) {
            refuse_without_inertia(*inertia, result);
        } else {
            result.next = next_measurements(context, result.best());
            add_presliding_measurements(result);
        }
        if (options.keep_traces) result.traces = traces_of(context, best);
    }
    if (!result.has_recommendation && result.best().reason != RefusalReason::inertia_missing)
        result.findings.push_back({.kind = FindingKind::no_law_fits});
    result.method = method_of(context, best);
    check(1);
    return result;
}

FitError predict(const LawFit& law, const Record& record, const FitOptions& options, const FitMethod& method) {
    FitModel model = options.model;
    const std::pair<Q, Setting FitModel::*> settings[] = {
        {Q::inertia, &FitModel::inertia},   {Q::armature, &FitModel::armature},
        {Q::gravity, &FitModel::gravity},   {Q::gravity_cos, &FitModel::gravity_cos},
        {Q::offset, &FitModel::offset},     {Q::gain, &FitModel::gain},
        {Q::back_emf, &FitModel::back_emf}, {Q::gap, &FitModel::gap}};
    for (const auto& [quantity, setting] : settings)
        if (const FittedParameter* p = law.parameter(quantity)) model.*setting = Setting::given(p->value);
    model.delay = Setting::given(method.delay);
    FitOptions given = options;
    given.laws = {law.kind};
    given.hold_out = {.fraction = 0};
    given.errors = ErrorKind::correlated;
    throw_problems(record, given);  // by the options as the user gave them: a fitted inertia may be negative
    given.model = model;
    if (model.output == Output::position) return predict_position(law, record, given, method.bandwidth);
    Prepared rows = prepare(record, given, method.bandwidth);
    Axis axis = axis_of(rows, model);
    axis.own_directions = law.own_directions;
    if (method.ripple_period > 0) add_ripple(axis, rows, method.ripple_period);
    for (Term& t : axis.terms)
        if (const FittedParameter* p = law.parameter(t.quantity); p && t.found) {
            t.found = false;
            t.coefficient = p->value;
        }
    exclude_moved_rows(rows, method.delay);
    rows.gear_load = gear_load_of(rows, axis, model.measured);
    FitProblem problem(rows, axis, law.law);
    problem.set_start_forces(problem.start());
    FitProblem::Rows out;
    problem.evaluate(problem.start(), out);
    if (has_elements(law.law)) {  // as it was fitted: without the attraction of its elements to the curve
        std::vector<double> friction = maxwell_force(rows, law.law, axis.gap.value);
        move_by(rows, method.delay, friction, 1);
        for (std::size_t i = 0; i < friction.size(); ++i)
            out.residual[i] += (out.friction[i] - friction[i]) / axis.gain.value;
    }
    return fit_error(rows, out.residual, rows.y, rows.compared);
}

}  // namespace bristle::identification
