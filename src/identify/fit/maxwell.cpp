// Maxwell-slip by non-negative least squares on a grid of yield deflections.
#include "identify/fit/maxwell.hpp"

#include "identify/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

constexpr std::size_t elements = 14;

// Deflection [m] of springs that yield at d_i, each with the gap in series, along the motion: the first columns of a table with `stride`
// columns.
void set_deflections(const Prepared& record, const std::vector<double>& d, double gap, std::vector<double>& out,
                     std::size_t stride) {
    const double half = 0.5 * gap;
    for (const PreparedRun& run : record.runs) {
        std::vector<double> s(d.size(), 0.0);
        for (std::size_t i = run.begin; i < run.begin + run.size; ++i) {
            const double step = i > run.begin ? record.x[i] - record.x[i - 1] : 0;
            for (std::size_t k = 0; k < d.size(); ++k) {
                s[k] = std::clamp(s[k] + step, -d[k] - half, d[k] + half);
                out[i * stride + k] = s[k] - std::clamp(s[k], -half, half);
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

}  // namespace

MaxwellFit fit_maxwell(const Prepared& record, const Axis& axis, double gap, std::span<const std::uint8_t> use) {
    const std::size_t n = record.rows();
    const double low = std::max(2 * record.resolution, 1e-3 * record.travel), high = 0.7 * record.travel;
    std::vector<double> d;
    for (std::size_t k = 0; k < elements; ++k)
        d.push_back(low * std::pow(high / low, double(k) / double(elements - 1)));
    std::vector<const Term*> found;
    std::vector<double> given(n);  // of the force, from what is known of the axis
    for (std::size_t i = 0; i < n; ++i) given[i] = axis.gain.value * axis.back_emf.value * record.v[i];
    for (const Term& t : axis.terms)
        if (t.found)
            found.push_back(&t);
        else
            for (std::size_t i = 0; i < n; ++i) given[i] += t.coefficient * t.column[i];
    const std::size_t p = d.size() + 1 + found.size();
    std::vector<double> J(n * p);
    set_deflections(record, d, gap, J, p);
    std::vector<Lane> lanes;
    for (std::size_t k = 0; k < d.size(); ++k) lanes.push_back({J.data() + k, p});
    record.filter(lanes);
    for (std::size_t i = 0; i < n; ++i) {
        double* row = J.data() + i * p;
        row[d.size()] = record.v[i];
        for (std::size_t k = 0; k < found.size(); ++k) row[d.size() + 1 + k] = found[k]->column[i];
    }
    if (axis.delay.value != 0) {
        move_by(record, axis.delay.value, J, p);
        move_by(record, axis.delay.value, given, 1);
    }
    std::vector<double> target(n);
    for (std::size_t i = 0; i < n; ++i) target[i] = axis.gain.value * record.y[i] - given[i];
    std::vector<std::uint8_t> nonnegative(p, 0);
    std::fill_n(nonnegative.begin(), d.size() + 1, std::uint8_t(1));
    const Folded folded = fold(J.data(), p, target.data(), n, p, use);
    const std::vector<double> x = nonnegative_solution(folded, nonnegative);

    MaxwellFit out;
    out.cost = std::pow(residual_norm(folded, x), 2) / (axis.gain.value * axis.gain.value);
    std::vector<std::size_t> kept;
    std::vector<double> stiffness;
    for (std::size_t k = 0; k < d.size(); ++k)
        if (x[k] > 0) {
            kept.push_back(k);
            stiffness.push_back(x[k]);
            out.deflection.push_back(d[k]);
            const std::string index = "[" + std::to_string(kept.size() - 1) + "]";
            out.parameters.push_back(
                {"k" + index, "N/m", "stiffness of an element", FreeParameter::Of::law, {}, 0, 0, 1e300, false, 1});
            out.values.push_back(x[k]);
        }
    if (x[d.size()] > 0) {
        kept.push_back(d.size());
        out.parameters.push_back(
            {"sigma2", "N s/m", "viscous friction", FreeParameter::Of::law, {}, 0, 0, 1e300, false, 1});
        out.values.push_back(x[d.size()]);
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
        kept.push_back(d.size() + 1 + k);
        out.parameters.push_back(
            {found[k]->name, found[k]->unit, found[k]->doc, FreeParameter::Of::term, {}, k, -1e300, 1e300, false, 1});
        out.values.push_back(x[d.size() + 1 + k]);
    }
    if (!stiffness.empty()) out.law = law_of(stiffness, out.deflection, x[d.size()], std::max(record.max_speed, 1e-12));
    // rows of the parameters that are left, in the unit of y; their columns move to the left in the same table
    const std::size_t q = kept.size();
    out.rows.residual = std::move(target);
    out.rows.friction.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < q; ++c) {
            const double entry = J[i * p + kept[c]];
            out.rows.residual[i] -= entry * out.values[c];
            if (kept[c] <= d.size()) out.rows.friction[i] += entry * out.values[c];
            J[i * q + c] = entry / axis.gain.value;
        }
        out.rows.residual[i] /= axis.gain.value;
    }
    J.resize(n * q);
    out.rows.J = std::move(J);
    return out;
}

GapScan scan_gap(const Prepared& record, const Axis& axis, std::span<const std::uint8_t> use) {
    const double without = fit_maxwell(record, axis, 0, use).cost;
    GapScan out;
    const auto attempt = [&](double gap) {
        if (const double ratio = fit_maxwell(record, axis, gap, use).cost / without; ratio < out.ratio)
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

FittedParameter maxwell_level(const AnyLaw& law, std::span<const double> covariance, std::size_t p, double student) {
    const auto& slip = std::get<AnyMaxwellSlip>(law);
    FittedParameter out{
        .name = "Fc", .unit = "N", .value = slip.curve.stribeck.positive.Fc, .doc = "level of all elements together"};
    const auto yield = [&](int i) { return slip.nu[i] * out.value / slip.k[i]; };
    double variance = 0;
    for (int i = 0; i < slip.count(); ++i)  // the stiffnesses are the first parameters
        for (int j = 0; j < slip.count(); ++j)
            variance += yield(i) * yield(j) * covariance[std::size_t(i) * p + std::size_t(j)];
    out.se = std::sqrt(std::max(0.0, variance));
    out.low = std::max(0.0, out.value - student * out.se);
    out.high = out.value + student * out.se;
    const double relative = out.se / std::max(out.value, 1e-300);
    out.identifiable = relative < 0.25 ? Identifiable::yes : relative < 0.8 ? Identifiable::weak : Identifiable::no;
    return out;
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
