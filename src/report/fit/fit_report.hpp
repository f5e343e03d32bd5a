// Report of a fit: text, JSON, figures, page, table of traces, and the law as an experiment file.
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/identify/stages.hpp>
#include "report/figure/figure.hpp"
#include "report/fit/finding_sentences.hpp"

#include <optional>

namespace bristle::report {

// The record without its rows.
struct RecordSummary {
    std::vector<std::string> files;
    std::size_t rows = 0, runs = 0;
    bool is_curve = false;
    std::vector<ColumnUse> columns;
};
RecordSummary summary_of(const Record& record, std::vector<std::string> files);

// Error of the fitted law on a file that was not fitted.
struct FitPrediction {
    std::string file;
    FitError error;
};

// A fit with the data that its report needs.
struct FitReport {
    std::string stem;  // file names are STEM-fit.html, STEM-law.toml
    RecordSummary record;
    FitOptions options;
    FitResult result;
    std::optional<Certificate> certificate;  // of the first law
    std::string not_certified;               // the reason if there is none
    std::vector<FitPrediction> predictions;
    std::optional<RecordCheck>
        check;  // of `--check`: no law is fitted, result has the outlook and the findings of the record

    bool has_law() const { return !result.laws.empty(); }
    // The fit of the first law converged: it has parameters and errors.
    bool is_converged() const {
        return has_law() && result.best().reason != RefusalReason::did_not_converge && result.best().fit.rows > 0;
    }
    // The first law can be written as a file and certified: its fit converged, and no rule of its parameter table is broken.
    bool has_usable_law() const;
    AxisUnits units() const { return AxisUnits(result.rotary); }
    // The signal that the model is compared with: force [N], voltage [V], or position [m].
    std::string signal() const;
    std::string signal_unit() const;  // as FittedParameter::unit
    // The constant normal load [N]; 1 if the law's parameters are forces; std::nullopt if the fit used a load channel of the record.
    std::optional<double> constant_load() const;
    // The load column that the fit did not use, because only its name suggests a load; nullptr if there is none.
    const ColumnUse* unused_load() const;
};
// Certifies the first law, if there is one that can be certified. Throws Cancelled if should_continue returns false.
void certify_fit(FitReport& report, const std::function<bool()>& should_continue = {});

// Names of the files.
std::string fit_page_name(const FitReport& report);
std::string fit_json_name(const FitReport& report);
std::string fit_table_name(const FitReport& report);
std::string fit_law_name(const FitReport& report);
std::string check_page_name(const FitReport& report);
std::string check_json_name(const FitReport& report);

// Sentences and tables in lines up to the width.
std::string fit_text(const FitReport& report, std::size_t width = 100);
// One JSON object, as a text that ends with a line break.
std::string fit_json_text(const FitReport& report);
// The same for a report with a check and without laws.
std::string check_text(const FitReport& report, std::size_t width = 100);
std::string check_json_text(const FitReport& report);
// Rows of all runs: t, x, v, measured, model, residual, with units in the header. Every n-th row of a record above 1e6 rows.
std::string fit_csv(const FitReport& report);
// The law as an experiment file that run, certify and analyse accept; empty without a usable law.
std::string fit_law_file(const FitReport& report);

// Names of all figures that a fit can have.
inline constexpr const char* fit_figure_names[] = {"curve", "loops", "traces", "autocorrelation", "comparison"};
std::vector<NamedFigure> fit_figures(const FitReport& report);

// The same for a check.
inline constexpr const char* check_figure_names[] = {"check-curve"};
std::vector<NamedFigure> check_figures(const FitReport& report);

// HTML page. pictures: SVG text in the order of the figures, empty if there is none. law: the text of fit_law_file().
std::string fit_page(const FitReport& report, const std::vector<NamedFigure>& figures,
                     const std::vector<std::string>& pictures, const std::string& law);
std::string check_page(const FitReport& report, const std::vector<NamedFigure>& figures,
                       const std::vector<std::string>& pictures);

// Parts that text and page share.
// What the user has to mend before a fit means anything, if no law is recommended, or of a check: a wrong sign of the force, or an inertia
// that the model lacks; else nullptr.
const FitFinding* first_cause(const FitResult& result);
// The recommendation, or that there is none, in one or two sentences.
std::string recommendation(const FitReport& report);
// "axis.csv: 25000 rows in 1 run at 1 kHz"
std::string record_line(const FitReport& report);
// "force from the column "vir_V" [N], unit guessed"
std::vector<std::string> column_lines(const FitReport& report);
// Findings except those that column_lines() states. Findings of one kind in several files are one sentence.
std::vector<std::string> finding_sentences(const FitReport& report);
// Parameters that the record determines by the fit of the first law, weakly or not at all, and where the check before the fit judged
// otherwise; without a fit, what the check says.
std::vector<std::string> determined_sentences(const FitReport& report);
// The static curve of a check: a curve alone does not describe the record, or its numbers and those that the record does not determine.
std::vector<std::string> curve_sentences(const FitReport& report);
// Error of the first estimate of a check and the damping ratio in stick.
std::vector<std::string> estimate_sentences(const FitReport& report);
// Laws that were not fitted, with the reason; empty if there are none.
std::vector<std::string> unfitted_sentences(const FitReport& report);
// Errors on fitted and held-out rows, one sentence each.
std::vector<std::string> error_sentences(const FitReport& report);
// Strongly correlated estimates of the first law (|r| >= 0.9), or the three largest correlations; empty with fewer than two estimates.
std::vector<std::string> correlation_sentences(const FitReport& report);
// Lower triangle of the correlations as an HTML table, shaded by their size; empty without any.
std::string correlation_table(const LawFit& law);
// Whether the residuals of the first law are white, with the test; empty if they were not tested.
std::string whiteness_sentence(const FitReport& report);
// Verdict on passivity of the first law with its reasons.
std::string passivity_sentence(const FitReport& report);
// Bandwidth, delay, starts, errors: how the numbers were computed.
std::vector<std::string> method_sentences(const FitReport& report);
// Value and half width of the 95 % interval with as many digits as the interval supports: {"20.39", "0.31"}.
struct ValueText {
    std::optional<std::string> value;       // none if it is not determined
    std::optional<std::string> half_width;  // none without an interval
    std::string unit;
    std::optional<std::string> interval{};  // "[480, 1260]" if the interval is not symmetric as far as it is printed
    // Cells of a table.
    std::string value_cell() const { return value.value_or(no_value); }
    std::string error_cell() const { return interval ? *interval : half_width.value_or(no_value); }
};
// all: the parameters printed with this one. Those of one group (ripple, gravity, both directions of one number) have the same unit prefix.
ValueText value_text(const FittedParameter& parameter, const AxisUnits& units,
                     std::span<const FittedParameter> all = {});
// "20.39 ± 0.31 N", "780 [480, 1260] kN/m"; "-" without a unit if it is not determined
std::string value_in_words(const FittedParameter& parameter, const AxisUnits& units,
                           std::span<const FittedParameter> all = {});
// BIC of a law minus the smallest, as text; "-" if it is not finite.
std::string bic_difference(const FitReport& report, const LawFit& law);

// Force of the law in steady sliding at v [N] under a normal load [N]; NaN if it is not finite.
double steady_force(const AnyLaw& law, double v, double load = 1);
// Standard error of that force, from the covariance of the fitted parameters; NaN if it is unknown.
double steady_force_error(const LawFit& fit, double v, double load = 1);

}  // namespace bristle::report
