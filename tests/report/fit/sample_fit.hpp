// A fit made by hand, for tests of its report: a LuGre axis on a sine motion with noise, two other laws, findings of every kind.
#pragma once
#include "identify/fit/quantity.hpp"
#include "report/fit/fit_report.hpp"

#include <bristle/contact.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace bristle::test {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

inline const LuGre sample_lugre{
    .sigma0 = 2e6, .sigma1 = 1200, .sigma2 = 203.5, .curve = {.Fc = 20.4, .Fs = 31, .vs = 2e-3}};
inline constexpr double sample_mass = 95.1, sample_offset = -3.16;  // kg, N

// Every kind of finding, with numbers where a kind has them.
inline std::vector<FitFinding> every_finding(bool with_numbers = true) {
    std::vector<FitFinding> out;
    for (int i = 0; i <= int(FindingKind::no_law_fits); ++i) {
        FitFinding finding{.kind = FindingKind(i)};
        if (with_numbers) {
            finding.subject = "sigma1";
            finding.place = "axis.csv";
            finding.line = 1234;
            finding.count = 3;
            finding.value = 0.0125;
            finding.other = 0.75;
        }
        out.push_back(std::move(finding));
    }
    return out;
}

inline FitTrace sample_trace() {
    constexpr double dt = 1e-3, amplitude = 0.02, omega = 2 * std::numbers::pi * 0.5;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.5);
    FitTrace out;
    out.run = "axis.csv";
    Contact<LuGre> contact{sample_lugre};
    for (int i = 0; i < 6000; ++i) {
        const double t = i * dt, x = -amplitude * std::cos(omega * t), v = amplitude * omega * std::sin(omega * t),
                     a = amplitude * omega * omega * std::cos(omega * t), error = noise(random);
        const double F = contact.step(v, dt).force_end, model = sample_mass * a + F + sample_offset;
        out.time.push_back(t);
        out.position.push_back(x);
        out.velocity.push_back(v);
        out.measured.push_back(model + error);
        out.model.push_back(model);
        out.friction.push_back(F + error);
        out.friction_model.push_back(F);
        out.compared.push_back(i >= 10);
        out.held_out.push_back(i >= 4000);
    }
    return out;
}

// Parameters with a standard error of that fraction, and a diagonal covariance.
inline void add_parameter(LawFit& fit, const char* name, const char* unit, double value, double fraction,
                          FittedQuantity of_axis = FittedQuantity::other_of_law) {
    const bool of_law = is_of_law(of_axis);
    const double se = fraction * std::abs(value);
    fit.parameters.push_back({name, unit, value, se, value - 1.96 * se, value + 1.96 * se, Identifiable::yes, false,
                              of_law ? quantity_of_row(name) : of_axis, "meaning", of_law ? name : ""});
    fit.covariance_names.push_back(name);
}
inline void set_covariance(LawFit& fit) {
    const std::size_t n = fit.parameters.size();
    fit.covariance.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) fit.covariance[i * n + i] = fit.parameters[i].se * fit.parameters[i].se;
    fit.free = int(n);
}

inline LawFit sample_law() {
    LawFit fit;
    fit.kind = "lugre";
    fit.law = sample_lugre;
    fit.verdict = LawVerdict::recommended;
    add_parameter(fit, "sigma0", "N/m", sample_lugre.sigma0, 0.1);
    add_parameter(fit, "sigma1", "N s/m", sample_lugre.sigma1, 0.6);
    add_parameter(fit, "sigma2", "N s/m", sample_lugre.sigma2, 0.037);
    add_parameter(fit, "Fc", "N", sample_lugre.curve.Fc, 0.015);
    add_parameter(fit, "Fs", "N", sample_lugre.curve.Fs, 0.04);
    add_parameter(fit, "vs", "m/s", sample_lugre.curve.vs, 0.15);
    add_parameter(fit, "inertia", "kg", sample_mass, 0.003, FittedQuantity::inertia);
    add_parameter(fit, "offset", "N", sample_offset, 0.02, FittedQuantity::offset);
    fit.parameters[1].identifiable = Identifiable::no;
    fit.parameters[5].identifiable = Identifiable::weak;
    fit.parameters[5].at_bound = true;
    set_covariance(fit);
    fit.fit = {.rmse = 0.5, .nrmse = 0.021, .relative = 0.0208, .r2 = 0.9995, .mae = 0.4, .rows = 5990};
    fit.heldout = {.rmse = 0.52, .nrmse = 0.022, .relative = 0.0215, .r2 = 0.9994, .mae = 0.41, .rows = 2000};
    fit.bic = -8210;
    return fit;
}
inline LawFit sample_coulomb() {
    LawFit fit;
    fit.kind = "coulomb";
    fit.law = Coulomb{.curve = {.Fc = 21}, .sigma2 = 210};
    fit.verdict = LawVerdict::refused;
    fit.reason = RefusalReason::fails_held_out;
    add_parameter(fit, "Fc", "N", 21, 0.02);
    add_parameter(fit, "sigma2", "N s/m", 210, 0.04);
    add_parameter(fit, "inertia", "kg", 95, 0.003, FittedQuantity::inertia);
    set_covariance(fit);
    fit.fit = {.rmse = 1.4, .nrmse = 0.06, .relative = 0.058, .r2 = 0.996, .mae = 1, .rows = 5990};
    fit.heldout = {.rmse = 1.6, .nrmse = 0.07, .relative = 0.066, .r2 = 0.995, .mae = 1.1, .rows = 2000};
    fit.bic = -4100;
    return fit;
}
inline LawFit sample_elastoplastic() {
    LawFit fit = sample_law();
    fit.kind = "elastoplastic";
    fit.law = ElastoPlastic{.sigma0 = 2e6, .sigma1 = 1200, .sigma2 = 203, .curve = sample_lugre.curve, .kappa = 0.5};
    fit.verdict = LawVerdict::usable;
    fit.reason = RefusalReason::no_better_than_simpler;
    fit.than = "lugre";
    fit.heldout.relative = 0.0216;
    fit.bic = missing;
    ++fit.free;
    return fit;
}

inline FitResult sample_result(bool rotary = false) {
    FitResult result;
    result.rotary = rotary;
    result.laws = {sample_law(), sample_elastoplastic(), sample_coulomb()};
    result.has_recommendation = true;
    result.findings = every_finding();
    result.residuals = {
        .correlation_time = 4e-3, .independent_rows = 750, .autocorrelation = {}, .classic_factor = 2.6};
    for (int i = 0; i < 60; ++i) result.residuals.autocorrelation.push_back(std::exp(-i / 4.0) * std::cos(i / 5.0));
    result.method = {ErrorKind::correlated, 100, 60, 1000, 0, 0.5e-3, 4, true};
    using Motion = NextMeasurement::Motion;
    result.next = {{"sigma0", FittedQuantity::sigma0, Motion::presliding, 8e-6, 1e-6, 1e-4, 2000},
                   {"sigma1", FittedQuantity::sigma1, Motion::presliding, 8e-6, 1e-6, 1e-4, 5000},
                   {"vs", FittedQuantity::vs, Motion::constant_speeds, 0, 1e-4, 2e-2, 500}};
    result.traces = {sample_trace()};
    return result;
}

// Certified, with a prediction.
inline report::FitReport sample_fit(bool rotary = false) {
    report::FitReport out;
    out.stem = "axis";
    out.record = {{"measured/axis.csv"},
                  6000,
                  1,
                  false,
                  {{Measurand::time, "t_s", "s", true, false},
                   {Measurand::position, "qm_m", rotary ? "rad" : "m", true, false},
                   {Measurand::force, "force", rotary ? "N m" : "N", true, true}}};
    out.options.model.measured = Measured::actuator;
    out.options.model.inertia = Setting::find();
    out.result = sample_result(rotary);
    certify_fit(out);
    out.predictions = {
        {"other.csv", {.rmse = 0.6, .nrmse = 0.03, .relative = 0.029, .r2 = 0.999, .mae = 0.5, .rows = 900}}};
    return out;
}

}  // namespace bristle::test
