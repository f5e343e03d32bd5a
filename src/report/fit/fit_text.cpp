// Text of a fit and of a check: record, stages, parameters, errors, comparison of laws, findings, next measurements, passivity.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"

namespace bristle::report {

namespace {

using Row = std::vector<std::string>;

// Rows in columns of equal width; the last column is wrapped to the width, on lines of its own if it has little room. The first row
// is the heading.
std::string table(const std::vector<Row>& rows, std::size_t width, std::size_t indent = 2) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));
    std::string out;
    for (const Row& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i + 1 < row.size(); ++i) line += padded(row[i], widths[i] + 2);
        std::size_t column = letters(line);
        constexpr std::size_t room = 20;
        if (column + std::min(room, widths.back()) > width) {
            column = indent + 4;
            while (line.back() == ' ') line.pop_back();
            if (!row.back().empty()) line += "\n" + std::string(column, ' ');
        }
        std::string last;
        append_wrapped(last, row.back(), width, column);
        line += last.substr(std::min(column, last.size()));
        while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) line.pop_back();
        out += line + "\n";
    }
    return out;
}

std::string parameter_table(const FitReport& report, const std::vector<FittedParameter>& parameters, std::size_t width,
                            const char* error = "± 95 %") {
    std::vector<Row> rows{{"parameter", "value", error, "unit", "note"}};
    for (const FittedParameter& p : parameters) {
        const ValueText text = value_text(p, report.units(), parameters);
        std::string note = note_of(p);
        if (!p.of_law()) append_item(note, "of the axis");
        rows.push_back({plain_text(p.name), text.value_cell(), text.error_cell(), text.unit, note});
    }
    return table(rows, width);
}

std::string comparison_table(const FitReport& report, std::size_t width) {
    const bool held_out = report.result.method.hold_out_used;
    std::vector<Row> rows{{"law", held_out ? "held-out" : "error", "BIC - best", "params", "verdict"}};
    for (const LawFit& law : report.result.laws)
        rows.push_back({name_with_directions(law), percent(held_out ? law.heldout : law.fit),
                        bic_difference(report, law), law.free > 0 ? std::to_string(law.free) : no_value,
                        verdict_in_words(law)});
    std::string out = table(rows, width);
    for (const std::string& sentence : unfitted_sentences(report)) append_wrapped(out, sentence, width, 2);
    return out;
}

void append_section(std::string& out, const char* heading, const std::vector<std::string>& sentences, std::size_t width,
                    bool list = false) {
    if (sentences.empty()) return;
    out += std::string("\n") + heading + "\n";
    for (const std::string& sentence : sentences)
        list ? append_wrapped(out, "- " + sentence, width, 2, 2) : append_wrapped(out, sentence, width, 2);
}

std::string record_text(const FitReport& report, std::size_t width) {
    std::string out, columns;
    append_wrapped(out, record_line(report), width, 0);
    for (const std::string& line : column_lines(report)) append_item(columns, line, "; ");
    if (!columns.empty()) append_wrapped(out, "Columns: " + columns + ".", width, 2);
    return out;
}

}  // namespace

std::string check_text(const FitReport& report, std::size_t width) {
    std::string out = record_text(report, width);
    append_section(out, "Static curve", curve_sentences(report), width);
    const Outlook& outlook = report.result.outlook;
    if (!outlook.parameters.empty())
        out += "\nFirst estimate of " + plain_text(outlook.kind) + "\n" +
               parameter_table(report, outlook.parameters, width, "± rough");
    for (const std::string& sentence : estimate_sentences(report)) append_wrapped(out, sentence, width, 2);
    append_section(out, "What the record determines", outlook_sentences(report.result.outlook, report.units()), width);
    append_section(out, "Findings", finding_sentences(report), width, true);
    append_section(out, "What to measure next", next_sentences(report.result, report.units()), width);
    return out;
}

std::string fit_text(const FitReport& report, std::size_t width) {
    std::string out = record_text(report, width) + '\n';
    append_wrapped(out, recommendation(report), width, 0);
    if (report.has_law()) {
        if (report.is_converged()) out += "\n" + parameter_table(report, report.result.best().parameters, width);
        append_section(out, "Correlations of the estimates", correlation_sentences(report), width);
        std::vector<std::string> errors = error_sentences(report);
        if (const std::string white = whiteness_sentence(report); !white.empty()) errors.push_back(white);
        append_section(out, "Errors", errors, width);
        out += "\nComparison of laws\n" + comparison_table(report, width);
    }
    append_section(out, "What the record determines", determined_sentences(report), width);
    append_section(out, "Findings", finding_sentences(report), width, true);
    append_section(out, "What to measure next", next_sentences(report.result, report.units()), width);
    if (report.has_law()) append_section(out, "Certificate of the fitted law", {passivity_sentence(report)}, width);
    return out;
}

}  // namespace bristle::report
