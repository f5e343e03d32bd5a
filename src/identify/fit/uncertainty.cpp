// Covariances, intervals and identifiability.
#include "identify/fit/uncertainty.hpp"

#include "identify/fit/least_squares.hpp"
#include "identify/fit/maxwell.hpp"
#include "identify/fit/robust_covariance.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

constexpr double weak_above = 0.25, unknown_above = 0.8;  // relative standard errors
constexpr double normal_975 = 1.959963984540054;
constexpr double inseparable_below = 2e-3;  // smallest singular value, columns of unit length

double rms_of(std::span<const double> y, std::span<const std::uint8_t> use) {
    double square = 0, n = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
        if (use[i]) {
            square += y[i] * y[i];
            ++n;
        }
    return n > 0 ? std::sqrt(square / n) : 0;
}

// True for parameters that may be zero: their error is compared with the force they can make.
bool may_be_zero(const FreeParameter& p) { return !p.of_law() || p.quantity == Q::viscous || p.quantity == Q::g1; }

Identifiable judged(const FreeParameter& p, double value, double se, double effect, double force) {
    if (!std::isfinite(se)) return Identifiable::no;
    const double relative = se / std::max(std::abs(value), 1e-300);
    if (relative < weak_above) return Identifiable::yes;
    if (may_be_zero(p) && effect < 0.02 * force) return Identifiable::yes;
    return relative < unknown_above ? Identifiable::weak : Identifiable::no;
}

// The largest derivative of the output with respect to a parameter.
double largest_effect(const FittedLaw& law, std::size_t k) {
    const std::size_t p = law.values.size();
    double effect = 0;
    for (std::size_t i = 0; i < law.rows.residual.size(); ++i)
        if (law.use[i]) effect = std::max(effect, std::abs(law.rows.J[i * p + k]));
    return effect;
}

// Interval of a half width: of the logarithm, if the parameter is searched by it.
void set_interval(const FreeParameter& free, double half, FittedParameter& one) {
    if (free.log && one.value > 0) {
        const double width = std::min(700.0, half / one.value);
        one.low = one.value * std::exp(-width);
        one.high = one.value * std::exp(width);
    } else {
        one.low = std::max(one.value - half, free.low >= 0 ? 0.0 : -std::numeric_limits<double>::infinity());
        one.high = one.value + half;
    }
}

FitFinding inseparable(const FittedParameter& one, const FittedParameter& two) {
    return {.kind = FindingKind::inseparable,
            .subject = one.name,
            .place = two.name,
            .parameter = one.quantity,
            .other_parameter = two.quantity};
}

// Marks parameters that act alike, or not at all: those with a part in a direction of the parameters that hardly changes the output.
// Without any effect the standard error is infinite; residuals alone would give 0.
void mark_inseparable(const FittedLaw& law, std::vector<FittedParameter>& parameters,
                      std::vector<FitFinding>& findings) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t p = law.values.size();
    if (p == 0) return;
    const Spectrum shape =
        spectrum(fold(law.rows.J.data(), p, law.rows.residual.data(), law.rows.residual.size(), p, law.use));
    for (std::size_t j = p; j-- > 0 && shape.values[j] < inseparable_below * shape.values[0];) {
        const auto direction = shape.vector(j);
        std::vector<std::size_t> members;
        for (std::size_t k = 0; k < p; ++k)
            if (std::abs(direction[k]) > 0.3) members.push_back(k);
        std::sort(members.begin(), members.end(),
                  [&](std::size_t a, std::size_t b) { return std::abs(direction[a]) > std::abs(direction[b]); });
        for (const std::size_t k : members) {
            FittedParameter& one = parameters[k];
            one.identifiable = Identifiable::no;
            if (shape.values[j] > 1e-6 * shape.values[0]) continue;
            one.se = one.high = infinity;
            one.low = law.parameters[k].low >= 0 ? 0 : -infinity;
        }
        if (members.size() < 2) continue;
        const FittedParameter &one = parameters[members[0]], &two = parameters[members[1]];
        const auto same = [&](const FitFinding& f) {
            return f.kind == FindingKind::inseparable &&
                   ((f.subject == one.name && f.place == two.name) || (f.subject == two.name && f.place == one.name));
        };
        if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(inseparable(one, two));
    }
}

// Half the derivative of the loss at each row: the residual, limited to the scale of a robust loss.
std::vector<double> scores(const FittedLaw& law) {
    std::vector<double> out = law.rows.residual;
    if (law.loss_scale > 0)
        for (double& r : out) r = std::clamp(r, -law.loss_scale, law.loss_scale);
    return out;
}
// Rows at which the loss is a square.
std::vector<std::uint8_t> curved(const FittedLaw& law) {
    std::vector<std::uint8_t> out = law.use;
    if (law.loss_scale > 0)
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = out[i] && std::abs(law.rows.residual[i]) <= law.loss_scale;
    return out;
}

}  // namespace

Uncertainty uncertainty_of(const FitContext& context, const FittedLaw& law, double independent_rows) {
    const std::size_t p = law.values.size();
    Uncertainty out;
    const std::vector<double> score_of = scores(law);
    const std::vector<std::uint8_t> square = curved(law), &use = law.use;
    const FittedRows rows{context.record, law.rows.J, score_of, p, use, square};
    const FitOptions& options = context.options;
    RobustCovariance robust;
    if (options.errors == ErrorKind::bootstrap && !context.record.points) {
        // blocks of twice the correlation length
        const double length = 2 * correlation_length(context.record, law.rows.residual, use);
        robust = bootstrap_covariance(rows, std::max<std::size_t>(1, std::size_t(length)),
                                      std::max(2, options.resamples), options.seed);
    } else {
        robust = robust_covariance(rows, options.errors);
    }
    out.covariance = std::move(robust.matrix);
    for (const double degrees : robust.degrees_of_freedom)
        out.degrees_of_freedom.push_back(std::min(std::max(1.0, independent_rows - double(p)), degrees));
    const auto classic = classic_covariance(law.rows.J, law.rows.residual, p, use);
    std::vector<double> factors;
    for (std::size_t k = 0; k < p; ++k)
        if (classic[k * p + k] > 0)
            factors.push_back(std::sqrt(std::max(0.0, out.covariance[k * p + k] / classic[k * p + k])));
    if (!factors.empty()) {
        std::nth_element(factors.begin(), factors.begin() + std::ptrdiff_t(factors.size() / 2), factors.end());
        out.classic_factor = factors[factors.size() / 2];
    }
    return out;
}

std::vector<FittedParameter> described_parameters(const FittedLaw& law, const Uncertainty& uncertainty,
                                                  std::vector<FitFinding>& findings) {
    const std::size_t p = law.values.size();
    const auto& use = law.use;
    const double force = rms_of(law.y, use);
    std::vector<FittedParameter> out;
    for (std::size_t k = 0; k < p; ++k) {
        const FreeParameter& free = law.parameters[k];
        const double t = student_975(uncertainty.degrees_of_freedom[k]);
        FittedParameter one{.name = free.name,
                            .unit = free.unit,
                            .value = law.values[k],
                            .quantity = free.quantity,
                            .doc = free.doc,
                            .table_name = free.table_name,
                            .direction = free.direction,
                            .doc_has_direction = free.doc_has_direction};
        one.se = std::sqrt(std::max(0.0, uncertainty.covariance[k * p + k]));
        set_interval(free, t * one.se, one);
        const double span = free.log ? std::log(free.high / free.low) : 1;
        one.at_bound =
            free.log ? std::abs(std::log(one.value / free.low)) < 1e-3 * span ||
                           std::abs(std::log(free.high / one.value)) < 1e-3 * span
                     : (free.high < 1e299 && free.high - one.value < 1e-4 * (free.high - std::max(free.low, -1e299))) ||
                           (free.low > -1e299 &&
                            one.value - free.low < 1e-4 * std::max(std::abs(free.low), 0.01 * free.scale));
        // by the interval: with few independent rows it is wider than two standard errors
        const double wide = one.se * t / normal_975;
        one.identifiable = judged(free, one.value, wide, largest_effect(law, k) * wide, force);
        out.push_back(one);
    }
    mark_inseparable(law, out, findings);
    add_parameter_findings(out, findings);
    return out;
}

void add_parameter_findings(const std::vector<FittedParameter>& parameters, std::vector<FitFinding>& findings) {
    std::erase_if(findings, [](const FitFinding& f) {
        return f.kind == FindingKind::at_bound || f.kind == FindingKind::not_identifiable ||
               f.kind == FindingKind::weak;
    });
    for (const FittedParameter& one : parameters) {
        if (one.at_bound)
            findings.push_back({.kind = FindingKind::at_bound,
                                .subject = one.name,
                                .parameter = one.quantity,
                                .value = one.value,
                                .unit = one.unit});
        const double relative = one.se / std::max(std::abs(one.value), 1e-300);
        if (one.identifiable != Identifiable::yes)
            findings.push_back(
                {.kind = one.identifiable == Identifiable::no ? FindingKind::not_identifiable : FindingKind::weak,
                 .subject = one.name,
                 .parameter = one.quantity,
                 .value = relative});
    }
}

void add_sensitivity(const FittedLaw& law, const std::vector<FittedLaw>& others, LawFit& out) {
    const double force = rms_of(law.y, law.use);
    const std::size_t p = law.values.size();
    std::vector<double> factor(p, 1.0);
    for (std::size_t k = 0; k < p; ++k) {
        FittedParameter& one = out.parameters[k];
        const FreeParameter& free = law.parameters[k];
        if (one.identifiable == Identifiable::no || !std::isfinite(one.se)) continue;
        const bool of_element = free.quantity == Q::k || free.quantity == Q::d;
        double change = 0;
        for (const FittedLaw& other : others) {
            if (of_element && other.values.size() != p) continue;  // other elements
            const double value = other.value_of_same(one.name, one.value);
            change = std::max(
                change, free.log ? one.value * std::abs(std::log(value / one.value)) : std::abs(value - one.value));
        }
        if (!(change > one.se) || !std::isfinite(change) || !(one.se > 0)) continue;
        const double half = free.log ? one.value * std::log(one.high / one.value) : one.high - one.value;
        factor[k] = std::hypot(half, change) / half;
        one.se *= factor[k];
        set_interval(free, factor[k] * half, one);
        one.identifiable = judged(free, one.value, one.se, largest_effect(law, k) * one.se, force);
    }
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j < p; ++j) out.covariance[i * p + j] *= factor[i] * factor[j];
    if (law.has_elements()) {
        std::vector<AnyLaw> laws;
        for (const FittedLaw& other : others) laws.push_back(other.law);
        widen_maxwell_level(laws, out.parameters.back());
    }
    add_parameter_findings(out.parameters, out.findings);
}

namespace {

// Rules of the motion, whatever the derivatives say: in one direction a level cannot be separated from an offset; without rest or reversal
// the force does not show stiffness and damping of the bristle.
void judge_motion(const FitContext& context, LawFit& out) {
    const Prepared& record = context.record;
    bool forward = false, backward = false;
    double slowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < record.rows(); ++i) {
        if (!record.compared[i]) continue;
        forward = forward || record.v[i] > 0;
        backward = backward || record.v[i] < 0;
        slowest = std::min(slowest, std::abs(record.v[i]));
    }
    if ((forward && backward) || record.points) return;
    constexpr double at_rest = 0.05;  // of the largest speed
    const bool slides_only = slowest > at_rest * record.max_speed;
    const FittedParameter *offset = out.parameter(Q::offset), *level = nullptr;
    for (FittedParameter& p : out.parameters) {
        const bool unseen = slides_only && (p.quantity == Q::sigma0 || p.quantity == Q::sigma1);
        if (!unseen && !(offset && (p.is_level() || p.quantity == Q::offset))) continue;
        p.identifiable = Identifiable::no;
        if (level == nullptr && p.is_level()) level = &p;
    }
    if (offset && level) out.findings.push_back(inseparable(*level, *offset));
    add_parameter_findings(out.parameters, out.findings);
}

}  // namespace

LawFit described(const FitContext& context, const FittedLaw& law, double independent_rows) {
    LawFit out;
    out.kind = law.kind;
    out.law = law.law;
    out.own_directions = context.axis.own_directions;
    out.fit = law.fit;
    out.heldout = law.heldout;
    out.free = int(law.values.size());
    if (!law.converged) {
        out.reason = RefusalReason::did_not_converge;
        return out;
    }
    const Uncertainty uncertainty = uncertainty_of(context, law, independent_rows);
    out.parameters = described_parameters(law, uncertainty, out.findings);
    for (const FreeParameter& p : law.parameters) out.covariance_names.push_back(p.name);
    out.covariance = uncertainty.covariance;
    if (law.has_elements())  // the level acts in all rows that slide, like the parameter with the most independent rows
        out.parameters.push_back(maxwell_level(law.law, law.parameters, uncertainty.covariance,
                                               student_975(*std::max_element(uncertainty.degrees_of_freedom.begin(),
                                                                             uncertainty.degrees_of_freedom.end()))));
    judge_motion(context, out);
    return out;
}

}  // namespace bristle::identification
