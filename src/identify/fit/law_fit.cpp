// Multistart and final fit of one law.
#include "identify/fit/law_fit.hpp"

#include <bristle/base/error.hpp>

#include "identify/fit/maxwell.hpp"
#include "identify/fit/solve.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

// A start of the multistart: a law, and values of parameters by name.
struct LawStart {
    AnyLaw law;
    std::vector<std::pair<std::string, double>> values{};
    std::vector<double> in(const FitProblem& problem) const {
        std::vector<double> out = problem.start();
        for (std::size_t k = 0; k < out.size(); ++k)
            for (const auto& [name, value] : values)
                if (problem.parameters()[k].name == name) out[k] = value;
        return out;
    }
};

// The law with two of its numbers replaced, in both directions.
using NumberOfRow = std::pair<Q, double>;
AnyLaw with_two(const AnyLaw& law, const NumberOfRow& first, const NumberOfRow& second) {
    std::vector<double> numbers;
    for (const LawNumber& number : numbers_of_law(law)) {
        const Q row = quantity_of_row(number.parameter.name);
        numbers.push_back(row == first.first ? first.second : row == second.first ? second.second : number.value);
    }
    return with_numbers(law, numbers);
}

// The start of a gear law from a record with a load channel, whose static stage has coefficients of the load: one half of the level at
// the mean load is constant, the other grows with the load.
AnyLaw gear_start(const FitContext& context, std::string_view kind, StaticStage stage, double sigma0) {
    const double kc = 0.5 * stage.positive.Fc, ks = 0.5 * stage.positive.Fs, N = mean_load(context.record);
    for (StaticCurve* curve : {&stage.positive, &stage.negative}) {
        curve->alpha = 2;  // that of a curve in proportion to the load says nothing
        curve->Fc *= 0.5 * N;
        curve->Fs *= 0.5 * N;
    }
    const AnyLaw law = start_law(kind, stage, sigma0, context.axis.own_directions, context.inertia());
    return with_two(law, {Q::kc, kc}, {Q::ks, ks});
}

// Starts with a given curve; two over Makkar's curve.
std::vector<LawStart> starts_with(const FitContext& context, std::string_view kind, const StaticStage& stage,
                                  double sigma0) {
    const AnyLaw law = start_law(kind, stage, sigma0, context.axis.own_directions, context.inertia());
    if (has_row(law, Q::kc) && !context.record.load.empty()) return {{gear_start(context, kind, stage, sigma0)}};
    if (!has_row(law, Q::g5)) return {{law}};
    // the order of the slopes of Makkar's curve decides between two minima
    const double low = 5 / stage.positive.vs, high = 30 / stage.positive.vs;
    return {{with_two(law, {Q::g2, low}, {Q::g5, high})}, {with_two(law, {Q::g2, high}, {Q::g5, low})}};
}

StaticStage stage_of(const FittedLaw& lugre, StaticStage stage) {
    const auto curve = [&](StaticCurve& c, int motion) {
        c.Fc = lugre.value(Q::Fc, c.Fc, motion);
        c.Fs = lugre.value(Q::Fs, c.Fs, motion);
        c.vs = lugre.value(Q::vs, c.vs, motion);
        c.sigma2 = lugre.value(Q::viscous, c.sigma2, motion);
    };
    curve(stage.positive, 1);
    curve(stage.negative, -1);
    return stage;
}

// Starts of a law, the best guess first: the fitted LuGre; a smooth static curve; stiffnesses that differ by a factor of 4 at least, or
// another curve; Stribeck velocities around the first one.
std::vector<LawStart> starts_of(const FitContext& context, std::string_view kind, const FittedLaw* lugre) {
    std::vector<LawStart> out;
    const auto add = [&](std::vector<LawStart>&& some) { out.insert(out.end(), some.begin(), some.end()); };
    const auto add_scaled = [&](const BristleStart& start, double vs_factor) {
        StaticStage stage = start.stage;
        stage.positive.vs *= vs_factor;
        stage.negative.vs *= vs_factor;
        add(starts_with(context, kind, stage, start.sigma0));
    };
    const AnyLaw example = start_law(kind, context.stage, 1, context.axis.own_directions, context.inertia());
    if (lugre && lugre->converged) {
        auto from = starts_with(context, kind, stage_of(*lugre, context.stage), lugre->value(Q::sigma0));
        for (LawStart& start : from) {
            const bool levels_differ = has_row(start.law, Q::kc) && !context.record.load.empty();
            for (std::size_t k = 0; k < lugre->values.size(); ++k)
                if (!levels_differ || !is_level(lugre->parameters[k].quantity))
                    start.values.emplace_back(lugre->parameters[k].name, lugre->values[k]);
        }
        add(std::move(from));
    }
    BristleStart first{1, context.stage};
    first.stage.residual = {};
    const bool bristle = has_row(example, Q::sigma0) && !context.starts.empty();
    if (bristle) first = context.starts.front();
    if (!has_row(example, Q::sigma0) && (has_row(example, Q::c) || has_row(example, Q::g5)))
        add(starts_with(context, kind,
                        smooth_stage(context.short_record, context.short_axis, context.stage, context.short_train), 1));
    add_scaled(first, 1);
    std::vector<BristleStart> taken{first};
    const auto differs = [](const BristleStart& a, const BristleStart& b) {
        const auto ratio = [](const BristleStart& s) { return s.stage.positive.Fs / s.stage.positive.Fc; };
        return a.sigma0 > 3.9 * b.sigma0 || b.sigma0 > 3.9 * a.sigma0 || std::abs(ratio(a) - ratio(b)) > 0.02;
    };
    for (const BristleStart& start : context.starts)
        if (bristle &&
            std::all_of(taken.begin(), taken.end(), [&](const BristleStart& other) { return differs(start, other); })) {
            taken.push_back(start);
            add_scaled(start, 1);
            if (taken.size() == 2) {
                add_scaled(first, 3);
                add_scaled(first, 0.3);
            }
        }
    if (taken.size() < 2) {
        add_scaled(first, 3);
        add_scaled(first, 0.3);
    }
    if (int(out.size()) > context.options.starts) out.resize(std::size_t(std::max(1, context.options.starts)));
    return out;
}

SolveOptions solve_options(const FitContext& context, const std::vector<std::uint8_t>& use, int iterations,
                           double tolerance) {
    SolveOptions out;
    out.use = use;
    out.loss = context.options.loss;
    if (out.loss == Loss::huber) out.loss_scale = context.loss_scale;
    out.max_iterations = iterations;
    out.tolerance = tolerance;
    out.should_continue = context.should_continue;
    return out;
}

void complete(const FitContext& context, FittedLaw& out) {
    out.y = context.record.y;
    out.fit = fit_error(context.record, out.rows.residual, out.y, context.record.compared);
}

// Makes the gap of the scan a parameter with a derivative, so that it has a standard error and a place in the answer.
void add_gap(const FitContext& context, MaxwellFit& fit) {
    const Prepared& record = context.record;
    const double gap = context.axis.gap.value, h = 0.01 * gap, gain = context.axis.gain.value;
    const std::vector<double> above = maxwell_force(record, fit.law, gap + h),
                              below = maxwell_force(record, fit.law, gap - h);
    const std::size_t p = fit.values.size(), n = record.rows();
    std::vector<double> J(n * (p + 1)), by_gap(n, 0.0);
    for (std::size_t i = 0; i < n && h > 0; ++i) by_gap[i] = (above[i] - below[i]) / (2 * h * gain);
    move_by(record, context.axis.delay.value, by_gap, 1);
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(fit.rows.J.data() + i * p, p, J.data() + i * (p + 1));
        J[i * (p + 1) + p] = by_gap[i];
    }
    fit.rows.J = std::move(J);
    fit.values.push_back(gap);
    fit.parameters.push_back(
        {"gap", "m", "width of the backlash in series", Q::gap, {}, 0, 0, record.travel, false, 1});
}

MaxwellFit maxwell_of(const FitContext& context, std::span<const std::uint8_t> use) {
    const Setting& gap = context.axis.gap;
    MaxwellFit out = fit_maxwell(context.record, context.axis, gap.value, use);
    if (gap.kind == Setting::Kind::find && !out.deflection.empty()) add_gap(context, out);
    return out;
}

FittedLaw fit_maxwell_law(const FitContext& context) {
    FittedLaw out;
    out.kind = kind_of<MaxwellSlip>();
    if (context.hold_out_used) {
        const MaxwellFit train = fit_maxwell(context.record, context.axis, context.axis.gap.value, context.train);
        out.heldout = fit_error(context.record, train.rows.residual, context.record.y, context.test);
    }
    out.use = context.record.compared;
    MaxwellFit all = maxwell_of(context, out.use);
    out.law = all.law;
    out.parameters = std::move(all.parameters);
    out.values = std::move(all.values);
    out.rows = std::move(all.rows);
    out.cost = cost_of(out.rows.residual, out.use, solve_options(context, out.use, 1, 1));
    out.converged = !out.parameters.empty() && out.parameters.front().quantity == Q::k;
    complete(context, out);
    return out;
}

}  // namespace

std::vector<std::uint8_t> rows_for(const AnyLaw& law, const Prepared& record, const std::vector<std::uint8_t>& use) {
    return std::visit(
        [&]<class Law>(const Law&) {
            return StaticLaw<Law> ? rows_of_static_laws(record, use, SticksExactly<Law>) : use;
        },
        law);
}

namespace {

struct Minimum {
    Solved solved;
    AnyLaw start;
};
// True if a value differs by more than that part of it.
template <class Fit>
bool is_other(const Fit& a, const Fit& b, double part) {
    for (std::size_t k = 0; k < a.values.size(); ++k)
        if (a.values[k] > 0 && b.values[k] > 0 && std::abs(std::log(a.values[k] / b.values[k])) > part) return true;
    return false;
}

// Solves on all rows from the values given and completes the answer.
void finish_fit(const FitContext& context, const FitProblem& problem, std::span<const double> from, FittedLaw& out) {
    out.use = rows_for(problem.law_at(from), context.record, context.record.compared);
    const SolveOptions options = solve_options(context, out.use, 25, 1e-8);
    const Solved solved = solve(problem, from, options);
    if (options.loss == Loss::huber) out.loss_scale = options.loss_scale;
    problem.evaluate(solved.values, out.rows);
    out.start_force = problem.start_forces();
    out.law = problem.law_at(solved.values);
    out.parameters = problem.parameters();
    out.values = solved.values;
    out.cost = cost_of(out.rows.residual, context.record.compared, options);
    // not solved.converged: along directions that the record does not determine the search may go on for ever
    out.converged = std::isfinite(solved.cost) && out.rows.finite;
    complete(context, out);
}

// The values of a fit by name, in the order of a problem; its own start for parameters that the fit lacks.
std::vector<double> values_in(const FitProblem& problem, const FittedLaw& from) {
    std::vector<double> out = problem.start();
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = from.value_of_same(problem.parameters()[k].name, out[k]);
    return out;
}

// True for gear laws whose load follows from gravity, gain or back_emf that are found.
bool load_follows_from_fit(const FitContext& context, std::string_view kind) {
    if (neutral_load_of(law_of_kind(kind).value()) != 0 || context.record.gear_load.empty()) return false;
    const auto found = [](const Setting& s) { return s.kind == Setting::Kind::find; };
    const FitModel& model = context.options.model;
    return found(model.gravity) || found(model.gravity_cos) || found(model.gain) || found(model.back_emf);
}

// The fit of a law to a record with a given load.
FittedLaw fit_with_load(const FitContext& context, std::string_view kind, const FittedLaw* lugre) {
    FittedLaw out;
    out.kind = kind;
    const std::vector<LawStart> starts = starts_of(context, kind, lugre);
    // the best start, on a short part of a long record; held-out rows are not used
    const auto short_train = rows_for(law_of_kind(kind).value(), context.short_record, context.short_train);
    const std::vector<std::uint8_t> train = rows_for(law_of_kind(kind).value(), context.record, context.train);
    std::vector<Minimum> minima;
    for (const LawStart& start : starts) {
        FitProblem here(context.short_record, context.short_axis, start.law);
        std::vector<double> values = start.in(here);
        here.set_start_forces(values);
        if (!std::isfinite(improve_linear(here, values, short_train))) continue;
        Solved solved = solve(here, values, solve_options(context, short_train, 12, 1e-4));
        if (std::isfinite(solved.cost)) minima.push_back({std::move(solved), start.law});
    }
    if (minima.empty()) return out;
    std::sort(minima.begin(), minima.end(),
              [](const Minimum& a, const Minimum& b) { return a.solved.cost < b.solved.cost; });
    // a second minimum of almost the same depth: all rows decide
    const auto second = std::find_if(minima.begin() + 1, minima.end(),
                                     [&](const Minimum& m) { return is_other(m.solved, minima.front().solved, 0.26); });
    if (second != minima.end() && second->solved.cost < 1.1 * minima.front().solved.cost) {
        for (Minimum* m : {&minima.front(), &*second}) {
            FitProblem here(context.record, context.axis, m->start);
            here.set_start_forces(m->solved.values);
            m->solved = solve(here, m->solved.values, solve_options(context, train, 20, 1e-6));
        }
        if (second->solved.cost < minima.front().solved.cost) std::iter_swap(minima.begin(), second);
    }
    Solved best = minima.front().solved;
    FitProblem problem(context.record, context.axis, minima.front().start);
    problem.set_start_forces(best.values);
    if (context.hold_out_used) {
        best = solve(problem, best.values, solve_options(context, train, 20, 1e-6));
        problem.evaluate(best.values, out.rows);
        out.heldout = fit_error(context.record, out.rows.residual, context.record.y, context.test);
    }
    finish_fit(context, problem, best.values, out);
    return out;
}

}  // namespace

FitMethod method_of(const FitContext& context, const FittedLaw& law) {
    return {.errors = context.options.errors,
            .bandwidth = context.record.bandwidth,
            .motion_bandwidth = context.record.motion_bandwidth,
            .sample_rate = context.record.sample_rate,
            .ripple_period = context.axis.ripple_period,
            .delay = law.value(Q::delay, context.axis.delay.value),
            .starts = context.options.starts,
            .hold_out_used = context.hold_out_used,
            .rows_beside_holes = context.record.rows_beside_holes};
}

void set_gear_load(FitContext& context, const FittedLaw& law) {
    for (Axis* axis : {&context.axis, &context.short_axis}) {
        for (Term& t : axis->terms) t.coefficient = law.value(t.quantity, t.coefficient);
        axis->gain.value = law.value(Q::gain, axis->gain.value);
        axis->back_emf.value = law.value(Q::back_emf, axis->back_emf.value);
        axis->delay.value = law.value(Q::delay, axis->delay.value);
    }
    const Measured measured = context.options.model.measured;
    context.record.gear_load = gear_load_of(context.record, context.axis, measured);
    context.short_record.gear_load = gear_load_of(context.short_record, context.short_axis, measured);
}

namespace {

// The load of the teeth follows from parameters that are found: both are improved in turn.
FittedLaw with_improved_load(FitContext context, FittedLaw out) {
    for (int round = 0; round < 8 && out.converged; ++round) {
        release_rows(out);
        const FittedLaw before = out;
        set_gear_load(context, out);
        out = refit(context, before);
        out.heldout = before.heldout;
        if (!is_other(before, out, 1e-4)) break;
    }
    out.gear_load = std::move(context.record.gear_load);
    return out;
}

}  // namespace

bool starts_from_lugre(std::string_view kind) {
    return kind != kind_of<LuGre>() && has_row(law_of_kind(kind).value(), Q::sigma1);
}

FittedLaw fit_law(const FitContext& context, std::string_view kind, const FittedLaw* lugre) {
    if (kind_has_elements(kind)) return fit_maxwell_law(context);
    if (!load_follows_from_fit(context, kind)) return fit_with_load(context, kind, lugre);
    FitContext own = context;
    FittedLaw out = fit_with_load(own, kind, lugre);
    if (!out.converged) return out;
    release_rows(out);
    set_gear_load(own, out);
    return with_improved_load(own, fit_with_load(own, kind, lugre));
}

FittedLaw refit_with_load(const FitContext& context, const FittedLaw& from) {
    FittedLaw out = refit(context, from);
    return load_follows_from_fit(context, from.kind) ? with_improved_load(context, std::move(out)) : out;
}

void release_rows(FittedLaw& law) {
    if (law.start_force.empty() && !law.has_elements()) return;
    law.rows = {};
    law.y = {};
}

void restore_rows(const FitContext& context, FittedLaw& law) {
    if (!law.y.empty() || law.values.empty()) return;
    law.y = context.record.y;
    if (law.has_elements()) {
        law.rows = maxwell_of(context, law.use).rows;
        return;
    }
    std::optional<Prepared> own;
    if (!law.gear_load.empty()) {
        own = context.record;
        own->gear_load = law.gear_load;
    }
    FitProblem problem(own ? *own : context.record, context.axis, law.law);
    problem.restore_start_forces(law.start_force);
    problem.evaluate(law.values, law.rows);
}

FittedLaw refit(const FitContext& context, const FittedLaw& from) {
    if (from.has_elements()) return fit_maxwell_law(context);
    FittedLaw out;
    out.kind = from.kind;
    FitProblem problem(context.record, context.axis, from.law);
    const std::vector<double> values = values_in(problem, from);
    problem.set_start_forces(values);
    finish_fit(context, problem, values, out);
    return out;
}

FittedLaw at_values(const FitContext& context, const FittedLaw& from) {
    FittedLaw out = from;
    FitProblem problem(context.record, context.axis, from.law);
    out.values = values_in(problem, from);
    out.parameters = problem.parameters();
    problem.set_start_forces(out.values);
    problem.evaluate(out.values, out.rows);
    complete(context, out);
    return out;
}

}  // namespace bristle::identification
