// Fit of positions: context, starts, alternation of parameters and start states.
#include "identify/fit/position.hpp"
#include "identify/fit/solve.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

constexpr int max_rounds = 6;       // start states, then parameters
constexpr double settled = 0.99;    // ratio of the costs of two rounds that ends the rounds
constexpr std::size_t enough = 20;  // segments that decide between the starts

// Whole segments are held out: those whose middle row is.
void hold_out_segments(PositionContext& context, const std::vector<std::uint8_t>& held_out) {
    FitContext& base = context.base;
    base.record.held_out.assign(base.record.rows(), 0);
    base.train = base.record.compared;
    base.test.assign(base.record.rows(), 0);
    std::size_t tested = 0, fitted = 0;
    for (const Segment& s : context.segments) {
        const bool out = base.hold_out_used && held_out[s.begin + s.size / 2];
        ++(out ? tested : fitted);
        for (std::size_t i = s.begin; out && i < s.begin + s.size; ++i) {
            base.record.held_out[i] = 1;
            base.test[i] = base.train[i];
            base.train[i] = 0;
        }
    }
    base.hold_out_used = tested > 0 && fitted > 0;
    if (!base.hold_out_used) base.train = base.record.compared;
}

SolveOptions options_of(const FitContext& context, const std::vector<std::uint8_t>& use, int iterations,
                        double tolerance) {
    SolveOptions out;
    out.use = use;
    out.max_iterations = iterations;
    out.tolerance = tolerance;
    out.should_continue = context.should_continue;
    return out;
}

// Starts: the law of the force, and curves without Stribeck effect; gear laws with half of the level moved into the load.
std::vector<AnyLaw> starts_of(const FitContext& context, const FittedLaw& force) {
    std::vector<AnyLaw> out{force.law};
    if (context.options.starts < 2) return out;
    const bool gear = neutral_load_of(force.law) == 0;
    const double level = context.stage.positive.Fc;
    if (!(level > 0) || has_stiction_at_rest_only(force.law)) return out;
    for (const double k : gear ? std::vector{0.1, 0.3} : std::vector{0.0}) {
        std::vector<double> numbers;
        for (const LawNumber& number : numbers_of_law(force.law)) {
            const FittedQuantity quantity = quantity_of_row(number.parameter.name);
            double value = number.value;
            if (quantity == FittedQuantity::kc || quantity == FittedQuantity::ks) value = k;
            if (quantity == FittedQuantity::Fc || quantity == FittedQuantity::Fs) value = (gear ? 0.5 : 1) * level;
            if (quantity == FittedQuantity::vs) value = 0.3 * context.record.max_speed;
            numbers.push_back(value);
        }
        out.push_back(with_numbers(force.law, numbers));
    }
    return out;
}

// Fitted segments spread evenly over the record, and their rows.
std::vector<Segment> some_segments(const PositionContext& context, std::vector<std::uint8_t>& rows) {
    std::vector<Segment> fitted, out;
    for (const Segment& s : context.segments)
        if (!context.base.record.held_out[s.begin]) fitted.push_back(s);
    rows.assign(context.base.record.rows(), 0);
    const std::size_t count = std::min(enough, fitted.size());
    for (std::size_t k = 0; k < count; ++k) {
        const Segment& s = fitted[k * fitted.size() / count];
        out.push_back(s);
        for (std::size_t i = s.begin; i < s.begin + s.size; ++i) rows[i] = context.base.train[i];
    }
    return out;
}

}  // namespace

PositionContext position_context(const Record& record, const FitContext& force) {
    FitOptions options = force.options;
    options.model.output = Output::position;
    PositionContext out{.base = force, .input = {}, .segments = segments_of(force.record, options.model.segment)};
    FitContext& base = out.base;
    base.record = prepare(record, options, 0.0);
    base.options = options;
    out.input = measured_ahead(base.record, force.axis.delay.value);
    base.record.y = base.record.x;
    base.axis.delay = Setting::given(force.axis.delay.value);
    base.axis.gap = {};
    std::erase_if(base.axis.terms, [](const Term& t) { return is_ripple(t.quantity); });
    base.axis.ripple_period = 0;
    hold_out_segments(out, force.record.held_out);
    return out;
}

FittedLaw fit_position(const PositionContext& context, const FittedLaw& force) {
    FittedLaw out;
    out.kind = force.kind;
    out.y = context.base.record.y;
    out.use = context.base.record.compared;
    if (!force.converged || !has_position_output(force.kind)) return out;
    const FitContext& base = context.base;
    std::vector<std::uint8_t> few_rows;
    const std::vector<Segment> few = some_segments(context, few_rows);
    Solved best;
    std::optional<PositionProblem> problem;
    for (const AnyLaw& start : starts_of(base, force)) {
        PositionProblem here(base.record, base.axis, start, context.input, few);
        here.widen_bounds(base.stage.positive.Fc);
        std::vector<double> values = here.start();
        for (std::size_t k = 0; k < values.size(); ++k)
            if (!here.parameters()[k].of_law()) values[k] = force.value_of_same(here.parameters()[k].name, values[k]);
        here.set_start_forces(values);
        Solved solved = solve(here, values, options_of(base, few_rows, 12, 1e-3));
        if (solved.cost < best.cost) {
            best = std::move(solved);
            problem.emplace(base.record, base.axis, start, context.input, context.segments);
            problem->widen_bounds(base.stage.positive.Fc);
        }
    }
    if (!problem) return out;
    const auto refine = [&](const std::vector<std::uint8_t>& use) {
        double before = std::numeric_limits<double>::infinity();
        for (int i = 0; i < max_rounds && !(best.cost > settled * before); ++i) {
            before = i > 0 ? best.cost : before;
            problem->correct_starts(best.values);
            best = solve(*problem, best.values, options_of(base, use, 10, 1e-4));
        }
        best = solve(*problem, best.values, options_of(base, use, 20, 1e-6));
        problem->evaluate(best.values, out.rows);
    };
    if (base.hold_out_used) {
        refine(base.train);
        out.heldout = fit_error(base.record, out.rows.residual, out.y, base.test);
    }
    refine(base.record.compared);
    out.law = problem->law_at(best.values);
    out.parameters = problem->parameters();
    out.values = best.values;
    out.cost = best.cost;
    out.converged = std::isfinite(best.cost) && out.rows.finite;
    out.fit = fit_error(base.record, out.rows.residual, out.y, base.record.compared);
    return out;
}

FitError predict_position(const LawFit& law, const Record& record, const FitOptions& options, double bandwidth) {
    FitContext force{.options = options};
    force.record = prepare(record, options, bandwidth > 0 ? std::optional(bandwidth) : std::nullopt);
    force.axis = axis_of(force.record, options.model);
    force.axis.own_directions = law.own_directions;
    const PositionContext context = position_context(record, force);
    PositionProblem problem(context.base.record, context.base.axis, law.law, context.input, context.segments);
    for (int i = 0; i < max_rounds; ++i) problem.correct_starts(problem.start());
    FitProblem::Rows rows;
    problem.evaluate(problem.start(), rows);
    return fit_error(context.base.record, rows.residual, context.base.record.y, context.base.record.compared);
}

}  // namespace bristle::identification
