// Parts of a fit's report that text, page and JSON share: record, errors, passivity, method.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "report/certificate/sentences.hpp"

#include <bristle/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace bristle::report {

namespace {

std::string error_in_words(const FitReport& report, const FitError& error) {
    const AxisUnits units = report.units();
    const std::string unit = report.signal_unit();
    std::string out = percent(error.relative) + " of the rms " + report.signal();
    if (std::isfinite(error.rmse)) out += ", rms " + units(error.rmse, unit);
    if (std::isfinite(error.mae)) out += ", mean absolute " + units(error.mae, unit);
    if (std::isfinite(error.r2)) out += ", R² = " + readable(error.r2, 4);
    return out + " (" + counted(error.rows, "row", "rows") + ")";
}

// A number with that many digits after the point.
std::string fixed(double x, int places) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", places, x);
    return text;
}

// A number rounded to 10^-place, with all digits up to there; at least two digits.
std::string at_place(double x, int place) {
    if (place >= 0 && place <= 6) return fixed(x, place);
    const int digits = x == 0 ? 2 : int(std::floor(std::log10(std::abs(x)))) + place + 1;
    return rounded(x, std::clamp(digits, 2, 8));
}

// Parameters that are read together: both parts of a ripple or of gravity, a number for each direction.
bool is_of_group(const FittedParameter& a, const FittedParameter& b) {
    if (a.unit != b.unit || b.identifiable == Identifiable::no || !std::isfinite(b.value)) return false;
    return (is_ripple(a.quantity) && is_ripple(b.quantity)) || (is_gravity(a.quantity) && is_gravity(b.quantity)) ||
           (a.direction * b.direction < 0 && a.table_name == b.table_name);
}

}  // namespace

RecordSummary summary_of(const Record& record, std::vector<std::string> files) {
    return {std::move(files), record.rows(), record.runs.size(), record.is_curve(), record.columns};
}

bool FitReport::has_usable_law() const {
    return is_converged() && std::visit([](const auto& law) { return usable(law); }, result.best().law);
}

std::string FitReport::signal() const {
    if (options.model.output == Output::position) return units().position();
    return options.model.measured == Measured::voltage ? "voltage" : units().force();
}
std::string FitReport::signal_unit() const {
    if (options.model.output == Output::position) return "m";
    return options.model.measured == Measured::voltage ? "V" : "N";
}

const ColumnUse* FitReport::unused_load() const {
    for (const ColumnUse& use : record.columns)
        if (use.quantity == Measurand::load && use.guessed_column) return &use;
    return nullptr;
}
std::optional<double> FitReport::constant_load() const {
    for (const ColumnUse& use : record.columns)
        if (use.quantity == Measurand::load && !use.guessed_column) return {};
    return options.model.load.kind == Setting::Kind::given ? options.model.load.value : 1;
}

void certify_fit(FitReport& report, const std::function<bool()>& should_continue) {
    if (!report.has_law()) {
        report.not_certified = "no law was fitted";
        return;
    }
    if (!report.is_converged()) {
        report.not_certified = "the fit did not converge";
        return;
    }
    CertifyOptions options;
    options.should_continue = should_continue;
    options.load_min = options.load_max = report.constant_load().value_or(1);
    try {
        report.certificate = certify(report.result.best().law, options);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        report.not_certified = problem.what();
    }
}

std::string fit_page_name(const FitReport& report) { return report.stem + "-fit.html"; }
std::string fit_json_name(const FitReport& report) { return report.stem + "-fit.json"; }
std::string fit_table_name(const FitReport& report) { return report.stem + "-fit.csv"; }
std::string fit_law_name(const FitReport& report) { return report.stem + "-law.toml"; }
std::string check_page_name(const FitReport& report) { return report.stem + "-check.html"; }
std::string check_json_name(const FitReport& report) { return report.stem + "-check.json"; }

std::string record_line(const FitReport& report) {
    const RecordSummary& record = report.record;
    std::string out;
    constexpr std::size_t max_files = 3;
    for (std::size_t i = 0; i < std::min(max_files, record.files.size()); ++i)
        append_item(out, plain_text(std::filesystem::path(record.files[i]).filename().string()));
    if (record.files.size() > max_files)
        out += " and " + counted(record.files.size() - max_files, "other file", "other files");
    out += (out.empty() ? "" : ": ") + counted(record.rows, "row", "rows");
    if (record.is_curve) return out + " of a measured curve (no time)";
    out += " in " + counted(record.runs, "run", "runs");
    if (report.result.static_points)
        return out + "; each " + (record.runs == record.files.size() ? "file" : "run") +
               " is one steady speed: its mean is one point of the curve";
    const double rate = report.result.method.sample_rate;
    return rate > 0 && std::isfinite(rate) ? out + " at " + report.units()(rate, "Hz", 4) : out;
}

std::vector<std::string> column_lines(const FitReport& report) {
    std::vector<std::string> out;
    for (const ColumnUse& use : report.record.columns) {
        std::string line =
            report.units().words(name_of(use.quantity)) + " from the column \"" + plain_text(use.column) + "\"";
        const std::string unit = "[" + plain_text(use.unit) + "]";
        if (use.unit.empty())
            line += " without a unit";
        else if (use.column.find(unit) == use.column.npos)  // the header does not show it
            line += " " + unit;
        if (use.guessed_column) line += ", column guessed by its name";
        if (use.guessed_unit) line += ", unit guessed";
        if (&use == report.unused_load()) line += ", not used (give the column with --load to use it)";
        out.push_back(line);
    }
    return out;
}

std::vector<std::string> error_sentences(const FitReport& report) {
    if (!report.has_law()) return {};
    if (!report.is_converged()) return {"The fit did not converge: it has no parameters and no errors."};
    const LawFit& best = report.result.best();
    std::vector<std::string> out{"Error of the fit: " + error_in_words(report, best.fit) + "."};
    if (report.result.method.hold_out_used && best.heldout.rows == 0)
        out.push_back("The error on held-out rows is not known: the fit to the other rows did not converge.");
    else if (report.result.method.hold_out_used)
        out.push_back("Error on held-out rows, with a fit to the other rows: " + error_in_words(report, best.heldout) +
                      ".");
    else if (report.options.hold_out.fraction == 0 && report.options.hold_out.runs.empty())
        out.push_back(
            "No rows were held out, as hold_out = \"none\" asks: laws are compared on the rows they are fitted to.");
    else
        out.push_back("No rows were held out: the record has too few.");
    if (const std::size_t rows = report.result.method.rows_beside_holes; rows > 0)
        out.push_back(counted(rows, "row", "rows") + " beside missing ones " + (rows == 1 ? "is" : "are") +
                      " not compared, because the filter reaches from the interpolated rows to them.");
    for (const FitPrediction& one : report.predictions)
        out.push_back("Error on " + plain_text(one.file) +
                      ", with nothing fitted: " + error_in_words(report, one.error) + ".");
    return out;
}

std::string whiteness_sentence(const FitReport& report) {
    const ResidualTest& residuals = report.result.residuals;
    const WhitenessTest& test = residuals.whiteness;
    if (!std::isfinite(test.p_value)) return "";
    const bool has_filter = !residuals.filter_autocorrelation.empty(),
               has_time = residuals.correlation_time > 0 && std::isfinite(residuals.correlation_time);
    const std::string over = has_time ? " over " + report.units()(residuals.correlation_time, "s", 2) : "";
    const std::string figures = " (Ljung-Box statistic " + rounded(test.statistic, 3) + " over " +
                                counted(std::size_t(test.lags), "lag", "lags") + " of " +
                                report.units()(test.interval, "s", 2) +
                                (test.p_value < 1e-6 ? ", p < 1e-6)" : ", p = " + rounded(test.p_value, 2) + ")");
    if (test.is_white() && !has_filter) return "The residuals cannot be told from white noise" + figures + ".";
    if (test.is_white())
        return "Apart from the filter, which correlates them" + over +
               ", the residuals cannot be told from white noise" + figures + ".";
    return "The residuals are correlated" + over + (has_filter ? ", and the filter alone does not explain it" : "") +
           figures + "; the intervals account for it.";
}

std::string passivity_sentence(const FitReport& report) {
    if (!report.certificate)
        return "Not certified" + (report.not_certified.empty() ? "." : ": " + plain_text(report.not_certified) + ".");
    experiment::Experiment axis;
    axis.rotary = report.result.rotary;
    axis.setup.law = report.result.best().law;
    const analysis::Finding& passive = report.certificate->passive;
    return std::string("Passive: ") + name_of(passive.verdict) + ". " + passivity_text(passive, {}, Units{&axis});
}

std::vector<std::string> method_sentences(const FitReport& report) {
    const FitMethod& method = report.result.method;
    const ResidualTest& residuals = report.result.residuals;
    std::vector<std::string> out;
    if (method.bandwidth > 0)
        out.push_back("Velocity and acceleration are computed by a zero-phase filter with a bandwidth of " +
                      report.units()(method.bandwidth, "Hz", 3) +
                      "; the measured signal and the model pass the same filter." +
                      (method.motion_bandwidth > 0 && method.motion_bandwidth < method.bandwidth
                           ? " The position is filtered with " + report.units()(method.motion_bandwidth, "Hz", 3) +
                                 ": above, it contains nothing but the steps of the encoder."
                           : std::string()));
    else
        out.push_back("No filter was used.");
    if (method.delay != 0 && std::isfinite(method.delay))
        out.push_back("The " + report.signal() + " was shifted by a delay of " + report.units()(method.delay, "s", 3) +
                      ".");
    if (method.starts > 0)
        out.push_back("The fit began from " + counted(std::size_t(method.starts), "start", "starts") +
                      "; the best minimum is reported.");
    out.push_back(errors_in_words(report.result));
    if (residuals.correlation_time > 0 && std::isfinite(residuals.correlation_time))
        out.push_back("Residuals are correlated over " + report.units()(residuals.correlation_time, "s", 3) +
                      (std::isfinite(residuals.independent_rows) && residuals.independent_rows > 0
                           ? ": the record has as much information as " + rounded(residuals.independent_rows, 3) +
                                 " independent rows."
                           : std::string(".")));
    out.push_back("Intervals are 95 % intervals and include the change of the value with the bandwidth.");
    return out;
}

ValueText value_text(const FittedParameter& p, const AxisUnits& units, std::span<const FittedParameter> all) {
    const double half = 0.5 * (p.high - p.low);
    const std::string unit = units.name(p.unit);
    if (!std::isfinite(p.value) || p.identifiable == Identifiable::no) return {{}, {}, unit};
    // a common prefix for the values of a group and their intervals
    double largest = std::abs(p.value);
    for (const FittedParameter& other : all)
        if (is_of_group(p, other)) largest = std::max(largest, std::abs(other.value));
    if (largest == 0 && std::isfinite(half)) largest = half;
    const Prefix prefix = AxisUnits::takes_prefix(p.unit) ? prefix_for(largest, 0.1) : Prefix{"", 1};
    const double value = p.value * prefix.factor, error = half * prefix.factor;
    const std::string full_unit = prefix.letter + unit;
    if (!std::isfinite(error) || !(error > 0))
        return {rounded(value, 4), error == 0 ? std::optional<std::string>("0") : std::nullopt, full_unit};
    // two digits of the half width, or of the shorter side of the interval, and all numbers to the same place
    const double below = p.value - p.low, above = p.high - p.value, shorter = std::min(below, above);
    constexpr double symmetric = 1.1;  // ratio of the sides: a difference in the second digit of the half width
    const bool is_symmetric = std::max(below, above) <= symmetric * shorter;
    const double digits_of = is_symmetric || !(shorter > 0) ? error : shorter * prefix.factor;
    const int place = 1 - int(std::floor(std::log10(digits_of) + 1e-9));
    ValueText out{at_place(value, place), at_place(error, place), full_unit};
    if (!is_symmetric)
        out.interval =
            "[" + at_place(p.low * prefix.factor, place) + ", " + at_place(p.high * prefix.factor, place) + "]";
    return out;
}

std::string bic_difference(const FitReport& report, const LawFit& law) {
    double least = std::numeric_limits<double>::infinity();
    for (const LawFit& one : report.result.laws)
        if (std::isfinite(one.bic)) least = std::min(least, one.bic);
    return std::isfinite(law.bic) ? readable(std::round(law.bic - least), 6) : no_value;
}

}  // namespace bristle::report
