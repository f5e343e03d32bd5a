// The HTML page of the gallery.
#include "gallery/page.hpp"
#include "gallery/studies.hpp"
#include "report/page/html.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

namespace bristle::gallery {

namespace {

using experiment::Verdict;
using report::classed, report::html, report::html_lines, report::inlined, report::tag;
using report::Outcome;

std::string anchor_of(const StudyExhibit& exhibit) { return exhibit.paper->folder + "-" + exhibit.study->name; }
std::string anchor_of(const Paper& paper, const Figure& figure) { return paper.folder + "-" + figure.name; }

std::string verdict_cell(bool holds) {
    return tag("td", holds ? classed("span", "good", "✓ holds") : classed("span", "bad", "✗ fails"));
}
// Claim, expected, measured, verdict, source. Lines do not break inside a number or between a number and its unit.
std::string claim_cells(const std::string& text, const report::ClaimParts& parts, const std::string& unit, bool holds,
                        const std::string& source) {
    const auto whole = [](const std::string& number) { return classed("span", "whole", html(number)); };
    const std::string tail = unit.empty() ? "" : " " + unit;
    return classed("td", "claim", html(text) + "<br>" + classed("span", "soft", html(parts.measure))) +
           classed("td", "number expected", whole(parts.low) + " to " + whole(parts.high + tail)) +
           classed("td", "number measured", whole(parts.measured + (parts.found ? tail : ""))) + verdict_cell(holds) +
           classed("td", "source", html(source));
}
std::string claim_cells(const Outcome& outcome, const Verdict& verdict) {
    const experiment::Claim& claim = verdict.claim;
    return claim_cells(claim.text, report::parts_of(verdict),
                       report::unit_of_measure(outcome.experiment, claim.measure, claim.signal), verdict.holds,
                       claim.source);
}
std::string claim_cells(const StudyVerdict& verdict) {
    report::ClaimParts parts = report::parts_of(verdict.claim->low, verdict.claim->high, verdict.measured);
    parts.measure = verdict.claim->pointer;
    return claim_cells(verdict.claim->text, parts, verdict.claim->unit, verdict.holds, verdict.claim->source);
}
constexpr const char* claim_heads =
    "<th>claim</th><th>expected</th><th>measured</th><th>verdict</th><th class=\"source\">why expected</th>";

std::string table_of(const std::string& rows) {
    return classed("div", "wide",
                   tag("table", tag("thead", tag("tr", claim_heads)) + tag("tbody", rows), "class=\"claims\""));
}

std::string claims_table(const Exhibit& exhibit) {
    std::string rows;
    for (std::size_t i = 0; i < exhibit.outcomes.size(); ++i) {
        const Outcome& outcome = *exhibit.outcomes[i];
        std::string name = html(exhibit.figure->runs[i]);
        if (!exhibit.figure->labels.empty()) name = html(exhibit.figure->labels[i]) + ": " + name;
        rows += tag("tr", tag("th", name, "colspan=\"5\" scope=\"colgroup\""));
        if (outcome.failure)
            rows += tag("tr", tag("td", classed("span", "bad", "✗ the run failed: " + html(*outcome.failure)),
                                  "colspan=\"5\""));
        for (const Verdict& verdict : outcome.verdicts) rows += tag("tr", claim_cells(outcome, verdict));
    }
    return table_of(rows);
}

// The picture of a panel, or a note that it is missing.
std::string picture(const std::string& svg, const std::string& name, const std::string& title,
                    const std::string& what) {
    return classed("div", "picture",
                   svg.empty() ? classed("p", "bad", "Picture missing: " + html(what) + ". See the top of the page.")
                               : inlined(svg, name + "-", title + ": " + what));
}

// A command that may break between its words, not inside an option.
std::string shown(const std::string& command) {
    std::string out;
    for (std::size_t from = 0; from < command.size();) {
        const std::size_t to = std::min(command.find(' ', from), command.size());
        const std::string word = command.substr(from, to - from);
        out += (from > 0 ? " " : "") + (word.starts_with("--") ? classed("span", "whole", html(word)) : html(word));
        from = to + 1;
    }
    return out;
}

std::string figure_section(const Exhibition& exhibition, const Exhibit& exhibit) {
    const Figure& figure = *exhibit.figure;
    std::string pictures, commands;
    for (std::size_t i = 0; i < exhibit.pictures.size(); ++i)
        pictures += picture(exhibit.pictures[i], picture_name(exhibit, i), figure.title,
                            figure.panels[i].y + " over " + figure.panels[i].x);
    for (const std::string& id : figure.runs) {
        const auto file = exhibition.replaced.find(id);
        commands += shown("bristle run " + (file == exhibition.replaced.end() ? id : file->second) + " --plot") + "\n";
    }
    std::string source = html(figure.source);
    if (!figure.erratum.empty()) source += " · " + classed("span", "flag", "erratum " + html(figure.erratum));
    return tag("section",
               tag("h3", html(figure.title)) + classed("p", "soft", source) + tag("p", html(figure.text)) +
                   classed("div", "pictures", pictures) + claims_table(exhibit) + tag("pre", commands),
               "class=\"box\" id=\"" + html(anchor_of(*exhibit.paper, figure)) + '"');
}

std::string study_section(const Exhibition& exhibition, const StudyExhibit& exhibit) {
    const Study& study = *exhibit.study;
    const auto& panels = exhibit.analysis.figure.panels;
    std::string pictures, rows;
    for (std::size_t i = 0; i < exhibit.pictures.size(); ++i)
        pictures += picture(exhibit.pictures[i], picture_name(exhibit, i), study.title,
                            labelled(panels[i].y_label) + " over " + labelled(panels[i].x_label));
    if (!pictures.empty()) pictures = classed("div", "pictures", pictures);
    if (!exhibit.message.empty()) pictures = classed("p", "bad", "✗ the analysis failed: " + html(exhibit.message));
    for (const StudyVerdict& verdict : exhibit.verdicts) rows += tag("tr", claim_cells(verdict));
    return tag("section",
               tag("h3", html(study.title)) + classed("p", "soft", html(study.source) + " · computed") +
                   tag("p", html(study.text)) + pictures + tag("pre", html_lines(exhibit.analysis.text)) +
                   (rows.empty() ? "" : table_of(rows)) +
                   tag("pre", shown(command(exhibition, study) + (panels.empty() ? "" : " --plot"))),
               "class=\"box\" id=\"" + html(anchor_of(exhibit)) + '"');
}

struct Count {
    std::size_t experiments = 0, studies = 0, claims = 0, failed = 0;
};
Count count_of(const Exhibition& exhibition, const Paper* paper) {
    Count out;
    for (const auto& [id, outcome] : exhibition.outcomes) {
        if (paper && !id.starts_with(paper->folder + "/")) continue;
        ++out.experiments;
        out.failed += outcome.failure.has_value();
        for (const Verdict& verdict : outcome.verdicts) {
            ++out.claims;
            out.failed += !verdict.holds;
        }
    }
    for (const StudyExhibit& study : exhibition.studies) {
        if (paper && study.paper != paper) continue;
        ++out.studies;
        out.claims += study.verdicts.size();
        out.failed += !study.message.empty();
        for (const StudyVerdict& verdict : study.verdicts) out.failed += !verdict.holds;
    }
    return out;
}
std::string result_words(const Count& count) {
    return count.failed == 0 ? classed("span", "good", "✓ all hold")
                             : classed("span", "bad", "✗ " + counted(count.failed, "fails", "fail"));
}

std::string papers_table(const Catalogue& catalogue, const Exhibition& exhibition) {
    std::string rows;
    for (const Paper& paper : catalogue.papers) {
        const Count count = count_of(exhibition, &paper);
        rows +=
            tag("tr", tag("td", tag("a", html(paper.key), "href=\"#" + html(paper.folder) + '"')) +
                          tag("td", html(paper.citation)) + classed("td", "number", std::to_string(count.experiments)) +
                          classed("td", "number", std::to_string(count.claims)) + tag("td", result_words(count)));
    }
    return classed(
        "div", "wide box",
        tag("table",
            tag("thead", "<tr><th>paper</th><th></th><th>experiments</th><th>claims</th><th>verdict</th></tr>") +
                tag("tbody", rows),
            "class=\"papers\""));
}

// An id may break after its paper.
std::string breakable(const std::string& id) {
    const auto slash = id.find('/') + 1;
    return html(id.substr(0, slash)) + "<wbr>" + html(id.substr(slash));
}

std::string claims_with_links(const std::string& rows, const char* attributes) {
    return tag(
        "div",
        tag("table", tag("thead", std::string("<tr><th>experiment</th>") + claim_heads + "</tr>") + tag("tbody", rows),
            "class=\"claims\""),
        attributes);
}

// Every claim once, with a link to the first figure of its experiment; claims that fail are listed before them as well.
std::string all_claims(const Exhibition& exhibition) {
    std::string rows, failing;
    std::map<std::string, bool> shown;
    const auto put = [&](const std::string& row, bool holds) {
        rows += row;
        if (!holds) failing += row;
    };
    for (const Exhibit& exhibit : exhibition.exhibits)
        for (std::size_t i = 0; i < exhibit.outcomes.size(); ++i) {
            const std::string& id = exhibit.figure->runs[i];
            if (!shown.emplace(id, true).second) continue;
            const std::string link =
                tag("a", breakable(id), "href=\"#" + html(anchor_of(*exhibit.paper, *exhibit.figure)) + '"');
            for (const Verdict& verdict : exhibit.outcomes[i]->verdicts)
                put(tag("tr", tag("td", link) + claim_cells(*exhibit.outcomes[i], verdict)), verdict.holds);
            if (exhibit.outcomes[i]->failure)
                failing += tag("tr", tag("td", link) + tag("td", "the run failed", "colspan=\"5\""));
        }
    for (const StudyExhibit& exhibit : exhibition.studies) {
        const std::string link =
            tag("a", breakable(exhibit.study->experiment) + ", analysed", "href=\"#" + html(anchor_of(exhibit)) + '"');
        for (const StudyVerdict& verdict : exhibit.verdicts)
            put(tag("tr", tag("td", link) + claim_cells(verdict)), verdict.holds);
        if (!exhibit.message.empty())
            failing += tag("tr", tag("td", link) + tag("td", "the analysis failed", "colspan=\"5\""));
    }
    std::string out;
    if (!failing.empty()) out = tag("h2", "What fails") + claims_with_links(failing, "class=\"wide box\"");
    return out + tag("h2", "All claims") +
           classed("p", "soft", "Scroll in the frame; the same rows are in gallery.json.") +
           claims_with_links(rows, "class=\"all\" tabindex=\"0\" role=\"region\" aria-label=\"all claims\"");
}

std::string errata(const Catalogue& catalogue, const Exhibition& exhibition) {
    std::string pairs, rows;
    for (const Exhibit& exhibit : exhibition.exhibits)
        if (!exhibit.figure->erratum.empty())
            pairs += tag("li", html(exhibit.figure->erratum) + " · " + html(exhibit.figure->source) + " · " +
                                   tag("a", html(exhibit.figure->title),
                                       "href=\"#" + html(anchor_of(*exhibit.paper, *exhibit.figure)) + '"'));
    for (const Formula& f : catalogue.formulas)
        rows += tag("tr", tag("td", html(f.id)) + tag("td", html(f.paper + " " + f.where)) +
                              classed("td", "printed", html(f.printed)) + classed("td", "derived", html(f.derived)) +
                              classed("td", "claim", html(f.text) + " " + classed("span", "soft", html(f.test))));
    if (pairs.empty() && rows.empty()) return "";
    std::string out = tag("h2", "Errata", "id=\"errata\"");
    if (!pairs.empty())
        out += tag("p", "Values, laws and statements that cannot be as printed, shown by runs side by side:") +
               classed("nav", "box", tag("ul", pairs));
    if (!rows.empty())
        out +=
            tag("p",
                "Formulas, as printed and as they follow from the paper's own equations. The test named computes "
                "both.") +
            classed("div", "wide box",
                    tag("table",
                        "<thead><tr><th></th><th>where</th><th>printed</th><th>derived</th><th>why</th></tr></thead>" +
                            tag("tbody", rows),
                        "class=\"errata\""));
    return out;
}

// "6 papers and machines"
std::string sources_of(const Catalogue& catalogue) {
    std::size_t papers = 0;
    std::string own;
    for (const Paper& paper : catalogue.papers) {
        papers += paper.is_published;
        if (!paper.is_published) append_item(own, html(paper.key));
    }
    if (papers == 0) return own;
    return counted(papers, "paper", "papers") + (own.empty() ? "" : " and " + own);
}

}  // namespace

std::string page(const Catalogue& catalogue, const Exhibition& exhibition) {
    const Count count = count_of(exhibition, nullptr);
    std::string body = tag("h1", "Friction, rerun and checked");
    body += tag("p", counted(count.experiments, "experiment", "experiments") +
                         (count.studies > 0 ? " and " + counted(count.studies, "analysis", "analyses") : "") +
                         " from " + sources_of(catalogue) + ", " + counted(count.claims, "claim", "claims") + ": " +
                         result_words(count) + ".");
    body += classed(
        "p", "soft",
        "Every claim gives the expected interval and its source: the paper's words, a closed form, or an integrator "
        "that shares no "
        "code with this one. The commands below each figure run its experiments again; figures/*.gp draw its "
        "pictures.");
    if (!exhibition.replaced.empty()) {
        std::string files;
        for (const auto& [id, file] : exhibition.replaced) append_item(files, file);
        body += classed("p", "flag", "Not as shipped, but from " + html(files) + ".");
    }
    if (exhibition.missing() > 0)
        body +=
            classed("p", "bad",
                    counted(exhibition.missing(), "picture is", "pictures are") + " missing: " + html(exhibition.note));
    body += papers_table(catalogue, exhibition) + all_claims(exhibition);
    for (const Paper& paper : catalogue.papers) {
        body += tag("h2", html(paper.key), "id=\"" + html(paper.folder) + '"');
        body += classed("p", "soft", html(paper.citation)) + tag("p", html(paper.text));
        for (const Exhibit& exhibit : exhibition.exhibits)
            if (exhibit.paper == &paper) body += figure_section(exhibition, exhibit) + "\n";
        for (const StudyExhibit& study : exhibition.studies)
            if (study.paper == &paper) body += study_section(exhibition, study) + "\n";
    }
    body += errata(catalogue, exhibition);
    return report::document("Bristle: the gallery", body);
}

}  // namespace bristle::gallery
