// What a fit shows besides its numbers.
#include "identify/fit/findings.hpp"

#include "identify/fit/least_squares.hpp"
#include "identify/fit/maxwell.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

// Least-squares coefficient of one more column beside those of the law, with its significance as a multiple of the standard error and the
// fraction of the sum of squares that it removes.
struct Extra {
    double coefficient = 0, significance = 0, explained = 0;
};
Extra extra_term(const FittedLaw& law, const std::vector<double>& column, double independent_rows) {
    const std::size_t n = column.size(), p = law.values.size(), q = p + 1;
    std::vector<double> J(n * q);
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(law.rows.J.data() + i * p, p, J.data() + i * q);
        J[i * q + p] = column[i];
    }
    const Folded folded = fold(J.data(), q, law.rows.residual.data(), n, q, law.use);
    const std::vector<double> x = solution(folded);
    const double left = std::pow(residual_norm(folded, x), 2),
                 all = std::pow(residual_norm(folded, std::vector<double>(q, 0.0)), 2);
    const double variance = left / std::max(1.0, independent_rows) * inverse_normal(folded)[q * q - 1];
    return variance > 0 ? Extra{x[p], x[p] / std::sqrt(variance), all > 0 ? 1 - left / all : 0} : Extra{};
}

// A column that follows from the motion, as the model has it: filtered and delayed.
void as_model(const FitContext& context, const FittedLaw& law, std::vector<double>& column) {
    context.record.filter(column.data(), 1);
    if (const double delay = law.value(Q::delay, context.axis.delay.value); delay != 0)
        move_by(context.record, delay, column, 1);
}

double level(const StaticCurve& curve) { return std::max(curve.Fc, curve.Fs); }

double sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

// Change of the level over the record, relative to it.
std::optional<FitFinding> drift_finding(const FitContext& context, const FittedLaw& law, double independent_rows) {
    const Prepared& record = context.record;
    const bool of_position = context.options.model.output == Output::position;
    if (record.points || record.runs.size() > 3 || of_position) return std::nullopt;
    std::vector<double> column(record.rows());
    const auto [first, last] = std::minmax_element(record.t.begin(), record.t.end());
    const double middle = 0.5 * (*first + *last), span = *last - *first;
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = sign_of(record.v[i]) * (record.t[i] - middle) / span;
    as_model(context, law, column);
    const Extra drift = extra_term(law, column, independent_rows);
    const double relative = drift.coefficient / std::max(level(context.stage.positive), 1e-300);
    if (std::abs(drift.significance) < 5 || std::abs(relative) < 0.03) return std::nullopt;
    return FitFinding{.kind = FindingKind::drift, .value = relative, .unit = "1"};
}

// A low-pass filter in the force channel. It looks like a delay of its time constant T, but leaves T^2/2 y'' in the residual.
std::optional<FitFinding> sensor_filter_finding(const FitContext& context, const FittedLaw& law,
                                                double independent_rows) {
    const Prepared& record = context.record;
    const double delay = law.value(Q::delay);
    if (record.points || delay <= 0.5 / record.sample_rate) return std::nullopt;
    std::vector<double> column(record.rows(), 0.0);
    for (const PreparedRun& run : record.runs)
        for (std::size_t i = run.begin + 1; i + 1 < run.begin + run.size; ++i)
            column[i] = (law.y[i - 1] - 2 * law.y[i] + law.y[i + 1]) / (run.dt * run.dt);
    const Extra bend = extra_term(law, column, independent_rows);
    if (bend.significance < 5 || std::abs(bend.coefficient / (0.5 * delay * delay) - 1) > 0.5) return std::nullopt;
    return FitFinding{.kind = FindingKind::sensor_filter, .value = delay, .unit = "s"};
}

// Friction at the largest speed in both directions, if it differs by more than 2 % and twice its standard error.
std::optional<FitFinding> asymmetry_finding(const LawFit& described, double speed) {
    const FittedParameter* Fc = described.parameter(Q::Fc);
    if (!described.own_directions || Fc == nullptr || !(Fc->value > 0)) return std::nullopt;
    const auto at_speed = [&](int motion, double& error) {
        double sum = 0;
        for (const auto& [quantity, factor] : {std::pair{Q::Fc, 1.0}, {Q::viscous, speed}}) {
            const FittedParameter* p = described.parameter(quantity, motion);
            if (p == nullptr) continue;
            sum += factor * p->value;
            error = std::hypot(error, factor * p->se);
        }
        return sum;
    };
    double error = 0;
    const double positive = at_speed(1, error), negative = at_speed(-1, error);
    const double difference = std::abs(positive - negative);
    if (difference < 2 * error || difference < 0.02 * positive) return std::nullopt;
    return FitFinding{.kind = FindingKind::asymmetry, .subject = "", .value = positive, .other = negative, .unit = "N"};
}

// An Fc for both directions beside other numbers of each, because the offset acts like a difference of both Fc.
std::optional<FitFinding> shared_level_finding(const LawFit& described) {
    const FittedParameter *Fc = described.parameter(Q::Fc), *offset = described.parameter(Q::offset);
    const bool has_sides = std::any_of(described.parameters.begin(), described.parameters.end(),
                                       [](const FittedParameter& p) { return p.direction != 0; });
    if (!has_sides || Fc == nullptr || Fc->direction != 0 || offset == nullptr) return std::nullopt;
    return FitFinding{.kind = FindingKind::shared_level,
                      .subject = Fc->name,
                      .place = offset->name,
                      .parameter = Q::Fc,
                      .other_parameter = Q::offset,
                      .value = offset->value,
                      .unit = offset->unit};
}

// True if a known inertia or weight fixes the scale of all forces.
bool has_anchor(const FitContext& context) {
    return std::any_of(context.axis.terms.begin(), context.axis.terms.end(),
                       [](const Term& t) { return !t.found && t.quantity != Q::offset; });
}

}  // namespace

std::vector<FitFinding> curve_findings(const LawFit& described, double max_speed) {
    std::vector<FitFinding> out;
    for (const FittedParameter& Fs : described.parameters) {
        if (Fs.quantity != Q::Fs) continue;
        const FittedParameter* Fc = described.parameter(Q::Fc, Fs.direction);
        if (Fc && Fc->value - Fs.value > 2 * std::hypot(Fs.se, Fc->se))
            out.push_back({.kind = FindingKind::fs_below_fc,
                           .subject = Fs.name,
                           .parameter = Q::Fs,
                           .value = Fs.value,
                           .other = Fc->value,
                           .unit = "N",
                           .direction = Fs.direction});
    }
    if (const auto asymmetry = asymmetry_finding(described, max_speed)) out.push_back(*asymmetry);
    if (const auto shared = shared_level_finding(described)) out.push_back(*shared);
    return out;
}

std::vector<FitFinding> axis_findings(const FitContext& context, const FittedLaw& law, const LawFit& described,
                                      double independent_rows) {
    std::vector<FitFinding> out;
    const Prepared& record = context.record;
    const FittedParameter* found = described.parameter(Q::delay);
    // positions keep the delay of the force, which is not a parameter of theirs
    const double delay = found ? (std::abs(found->value) > 3 * found->se ? found->value : 0)
                         : context.options.model.delay.kind == Setting::Kind::find ? context.axis.delay.value
                                                                                   : 0;
    if (delay != 0)
        out.push_back({.kind = FindingKind::delay, .value = delay, .other = delay * record.sample_rate, .unit = "s"});
    for (const ColumnUse& column : context.columns)
        if (column.quantity == measured_channel(context.options.model) && column.gain != 1 && !has_anchor(context))
            out.push_back(
                {.kind = FindingKind::gain_scales, .subject = "gain", .parameter = Q::gain, .value = column.gain});
    if (context.axis.ripple_period > 0)
        out.push_back({.kind = FindingKind::ripple,
                       .value = context.axis.ripple_period,
                       .other = std::hypot(law.value(Q::ripple_cos), law.value(Q::ripple_sin)),
                       .unit = "m"});
    if (const FittedParameter* inertia = described.parameter(Q::inertia); inertia && inertia->high < 0)
        out.push_back({.kind = FindingKind::negative_inertia, .value = inertia->value, .unit = inertia->unit});
    for (FitFinding& f : curve_findings(described, record.max_speed)) out.push_back(std::move(f));
    if (const auto drift = drift_finding(context, law, independent_rows)) out.push_back(*drift);
    if (const auto filter = sensor_filter_finding(context, law, independent_rows)) out.push_back(*filter);
    return out;
}

std::optional<FitFinding> backlash_finding(const FitContext& context, const FittedLaw& law, double independent_rows) {
    const Prepared& record = context.short_record;
    if (record.points || context.axis.gap.kind == Setting::Kind::given || record.travel <= 0) return std::nullopt;
    if (is_static(law.law)) return std::nullopt;  // no presliding
    const GapScan scan = scan_gap(record, context.short_axis, record.compared);
    const double gained = -independent_rows * std::log(scan.ratio);
    const bool clear = gained > 10 && scan.ratio < 0.85;
    if (!clear || scan.gap < std::max(2 * record.resolution, 0.01 * record.travel)) return std::nullopt;
    const double fitted = law.value(Q::gap);
    return FitFinding{.kind = FindingKind::backlash,
                      .subject = fitted > 0 ? "gap" : "",
                      .parameter = Q::gap,
                      .value = fitted > 0 ? fitted : scan.gap,
                      .unit = "m",
                      .is_in_model = fitted > 0};
}

std::optional<FitFinding> inertia_finding(const FitContext& context, const FittedLaw& law, double independent_rows) {
    const Prepared& record = context.record;
    if (record.points || context.has_inertia()) return std::nullopt;
    std::vector<double> column(record.rows(), 0.0);
    for (const PreparedRun& run : record.runs)
        for (std::size_t i = run.begin + 1; i + 1 < run.begin + run.size; ++i)
            column[i] = (record.v[i + 1] - record.v[i - 1]) / (2 * run.dt);
    as_model(context, law, column);
    const Extra inertia = extra_term(law, column, independent_rows);
    if (inertia.significance < 10 || !(inertia.explained > 0.25)) return std::nullopt;
    return FitFinding{.kind = FindingKind::inertia_missing,
                      .value = inertia.coefficient * context.axis.gain.value,
                      .other = inertia.explained,
                      .unit = "kg"};
}

std::optional<FitFinding> inertia_finding_at(const FitContext& context, const FittedLaw& rough) {
    if (!rough.converged || context.record.points || context.has_inertia()) return std::nullopt;
    FittedLaw law = at_values(context, rough);
    law.use = context.record.compared;
    const double length = correlation_length(context.record, law.rows.residual, law.use);
    return inertia_finding(context, law, double(law.fit.rows) / length);
}

std::optional<FitFinding> concave_finding(const FitContext& context, const FittedLaw& law, double independent_rows) {
    std::vector<double> column(context.record.rows());
    const double speed = context.record.max_speed;
    for (std::size_t i = 0; i < column.size(); ++i) {
        const double v = context.record.v[i] / speed;
        column[i] = sign_of(v) * (v * v - std::abs(v));  // bends the line between rest and the largest speed
    }
    as_model(context, law, column);
    const Extra bend = extra_term(law, column, independent_rows);
    if (bend.significance > -5 || -bend.coefficient < 0.1 * level(context.stage.positive)) return std::nullopt;
    return FitFinding{.kind = FindingKind::concave_viscous, .value = bend.coefficient, .unit = "N"};
}

bool matters(const FitFinding& finding, const FitContext& context, const FittedLaw& law) {
    if (finding.kind != FindingKind::coarse_position) return true;
    const Prepared& record = context.record;
    const double sigma0 = law.value(Q::sigma0), deflection = sigma0 > 0 ? level(context.stage.positive) / sigma0 : 0;
    const double velocity_noise = finding.value * (record.bandwidth > 0 ? record.bandwidth : record.sample_rate);
    return velocity_noise > 0.01 * record.max_speed || (deflection > 0 && finding.value > 0.05 * deflection);
}

namespace {

// The kind of motion that shows a number of a law.
NextMeasurement::Motion motion_for(Q quantity) {
    using Motion = NextMeasurement::Motion;
    switch (quantity) {
        case Q::sigma0:
        case Q::kappa:
        case Q::k:
        case Q::d:
        case Q::a:
            return Motion::presliding;
        case Q::sigma1:
        case Q::vc:
            return Motion::step_from_rest;
        case Q::vs:
        case Q::Fs:
        case Q::c:
        case Q::g1:
        case Q::g2:
        case Q::g3:
        case Q::g4:
        case Q::g5:
            return Motion::slow_reversals;
        default:
            return Motion::constant_speeds;
    }
}

}  // namespace

std::vector<NextMeasurement> next_measurements(const FitContext& context, const LawFit& law) {
    using Motion = NextMeasurement::Motion;
    std::vector<NextMeasurement> out;
    std::set<std::string> named;
    const auto number = [&](Q quantity) {
        const FittedParameter* p = law.parameter(quantity);
        return p ? p->value : 0.0;
    };
    const double speed = context.record.max_speed, level = std::max(number(Q::Fc), number(Q::g4)),
                 sigma0 = number(Q::sigma0);
    // a stiffness that is not determined may be far off
    const double travel = std::max(context.record.travel, 1e-300);
    const double least = std::max(2 * context.record.resolution, 1e-3 * travel),
                 largest = std::max(least, 0.3 * travel);
    // static points have no travel: the amplitude is not known
    const double deflection = context.record.points ? 0 : std::clamp(sigma0 > 0 ? level / sigma0 : 0, least, largest);
    for (const FittedParameter& p : law.parameters) {
        if (p.identifiable == Identifiable::yes || !p.of_law()) continue;
        if (!named.insert(p.table_name).second) continue;
        NextMeasurement next{.parameter = p.table_name, .quantity = p.quantity, .motion = motion_for(p.quantity)};
        if (next.motion == Motion::presliding) {
            next.amplitude = 0.5 * deflection;
            next.low = 0;
            next.high = 5 * deflection;
            next.sample_rate = 1000;
        } else if (next.motion == Motion::step_from_rest) {
            next.amplitude = deflection;
            const double inertia = context.inertia();
            next.sample_rate = inertia > 0 && sigma0 > 0 ? 20 * std::sqrt(sigma0 / inertia) / 6.283 : 5000;
        } else if (next.motion == Motion::slow_reversals) {
            const double vs = number(Q::vs) > 0 ? number(Q::vs) : 0.05 * speed;
            next.low = 0.1 * std::min(vs, 0.2 * speed);
            next.high = std::min(5 * vs, 2 * speed);
            next.sample_rate = 1000;
        } else {
            next.low = 0.1 * speed;
            next.high = 2 * speed;
            next.sample_rate = 100;
        }
        out.push_back(next);
    }
    return out;
}

}  // namespace bristle::identification
