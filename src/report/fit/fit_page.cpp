// Page of a fit: recommendation, parameters, figures, comparison, findings, next measurements, method, the law as TOML.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "report/page/html.hpp"

namespace bristle::report {

namespace {

using Cells = std::vector<std::string>;  // HTML

// A table with that many columns of numbers after the first column. On a phone a row is a paragraph, in which each cell follows the name
// of its column.
std::string table_of(const Cells& heading, const std::vector<Cells>& rows, std::size_t numbers) {
    std::string head, body;
    for (const std::string& name : heading) head += tag("th", name);
    for (const Cells& cells : rows) {
        std::string row;
        for (std::size_t i = 0; i < cells.size(); ++i)
            row += tag("td", cells[i],
                       (i > 0 && i <= numbers ? "class=\"number\" data-name=\"" : "data-name=\"") +
                           (i > 0 && !cells[i].empty() ? heading[i] : "") + "\"");
        body += tag("tr", row);
    }
    return classed("div", "wide", tag("table", tag("thead", tag("tr", head)) + tag("tbody", body), "class=\"named\""));
}

std::string box(const std::string& heading, const std::string& content) {
    return classed("section", "box", tag("h3", html(heading)) + content);
}
std::string paragraphs(const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& sentence : sentences) out += tag("p", html(sentence));
    return out;
}

std::string parameter_table(const std::vector<FittedParameter>& parameters, const AxisUnits& units, const char* error) {
    std::vector<Cells> rows;
    for (const FittedParameter& p : parameters) {
        const ValueText text = value_text(p, units, parameters);
        const std::string note = note_of(p);
        rows.push_back({tag("code", html(p.name)), html(text.value_cell()), html(text.error_cell()), html(text.unit),
                        note.empty() ? "" : classed("span", "flag", html(note)), html(units.words(meaning_of(p)))});
    }
    return table_of({"parameter", "value", error, "unit", "note", "meaning"}, rows, 2);
}

std::string parameters_box(const FitReport& report) {
    const std::string table =
        report.is_converged() ? parameter_table(report.result.best().parameters, report.units(), "± 95 %") : "";
    return box("Parameters", table + paragraphs(error_sentences(report)));
}

std::string correlations_box(const FitReport& report) {
    const std::vector<std::string> sentences = correlation_sentences(report);
    if (sentences.empty()) return "";
    return box("Correlations of the estimates",
               paragraphs(sentences) + correlation_table(report.result.best()) +
                   classed("p", "soft",
                           "From the covariance that the intervals use. Blank: the record does not determine one of "
                           "the two, or its error is zero."));
}

std::string comparison_box(const FitReport& report) {
    const bool held_out = report.result.method.hold_out_used;
    std::vector<Cells> rows;
    for (const LawFit& law : report.result.laws) {
        const char* style = law.verdict == LawVerdict::recommended ? "good"
                            : law.verdict == LawVerdict::refused   ? "flag"
                                                                   : "soft";
        rows.push_back({tag("code", html(law.kind)) + (law.own_directions ? " +/-" : ""),
                        html(percent(held_out ? law.heldout : law.fit)), html(percent(law.fit)),
                        html(bic_difference(report, law)), law.free > 0 ? std::to_string(law.free) : no_value,
                        tag("span", html(verdict_in_words(law)),
                            std::string("class=\"") + style + "\" style=\"white-space: normal\"")});
    }
    return box(
        "Comparison of laws",
        table_of(
            {"law", held_out ? "held-out error" : "error", "error of the fit", "BIC − best", "parameters", "verdict"},
            rows, 4) +
            paragraphs(unfitted_sentences(report)) +
            classed("p", "soft",
                    html(std::string("Errors are rms residuals divided by the rms ") + report.signal() +
                         ". BIC is an information criterion that counts independent rows; smaller is better, and "
                         "a difference above 10 is clear. +/-: a curve for each direction.")));
}

std::string findings_box(const FitReport& report) {
    std::string items;
    for (const std::string& sentence : finding_sentences(report)) items += tag("li", html(sentence));
    if (items.empty()) return box("Findings", tag("p", "None."));
    return box("Findings", tag("ul", items, "style=\"max-width: 48rem; padding-left: 1.2rem\""));
}

std::string pictures_box(const std::vector<NamedFigure>& figures, const std::vector<std::string>& pictures) {
    std::string shown;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (i >= pictures.size() || pictures[i].empty()) continue;
        // the traces are wider than the others
        const bool wide = figures[i].figure.width > 600;
        shown +=
            tag("div",
                inlined(pictures[i], figures[i].name + "-", figures[i].caption) +
                    classed("p", "soft", html(figures[i].caption)),
                std::string("class=\"picture\"") + (wide ? " style=\"grid-column: 1 / -1; max-width: 58rem\"" : ""));
    }
    if (shown.empty()) return "";
    return box("Pictures", tag("div", shown,
                               "class=\"pictures\" style=\"display: grid; grid-template-columns: "
                               "repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); max-width: 70rem\""));
}

std::string law_box(const FitReport& report, const std::string& file) {
    if (file.empty()) return "";
    const std::string name = html(fit_law_name(report));
    return box("The law as a file", tag("p", "The same text is beside this page, for the other commands:") +
                                        tag("pre", "bristle run " + name + "\nbristle certify " + name +
                                                       " --dt 0.001\nbristle analyse " + name + " --properties") +
                                        tag("pre", html_lines(file)));
}

std::string record_paragraph(const FitReport& report) {
    std::string columns;
    for (const std::string& line : column_lines(report)) append_item(columns, line, "; ");
    return classed("p", "soft", html(record_line(report) + (columns.empty() ? "." : ". Columns: " + columns + ".")));
}

}  // namespace

std::string check_page(const FitReport& report, const std::vector<NamedFigure>& figures,
                       const std::vector<std::string>& pictures) {
    const Outlook& outlook = report.result.outlook;
    std::string body = tag("h1", "Check of a record") + record_paragraph(report) +
                       box("What the record determines", paragraphs(outlook_sentences(outlook, report.units()))) +
                       box("Static curve", paragraphs(curve_sentences(report))) + pictures_box(figures, pictures);
    if (!outlook.parameters.empty())
        body +=
            box("First estimate of " + outlook.kind, parameter_table(outlook.parameters, report.units(), "± rough") +
                                                         paragraphs(estimate_sentences(report)));
    body += findings_box(report);
    body += box("What to measure next", paragraphs(next_sentences(report.result, report.units())));
    body += box("Numbers for programs", tag("p", tag("code", html(check_json_name(report)))));
    return document("Check: " + report.stem, body);
}

std::string fit_page(const FitReport& report, const std::vector<NamedFigure>& figures,
                     const std::vector<std::string>& pictures, const std::string& law) {
    std::string body =
        tag("h1", "Fit of a friction law") + tag("p", html(recommendation(report))) + record_paragraph(report);
    if (report.has_law()) body += parameters_box(report);
    body += correlations_box(report);
    body += pictures_box(figures, pictures);
    if (report.has_law()) body += comparison_box(report);
    if (const auto known = determined_sentences(report); !known.empty())
        body += box("What the record determines", paragraphs(known));
    body += findings_box(report);
    body += box("What to measure next", paragraphs(next_sentences(report.result, report.units())));
    if (report.has_law()) body += box("Certificate of the fitted law", tag("p", html(passivity_sentence(report))));
    body += law_box(report, law);
    body += box("Method", paragraphs(method_sentences(report)) +
                              tag("p", "Numbers for programs: " + tag("code", html(fit_json_name(report))) +
                                           ". Measured and model " + report.signal() +
                                           " of each row: " + tag("code", html(fit_table_name(report))) + "."));
    return document("Fit: " + report.stem, body);
}

}  // namespace bristle::report
