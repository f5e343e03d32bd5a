// Start values by the meaning of the rows of a law, and the scan of the stiffness.
#include "identify/fit/start.hpp"

#include "analyse/viscous.hpp"
#include "identify/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

const StaticCurve& curve_of(const Parameter& p, const StaticStage& stage) {
    return is_of_negative_side(p) ? stage.negative : stage.positive;
}

double start_number(const Parameter& p, const StaticStage& stage, double sigma0, double inertia, double otherwise) {
    const StaticCurve& c = curve_of(p, stage);
    const double sigma1 = inertia > 0 ? std::sqrt(sigma0 * inertia) : 0.1 * std::max(c.Fc, c.Fs) / c.vs;
    switch (quantity_of_row(p.name)) {
        case Q::Fc:
        case Q::g4:
            return c.Fc;
        case Q::Fs:
            return c.Fs;
        case Q::vs:
            return c.vs;
        case Q::alpha:
            return c.alpha;
        case Q::sigma0:
            return sigma0;
        case Q::sigma1:
            return sigma1;
        case Q::vc:
            return 5 * c.vs;
        case Q::c:
        case Q::g2:
        case Q::g5:
            return stage.c > 0 ? stage.c : 10 / c.vs;
        case Q::g3:
            return 0.7 / c.vs;
        case Q::g1:
            return std::max(1.2 * (c.Fs - c.Fc), 0.02 * c.Fc);
        case Q::a:
            return 0.02 * c.vs;
        default:
            return example_of(p, otherwise);
    }
}

template <class Law>
void set_directional(Law& law) {
    if constexpr (requires { law.curve.stribeck.directional; })
        law.curve.stribeck.directional = true;
    else if constexpr (requires { law.curve.directional; })
        law.curve.directional = true;
}

}  // namespace

AnyLaw start_law(std::string_view kind, const StaticStage& stage, double sigma0, bool own_directions, double inertia) {
    AnyLaw law = law_of_kind(kind).value();
    std::visit(
        [&]<class Law>(Law& l) {
            if (own_directions) set_directional(l);
            if constexpr (requires { l.size; }) l.size = 1;
            for_each_choice(l, [](const Choice& choice, auto& x) {
                if (std::string_view(choice.name) == "allow_rising") x = std::remove_cvref_t<decltype(x)>(true);
            });
            Law::parameters(l, [&](const Parameter& p, double& x) { x = start_number(p, stage, sigma0, inertia, x); });
            Law::parameters(l, [&](const Parameter& p, double& x) {  // by the equations: its name varies
                if (is_viscous(l, x)) x = curve_of(p, stage).sigma2;
            });
        },
        law);
    return law;
}

bool has_two_directions(const AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law& l) {
            if constexpr (requires { l.curve.stribeck.directional; })
                return l.curve.stribeck.directional;
            else if constexpr (requires { l.curve.directional; })
                return l.curve.directional;
            else
                return false;
        },
        law);
}

double improve_linear(const FitProblem& problem, std::vector<double>& values, std::span<const std::uint8_t> use) {
    FitProblem::Rows rows;
    problem.evaluate(values, rows);
    if (!rows.finite) return std::numeric_limits<double>::infinity();
    const auto& free = problem.parameters();
    const std::size_t n = rows.residual.size(), p = free.size();
    std::vector<std::size_t> linear;
    for (std::size_t k = 0; k < p; ++k)
        if (free[k].linear() && free[k].quantity != Q::back_emf) linear.push_back(k);
    // J x of the linear parameters belongs to the target, so that x >= 0 can be asked for
    const std::size_t q = linear.size();
    std::vector<double> part(n * q), target = rows.residual;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < q; ++c) {
            part[i * q + c] = rows.J[i * p + linear[c]];
            target[i] += part[i * q + c] * values[linear[c]];
        }
    const Folded folded = fold(part.data(), q, target.data(), n, q, use);
    std::vector<std::uint8_t> nonnegative(q);
    for (std::size_t c = 0; c < q; ++c) nonnegative[c] = free[linear[c]].low >= 0;
    const auto x = nonnegative_solution(folded, nonnegative);
    for (std::size_t c = 0; c < q; ++c) values[linear[c]] = std::clamp(x[c], free[linear[c]].low, free[linear[c]].high);
    const double norm = residual_norm(folded, x);
    return norm * norm;
}

StaticStage smooth_stage(const Prepared& record, const Axis& axis, const StaticStage& stage,
                         std::span<const std::uint8_t> use) {
    std::size_t used = 0;
    for (const std::uint8_t u : use) used += u;
    const std::size_t every = std::max<std::size_t>(1, used / 2000);
    const std::vector<double> y = measured_ahead(record, axis.delay.value);
    std::vector<double> v, target;
    for (std::size_t i = 0, j = 0; i < record.rows(); ++i)
        if (use[i] && j++ % every == 0) {
            double rest = axis.gain.value * (y[i] - axis.back_emf.value * record.v[i]);
            for (const Term& t : axis.terms) rest -= t.coefficient * t.column[i];
            v.push_back(record.v[i]);
            target.push_back(rest);
        }
    constexpr int grid = 12;
    constexpr std::size_t q = 4;
    const std::uint8_t nonnegative[q] = {1, 1, 1, 0};
    std::vector<double> J(v.size() * q);
    StaticStage out = stage;
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < grid; ++a)
        for (int b = 0; b < grid; ++b) {
            const double vs = record.max_speed * std::pow(300.0, a / double(grid - 1) - 1);
            const double c = std::pow(1000.0, b / double(grid - 1)) / vs;
            for (std::size_t i = 0; i < v.size(); ++i) {
                const double s = std::tanh(c * v[i]), e = std::exp(-(v[i] / vs) * (v[i] / vs));
                const double row[q] = {s * (1 - e), s * e, v[i], 1};
                std::copy_n(row, q, J.begin() + std::ptrdiff_t(i * q));
            }
            const Folded folded = fold(J.data(), q, target.data(), v.size(), q, {});
            const auto x = nonnegative_solution(folded, nonnegative);
            const double norm = residual_norm(folded, x), low = smallest_level * std::max({x[0], x[1], 1e-12});
            if (norm < least) {
                least = norm;
                out.positive = out.negative = {std::max(x[0], low), std::max(x[1], low), vs, x[2], 2};
                out.c = c;
            }
        }
    return out;
}

namespace {

// Size of the level relative to the law's, with the sum of squares.
struct Scaled {
    double cost, scale;
};
Scaled scaled_level(const FitProblem& problem, const std::vector<double>& values, std::span<const std::uint8_t> use) {
    FitProblem::Rows rows;
    problem.evaluate(values, rows);
    if (!rows.finite) return {std::numeric_limits<double>::infinity(), 1};
    const Prepared& record = problem.record();
    std::vector<const Term*> found;
    for (const Term& t : problem.axis().terms)
        if (t.found) found.push_back(&t);
    const double gain = problem.axis().gain.value;
    const std::size_t n = record.rows(), q = 2 + found.size();
    std::vector<double> J(n * q), target = rows.residual;
    for (std::size_t i = 0; i < n; ++i) {
        double* row = J.data() + i * q;
        row[1] = record.v[i] / gain;
        for (std::size_t k = 0; k < found.size(); ++k) row[2 + k] = found[k]->column[i] / gain;
    }
    if (problem.axis().delay.value != 0) move_by(record, problem.axis().delay.value, J, q);
    for (std::size_t i = 0; i < n; ++i) {
        double* row = J.data() + i * q;
        row[0] = rows.friction[i] / gain;
        target[i] += row[0];
        for (std::size_t k = 0; k < found.size(); ++k) target[i] += row[2 + k] * found[k]->coefficient;
    }
    const Folded folded = fold(J.data(), q, target.data(), n, q, use);
    std::vector<std::uint8_t> nonnegative(q, 0);
    nonnegative[0] = nonnegative[1] = 1;
    const auto x = nonnegative_solution(folded, nonnegative);
    const double norm = residual_norm(folded, x);
    return {x[0] > 0 ? norm * norm : std::numeric_limits<double>::infinity(), x[0]};
}

StaticStage with_level(StaticStage stage, double scale, bool constant) {
    for (StaticCurve* curve : {&stage.positive, &stage.negative}) {
        if (constant) curve->Fs = curve->Fc;
        curve->Fc *= scale;
        curve->Fs *= scale;
    }
    return stage;
}

}  // namespace

double mean_load(const Prepared& record) {
    if (record.load.empty()) return 1;
    double sum = 0;
    for (const double N : record.load) sum += N;
    return sum / double(record.load.size());
}

BristleStart start_at(const Prepared& record, const Axis& axis, const StaticStage& curves, double deflection,
                      std::span<const std::uint8_t> use) {
    const double sigma0 = mean_load(record) * 0.5 * (curves.positive.Fc + curves.negative.Fc) / deflection;
    FitProblem problem(record, axis, start_law(kind_of<LuGre>(), curves, sigma0, axis.own_directions, 0));
    std::vector<double> values = problem.start();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (const FittedQuantity q = problem.parameters()[k].quantity; q == Q::sigma1 || q == Q::viscous) values[k] = 0;
    const auto [cost, scale] = scaled_level(problem, values, use);
    return {sigma0 * scale, with_level(curves, scale, false), cost};
}

std::vector<BristleStart> bristle_starts(const Prepared& record, const Axis& axis, const StaticStage& all,
                                         std::span<const std::uint8_t> use) {
    if (record.points || record.travel <= 0) return {};
    StaticStage stage = all;
    stage.residual = {};  // each start has a copy of the stage
    constexpr int grid = 16;
    const double low = std::max(2 * record.resolution, 1e-4 * record.travel), high = 0.5 * record.travel;
    std::vector<BristleStart> out;
    for (const bool constant : {false, true})
        for (int i = 0; i < grid; ++i) {
            BristleStart start = start_at(record, axis, with_level(stage, 1, constant),
                                          low * std::pow(high / low, i / double(grid - 1)), use);
            if (std::isfinite(start.cost)) out.push_back(std::move(start));
        }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return out;
}

}  // namespace bristle::identification
