// JSON of a fit: law, parameters, errors, comparison, findings, covariance, method, record, passivity, next measurements.
#include "report/fit/fit_report.hpp"
#include "report/run/json.hpp"

#include <cmath>

namespace bristle::report {

namespace {

const char* name_of(Identifiable identifiable) {
    switch (identifiable) {
        case Identifiable::yes:
            return "yes";
        case Identifiable::weak:
            return "weak";
        case Identifiable::no:
            break;
    }
    return "no";
}
const char* name_of(LawVerdict verdict) {
    switch (verdict) {
        case LawVerdict::recommended:
            return "recommended";
        case LawVerdict::usable:
            return "usable";
        case LawVerdict::refused:
            break;
    }
    return "refused";
}
const char* name_of(RefusalReason reason) {
    switch (reason) {
        case RefusalReason::none:
            return nullptr;
        case RefusalReason::fails_held_out:
            return "fails_held_out";
        case RefusalReason::no_better_than_simpler:
            return "no_better_than_simpler";
        case RefusalReason::negative_inertia:
            return "negative_inertia";
        case RefusalReason::inertia_missing:
            return "inertia_missing";
        case RefusalReason::did_not_converge:
            break;
    }
    return "did_not_converge";
}
const char* name_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::correlated:
            return "correlated";
        case ErrorKind::runs:
            return "runs";
        case ErrorKind::bootstrap:
            break;
    }
    return "bootstrap";
}
const char* name_of(NextMeasurement::Motion motion) {
    using Motion = NextMeasurement::Motion;
    switch (motion) {
        case Motion::slow_reversals:
            return "slow_reversals";
        case Motion::presliding:
            return "presliding";
        case Motion::constant_speeds:
            return "constant_speeds";
        case Motion::step_from_rest:
            break;
    }
    return "step_from_rest";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json positive_or_null(double x) { return x > 0 ? number_or_null(x) : Json(); }

// The law under the keys of experiment files: words, numbers, lists, and an object for v < 0.
Json law_of(const LawFit& fit) {
    Json out{{"kind", fit.kind}};
    std::visit(
        [&]<class Law>(const Law& law) {
            for_each_choice(law, [&]<class Value>(const Choice& choice, const Value& x) {
                if (choice.count() > 0)
                    out[choice.name] = choice.words[std::size_t(x)];
                else if (bool(x))
                    out[choice.name] = true;
            });
            Law::parameters(law, [&](const Parameter& p, const double& x) {
                Json& group = *p.group ? out[p.group] : out;
                if (p.index < 0)
                    group[p.name] = number_or_null(x);
                else
                    group[p.name].push_back(number_or_null(x));
            });
        },
        fit.law);
    // as in files: numbers for v < 0 only if they differ
    bool differs = false;
    if (out.contains("negative"))
        for (const auto& [name, x] : out["negative"].items())
            differs = differs || !out.contains(name) || out[name] != x;
    if (!differs) out.erase("negative");
    return out;
}

Json parameters_of(const std::vector<FittedParameter>& parameters, const AxisUnits& units) {
    Json out = Json::object();
    for (const FittedParameter& p : parameters)
        out[p.name] = {{"value", number_or_null(p.value)}, {"se", number_or_null(p.se)},
                       {"low", number_or_null(p.low)},     {"high", number_or_null(p.high)},
                       {"unit", units.name(p.unit)},       {"identifiable", name_of(p.identifiable)},
                       {"at_bound", p.at_bound},           {"of_law", p.of_law()}};
    return out;
}

// A number of an error; null if it was computed from no rows, because the fit did not converge.
Json number_of(const FitError& error, double FitError::*number) {
    return error.rows > 0 ? number_or_null(error.*number) : Json();
}
Json json_of(const FitError& error) {
    const auto number = [&](double FitError::*x) { return number_of(error, x); };
    return {{"rmse", number(&FitError::rmse)},         {"nrmse", number(&FitError::nrmse)},
            {"relative", number(&FitError::relative)}, {"r2", number(&FitError::r2)},
            {"mae", number(&FitError::mae)},           {"rows", error.rows}};
}

Json json_of(const FitFinding& finding, const AxisUnits& units) {
    const bool of_column = finding.kind == FindingKind::column_guessed || finding.kind == FindingKind::unit_guessed;
    return {{"kind", identification::name_of(finding.kind)},
            {"text", sentence_of(finding, units)},
            {"subject", text_or_null(finding.subject)},
            {"place", text_or_null(finding.place_text())},
            {"line", finding.line > 0 ? Json(finding.line) : Json()},
            {"count", finding.count},
            {"value", number_or_null(finding.value)},
            {"other", number_or_null(finding.other)},
            {"unit", text_or_null((of_column ? AxisUnits(false) : units).name(finding.unit))}};
}
Json json_of(const std::vector<FitFinding>& findings, const AxisUnits& units) {
    Json out = Json::array();
    for (const FitFinding& finding : findings) out.push_back(json_of(finding, units));
    return out;
}

Json outlook_of(const FitReport& report) {
    const Outlook& outlook = report.result.outlook;
    return {{"kind", text_or_null(outlook.kind)},
            {"text", outlook_sentences(outlook, report.units())},
            {"fit", outlook.kind.empty() ? Json() : json_of(outlook.fit)},
            {"parameters", parameters_of(outlook.parameters, report.units())},
            {"level", parameters_of(outlook.level, report.units())},
            {"findings", json_of(outlook.findings, report.units())}};
}

Json json_of(const StaticCurve& curve) {
    return {{"Fc", number_or_null(curve.Fc)},
            {"Fs", number_or_null(curve.Fs)},
            {"vs", number_or_null(curve.vs)},
            {"alpha", number_or_null(curve.alpha)},
            {"sigma2", number_or_null(curve.sigma2)}};
}
Json curve_of(const FitReport& report) {
    const CurveStage& stage = report.check->curve;
    Json axis = Json::object();
    for (const AxisCoefficient& c : stage.axis) axis[c.name] = number_or_null(c.value);
    return {{"positive", json_of(stage.positive)},
            {"negative", json_of(stage.negative)},
            {"own_directions", stage.own_directions},
            {"axis", axis},
            {"delay", number_or_null(stage.delay)},
            {"fit", json_of(stage.fit)},
            {"usable", report.check->curve.describes_record()},
            {"text", curve_sentences(report)},
            {"law", stage.law.kind},
            {"law_fit", json_of(stage.law.fit)},
            {"parameters", parameters_of(stage.law.parameters, report.units())}};
}

Json comparison_of(const FitReport& report) {
    Json out = Json::array();
    for (const LawFit& law : report.result.laws) {
        const bool held_out = report.result.method.hold_out_used;
        out.push_back({{"law", law.kind},
                       {"own_directions", law.own_directions},
                       {"heldout", held_out ? number_of(law.heldout, &FitError::nrmse) : Json()},
                       {"heldout_relative", held_out ? number_of(law.heldout, &FitError::relative) : Json()},
                       {"fit", number_of(law.fit, &FitError::nrmse)},
                       {"fit_relative", number_of(law.fit, &FitError::relative)},
                       {"bic", number_or_null(law.bic)},
                       {"free", law.free},
                       {"verdict", name_of(law.verdict)},
                       {"reason", name_of(law.reason) ? Json(name_of(law.reason)) : Json()},
                       {"than", text_or_null(law.than)},
                       {"text", verdict_in_words(law)},
                       {"parameters", parameters_of(law.parameters, report.units())},
                       {"findings", json_of(law.findings, report.units())}});
    }
    return out;
}

// {names, matrix}: a square matrix of the estimates, row by row.
Json named_matrix(const std::vector<std::string>& names, const std::vector<double>& numbers) {
    Json matrix = Json::array();
    const std::size_t n = names.size();
    if (numbers.size() == n * n)
        for (std::size_t i = 0; i < n; ++i) {
            Json row = Json::array();
            for (std::size_t j = 0; j < n; ++j) row.push_back(number_or_null(numbers[i * n + j]));
            matrix.push_back(std::move(row));
        }
    return {{"names", names}, {"matrix", matrix}};
}

Json record_of(const FitReport& report) {
    Json columns = Json::array();
    for (const ColumnUse& use : report.record.columns)
        columns.push_back({{"quantity", identification::name_of(use.quantity)},
                           {"column", use.column},
                           {"unit", use.unit},
                           {"guessed_column", use.guessed_column},
                           {"guessed_unit", use.guessed_unit}});
    return {{"files", report.record.files},
            {"rows", report.record.rows},
            {"runs", report.record.runs},
            {"curve", report.record.is_curve},
            {"static_points", report.result.static_points},
            {"rotary", report.result.rotary},
            {"columns", columns}};
}

Json method_of(const FitReport& report) {
    const FitMethod& method = report.result.method;
    const ResidualTest& residuals = report.result.residuals;
    return {{"errors", name_of(method.errors)},
            {"bandwidth", number_or_null(method.bandwidth)},
            {"motion_bandwidth", number_or_null(method.motion_bandwidth)},
            {"delay", number_or_null(method.delay)},
            {"starts", method.starts},
            {"signal", report.signal()},
            {"signal_unit", report.units().name(report.signal_unit())},
            {"sample_rate", number_or_null(method.sample_rate)},
            {"hold_out_used", method.hold_out_used},
            {"rows_beside_holes", method.rows_beside_holes},
            {"correlation_time", number_or_null(residuals.correlation_time)},
            {"independent_rows", number_or_null(residuals.independent_rows)},
            {"classic_factor", number_or_null(residuals.classic_factor)}};
}

Json residuals_of(const FitReport& report) {
    const WhitenessTest& test = report.result.residuals.whiteness;
    const bool tested = std::isfinite(test.p_value);
    return {{"white", tested ? Json(test.is_white()) : Json()}, {"ljung_box", number_or_null(test.statistic)},
            {"p_value", number_or_null(test.p_value)},          {"lags", test.lags},
            {"interval", positive_or_null(test.interval)},      {"rows", test.rows},
            {"text", text_or_null(whiteness_sentence(report))}};
}

Json next_of(const FitReport& report) {
    Json motions = Json::array();
    for (const NextMeasurement& next : report.result.next)
        motions.push_back({{"parameter", next.parameter},
                           {"motion", name_of(next.motion)},
                           {"amplitude", positive_or_null(next.amplitude)},
                           {"speeds", {positive_or_null(next.low), positive_or_null(next.high)}},
                           {"sample_rate", positive_or_null(next.sample_rate)}});
    return {{"text", next_sentences(report.result, report.units())}, {"motions", motions}};
}

Json passive_of(const FitReport& report) {
    Json out{{"verdict", nullptr}, {"speed", nullptr}, {"text", passivity_sentence(report)}};
    if (report.certificate) {
        out["verdict"] = analysis::name_of(report.certificate->passive.verdict);
        out["speed"] = number_or_null(report.certificate->passive.speed);
    }
    return out;
}

Json predictions_of(const FitReport& report) {
    Json out = Json::array();
    for (const FitPrediction& one : report.predictions) {
        Json entry{{"file", one.file}};
        entry.update(json_of(one.error));
        out.push_back(std::move(entry));
    }
    return out;
}

}  // namespace

std::string check_json_text(const FitReport& report) {
    const Json json{{"record", record_of(report)},
                    {"static_curve", curve_of(report)},
                    {"outlook", outlook_of(report)},
                    {"zeta", report.check->zeta ? number_or_null(*report.check->zeta) : Json()},
                    {"findings", json_of(report.result.findings, report.units())},
                    {"method",
                     {{"bandwidth", number_or_null(report.result.method.bandwidth)},
                      {"delay", number_or_null(report.result.method.delay)},
                      {"sample_rate", number_or_null(report.result.method.sample_rate)},
                      {"rows_beside_holes", report.result.method.rows_beside_holes}}},
                    {"next", next_of(report)}};
    return lines_of(json, {"findings", "outlook"}) + "\n";
}

std::string fit_json_text(const FitReport& report) {
    const FitResult& result = report.result;
    const bool has_law = report.has_law();
    const LawFit none{};
    const LawFit& best = has_law ? result.best() : none;
    const Json json{{"record", record_of(report)},
                    {"recommended", has_law && result.has_recommendation},
                    {"text", recommendation(report)},
                    {"law", report.is_converged() ? law_of(best) : Json()},
                    {"own_directions", has_law && best.own_directions},
                    {"parameters", parameters_of(best.parameters, report.units())},
                    {"fit", has_law ? json_of(best.fit) : Json()},
                    {"heldout", has_law && result.method.hold_out_used ? json_of(best.heldout) : Json()},
                    {"outlook", outlook_of(report)},
                    {"comparison", comparison_of(report)},
                    {"findings", json_of(result.findings, report.units())},
                    {"covariance", named_matrix(best.covariance_names, best.covariance)},
                    {"correlation", named_matrix(best.covariance_names, correlations(best))},
                    {"method", method_of(report)},
                    {"residuals", residuals_of(report)},
                    {"passive", passive_of(report)},
                    {"next", next_of(report)},
                    {"prediction", predictions_of(report)}};
    return lines_of(json, {"comparison", "findings", "parameters"}) + "\n";
}

}  // namespace bristle::report
