// Correlations of the estimates: sentence for text and page, table for the page.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "report/page/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bristle::report {

namespace {

constexpr double strong = 0.9;

// "-0.97"; a correlation that is not exactly 1 is not written as 1.
std::string correlation_text(double r) {
    constexpr double closest = 0.9999, smallest = 0.005;  // below the smallest: 0.00 without a sign
    char text[16];
    const bool close = std::abs(r) >= 0.995 && std::abs(r) < 1;
    const double shown = close ? std::clamp(r, -closest, closest) : std::abs(r) < smallest ? 0 : r;
    std::snprintf(text, sizeof text, "%.*f", close ? 4 : 2, shown);
    return text;
}

std::string pair_text(const CorrelatedPair& pair) {
    return plain_text(pair.first) + " and " + plain_text(pair.second) + " (" + correlation_text(pair.correlation) + ")";
}

// A cell with a background that is stronger for larger |r|; the colours keep the text readable on light and dark pages.
std::string shaded_cell(double r) {
    if (!std::isfinite(r)) return tag("td", "");
    char style[96];
    std::snprintf(style, sizeof style, "style=\"background: rgba(%s, %.2f)\"", r < 0 ? "214, 106, 60" : "66, 133, 200",
                  0.6 * std::abs(r));
    const std::string text = correlation_text(r);
    return tag("td", text[0] == '-' ? "−" + text.substr(1) : text, style);
}

}  // namespace

std::vector<std::string> correlation_sentences(const FitReport& report) {
    if (!report.is_converged()) return {};
    const std::vector<CorrelatedPair> pairs = correlated_pairs(report.result.best());
    if (pairs.empty()) return {};
    constexpr std::size_t max_pairs = 8, few = 3;
    std::string names;
    std::size_t count = 0;
    for (const CorrelatedPair& pair : pairs) {
        if (std::abs(pair.correlation) < strong) break;
        if (++count <= max_pairs) append_item(names, pair_text(pair));
    }
    if (count > 0)
        return {
            "Strongly correlated estimates (|r| >= 0.9): " + names +
            (count > max_pairs ? " and " + counted(count - max_pairs, "other pair", "other pairs") : std::string()) +
            ". The record determines a combination of such a pair better than each of the two."};
    for (std::size_t i = 0; i < std::min(few, pairs.size()); ++i) append_item(names, pair_text(pairs[i]));
    return {"No two estimates are strongly correlated (|r| >= 0.9). " +
            std::string(pairs.size() == 1 ? "The correlation is: " : "The largest correlations: ") + names + "."};
}

std::string correlation_table(const LawFit& law) {
    const std::vector<double> r = correlations(law);
    const std::size_t n = law.covariance_names.size();
    if (r.empty() || n < 2) return "";
    std::string head = tag("td", ""), body;
    for (std::size_t j = 0; j + 1 < n; ++j)
        head += tag("th", tag("span", tag("code", html(law.covariance_names[j]))), "scope=\"col\"");
    for (std::size_t i = 1; i < n; ++i) {
        std::string row = tag("th", tag("code", html(law.covariance_names[i])), "scope=\"row\"");
        for (std::size_t j = 0; j < i; ++j) row += shaded_cell(r[i * n + j]);
        body += tag("tr", row);
    }
    return classed("div", "wide",
                   tag("table", tag("thead", tag("tr", head)) + tag("tbody", body), "class=\"correlations\""));
}

}  // namespace bristle::report
