// gallery/*.toml as a catalogue.
#include "experiment/keys.hpp"
#include "experiment/toml.hpp"
#include "gallery/catalogue.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace bristle::gallery {

namespace {

using experiment::Diagnostics, experiment::Node, experiment::Section;

std::string required(Section& section, const char* key) {
    if (!section.has(key)) section.missing(key, "a text");
    return section.text(key).value_or("");
}
// Several lines, joined by blanks.
std::string paragraph(Section& section, const char* key) {
    const Node* node = section.find(key);
    if (!node || node->kind != Node::Kind::string || node->text.empty()) {
        section.diagnose(key, "must be a text");
        return "";
    }
    std::string text = node->text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::string(trimmed(text));
}
std::vector<std::string> texts(Section& section, const char* key) {
    std::vector<std::string> out;
    if (const Node* list = section.list(key))
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            if (list->items[i].kind != Node::Kind::string) section.diagnose_item(key, i, "must be a text");
            out.push_back(list->items[i].text);
        }
    return out;
}

report::PanelView read_panel(const Node& node, Section& figure, std::size_t index) {
    const auto is_text = [](const Node* n) { return n && n->kind == Node::Kind::string; };
    if (node.kind == Node::Kind::list && node.items.size() == 2 && is_text(&node.items[0]) && is_text(&node.items[1]))
        return {node.items[0].text, node.items[1].text};
    const Node *x = node.find("x"), *y = node.find("y"), *from = node.find("from"), *to = node.find("to"),
               *during = node.find("during");
    report::PanelView view{is_text(x) ? x->text : "", is_text(y) ? y->text : ""};
    std::size_t known = 2;
    bool sound = !view.x.empty() && !view.y.empty();
    const auto window = [&](const Node& low, const Node& high) -> report::Window {
        sound = sound && low.is_number() && high.is_number() && low.number < high.number;
        known += &low == from ? 2 : 1;
        return std::pair{low.number, high.number};
    };
    if (from && to) view.window = window(*from, *to);
    if (during && during->items.size() == 2) view.during = window(during->items[0], during->items[1]);
    if (!sound || known != node.items.size())
        figure.diagnose_item(
            "panels", index,
            "must be [\"x\", \"y\"] or {x = \"x\", y = \"F\", from = 0.0, to = 1.0, during = [0.0, 2.0]}, "
            "with from and to (of x) or during (of time) or all three");
    return view;
}

// A figure or a study with the texts that both have.
template <class Exhibit>
Exhibit with_head(Section& section) {
    Exhibit out;
    out.name = required(section, "name");
    out.source = required(section, "source");
    out.title = required(section, "title");
    out.text = paragraph(section, "text");
    return out;
}

Figure read_figure(Section section) {
    Figure out = with_head<Figure>(section);
    out.runs = texts(section, "runs");
    out.labels = texts(section, "labels");
    out.erratum = section.text("erratum").value_or("");
    if (out.runs.empty()) section.missing("runs", "ids of experiments");
    for (std::size_t i = 0; i < out.runs.size(); ++i)
        if (!experiment::find_shipped(out.runs[i]))
            section.diagnose_item("runs", i, "is not the id of a shipped experiment");
    if (out.runs.size() > 1 ? out.labels.size() != out.runs.size() : out.labels.size() > 1)
        section.diagnose("labels", "must be as many as runs");
    const Node* panels = section.list("panels");
    if (!panels || panels->items.empty()) section.missing("panels", "[[\"t\", \"v\"], ...]");
    for (std::size_t i = 0; panels && i < panels->items.size(); ++i)
        out.panels.push_back(read_panel(panels->items[i], section, i));
    section.close();
    return out;
}

StudyClaim read_study_claim(Section section) {
    StudyClaim out{required(section, "pointer"), 0, 0, "", required(section, "source"), required(section, "text")};
    if (const auto unit = section.text("unit"))
        out.unit = *unit;
    else
        section.missing("unit", "\"N\", or \"\" for a pure number");
    const Node* between = section.list("between");
    const bool pair =
        between && between->items.size() == 2 && between->items[0].is_number() && between->items[1].is_number();
    if (!pair || !(between->items[0].number <= between->items[1].number)) {
        section.diagnose("between", "must be two numbers, [low, high]");
    } else {
        out.low = between->items[0].number;
        out.high = between->items[1].number;
    }
    section.close();
    return out;
}

template <class Read>
void read_each(Section& file, const char* key, Diagnostics& diagnostics, const Read& read_one) {
    const Node* list = file.list(key);
    for (std::size_t i = 0; list && i < list->items.size(); ++i)
        read_one(Section(&list->items[i], std::string(key) + "[" + std::to_string(i + 1) + "]", diagnostics));
}

Study read_study(Section section, Diagnostics& diagnostics) {
    Study out = with_head<Study>(section);
    out.experiment = required(section, "experiment");
    if (!experiment::find_shipped(out.experiment))
        section.diagnose("experiment", "is not the id of a shipped experiment");
    if (const auto which = section.choice("analyse", experiment::names_of(report::analysis_names()))) {
        const report::AskedName& one = report::analysis_names()[*which];
        out.request.asked = one.asked;
        if (one.window) out.request.window = required(section, "window");
    }
    if (const auto starts = section.number("starts")) {
        if (report::are_valid_starts(*starts))
            out.request.starts = int(*starts);
        else
            section.diagnose("starts", "must be " + report::range_of_starts());
    }
    read_each(section, "claim", diagnostics, [&](Section claim) { out.claims.push_back(read_study_claim(claim)); });
    if (out.claims.empty()) section.missing("claim", "[[study.claim]], one at least");
    section.close();
    return out;
}

Paper read_paper(Section& file, Diagnostics& diagnostics) {
    Paper paper;
    paper.key = required(file, "key");
    paper.folder = required(file, "folder");
    paper.citation = required(file, "citation");
    paper.is_published = file.yes_or_no("published").value_or(true);
    paper.text = paragraph(file, "text");
    read_each(file, "figure", diagnostics, [&](Section section) {
        paper.figures.push_back(read_figure(section));
        const std::string& name = paper.figures.back().name;
        if (std::count_if(paper.figures.begin(), paper.figures.end(), [&](auto& f) { return f.name == name; }) > 1)
            section.diagnose("name", "is the name of another figure");
    });
    read_each(file, "study", diagnostics, [&](Section section) {
        paper.studies.push_back(read_study(section, diagnostics));
        const std::string& name = paper.studies.back().name;
        if (std::count_if(paper.figures.begin(), paper.figures.end(), [&](auto& f) { return f.name == name; }) +
                std::count_if(paper.studies.begin(), paper.studies.end(), [&](auto& s) { return s.name == name; }) >
            1)
            section.diagnose("name", "is the name of another figure or study");
    });
    file.close();
    return paper;
}

Formula read_formula(Section section) {
    Formula out;
    for (const auto& [key, member] : {std::pair{"id", &Formula::id},
                                      {"name", &Formula::name},
                                      {"paper", &Formula::paper},
                                      {"where", &Formula::where},
                                      {"printed", &Formula::printed},
                                      {"derived", &Formula::derived},
                                      {"text", &Formula::text},
                                      {"test", &Formula::test}})
        out.*member = required(section, key);
    section.close();
    return out;
}

}  // namespace

Catalogue read(std::span<const experiment::Shipped> files) {
    Catalogue out;
    Diagnostics diagnostics;
    for (const auto& [id, text] : files) {
        const Node root = experiment::parse(std::string(text), "gallery/" + std::string(id) + ".toml", diagnostics);
        Section file(&root, "", diagnostics);
        if (!file.has("formula")) {
            out.papers.push_back(read_paper(file, diagnostics));
            continue;
        }
        read_each(file, "formula", diagnostics,
                  [&](Section section) { out.formulas.push_back(read_formula(section)); });
        file.close();
    }
    if (!diagnostics.empty()) throw experiment::Unreadable(diagnostics);
    return out;
}

const Catalogue& shipped_catalogue() {
    static const Catalogue all = read(files());
    return all;
}

}  // namespace bristle::gallery
