// Maxwell-slip by non-negative least squares on yield deflections of a grid that is refined.
#include "identify/fit/maxwell.hpp"

#include "identify/fit/least_squares.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

constexpr std::size_t elements = 14;
constexpr std::size_t max_refined_rows =
    2'000'000;  // longer records keep the grid: a refinement takes up to 0.5 kB a row

// Deflection [m] of springs that yield at d_i, each with the gap in series, along the motion: the first columns of a table with `stride`
// columns. slopes: the derivatives of the deflections with respect to d_i instead [1].
void set_deflections(const Prepared& record, const std::vector<double>& d, double gap, std::vector<double>& out,
                     std::size_t stride, bool slopes = false) {
    const double half = 0.5 * gap;
    for (const PreparedRun& run : record.runs) {
        std::vector<double> s(d.size(), 0.0), slope(d.size(), 0.0);
        for (std::size_t i = run.begin; i < run.begin + run.size; ++i) {
            const double step = i > run.begin ? record.x[i] - record.x[i - 1] : 0;
            for (std::size_t k = 0; k < d.size(); ++k) {
                const double end = d[k] + half;
                s[k] += step;
                if (std::abs(s[k]) > end) {
                    slope[k] = s[k] > 0 ? 1 : -1;
                    s[k] = slope[k] * end;
                }
                const double carried = s[k] - std::clamp(s[k], -half, half);
                out[i * stride + k] = !slopes ? carried : carried != 0 ? slope[k] : 0;
            }
        }
    }
}

AnyLaw law_of(const std::vector<double>& k, const std::vector<double>& d, double sigma2, double vs) {
    MaxwellSlip law;
    double level = 0;
    for (std::size_t i = 0; i < k.size(); ++i) level += k[i] * d[i];
    law.size = int(k.size());
    for (std::size_t i = 0; i < k.size(); ++i) {
        law.k[i] = k[i];
        law.nu[i] = k[i] * d[i] / level;
    }
    law.C = 100 * level;  // a slipping element follows its constant level at once
    law.sigma2 = law.sigma2_negative = sigma2;
    law.curve = {.Fc = level, .Fs = level, .vs = vs, .alpha = 2, .allow_rising = true};
    return law;
}

// The linear problem of elements that yield at the deflections d: columns of the elements, of v, and of the terms that are found.
class ElementProblem {
  public:
    ElementProblem(const Prepared& record, const Axis& axis, double gap, std::span<const std::uint8_t> use)
        : record_(record), axis_(axis), gap_(gap), use_(use) {
        const std::size_t n = record.rows();
        std::vector<double> given(n);  // of the force, from what is known of the axis
        for (std::size_t i = 0; i < n; ++i) given[i] = axis.gain.value * axis.back_emf.value * record.v[i];
        for (const Term& t : axis.terms)
            if (t.found)
                found_.push_back(&t);
            else
                for (std::size_t i = 0; i < n; ++i) given[i] += t.coefficient * t.column[i];
        if (axis.delay.value != 0) move_by(record, axis.delay.value, given, 1);
        target_.resize(n);
        for (std::size_t i = 0; i < n; ++i) target_[i] = axis.gain.value * record.y[i] - given[i];
    }

    struct Solution {
        std::vector<double> d, J, x;  // m; rows of p columns; coefficients
        double squares = 0;           // of the residual, in the square of the unit of the force
        std::size_t p() const { return x.size(); }
    };
    Solution solved(std::vector<double> d) const {
        const std::size_t n = record_.rows(), p = d.size() + 1 + found_.size();
        Solution out{std::move(d), std::vector<double>(n * p), {}, 0};
        const std::size_t m = out.d.size();
        set_deflections(record_, out.d, gap_, out.J, p);
        std::vector<Lane> lanes;
        for (std::size_t k = 0; k < m; ++k) lanes.push_back({out.J.data() + k, p});
        record_.filter(lanes);
        for (std::size_t i = 0; i < n; ++i) {
            double* row = out.J.data() + i * p;
            row[m] = record_.v[i];
            for (std::size_t k = 0; k < found_.size(); ++k) row[m + 1 + k] = found_[k]->column[i];
        }
        if (axis_.delay.value != 0) move_by(record_, axis_.delay.value, out.J, p);
        std::vector<std::uint8_t> nonnegative(p, 0);
        std::fill_n(nonnegative.begin(), m + 1, std::uint8_t(1));
        const Folded folded = fold(out.J.data(), p, target_.data(), n, p, use_);
        out.x = nonnegative_solution(folded, nonnegative);
        out.squares = std::pow(residual_norm(folded, out.x), 2);
        return out;
    }
    // Derivatives of the force with respect to the deflections, of unit stiffness; one column per element.
    std::vector<double> slopes(const std::vector<double>& d) const {
        std::vector<double> out(record_.rows() * d.size());
        set_deflections(record_, d, gap_, out, d.size(), true);
        record_.filter(out.data(), d.size());
        if (axis_.delay.value != 0) move_by(record_, axis_.delay.value, out, d.size());
        return out;
    }
    double independent_rows(const Solution& solution) const {
        std::vector<double> residual = target_;
        const std::size_t p = solution.p();
        for (std::size_t i = 0; i < residual.size(); ++i)
            for (std::size_t k = 0; k < p; ++k) residual[i] -= solution.x[k] * solution.J[i * p + k];
        const double rows = double(std::count(use_.begin(), use_.end(), std::uint8_t(1)));
        return std::max(2.0, rows / correlation_length(record_, residual, use_));
    }
    const std::vector<const Term*>& found() const { return found_; }
    const std::vector<double>& target() const { return target_; }
    std::span<const std::uint8_t> use() const { return use_; }

  private:
    const Prepared& record_;
    const Axis& axis_;
    double gap_;
    std::span<const std::uint8_t> use_;
    std::vector<const Term*> found_;
    std::vector<double> target_;
};

// Deflections with an element of positive stiffness.
std::vector<double> active(const ElementProblem::Solution& solution) {
    std::vector<double> out;
    for (std::size_t k = 0; k < solution.d.size(); ++k)
        if (solution.x[k] > 0) out.push_back(solution.d[k]);
    return out;
}

// Gauss-Newton steps in stiffnesses and deflections together, while the sum of squares falls.
ElementProblem::Solution polished(const ElementProblem& problem, ElementProblem::Solution best) {
    constexpr double largest = 0.2;  // relative change of a deflection in one step
    for (int round = 0; round < 6; ++round) {
        const std::size_t n = problem.target().size(), m = best.d.size(), p = best.p(), q = p + m;
        const std::vector<double> slopes = problem.slopes(best.d);
        std::vector<double> J(n * q), residual = problem.target();
        for (std::size_t i = 0; i < n; ++i) {
            std::copy_n(best.J.data() + i * p, p, J.data() + i * q);
            for (std::size_t k = 0; k < p; ++k) residual[i] -= best.x[k] * best.J[i * p + k];
            for (std::size_t k = 0; k < m; ++k) J[i * q + p + k] = best.x[k] * slopes[i * m + k];
        }
        const std::vector<double> step = solution(fold(J.data(), q, residual.data(), n, q, problem.use()));
        std::vector<double> d = best.d;
        for (std::size_t k = 0; k < m; ++k) d[k] += std::clamp(step[p + k], -largest * d[k], largest * d[k]);
        ElementProblem::Solution next = problem.solved(std::move(d));
        if (!(next.squares < (1 - 1e-9) * best.squares)) break;
        best = std::move(next);
    }
    return best;
}

// Active elements whose deflections lie within a factor `width` become one, with their level and stiffness: its deflection [m].
std::vector<double> joined(const ElementProblem::Solution& solution, double width) {
    std::vector<double> out;
    double level = 0, stiffness = 0, first = 0;
    for (std::size_t k = 0; k < solution.d.size(); ++k) {
        if (!(solution.x[k] > 0)) continue;
        if (stiffness > 0 && solution.d[k] > 1.01 * width * first) {
            out.push_back(level / stiffness);
            level = stiffness = 0;
        }
        if (stiffness == 0) first = solution.d[k];
        level += solution.x[k] * solution.d[k];
        stiffness += solution.x[k];
    }
    if (stiffness > 0) out.push_back(level / stiffness);
    return out;
}

// Moves the yield deflections off the grid: neighbours of the active ones at half the distance, up to four times, while the sum of squares
// falls; then active neighbours become one element, and further ones until a law can hold them; then Gauss-Newton steps.
ElementProblem::Solution refined(const ElementProblem& problem, ElementProblem::Solution best, double ratio) {
    for (int round = 0; round < 4; ++round) {
        const double finer = std::sqrt(ratio);
        std::vector<double> d;
        for (const double one : active(best))
            for (const double factor : {1 / finer, 1.0, finer}) d.push_back(one * factor);
        std::sort(d.begin(), d.end());
        const auto same = [](double a, double b) { return b < 1.001 * a; };
        d.erase(std::unique(d.begin(), d.end(), same), d.end());
        if (d.empty() || d.size() > 40) break;
        ElementProblem::Solution next = problem.solved(std::move(d));
        if (!(next.squares < best.squares)) break;
        best = std::move(next);
        ratio = finer;
    }
    if (active(best).empty()) return best;
    std::vector<double> d = joined(best, ratio);
    for (double width = ratio; d.size() > std::size_t(max_elements);) d = joined(best, width *= ratio);
    return polished(problem, problem.solved(std::move(d)));
}

// Joins elements up to the distance of the grid, a factor `widest`, if the information criterion permits: an element has two parameters.
ElementProblem::Solution simplified(const ElementProblem& problem, ElementProblem::Solution best, double widest) {
    for (double width = std::pow(widest, 1.0 / 16); width < 1.01 * widest; width *= width) {
        const std::size_t before = active(best).size();
        std::vector<double> d = joined(best, width);
        if (d.empty() || d.size() >= before) continue;
        const double removed = double(before - d.size()), rows = problem.independent_rows(best);
        ElementProblem::Solution next = polished(problem, problem.solved(std::move(d)));
        if (rows * std::log(next.squares / best.squares) <= 2 * removed * std::log(rows)) best = std::move(next);
    }
    return best;
}

// A number >= 0 of the law.
FreeParameter of_law(FittedQuantity quantity, const char* name, const char* unit, const char* doc, int index = -1) {
    FreeParameter out;
    out.quantity = quantity;
    out.index = index;
    out.name = out.table_name = name + (index >= 0 ? "[" + std::to_string(index) + "]" : std::string());
    out.unit = unit;
    out.doc = doc;
    out.high = 1e300;
    return out;
}

}  // namespace

bool needs_given_gain(std::string_view kind, const FitModel& model) {
    const bool found = model.gain.kind == Setting::Kind::find || model.back_emf.kind == Setting::Kind::find;
    return found && kind_has_elements(kind);
}

MaxwellFit fit_maxwell(const Prepared& record, const Axis& axis, double gap, std::span<const std::uint8_t> use,
                       bool refine) {
    const double low = std::max(2 * record.resolution, 1e-3 * record.travel), high = 0.7 * record.travel;
    const double ratio = std::pow(high / low, 1 / double(elements - 1));
    std::vector<double> grid;
    for (std::size_t k = 0; k < elements; ++k) grid.push_back(low * std::pow(ratio, double(k)));
    const ElementProblem problem(record, axis, gap, use);
    ElementProblem::Solution solution = problem.solved(std::move(grid));
    refine = refine && record.rows() <= max_refined_rows;
    if (refine) solution = simplified(problem, refined(problem, std::move(solution), ratio), ratio);
    const std::vector<double>&x = solution.x, &d = solution.d;

    MaxwellFit out;
    out.cost = solution.squares / (axis.gain.value * axis.gain.value);
    std::vector<std::size_t> kept;
    std::vector<double> stiffness;
    for (std::size_t k = 0; k < d.size(); ++k)
        if (x[k] > 0) {
            kept.push_back(k);
            stiffness.push_back(x[k]);
            out.deflection.push_back(d[k]);
            out.parameters.push_back(
                of_law(FittedQuantity::k, "k", "N/m", "stiffness of an element", int(kept.size()) - 1));
            out.values.push_back(x[k]);
        }
    // the deflections are estimates too: their columns follow those of the stiffnesses
    const std::size_t m = stiffness.size();
    const std::vector<double> slopes = refine ? problem.slopes(out.deflection) : std::vector<double>{};
    for (std::size_t k = 0; k < m && refine; ++k) {
        out.parameters.push_back(
            of_law(FittedQuantity::d, "d", "m", "deflection at which the element yields, nu Fc/k", int(k)));
        out.values.push_back(out.deflection[k]);
    }
    if (x[d.size()] > 0) {
        kept.push_back(d.size());
        out.parameters.push_back(of_law(FittedQuantity::viscous, "sigma2", "N s/m", "viscous friction"));
        out.values.push_back(x[d.size()]);
    }
    for (std::size_t k = 0; k < problem.found().size(); ++k) {
        const Term& t = *problem.found()[k];
        kept.push_back(d.size() + 1 + k);
        out.parameters.push_back({t.name, t.unit, t.doc, t.quantity, {}, k, -1e300, 1e300, false, 1});
        out.values.push_back(x[d.size() + 1 + k]);
    }
    if (!stiffness.empty()) out.law = law_of(stiffness, out.deflection, x[d.size()], std::max(record.max_speed, 1e-12));
    // rows of the parameters that are left, in the unit of y: stiffnesses, deflections, others
    const std::size_t n = record.rows(), p = solution.p(), added = refine ? m : 0, q = kept.size() + added;
    out.rows.J.resize(n * q);
    out.rows.residual = problem.target();
    out.rows.friction.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        double* row = out.rows.J.data() + i * q;
        for (std::size_t c = 0; c < kept.size(); ++c) {
            const double column = solution.J[i * p + kept[c]];
            row[c < m ? c : c + added] = column / axis.gain.value;
            out.rows.residual[i] -= column * x[kept[c]];
            if (kept[c] <= d.size()) out.rows.friction[i] += column * x[kept[c]];
        }
        for (std::size_t k = 0; k < added; ++k) row[m + k] = stiffness[k] * slopes[i * m + k] / axis.gain.value;
        out.rows.residual[i] /= axis.gain.value;
    }
    return out;
}

GapScan scan_gap(const Prepared& record, const Axis& axis, std::span<const std::uint8_t> use) {
    const double without = fit_maxwell(record, axis, 0, use, false).cost;
    GapScan out;
    const auto attempt = [&](double gap) {
        if (const double ratio = fit_maxwell(record, axis, gap, use, false).cost / without; ratio < out.ratio)
            out = {gap, ratio};
    };
    constexpr int grid = 24;
    const double step = 0.4 * record.travel / grid;
    for (int i = 1; i <= grid; ++i) attempt(i * step);
    for (double width = 0.5 * step; out.gap > 0 && width > 0.05 * step; width *= 0.5) {
        const double middle = out.gap;
        attempt(middle - width);
        attempt(middle + width);
    }
    return out;
}

FittedParameter maxwell_level(const AnyLaw& law, const std::vector<FreeParameter>& parameters,
                              std::span<const double> covariance, double student) {
    const auto& slip = std::get<AnyMaxwellSlip>(law);
    FittedParameter out{.name = "Fc",
                        .unit = "N",
                        .value = slip.curve.stribeck.positive.Fc,
                        .quantity = FittedQuantity::Fc,
                        .doc = "level of all elements together",
                        .table_name = "Fc"};
    const auto yield = [&](int i) { return slip.nu[i] * out.value / slip.k[i]; };
    double variance = 0;
    // Fc = sum k d
    const std::size_t p = parameters.size();
    std::vector<double> slope(p, 0.0);
    for (int i = 0; i < slip.count(); ++i)
        for (std::size_t c = 0; c < p; ++c) {
            if (parameters[c].index != i) continue;
            if (parameters[c].quantity == FittedQuantity::k) slope[c] = yield(i);
            if (parameters[c].quantity == FittedQuantity::d) slope[c] = slip.k[i];
        }
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j < p; ++j) variance += slope[i] * slope[j] * covariance[i * p + j];
    out.se = std::sqrt(std::max(0.0, variance));
    out.low = std::max(0.0, out.value - student * out.se);
    out.high = out.value + student * out.se;
    const double relative = out.se / std::max(out.value, 1e-300);
    out.identifiable = relative < 0.25 ? Identifiable::yes : relative < 0.8 ? Identifiable::weak : Identifiable::no;
    return out;
}

void widen_maxwell_level(std::span<const AnyLaw> others, FittedParameter& level) {
    double change = 0;
    for (const AnyLaw& other : others)
        change = std::max(change, std::abs(std::get<AnyMaxwellSlip>(other).curve.stribeck.positive.Fc - level.value));
    const double half = level.high - level.value;
    if (!(change > level.se) || !(half > 0)) return;
    const double factor = std::hypot(half, change) / half;
    level.se *= factor;
    level.low = std::max(0.0, level.value - factor * half);
    level.high = level.value + factor * half;
}

std::vector<double> maxwell_force(const Prepared& record, const AnyLaw& law, double gap) {
    const auto& slip = std::get<AnyMaxwellSlip>(law);
    std::vector<double> d;
    const double level = slip.curve.stribeck.positive.Fc;
    for (int i = 0; i < slip.count(); ++i) d.push_back(slip.nu[i] * level / slip.k[i]);
    std::vector<double> lanes(record.rows() * d.size());
    set_deflections(record, d, gap, lanes, d.size());
    std::vector<double> out(record.rows(), 0.0);
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t k = 0; k < d.size(); ++k) out[i] += slip.k[k] * lanes[i * d.size() + k];
    record.filter(out.data(), 1);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += slip.sigma2 * record.v[i];
    return out;
}

}  // namespace bristle::identification
